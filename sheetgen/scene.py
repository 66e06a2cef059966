"""What a laid-out sheet consists of: ink with its place, and the boxes a player writes in.

Everything is absolute: millimetres from the sheet's top left corner (line widths and type sizes in
points), colours as ``#rrggbb``. Drawing adds nothing and decides nothing; reading uses the same
boxes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple

from sheetgen.geometry import Rect, Size

# A path is a sequence of ("M", x, y), ("L", x, y), ("C", x1, y1, x2, y2, x, y) and ("Z",), in mm.
Segment = tuple[str | float, ...]

# The control-point distance that makes four cubic curves look like a circle of radius 1.
KAPPA = 4 / 3 * (math.sqrt(2) - 1)


class Paint(NamedTuple):
    """How a path is inked: ``width`` in pt, ``dash`` in mm; holes by the even-odd rule."""

    fill: str | None = None
    stroke: str | None = None
    width: float = 0.0
    dash: tuple[float, ...] = ()
    round: bool = False


class Path(NamedTuple):
    """A filled or stroked outline; ``role`` says what it is for, such as ``fiducial``."""

    segments: tuple[Segment, ...]
    paint: Paint
    role: str


class Text(NamedTuple):
    """One run of glyphs from one font, starting at (x, y) on its baseline.

    ``font`` is a key of :class:`sheetgen.fonts.Fonts`, ``size`` is in pt, ``tracking`` in em after
    each glyph, ``width`` in mm, ``angle`` in degrees counterclockwise (90 reads upwards).
    """

    x: float
    y: float
    string: str
    font: str
    size: float
    colour: str
    tracking: float
    width: float
    angle: float
    role: str


Item = Path | Text

BoxKind = Literal["number", "tick", "text", "score"]


class Box(NamedTuple):
    """A place a player writes in; ``id`` names it in files and forms, ``label`` is for people."""

    id: str
    rect: Rect
    kind: BoxKind
    label: str


class Scene(NamedTuple):
    """One side of one sheet, ``size`` being its trimmed size in mm."""

    title: str
    language: str
    size: Size
    margin: float
    items: tuple[Item, ...]
    boxes: tuple[Box, ...]


def line(x1: float, y1: float, x2: float, y2: float) -> tuple[Segment, ...]:
    """Return a straight line."""
    return (("M", x1, y1), ("L", x2, y2))


def polyline(points: Sequence[tuple[float, float]], close: bool = False) -> tuple[Segment, ...]:
    """Return straight lines through the points."""
    first, *rest = points
    path: list[Segment] = [("M", *first), *(("L", *point) for point in rest)]
    if close:
        path.append(("Z",))
    return tuple(path)


def rectangle(rect: Rect, radius: float = 0.0) -> tuple[Segment, ...]:
    """Return a rectangle with corners rounded by ``radius`` mm."""
    x, y, right, bottom = rect.x, rect.y, rect.right, rect.bottom
    r = min(radius, rect.width / 2, rect.height / 2)
    if r <= 0:
        return polyline([(x, y), (right, y), (right, bottom), (x, bottom)], close=True)
    k = r * (1 - KAPPA)
    return (
        ("M", x + r, y),
        ("L", right - r, y),
        ("C", right - k, y, right, y + k, right, y + r),
        ("L", right, bottom - r),
        ("C", right, bottom - k, right - k, bottom, right - r, bottom),
        ("L", x + r, bottom),
        ("C", x + k, bottom, x, bottom - k, x, bottom - r),
        ("L", x, y + r),
        ("C", x, y + k, x + k, y, x + r, y),
        ("Z",),
    )


def circle(x: float, y: float, radius: float) -> tuple[Segment, ...]:
    """Return a circle around (x, y)."""
    return rectangle(Rect(x - radius, y - radius, 2 * radius, 2 * radius), radius)


def bounds(segments: Iterable[Segment]) -> Rect:
    """Return the rectangle around all points of a path, control points included."""
    xs: list[float] = []
    ys: list[float] = []
    for segment in segments:
        numbers = [float(value) for value in segment[1:]]
        xs += numbers[0::2]
        ys += numbers[1::2]
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def _mapped(item: Item, place: Callable[[float, float], tuple[float, float]], turn: float) -> Item:
    if isinstance(item, Text):
        x, y = place(item.x, item.y)
        return item._replace(x=x, y=y, angle=item.angle + turn)
    segments = []
    for command, *values in item.segments:
        numbers = [float(value) for value in values]
        points = zip(numbers[0::2], numbers[1::2], strict=True)
        segments.append((command, *(value for x, y in points for value in place(x, y))))
    return item._replace(segments=tuple(segments))


def shifted(item: Item, dx: float, dy: float) -> Item:
    """Return an item moved by (dx, dy) mm."""
    return _mapped(item, lambda x, y: (x + dx, y + dy), 0.0)


def turned(item: Item, angle: float) -> Item:
    """Return an item turned about the origin, by degrees counterclockwise as seen."""
    if not angle:
        return item
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return _mapped(item, lambda x, y: (x * cos + y * sin, y * cos - x * sin), angle)
