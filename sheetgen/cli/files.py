"""Where commands read variants from and bring results to."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from sheetgen.cli.terminal import quoted, say
from sheetgen.errors import InputError, Problem

if TYPE_CHECKING:
    from pathlib import Path

    from sheetgen.geometry import Size
    from sheetgen.impose import Duplex
    from sheetgen.model import Variant

STDIN = STDOUT = "-"


def load(name: str) -> tuple[Variant, Path]:
    """Read a variant by name or path, or from standard input."""
    from pathlib import Path

    from sheetgen import prepare

    if name != STDIN:
        return prepare.load(name)
    from sheetgen.decode import decode
    from sheetgen.source import parse
    from sheetgen.source_text import MAX_BYTES

    # Never more than can be used, whatever streams in.
    data = sys.stdin.buffer.read(MAX_BYTES + 1) if sys.stdin else b""
    return decode(parse(data, "stdin"), "stdin"), Path("/dev/stdin")


def naming(option: str, call: Callable[[], Any]) -> Any:
    """Return what ``call`` returns; problems it raises name the option."""
    try:
        return call()
    except InputError as error:
        for problem in error.problems:
            problem.where = problem.where or option
        raise


class Destination:
    """Where a result goes: a file, standard output, or a printer.

    Made before the work is done, so that what cannot be written is refused at once. ``stem`` names
    the file in the default folder if no output is given.
    """

    def __init__(
        self,
        output: str | None,
        stem: str,
        suffix: str,
        *,
        inputs: Sequence[Path],
        open_: bool,
        printer: str | None = None,
    ) -> None:
        if printer is not None and (output is not None or open_):
            raise InputError(Problem("found --printer with -o or --open", "give one of them"))
        self.printer, self.inputs, self.open = printer, inputs, open_
        self.path = None if printer is not None else _path(output, stem, suffix)
        if self.path is None:
            if open_:
                raise InputError(Problem("found --open with -o -", "give the name of a file"))
            return
        from sheetgen.output import check_target
        from sheetgen.source_text import files_read

        check_target(self.path, inputs=[*inputs, *files_read])

    def deliver(
        self,
        data: bytes,
        fact: str,
        *,
        title: str = "",
        duplex: Duplex = "none",
        paper: Size | None = None,
    ) -> None:
        """Bring the result where it belongs and say so in one line."""
        from sheetgen.output import open_file, write, write_stdout

        if self.printer is not None:
            from sheetgen.printer import print_pdf

            request = print_pdf(data, self.printer, title=title, duplex=duplex, paper=paper)
            say(f"{request}: {fact}")
        elif self.path is None:
            write_stdout(data)
            say(fact, err=True)
        else:
            from sheetgen.source_text import files_read

            # Files that were read in the meantime are inputs, too.
            write(data, self.path, inputs=[*self.inputs, *files_read])
            say(f"{self.path}: {fact}")
            if self.open:
                open_file(self.path)


def sheet_stem(variant: Variant, sheet: str) -> str:
    """Return a sheet's default file name: the variant's, and the sheet's if it is not the first."""
    return variant.id if sheet == next(iter(variant.sheets)) else f"{variant.id}-{sheet}"


def _path(output: str | None, stem: str, suffix: str) -> Path | None:
    """Return the path asked for, the one in the default folder, or nothing for standard output."""
    from pathlib import Path

    from sheetgen.output import STDOUT_NAMES, default_path

    if output == STDOUT or output in STDOUT_NAMES:
        return None
    if output is None:
        return default_path(stem, suffix)
    if not output or output.endswith(("/", "\\")):
        allowed = "give the name of a file"
        raise InputError(Problem(f"found {quoted(output)}", allowed, where="-o"))
    return Path(output)
