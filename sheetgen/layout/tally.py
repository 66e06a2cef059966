"""Tallies to tick, and strips that say what a count is worth."""

from __future__ import annotations

from sheetgen.geometry import Rect
from sheetgen.layout.job import LEAST, Job, Shape
from sheetgen.model import Lookup, Tally
from sheetgen.scene import circle, line, rectangle
from sheetgen.theme import PAPER

EVERY = 5  # tallies are counted in fives
MINUS = "−"


def points(number: int) -> str:
    """Return a number with a real minus sign."""
    return f"{MINUS}{-number}" if number < 0 else str(number)


LEAST_WAYPOINT = 2.3  # mm; a pen still marks one and not its neighbour
CLEAR = 0.12  # mm between waypoints


def _size(job: Job, tally: Tally) -> float:
    return job.style.sizes["waypoint" if tally.shape == "circle" else "check"]


def _mark(job: Job, tally: Tally, index: int, x: float, y: float, size: float) -> None:
    """Ink waypoint ``index`` (from 1) around (x, y) and note its box."""
    milestone = tally.numbers and index % EVERY == 0
    paint = job.style.stroke("milestone" if milestone else "waypoint")
    rect = Rect(x - size / 2, y - size / 2, size, size)
    if tally.shape == "circle":
        job.draw(circle(x, y, size / 2), paint._replace(fill=PAPER), "tally")
    else:
        job.draw(rectangle(rect, job.style.radii["check"]), paint._replace(fill=PAPER), "tally")
    job.box(f"{tally.id}_{index}", rect, "tick", f"{job.words(tally.label)} {index}".strip())


# -- along a line ---------------------------------------------------------------------------------


def _label_width(job: Job, tally: Tally) -> float:
    width = job.measure(job.words(tally.label), "label") + 2.4 if tally.label else 0.0
    if tally.note:
        width += job.measure(job.words(tally.note), "hint") + 1.6
    return width + (job.style.sizes["small"] + 1.2 if tally.symbol else 0.0)


def _step(job: Job, tally: Tally) -> tuple[float, float]:
    """Return the least and the greatest distance between waypoints in mm."""
    size = _size(job, tally)
    least = LEAST_WAYPOINT + CLEAR if tally.shape == "circle" else size + CLEAR
    if tally.scale:
        least = max(least, 5.0)
    return least, max(least, 1.5 * size)


def _over(job: Job, tally: Tally) -> float:
    """Return how far the points of a waypoint stand out at either side of it in mm."""
    if not tally.scale:
        return 0.0
    values = job.variant.tables[tally.scale]
    widest = max(job.measure(points(value), "number") for value in values)
    return max((widest - _size(job, tally)) / 2, 0.0)


def _rows(job: Job, tally: Tally, width: float) -> tuple[bool, int]:
    """Return whether the label stands on the line, and how many lines of waypoints there are."""
    least, _ = _step(job, tally)
    count = job.count(tally.count)
    label = _label_width(job, tally)
    width -= 2 * _over(job, tally)
    if label + (count - 1) * least + 3 <= width + LEAST:
        return True, 1
    per_row = max(int((width - LEAST_WAYPOINT) / least) + 1, 1)
    return False, -(-count // per_row)


def _line_height(job: Job, tally: Tally) -> float:
    size = _size(job, tally)
    return size + (3.4 if tally.scale else 0.0)


def _tally_height(job: Job, tally: Tally, width: float) -> float:
    inline, rows = _rows(job, tally, width)
    height = rows * _line_height(job, tally) + (rows - 1) * 0.8
    return height if inline else height + job.style.sizes["small"] + 0.6


def _place_tally(job: Job, tally: Tally, rect: Rect) -> None:
    if tally.flow == "down":
        place_trail(job, tally, rect)
        return
    inline, rows = _rows(job, tally, rect.width)
    left, rect = rect.x, rect.inset(_over(job, tally), 0)
    size = _size(job, tally)
    count = job.count(tally.count)
    per_row = -(-count // rows)
    label = _label_width(job, tally)
    _, greatest = _step(job, tally)
    room = rect.width - (label if inline else 0) - size
    step = min(room / max(per_row - 1, 1), greatest)
    if step < size + CLEAR:
        step = (room + size + CLEAR) / per_row
        size = step - CLEAR
    x = (rect.right - step * (per_row - 1) if inline else rect.x + size) - size / 2
    y = rect.y + size / 2
    strip = Rect(left, rect.y, label if inline else rect.width, size)
    if not inline:
        y += job.style.sizes["small"] + 0.6
        strip = strip._replace(height=job.style.sizes["small"] - 0.6)
    _place_label(job, tally, strip)
    for row in range(rows):
        here = min(per_row, count - row * per_row)
        if tally.shape == "circle":
            job.draw(line(x, y, x + step * (here - 1), y), job.style.stroke("trail"), "trail")
        for index in range(here):
            number = row * per_row + index + 1
            at = x + step * index
            _mark(job, tally, number, at, y, size)
            if tally.scale:
                _place_points(job, tally, number, at, y + size / 2)
        y += _line_height(job, tally) + 0.8


def _place_label(job: Job, tally: Tally, strip: Rect) -> None:
    x = strip.x
    if tally.symbol:
        size = job.style.sizes["small"]
        job.symbol(tally.symbol, Rect(x, strip.center.y - size / 2, size, size))
        x += size + 1.2
    if tally.label:
        label = job.fit(job.words(tally.label), "label", strip.right - x, tally.place)
        job.put_in(label, Rect(x, strip.y, label.width, strip.height), "left")
        x += label.width + 1.6
    if tally.note:
        note = job.fit(job.words(tally.note), "hint", strip.right - x, tally.place)
        job.put_in(note, Rect(x, strip.y, note.width, strip.height), "left")


def _place_points(job: Job, tally: Tally, number: int, x: float, y: float) -> None:
    assert tally.scale
    scale = job.variant.tables[tally.scale]
    value = scale[min(number, len(scale) - 1)]
    job.say(points(value), "number", Rect(x - 4, y + 0.6, 8, 2.6), tally.place)


TALLY = Shape(
    _label_width,
    _tally_height,
    _place_tally,
    lambda job, tally: 1.0 if tally.flow == "down" else 0.0,
)


# -- down a gutter --------------------------------------------------------------------------------


def place_trail(job: Job, tally: Tally, rect: Rect) -> None:
    """Ink a tally from the top of ``rect`` to its foot: label, numbers, waypoints."""
    count = job.count(tally.count)
    step = (rect.height - _size(job, tally)) / max(count - 1, 1)
    size = min(_size(job, tally), step - CLEAR)
    if size < LEAST_WAYPOINT:
        least = (LEAST_WAYPOINT + CLEAR) * count
        job.too_small(tally.place, f"a tally of {count}", least, rect.height)
    x, top = rect.right - size / 2, rect.y + size / 2
    job.draw(line(x, top, x, rect.bottom - size / 2), job.style.stroke("trail"), "trail")
    for index in range(1, count + 1):
        y = top + step * (index - 1)
        _mark(job, tally, index, x, y, size)
        if tally.numbers and index % EVERY == 0:
            job.say(
                str(index), "number", Rect(x - size / 2 - 5, y - 1, 4.2, 2), tally.place, "right"
            )
    if tally.label:
        label = job.fit(job.words(tally.label), "label", rect.height, tally.place)
        job.put(label, rect.x + job.cap(label), rect.center.y + label.width / 2, angle=90)


# -- what a count is worth ------------------------------------------------------------------------

CELL = 6.4  # least width of a cell in mm


def _lookup_head(job: Job, lookup: Lookup) -> float:
    labels = [job.measure(job.words(w), "gutter") for w in (lookup.label, lookup.points) if w]
    if lookup.symbol:
        labels.append(job.style.sizes["small"])
    return max(labels) + 2 if labels else 0.0


def _place_lookup(job: Job, lookup: Lookup, rect: Rect) -> None:
    scale = job.variant.tables[lookup.table]
    head = _lookup_head(job, lookup)
    step = min((rect.width - head) / len(scale), 14.0)
    upper = Rect(rect.x, rect.y, head, 3.2)
    lower = Rect(rect.x, rect.y + 4.4, head, 3.2)
    if lookup.symbol:
        job.symbol(lookup.symbol, upper._replace(width=upper.height))
    elif lookup.label:
        job.say(job.words(lookup.label), "gutter", upper, lookup.place, "left")
    if lookup.points:
        job.say(job.words(lookup.points), "gutter", lower, lookup.place, "left")
    middle = rect.y + 3.8
    right = rect.x + head + step * len(scale)
    job.draw(line(rect.x, middle, right, middle), job.style.stroke("rule"), "rule")
    for count, value in enumerate(scale):
        x = rect.x + head + step * count
        last = lookup.more and count == len(scale) - 1
        job.say(
            f"{count}{'+' if last else ''}", "number", Rect(x, upper.y, step, 3.2), lookup.place
        )
        role = "ladder_gain" if value > 0 else "ladder"
        job.say(points(value), role, Rect(x, lower.y, step, 3.2), lookup.place)


LOOKUP = Shape(
    lambda job, lookup: _lookup_head(job, lookup) + CELL * len(job.variant.tables[lookup.table]),
    lambda job, lookup, width: 7.6,
    _place_lookup,
)
