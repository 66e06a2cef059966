"""The parts of a table's lanes: heads, tracks, boxes, circles and what they cost in length."""

from __future__ import annotations

from typing import Any

from sheetgen.geometry import Rect
from sheetgen.layout.job import Job
from sheetgen.layout.tally import place_trail
from sheetgen.layout.track import Lane, box_rects, place_track, track_length
from sheetgen.model import Check, Constant, Head, Options, Ring, Table, Track, WriteBox
from sheetgen.scene import BoxKind, circle, rectangle
from sheetgen.theme import PAPER

NARROW_HEAD = 11.0  # mm; letters of narrower heads are set smaller
SYMBOL_GAP = 1.2  # mm between a label and its symbol
HINT_GAP = 1.8  # mm before a hint
OPTION_GAP = 0.3  # mm that stay white between circles
LEAST_OPTION = 3.2  # mm; their diameter gives way before they touch


def length(job: Job, table: Table, part: Any) -> float:
    """Return the natural length of a part along the lanes, in mm."""
    sizes = job.style.sizes
    down = table.flow == "down"
    if isinstance(part, Track):
        return track_length(job, part)
    if part.height is not None:
        return float(part.height)
    if isinstance(part, Head):
        natural = (sizes["head"] if _coloured(table) else 4.0) if down else 11.0
    elif isinstance(part, WriteBox):
        natural = sizes["score" if part.kind == "score" else "box"] if down else 10.0
    elif isinstance(part, Constant):
        natural = 3.0 if down else job.measure(job.words(part.text), "constant")
    elif isinstance(part, Options):
        natural = sizes["option"] if down else (sizes["option"] + 0.3) * len(part.options)
    elif isinstance(part, Check):
        words = job.measure(job.words(part.text), "constant")
        natural = sizes["check"] if down else sizes["check"] + 1 + words
    else:
        natural = sizes["ring"]
    return natural


def _coloured(table: Table) -> bool:
    return any(group.count is None for group in table.groups)


# -- the gutter -----------------------------------------------------------------------------------


def _label_role(table: Table) -> str:
    return "gutter" if table.labels == "right" else "title_row"


def label_width(job: Job, table: Table, part: Any) -> float:
    """Return the width of a part's labels in the gutter, in mm."""
    role = _label_role(table)

    def line(label: Any, symbol: Any, hint: Any) -> float:
        width = job.measure(job.words(label), role) if label else 0.0
        if symbol:
            width += _symbol_size(job) + (SYMBOL_GAP if label else 0.0)
        return width + (job.measure(job.words(hint), "hint") + HINT_GAP if hint else 0.0)

    widths = [line(part.label, part.symbol, part.hint)]
    if isinstance(part, Track):
        widths += [line(entry.label, entry.symbol, entry.hint) for entry in part.entries]
    return max(widths)


def place_label(job: Job, table: Table, part: Any, gutter: Rect) -> None:
    """Ink a part's label, the labels of a track's boxes, or the tally beside a track."""
    if isinstance(part, Track):
        if part.aside:
            place_trail(job, part.aside, gutter)
            return
        boxes = box_rects(job, part, gutter, "down")
        for entry, box in zip(part.entries, boxes, strict=False):
            _place_line(job, table, entry, box)
        if part.numbers:
            for number, box in enumerate(boxes, 1):
                job.say(str(number), "ladder", box, part.place, "right")
        if part.entries or part.numbers:
            return
    _place_line(job, table, part, gutter)


def _symbol_size(job: Job) -> float:
    return job.style.sizes["small"] + 0.6


def _place_line(job: Job, table: Table, source: Any, strip: Rect) -> None:
    """Ink a label, its symbol and its hint: from the left, or up to the right edge."""
    role = _label_role(table)
    small = _symbol_size(job)
    taken = small + SYMBOL_GAP if source.symbol else 0.0
    label = None
    if source.label:
        label = job.fit(job.words(source.label), role, strip.width - taken, source.place)
        taken += label.width
    hint = None
    if source.hint:
        room = strip.width - taken - HINT_GAP
        hint = job.fit(job.words(source.hint), "hint", room, source.place)
        job.put_in(hint, strip, "right")
    if table.labels == "left":
        x = strip.x
        if source.symbol:
            job.symbol(source.symbol, Rect(x, strip.center.y - small / 2, small, small))
            x += small + SYMBOL_GAP
        if label:
            job.put_in(label, strip._replace(x=x, width=label.width), "left")
        return
    right = strip.right - (hint.width + HINT_GAP if hint else 0.0)
    if source.symbol:
        job.symbol(source.symbol, Rect(right - small, strip.center.y - small / 2, small, small))
        right -= small + SYMBOL_GAP
    if label:
        job.put_in(label, strip._replace(width=right - strip.x), "right")


# -- the lanes ------------------------------------------------------------------------------------


def place(job: Job, table: Table, part: Any, lane: Lane, rect: Rect) -> None:
    """Lay a part of one lane out in ``rect``."""
    if isinstance(part, Track):
        place_track(job, part, lane, rect, table.flow)
    elif isinstance(part, Head):
        _place_head(job, part, lane, rect)
    elif isinstance(part, WriteBox):
        _place_box(job, part, lane, rect)
    elif isinstance(part, Constant):
        job.say(job.words(part.text), "constant", rect, part.place)
    elif isinstance(part, Options):
        _place_options(job, part, lane, rect)
    elif isinstance(part, Check):
        _place_check(job, part, lane, rect)
    elif isinstance(part, Ring):
        _place_ring(job, part, lane, rect)


def _place_head(job: Job, part: Head, lane: Lane, rect: Rect) -> None:
    """Ink symbol and letter, centred together; a lane without colour has its title."""
    if lane.colour is None:
        job.say(lane.title, "label", rect, part.place)
        return
    letter = job.words(lane.colour.letter)
    size = min(job.style.sizes["symbol"], rect.height, rect.width * 0.46)
    narrow = rect.width < NARROW_HEAD
    gap = 0.9 if narrow else 1.2
    line = job.fit(
        letter, "letter_small" if narrow else "letter", rect.width - size - gap, part.place
    )
    x = rect.center.x - (size + gap + line.width) / 2
    job.symbol(lane.colour.symbol, Rect(x, rect.center.y - size / 2, size, size), lane.ink)
    job.put_in(line, Rect(x + size + gap, rect.y, line.width, rect.height), "left", lane.ink)


def _place_box(job: Job, part: WriteBox, lane: Lane, rect: Rect) -> None:
    score = part.kind == "score"
    fill = job.style.tint(lane.ink) if score else PAPER
    if part.kind == "text":
        paint = job.style.stroke("field")
        job.draw((("M", rect.x, rect.bottom), ("L", rect.right, rect.bottom)), paint, "field")
    else:
        role = ("score" if lane.ink else "total") if score else "plain"
        paint = job.style.stroke(role, lane.ink, fill)
        job.draw(rectangle(rect, job.style.radii["box"]), paint, "box")
    if score and lane.colour:
        letter = job.fit(job.words(lane.colour.letter), "box_label", rect.width, part.place)
        job.put(letter, rect.x + 1.3, rect.y + 1.1 + job.cap(letter), lane.ink)
    label = f"{lane.title} {job.words(part.label)}".strip()
    kind: BoxKind = "score" if score else "text" if part.kind == "text" else "number"
    job.box(f"{lane.id}_{part.id}", rect, kind, label)


def _place_options(job: Job, part: Options, lane: Lane, rect: Rect) -> None:
    count = len(part.options)
    room = (rect.width - OPTION_GAP * (count - 1)) / count
    if room < LEAST_OPTION:
        least = (LEAST_OPTION + OPTION_GAP) * count - OPTION_GAP
        job.too_small(part.place, f"{count} circles", least, rect.width)
    size = min(job.style.sizes["option"], max(room, LEAST_OPTION))
    step = min((rect.width - size) / max(count - 1, 1), size * 1.5)
    x = rect.center.x - step * (count - 1) / 2
    for option in part.options:
        place = Rect(x - size / 2, rect.center.y - size / 2, size, size)
        paint = job.style.stroke("option", fill=PAPER)
        job.draw(circle(x, rect.center.y, size / 2), paint, "option")
        job.say(option, "option", place, part.place)
        label = f"{lane.title} {job.words(part.label)} {option}"
        job.box(f"{lane.id}_{part.id}_{option}", place, "tick", " ".join(label.split()))
        x += step


def _place_check(job: Job, part: Check, lane: Lane, rect: Rect) -> None:
    size, gap = job.style.sizes["check"], 1.0
    words = job.words(part.text)
    line = job.fit(words, "constant", rect.width - size - gap, part.place)
    x = rect.center.x - (size + gap + line.width) / 2
    place = Rect(x, rect.center.y - size / 2, size, size)
    job.draw(
        rectangle(place, job.style.radii["check"]), job.style.stroke("check", fill=PAPER), "check"
    )
    job.put_in(line, Rect(x + size + gap, rect.y, line.width, rect.height), "left")
    job.box(f"{lane.id}_{part.id}", place, "tick", f"{lane.title} {words}".strip())


def _place_ring(job: Job, part: Ring, lane: Lane, rect: Rect) -> None:
    radius = job.style.sizes["ring"] / 2
    x, y = rect.center
    paint = job.style.stroke("ring", lane.ink, PAPER)
    job.draw(circle(x, y, radius), paint, "ring")
    if part.double:
        job.draw(circle(x, y, radius - 0.6), paint, "ring")
    place = Rect(x - radius, y - radius, 2 * radius, 2 * radius)
    job.say(job.words(part.text), "ring", place, part.place, lane=lane.ink)
    job.box(f"{lane.id}_{part.id}", place, "tick", f"{lane.title} {job.words(part.text)}".strip())
