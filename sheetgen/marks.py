"""Marks printed beside and between the sheets: where to cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sheetgen.geometry import PT_PER_MM, Size
from sheetgen.paper import PRINTABLE_INSET
from sheetgen.scene import Paint, Path, line

CROP_OFFSET = 0.8  # mm from the trim, so that a cut slightly off leaves no mark on the sheet
CROP_LENGTH = 1.8  # mm
TICK_LENGTH = 5.0  # mm, of a mark that lies on the cut itself
CROP_PAINT = Paint(stroke="#000000", width=0.25)

# A strip this narrow, in mm, is not cut off: two A5 leave half of one on either side of an A4.
SLIVER = 1.0

_HALF_STROKE = CROP_PAINT.width / PT_PER_MM / 2
_LINE_ROOM = PRINTABLE_INSET + _HALF_STROKE
_OUTSIDE_ROOM = PRINTABLE_INSET + CROP_LENGTH + CROP_OFFSET
_TOLERANCE = 1e-6


def crop_room(margin: float) -> float:
    """Return the paper needed on every side of the sheets so that all cuts are marked, in mm.

    ``margin`` is the least distance of a sheet's ink from its trim, in mm. Marks on the cuts need
    less paper than marks outside the sheets, but must keep off the ink.
    """
    return _LINE_ROOM if margin >= CROP_OFFSET else _OUTSIDE_ROOM


def is_markable(spare: float, margin: float) -> bool:
    """Whether the cuts can be marked where ``spare`` mm of paper are left on either side.

    ``margin`` is the least distance of a sheet's ink from its trim, in mm.
    """
    if spare <= SLIVER + _TOLERANCE and margin >= CROP_OFFSET:
        return True
    return spare >= crop_room(margin) - _TOLERANCE


def crop_marks(
    paper: Size, xs: Sequence[float], ys: Sequence[float], margin: float
) -> tuple[Path, ...]:
    """Return the marks for cutting a grid of touching sheets, as many as can be printed.

    ``xs`` and ``ys`` are the trim lines in rising order, centred on the paper, ``margin`` is the
    least distance of a sheet's ink from its trim, all in mm. The marks lie outside the sheets.
    Where there is no room they lie on the cuts, in the margins of the sheets, and crosses show
    where cuts meet. All ink stays :data:`PRINTABLE_INSET` inside the paper, so a trim in its
    border has no mark.
    """
    paths = [
        *(line(x, y1, x, y2) for x, y1, y2 in _strokes(xs, paper.width, ys, paper.height, margin)),
        *(line(x1, y, x2, y) for y, x1, x2 in _strokes(ys, paper.height, xs, paper.width, margin)),
    ]
    if min(xs[0], ys[0]) < _OUTSIDE_ROOM - _TOLERANCE and margin >= CROP_OFFSET:
        # No arm is longer than the margin, hence none leaves the printable part of the paper.
        arm = CROP_OFFSET
        paths += [
            line(x - arm, y, x + arm, y) + line(x, y - arm, x, y + arm)
            for x in xs[1:-1]
            for y in ys[1:-1]
        ]
    return tuple(Path(segments, CROP_PAINT, "cut") for segments in paths)


def _strokes(
    cuts: Sequence[float], width: float, ends: Sequence[float], length: float, margin: float
) -> Iterator[tuple[float, float, float]]:
    """Yield a stroke at both ends of every cut: its place across the paper, its start and end.

    ``width`` and ``length`` are the paper's across and along the cuts; the sheets reach from
    ``ends[0]`` to ``ends[-1]``, as far from one edge of the paper as from the other.
    """
    if ends[0] >= _OUTSIDE_ROOM - _TOLERANCE:
        end = ends[0] - CROP_OFFSET
        start = end - CROP_LENGTH
    elif margin >= CROP_OFFSET:
        start, end = PRINTABLE_INSET, PRINTABLE_INSET + TICK_LENGTH
    else:
        return
    for cut in cuts:
        if _LINE_ROOM - _TOLERANCE <= cut <= width - _LINE_ROOM + _TOLERANCE:
            yield cut, start, end
            yield cut, length - end, length - start
