"""Paper dice: nets to cut, fold and glue, packed onto pages."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sheetgen.errors import InputError, Problem
from sheetgen.geometry import Point, Rect, Size
from sheetgen.layout.face import draw_face, ground, inset
from sheetgen.layout.job import Job
from sheetgen.layout.page import body, place_foot, place_head, scene
from sheetgen.model import Die
from sheetgen.paper import describe
from sheetgen.scene import Item, Path, Scene, line, polyline, rectangle, shifted
from sheetgen.solids import SOLIDS, Net, net
from sheetgen.text import Text

# Edge in mm (a d10's kite from tip to tip) of a paper die that folds well from office paper.
USUAL_SIZES = {"d4": 28.0, "d6": 20.0, "d8": 24.0, "d10": 28.0, "d12": 16.0, "d20": 20.0}
SMALLEST = {"d4": 16.0, "d6": 10.0, "d8": 14.0, "d10": 18.0, "d12": 10.0, "d20": 13.0}
LARGEST = 80.0
TAB = 6.0  # mm, the depth of a glue tab on a large die
GAP = 6.0  # mm between nets
CAPTION = 5.0  # mm below a net


class Copy(NamedTuple):
    """One die to be made; ``number`` counts within its set."""

    name: str
    number: int
    die: Die


def copies(job: Job, sets: int) -> list[Copy]:
    """Return every die of ``sets`` sets, set by set."""
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

    ``size`` is the edge of a die in mm (a d10's kite), for all kinds alike. Raises
    :class:`InputError` for a size that cannot be folded, or a net larger than the paper.
    """
    made = copies(job, sets)
    nets = {}
    for copy in made:
        nets[copy.die.kind] = net(copy.die.kind, _net_size(copy.die, size), TAB)
    best: list[list[tuple[Copy, Point]]] | None = None
    chosen = papers[0]
    for paper in papers:
        pages = _pack(made, nets, paper)
        if pages is not None and (best is None or len(pages) < len(best)):
            best, chosen = pages, paper
    if best is None:
        largest = max((nets[copy.die.kind] for copy in made), key=lambda n: n.bounds.width)
        room = body(papers[0])
        raise InputError(
            Problem(
                f"a net of {describe(Size(largest.bounds.width, largest.bounds.height))}",
                f"the page has room for {describe(Size(room.width, room.height - CAPTION))}; "
                "give a smaller --size or a larger --paper",
            )
        )
    return [_net_page(job, phrases, page, nets, chosen) for page in best]


def _net_size(die: Die, size: float | None) -> float:
    usual = USUAL_SIZES[die.kind]
    if size is None:
        return usual
    if not SMALLEST[die.kind] <= size <= LARGEST:
        allowed = f"a {die.kind} of paper may have {SMALLEST[die.kind]:g} to {LARGEST:g} mm"
        raise InputError(Problem(f"found {size:g} mm", allowed, where="--size"))
    return size


def _pack(
    made: Sequence[Copy], nets: dict[str, Net], paper: Size
) -> list[list[tuple[Copy, Point]]] | None:
    """Put nets onto pages in rows, in their order; ``None`` if one is larger than a page."""
    room = body(paper)
    pages: list[list[tuple[Copy, Point]]] = [[]]
    x = y = row = 0.0
    for copy in made:
        width, height = nets[copy.die.kind].bounds[2:]
        height += CAPTION
        if width > room.width or height > room.height:
            return None
        if x and x + width > room.width:
            x, y, row = 0.0, y + row + GAP, 0.0
        if y + height > room.height:
            pages.append([])
            x = y = row = 0.0
        pages[-1].append((copy, Point(x, y)))
        x += width + GAP
        row = max(row, height)
    return pages


def _net_page(
    job: Job,
    phrases: Mapping[str, Text],
    placed: list[tuple[Copy, Point]],
    nets: dict[str, Net],
    paper: Size,
) -> Scene:
    room = body(paper)
    used = max(at.x + nets[copy.die.kind].bounds.width for copy, at in placed)
    indent = (room.width - used) / 2
    job.items = []
    place_head(job, paper, "")
    for copy, at in placed:
        shape = nets[copy.die.kind]
        x, y = room.x + indent + at.x, room.y + at.y
        job.items += [shifted(item, x, y) for item in _net_items(job, copy, shape)]
        caption = Rect(x, y + shape.bounds.height + 1.5, shape.bounds.width, CAPTION - 1.5)
        job.say(str(copy.number), "label", caption, copy.die.place)
    place_foot(job, paper, phrases, ("cut", "fold"))
    return scene(job, paper)


def _net_items(job: Job, copy: Copy, shape: Net) -> list[Item]:
    """Return the ink of one net, its bounding box starting at (0, 0)."""
    before, job.items = job.items, []
    style = job.style
    for index, polygon in enumerate(shape.faces):
        job.items += _face_items(job, copy.die, index, polygon)
    for joint in shape.joints:
        job.draw(polyline(joint.tab), style.stroke("cut"), "glue")
        x = sum(point.x for point in joint.tab) / 4
        y = sum(point.y for point in joint.tab) / 4
        job.say(joint.letter, "number", Rect(x - 3, y - 1.5, 6, 3), copy.die.place)
    for a, b in shape.folds:
        job.draw(line(*a, *b), style.stroke("fold"), "fold")
    for a, b in shape.cuts:
        job.draw(line(*a, *b), style.stroke("cut"), "cut")
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
    return items + draw_face(job, die, face, center, radius * 1.2, angle)


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
