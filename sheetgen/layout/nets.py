"""Paper dice: nets to cut, fold and glue, packed onto pages."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sheetgen.errors import InputError, Problem
from sheetgen.geometry import Point, Rect, Size
from sheetgen.layout.face import POLYGON, TRIANGLE, draw_face, ground, inset
from sheetgen.layout.job import Job
from sheetgen.layout.page import body, place_foot, place_head, scene, stroke
from sheetgen.model import Die
from sheetgen.paper import describe
from sheetgen.scene import Item, Path, Scene, line, polyline, rectangle, shifted
from sheetgen.solids import SOLIDS, Net, net
from sheetgen.text import Text

# Edge in mm (a d10's kite from tip to tip) of a paper die that folds well from office paper.
USUAL_SIZES = {"d4": 28.0, "d6": 20.0, "d8": 24.0, "d10": 28.0, "d12": 16.0, "d20": 20.0}
SMALLEST = {"d4": 16.0, "d6": 10.0, "d8": 14.0, "d10": 22.0, "d12": 10.0, "d20": 13.0}
LARGEST = 80.0
TAB = 6.0  # mm, the depth of a glue tab on a large die
MOST_DICE = 600
GAP = 6.0  # mm between nets
CAPTION = 5.0  # mm below a net
LINES = (("cut", "total"), ("tab", "cut"), ("fold", "fold"))  # what they mean, and their line roles


class Copy(NamedTuple):
    """One die to be made; ``number`` counts within its set."""

    name: str
    number: int
    die: Die


def copies(job: Job, sets: int) -> list[Copy]:
    """Return every die of ``sets`` sets, set by set."""
    each = sum(die.count for die in (job.variant.dice or {}).values())
    if each * sets > MOST_DICE:
        found = f"{sets} sets of {each} dice"
        raise InputError(Problem(found, f"at most {MOST_DICE} dice are printed at once"))
    dice = [(name, die) for name, die in (job.variant.dice or {}).items() for _ in range(die.count)]
    return [
        Copy(str(name), number, die)
        for _ in range(sets)
        for number, (name, die) in enumerate(dice, 1)
    ]


# -- nets -----------------------------------------------------------------------------------------


def net_pages(
    job: Job, phrases: Mapping[str, Text], sets: int, size: float | None, papers: Sequence[Size]
) -> list[Scene]:
    """Return pages with the nets of all dice, on that one of ``papers`` that needs fewest pages.

    ``size`` is the edge of the set's d6 in mm, or of its first kind (a d10's kite); other kinds
    follow in proportion. Raises
    :class:`InputError` for a size that cannot be folded, or a net larger than the paper.
    """
    made = copies(job, sets)
    kinds = list(dict.fromkeys(copy.die.kind for copy in made))
    nets = {kind: net(kind, edge, TAB) for kind, edge in _net_sizes(kinds, size).items()}
    fitting = [paper for paper in papers if all(_fits(n, paper) for n in nets.values())]
    if not fitting:
        raise InputError(_misfit(nets, papers))
    # The first of the best: upright paper, dice in their order, straight rows.
    paper, pages = min(
        (
            (paper, _pack(_in_order(made, nets, order), nets, paper, rows=rows))
            for paper in fitting
            for order in ("given", "height", "width")
            for rows in (True, False)
        ),
        key=lambda packed: len(packed[1]),
    )
    return [_net_page(job, phrases, page, nets, paper) for page in pages]


def _net_sizes(kinds: Sequence[str], size: float | None) -> dict[str, float]:
    """Return the size of each kind in mm: ``size`` is the d6's, else the first kind's.

    The others grow and shrink with it, but not below what can be folded.
    """
    measure = "d6" if "d6" in kinds else kinds[0]
    if size is None:
        size = USUAL_SIZES[measure]
    if not SMALLEST[measure] <= size <= LARGEST:
        allowed = f"a {measure} of paper may have {SMALLEST[measure]:g} to {LARGEST:g} mm"
        raise InputError(Problem(f"found {size:g} mm", allowed, where="--size"))
    scale = size / USUAL_SIZES[measure]
    return {kind: max(USUAL_SIZES[kind] * scale, SMALLEST[kind]) for kind in kinds}


def _fits(shape: Net, paper: Size) -> bool:
    room = body(paper, LINES)
    width, height = shape.bounds[2:]
    return width <= room.width + 1e-6 and height + CAPTION <= room.height + 1e-6


def _misfit(nets: dict[str, Net], papers: Sequence[Size]) -> Problem:
    """Say which net has no room, and how much room the paper has, however it lies."""
    kind, shape = next((k, n) for k, n in nets.items() if not _fits(n, papers[0]))
    rooms = []
    for paper in papers:
        room = body(paper, LINES)
        free = Size(max(room.width, 0), max(room.height - CAPTION, 0))
        rooms.append(describe(free))
    return Problem(
        f"the net of a {kind} is {describe(Size(*shape.bounds[2:]))}",
        f"the page has room for {' or, turned, '.join(rooms)}; "
        "give a smaller --size or a larger --paper",
    )


def _in_order(made: Sequence[Copy], nets: dict[str, Net], order: str) -> list[Copy]:
    """Return the dice set by set, those of a set in their order or the largest first."""

    def rank(numbered: tuple[int, Copy]) -> tuple[int, float]:
        number, copy = numbered
        bounds = nets[copy.die.kind].bounds
        first = {"given": 0.0, "height": -bounds.height, "width": -bounds.width}[order]
        return number // len(made_once), first

    made_once = {copy.number for copy in made}
    return [copy for _, copy in sorted(enumerate(made), key=rank)]


def _pack(
    made: Sequence[Copy], nets: dict[str, Net], paper: Size, *, rows: bool
) -> list[list[tuple[Copy, Point]]]:
    """Put nets onto pages in their order, in straight rows or each as high as it can lie."""
    room = body(paper, LINES)
    pages: list[list[tuple[Copy, Point]]] = [[]]
    taken: list[Rect] = []
    row = Rect(0, 0, 0, 0)  # what the current row takes so far
    for copy in made:
        width, height = nets[copy.die.kind].bounds[2:]
        height += CAPTION
        if not rows:
            at = _highest(taken, width, room.width)
        elif row.width and row.right + GAP + width > room.width + 1e-6:
            at = Point(0, row.bottom + GAP)
        else:
            at = Point(row.right + GAP if row.width else 0, row.y)
        if at.y + height > room.height + 1e-6:
            pages.append([])
            taken.clear()
            row = Rect(0, 0, 0, 0)
            at = Point(0, 0)
        place = Rect(*at, width, height)
        row = place if at.x == 0 else row.union(place)
        taken.append(place)
        pages[-1].append((copy, at))
    return pages


def _highest(taken: Sequence[Rect], width: float, available: float) -> Point:
    """Return the highest place below everything for something ``width`` mm wide, leftmost first."""
    best = Point(0, max((rect.bottom + GAP for rect in taken), default=0.0))
    for x in (0.0, *(rect.right + GAP for rect in taken)):
        if x + width <= available + 1e-6:
            above = [
                rect.bottom + GAP
                for rect in taken
                if rect.x < x + width + GAP - 1e-6 and x < rect.right + GAP - 1e-6
            ]
            best = min(best, Point(x, max(above, default=0.0)), key=lambda at: (at.y, at.x))
    return best


def _net_page(
    job: Job,
    phrases: Mapping[str, Text],
    placed: list[tuple[Copy, Point]],
    nets: dict[str, Net],
    paper: Size,
) -> Scene:
    room = body(paper, LINES)
    used = max(at.x + nets[copy.die.kind].bounds.width for copy, at in placed)
    indent = (room.width - used) / 2
    job.items = []
    place_head(job, paper)
    for copy, at in placed:
        shape = nets[copy.die.kind]
        x, y = room.x + indent + at.x, room.y + at.y
        job.items += [shifted(item, x, y) for item in _net_items(job, copy, shape)]
        caption = Rect(x, y + shape.bounds.height + 1.5, shape.bounds.width, CAPTION - 1.5)
        job.say(str(copy.number), "label", caption, copy.die.place)
    place_foot(job, paper, phrases, LINES)
    return scene(job, paper)


def _net_items(job: Job, copy: Copy, shape: Net) -> list[Item]:
    """Return the ink of one net, its bounding box starting at (0, 0)."""
    before, job.items = job.items, []
    for index, polygon in enumerate(shape.faces):
        job.items += _face_items(job, copy.die, index, polygon)
    for joint in shape.joints:
        job.draw(polyline(joint.tab), stroke(job, "cut"), "glue")
        x = sum(point.x for point in joint.tab) / 4
        y = sum(point.y for point in joint.tab) / 4
        job.say(joint.letter, "number", Rect(x - 3, y - 1.5, 6, 3), copy.die.place)
    for a, b in shape.folds:
        job.draw(line(*a, *b), stroke(job, "fold"), "fold")
    for a, b in shape.cuts:
        job.draw(line(*a, *b), stroke(job, "total"), "cut")
    items, job.items = job.items, before
    return items


def _face_items(job: Job, die: Die, index: int, polygon: tuple[Point, ...]) -> list[Item]:
    """Return one face: its ground, and its ink turned so that its top points where it should."""
    center, radius = _middle(die.kind, polygon)
    top = polygon[0]
    if die.kind == "d6":
        top = Point((top.x + polygon[1].x) / 2, (top.y + polygon[1].y) / 2)
    angle = math.degrees(math.atan2(-(top.y - center.y), top.x - center.x)) - 90
    face = die.faces[index]
    if die.kind == "d4":
        return _d4_items(job, die, index, polygon)
    if die.kind == "d6":
        side = math.dist(polygon[0], polygon[1])
        art = side * 0.82
        square = Rect(center.x - art / 2, center.y - art / 2, art, art)
        items = ground(job, die, face, rectangle(square, art * 0.12))
        return items + draw_face(job, die, face, center, art, angle)
    items = ground(job, die, face, inset(polygon, 0.14))
    corner = TRIANGLE if len(polygon) == 3 else POLYGON
    return items + draw_face(job, die, face, center, radius * 1.2, angle, corner)


def _middle(kind: str, polygon: tuple[Point, ...]) -> tuple[Point, float]:
    """Return the middle of the largest circle in a face, and its radius, in mm."""
    if kind == "d10":
        # A kite's circle touches all four sides; its middle lies on the axis from tip to blunt end.
        tip, side, blunt, _ = polygon
        long_, short = math.dist(tip, side), math.dist(side, blunt)
        share = long_ / (long_ + short)
        center = Point(tip.x + (blunt.x - tip.x) * share, tip.y + (blunt.y - tip.y) * share)
    else:
        count = len(polygon)
        center = Point(sum(p.x for p in polygon) / count, sum(p.y for p in polygon) / count)
    a, b = polygon[0], polygon[1]
    length = math.dist(a, b)
    across = abs((b.x - a.x) * (a.y - center.y) - (a.x - center.x) * (b.y - a.y))
    return center, across / length


def _d4_items(job: Job, die: Die, index: int, polygon: tuple[Point, ...]) -> list[Item]:
    """Return a d4's face: the results of its three corners, each upright at its corner.

    A d4 lies on the face of its result; the three others show it at the corner that points up,
    which is the corner that the face below does not have.
    """
    solid = SOLIDS["d4"]
    center, radius = _middle("d4", polygon)
    items: list[Item] = [Path(inset(polygon, 0.14), job.style.stroke("plain"), "face")]
    for corner, point in zip(solid.faces[index], polygon, strict=True):
        below = next(i for i, loop in enumerate(solid.faces) if corner not in loop)
        at = Point(center.x + (point.x - center.x) * 0.5, center.y + (point.y - center.y) * 0.5)
        angle = math.degrees(math.atan2(-(point.y - center.y), point.x - center.x)) - 90
        items += draw_face(job, die, die.faces[below], at, radius * 0.85, angle)
    return items
