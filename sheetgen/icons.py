"""Vector symbols: reading their path data and inking them."""

from __future__ import annotations

import re
from pathlib import Path as FilePath

from sheetgen.errors import InputError
from sheetgen.geometry import PT_PER_MM, Rect
from sheetgen.scene import Paint, Path, Segment
from sheetgen.schema import ListOf, MapOf, Name, Number, Reader, Record, Struct, Words, key
from sheetgen.source import read
from sheetgen.theme import PAPER, Style

GRID = 24
OUTLINE = 1.5  # width of an outline, in units of the grid
# M or L and pairs of numbers, C and sixes of them, Z: what parse() can follow without a check.
# A number ends where no digit follows, so that there is one way to read a text, and not 2^n.
_N = r"[ ,]*-?(?:[0-9]{1,4}(?:\.[0-9]{0,6})?|\.[0-9]{1,6})(?![0-9.])"
PATH = Words(
    rf"M{_N}{_N}(?: *(?:[ML](?:{_N}{_N})+|C(?:(?:{_N}){{6}})+|Z))* *",
    "path data of M, L, C and Z, with absolute numbers",
    longest=4000,
)
TOKEN = re.compile(r"[MLCZ]|-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")
NUMBERS = {"M": 2, "L": 2, "C": 6, "Z": 0}


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


def load(path: FilePath) -> dict[str, Symbol]:
    """Read a file of symbols. Raises :class:`InputError` with every problem."""
    reader = Reader(str(path))
    symbols = MapOf(Struct(Symbol)).decode(read(path), reader, "")
    if reader.problems:
        raise InputError(reader.problems)
    assert isinstance(symbols, dict)
    empty = [one for one in symbols.values() if one.shape is None and not one.lines]
    if empty:
        wanted = "give it a shape or lines"
        raise InputError(one.place.problem("nothing to draw", wanted) for one in empty)
    return symbols


def draw(
    symbol: Symbol,
    place: Rect,
    style: Style,
    lane: str | None,
    ground: str,
    *,
    inverse: bool = False,
) -> list[Path]:
    """Ink a symbol in the square ``place``.

    ``ground`` is the colour that its cuts show; ``inverse`` draws a white outline on black.
    """
    scale = place.width / GRID
    if lane:
        tones = style.inks(lane)
        ink, fill, outline = style.colour("lane", lane), str(tones.fill), tones.outline
    else:
        ink, fill, outline = style.colour("ink"), str(style.theme.neutral["solid"]), False
    mode = style.mode.symbols
    if mode == "solid":
        # A symbol whose fill is the paper's white stays an outline in black and white.
        mode = "outlined" if fill.lower() == "#ffffff" else "filled"
        fill, outline = ink, False
    elif fill.lower() == "#ffffff":
        mode = "outlined"
    if inverse:
        mode, ink = "outlined", PAPER

    def path(data: str, paint: Paint) -> Path:
        return Path(parse(data, place.x, place.y, scale), paint, "symbol")

    def pen(width: float, colour: str) -> Paint:
        return Paint(None, colour, width * scale * PT_PER_MM, round=True)

    paths = []
    body = " ".join(part for part in (symbol.shape, symbol.hole) if part)
    if mode == "filled":
        strokes = ink if outline else fill
        paths += [path(line.path, pen(line.width, strokes)) for line in symbol.lines]
        if body:
            edge = pen(OUTLINE * 0.8, ink) if outline else Paint()
            paths.append(path(body, edge._replace(fill=fill)))
        paths += [path(cut.path, pen(cut.width, ink if outline else ground)) for cut in symbol.cuts]
    else:
        paths += [path(line.path, pen(min(line.width, 2.0), ink)) for line in symbol.lines]
        if body:
            paths.append(path(body, pen(OUTLINE, ink)))
        paths += [path(cut.path, pen(min(cut.width, OUTLINE), ink)) for cut in symbol.cuts]
    return paths


def parse(data: str, x: float = 0, y: float = 0, scale: float = 1) -> tuple[Segment, ...]:
    """Return the segments of absolute path data, scaled and moved; letters may be left out."""
    segments: list[Segment] = []
    tokens = TOKEN.findall(data)
    at, letter = 0, "M"
    while at < len(tokens):
        if tokens[at] in NUMBERS:
            letter, at = tokens[at], at + 1
        count = NUMBERS[letter]
        numbers = [float(token) * scale for token in tokens[at : at + count]]
        segments.append((letter, *(v + (y if i % 2 else x) for i, v in enumerate(numbers))))
        at += count
    return tuple(segments)
