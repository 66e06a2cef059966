"""Words, writing lines, result boxes, keys and icons."""

from __future__ import annotations

from sheetgen.geometry import Rect
from sheetgen.layout.job import LEAST, Job, Set, Shape
from sheetgen.layout.stack import share
from sheetgen.model import Fields, Icon, Legend, Paragraph, Total
from sheetgen.scene import line, rectangle

# -- paragraphs -----------------------------------------------------------------------------------


def _lines(job: Job, paragraph: Paragraph, width: float) -> list[Set]:
    if paragraph.rules and not job.rules:
        return []
    return job.wrap(job.words(paragraph.text), paragraph.style, width, paragraph.place)


def _paragraph_height(job: Job, paragraph: Paragraph, width: float) -> float:
    lines = _lines(job, paragraph, width)
    leading = job.style.type(paragraph.style).leading
    return (len(lines) - 1) * leading + job.cap(lines[0]) if lines else 0.0


def _place_paragraph(job: Job, paragraph: Paragraph, rect: Rect) -> None:
    lines = _lines(job, paragraph, rect.width)
    set_lines(job, lines, rect, paragraph.align)


def set_lines(job: Job, lines: list[Set], rect: Rect, align: str) -> None:
    """Ink lines below each other, the first line's capitals at the top of ``rect``."""
    for index, item in enumerate(lines):
        leading = job.style.type(item.role).leading
        strip = Rect(rect.x, rect.y + index * leading, rect.width, job.cap(item))
        job.put_in(item, strip, align)


PARAGRAPH = Shape(lambda job, paragraph: 0.0, _paragraph_height, _place_paragraph)


# -- writing lines --------------------------------------------------------------------------------


def fields_height(job: Job) -> float:
    """Return the height of a row of writing lines: room to write, the line, the label."""
    return job.style.space["write"] + 3.2


def _fields_least_width(job: Job, fields: Fields) -> float:
    labels = [job.measure(job.words(item.label), "label") for item in fields.items]
    return sum(labels) + job.style.space["group"] * (len(labels) - 1)


def place_fields(job: Job, fields: Fields, rect: Rect) -> None:
    """Ink writing lines; the labels hang at the foot of ``rect``."""
    gap = job.style.space["group"]
    least = [
        item.width or job.fit(job.words(item.label), "label", 400, item.place).width
        for item in fields.items
    ]
    spare = rect.width - sum(least) - gap * (len(least) - 1)
    if spare < -LEAST:
        job.too_small(fields.items[0].place, "the row of fields", rect.width - spare, rect.width)
    weights = [item.weight or (0.0 if item.width else 1.0) for item in fields.items]
    extra = share(max(spare, 0), weights)
    x, y = rect.x, rect.bottom - 3.2
    widths = [width + more for width, more in zip(least, extra, strict=True)]
    for item, width in zip(fields.items, widths, strict=True):
        job.draw(line(x, y, x + width, y), job.style.stroke("field"), "field")
        label = job.fit(job.words(item.label), "label", width, item.place)
        job.put(label, x, y + 1.3 + job.cap(label))
        room = Rect(x, rect.y, width, y - rect.y)
        if item.value is None:
            job.box(item.id, room, "text", job.words(item.label))
        else:
            value = job.fit(job.words(item.value), "value", width, item.place)
            job.put(value, x, y - 1.4)
        x += width + gap


FIELDS = Shape(_fields_least_width, lambda job, fields, width: fields_height(job), place_fields)


# -- results --------------------------------------------------------------------------------------


def _place_total(job: Job, total: Total, rect: Rect) -> None:
    rect = rect._replace(height=total.height)
    role = "total" if total.emphasis == "total" else "plain"
    job.draw(rectangle(rect, job.style.radii["box"]), job.style.stroke(role), "box")
    words = job.words(total.label)
    kind = "total_label" if role == "total" else "label"
    label = job.fit(words, kind, rect.width - 3.2, total.place)
    job.put(label, rect.x + 1.6, rect.y + 1.5 + job.cap(label))
    job.box(total.id, rect, "score", words)


TOTAL = Shape(
    lambda job, total: job.measure(job.words(total.label), "total_label") + 3.2,
    lambda job, total, width: total.height,
    _place_total,
)


# -- keys and icons -------------------------------------------------------------------------------


WIDE_KEY = 40.0  # mm; wider keys stand among text to be read, and are set like it


def _key_role(width: float) -> str:
    return "reading" if width >= WIDE_KEY else "rules"


def _entries(job: Job, legend: Legend, width: float) -> list[list[Set]]:
    indent = job.style.sizes["key"] + 1.6
    return [
        job.wrap(job.words(entry.text), _key_role(width), width - indent, legend.place)
        for entry in legend.entries
    ]


def _legend_height(job: Job, legend: Legend, width: float) -> float:
    size, leading = job.style.sizes["key"], job.style.type(_key_role(width)).leading
    heights = [
        max(size, (len(lines) - 1) * leading + size) for lines in _entries(job, legend, width)
    ]
    title = 5.0 if legend.title else 0.0
    return title + sum(heights) + 1.3 * (len(heights) - 1)


def _place_legend(job: Job, legend: Legend, rect: Rect) -> None:
    size, leading = job.style.sizes["key"], job.style.type(_key_role(rect.width)).leading
    y = rect.y
    if legend.title:
        title = job.fit(job.words(legend.title), "label", rect.width, legend.place)
        job.put(title, rect.x, y + job.cap(title))
        y += 5.0
    for entry, lines in zip(legend.entries, _entries(job, legend, rect.width), strict=True):
        job.symbol(entry.symbol, Rect(rect.x, y, size, size))
        for index, item in enumerate(lines):
            strip = Rect(rect.x + size + 1.6, y + index * leading, rect.width, size)
            job.put_in(item, strip, "left")
        y += max(size, (len(lines) - 1) * leading + size) + 1.3


LEGEND = Shape(lambda job, legend: 20.0, _legend_height, _place_legend)


def _place_icon(job: Job, icon: Icon, rect: Rect) -> None:
    lane = job.variant.colours[icon.colour].ink if icon.colour else None
    job.symbol(icon.symbol, rect._replace(height=icon.size), lane)


ICON = Shape(lambda job, icon: icon.size, lambda job, icon, width: icon.size, _place_icon)
