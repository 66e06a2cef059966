"""Elements one at a time: sharing room, setting words, tracks, tallies, tables, and refusals."""

from __future__ import annotations

import math
import re
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laid import around, extent, paths, style, symbols, texts
from small import HERE, game, job, problems, scene

from sheetgen import icons
from sheetgen.errors import InputError
from sheetgen.geometry import Rect
from sheetgen.layout import lay_out
from sheetgen.layout.job import LEAST
from sheetgen.layout.stack import share
from sheetgen.layout.tally import LEAST_WAYPOINT, points
from sheetgen.layout.track import box_rects
from sheetgen.model import Bridge, Track
from sheetgen.schema import Name
from sheetgen.text import Text

STEADY = settings(deadline=None, derandomize=True)
STRIP = Rect(10, 20, 12, 120)
BRIDGE = 7.0  # mm, the theme's gap in a track

# -- sharing room ---------------------------------------------------------------------------------

weights = st.lists(st.integers(0, 1000).map(lambda tenths: tenths / 10), min_size=1, max_size=12)


@STEADY
@given(st.floats(0, 400), weights)
def test_shares_add_up(spare: float, of: list[float]) -> None:
    """All of the room is shared out, none of it negative, unless nobody wants any."""
    shares = share(spare, of)
    assert all(one >= 0 for one in shares)
    assert sum(shares) == pytest.approx(spare if sum(of) else 0)


@STEADY
@given(st.floats(1, 400), st.lists(st.integers(1, 9), min_size=2, max_size=9))
def test_shares_are_proportional(spare: float, of: list[int]) -> None:
    """Twice the weight is twice the room."""
    shares = share(spare, [float(one) for one in of])
    assert [s / w for s, w in zip(shares, of, strict=True)] == pytest.approx(
        [spare / sum(of)] * len(of)
    )


def _box(body: str, name: str) -> Rect:
    return next(box.rect for box in scene(body).boxes if box.id == name)


def test_spare_width_goes_by_weight() -> None:
    """In a row an element without weight keeps its width; others share what is left."""
    body = """
- row:
    gap: 2
    items:
      - total: {id: a, label: A, width: 20}
      - total: {id: b, label: B, width: 10, weight: 1}
      - total: {id: c, label: C, width: 10, weight: 3}
"""
    widths = [_box(body, name).width for name in "abc"]
    spare = 105 - 14 - 20 - 10 - 10 - 2 * 2
    assert widths == pytest.approx([20, 10 + spare / 4, 10 + 3 * spare / 4])
    assert _box(body, "b").x == pytest.approx(7 + 20 + 2)


@pytest.mark.parametrize(("align", "offset"), [("start", 0.0), ("center", 3.0), ("end", 6.0)])
def test_lower_elements_of_a_row_are_aligned(align: str, offset: float) -> None:
    """An element 6 mm lower than the row stands at its top, in its middle or at its foot."""
    body = f"""
- row:
    align: {align}
    items:
      - total: {{id: high, label: A, height: 18, weight: 1}}
      - total: {{id: low, label: B, height: 12, weight: 1}}
"""
    assert _box(body, "low").y - _box(body, "high").y == pytest.approx(offset)


def test_spare_height_goes_to_what_grows() -> None:
    """A space takes the height that is left, so that what follows stands at the body's foot."""
    body = "- total: {id: a, label: A}\n- space\n- total: {id: b, label: B}"
    gap, foot = 3.0, 148 - 7 - 8
    assert _box(body, "b").bottom == pytest.approx(foot - gap)


def test_copies_carry_their_number() -> None:
    """A repeated row's boxes are told apart by name and number, and its words show the number."""
    body = """
- column:
    repeat: 3
    name: round
    items:
      - text: {style: label, text: 'Round {{ round }}'}
      - total: {id: sum, label: Sum}
"""
    found = scene(body)
    assert [box.id for box in found.boxes] == ["sum_round1", "sum_round2", "sum_round3"]
    assert [t.string for t in texts(found, "label")] == ["ROUND 1", "ROUND 2", "ROUND 3"]


# -- setting words --------------------------------------------------------------------------------

LATIN = st.text("abcdefghijklmnopqrstuvwxyzäéß0123456789 −×.,", min_size=1, max_size=60)
ROLES = ["title", "words", "rules", "label", "heading", "reading", "subtitle", "entry", "note"]


@STEADY
@given(LATIN, st.sampled_from(ROLES), st.floats(0.5, 120))
def test_fitted_lines_are_no_wider_than_asked(words: str, role: str, width: float) -> None:
    """A line is at most as wide as its room, or the millimetres that are missing are noted."""
    one = job()
    line = one.fit(words, role, width, HERE)
    kind = one.style.type(role)
    assert kind.floor <= line.size <= kind.size
    assert line.words == words
    assert line.width == pytest.approx(one.measure(words, role, line.size), abs=1e-6)
    if line.width > width + 2 * LEAST:
        (problem,) = one.problems
        missing = re.search(r"([0-9.]+) mm are missing", str(problem))
        assert missing
        assert float(missing[1]) == pytest.approx(line.width - width, abs=0.051)
    else:
        assert not one.problems


@STEADY
@given(LATIN, st.sampled_from(ROLES))
def test_lines_shrink_no_more_than_they_must(words: str, role: str) -> None:
    """Where there is room a line has its full size; with a little less it just fits."""
    one = job()
    full = one.measure(words, role)
    assert one.fit(words, role, full, HERE).size == one.style.type(role).size
    kind = one.style.type(role)
    if kind.floor < kind.size * 0.95 and full > 1:
        assert one.fit(words, role, full * 0.97, HERE).width == pytest.approx(full * 0.97)


@STEADY
@given(st.lists(LATIN, min_size=1, max_size=5), st.sampled_from(ROLES), st.floats(0.5, 150))
def test_wrapping_loses_no_word(lines: list[str], role: str, width: float) -> None:
    """All words stand in their order, no line is too wide without a problem, breaks are kept."""
    one = job()
    words = "\n".join(lines)
    found = one.wrap(words, role, width, HERE)
    assert " ".join(line.words for line in found).split() == words.split()
    assert len(found) >= len(lines)
    too_wide = [line for line in found if line.width > width + 2 * LEAST]
    assert bool(too_wide) <= bool(one.problems)
    floor = one.style.type(role).floor
    assert all(line.size >= floor for line in found)


@STEADY
@given(LATIN, st.floats(20, 150))
def test_lines_are_filled(words: str, width: float) -> None:
    """No line ends while the first word of the next would have fitted into it."""
    one = job()
    found = one.wrap(words, "rules", width, HERE)
    for line, following in pairwise(found):
        longer = f"{line.words} {following.words.split()[0]}"
        assert one.measure(longer, "rules") > width


def test_an_authors_lines_shrink_together() -> None:
    """Lines with their own breaks keep them and share one smaller size, if it is not too small."""
    one = job()
    words = "a line that is rather long\nshort"
    full = one.measure("a line that is rather long", "words")
    found = one.wrap(words, "words", full * 0.95, HERE)
    assert [line.words for line in found] == words.split("\n")
    assert [line.size for line in found] == pytest.approx([8 * 0.95] * 2)
    assert len(one.wrap(words, "words", full * 0.8, HERE)) == 3
    assert not one.problems


def test_an_overlong_word_is_refused_with_its_millimetres() -> None:
    """A word wider than its line stands alone, and what is missing is said."""
    one = job()
    word = "Donaudampfschifffahrtsgesellschaft"
    found = one.wrap(f"An {word} on", "rules", 20, HERE)
    assert [line.words for line in found] == ["An", word, "on"]
    (problem,) = one.problems
    assert problem.allowed == f"{one.measure(word, 'rules') - 20:.1f} mm are missing"
    assert str(problem).startswith("game.yaml:3:5: sheets.score: 'Donaudampfschifffahrtsg…'")


def test_a_very_long_title_is_refused() -> None:
    """A title of 300 letters is named in short, with the millimetres it needs and has."""
    (problem,) = problems("- text: Words", title="A" * 300)
    assert re.fullmatch(
        r"'A{23}…' at 13 pt needs 10[0-9]{2}\.[0-9] mm and has [0-9.]+ mm", problem.found
    )
    assert re.fullmatch(r"9[0-9]{2}\.[0-9] mm are missing", problem.allowed)


def test_a_line_break_in_a_label_is_refused() -> None:
    """What stands on one line may not hold a line break; nothing is lost all the same."""
    (problem,) = problems('- total: {id: total, label: "To\\ntal"}')
    assert "a line break in 'To\\ntal'" in problem.found
    one = job()
    assert one.fit("To\ntal", "label", 50, HERE).words == "To tal"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("שלום", "U+05E9"),
        ("مرحبا", "U+0645"),
        ("e\u0301t\u00e9", "U+0301"),
        ("a ☃", "U+2603 SNOWMAN"),
        ("名", "U+540D"),
    ],
)
def test_what_cannot_be_set_is_refused_with_code_point_and_place(words: str, said: str) -> None:
    """Right-to-left, combining and unknown characters are named, at the line they stand on."""
    found = game(f"- total: {{id: total, label: {words}}}")
    (problem,) = problems(f"- total: {{id: total, label: {words}}}")
    assert said in problem.found
    label = found.sheets["score"].body[0].label
    assert (problem.line, problem.column) == (label.place.line, label.place.column)
    assert problem.where == "sheets.score.body[1].total.label"


def test_zero_room_is_refused_not_divided_by() -> None:
    """Lines for no room at all, or less, give problems and stay at their least size."""
    for width in (0.0, -3.0):
        one = job()
        assert one.fit("Words", "title", width, HERE).size == one.style.type("title").floor
        assert [line.words for line in one.wrap("Two words", "rules", width, HERE)] == [
            "Two",
            "words",
        ]
        assert len(one.problems) == 3


def test_words_in_several_fonts_keep_their_width() -> None:
    """A run in another font starts where the one before it ends."""
    one = job()
    text = Text({"": "Aₐ" if style("expedition", "full").fonts["serif"].has("ₐ") else "Σ"}, HERE)
    line = one.fit(one.words(text), "letter", 50, HERE)
    one.put(line, 10, 10)
    last = one.items[-1]
    assert extent(last).right == pytest.approx(10 + line.width)  # type: ignore[arg-type]


@pytest.mark.parametrize(("number", "shown"), [(-20, "−20"), (0, "0"), (5, "5"), (-1, "−1")])
def test_points_have_a_real_minus(number: int, shown: str) -> None:
    """Negative points show U+2212."""
    assert points(number) == shown


# -- tracks ---------------------------------------------------------------------------------------


def _track(count: int, bridge: int | None = None, flow: str = "down") -> Track:
    crossing = Bridge(after=bridge, text=Text({"": "20"}, HERE)) if bridge else None
    return Track(boxes=count, bridge=crossing, flow=flow)


@STEADY
@given(st.integers(1, 60), st.sampled_from(["down", "right"]))
def test_boxes_fill_a_track_in_order(count: int, flow: str) -> None:
    """As many boxes as asked, equally long, touching, from one end of the strip to the other."""
    found = box_rects(job(), _track(count), STRIP, flow)
    assert len(found) == count
    sizes = [r.height if flow == "down" else r.width for r in found]
    assert sizes == pytest.approx(
        [(STRIP.height if flow == "down" else STRIP.width) / count] * count
    )
    ends = [(r.y, r.bottom) if flow == "down" else (r.x, r.right) for r in found]
    assert ends[0][0] == pytest.approx(STRIP.y if flow == "down" else STRIP.x)
    assert ends[-1][1] == pytest.approx(STRIP.bottom if flow == "down" else STRIP.right)
    assert all(a[1] == pytest.approx(b[0]) for a, b in pairwise(ends))


@STEADY
@given(st.integers(2, 60), st.data())
def test_tracks_upwards_are_mirrored(count: int, data: st.DataObject) -> None:
    """Box 1 of a track upwards is at the foot; places are those of a track downwards, mirrored."""
    bridge = data.draw(st.integers(1, count - 1))
    down = box_rects(job(), _track(count, bridge), STRIP, "down")
    up = box_rects(job(), _track(count, bridge, "up"), STRIP, "down")
    assert up[0].bottom == pytest.approx(STRIP.bottom)
    for a, b in zip(down, up, strict=True):
        assert a.y - STRIP.y == pytest.approx(STRIP.bottom - b.bottom)
        assert a.height == pytest.approx(b.height)


@STEADY
@given(st.integers(2, 60), st.data(), st.sampled_from(["down", "up"]))
def test_a_bridge_is_a_gap(count: int, data: st.DataObject, flow: str) -> None:
    """Seven millimetres lie between the boxes beside a bridge, nothing between any others."""
    after = data.draw(st.integers(1, count - 1))
    found = box_rects(job(), _track(count, after, flow), STRIP, "down")
    found = found if flow == "down" else found[::-1]
    gaps = [b.y - a.bottom for a, b in pairwise(found)]
    place = after - 1 if flow == "down" else count - after - 1
    expected = [BRIDGE if index == place else 0.0 for index in range(count - 1)]
    assert gaps == pytest.approx(expected, abs=1e-9)


def test_a_track_names_its_boxes_from_its_first() -> None:
    """Ids count along the track, whichever way it runs."""
    body = """
- table:
    groups: {lanes: [red, blue]}
    rows:
      - head
      - track: {boxes: 5, flow: FLOW, mark: {after: 3}}
"""
    down, up = scene(body.replace("FLOW", "down")), scene(body.replace("FLOW", "up"))
    for found, way in ((down, 1), (up, -1)):
        boxes = {box.id: box.rect for box in found.boxes}
        assert list(boxes)[:5] == [f"red_{number}" for number in range(1, 6)]
        ys = [boxes[f"red_{number}"].y * way for number in range(1, 6)]
        assert ys == sorted(ys)


def test_values_share_a_size_and_keep_off_the_rails() -> None:
    """In narrow boxes all values are set as small as the widest needs, 0.4 mm off the edges."""
    found = scene("""
- table:
    flow: right
    groups: {lanes: [red, blue]}
    rows:
      - track: {values: [$, 2, 10], box: 3.4}
""")
    shown = texts(found, "entry_small")
    assert [text.string for text in shown] == ["$", "2", "10"] * 2
    assert len({text.size for text in shown}) == 1
    assert 7 <= shown[0].size < 8
    for text, box in zip(shown, found.boxes, strict=True):
        assert box.rect.inset(0.4, 0).contains(extent(text), 0.01)


def test_a_second_box_stands_beside_the_first() -> None:
    """A running total halves the box; the right half alone is tinted."""
    found = scene("""
- table:
    groups: {lanes: [red, blue]}
    rows:
      - track: {boxes: 3, second: sum}
""")
    boxes = {box.id: box.rect for box in found.boxes}
    assert list(boxes)[:4] == ["red_1", "red_sum_1", "red_2", "red_sum_2"]
    assert boxes["red_sum_1"].x == pytest.approx(boxes["red_1"].right)
    assert boxes["red_sum_1"].width == pytest.approx(boxes["red_1"].width)
    tint = style("expedition", "full").tint("red")
    (half,) = [around(p) for p in paths(found, "ground") if p.paint.fill == tint]
    assert (half.x, half.width) == pytest.approx((boxes["red_sum_1"].x, boxes["red_1"].width))


# -- tallies --------------------------------------------------------------------------------------


@STEADY
@given(st.integers(1, 100), st.sampled_from(["circle", "box"]), st.integers(30, 91))
def test_tallies_have_all_their_boxes_inside(count: int, shape: str, width: int) -> None:
    """However narrow, a tally wraps: all boxes are there, in reading order, apart, and inside."""
    body = f"""
- row:
    items:
      - tally: {{id: t, count: {count}, shape: {shape}, label: Rolls, width: {width}}}
"""
    if (count > 60 and width < 60) or problems(body):
        return  # higher than the sheet
    found = scene(body)
    boxes = [box.rect for box in found.boxes]
    assert [box.id for box in found.boxes] == [f"t_{number}" for number in range(1, count + 1)]
    assert min(box.width for box in boxes) >= LEAST_WAYPOINT - 0.001
    assert boxes == sorted(boxes, key=lambda box: (round(box.y, 3), box.x))
    assert all(box.x >= 7 - 1e-6 and box.right <= 7 + width + 1e-6 for box in boxes)
    for a, b in pairwise(boxes):
        assert not a.overlaps(b)
    bottom = max(box.bottom for box in boxes)
    assert bottom <= 148 - 7 - 8


def test_a_tally_wraps_only_if_it_must() -> None:
    """Twenty waypoints stand on one line beside their label, sixty below it on two."""
    short, long = (
        {round(b.rect.y, 2) for b in scene(f"- tally: {{id: t, count: {n}, label: Rolls}}").boxes}
        for n in (20, 60)
    )
    assert len(short) == 1
    assert len(long) == 2


def test_milestones_are_every_fifth() -> None:
    """Every fifth waypoint has a heavier line, unless numbers are off."""
    for numbers, expected in (("true", [5, 10]), ("false", [])):
        found = scene(f"- tally: {{id: t, count: 12, numbers: {numbers}}}")
        widths = [path.paint.width for path in paths(found, "tally")]
        assert [n for n, w in enumerate(widths, 1) if w > min(widths)] == expected


def test_points_under_a_tally_stay_inside() -> None:
    """The points under the last box are wider than it, and still end at the element's edge."""
    found = scene("- tally: {id: t, count: 4, shape: box, scale: worth, label: Misses}")
    shown = texts(found, "number")
    assert [t.string for t in shown] == ["−5", "−10", "20", "30"]
    assert max(extent(t).right for t in shown) <= 105 - 7 + 1e-6
    for text, box in zip(shown, found.boxes, strict=True):
        assert extent(text).center.x == pytest.approx(box.rect.center.x)


def test_a_trail_that_does_not_fit_is_refused() -> None:
    """A hundred rolls beside six boxes need a longer track, by so many millimetres."""
    (problem,) = problems("""
- table:
    groups: {lanes: [red, blue]}
    rows:
      - track: {boxes: 6, aside: {id: roll, flow: down, count: 100, label: Rolls}}
""")
    assert problem.found == "a tally of 100 needs 242.0 mm and has 42.0 mm"
    assert problem.allowed == "200.0 mm are missing"


# -- tables ---------------------------------------------------------------------------------------


@STEADY
@given(st.integers(1, 7), st.floats(0, 4))
def test_lanes_share_the_width(count: int, gap: float) -> None:
    """Lanes are equally wide, their gaps as asked, and together with the gutter fill the sheet."""
    found = scene(f"""
- table:
    gap: {gap:.2f}
    groups: {{lanes: p, count: {count}, gutter: 15}}
    rows:
      - box: {{id: sum}}
""")
    boxes = [box.rect for box in found.boxes]
    gap = round(gap, 2)
    width = (105 - 14 - 15 - gap * (count - 1)) / count
    assert [box.width for box in boxes] == pytest.approx([width] * count)
    assert boxes[0].x == pytest.approx(7 + 15)
    assert boxes[-1].right == pytest.approx(105 - 7)


def test_lanes_to_the_right_are_rows() -> None:
    """In a table to the right lanes lie below each other and parts side by side."""
    found = scene("""
- table:
    flow: right
    groups: {lanes: [red, blue]}
    rows:
      - head
      - track: {values: [1, 2, 3], weight: 1}
      - box: {id: sum}
""")
    boxes = {box.id: box.rect for box in found.boxes}
    assert boxes["red_1"].y < boxes["blue_1"].y
    assert boxes["red_1"].x == pytest.approx(boxes["blue_1"].x)
    assert boxes["red_1"].right == pytest.approx(boxes["red_2"].x)
    assert boxes["red_sum"].right == pytest.approx(105 - 7)


def test_groups_to_the_right_fill_their_table() -> None:
    """Rows of several groups are equally high, a gap apart inside a group and 3 mm between two."""
    found = scene("""
- row:
    items:
      - table:
          width: 80
          flow: right
          weight: 1
          gap: 2
          groups: [{lanes: [red, blue]}, {lanes: p, count: 2}]
          rows:
            - box: {id: sum, weight: 1}
      - total: {id: high, label: A, height: 40, weight: 1}
""")
    *rows, high = [box.rect for box in found.boxes]
    gaps = [b.y - a.bottom for a, b in pairwise(rows)]
    assert gaps == pytest.approx([2, 3, 2])
    assert [row.height for row in rows] == pytest.approx([(40 - 7) / 4] * 4)
    assert (rows[0].y, rows[-1].bottom) == pytest.approx((high.y, high.bottom))


def test_parts_for_some_lanes_are_not_in_others() -> None:
    """A part with ``only`` leaves its place empty elsewhere."""
    found = scene("""
- table:
    groups: {lanes: [red, blue]}
    rows:
      - ring: {id: double, text: ×2, only: red}
      - box: {id: sum}
""")
    assert [box.id for box in found.boxes] == ["red_double", "red_sum", "blue_sum"]


@pytest.mark.parametrize("labels", ["left", "right"])
def test_labels_symbols_and_hints_all_fit_their_gutter(labels: str) -> None:
    """A gutter is as wide as its widest label with its symbol and its hint; none is lost."""
    found = scene(f"""
- table:
    labels: {labels}
    groups: {{lanes: p, count: 3}}
    rows:
      - box: {{id: a, label: Treasury, symbol: coin, hint: by threes}}
      - box: {{id: b, label: Sum}}
""")
    shown = {t.string.casefold(): extent(t) for t in texts(found, "gutter", "title_row", "hint")}
    assert set(shown) == {"treasury", "by threes", "sum"}
    left = found.boxes[0].rect.x
    assert all(rect.x >= 7 - 0.01 and rect.right <= left - 2 + 0.01 for rect in shown.values())
    assert not shown["treasury"].overlaps(shown["by threes"])
    symbol = max((around(p) for p in paths(found, "symbol")), key=lambda rect: rect.width)
    assert not any(symbol.overlaps(rect) for rect in shown.values())


def test_points_stand_beside_the_boxes_they_are_for() -> None:
    """A scale's first points are for one box, at the height of box 1, gains in a heavier type."""
    found = scene("""
- table:
    groups: {lanes: [red, blue], scale: worth}
    rows:
      - track: {boxes: 4, flow: up}
""")
    boxes = {box.id: box.rect for box in found.boxes}
    shown = texts(found, "ladder", "ladder_gain")
    assert [(t.string, t.role) for t in shown] == [
        ("−5", "ladder"),
        ("−10", "ladder"),
        ("20", "ladder_gain"),
        ("30", "ladder_gain"),
    ]
    for number, text in enumerate(shown, 1):
        center = extent(text, descent=False).center.y
        assert center == pytest.approx(boxes[f"red_{number}"].center.y, abs=0.01)


# -- grids ----------------------------------------------------------------------------------------

GRID = """
- grid:
    id: land
    box: 9
    gap: GAP
    heads: [A, B, C]
    sides: [1, 2]
    ends: [{id: bonus, values: [5, 3, 1], label: First}]
    map: [r.x, .rs]
    legend:
      r: {colour: red}
      s: {colour: red, symbol: star}
      .: {}
      x: {blank: true}
"""


@pytest.mark.parametrize("gap", [0.0, 0.8, 2.0])
def test_grids_have_heads_sides_and_ends_at_their_boxes(gap: float) -> None:
    """Words stand above their column and before their row, circles below their column."""
    found = scene(GRID.replace("GAP", str(gap)))
    boxes = {box.id: box.rect for box in found.boxes}
    assert set(boxes) == {
        *("land_1_1", "land_1_2", "land_2_1", "land_2_2", "land_2_3"),
        *("bonus_1", "bonus_2", "bonus_3"),
    }
    assert boxes["land_1_2"].x - boxes["land_1_1"].right == pytest.approx(gap)
    assert boxes["land_2_1"].y - boxes["land_1_1"].bottom == pytest.approx(gap)
    words = {t.string: extent(t) for t in texts(found, "label")}
    for column, head in enumerate("ABC", 1):
        end = boxes[f"bonus_{column}"]
        assert words[head].center.x == pytest.approx(end.center.x)
        assert words[head].bottom < boxes["land_1_1"].y
        assert end.y > boxes["land_2_1"].bottom
    assert words["2"].right < boxes["land_2_1"].x
    assert [t.string for t in texts(found, "ladder")] == ["5", "3", "1"]


def test_a_grid_too_large_is_refused() -> None:
    """Thirty columns of 9 mm on A6 are refused with the millimetres the row has not."""
    body = "- grid: {id: g, box: 9, map: [" + "." * 30 + "], legend: {.: {}}}"
    (problem,) = problems(body)
    assert problem.found == "a box of the grid needs 9.0 mm and has 2.3 mm"


# -- refusals -------------------------------------------------------------------------------------


def test_twelve_columns_of_twelve_do_not_fit_on_a6() -> None:
    """Both what a lane lacks across and what the body lacks in height are said, once each."""
    found = problems("""
- table:
    groups: {lanes: p, count: 12, gutter: 12}
    rows:
      - track: {boxes: 12, numbers: true}
      - track: {boxes: 12, numbers: true, id: more}
""")
    names = [problem.found.split(" needs")[0] for problem in found]
    assert names == ["the body of the sheet", "a lane"]
    for problem in found:
        numbers = [float(n) for n in re.findall(r"[0-9.]+(?= mm)", str(problem))]
        assert numbers[0] - numbers[1] == pytest.approx(numbers[2], abs=0.11)


def test_boxes_too_small_to_write_in_are_named_once() -> None:
    """Of many boxes that are too small the smallest is named and the others are counted."""
    (problem,) = problems("""
- table:
    groups: {lanes: [red, blue]}
    rows:
      - track: {boxes: 10, box: 5}
""")
    assert problem.found == "the box red_1 and 19 more needs 7.0 mm and has 5.0 mm"
    assert problem.allowed == "2.0 mm are missing"


def test_boxes_of_one_name_are_refused() -> None:
    """Two boxes of one name cannot be told apart in a file."""
    (problem,) = problems("- total: {id: a, label: A}\n- total: {id: a, label: B}")
    assert problem.found == "two boxes are named 'a'"


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("- row: {items: [{total: {id: a, label: A, width: 80}}, {code: {}}]}", "the row"),
        ("- column: {items: [{space: {height: 200}}]}", "the body of the sheet"),
        ("- lookup: {table: worth, label: A long label before the counts}", "'−10' at 7 pt"),
        ("- fields: [{id: a, label: A, width: 60}, {id: b, label: B, width: 60}]", "the row of"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(body: str, what: str) -> None:
    """Every element that is too wide or too high says so, with the millimetres."""
    found = problems(body)
    assert found
    assert any(problem.found.startswith(what) for problem in found), found
    assert all("mm are missing" in problem.allowed for problem in found)


def test_a_sheet_smaller_than_its_margins_is_refused() -> None:
    """A sheet of one millimetre has no content at all; that is a problem, not a crash."""
    assert problems("- total: {id: a, label: A}", size="1x1")


# -- symbols --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(symbols()))
def test_symbols_stay_on_their_grid(name: str) -> None:
    """A symbol's lines, stroke included, stay on its 24 x 24 grid, and it is no small speck."""
    place = Rect(0, 0, 24, 24)
    found = icons.draw(symbols()[name], place, style("expedition", "full"), "red", "#ffffff")
    whole = around(found[0], stroke=True)
    for path in found:
        assert place.contains(around(path, stroke=True), 0.6), around(path, stroke=True)
        whole = whole.union(around(path, stroke=True))
    assert max(whole.width, whole.height) > 18


def test_paths_without_letters_repeat_the_last() -> None:
    """Numbers after a command's own begin the same command again."""
    assert icons.parse("M1 2 L3 4 5 6 Z") == (("M", 1, 2), ("L", 3, 4), ("L", 5, 6), ("Z",))
    assert icons.parse("M1 2 3 4", 10, 20, 2)[1][1:] == (16, 28)


@STEADY
@given(st.floats(-50, 50), st.floats(-50, 50), st.floats(0.1, 4))
def test_paths_are_scaled_then_moved(x: float, y: float, scale: float) -> None:
    """An x goes with x and y with y, also for the six numbers of a curve."""
    ((_, a, b), (_, *c)) = icons.parse("M1 2 C3 4 5 6 7 8", x, y, scale)
    assert (a, b) == pytest.approx((x + scale, y + 2 * scale))
    assert c == pytest.approx([v * scale + (y if i % 2 else x) for i, v in enumerate(range(3, 9))])


def test_no_symbol_is_white_on_white() -> None:
    """A symbol whose fill is the paper's is an outline in its ink, in every mode."""
    for ink in ("full", "low", "bw"):
        paths_ = icons.draw(
            symbols()["peak"], Rect(0, 0, 5, 5), style("expedition", ink), "white", "#ffffff"
        )
        assert all(path.paint.fill is None for path in paths_)
        assert {path.paint.stroke for path in paths_} == {"#000000" if ink == "bw" else "#56616C"}


# -- templates and counts -------------------------------------------------------------------------


def test_numbers_nest() -> None:
    """Inside a numbered copy ids and templates know its number; after it they do not."""
    one = job({"rolls": 20})
    with one.numbered(Name("round"), 2), one.numbered(Name("half"), 1):
        one.box("sum", Rect(0, 0, 1, 1), "number", "")
        assert (
            one.words(Text({"": "{{ round }}.{{ half }} {{ rolls }}"}, HERE, template=True))
            == "2.1 20"
        )
    one.box("sum", Rect(0, 0, 1, 1), "number", "")
    assert [box.id for box in one.boxes] == ["sum_round2_half1", "sum"]
    assert one.count(Name("rolls")) == 20


def test_unknown_names_in_templates_are_said_with_their_place() -> None:
    """A template that names what does not exist is refused where it stands."""
    with pytest.raises(InputError, match=r"game\.yaml:[0-9]+:[0-9]+: .*nobody"):
        scene("- text: '{{ nobody }}'")


def test_all_problems_come_together() -> None:
    """What does not fit in different places is reported in one go."""
    found = problems("- total: {id: a, label: '☃'}\n- total: {id: b, label: '☂'}")
    assert len({problem.line for problem in found}) == 2


def test_boxes_for_sums_are_within_a_tolerance_of_the_content() -> None:
    """Layout compares sums of lengths with a tolerance: a row that fits exactly is no problem."""
    third = (105 - 14 - 6) / 3
    items = ", ".join(f"{{total: {{id: {n}, label: X, width: {third:.4f}}}}}" for n in "abc")
    assert problems(f"- row: {{gap: 3, items: [{items}]}}") == []
    assert math.isclose(third * 3 + 6, 91)


def test_rules_have_no_markers_and_no_code() -> None:
    """The back of a sheet is not scanned: no markers, no code, no boxes."""
    found: Any = game("- text: Words")
    back = found.sheets["score"]
    values = {name: getattr(found, name) for name in found.keys}
    with_rules = type(found)(**{**values, "rules": back, "sheets": {}})
    laid_out = lay_out(
        with_rules, back, style("expedition", "full"), symbols(), language="en", values={}
    )
    assert paths(laid_out, "fiducial") == []
    assert laid_out.boxes == ()
