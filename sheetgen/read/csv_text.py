"""CSV text to the nodes that YAML gives, each with its place.

The columns are player, round, box, entries and written, in any order; a row is one box of one
sheet. The rows ``variant`` and ``setup`` without a player say what the other formats say on top.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from sheetgen.errors import InputError, Problem, nearest
from sheetgen.nodes import Mapping, Node, Scalar, Sequence
from sheetgen.read.cells import cell
from sheetgen.read.limits import DATA
from sheetgen.source_text import MAX_PROBLEMS, decode
from sheetgen.source_words import short

COLUMNS = ("player", "round", "box", "entries", "written")
_NEEDED = ("player", "box", "entries")
_NAMED = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
# A first line that spreadsheets understand.
_HINT = re.compile(r"sep=[,;\t|](?:\r\n?|\n)", re.IGNORECASE)


MOST_LINES = 600_000  # twice what twenty thousand sheets take; more are no match


class Cell(NamedTuple):
    """A cell's text and its place."""

    text: str
    line: int
    column: int


def parse(data: bytes, file: str) -> tuple[Mapping, str]:
    """Return the tree of a CSV text, and its dialect in words.

    Raises :class:`InputError` with every problem.
    """
    text, encoding = _decode(data, file)
    delimiter = _delimiter(text)
    for noun, number, most in (
        ("lines", text.count("\n") + text.count("\r"), MOST_LINES),
        ("cells", text.count(delimiter), MOST_LINES * 6),
    ):
        if number > most:
            raise InputError(Problem(f"{number:,} {noun}", f"at most {most:,} are read", file=file))
    dialect = f"CSV with {_NAMED[delimiter]}, {encoding}"
    builder = _Builder(file)
    builder.rows(_rows(text, delimiter, file))
    return builder.tree(), dialect


def is_csv(head: str) -> bool:
    """Tell whether a text begins with a header of such a file."""
    first = head.removeprefix("\ufeff")
    if _HINT.match(first):
        return True
    names = {name.strip(' "').lower() for name in re.split(r"[,;\t|]", first.split("\n", 1)[0])}
    return {"player", "box"} <= {name.strip() for name in names}


def _decode(data: bytes, file: str) -> tuple[str, str]:
    """Return the text and the name of its encoding: UTF-8, or what Windows writes by default."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        if data[:2] in (b"\xff\xfe", b"\xfe\xff") or len(data) > DATA.bytes:
            decode(data, file, DATA.bytes)  # which says what is wrong
        try:
            data = data.decode("cp1252").encode()
        except UnicodeDecodeError:
            raise _no_text(data, file, error.start) from None
        return decode(data, file, DATA.bytes * 2), "Windows-1252"
    mark = " with a byte order mark" if data.startswith(b"\xef\xbb\xbf") else ""
    return decode(data, file, DATA.bytes), "UTF-8" + mark


def _no_text(data: bytes, file: str, start: int) -> InputError:
    line = data.count(b"\n", 0, start) + 1
    column = start - data.rfind(b"\n", 0, start)
    found = f"neither UTF-8 nor Windows-1252: 0x{data[start]:02X} at byte {start}"
    return InputError(Problem(found, "save it as UTF-8", file=file, line=line, column=column))


def _delimiter(text: str) -> str:
    """Return what separates the header's names."""
    if _HINT.match(text):
        return text[4]
    first = text.lstrip("\r\n").split("\n", 1)[0]
    return max(_NAMED, key=first.count)


def _rows(text: str, delimiter: str, file: str) -> Iterator[list[Cell]]:
    """Yield the rows that are not blank. Raises :class:`InputError` for broken quotes."""
    field = re.compile(rf'"((?:[^"]|"")*+)"|([^{re.escape(delimiter)}\r\n]*+)')
    hint = _HINT.match(text)
    at, line = (hint.end(), 2) if hint else (0, 1)
    start, row = at, []
    while True:
        found = field.match(text, at)
        assert found  # the second way matches nothing, too
        quoted = found[1]
        column = at - start + 1
        end = found.end()
        after = text[end : end + 1]
        if quoted is None:
            value = found[2]
            if value.startswith('"'):
                raise _bad_quote(file, line, column, "the quote opened here is never closed")
        else:
            value = quoted.replace('""', '"')
            if after not in (delimiter, "\r", "\n", ""):
                here = column + end - at
                raise _bad_quote(file, line, here, "more text follows the quotes")
        row.append(Cell(value, line, column))
        if quoted and "\n" in quoted:
            line += quoted.count("\n")
            start = text.rindex("\n", 0, end) + 1
        at = end + 1
        if after == delimiter:
            continue
        if any(one.text.strip() for one in row):
            yield row
        if not after or at >= len(text):
            return
        if after == "\r" and text[at : at + 1] == "\n":
            at += 1
        row, line, start = [], line + 1, at


def _bad_quote(file: str, line: int, column: int, found: str) -> InputError:
    allowed = 'write a quote inside quotes as ""'
    return InputError(Problem(found, allowed, file=file, line=line, column=column))


class _Sheet:
    """The rows of one sheet so far."""

    __slots__ = ("entries", "player", "round", "written")

    def __init__(self, player: Scalar, number: Scalar) -> None:
        self.player, self.round = player, number
        self.entries: dict[str, tuple[Scalar, Node]] = {}
        self.written: list[tuple[Scalar, Node]] = []


class _Builder:
    """Gathers rows into sheets, and problems."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self.top: dict[str, tuple[Scalar, Node]] = {}
        self.sheets: dict[tuple[str, str], _Sheet] = {}
        self.nodes = 0

    def say(self, one: Cell | Scalar, found: str, allowed: str = "", near: str = "") -> None:
        """Note a problem; too many end the reading."""
        self.problems.append(
            Problem(found, allowed, near=near, file=self.file, line=one.line, column=one.column)
        )
        if len(self.problems) >= MAX_PROBLEMS:
            raise InputError(self.problems)

    def rows(self, rows: Iterator[list[Cell]]) -> None:
        """Take all rows, the header first."""
        header = self.header(next(rows, []))
        for row in rows:
            beyond = [one for one in row[len(header) :] if one.text.strip()]
            if beyond:
                allowed = f"the header names {len(header)} columns"
                self.say(
                    beyond[0], f"{short(beyond[0].text)} stands beyond the last column", allowed
                )
            self.row(dict(zip(header, row, strict=False)), row[0])

    def header(self, row: list[Cell]) -> list[str]:
        """Return the names of the columns, or raise what is wrong with them."""
        names: list[str] = []
        if not any(one.text.strip().lower() in COLUMNS for one in row):
            found = "the first line must name the columns"
            self.say(Cell("", 1, 1), found, f"write {','.join(COLUMNS)}")
            raise InputError(self.problems)
        for one in row:
            name = one.text.strip().lower()
            if name in names and name:
                self.say(one, f"the column {short(name)} stands twice", "keep one")
            elif name and name not in COLUMNS:
                near = nearest(name, COLUMNS)
                self.say(
                    one, f"unknown column {short(name)}", f"known are {', '.join(COLUMNS)}", near
                )
            names.append(name)
        missing = [name for name in _NEEDED if name not in names]
        if missing and not self.problems:
            found = f"the first line names no column {' and no column '.join(missing)}"
            self.say(Cell("", 1, 1), found, f"it should be {','.join(COLUMNS)}")
        if self.problems:
            raise InputError(self.problems)
        return names

    def row(self, cells: dict[str, Cell], first: Cell) -> None:
        """Take one row."""
        blank = Cell("", first.line, first.column)
        player, number, box, entries, written = (_text(cells.get(name, blank)) for name in COLUMNS)
        if not box.value:
            self.say(box, "the row names no box", "write one such as red")
            return
        if not player.value and box.value in ("variant", "setup"):
            if self.top.setdefault(box.value, (box, entries))[0] is not box:
                self.say(box, f"{box.value} stands twice", "keep one")
            return
        key = (player.value, number.value)
        sheet = self.sheets.get(key)
        if sheet is None:
            number = number._replace(quoted=False)
            sheet = self.sheets[key] = _Sheet(player, number)
        value = cell(entries.value, entries.line, entries.column)
        self.nodes += 3 + len(value.items)
        if self.nodes > DATA.nodes:
            self.say(box, "too many values", f"at most {DATA.nodes} are read")
            raise InputError(self.problems)
        earlier = sheet.entries.setdefault(box.value, (box, value))[0]
        if earlier is not box:
            lines = f"in lines {earlier.line} and {box.line}"
            self.say(box, f"{short(box.value)} stands twice for this sheet, {lines}", "keep one")
        elif written.value:
            sheet.written.append((box, written._replace(quoted=False)))

    def tree(self) -> Mapping:
        """Return the tree, as if it had been written in YAML."""
        if not self.sheets and not self.problems:
            self.say(Cell("", 1, 1), "no sheet follows", "write a row such as North,,red,3 5 8,")
        if self.problems:
            raise InputError(self.problems)
        sheets = tuple(_sheet(self.sheets.pop(key)) for key in list(self.sheets))
        name = Scalar("sheets", True, 1, 1)
        return Mapping((*self.top.values(), (name, Sequence(sheets, 1, 1))), 1, 1)


def _text(one: Cell) -> Scalar:
    """Return a cell without the blanks around, which spreadsheets keep."""
    value = one.text.strip()
    ahead = len(one.text) - len(one.text.lstrip()) if value else 0
    return Scalar(value, True, one.line, one.column + ahead)


def _sheet(sheet: _Sheet) -> Mapping:
    line, column = sheet.player.line, sheet.player.column

    def key(name: str) -> Scalar:
        return Scalar(name, True, line, column)

    entries = tuple(sheet.entries.values())
    return Mapping(
        (
            (key("player"), sheet.player),
            (key("round"), sheet.round),
            (key("entries"), Mapping(entries, line, column)),
            (key("written"), Mapping(tuple(sheet.written), line, column)),
        ),
        line,
        column,
    )
