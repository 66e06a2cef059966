"""Pages of dice: nets to fold, labels for blank dice, and the page to measure with."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path as File

import pytest

sys.path.insert(0, str(File(__file__).parent / "dice"))

from described import FOLDER, PAGES, describe
from made import (
    NAMES,
    STOCKS,
    TESTS,
    around,
    centroid,
    depth,
    half_width,
    labels,
    middle,
    nets,
    only,
    outline,
    paths,
    picture,
    texts,
    variant,
)

from sheetgen import workshop
from sheetgen.errors import InputError
from sheetgen.geometry import Point, Rect
from sheetgen.layout.nets import LARGEST, SMALLEST, TAB, USUAL_SIZES, _net_sizes
from sheetgen.model import Die
from sheetgen.paper import PRINTABLE_INSET, parse_paper
from sheetgen.prepare import INKS, Choices
from sheetgen.scene import Item, Path, Scene, Text
from sheetgen.solids import SOLIDS, Net, net
from sheetgen.stocks import Stock
from sheetgen.theme import PAPER
from sheetgen.workshop import Dice, LabelChoices

MM = 0.01
THINNEST = 0.25  # pt
LEAST_TYPE = 7.0  # pt

each_name = pytest.mark.parametrize("name", NAMES)
each_ink = pytest.mark.parametrize("ink", INKS)
SOME = ("OL2050", "OL1575", "8167", "L4730", "4606", "6500012", "1414K", "OP3017")
each_stock = pytest.mark.parametrize("stock", STOCKS)


def _printable(page: Scene) -> Rect:
    return Rect(0, 0, *page.size).inset(PRINTABLE_INSET)


def _made(name: str) -> list[tuple[int, str, int]]:
    """Return number, kind and faces of every die of a set."""
    dice = [die for die in variant(name).dice.values() for _ in range(die.count)]
    return [(number, die.kind, len(die.faces)) for number, die in enumerate(dice, 1)]


def _sensible(dice: Dice) -> None:
    """Assert what holds on every page: lines wide enough, type large enough."""
    for page in dice.pages:
        for item in page.items:
            if isinstance(item, Path) and item.paint.stroke:
                assert item.paint.width >= THINNEST, item
            if isinstance(item, Text):
                assert item.size >= LEAST_TYPE - 1e-9 or item.role == "die", item


# -- labels ---------------------------------------------------------------------------------------


def _inside(stock: Stock, label: Rect, item: Item) -> bool:
    """Whether all ink of an item lies within a label's outline."""
    half = half_width(item)
    if stock.shape == "round":
        radius = label.width / 2 - half + 1e-6
        return all(math.dist(point, label.center) <= radius for point in outline(item))
    return label.contains(around(item))


def _off(stock: Stock, label: Rect, item: Item) -> bool:
    """Whether no ink of an upright item touches a label."""
    rect = around(item)
    if stock.shape == "square":
        return not label.overlaps(rect, tolerance=0)
    x = min(max(label.center.x, rect.x), rect.right)
    y = min(max(label.center.y, rect.y), rect.bottom)
    return math.dist((x, y), label.center) >= label.width / 2


def _used(dice: Dice, places: int, start: int, faces: int) -> list[range]:
    """Return the indices of the labels that are used, page by page."""
    used, left = [], faces
    for page in range(len(dice.pages)):
        first = start - 1 if page == 0 else 0
        count = min(places - first, left)
        used.append(range(first, first + count))
        left -= count
    assert left == 0
    return used


def _check_labels(dice: Dice, stock: Stock, places: Sequence[Rect], start: int, faces: int) -> None:
    """Assert that ink lies on the used labels or, for a die's number, between labels."""
    for page, used in zip(dice.pages, _used(dice, len(places), start, faces), strict=True):
        inked: Counter[int] = Counter()
        for item in page.items:
            center = middle(item)
            found = [k for k in used if places[k].contains(Rect(*center, 0, 0))]
            if not found:
                assert item.role == "number", item
                assert all(_off(stock, place, item) for place in places), item
                assert _printable(page).contains(around(item)), item
                continue
            assert _inside(stock, places[found[0]], item), (found[0] + 1, item)
            inked[found[0]] += item.role == "face"
        assert set(inked) == set(used)
        assert min(inked.values()) >= 1


@pytest.mark.parametrize(
    ("stock", "name"),
    [
        *((stock, name) for stock in STOCKS for name in ("keldice", "solids")),
        *((stock, name) for stock in ("OL2050", "6500012") for name in NAMES[1:3]),
    ],
)
def test_ink_stays_on_its_label(stock: str, name: str) -> None:
    """On every stock all ink of a label lies within it, and unused labels stay empty."""
    found = STOCKS[stock]
    places = found.labels()
    faces = sum(count for _, _, count in _made(name))
    start = max(1, len(places) - 7)
    dice = labels(name, LabelChoices(stock=stock, start=start), sets=2)
    _check_labels(dice, found, places, start, 2 * faces)
    _sensible(dice)


@each_ink
@pytest.mark.parametrize("stock", ["OL2050", "6500012", "L4730", "OP3017", "8167", "5293"])
def test_ink_stays_on_its_label_in_every_ink_and_language(stock: str, ink: str) -> None:
    """Long letters such as Ge stay inside small labels, in every ink mode."""
    for language in ("fr", "de"):
        for name in ("keldice", "solids"):
            faces = sum(count for _, _, count in _made(name))
            choices = LabelChoices(stock=stock)
            dice = labels(name, choices, ink=ink, language=language)
            _check_labels(dice, STOCKS[stock], STOCKS[stock].labels(), 1, faces)
            _sensible(dice)


@each_stock
def test_every_die_has_its_number(stock: str) -> None:
    """A die's number stands beside its first label, in a gap, or in a corner of its first face."""
    for name in ("keldice", "yacht"):
        dice = labels(name, LabelChoices(stock=stock))
        found = [text.string for page in dice.pages for text in texts(page, "number")]
        assert found == [str(number) for number, _, _ in _made(name)], name


TIGHT = """
tight:
  {{title: Tight, page: A4, label: {0}x{0}, count: 10x10, left: 10, top: 10, pitch: {0}x{0},
   source: none}}
"""


@pytest.mark.parametrize(("side", "found"), [(9, []), (18, ["1"])])
def test_numbers_never_harm_a_face(
    side: int, found: list[str], tmp_path: File, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without gaps a number goes into a free corner of the face; among six pips there is none."""
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "stocks.yaml").write_text(TIGHT.format(side), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    game = only("d6")
    die = game.dice["d6"]
    turned = Die(kind="d6", pips=True, faces=tuple(reversed(die.faces)))
    monkeypatch.setitem(game.dice, "d6", turned)
    dice = workshop.labels(game, Choices(), 1, LabelChoices(stock="tight"), None)
    numbers = texts(dice.pages[0], "number")
    assert [text.string for text in numbers] == found
    pips = [around(path) for path in paths(dice.pages[0], "face") if around(path).width < side / 4]
    assert len(pips) == 21
    assert not any(around(text).overlaps(pip) for text in numbers for pip in pips)


@pytest.mark.parametrize("stock", SOME)
def test_what_is_on_a_label_keeps_apart(stock: str) -> None:
    """Numbers, letters and symbols of a face do not touch each other, in any language."""
    for name in ("keldice", "solids"):
        dice = labels(name, LabelChoices(stock=stock), language="de")
        for page in dice.pages:
            _keep_apart(page)


def _keep_apart(page: Scene) -> None:
    words = [(text, around(text)) for text in texts(page, "die", "face_letter", "number")]
    signs = [(path, around(path)) for path in paths(page, "symbol")]
    for (one, a), (two, b) in combinations(words, 2):
        assert not a.overlaps(b, 0), (one, two)
    for word, a in words:
        for sign, b in signs:
            assert not a.overlaps(b, 0), (word, sign)


@pytest.mark.parametrize("size", [6, 8, 10, 14])
@pytest.mark.parametrize("round_", [False, True])
def test_faces_keep_apart_at_every_size(size: float, round_: bool) -> None:
    """A face's ink does not touch itself on the smallest label either."""
    for name in ("keldice", "solids", "lostcities-rollwrite"):
        for language in ("en", "de"):
            dice = labels(name, LabelChoices(size=size, round=round_), language=language)
            for page in dice.pages:
                _keep_apart(page)


def test_start_uses_up_a_sheet() -> None:
    """Labels begin at the one asked for; the second page begins at label 1."""
    stock = STOCKS["OL6300"]
    places = stock.labels()
    dice = labels("yacht", LabelChoices(stock="OL6300", start=22))
    assert len(dice.pages) == 3
    pages = [[middle(path) for path in paths(page, "face")] for page in dice.pages]
    assert pages[0][0] == pytest.approx(places[21].center)
    assert pages[1][0] == pytest.approx(places[0].center)
    assert not [at for at in pages[0] if at.y < places[20].y]


@pytest.mark.parametrize("start", [0, -1, 25, 1000])
def test_start_beyond_the_sheet_is_refused(start: int) -> None:
    """The message names the option and the labels that a page has."""
    with pytest.raises(InputError) as caught:
        labels("yacht", LabelChoices(stock="OL6300", start=start))
    assert str(caught.value) == f"--start: found {start}, a page has labels 1 to 24"


def test_offset_moves_all_ink() -> None:
    """An offset moves every item by itself, and nothing else changes."""
    offset = Point(0.8, -0.6)
    plain = labels("keldice", LabelChoices(stock="L7654", start=5))
    moved = labels("keldice", LabelChoices(stock="L7654", start=5, offset=offset))
    for one, two in zip(plain.pages[0].items, moved.pages[0].items, strict=True):
        a, b = around(one), around(two)
        assert (b.x - a.x, b.y - a.y) == pytest.approx(offset, abs=1e-6)
        assert (b.width, b.height) == pytest.approx((a.width, a.height))


def test_stretch_scales_the_pitch() -> None:
    """A pitch scale multiplies the distance of labels, and no label's ink changes its size."""
    plain = labels("yacht", LabelChoices(stock="6502020", start=2))
    wide = labels("yacht", LabelChoices(stock="6502020", start=2, stretch=1.004))
    stock = STOCKS["6502020"]
    corner = stock.labels()[0].center
    for one, two in zip(paths(plain.pages[0], "face"), paths(wide.pages[0], "face"), strict=True):
        a, b = around(one), around(two)
        assert (b.width, b.height) == pytest.approx((a.width, a.height))
    fronts = [
        [path for path in paths(dice.pages[0], "face") if around(path).width > 15]
        for dice in (plain, wide)
    ]
    for one, two in zip(*fronts, strict=True):
        assert middle(two).x - corner.x == pytest.approx((middle(one).x - corner.x) * 1.004)
        assert middle(two).y - corner.y == pytest.approx((middle(one).y - corner.y) * 1.004)


@pytest.mark.parametrize(
    ("offset", "stretch"), [(Point(-10, 0), 1.0), (Point(0, 40), 1.0), (Point(0, 0), 1.2)]
)
def test_labels_off_the_page_are_refused(offset: Point, stretch: float) -> None:
    """An offset or a scale that pushes labels off the paper is an error that says both."""
    with pytest.raises(InputError, match=r"--offset: an offset of .* the page is 215.9 x 279.4 mm"):
        labels("yacht", LabelChoices(stock="OL2050", offset=offset, stretch=stretch))


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        (
            LabelChoices(stock="OL2050", size=13),
            "a square label of 13 mm, the labels of Online Labels OL2050 are square, 12.7 x 12.7 mm",  # noqa: E501
        ),
        (
            LabelChoices(stock="L4730", size=12),
            "a square label of 12 mm, the labels of Avery L4730 are square, 17.8 x 10 mm",
        ),
        (
            LabelChoices(stock="6500012", size=12.5),
            "a round label of 12.5 mm, the labels of Endisch 6500012x are round, 12 x 12 mm",
        ),
        (
            LabelChoices(stock="6500020", size=15, round=False),
            "a square label of 15 mm, the labels of Endisch 6500020x are round, 20 x 20 mm",
        ),
        (LabelChoices(stock="OL2050", size=5), "found 5 mm, allowed are 6 to 60 mm"),
        (LabelChoices(size=61), "found 61 mm, allowed are 6 to 60 mm"),
    ],
)
def test_labels_that_do_not_fit_are_refused(choices: LabelChoices, expected: str) -> None:
    """A label larger than its stock, or no label at all, is an error with both sizes."""
    with pytest.raises(InputError) as caught:
        labels("yacht", choices)
    assert str(caught.value) == f"--size: {expected}"


@pytest.mark.parametrize(("size", "stock"), [(12.7, "OL2050"), (12, "6500012"), (10, "L4730")])
def test_labels_may_fill_their_stock(size: float, stock: str) -> None:
    """A label of exactly the stock's size fits."""
    assert labels("yacht", LabelChoices(stock=stock, size=size)).made == 5


def test_squares_fit_into_round_labels() -> None:
    """Square faces on round labels are as large as the circle allows."""
    dice = labels("yacht", LabelChoices(stock="6500020", round=False))
    places = STOCKS["6500020"].labels()
    _check_labels(dice, STOCKS["6500020"], places, 1, 30)
    with pytest.raises(InputError):
        labels("yacht", LabelChoices(stock="6500020", round=False, size=14.2))
    assert labels("yacht", LabelChoices(stock="6500020", round=False, size=14.1)).made == 5


def test_size_and_radius_shape_the_ink() -> None:
    """The face's outline is the size less half a millimetre on each side, its corners as asked."""
    for radius in (0.0, 2.0):
        dice = labels("yacht", LabelChoices(stock="OL3008", size=14, radius=radius))
        ground = paths(dice.pages[0], "face")[0]
        rect = around(ground).inset(half_width(ground))
        assert (rect.width, rect.height) == pytest.approx((13, 13))
        assert rect.center == pytest.approx(STOCKS["OL3008"].labels()[0].center)
        first = ground.segments[0]
        assert float(first[1]) - rect.x == pytest.approx(radius)


def test_wide_labels_say_where_to_cut() -> None:
    """A label much larger than its face has a line to cut along; one that fits has none."""
    page = labels("yacht", LabelChoices(stock="8167")).pages[0]
    cuts = [around(path).inset(half_width(path)) for path in paths(page, "cut")]
    assert len(cuts) == 60
    for left, right in zip(cuts[0::2], cuts[1::2], strict=True):
        assert right.x - left.x == pytest.approx(12.7)
    assert not paths(labels("yacht", LabelChoices(stock="OL2050")).pages[0], "cut")


@pytest.mark.parametrize("paper", ["Letter", "A6 landscape", "70x100"])
@pytest.mark.parametrize("size", [6, 19.05])
@pytest.mark.parametrize("round_", [False, True])
def test_plain_paper_has_outlines_to_cut(paper: str, size: float, round_: bool) -> None:
    """Every label has its outline of the size asked for, inside the paper's printable part."""
    dice = labels("lostdice", LabelChoices(size=size, round=round_), paper=paper)
    cuts = []
    for page in dice.pages:
        for item in page.items:
            assert _printable(page).contains(around(item)), item
        closed = [path for path in paths(page, "cut") if len(path.segments) > 2]
        cuts += [around(path).inset(half_width(path)) for path in closed]
        for one, two in combinations([around(path) for path in closed], 2):
            assert not one.overlaps(two)
        for text in texts(page, "number"):
            assert not any(around(text).overlaps(around(path)) for path in closed)
    assert len(cuts) == 18
    for rect in cuts:
        assert (rect.width, rect.height) == pytest.approx((size, size), abs=MM)


def test_plain_paper_lies_as_it_needs_fewest_pages() -> None:
    """Of upright and turned the one with fewer pages is taken, unless the user says how."""
    upright = labels("lostdice", LabelChoices(size=40), sets=3, paper="A5 portrait")
    turned = labels("lostdice", LabelChoices(size=40), sets=3, paper="A5 landscape")
    free = labels("lostdice", LabelChoices(size=40), sets=3, paper="A5")
    assert len(free.pages) == min(len(upright.pages), len(turned.pages))


def test_plain_paper_too_small_for_a_label_is_refused() -> None:
    """The message has the label's size and the room on the paper."""
    with pytest.raises(InputError) as caught:
        labels("lostdice", LabelChoices(size=60), paper="A7")
    assert str(caught.value).startswith("--size: a label of 60 x 60 mm, the page has room for ")


def test_offset_needs_a_stock() -> None:
    """What fits ink to labels has no meaning on plain paper."""
    with pytest.raises(InputError, match="plain paper is cut along its lines"):
        labels("yacht", LabelChoices(offset=Point(1, 0)))


def test_stock_and_paper_must_agree() -> None:
    """A stock is printed on its own page, however that is written."""
    assert labels("yacht", LabelChoices(stock="OL2050"), paper="215.9x279.4mm").made == 5
    with pytest.raises(InputError, match=r"--paper: found A4 with the stock .* its page is Letter"):
        labels("yacht", LabelChoices(stock="OL2050"), paper="A4")


def test_faces_are_grouped_by_die() -> None:
    """Faces stand in the order of the file, die after die, set after set."""
    dice = labels("solids", LabelChoices(stock="6502015"), sets=2)
    values = [text.string for page in dice.pages for text in texts(page, "die")]
    one = [f.value for d in variant("solids").dice.values() for f in d.faces]
    numbers = [str(v) for v in one[:4]] + [str(v) for v in one[10:] if str(v) != "$"]
    assert values == numbers * 2


# -- nets -----------------------------------------------------------------------------------------


def _kinds(page: Scene) -> list[Rect]:
    """Return the rectangle around each net: what lies above a caption, by its cuts and tabs."""
    groups: list[list[Item]] = [[]]
    for item in page.items:
        if item.role in ("label", "title"):
            groups.append([])
        elif item.role in ("face", "glue", "cut", "fold", "number", "die", "face_letter", "symbol"):
            groups[-1].append(item)
    nets_ = [group for group in groups if any(item.role == "glue" for item in group)]
    found = []
    for group in nets_:
        rect = around(group[0])
        for item in group:
            rect = rect.union(around(item))
        found.append(rect)
    return found


@each_name
@pytest.mark.parametrize("paper", ["Letter", "A4 landscape"])
def test_nets_stay_inside_and_apart(name: str, paper: str) -> None:
    """All ink lies in the printable part, nets keep off each other, and every die is made."""
    dice = nets(name, sets=2, paper=paper)
    captions: list[str] = []
    for page in dice.pages:
        for item in page.items:
            assert _printable(page).contains(around(item)), item
        rects = _kinds(page)
        for one, two in combinations(rects, 2):
            assert not one.inset(-1).overlaps(two), (one, two)
        for caption in texts(page, "label"):
            assert not any(rect.overlaps(around(caption)) for rect in rects), caption
        captions += [caption.string for caption in texts(page, "label")]
        assert len(rects) == len(texts(page, "label"))
    assert sorted(captions) == sorted(2 * [str(number) for number, _, _ in _made(name)])
    assert dice.made == len(captions)
    assert all(page.size == dice.paper for page in dice.pages)
    _sensible(dice)


def test_sets_stay_together() -> None:
    """All dice of a set come before those of the next, page after page."""
    dice = nets("solids", sets=3)
    captions = [text.string for page in dice.pages for text in texts(page, "label")]
    for first in range(0, 18, 6):
        assert sorted(captions[first : first + 6]) == list("123456")


@pytest.mark.parametrize(
    ("name", "paper", "pages"),
    [
        ("lostdice", "A4", 1),
        ("keldice", "Letter", 1),
        ("yacht", "A4", 1),
        ("lostcities-rollwrite", "A4", 1),
        ("solids", "A4", 1),
        ("solids", "A4 landscape", 2),
    ],
)
def test_a_set_needs_few_pages(name: str, paper: str, pages: int) -> None:
    """The dice of one game fit on one page of office paper, those of every kind too."""
    assert len(nets(name, paper=paper).pages) == pages


@pytest.mark.parametrize("name", ["lostcities-rollwrite", "lostdice"])
def test_the_better_way_to_lay_the_paper_is_taken(name: str) -> None:
    """As many pages as the better of upright and turned, for several sets."""
    for sets in (1, 4):
        upright = len(nets(name, sets=sets, paper="A4 portrait").pages)
        turned = len(nets(name, sets=sets, paper="A4 landscape").pages)
        assert len(nets(name, sets=sets).pages) == min(upright, turned)


@pytest.mark.parametrize("size", [9.9, 80.1])
def test_sizes_out_of_range_are_refused(size: float) -> None:
    """The message names the option and what a d6 of paper may measure."""
    with pytest.raises(InputError) as caught:
        nets("yacht", size=size)
    assert str(caught.value) == f"--size: found {size:g} mm, a d6 of paper may have 10 to 80 mm"


def test_other_kinds_follow_the_d6() -> None:
    """In a set of several kinds the size is the d6's; the others keep their proportion, or fold."""
    assert _net_sizes(["d6", "d10"], 30) == {"d6": 30, "d10": 42}
    assert _net_sizes(["d10", "d6"], 10) == {"d10": 22, "d6": 10}
    assert _net_sizes(["d10", "d8"], 56) == {"d10": 56, "d8": 48}


def test_too_many_dice_are_refused() -> None:
    """Thousands of dice are refused before anything is drawn."""
    with pytest.raises(InputError, match="500 sets of 6 dice, at most 600 dice"):
        nets("lostcities-rollwrite", sets=500)


@pytest.mark.parametrize(
    ("size", "paper", "expected"),
    [
        (80, "A4", "240 x 326 mm, the page has room for 196 x 251 mm or, turned, 283 x 164 mm"),
        (66, "A4 portrait", "198 x 270 mm, the page has room for 196 x 251 mm"),
        (20, "50x60", "60 x 86 mm, the page has room for 36 x 0 mm"),
    ],
)
def test_paper_too_small_for_a_net_is_refused(size: float, paper: str, expected: str) -> None:
    """The message has the net's size, the room on the paper and what to do."""
    with pytest.raises(InputError) as caught:
        nets("yacht", size=size, paper=paper)
    advice = "give a smaller --size or a larger --paper"
    assert str(caught.value) == f"the net of a d6 is {expected}; {advice}"


def test_the_largest_net_that_fits_is_made() -> None:
    """A d6 of 61 mm fits A4 upright and one of 62 mm does not; the larger one needs A3."""
    assert nets("yacht", size=61).paper == (210, 297)
    assert len(nets("yacht", size=61).pages) == 5
    with pytest.raises(InputError):
        nets("yacht", size=62)
    assert nets("yacht", size=62, paper="A3").made == 5


@pytest.mark.parametrize("paper", ["A6", "90x130", "A5 landscape"])
@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_small_papers_have_their_foot(paper: str, language: str) -> None:
    """Nets of 10 mm fit small papers; the notes below them take rows of their own."""
    dice = nets("lostdice", size=10, paper=paper, language=language)
    for page in dice.pages:
        for item in page.items:
            assert _printable(page).contains(around(item)), item
        hints = [around(text) for text in texts(page, "hint")]
        assert len(hints) >= 6
        for one, two in combinations(hints, 2):
            assert not one.overlaps(two)
        for rect in _kinds(page):
            assert not any(rect.overlaps(hint) for hint in hints)


@each_ink
def test_lines_differ_without_colour(ink: str) -> None:
    """Cut lines are heavy, tabs fine, both solid; folds are dashed; the foot shows all three."""
    page = nets("lostdice", ink=ink).pages[0]
    looks = {
        role: {(path.paint.width, path.paint.dash) for path in paths(page, role)}
        for role in ("glue", "fold")
    }
    net_cuts = {(p.paint.width, p.paint.dash) for p in paths(page, "cut")}
    ((tab_width, tab_dash),) = looks["glue"]
    ((_, fold_dash),) = looks["fold"]
    cut_width = max(width for width, _ in net_cuts)
    assert (tab_dash, {dash for _, dash in net_cuts}) == ((), {()})
    assert len(fold_dash) >= 2
    assert cut_width >= 1.5 * tab_width
    words = [text.string for text in texts(page, "hint")]
    assert words[:3] == ["cut", "tab", "fold back"]


# -- faces of nets --------------------------------------------------------------------------------


def _one(kind: str, size: float, ink: str = "full") -> tuple[Scene, Net, Point]:
    """Lay out the one die of a kind; return the page, its net and where that lies."""
    made = workshop.nets(only(kind), Choices(ink=ink), 1, size, parse_paper("A2"))
    page, shape = made.pages[0], net(kind, size, TAB)
    first, own = outline(paths(page, "glue")[0])[0], shape.joints[0].tab[0]
    return page, shape, Point(first.x - own.x, first.y - own.y)


@pytest.mark.parametrize("kind", SOLIDS)
@pytest.mark.parametrize("extreme", ["smallest", "usual", "large"])
def test_ink_keeps_off_the_folds(kind: str, extreme: str) -> None:
    """Whatever is printed on a face lies inside it, clear of its edges."""
    size = {"smallest": SMALLEST[kind], "usual": USUAL_SIZES[kind], "large": 50.0}[extreme]
    page, shape, at = _one(kind, size)
    faces = [tuple(Point(p.x + at.x, p.y + at.y) for p in face) for face in shape.faces]
    seen: Counter[int] = Counter()
    for item in page.items:
        if item.role in ("face", "symbol", "die", "face_letter"):
            index = max(range(len(faces)), key=lambda i: depth(faces[i], centroid(item)))
            clear = min(depth(faces[index], point) for point in outline(item)) - half_width(item)
            assert clear >= 0.3, (index, item)
            seen[index] += 1
    assert set(seen) == set(range(len(faces)))


@pytest.mark.parametrize("kind", ["d10", "d12", "d20"])
def test_numbers_stand_upright_in_the_middle(kind: str) -> None:
    """Each number is centred in its face and upright towards the face's first corner."""
    page, shape, at = _one(kind, USUAL_SIZES[kind])
    numbers = texts(page, "die")
    assert len(numbers) == len(shape.faces)
    for index, text in enumerate(numbers):
        face = [Point(p.x + at.x, p.y + at.y) for p in shape.faces[index]]
        assert text.string == only(kind).dice[kind].faces[index].value
        up = Point(-math.sin(math.radians(text.angle)), -math.cos(math.radians(text.angle)))
        center = centroid(text)
        tip = face[0]
        reach = math.dist(center, tip)
        cos = (up.x * (tip.x - center.x) + up.y * (tip.y - center.y)) / reach
        assert cos > 0.999, (index, text)
        depths = sorted(
            abs((b.x - a.x) * (center.y - a.y) - (b.y - a.y) * (center.x - a.x)) / math.dist(a, b)
            for a, b in zip(face, (*face[1:], face[0]), strict=True)
        )
        assert depths[-1] - depths[0] < 0.15 * depths[0], (index, depths)


def test_d6_faces_have_their_top_at_an_edge() -> None:
    """Every number of a d6 is upright towards the edge between the face's first two corners."""
    page, shape = nets("lostdice").pages[0], net("d6", USUAL_SIZES["d6"], TAB)
    first, own = outline(paths(page, "glue")[0])[0], shape.joints[0].tab[0]
    at = Point(first.x - own.x, first.y - own.y)
    faces = [tuple(Point(p.x + at.x, p.y + at.y) for p in face) for face in shape.faces]
    numbers = texts(page, "die")
    for value, face in zip("54132", faces[1:], strict=True):
        (text,) = (text for text in numbers if depth(face, centroid(text)) > 0)
        assert text.string == value
        edge = Point((face[0].x + face[1].x) / 2, (face[0].y + face[1].y) / 2)
        middle_ = Point(sum(p.x for p in face) / 4, sum(p.y for p in face) / 4)
        up = Point(-math.sin(math.radians(text.angle)), -math.cos(math.radians(text.angle)))
        reach = (edge.x - middle_.x) * up.x + (edge.y - middle_.y) * up.y
        assert reach == pytest.approx(USUAL_SIZES["d6"] / 2)


def test_d4_shows_the_result_at_the_upper_corner() -> None:
    """At a corner stands the result of the face that lies below when this corner points up."""
    page, shape, at = _one("d4", 28)
    solid = SOLIDS["d4"]
    numbers = texts(page, "die")
    assert len(numbers) == 12
    for face in range(4):
        polygon = [Point(p.x + at.x, p.y + at.y) for p in shape.faces[face]]
        mine = [text for text in numbers if depth(tuple(polygon), centroid(text)) > 0]
        assert len(mine) == 3
        for text in mine:
            center = centroid(text)
            near = min(range(3), key=lambda i: math.dist(polygon[i], center))
            corner = solid.faces[face][near]
            below = next(i for i, loop in enumerate(solid.faces) if corner not in loop)
            assert text.string == str(below + 1)
            up = Point(-math.sin(math.radians(text.angle)), -math.cos(math.radians(text.angle)))
            way = Point(polygon[near].x - center.x, polygon[near].y - center.y)
            assert (up.x * way.x + up.y * way.y) / math.hypot(*way) > 0.99


@pytest.mark.parametrize("kind", SOLIDS)
@pytest.mark.parametrize("extreme", [True, False])
def test_tab_letters_lie_on_their_tabs(kind: str, extreme: bool) -> None:
    """Every tab has its letter inside, in the middle of its depth, at a size that can be read."""
    size = SMALLEST[kind] if extreme else USUAL_SIZES[kind]
    page, shape, at = _one(kind, size)
    letters = texts(page, "number")
    assert [text.string for text in letters] == [joint.letter for joint in shape.joints]
    for text, joint in zip(letters, shape.joints, strict=True):
        tab = tuple(Point(p.x + at.x, p.y + at.y) for p in joint.tab)
        assert min(depth(tab, point) for point in outline(text)) >= 0.15, joint
        assert text.size >= LEAST_TYPE


@pytest.mark.parametrize("kind", ["d10", "d12", "d20"])
def test_underlines_tell_six_from_nine(kind: str) -> None:
    """6 and 9 are underlined on dice that have both, and 0, 8, 10, 16 and 19 are not."""
    page, _, _ = _one(kind, USUAL_SIZES[kind])
    bars = [p for p in paths(page, "face") if p.paint.fill and not p.paint.stroke]
    marked = [
        min(texts(page, "die"), key=lambda t: math.dist(centroid(t), centroid(b))) for b in bars
    ]
    assert sorted(text.string for text in marked) == ["6", "9"]


def test_lone_sixes_are_not_underlined() -> None:
    """A d6 has no 9, so that its 6 needs no line; Lost Dice has neither."""
    page = labels("lostdice", LabelChoices(stock="OL2050")).pages[0]
    bars = [p for p in paths(page, "face") if p.paint.fill and not p.paint.stroke]
    assert len(bars) == 3, "the three black faces"


# -- ink ------------------------------------------------------------------------------------------


def test_black_faces_are_white_on_black() -> None:
    """A face without colour on a coloured die is black with white ink, and outlined to save ink."""
    full = labels("lostdice", LabelChoices(stock="OL2050"))
    black = paths(full.pages[0], "face")[0]
    assert black.paint.fill == full.style.colour("ink")
    assert {path.paint.stroke for path in paths(full.pages[0], "symbol")[:2]} == {PAPER}
    low = labels("lostdice", LabelChoices(stock="OL2050"), ink="low")
    saved = paths(low.pages[0], "face")[0]
    assert saved.paint.fill == PAPER
    assert saved.paint.stroke
    assert PAPER not in {path.paint.stroke for path in paths(low.pages[0], "symbol")}


@each_ink
def test_faces_have_an_outline_or_are_black(ink: str) -> None:
    """Every face's ground is outlined or filled with ink, so that a white face can be seen."""
    dice = labels("solids", LabelChoices(stock="6502015"), ink=ink)
    for page in dice.pages:
        for path in paths(page, "face"):
            if around(path).width > 10:
                assert path.paint.stroke or path.paint.fill == dice.style.colour("ink")


def test_coloured_faces_have_letter_and_symbol() -> None:
    """A face of a colour shows the colour's symbol and, where it has room, its letter."""
    dice = labels("lostdice", LabelChoices(stock="OL2050"), language="de")
    letters = [text.string for text in texts(dice.pages[0], "face_letter")]
    assert Counter(letters) == {"R": 3, "Ge": 3, "B": 3, "Gr": 3, "W": 3}
    small = labels("lostdice", LabelChoices(size=6), language="de")
    assert paths(small.pages[0], "symbol")
    assert {t.string for t in texts(small.pages[0], "face_letter")} <= {"R", "B", "W"}


def test_black_and_white_has_one_ink() -> None:
    """In black and white nothing but black and the paper's white is used, in every picture."""
    for dice in (nets("solids", ink="bw"), labels("solids", LabelChoices(), ink="bw")):
        for page in dice.pages:
            for item in page.items:
                inks = (
                    {item.colour}
                    if isinstance(item, Text)
                    else {item.paint.fill, item.paint.stroke}
                )
                assert inks <= {"#000000", PAPER, None}, item


def test_low_ink_saves_ink() -> None:
    """A page that saves ink is lighter than a full one, and black and white not darker by much."""

    def darkness(ink: str) -> float:
        grey = picture(nets("lostdice", ink=ink), dpi=50).convert("L")
        return math.fsum(level * count for level, count in enumerate(reversed(grey.histogram())))

    assert darkness("low") < 0.8 * darkness("full")


def test_a_ruler_agrees_with_the_picture() -> None:
    """Printed at 254 dpi a d6 of 20 mm has edges of 200 pixels: ink is where the scene says."""
    dice = nets("yacht")
    image = picture(dice, dpi=254).convert("L")
    lines = [around(p).inset(half_width(p)) for p in paths(dice.pages[0], "cut")]
    upright = [r for r in lines if r.width < 0.01 and abs(r.height - 20) < MM]
    assert upright
    for rect in upright:
        x, y = round(rect.x * 10), round(rect.center.y * 10)
        row = list(image.crop((x - 6, y, x + 7, y + 1)).tobytes())
        assert min(row[5:8]) < 100
        assert max(row[0], row[-1]) > 200


# -- calibration ----------------------------------------------------------------------------------


@pytest.mark.parametrize("paper", ["A4", "Letter", "A5", "A3 landscape"])
@each_ink
def test_calibration_measures(paper: str, ink: str) -> None:
    """There are a rule of 100 mm, a square of 50 mm, and named squares from 9 to 25 mm."""
    dice = workshop.calibration(Choices(ink=ink), "", parse_paper(paper))
    page = dice.pages[0]
    for item in page.items:
        assert _printable(page).contains(around(item)), item
    sizes = [around(path).inset(half_width(path)) for path in paths(page, "rule")]
    assert sum(abs(r.width - 100) < MM and r.height < MM for r in sizes) == 1
    squares = [r for r in sizes if abs(r.width - r.height) < MM and r.width > 5]
    assert sorted(round(r.width, 2) for r in squares) == [*range(9, 26), 50]
    for one, two in combinations(squares, 2):
        assert not one.overlaps(two)
    for text in texts(page, "number"):
        (square,) = [r for r in squares if r.contains(around(text)) and r.width < 30]
        assert square.width == pytest.approx(int(text.string), abs=MM)
    _sensible(dice)


@pytest.mark.parametrize("stock", SOME)
def test_calibration_outlines_the_stock(stock: str) -> None:
    """The second page has the outline of every label at its place, on the stock's own paper."""
    found = STOCKS[stock]
    dice = workshop.calibration(Choices(ink="bw"), stock, parse_paper("A3"))
    page = dice.pages[1]
    assert page.size == found.paper
    drawn = [around(path).inset(half_width(path)) for path in paths(page, "outline")]
    assert len(drawn) == len(found.labels())
    for one, two in zip(drawn, found.labels(), strict=True):
        assert one == pytest.approx(two, abs=MM)
    _sensible(dice)


@pytest.mark.parametrize("paper", ["A7", "A6", "105x200"])
def test_calibration_needs_room(paper: str) -> None:
    """Paper too small for the rule and the squares is refused with both sizes."""
    with pytest.raises(InputError, match=r"--paper: the calibration page needs .* the paper is"):
        workshop.calibration(Choices(), "", parse_paper(paper))


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_calibration_speaks_every_language(language: str) -> None:
    """What to do is said in each language, inside its panel."""
    dice = workshop.calibration(Choices(language=language), "OL32", parse_paper("A4"))
    assert dice.pages[0].language == language
    (panel,) = paths(dice.pages[1], "ground")
    for text in texts(dice.pages[1], "reading", "heading"):
        assert around(panel).contains(around(text)), text


# -- errors and files -----------------------------------------------------------------------------


def test_games_without_dice_are_refused() -> None:
    """A game of cards has nothing to fold: the message has its file and points to show."""
    with pytest.raises(
        InputError, match=r"scorepad.yaml.* scorepad has no dice, see sheetgen show"
    ):
        nets("scorepad")


def test_unknown_languages_are_refused() -> None:
    """A language that the game lacks is an error, as in print."""
    with pytest.raises(InputError, match="--lang: unknown language 'xx'"):
        nets("lostdice", language="xx")


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_golden(name: str) -> None:
    """The geometry of a page is that of its golden file."""
    expected = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert describe(PAGES[name]()) == expected, "if this is meant: python tests/dice/described.py"


SCRIPT = """
import hashlib, sys
sys.path.insert(0, {folder!r})
from made import file, labels, nets
from sheetgen.workshop import LabelChoices
for dice in (nets("solids", sets=2, ink="low"), labels("keldice", LabelChoices(stock="OL2050"))):
    print(hashlib.sha256(file(dice)).hexdigest())
"""


def test_files_are_the_same_everywhere() -> None:
    """The same dice give the same bytes, whatever the hash seed and the time zone."""
    code = SCRIPT.format(folder=str(TESTS / "dice"))
    found = set()
    for seed, zone in (("1", "Asia/Tokyo"), ("2", "America/Lima")):
        env = os.environ | {"PYTHONHASHSEED": seed, "TZ": zone}
        done = subprocess.run(
            [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
        )
        found.add(done.stdout)
    assert len(found) == 1
    assert len(found.pop().split()) == 2


def test_sizes_of_the_kinds_are_ordered() -> None:
    """Every kind has a usual size within its range."""
    assert set(SMALLEST) == set(USUAL_SIZES) == set(SOLIDS)
    for kind, usual in USUAL_SIZES.items():
        assert SMALLEST[kind] < usual < LARGEST
    assert USUAL_SIZES["d6"] == 20.0
