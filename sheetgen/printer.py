"""Printing on paper: hands a PDF to a CUPS queue through the system's ``lp``, at its true size."""

from __future__ import annotations

import os
import re
import unicodedata
from typing import TYPE_CHECKING

from sheetgen.errors import InputError, Problem, nearest
from sheetgen.paper import PAPERS

if TYPE_CHECKING:
    from subprocess import CompletedProcess

    from sheetgen.geometry import Size
    from sheetgen.impose import Duplex

_SIDES: dict[Duplex, str] = {
    "none": "one-sided",
    "long": "two-sided-long-edge",
    "short": "two-sided-short-edge",
}
# The names that mean one size to every driver. Others (B4, Ledger) differ; they go as a size.
_NAMED = ("A2", "A3", "A4", "A5", "A6", "Letter", "Legal", "Tabloid", "Executive")
_SAME_PAPER = 0.5  # mm
_MAX_COPIES = 9999
_MAX_TITLE = 255  # bytes, what a job name can hold
_LP_SECONDS = 60
_LPSTAT_SECONDS = 15
_NOT_IN_NAMES = frozenset("/\\#?'\"")
_REQUEST = re.compile(r"request id is (\S+-\d+)")


def print_pdf(
    data: bytes,
    printer: str,
    *,
    title: str,
    copies: int = 1,
    duplex: Duplex = "none",
    paper: Size | None = None,
) -> str:
    """Print a PDF on the queue ``printer`` without scaling; return the request id (``PDF-12``).

    ``paper`` is the size of its pages in mm, in either direction; ``None`` leaves it to the queue.
    Raises :class:`InputError` when printing is not installed or not running, the queue is unknown,
    or the queue refuses the job.
    """
    _check(printer, copies)
    arguments = ["-d", printer, "-t", _job_name(title), "-n", str(copies)]
    # number-up too, because the user's saved defaults for the queue would shrink the pages.
    options = ["print-scaling=none", "number-up=1", f"sides={_SIDES[duplex]}"]
    if paper is not None:
        options.append(f"media={media(paper)}")
    for option in options:
        arguments += ["-o", option]
    done = _run("lp", arguments, seconds=_LP_SECONDS, data=data)
    output = done.stdout.decode(errors="replace")
    if done.returncode != 0:
        raise InputError(_why(printer, done.stderr.decode(errors="replace") or output))
    found = _REQUEST.search(output)
    return found[1] if found else _one_line(output)


def media(paper: Size) -> str:
    """Return the name that CUPS has for a paper of this size in mm, in either direction."""
    short, long = sorted(paper)
    for name in _NAMED:
        width, height = PAPERS[name]
        if abs(short - width) <= _SAME_PAPER and abs(long - height) <= _SAME_PAPER:
            return name
    return f"Custom.{short:.6g}x{long:.6g}mm"


def _check(printer: str, copies: int) -> None:
    if not printer or printer.startswith("-") or not all(map(_in_name, printer)):
        raise InputError(
            Problem(f"{printer!r} cannot be the name of a print queue", _known_queues(_queues()))
        )
    if not 1 <= copies <= _MAX_COPIES:
        raise InputError(Problem(f"{copies} copies", f"1 to {_MAX_COPIES} can be printed"))


def _in_name(character: str) -> bool:
    return character.isprintable() and not character.isspace() and character not in _NOT_IN_NAMES


def _job_name(title: str) -> str:
    """Return the title for the queue: one line, no control characters, at most 255 bytes."""
    visible = "".join(" " if unicodedata.category(c)[0] == "C" else c for c in title)
    return _one_line(visible).encode()[:_MAX_TITLE].decode(errors="ignore") or "sheetgen"


def _why(printer: str, output: str) -> Problem:
    """Say why ``lp`` failed; it says "no such printer" also when the scheduler is stopped."""
    status = _lpstat("-r")
    if "not running" in status:
        return Problem(
            "printing is not running on this computer",
            "start CUPS (systemctl start cups) or print the PDF from a viewer",
        )
    queues = _queues()
    if status and printer.casefold() not in map(str.casefold, queues):
        return Problem(
            f"no print queue is named {printer!r}",
            _known_queues(queues),
            near=nearest(printer, queues),
        )
    reason = re.sub(r"^(\S*/)?lp: ", "", _one_line(output)) or "lp gives no reason"
    return Problem(f"printing on {printer} failed: {reason}")


def _known_queues(queues: list[str]) -> str:
    return f"known are {', '.join(queues)}" if queues else "there is none on this computer"


def _queues() -> list[str]:
    return _lpstat("-e").split()


def _lpstat(option: str) -> str:
    """Return what ``lpstat`` says, ``""`` when it cannot say it."""
    try:
        return _run("lpstat", [option], seconds=_LPSTAT_SECONDS).stdout.decode(errors="replace")
    except InputError:
        return ""


def _run(
    name: str, arguments: list[str], *, seconds: float, data: bytes = b""
) -> CompletedProcess[bytes]:
    import shutil
    import subprocess

    program = shutil.which(name)
    if program is None:
        raise InputError(
            Problem(
                f"cannot print: the program {name} is not installed",
                "install CUPS (on Debian and Ubuntu the package cups-client) or print the PDF "
                "from a viewer at 100 %",
            )
        )
    # Bytes, because under LC_ALL=C Python cannot encode a title like "Řeka"; CUPS wants UTF-8.
    command = [program.encode("utf-8", "surrogateescape")]
    command += [argument.encode("utf-8", "replace") for argument in arguments]
    try:
        return subprocess.run(  # noqa: S603 - an argument list, no shell
            command,
            input=data,
            capture_output=True,
            check=False,
            timeout=seconds,
            env={**os.environ, "LC_ALL": "C"},
        )
    except subprocess.TimeoutExpired:
        raise InputError(
            Problem(
                f"the print queue did not answer within {seconds:g} seconds",
                "look with lpstat -o whether the job is there before printing again",
            )
        ) from None
    except OSError as error:
        raise InputError(Problem(f"cannot run {name}: {error.strerror or error}")) from None


def _one_line(text: str) -> str:
    return " ".join(text.split())
