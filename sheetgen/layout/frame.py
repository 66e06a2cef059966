"""The frame of every sheet: head with title and fields, foot with the rules in short."""

from __future__ import annotations

from sheetgen.geometry import Rect
from sheetgen.layout.job import Job, Set
from sheetgen.layout.stack import share
from sheetgen.layout.words import fields_height, place_fields, set_lines
from sheetgen.model import Fields, Sheet


def place_head(job: Job, sheet: Sheet, *, markers: bool) -> float:
    """Ink title and fields between the corner markers; return the y below them in mm."""
    style, content = job.style, job.content
    size = style.sizes["marker"]
    side = size + style.space["clear"] if markers else 0.0
    band = Rect(content.x + side, content.y, content.width - 2 * side, size)
    title = job.words(sheet.heading or job.variant.title)
    if sheet.fields_below or not sheet.fields:
        # Wide backs are set in columns: their title stands on the edge of the first.
        centred = sheet.fields_below or (not markers and content.height > content.width)
        _place_title(job, sheet, title, band, centred=centred)
        if not sheet.fields:
            return band.bottom + style.space["within"]
        row = Rect(content.x, band.bottom, content.width, fields_height(job))
        place_fields(job, Fields(items=sheet.fields), row)
        return row.bottom
    left = _left(job, markers=markers)
    band = Rect(left, band.y, band.right - left, band.height)
    least = [item.width or job.measure(job.words(item.label), "label") for item in sheet.fields]
    fields = sum(least) + style.space["group"] * (len(least) - 1)
    used = _place_title(
        job, sheet, title, band._replace(width=band.width - fields - 6), centred=False
    )
    start = (
        band.x + used + 8 if any(not item.width for item in sheet.fields) else band.right - fields
    )
    row = Rect(start, band.y, band.right - start, size + 2)
    place_fields(job, Fields(items=sheet.fields), row)
    return row.bottom


def _place_title(job: Job, sheet: Sheet, title: str, band: Rect, *, centred: bool) -> float:
    """Ink title and subtitle on one baseline in the middle of ``band``; return their width."""
    subtitle = job.words(sheet.subtitle)
    gap = 3.4 if subtitle else 0.0
    second = Set("", "subtitle", 0, 0)
    if subtitle:
        second = job.fit(subtitle, "subtitle", band.width * 0.6, sheet.place)
    first = job.fit(title, "title", band.width - second.width - gap, sheet.place)
    used = first.width + gap + second.width
    x = band.center.x - used / 2 if centred else band.x
    baseline = band.center.y + job.cap(first) / 2
    job.put(first, x, baseline)
    if subtitle:
        job.put(second, x + first.width + gap, baseline)
    return used


WIDEST_INDENT = 20.0  # mm; beyond a wider gutter, head and foot start at the corner markers


def _left(job: Job, *, markers: bool) -> float:
    """Return where title and foot start: on the edge of the first lane if that is near, in mm."""
    side = job.style.sizes["marker"] + job.style.space["clear"] if markers else 0.0
    return job.content.x + max(side, job.gutter if job.gutter <= WIDEST_INDENT else 0.0)


def _base_room(job: Job) -> tuple[float, float]:
    """Return the left edge and the width of the room between the lower markers in mm."""
    left = _left(job, markers=True)
    side = job.style.sizes["marker"] + job.style.space["clear"]
    return left, job.content.right - side - left


def foot_height(job: Job, sheet: Sheet, *, markers: bool) -> float:
    """Return the height of the foot in mm."""
    height = job.style.sizes["marker"] if markers else 0.0
    return max(height, job.height(sheet.base, _base_room(job)[1])) if sheet.base else height


def place_foot(job: Job, sheet: Sheet) -> None:
    """Ink what stands between the lower markers: an element, or the rules in short in columns."""
    if sheet.base:
        left, width = _base_room(job)
        height = foot_height(job, sheet, markers=True)
        job.place(sheet.base, Rect(left, job.content.bottom - height, width, height))
        return
    if not sheet.foot or not job.rules:
        return
    style, content = job.style, job.content
    size = style.sizes["marker"]
    side = size + style.space["clear"]
    count = len(sheet.foot)
    left = content.x + side if count == 1 else _left(job, markers=True)
    right = content.right - side
    gap = style.space["group"]
    widths = share(right - left - gap * (count - 1), [1.0] * count)
    leading = style.type("rules").leading
    x = left
    for words, width in zip(sheet.foot, widths, strict=True):
        lines = job.wrap(job.words(words), "rules", width, words.place)
        height = (len(lines) - 1) * leading + job.cap(lines[0]) if lines else 0
        if height > size + 1.2:
            job.too_small(words.place, "the foot", height, size + 1.2)
        y = content.bottom - size / 2 - height / 2
        set_lines(job, lines, Rect(x, y, width, height), "center" if count == 1 else "left")
        x += width + gap
