"""Inking vector symbols: filled, outlined or solid, as the ink mode asks."""

from __future__ import annotations

import re

from sheetgen.geometry import PT_PER_MM, Rect
from sheetgen.scene import Paint, Path, Segment
from sheetgen.symbols import Symbol
from sheetgen.theme import PAPER, Style

GRID = 24
OUTLINE = 1.5  # width of an outline, in units of the grid
TOKEN = re.compile(r"[MLCZ]|-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")
NUMBERS = {"M": 2, "L": 2, "C": 6, "Z": 0}


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
