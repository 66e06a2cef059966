from __future__ import annotations

import pytest

from sheetgen.geometry import PT_PER_MM, Rect, Size
from sheetgen.marks import CROP_PAINT, SLIVER, crop_marks, crop_room, is_markable
from sheetgen.paper import PRINTABLE_INSET
from sheetgen.scene import Path, bounds

A4 = Size(210, 297)


def _strokes(paths: tuple[Path, ...]) -> set[tuple[float, ...]]:
    return {
        tuple(round(float(v), 4) for segment in path.segments for v in segment[1:])
        for path in paths
    }


def test_marks_lie_outside_a_sheet_in_the_middle() -> None:
    """A sheet with paper around it has two marks at each corner, off the trim."""
    marks = crop_marks(A4, [50, 160], [40, 257], 5)
    assert _strokes(marks) == {
        (50, 37.4, 50, 39.2),
        (50, 257.8, 50, 259.6),
        (160, 37.4, 160, 39.2),
        (160, 257.8, 160, 259.6),
        (47.4, 40, 49.2, 40),
        (160.8, 40, 162.6, 40),
        (47.4, 257, 49.2, 257),
        (160.8, 257, 162.6, 257),
    }


def test_marks_are_thin_black_strokes_named_cut() -> None:
    """Every mark is a quarter-point black line with the role of a cut."""
    for mark in crop_marks(A4, [50, 160], [40, 257], 5):
        assert mark.role == "cut"
        assert mark.paint == CROP_PAINT
        assert (mark.paint.stroke, mark.paint.width, mark.paint.fill) == ("#000000", 0.25, None)


def test_every_trim_line_of_a_grid_is_marked_on_both_ends() -> None:
    """Inner cuts are marked outside the block too, and need no cross then."""
    marks = crop_marks(A4, [15, 75, 135, 195], [20, 148.5, 277], 5)
    assert len(marks) == 2 * 4 + 2 * 3
    assert all(len(mark.segments) == 2 for mark in marks)


def test_a_sheet_as_large_as_the_paper_has_no_marks() -> None:
    """Where the paper's edge is the trim there is nothing to cut."""
    assert crop_marks(A4, [0, 210], [0, 297], 7) == ()


def test_marks_lie_on_the_cuts_where_the_sheets_fill_the_width() -> None:
    """Ticks reach from the printable border inwards along each cut, and edges have none."""
    assert _strokes(crop_marks(A4, [0, 210], [9, 148.5, 288], 7)) == {
        (6.4, y, 11.4, y) for y in (9, 148.5, 288)
    } | {(198.6, y, 203.6, y) for y in (9, 148.5, 288)}


def test_crosses_show_where_cuts_meet_on_a_full_page() -> None:
    """Two by two sheets that fill the page have four ticks and a cross in the middle."""
    marks = crop_marks(A4, [0, 105, 210], [0, 148.5, 297], 7)
    assert len(marks) == 5
    assert bounds(marks[-1].segments) == pytest.approx(Rect(104.2, 147.7, 1.6, 1.6))


def test_trims_in_the_unprintable_border_are_not_marked() -> None:
    """A cut that runs where printers lose ink has no mark, its neighbour has."""
    marks = crop_marks(Size(215.9, 279.4), [2.95, 212.95], [0.2, 139.7, 279.2], 7)
    assert _strokes(marks) == {(6.4, 139.7, 11.4, 139.7), (204.5, 139.7, 209.5, 139.7)}


def test_no_mark_lies_on_a_cut_that_the_ink_comes_close_to() -> None:
    """Sheets with hardly any margin are marked from outside or not at all."""
    assert crop_marks(A4, [8, 105, 202], [8, 148.5, 289], 0.7) == ()
    assert len(crop_marks(A4, [9, 105, 201], [9, 148.5, 288], 0.7)) == 12


@pytest.mark.parametrize("margin", [0, 0.5, 0.8, 7])
def test_the_room_asked_for_is_enough_and_no_more(margin: float) -> None:
    """With the room on every side all cuts are marked, with a little less they are not."""
    for less, marked in ((0, True), (0.01, False)):
        spare = crop_room(margin) - less
        assert is_markable(spare, margin) is marked
        xs, ys = [spare, 210 - spare], [spare, 297 - spare]
        assert (len(crop_marks(A4, xs, ys, margin)) == 8) is marked


def test_a_sliver_needs_no_cut() -> None:
    """Two A5 count as filling an A4, though half a millimetre is left on either side."""
    assert is_markable(0.5, 7)
    assert is_markable(SLIVER, 7)
    assert not is_markable(SLIVER + 0.1, 7)
    assert not is_markable(0.5, 0)


def test_ink_of_marks_stays_in_the_printable_part() -> None:
    """Strokes with half their width keep the border of the paper free."""
    inside = Rect(0, 0, *A4).inset(PRINTABLE_INSET)
    half = CROP_PAINT.width / PT_PER_MM / 2
    for mark in crop_marks(A4, [6.45, 105, 203.55], [9, 288], 7):
        box = bounds(mark.segments)
        across = (half, 0) if box.width == 0 else (0, half)
        assert inside.contains(box.inset(-across[0], -across[1]))
