"""The bytes of a YAML file to its text: UTF-8, and only characters that can be printed."""

from __future__ import annotations

import re
import unicodedata
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from sheetgen.errors import InputError, Problem


class Limits(NamedTuple):
    """How much of a file is read: bytes, and nodes with aliases written out."""

    bytes: int
    nodes: int


VARIANT = Limits(bytes=2_000_000, nodes=100_000)
MAX_BYTES = VARIANT.bytes
MAX_PROBLEMS = 50  # more would bury the first

_BOM = "\ufeff"
_IDLE = re.compile(r"(?:[ \t\n]|#[^\n]*)*+")  # blank lines and comments

# Controls, line ends that only some programs see, marks that turn the reading direction unseen,
# and what is no character at all.
UNPRINTABLE = re.compile(
    "[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff"
    "\\ufeff\\ufffe\\uffff]"
)


# Every file that was read, so that no output takes the place of an input.
files_read: list[Path] = []


def load(path: str | Path, most: int = MAX_BYTES, expected: str = "a YAML file") -> bytes:
    """Return the bytes of a file, and one more than are allowed of a longer one."""
    file = str(path)
    try:
        if Path(path).is_dir():
            raise InputError(Problem("is a directory", f"{expected} is expected", file=file))
        files_read.append(Path(path))
        with Path(path).open("rb") as stream:
            return stream.read(most + 1)  # never more, whatever kind of file this is
    except FileNotFoundError:
        raise InputError(Problem("there is no such file", file=file)) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(Problem(f"cannot be opened: {reason}".lower(), file=file)) from None


def decode(data: bytes, file: str, most: int = MAX_BYTES) -> str:
    """Return the text of ``data`` without its byte order mark, or refuse it."""
    save = "save the file as UTF-8"
    if len(data) > most:
        size = f"at most {most // 1_000_000} MB are read"
        raise InputError(Problem("the file is too large", size, file=file))
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:2]:
        found = "not UTF-8: byte 0 begins a UTF-16 text"
        raise InputError(Problem(found, save, file=file, line=1, column=1))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line, column = place_after(data[: error.start].decode("utf-8").removeprefix(_BOM))
        found = f"not UTF-8: 0x{data[error.start]:02X} at byte {error.start}"
        raise InputError(Problem(found, save, file=file, line=line, column=column)) from None
    start = text.startswith(_BOM)
    problems = []
    for match in islice(UNPRINTABLE.finditer(text, start), MAX_PROBLEMS):
        line, column = place_after(text[start : match.start()])
        found, allowed = f"{char_name(match[0])} cannot be printed", "remove it"
        if match[0] == _BOM:  # two files were joined
            byte = len(text[: match.start()].encode())
            found = f"not UTF-8 in one piece: {char_name(_BOM)} at byte {byte}"
        problems.append(Problem(found, allowed, file=file, line=line, column=column))
    if problems:
        raise InputError(problems)
    return text[start:]


def place_after(before: str) -> tuple[int, int]:
    """Return the line and column of what follows the text ``before``."""
    lines = before.replace("\r\n", "\n").replace("\r", "\n")
    return lines.count("\n") + 1, len(lines) - lines.rfind("\n")


def char_name(char: str) -> str:
    """Return a character that cannot be seen by its name and code point."""
    known = "byte order mark" if char == _BOM else unicodedata.name(char, "control character")
    return f"{known.lower()} (U+{ord(char):04X})"


def end_of_idle(text: str, start: int) -> int:
    """Return where the blank lines and comments from ``start`` on end."""
    match = _IDLE.match(text, start)
    return match.end() if match else start
