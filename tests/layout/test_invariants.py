"""What holds on every sheet, in every language, setup and ink mode."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations

import pytest
from laid import (
    CAP,
    MODULES,
    REFUSED,
    Case,
    around,
    cases,
    codes,
    content,
    distance,
    extent,
    inside,
    lay,
    lay_anew,
    markers,
    paths,
    sheet,
    texts,
    variant,
)

from sheetgen.checks import walk
from sheetgen.geometry import PT_PER_MM, Rect
from sheetgen.layout import LEAST_WRITING
from sheetgen.model import Grid, Head, Paragraph, Table
from sheetgen.prepare import INKS
from sheetgen.scene import Box, Scene, Text

ALL = cases()
ONCE = cases(inks=("full",))
FRONTS = [case for case in ALL if case.sheet != "back"]

TOLERANCE = 0.01  # mm
CLEAR = 3.0  # mm around a corner marker
LEAST_TYPE = 7.0  # pt
HANG = 0.6  # mm: the last line of a foot stands on the markers' edge, its descenders hang below
SLACK = 0.05  # mm by which two texts' rectangles may touch
LABEL_STRIP = 3.2  # mm at the top of a box for a result, where its label stands
STRADDLE = 1.0  # mm by which words in a dotted line reach into the boxes above and below it

# Words that belong into a box for a number, a name or a result, and what of the box they may take.
CORNER_LABELS = {"box_label", "label", "total_label"}

each = pytest.mark.parametrize("case", ALL, ids=str)
each_once = pytest.mark.parametrize("case", ONCE, ids=str)
each_front = pytest.mark.parametrize("case", FRONTS, ids=str)


def test_the_cases_cover_every_language_and_ink() -> None:
    """No case is lost: fourteen sheets at least, three inks each, and every variant's languages."""
    assert len({(case.variant, case.sheet) for case in ALL}) >= 14
    assert {case.ink for case in ALL} == set(INKS)
    for name in {case.variant for case in ALL}:
        assert {c.language for c in ALL if c.variant == name} == set(variant(name).languages)


def test_every_sheet_fits() -> None:
    """Every sheet can be laid out in every language, for all players and options."""
    assert {str(case): str(error) for case, error in REFUSED.items()} == {}


@each
def test_ink_and_boxes_stay_inside_the_margin(case: Case) -> None:
    """Every line's middle, every text and every box lies inside the sheet's content."""
    scene = lay(case)
    room = content(scene)
    for path in paths(scene):
        assert room.contains(around(path), TOLERANCE), (path.role, around(path))
    for box in scene.boxes:
        assert room.contains(box.rect, TOLERANCE), box
    below = room._replace(height=room.height + HANG)
    for text in texts(scene):
        assert room.contains(extent(text, descent=False), TOLERANCE), text
        assert below.contains(extent(text), TOLERANCE), text


@each_once
def test_texts_keep_off_each_other(case: Case) -> None:
    """No text covers another."""
    found = [(text, extent(text)) for text in texts(lay(case)) if text.string.strip()]
    for (a, first), (b, second) in combinations(found, 2):
        assert not first.overlaps(second, SLACK), (a, b)


def _may_stand(text: Text, box: Box) -> bool:
    """Whether words may stand in a box: as a tick box's value, or where no one writes."""
    rect, place, capitals = box.rect, extent(text), extent(text, descent=False)
    if box.kind == "tick":
        return rect.contains(place, 0.1)
    if text.role == "threshold":  # words in the dotted line between two boxes, at its right end
        depth = min(place.bottom, rect.bottom) - max(place.y, rect.y)
        return depth <= STRADDLE and rect.x <= place.x and place.right <= rect.right
    if text.role in CORNER_LABELS and box.kind == "score":  # the rest is high or wide enough
        in_corner = capitals.bottom <= rect.y + LABEL_STRIP and place.x <= rect.x + 2
        below, beside = rect.height - LABEL_STRIP, rect.right - place.right
        return in_corner and (below >= 4.5 or (below >= 3.8 and beside >= 5.5))
    if text.role == "note":  # small words in the lower half of a box
        return place.y >= rect.center.y - 0.5 and rect.contains(place, 0)
    if text.role == "title":  # the tail of a Q, above the line of a name
        return box.kind == "text" and place.bottom - rect.y <= HANG and capitals.bottom <= rect.y
    return False


@each_once
def test_texts_keep_off_the_boxes(case: Case) -> None:
    """Nothing is printed where a player writes, but for values to tick and labels in corners."""
    scene = lay(case)
    for text in texts(scene):
        place = extent(text)
        for box in scene.boxes:
            if place.overlaps(box.rect, SLACK):
                assert _may_stand(text, box), (text, box)


@each_once
def test_symbols_leave_room_to_write(case: Case) -> None:
    """A symbol in a box for a number leaves 7 mm of its width free."""
    scene = lay(case)
    numbers = [box for box in scene.boxes if box.kind != "tick"]
    for path in paths(scene, "symbol"):
        place = around(path, stroke=True)
        for box in numbers:
            if place.overlaps(box.rect):
                assert box.kind == "number", (place, box)
                free = max(place.x - box.rect.x, box.rect.right - place.right)
                assert free >= LEAST_WRITING - TOLERANCE, (place, box)


@each_once
def test_boxes_keep_off_each_other(case: Case) -> None:
    """No two boxes overlap, and no two share a name."""
    boxes = lay(case).boxes
    assert max(Counter(box.id for box in boxes).values(), default=1) == 1
    ordered = sorted(boxes, key=lambda box: box.rect.y)
    for index, a in enumerate(ordered):
        for b in ordered[index + 1 :]:
            if b.rect.y >= a.rect.bottom:
                break
            assert not a.rect.overlaps(b.rect, 1e-4), (a, b)


@each_once
def test_numbers_have_room(case: Case) -> None:
    """A box for a number or a result measures at least 7 mm both ways."""
    for box in lay(case).boxes:
        if box.kind in ("number", "score"):
            assert min(box.rect.width, box.rect.height) >= LEAST_WRITING - TOLERANCE, box


@each_once
def test_type_is_large_enough(case: Case) -> None:
    """Nothing is set smaller than 7 pt."""
    for text in texts(lay(case)):
        assert text.size >= LEAST_TYPE - 1e-9, text


@each_once
def test_minus_signs_are_real(case: Case) -> None:
    """No hyphen stands for a minus; the letters of the code are the one place for a hyphen."""
    scene = lay(case)
    for text in texts(scene):
        if text.role != "code":
            assert not re.search(r"(^|[\s(+×=])-\s?\d|^-$|\s-\s", text.string), text
    for box in scene.boxes:
        assert not re.search(r"(^|\s)-\d", box.label), box


# -- colour never speaks alone --------------------------------------------------------------------


def _head(scene: Scene, letter: str) -> bool:
    """Whether a lane's head shows the letter and, just left of it, a symbol of the same height."""
    for text in texts(scene, "letter", "letter_small"):
        if text.string != letter:
            continue
        place = extent(text)
        beside = Rect(place.x - 7, place.center.y - 0.5, 6.7, 1)
        if any(around(path, stroke=True).overlaps(beside) for path in paths(scene, "symbol")):
            return True
    return False


@each
def test_lanes_show_letter_and_symbol(case: Case) -> None:
    """Every coloured lane of a table has its letter and its symbol in a head."""
    game, scene = variant(case.variant), lay(case)
    for table in walk(sheet(case)):
        if not isinstance(table, Table):
            continue
        for group in table.groups:
            for lane in group.lanes if group.count is None else ():
                letter = game.colours[lane].letter.plain(case.language)
                assert _head(scene, letter), (lane, letter)


@each_front
def test_coloured_results_show_their_letter(case: Case) -> None:
    """The box for a coloured lane's result has the lane's letter in its corner, in every ink."""
    game, scene = variant(case.variant), lay(case)
    labels = texts(scene, "box_label")
    for box in scene.boxes:
        lane = next((n for n in game.colours or {} if box.id.startswith(f"{n}_")), None)
        if box.kind == "score" and lane:
            letter = game.colours[lane].letter.plain(case.language)
            shown = [t.string for t in labels if box.rect.contains(extent(t), 0)]
            assert shown == [letter], box


@each_front
def test_coloured_boxes_of_a_grid_show_a_symbol(case: Case) -> None:
    """Every coloured box of a grid has the symbol of its colour, alone or in its corner."""
    game, scene = variant(case.variant), lay(case)
    boxes = {box.id: box.rect for box in scene.boxes}
    symbols = [around(path).center for path in paths(scene, "symbol")]
    for grid in (item for item in walk(sheet(case)) if isinstance(item, Grid)):
        for row, letters in enumerate(grid.map, 1):
            for column, letter in enumerate(letters, 1):
                cell = grid.legend[letter]
                if not cell.colour:
                    continue
                rect = boxes[f"{grid.id}_{row}_{column}"]
                corner = Rect(rect.x, rect.y, rect.width * 0.4, rect.height * 0.4)
                middle = rect.inset(rect.width * 0.35)
                other = cell.text or cell.symbol not in (None, game.colours[cell.colour].symbol)
                assert any(inside(corner if other else middle, p) for p in symbols), (row, column)


def test_heads_are_counted() -> None:
    """Some sheet has a table with heads, else the tests above would say nothing."""
    assert any(isinstance(part, Head) for case in ONCE for part in walk(sheet(case)))
    assert any(box.kind == "score" for case in ONCE for box in lay(case).boxes)


# -- what a camera looks for ----------------------------------------------------------------------


@each_front
def test_markers_stand_in_the_corners(case: Case) -> None:
    """Four markers of 8 mm touch the corners of the content, 3 mm clear of all other ink."""
    scene = lay(case)
    room, found = content(scene), markers(scene)
    x, y = room.right - 8, room.bottom - 8
    corners = [(room.x, room.y), (x, room.y), (room.x, y), (x, y)]
    assert [(p.x, p.y, p.width, p.height) for p in found] == [
        pytest.approx((a, b, 8, 8)) for a, b in corners
    ]
    for place in found:
        others = [i for i in scene.items if around(i) != place]
        assert len(others) == len(scene.items) - 1
        for item in others:
            tail = HANG if item.role == "code" else 0.0  # that of a Q in the code's letters
            assert distance(around(item), place) >= CLEAR - tail - TOLERANCE, item


@each_front
def test_codes_are_quiet(case: Case) -> None:
    """One code of 12 mm, and nothing within four of its modules."""
    scene = lay(case)
    (code,) = codes(scene)
    assert (code.width, code.height) == pytest.approx((12, 12))
    quiet = 4 * code.width / MODULES
    for item in scene.items:
        place = around(item, stroke=True)
        if around(item) != code:
            assert distance(place, code) >= quiet - TOLERANCE, item


@each_front
def test_the_code_is_also_in_letters(case: Case) -> None:
    """The letters beside the code are the variant's code, a hyphen, and six capitals or digits."""
    (letters,) = texts(lay(case), "code")
    assert re.fullmatch(rf"{variant(case.variant).code}-[A-Z2-7]{{6}}", letters.string)


# -- what must not change -------------------------------------------------------------------------


@each_once
def test_ink_modes_share_their_geometry(case: Case) -> None:
    """Boxes, and therefore the code, are the same in every ink mode."""
    scenes = [lay(case._replace(ink=ink)) for ink in INKS]
    assert scenes[0].boxes == scenes[1].boxes == scenes[2].boxes
    assert len({tuple(t.string for t in texts(scene, "code")) for scene in scenes}) == 1


@pytest.mark.parametrize("case", cases(inks=("full",))[::3], ids=str)
def test_the_same_input_gives_the_same_scene(case: Case) -> None:
    """Laying a sheet out again gives an equal scene."""
    assert lay_anew(case) == lay(case)


@each_once
def test_sheets_without_rules_have_none(case: Case) -> None:
    """Without rules the foot and the rules' paragraphs are gone; nothing else is, no box moves."""
    game = sheet(case)
    rules = [*game.foot, *(p.text for p in walk(game) if isinstance(p, Paragraph) and p.rules)]
    full, bare = lay(case), lay(case, rules=False)
    gone = Counter(t.string for t in texts(full)) - Counter(t.string for t in texts(bare))
    words = " ".join(w.plain(case.language) for w in rules)
    assert bool(gone) == bool(rules)
    plain = "".join(re.sub(r"\{\{.*?\}\}", "", words).split())
    for line in gone:
        pieces = re.split(r"\d+", line) if "{{" in words else [line]
        assert all("".join(piece.split()) in plain for piece in pieces), line
    for line in plain and [w for text in rules for w in text.plain(case.language).split("\n")]:
        assert line not in {text.string for text in texts(bare)}
    assert [box.id for box in bare.boxes] == [box.id for box in full.boxes]


def test_capitals_are_as_high_as_layout_thinks() -> None:
    """The height texts are centred by is that of the fonts' own capitals, to 0.02 em."""
    from sheetgen.layout.job import CAP_HEIGHT

    assert CAP_HEIGHT == CAP
    from laid import style

    fonts = style("expedition", "full").fonts
    for name in ("serif", "sans", "strong"):
        face = fonts[name].ttf.face
        assert face.capHeight / 1000 == pytest.approx(CAP, abs=0.02)
    assert pytest.approx(1.63, abs=0.01) == CAP * 7 / PT_PER_MM
