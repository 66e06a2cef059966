"""The table: lanes by parts, with a gutter for labels and scales.

Lanes run down (parts below each other) or to the right (parts side by side); a part is laid out by
:mod:`sheetgen.layout.parts` in the rectangle it gets here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sheetgen.geometry import Rect
from sheetgen.layout import parts
from sheetgen.layout.job import LEAST, Job, Shape
from sheetgen.layout.stack import share
from sheetgen.layout.tally import points
from sheetgen.layout.track import Lane, box_rects, place_river
from sheetgen.model import Head, Lanes, Part, Ring, Table, Track


class Group(NamedTuple):
    """A group's place along the lanes' axis, in mm from the table's edge."""

    source: Lanes
    lanes: tuple[Lane, ...]
    gutter: float


def groups(job: Job, table: Table) -> list[Group]:
    """Return the groups with their lanes and the widths of their gutters."""
    found = []
    for index, source in enumerate(table.groups):
        lanes = tuple(_lanes(job, table, source))
        if source.gutter is not None:
            gutter = source.gutter
        elif table.flow == "right":
            gutter = job.style.space["group"] if index else 0.0
        elif index == 0:
            gutter = max(job.style.space["gutter"], _labels_width(job, table))
        else:
            gutter = job.style.space["gutter" if source.scale else "group"]
        found.append(Group(source, lanes, gutter))
    return found


def _lanes(job: Job, table: Table, source: Lanes) -> list[Lane]:
    suffix = f"_{table.id}" if table.id else ""
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


def _labels_width(job: Job, table: Table) -> float:
    gap = job.style.space["label"]
    widths = [parts.label_width(job, table, part) for part in table.rows]
    return max(widths) + gap if any(widths) else 0.0


def lane_width(job: Job, table: Table, width: float) -> float:
    """Return the width of a lane that runs down, in mm."""
    found = groups(job, table)
    gap = _gap(job, table, width)
    count = sum(len(group.lanes) for group in found)
    gaps = sum(gap * (len(group.lanes) - 1) for group in found)
    return (width - sum(group.gutter for group in found) - gaps) / count


LEAST_GAP = 0.5  # mm between lanes


def _gap(job: Job, table: Table, width: float | None = None) -> float:
    """Return the room between lanes: it gives way before lanes of a table ``width`` mm wide do.

    Without a width, return what it is at least where lanes run down.
    """
    wanted = job.style.space["lane"] if table.gap is None else table.gap
    if table.flow == "right":
        return wanted
    least = min(wanted, LEAST_GAP)
    if width is None:
        return least
    found = groups(job, table)
    lanes = sum(len(group.lanes) for group in found)
    spare = width - sum(group.gutter for group in found) - lanes * table.lane
    return min(max(spare / max(lanes - len(found), 1), least), wanted)


def _space_before(job: Job, before: Part | None, part: Part) -> float:
    if part.space is not None:
        return part.space
    if before is None:
        return 0.0
    if isinstance(before, Track) or (isinstance(part, Track) and not isinstance(before, Head)):
        return job.style.space["group"]
    return job.style.space["within"]


def _lengths(job: Job, table: Table) -> tuple[list[float], list[float]]:
    """Return the room before each part and its natural length along the lanes, in mm."""
    before: list[Part | None] = [None, *table.rows[:-1]]
    spaces = [_space_before(job, b, part) for b, part in zip(before, table.rows, strict=True)]
    return spaces, [parts.length(job, table, part) for part in table.rows]


# -- the element ----------------------------------------------------------------------------------


def _least_width(job: Job, table: Table) -> float:
    if table.flow == "right":
        spaces, lengths = _lengths(job, table)
        return sum(spaces) + sum(lengths)
    found = groups(job, table)
    gap = _gap(job, table)
    lanes = [table.lane * len(g.lanes) + gap * (len(g.lanes) - 1) for g in found]
    return sum(lanes) + sum(group.gutter for group in found)


def _height(job: Job, table: Table, width: float) -> float:
    if table.flow == "right":
        found = groups(job, table)
        count = sum(len(group.lanes) for group in found)
        gutters = sum(group.gutter for group in found)
        return count * table.lane + (count - len(found)) * _gap(job, table) + gutters
    spaces, lengths = _lengths(job, table)
    return sum(spaces) + sum(lengths)


def _place(job: Job, table: Table, rect: Rect) -> None:
    spaces, lengths = _lengths(job, table)
    down = table.flow == "down"
    room = rect.height if down else rect.width
    spare = room - sum(spaces) - sum(lengths)
    if spare < -LEAST:
        job.too_small(table.place, "the table", room - spare, room)
    lengths = [
        length + more
        for length, more in zip(
            lengths, share(max(spare, 0), [part.weight for part in table.rows]), strict=True
        )
    ]
    found = groups(job, table)
    across = _across(job, table, found, rect)
    if across < table.lane - LEAST:
        job.too_small(table.place, "a lane", table.lane, across)
    at = rect.y if down else rect.x
    for part, space, length in zip(table.rows, spaces, lengths, strict=True):
        at += space
        strip = (
            Rect(rect.x, at, rect.width, length) if down else Rect(at, rect.y, length, rect.height)
        )
        _place_part(job, table, part, found, across, strip)
        at += length


def _across(job: Job, table: Table, found: list[Group], rect: Rect) -> float:
    if table.flow == "down":
        return lane_width(job, table, rect.width)
    count = sum(len(group.lanes) for group in found)
    gutters = sum(group.gutter for group in found)
    return (rect.height - gutters - _gap(job, table) * (count - len(found))) / count


def _place_part(
    job: Job, table: Table, part: Any, found: list[Group], across: float, strip: Rect
) -> None:
    down = table.flow == "down"
    gap = _gap(job, table, strip.width)
    if isinstance(part, Track) and part.bridge:
        place_river(job, part, strip)
    at = strip.x if down else strip.y
    for index, group in enumerate(found):
        if down and group.gutter:
            gutter = Rect(at, strip.y, group.gutter - job.style.space["label"], strip.height)
            if index == 0:
                parts.place_label(job, table, part, gutter)
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
            parts.place(job, table, part, lane, rect)
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


def _grows(job: Job, table: Table) -> float:
    if table.flow == "right":
        return table.weight
    return float(sum(part.weight for part in table.rows))


TABLE = Shape(_least_width, _height, _place, _grows)
