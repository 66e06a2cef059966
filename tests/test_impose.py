from __future__ import annotations

import itertools
import time
from typing import get_args

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sheetgen.errors import InputError
from sheetgen.geometry import PT_PER_MM, Affine, Point, Rect, Size
from sheetgen.impose import Duplex, Imposition, Order, Page, impose
from sheetgen.paper import PRINTABLE_INSET, parse_paper
from sheetgen.scene import bounds


def _impose(
    sheet: tuple[float, float],
    margin: float,
    paper: str,
    *,
    copies: int = 1,
    per_page: int | None = None,
    order: Order = "sequence",
    duplex: Duplex = "none",
    crop_marks: bool | None = None,
) -> Imposition:
    size = Size(*sheet)
    return impose(
        size,
        Rect(0, 0, *size).inset(margin),
        paper=parse_paper(paper),
        copies=copies,
        per_page=per_page,
        order=order,
        duplex=duplex,
        crop_marks=crop_marks,
    )


@pytest.mark.parametrize(
    ("sheet", "margin", "paper", "lies", "slots"),
    [
        ((87, 192), 6, "A4", (297, 210), 3),
        ((87, 192), 6, "Letter", (279.4, 215.9), 3),
        ((210, 139.5), 7, "A4", (210, 297), 2),
        ((210, 139.5), 7, "Letter", (215.9, 279.4), 2),
        ((139.5, 210), 7, "A4", (297, 210), 2),
        ((139.5, 210), 7, "Letter", (279.4, 215.9), 2),
        ((148, 210), 7, "A4", (297, 210), 2),
        ((210, 297), 7, "A4", (210, 297), 1),
        ((297, 210), 7, "A4", (297, 210), 1),
    ],
)
def test_common_sheets_fill_common_papers(
    sheet: tuple[float, float], margin: float, paper: str, lies: tuple[float, float], slots: int
) -> None:
    """As many sheets as fit are placed, on the paper turned the way that takes the most."""
    result = _impose(sheet, margin, paper)
    assert result.paper == pytest.approx(lies)
    assert len(result.front) == slots


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_three_slips_on_a_page_leave_room_for_all_crop_marks(paper: str) -> None:
    """87 x 192 mm sheets stand three to a page with marks outside at every trim line."""
    result = _impose((87, 192), 6, paper, crop_marks=True)
    assert len(result.front) == 3
    assert len(result.marks) == 2 * 4 + 2 * 2
    for mark in result.marks:
        assert not bounds(mark.segments).overlaps(result.trim, -0.5)


def test_marks_on_the_cuts_count_as_marks() -> None:
    """Two sheets across the whole width of an A4 are marked on their three cuts."""
    assert len(_impose((210, 139.5), 7, "A4", crop_marks=True).marks) == 6
    assert len(_impose((148, 210), 7, "A4", crop_marks=True).marks) == 2


def test_marks_are_left_out_where_they_cannot_be_printed() -> None:
    """Unless asked for, marks take no sheet's place: the same two on Letter mark one cut only."""
    result = _impose((210, 139.5), 7, "Letter")
    assert len(result.front) == 2
    assert len(result.marks) == 2


def test_marks_asked_for_take_precedence_over_the_number_of_sheets() -> None:
    """With marks demanded only arrangements count in which every cut is marked."""
    assert len(_impose((100, 142), 7, "A4").front) == 4
    assert len(_impose((100, 142), 7, "A4", crop_marks=True).front) < 4
    with pytest.raises(InputError) as caught:
        _impose((210, 139.5), 7, "Letter portrait", crop_marks=True)
    assert str(caught.value) == (
        "1 sheet of 210 x 139.5 mm with crop marks needs 222.89 x 139.5 mm,"
        " Letter offers 215.9 x 279.4 mm"
    )


def test_no_marks_when_none_are_wanted() -> None:
    """False leaves all marks out."""
    assert _impose((87, 192), 6, "A4", crop_marks=False).marks == ()


def test_a_sheet_as_large_as_the_paper_needs_no_marks() -> None:
    """A demand for marks is met where nothing is cut."""
    assert _impose((210, 297), 7, "A4", crop_marks=True).marks == ()


def test_a_single_sheet_stands_in_the_middle() -> None:
    """One sheet a page is centred, on a paper lying like the sheet."""
    result = _impose((100, 80), 5, "A4", per_page=1)
    assert result.paper == (297, 210)
    assert result.trim.center == pytest.approx((148.5, 105))
    assert result.front == (Affine.shift(98.5, 65),)


def test_equal_numbers_are_decided_by_the_way_the_sheet_lies() -> None:
    """Where both ways take as many, the paper lies like the sheet, or upright for a square."""
    assert _impose((180, 150), 7, "A4").paper == (297, 210)
    assert _impose((150, 180), 7, "A4").paper == (210, 297)
    assert _impose((180, 180), 7, "A4").paper == (210, 297)


def test_the_orientation_given_is_kept() -> None:
    """A paper said to be upright is not turned for a better fit."""
    result = _impose((87, 192), 6, "A4 portrait")
    assert result.paper == (210, 297)
    assert len(result.front) == 2


def test_a_fixed_number_stands_in_the_most_compact_grid() -> None:
    """Four sheets stand two by two, and five take three by two with a gap where five do not fit."""
    assert _impose((60, 60), 7, "A4", per_page=4).trim[2:] == (120, 120)
    assert _impose((50, 60), 7, "A4", per_page=5).trim[2:] == (250, 60)
    result = _impose((60, 80), 7, "A4", per_page=5)
    assert sorted(result.trim[2:]) == [160, 180]
    assert len(result.front) == 5


def test_a_number_that_does_not_fit_is_refused_with_both_sizes() -> None:
    """The message says what the sheets need, what the paper offers and how many fit."""
    with pytest.raises(InputError) as caught:
        _impose((87, 192), 6, "A4", per_page=4)
    assert str(caught.value) == (
        "4 sheets of 87 x 192 mm need 348.8 x 192.8 mm to keep the ink 6.4 mm inside the paper,"
        " A4 offers 210 x 297 mm or, turned, 297 x 210 mm, enough for 3"
    )


def test_a_huge_number_is_refused_at_once() -> None:
    """Nothing is tried a million times over."""
    with pytest.raises(InputError, match=r"1000000000 sheets of 60 x 60 mm need .* enough for 12"):
        _impose((60, 60), 7, "A4", per_page=10**9)


def test_a_sheet_larger_than_the_paper_is_refused_with_both_sizes() -> None:
    """The message names both sizes in mm."""
    with pytest.raises(InputError) as caught:
        _impose((210, 148), 7, "a6")
    assert str(caught.value) == (
        "the sheet is 210 x 148 mm, A6 offers 105 x 148 mm or, turned, 148 x 105 mm"
    )
    with pytest.raises(InputError, match=r"the sheet is 210 x 148 mm, A5 offers 148 x 210 mm$"):
        _impose((210, 148), 7, "a5 portrait")


def test_ink_too_close_to_the_edge_of_the_paper_is_refused() -> None:
    """A sheet that fits the paper but not with its ink is refused with what it needs."""
    with pytest.raises(InputError) as caught:
        _impose((210, 297), 5, "a4 portrait")
    assert str(caught.value) == (
        "1 sheet of 210 x 297 mm needs 212.8 x 299.8 mm to keep the ink 6.4 mm inside the paper,"
        " A4 offers 210 x 297 mm"
    )


@pytest.mark.parametrize("counts", [{"copies": 0}, {"copies": -3}, {"per_page": 0}])
def test_counts_below_one_are_refused(counts: dict[str, int]) -> None:
    """There is always a page with something on it."""
    with pytest.raises(InputError, match="at least 1 is needed"):
        _impose((60, 60), 7, "A4", **counts)  # type: ignore[arg-type]


def test_a_sequence_fills_page_after_page() -> None:
    """Copies run on from page to page, the last slots staying blank."""
    pages = _impose((87, 192), 6, "A4", copies=7).pages
    assert [page.copies for page in pages] == [(1, 2, 3), (4, 5, 6), (7, 0, 0)]


def test_stacks_lie_in_order_once_cut() -> None:
    """Each pile of a cut stack of pages counts on from the pile before."""
    pages = _impose((87, 192), 6, "A4", copies=7, order="stack").pages
    assert [page.copies for page in pages] == [(1, 4, 7), (2, 5, 0), (3, 6, 0)]


def test_backs_follow_their_fronts() -> None:
    """Each front page is followed by its back, blank where the front is blank."""
    result = _impose((139.5, 210), 7, "A4", copies=3, duplex="short")
    assert result.pages == (
        Page("front", (1, 2)),
        Page("back", (1, 2)),
        Page("front", (3, 0)),
        Page("back", (3, 0)),
    )
    assert result.duplex == "short"


@pytest.mark.parametrize(
    ("paper", "duplex", "place"),
    [
        ("A4 portrait", "long", Affine.shift(105, 48.5)),
        ("A4 landscape", "short", Affine.shift(148.5, 5)),
        ("A4 portrait", "short", Affine.half_turn(5, 148.5, Size(100, 100))),
        ("A4 landscape", "long", Affine.half_turn(48.5, 105, Size(100, 100))),
        ("200x200", "long", Affine.shift(100, 0)),
        ("200x200", "short", Affine.half_turn(0, 100, Size(100, 100))),
    ],
)
def test_a_back_is_mirrored_for_the_flip(paper: str, duplex: Duplex, place: Affine) -> None:
    """The back of the first of four sheets is upright or on its head, as the paper turns."""
    result = _impose((100, 100), 7, paper, per_page=4, duplex=duplex)
    assert result.front[0][4:] in {(5, 48.5), (48.5, 5), (0, 0)}
    assert result.back[0] == pytest.approx(place)


def test_ten_thousand_copies_are_quick() -> None:
    """Even with one sheet a page and backs the pages are laid out in a blink."""
    best = 1.0
    for _ in range(5):
        start = time.perf_counter()
        result = _impose((200, 280), 7, "A4", copies=10_000, order="stack", duplex="long")
        best = min(best, time.perf_counter() - start)
    assert len(result.pages) == 20_000
    assert best < 0.1


SIDES = st.floats(40, 300).map(lambda side: round(side, 1))
MARGINS = st.sampled_from([0, 0.5, 0.8, 3, 6, 7, 12])
NAMES = ["A3", "A4", "A5", "Letter", "Legal", "200x200", "A4 portrait", "letter landscape"]


@st.composite
def impositions(draw: st.DrawFn) -> tuple[Imposition, Rect, int]:
    """Return what fits of all sheets, papers and wishes, with the sheet's ink and the copies."""
    sheet = Size(draw(SIDES), draw(SIDES))
    left, top = draw(MARGINS), draw(MARGINS)
    ink = Rect(left, top, sheet.width - left - draw(MARGINS), sheet.height - top - draw(MARGINS))
    name = draw(st.sampled_from(NAMES))
    copies = draw(st.integers(1, 60))
    try:
        result = impose(
            sheet,
            ink,
            paper=parse_paper(name),
            copies=copies,
            per_page=draw(st.none() | st.integers(1, 9)),
            order=draw(st.sampled_from(get_args(Order))),
            duplex=draw(st.sampled_from(get_args(Duplex))),
            crop_marks=draw(st.sampled_from([True, None, False])),
        )
    except InputError:
        assume(False)
        raise
    return result, ink, copies


@given(impositions())
def test_sheets_keep_apart_and_on_the_paper(drawn: tuple[Imposition, Rect, int]) -> None:
    """Trims never overlap nor leave the paper, ink keeps its distance, the trim is around all."""
    result, ink, _ = drawn
    paper = Rect(0, 0, *result.paper)
    for places in filter(None, (result.front, result.back)):
        trims = [place.rect(Rect(0, 0, *result.sheet)) for place in places]
        assert all(result.trim.contains(trim) for trim in trims)
        assert not any(one.overlaps(other) for one, other in itertools.combinations(trims, 2))
        assert all(paper.inset(PRINTABLE_INSET).contains(place.rect(ink)) for place in places)
    assert paper.contains(result.trim)
    assert result.trim.center == pytest.approx(paper.center)


@given(impositions())
def test_every_copy_comes_once_and_no_page_is_blank(drawn: tuple[Imposition, Rect, int]) -> None:
    """On either side the copies 1 to N come exactly once, and a back matches its front."""
    result, _, copies = drawn
    fronts = [page.copies for page in result.pages if page.side == "front"]
    backs = [page.copies for page in result.pages if page.side == "back"]
    assert backs == ([] if result.duplex == "none" else fronts)
    numbers = sorted(itertools.chain(*fronts))
    assert [number for number in numbers if number] == list(range(1, copies + 1))
    assert all(any(page) and len(page) == len(result.front) for page in fronts)


@given(impositions())
def test_marks_are_printable_and_off_the_ink(drawn: tuple[Imposition, Rect, int]) -> None:
    """The strokes of all marks lie in the printable part and on no sheet's ink."""
    result, ink, _ = drawn
    printable = Rect(0, 0, *result.paper).inset(PRINTABLE_INSET)
    inks = [place.rect(ink) for place in result.front]
    for mark in result.marks:
        half = mark.paint.width / PT_PER_MM / 2
        for start in range(0, len(mark.segments), 2):
            box = bounds(mark.segments[start : start + 2])
            stroke = box.inset(-half, 0) if box.width == 0 else box.inset(0, -half)
            assert printable.contains(stroke)
            assert not any(stroke.overlaps(other) for other in inks)


@given(SIDES, SIDES, MARGINS, st.sampled_from(NAMES))
def test_marks_are_complete_on_demand_and_else_cost_nothing(
    width: float, height: float, margin: float, name: str
) -> None:
    """Demanded marks show both ends of every cut, optional ones never reduce the sheets."""
    sheet = (width, height)
    try:
        result = _impose(sheet, margin, name, crop_marks=True)
    except InputError:
        assume(False)
    cuts = set()
    for x, y in (place[4:] for place in result.front):
        cuts |= {("x", round(at, 4)) for at in (x, x + width) if 1 < at < result.paper.width - 1}
        cuts |= {("y", round(at, 4)) for at in (y, y + height) if 1 < at < result.paper.height - 1}
    strokes = [bounds(mark.segments) for mark in result.marks if len(mark.segments) == 2]
    marked = [("y", round(b.y, 4)) if b.height == 0 else ("x", round(b.x, 4)) for b in strokes]
    assert sorted(marked) == sorted([*cuts, *cuts])
    optional = len(_impose(sheet, margin, name).front)
    assert len(result.front) <= optional
    assert optional == len(_impose(sheet, margin, name, crop_marks=False).front)


@given(st.integers(1, 60), st.integers(1, 6))
def test_a_cut_stack_is_in_order(copies: int, per_page: int) -> None:
    """Pile laid upon pile, the copies count up, blanks coming last in each pile."""
    result = _impose((60, 60), 7, "A4", copies=copies, per_page=per_page, order="stack")
    piles = zip(*(page.copies for page in result.pages), strict=True)
    assert [copy for pile in piles for copy in pile if copy] == list(range(1, copies + 1))


@given(impositions())
def test_a_back_lies_behind_its_front(drawn: tuple[Imposition, Rect, int]) -> None:
    """On the turned paper a back's left corners lie behind the front's right corners."""
    result, _, _ = drawn
    assume(result.duplex != "none")
    width, height = result.paper
    long_is_vertical = width <= height
    about_vertical = long_is_vertical if result.duplex == "long" else not long_is_vertical

    def turn(point: Point) -> Point:
        x, y = point
        return Point(width - x, y) if about_vertical else Point(x, height - y)

    w, h = result.sheet
    for front, back in zip(result.front, result.back, strict=True):
        for corner, behind in (((0, 0), (w, 0)), ((0, h), (w, h)), ((w, h), (0, h))):
            seen = turn(back.point(Point(*corner)))
            assert seen == pytest.approx(front.point(Point(*behind)), abs=1e-6)


@given(st.sampled_from(get_args(Duplex)), st.integers(1, 50))
def test_one_sheet_a_page_needs_no_order(duplex: Duplex, copies: int) -> None:
    """With a single slot, sequence and stack are the same."""
    results = [
        _impose((90, 130), 7, "A4", copies=copies, per_page=1, duplex=duplex, order=order)
        for order in get_args(Order)
    ]
    assert results[0] == results[1]
