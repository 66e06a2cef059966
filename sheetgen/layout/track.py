"""Tracks: ordered boxes between two rails, with ticks instead of dividing lines."""

from __future__ import annotations

import math
from typing import NamedTuple

from sheetgen.geometry import Rect
from sheetgen.layout.job import Job, Set
from sheetgen.model import Colour, Mark, Track
from sheetgen.scene import BoxKind, Paint, Segment, circle, line, polyline, rectangle
from sheetgen.theme import PAPER

NARROW_BOX = 5.0  # mm; values in narrower boxes are set smaller
VALUE_EDGE = 0.4  # mm between a value and its box's edge
FLARE = 1.5  # mm by which a bridge's rails draw in
WAVE = 22.0  # mm from crest to crest of the river
SWING = 0.5  # mm from its middle to a crest


class Lane(NamedTuple):
    """One lane: ``key`` is its colour or name, ``id`` begins its boxes' ids."""

    key: str
    id: str
    colour: Colour | None
    title: str

    @property
    def ink(self) -> str | None:
        """Its colour in the theme."""
        return self.colour.ink if self.colour else None


def box_count(job: Job, track: Track) -> int:
    """Return the number of boxes."""
    if track.values or track.entries:
        return len(track.values or track.entries)
    return job.count(track.boxes) if track.boxes is not None else 1


def track_length(job: Job, track: Track) -> float:
    """Return the least length of a track in mm."""
    gap = job.style.sizes["bridge"] if track.bridge else 0.0
    return box_count(job, track) * track.box + gap


def box_rects(job: Job, track: Track, strip: Rect, flow: str) -> list[Rect]:
    """Return the places of the boxes in ``strip``, box 1 first; ``flow`` is that of the lanes."""
    count = box_count(job, track)
    gap = job.style.sizes["bridge"] if track.bridge else 0.0
    whole = strip.height if flow == "down" else strip.width
    step = (whole - gap) / count
    places = []
    for index in range(count):
        before = index * step + (gap if track.bridge and index >= track.bridge.after else 0.0)
        if track.flow == "up":
            before = whole - before - step
        if flow == "down":
            places.append(Rect(strip.x, strip.y + before, strip.width, step))
        else:
            places.append(Rect(strip.x + before, strip.y, step, strip.height))
    return places


def place_track(job: Job, track: Track, lane: Lane, rect: Rect, flow: str) -> None:
    """Ink a lane's track and note its boxes."""
    boxes = box_rects(job, track, rect, flow)
    sections = _sections(track, boxes)
    radius = job.style.radii["box"]
    _tint(job, track, lane, boxes, sections, radius)
    for section in sections:
        job.draw(rectangle(section, radius), job.style.stroke("box", lane.ink), "track")
    _ticks(job, track, lane, boxes, flow)
    for mark in track.mark:
        _contour(job, mark, lane, boxes, flow, track)
    if track.second:
        paint = job.style.stroke("contour", lane.ink)
        for section in sections:
            x = section.center.x
            job.draw(line(x, section.y + 0.7, x, section.bottom - 0.7), paint, "contour")
    if track.bridge:
        _bridge(job, track, lane, boxes)
    _contents(job, track, lane, boxes)
    _note_boxes(job, track, lane, boxes)


def _sections(track: Track, boxes: list[Rect], after: int = 0) -> list[Rect]:
    """Return the runs of boxes between the track's bridges, beyond box ``after``."""
    gap = track.bridge.after if track.bridge else 0
    runs = [boxes[after : max(gap, after)], boxes[max(gap, after) :]]
    return [run[0].union(run[-1]) for run in runs if run]


def _tint(
    job: Job, track: Track, lane: Lane, boxes: list[Rect], sections: list[Rect], radius: float
) -> None:
    """Tint what means something: boxes beyond a mark, boxes with an effect, running totals."""
    tint = job.style.tint(lane.ink)
    whites = [(section, PAPER) for section in sections]
    tinted: list[tuple[Rect, str]] = []
    if tint:
        for mark in track.mark:
            if mark.tint:
                beyond = _sections(track, boxes, mark.after)
                tinted += [(run, tint) for run in beyond]
        effects = (track.effects or {}).get(lane.key, {})
        tinted += [(boxes[int(number) - 1], tint) for number in effects]
        if track.second:
            halves = [_halves(section)[1] for section in sections]
            tinted += [(half, tint) for half in halves]
    for place, colour in [*whites, *tinted]:
        section = next(s for s in sections if s.contains(place))
        job.draw(_within(place, section, radius), Paint(fill=colour), "ground")


def _within(place: Rect, section: Rect, radius: float) -> tuple[Segment, ...]:
    """Return ``place`` with those corners rounded that it shares with its section."""
    corners = [
        (place.x, place.y),
        (place.right, place.y),
        (place.right, place.bottom),
        (place.x, place.bottom),
    ]
    outer = [
        (section.x, section.y),
        (section.right, section.y),
        (section.right, section.bottom),
        (section.x, section.bottom),
    ]
    shared = [math.dist(a, b) < 1e-6 for a, b in zip(corners, outer, strict=True)]
    if all(shared):
        return rectangle(place, radius)
    if not any(shared):
        return rectangle(place)
    path: list[Segment] = []
    inward = [(1, 1), (-1, 1), (-1, -1), (1, -1)]
    for index, ((x, y), round_) in enumerate(zip(corners, shared, strict=True)):
        dx, dy = inward[index]
        # Clockwise from the top left: corners 0 and 2 are entered along y, 1 and 3 along x.
        along_y = (x, y + dy * radius)
        along_x = (x + dx * radius, y)
        enter, leave = (along_y, along_x) if index % 2 == 0 else (along_x, along_y)
        move = "L" if path else "M"
        if round_:
            near = 0.4477
            c1 = (x + (enter[0] - x) * near, y + (enter[1] - y) * near)
            c2 = (x + (leave[0] - x) * near, y + (leave[1] - y) * near)
            path += [(move, *enter), ("C", *c1, *c2, *leave)]
        else:
            path.append((move, x, y))
    path.append(("Z",))
    return tuple(path)


def _ticks(job: Job, track: Track, lane: Lane, boxes: list[Rect], flow: str) -> None:
    """Ink short ticks at both rails between neighbouring boxes, none where a dotted line runs."""
    length = job.style.sizes["tick"]
    paint = job.style.stroke("tick", lane.ink)
    marked = {mark.after for mark in track.mark}
    if track.bridge:
        marked.add(track.bridge.after)
    for number in range(1, len(boxes)):
        if number in marked:
            continue
        a, b = boxes[number - 1], boxes[number]
        if flow == "down":
            y, reach = max(a.y, b.y), min(length, a.width / 4)
            job.draw(line(a.x, y, a.x + reach, y), paint, "tick")
            job.draw(line(a.right - reach, y, a.right, y), paint, "tick")
        else:
            x, reach = max(a.x, b.x), min(length, a.height / 4)
            job.draw(line(x, a.y, x, a.y + reach), paint, "tick")
            job.draw(line(x, a.bottom - reach, x, a.bottom), paint, "tick")


def _contour(job: Job, mark: Mark, lane: Lane, boxes: list[Rect], flow: str, track: Track) -> None:
    """Ink a dotted line across the rails, its words in the line at its end."""
    a, b = boxes[mark.after - 1], boxes[mark.after]
    paint = job.style.stroke("contour", lane.ink)
    if flow == "right":
        x = max(a.x, b.x)
        job.draw(line(x, a.y + 0.7, x, a.bottom - 0.7), paint, "contour")
        return
    y, right = max(a.y, b.y), a.right - 0.5
    if mark.text:
        label = job.fit(job.words(mark.text), "threshold", a.width - 2, track.place)
        right = a.right - 1.1 - label.width
        job.put(label, right, y + job.cap(label) / 2, lane.ink)
        right -= 1.0
    job.draw(line(a.x + 0.7, y, right, y), paint, "contour")


def _contents(job: Job, track: Track, lane: Lane, boxes: list[Rect]) -> None:
    """Ink what is printed in the boxes: values, effects, small words."""
    _values(job, track, lane, boxes)
    tint = job.style.tint(lane.ink) or PAPER
    size = job.style.sizes["effect"]
    for number, symbol in (track.effects or {}).get(lane.key, {}).items():
        box = boxes[int(number) - 1]
        square = Rect(box.x + 1.5, box.center.y - size / 2, size, size)
        job.symbol(symbol, square, lane.ink, tint)
    for number, words in (track.notes or {}).get(lane.key, {}).items():
        box = boxes[int(number) - 1]
        note = job.fit(job.words(words), "note", box.width - 2.4, track.place)
        job.put(note, box.x + 1.3, box.bottom - 1.5, lane.ink)


def _values(job: Job, track: Track, lane: Lane, boxes: list[Rect]) -> None:
    """Ink the values to be ticked: symbols, or words that all have the size of the smallest."""
    lines: list[tuple[Set, Rect]] = []
    for value, box in zip(track.values, boxes, strict=False):
        if value in job.symbols:
            size = min(job.style.sizes["effect"], box.width - 0.4, box.height - 0.4)
            square = Rect(box.center.x - size / 2, box.center.y - size / 2, size, size)
            job.symbol(value, square, lane.ink)
        else:
            role = "entry" if box.width >= NARROW_BOX else "entry_small"
            lines.append((job.fit(value, role, box.width - 2 * VALUE_EDGE, track.place), box))
    smallest = min((words.size for words, _ in lines), default=0.0)
    for words, box in lines:
        shown = words._replace(size=smallest, width=words.width * smallest / words.size)
        job.put_in(shown, box, lane=lane.ink)


def _halves(box: Rect) -> tuple[Rect, Rect]:
    half = box.width / 2
    return box._replace(width=half), box._replace(x=box.x + half, width=half)


def _note_boxes(job: Job, track: Track, lane: Lane, boxes: list[Rect]) -> None:
    middle = f"{track.id}_" if track.id else ""
    for number, box in enumerate(boxes, 1):
        if track.entries:
            entry = track.entries[number - 1]
            name, label = f"{lane.id}_{entry.id}", job.words(entry.label)
        elif track.values:
            name, label = f"{lane.id}_{middle}{number}", track.values[number - 1]
        else:
            name, label = f"{lane.id}_{middle}{number}", str(number)
        label = f"{lane.title} {label}".strip()
        kind: BoxKind = "tick" if track.values else "number"
        if track.second:
            left, right = _halves(box)
            job.box(name, left, "number", label)
            job.box(f"{lane.id}_{track.second}_{number}", right, "number", label)
        else:
            job.box(name, box, kind, label)


# -- bridges --------------------------------------------------------------------------------------


def _bridge(job: Job, track: Track, lane: Lane, boxes: list[Rect]) -> None:
    """Ink two flared rails across the gap, and a ring to mark who crossed first."""
    assert track.bridge
    a, b = boxes[track.bridge.after - 1], boxes[track.bridge.after]
    top, bottom = (b.bottom, a.y) if track.flow == "up" else (a.bottom, b.y)
    x, right, y = a.x, a.right, (top + bottom) / 2
    mask = Rect(x + FLARE, top + 0.2, a.width - 2 * FLARE, bottom - top - 0.4)
    job.draw(rectangle(mask), Paint(fill=PAPER), "ground")
    paint = job.style.stroke("rail", lane.ink)
    for edge, way in ((x, 1), (right, -1)):
        outer, inner = edge + way * 0.2, edge + way * FLARE
        rail: tuple[Segment, ...] = (
            ("M", outer, top + 0.15),
            ("C", inner - way * 0.3, top + 0.5, inner, top + 1.2, inner, top + 2),
            ("L", inner, bottom - 2),
            ("C", inner, bottom - 1.2, inner - way * 0.3, bottom - 0.5, outer, bottom - 0.15),
        )
        job.draw(rail, paint, "bridge")
    radius = 2.6
    job.draw(circle(a.center.x, y, radius), job.style.stroke("ring", lane.ink, PAPER), "bridge")
    place = Rect(a.center.x - radius, y - radius, 2 * radius, 2 * radius)
    job.say(job.words(track.bridge.text), "ring", place, track.place, lane=lane.ink)
    label = f"{lane.title} {job.words(track.bridge.text)}".strip()
    job.box(f"{lane.id}_bridge", place, "tick", label)


def place_river(job: Job, track: Track, strip: Rect) -> None:
    """Ink the river that all lanes of a table cross, from edge to edge of the sheet."""
    assert track.bridge
    boxes = box_rects(job, track, strip, "down")
    a, b = boxes[track.bridge.after - 1], boxes[track.bridge.after]
    y = ((b.bottom + a.y) if track.flow == "up" else (a.bottom + b.y)) / 2
    x, right = job.content.x, job.content.right
    steps = max(int(right - x), 8)

    def wave(offset: float) -> list[tuple[float, float]]:
        along = [(right - x) * index / steps for index in range(steps + 1)]
        turn = math.tau / WAVE
        return [(x + at, y + offset + SWING * math.sin(at * turn)) for at in along]

    upper, lower = wave(-2.1), wave(2.1)
    if wash := job.style.wash():
        job.draw(polyline([*upper, *reversed(lower)], close=True), Paint(fill=wash), "ground")
    for points in (upper, wave(0), lower):
        job.draw(polyline(points), job.style.stroke("river"), "river")
