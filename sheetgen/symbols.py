"""Vector symbols as data: silhouettes and strokes on a grid of 24 by 24, y downwards."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sheetgen.errors import InputError, Problem
from sheetgen.schema import ListOf, MapOf, Name, Number, Reader, Record, Struct, Words, key
from sheetgen.source import read

# M or L and pairs of numbers, C and sixes of them, Z: what parse() can follow without a check.
# A number ends where no digit follows, so that there is one way to read a text, and not 2^n.
_N = r"[ ,]*-?(?:[0-9]{1,4}(?:\.[0-9]{0,6})?|\.[0-9]{1,6})(?![0-9.])"
PATH = Words(
    rf"M{_N}{_N}(?: *(?:[ML](?:{_N}{_N})+|C(?:(?:{_N}){{6}})+|Z))* *",
    "path data of M, L, C and Z, with absolute numbers",
    longest=4000,
)


class Line(Record):
    """A stroke of a symbol."""

    path: Name = key(PATH, "Its path.")
    width: float = key(Number(0.2, 8), "Its width on the grid.")


class Symbol(Record):
    """A symbol on a 24 x 24 grid."""

    shape: Name | None = key(PATH, "The silhouette.", default=None)
    hole: Name | None = key(PATH, "Knocked out of it.", default=None)
    lines: tuple[Line, ...] = key(ListOf(Struct(Line), 1, 40), "Strokes.", default=())
    cuts: tuple[Line, ...] = key(ListOf(Struct(Line), 1, 40), "Strokes knocked out.", default=())


def load(path: Path) -> dict[str, Symbol]:
    """Read a file of symbols. Raises :class:`InputError` with every problem."""
    reader = Reader(str(path))
    symbols = MapOf(Struct(Symbol)).decode(read(path), reader, "")
    if reader.problems:
        raise InputError(reader.problems)
    assert isinstance(symbols, dict)
    if problems := check(symbols.values()):
        raise InputError(problems)
    return symbols


def check(symbols: Iterable[Symbol]) -> list[Problem]:
    """Return a problem for every symbol that draws nothing."""
    empty = (one for one in symbols if one.shape is None and not one.lines)
    return [one.place.problem("nothing to draw", "give it a shape or lines") for one in empty]
