"""The table: lanes by parts, with a gutter for labels and scales.

Lanes run down (parts below each other) or to the right (parts side by side); a part is laid out by
:mod:`sheetgen.layout.parts` in the rectangle it gets here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sheetgen.geometry import Rect
from sheetgen.layout import parts
from sheetgen.layout.job import LEAST, Job, Shape
from sheetgen.layout.parts import Lane
from sheetgen.layout.stack import share
from sheetgen.layout.tally import points
from sheetgen.layout.track import box_rects, place_river
from sheetgen.model import Head, Lanes, Lattice, Part, Ring, Track


class Group(NamedTuple):
    """A group's place along the lanes' axis, in mm from the lattice's edge."""

    source: Lanes
    lanes: tuple[Lane, ...]
    gutter: float


def groups(job: Job, lattice: Lattice) -> list[Group]:
    """Return the groups with their lanes and the widths of their gutters."""
    found = []
    for index, source in enumerate(lattice.groups):
        lanes = tuple(_lanes(job, lattice, source))
        if source.gutter is not None:
            gutter = source.gutter
        elif lattice.flow == "right":
            gutter = job.style.space["group"] if index else 0.0
        elif index == 0:
            gutter = max(job.style.space["gutter"], _labels_width(job, lattice))
        else:
            gutter = job.style.space["gutter" if source.scale else "group"]
        found.append(Group(source, lanes, gutter))
    return found


def _lanes(job: Job, lattice: Lattice, source: Lanes) -> list[Lane]:
    suffix = f"_{lattice.id}" if lattice.id else ""
    if source.count is None:
        colours = job.variant.colours
        return [
            Lane(name, name + suffix, colours[name], job.words(colours[name].name))
            for name in source.lanes
        ]
    name = source.lanes[0]
    numbers = range(1, job.count(source.count) + 1)
    titles = [job.words(source.title, lane=number) if source.title else "" for number in numbers]
    return [
        Lane(f"{name}{number}", f"{name}{number}{suffix}", None, title)
        for number, title in zip(numbers, titles, strict=True)
    ]


def _labels_width(job: Job, lattice: Lattice) -> float:
    gap = job.style.space["label"]
    widths = [parts.label_width(job, lattice, part) for part in lattice.rows]
    return max(widths) + gap if any(widths) else 0.0


def lane_width(job: Job, lattice: Lattice, width: float) -> float:
    """Return the width of a lane that runs down, in mm."""
    found = groups(job, lattice)
    gap = _gap(job, lattice)
    count = sum(len(group.lanes) for group in found)
    gaps = sum(gap * (len(group.lanes) - 1) for group in found)
    return (width - sum(group.gutter for group in found) - gaps) / count


def _gap(job: Job, lattice: Lattice) -> float:
    return job.style.space["lane"] if lattice.gap is None else lattice.gap


def _space_before(job: Job, before: Part | None, part: Part) -> float:
    if part.space is not None:
        return part.space
    if before is None:
        return 0.0
    if isinstance(before, Track) or (isinstance(part, Track) and not isinstance(before, Head)):
        return job.style.space["group"]
    return job.style.space["within"]


def _lengths(job: Job, lattice: Lattice) -> tuple[list[float], list[float]]:
    """Return the room before each part and its natural length along the lanes, in mm."""
    before: list[Part | None] = [None, *lattice.rows[:-1]]
    spaces = [_space_before(job, b, part) for b, part in zip(before, lattice.rows, strict=True)]
    return spaces, [parts.length(job, lattice, part) for part in lattice.rows]


# -- the element ----------------------------------------------------------------------------------


def _least_width(job: Job, lattice: Lattice) -> float:
    if lattice.flow == "right":
        spaces, lengths = _lengths(job, lattice)
        return _labels_width(job, lattice) + sum(spaces) + sum(lengths)
    found = groups(job, lattice)
    gap = _gap(job, lattice)
    lanes = [lattice.lane * len(g.lanes) + gap * (len(g.lanes) - 1) for g in found]
    return sum(lanes) + sum(group.gutter for group in found)


def _height(job: Job, lattice: Lattice, width: float) -> float:
    if lattice.flow == "right":
        found = groups(job, lattice)
        count = sum(len(group.lanes) for group in found)
        gutters = sum(group.gutter for group in found)
        return count * lattice.lane + (count - len(found)) * _gap(job, lattice) + gutters
    spaces, lengths = _lengths(job, lattice)
    return sum(spaces) + sum(lengths)


def _place(job: Job, lattice: Lattice, rect: Rect) -> None:
    spaces, lengths = _lengths(job, lattice)
    down = lattice.flow == "down"
    labels = 0.0 if down else _labels_width(job, lattice)
    room = rect.height if down else rect.width - labels
    spare = room - sum(spaces) - sum(lengths)
    if spare < -LEAST:
        job.too_small(lattice.place, "the table", room - spare, room)
    lengths = [
        length + more
        for length, more in zip(
            lengths, share(max(spare, 0), [part.weight for part in lattice.rows]), strict=True
        )
    ]
    found = groups(job, lattice)
    across = _across(job, lattice, found, rect)
    if across < lattice.lane - LEAST:
        job.too_small(lattice.place, "a lane", lattice.lane, across)
    at = rect.y if down else rect.x + labels
    for part, space, length in zip(lattice.rows, spaces, lengths, strict=True):
        at += space
        strip = (
            Rect(rect.x, at, rect.width, length) if down else Rect(at, rect.y, length, rect.height)
        )
        _place_part(job, lattice, part, found, across, strip)
        at += length


def _across(job: Job, lattice: Lattice, found: list[Group], rect: Rect) -> float:
    if lattice.flow == "down":
        return lane_width(job, lattice, rect.width)
    count = sum(len(group.lanes) for group in found)
    gutters = sum(group.gutter for group in found)
    return (rect.height - gutters - _gap(job, lattice) * (count - len(found))) / count


def _place_part(
    job: Job, lattice: Lattice, part: Any, found: list[Group], across: float, strip: Rect
) -> None:
    down = lattice.flow == "down"
    gap = _gap(job, lattice)
    if isinstance(part, Track) and part.bridge:
        place_river(job, part, strip)
    at = strip.x if down else strip.y
    for index, group in enumerate(found):
        if down and group.gutter:
            gutter = Rect(at, strip.y, group.gutter - job.style.space["label"], strip.height)
            if index == 0:
                parts.place_label(job, lattice, part, gutter)
            _place_scale(job, group, part, gutter)
        at += group.gutter
        for lane in group.lanes:
            rect = (
                Rect(at, strip.y, across, strip.height)
                if down
                else Rect(strip.x, at, strip.width, across)
            )
            at += across + gap
            if part.only and lane.key not in part.only:
                continue
            parts.place(job, lattice, part, lane, rect)
        at -= gap


def _place_scale(job: Job, group: Group, part: Any, gutter: Rect) -> None:
    """Print the points of a group's lookup table beside the boxes they belong to."""
    if not group.source.scale:
        return
    scale = job.variant.tables[group.source.scale]
    place = group.source.place
    if isinstance(part, Track):
        rects = box_rects(job, part, gutter, "down")
        for value, box in zip(scale[1:], rects, strict=False):
            role = "ladder_gain" if value > 0 else "ladder"
            job.say(points(value), role, box, place, "right")
    elif isinstance(part, Ring):
        job.say(points(scale[0]), "ladder", gutter, place, "right")


def _grows(job: Job, lattice: Lattice) -> float:
    if lattice.flow == "right":
        return lattice.weight
    return float(sum(part.weight for part in lattice.rows))


LATTICE = Shape(_least_width, _height, _place, _grows)
