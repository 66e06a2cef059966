"""What is to be seen on the printed sheets, where the eye looks for it."""

from __future__ import annotations

import pytest
from laid import Case, around, cases, lay, style, variant
from seen import apart, dark, mean, part, picture, rgb, seen, usual

from sheetgen.geometry import Rect
from sheetgen.prepare import INKS
from sheetgen.scene import Path, Scene
from sheetgen.theme import PAPER

LOST = usual("lostdice")
ROLL = usual("lostcities-rollwrite")
SHEETS = [c for c in cases(inks=("full",)) if c.language == "en" and c.sheet != "back"]
SHEETS = list({(c.variant, c.sheet): c for c in SHEETS}.values())
NEAR = 3.0  # of 255, by which a colour may differ from the theme's

each_lane = pytest.mark.parametrize("lane", ["red", "yellow", "blue", "green", "white"])


def _box(case: Case, name: str) -> Rect:
    return next(box.rect for box in lay(case).boxes if box.id == name)


def _tint(case: Case, lane: str) -> str:
    theme = style("expedition", case.ink).theme
    return str(theme.colours[variant(case.variant).colours[lane].ink].tint)


def _middle(rect: Rect) -> Rect:
    """Return what of a box no line, no tick and no label reaches."""
    return Rect(rect.x + 3.2, rect.y + 2.2, rect.width - 6.4, rect.height - 3.4)


def _without(case: Case, place: Rect, role: str) -> Scene:
    """Return the scene of a case whose ink of one role inside ``place`` is missing."""
    scene = lay(case)
    kept = [i for i in scene.items if i.role != role or not place.overlaps(around(i, stroke=True))]
    assert len(kept) < len(scene.items)
    return scene._replace(items=tuple(kept))


@each_lane
def test_boxes_beyond_the_mark_are_tinted(lane: str) -> None:
    """From the eighth box on a lane has its tint; before, and in low ink and black, it is white."""
    tint = rgb(_tint(LOST, lane))
    assert apart(tint, rgb(PAPER)) > 2 * NEAR
    for number in range(1, 13):
        place = _middle(_box(LOST, f"{lane}_{number}"))
        expected = tint if number > 7 else rgb(PAPER)
        assert apart(mean(part(seen(LOST), place)), expected) < NEAR, number
        for ink in ("low", "bw"):
            assert mean(part(seen(LOST._replace(ink=ink)), place)) == rgb(PAPER), (ink, number)


@each_lane
def test_a_missing_tint_is_noticed(lane: str) -> None:
    """The picture of a sheet without a lane's tint differs where the test above looks."""
    place = _middle(_box(LOST, f"{lane}_10"))
    without = picture(_without(LOST, place, "ground"), LOST, 100)
    assert apart(mean(part(without, place)), rgb(_tint(LOST, lane))) > NEAR


def _symbol(case: Case, lane: str) -> Rect:
    """Return the place above a lane's first box where its head's symbol is."""
    first = _box(case, f"{lane}_1")
    found = [
        around(i)
        for i in lay(case).items
        if isinstance(i, Path) and i.role == "symbol" and around(i).bottom < first.y
    ]
    inside = [r for r in found if first.x - 0.1 <= r.x and r.right <= first.right]
    place = inside[0]
    for other in inside:
        place = place.union(other)
    return place


@each_lane
@pytest.mark.parametrize("ink", INKS)
def test_symbols_are_seen_in_the_heads(lane: str, ink: str) -> None:
    """Above every lane a symbol of some weight is seen, and it is its ink that is seen there."""
    case = LOST._replace(ink=ink)
    place = _symbol(case, lane)
    assert max(place.width, place.height) > 4
    share = dark(part(seen(case), place), 235)
    assert 0.1 < share < 0.95
    bare = picture(_without(case, place, "symbol"), case, 100)
    assert dark(part(bare, place), 235) == 0


@pytest.mark.parametrize("case", SHEETS, ids=str)
def test_writing_boxes_are_white_inside(case: Case) -> None:
    """A box for a number is white or evenly tinted where a player writes, whatever the ink."""
    theme = style("expedition", "full").theme
    tints = [rgb(str(ink.tint)) for ink in theme.colours.values()]
    tints += [rgb(PAPER), rgb(str(theme.neutral["tint"]))]
    image = seen(case)
    boxes = [box for box in lay(case).boxes if box.kind == "number" and box.rect.width >= 9]
    for box in boxes:
        # Right of a symbol, above small words, between the ticks.
        place = Rect(box.rect.x + 5.6, box.rect.y + 1.4, box.rect.width - 8.2, 2.0)
        colours = part(image, place).getcolors()
        assert colours is not None, box
        assert all(any(apart(c, t) <= 1 for t in tints) for _, c in colours), box  # type: ignore[arg-type]
        assert len(colours) <= 2, box


def test_the_river_runs_between_the_lanes_and_not_over_bridges() -> None:
    """Between lanes the river's water is seen; under a bridge the paper is white."""
    image = seen(ROLL)
    wash = rgb(str(style("expedition", "full").theme.neutral["wash"]))
    ring = _box(ROLL, "red_bridge")
    lane, following = _box(ROLL, "red_1"), _box(ROLL, "orange_1")
    left = Rect(lane.x + 2.2, ring.y + 0.4, ring.x - lane.x - 2.7, ring.height - 0.8)
    assert mean(part(image, left)) == rgb(PAPER)
    between = Rect(
        lane.right + 0.3, ring.y + 0.3, following.x - lane.right - 0.6, ring.height - 0.6
    )
    water = part(image, between)
    assert apart(mean(water), rgb(PAPER)) > 2 * NEAR
    colours = water.getcolors()
    assert colours is not None
    assert any(apart(c, wash) <= 1 for _, c in colours)  # type: ignore[arg-type]
    without = picture(_without(ROLL, left, "ground"), ROLL, 100)
    assert apart(mean(part(without, left)), rgb(PAPER)) > NEAR


@pytest.mark.parametrize("case", SHEETS, ids=str)
def test_black_and_white_is_grey(case: Case) -> None:
    """In black and white no pixel has a colour, and no large area is grey."""
    image = seen(case._replace(ink="bw"))
    red, green, blue = image.split()
    assert red.tobytes() == green.tobytes() == blue.tobytes()
    assert dark(image, 64) > 0.02


@pytest.mark.parametrize("case", SHEETS, ids=str)
def test_low_ink_uses_less(case: Case) -> None:
    """Low ink lays less ink on the paper than full, and prints no tint and no wash at all."""
    full, low = (255 - sum(mean(seen(case._replace(ink=ink)))) / 3 for ink in ("full", "low"))
    assert low < full - 0.05
    fills = {i.paint.fill for i in lay(case._replace(ink="low")).items if isinstance(i, Path)}
    assert {fill for fill in fills if fill} <= {PAPER, *_inks()}


def _inks() -> set[str]:
    """Return the colours of markers, codes and text: never a fill or a tint of a lane."""
    return {str(style("expedition", "low").theme.neutral["ink"])}


@pytest.mark.parametrize("case", SHEETS, ids=str)
def test_white_paper_does_most_of_the_work(case: Case) -> None:
    """At most an eighth of a sheet is ink, markers and code included."""
    assert 255 - sum(mean(seen(case))) / 3 < 255 / 8
