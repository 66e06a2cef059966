"""Rows, columns and empty room: sharing out width and height."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sheetgen.geometry import Rect
from sheetgen.layout.job import LEAST, Job, Shape
from sheetgen.model import Column, Line, Row, Space


def share(spare: float, weights: Sequence[float]) -> list[float]:
    """Return ``spare`` shared out by weight; nothing if there are no weights."""
    total = sum(weights)
    return [spare * weight / total if total else 0.0 for weight in weights]


def _copies(job: Job, line: Line) -> range:
    return range(1, job.count(line.repeat) + 1)


def _gap(job: Job, line: Line) -> float:
    return job.style.space["group"] if line.gap is None else line.gap


def _row_least_width(job: Job, row: Row) -> float:
    widths = [job.least_width(item) for item in row.items] * len(_copies(job, row))
    return sum(widths) + _gap(job, row) * (len(widths) - 1)


def row_widths(job: Job, row: Row, width: float) -> list[float]:
    """Return the widths of a row's elements, all copies, in mm."""
    items = list(row.items) * len(_copies(job, row))
    widths = [job.least_width(item) for item in items]
    spare = width - sum(widths) - _gap(job, row) * (len(items) - 1)
    if spare < -LEAST:
        job.too_small(row.place, "the row", width - spare, width)
    extra = share(max(spare, 0), [item.weight for item in items])
    return [width + more for width, more in zip(widths, extra, strict=True)]


def _row_height(job: Job, row: Row, width: float) -> float:
    widths = row_widths(job, row, width)
    items = list(row.items) * len(_copies(job, row))
    return max(job.height(item, w) for item, w in zip(items, widths, strict=True))


def _place_row(job: Job, row: Row, rect: Rect) -> None:
    widths = iter(row_widths(job, row, rect.width))
    x = rect.x
    for number in _copies(job, row):
        with job.numbered(row.name, number):
            for item in row.items:
                width = next(widths)
                natural = job.height(item, width)
                slack = 0.0 if job.grows(item) else max(rect.height - natural, 0)
                offset = {"start": 0.0, "center": slack / 2, "end": slack}[row.align]
                job.place(item, Rect(x, rect.y + offset, width, rect.height - slack))
                x += width + _gap(job, row)


def _column_least_width(job: Job, column: Column) -> float:
    return max(job.least_width(item) for item in column.items)


def _column_height(job: Job, column: Column, width: float) -> float:
    heights = [job.height(item, width) for item in column.items] * len(_copies(job, column))
    return sum(heights) + _gap(job, column) * (len(heights) - 1)


def _place_column(job: Job, column: Column, rect: Rect) -> None:
    copies = _copies(job, column)
    spare = rect.height - _column_height(job, column, rect.width)
    if spare < -LEAST:
        job.too_small(column.place, "the column", rect.height - spare, rect.height)
    extra = iter(share(max(spare, 0), [job.grows(item) for item in column.items] * len(copies)))
    y = rect.y
    for number in copies:
        with job.numbered(column.name, number):
            for item in column.items:
                height = job.height(item, rect.width) + next(extra)
                job.place(item, Rect(rect.x, y, rect.width, height))
                y += height + _gap(job, column)


def place_zones(job: Job, items: Sequence[Any], rect: Rect) -> None:
    """Lay out the body of a sheet: spare height goes to growing elements, else between the zones."""
    heights = [job.height(item, rect.width) for item in items]
    gap = job.style.space["group"]
    spare = rect.height - sum(heights) - gap * (len(items) - 1)
    if spare < -LEAST:
        job.too_small(items[0].place, "the body of the sheet", rect.height - spare, rect.height)
    weights = [job.grows(item) for item in items]
    extra = share(max(spare, 0), weights)
    if not sum(weights) and len(items) > 1:
        gap += min(max(spare, 0) / (len(items) - 1), job.style.space["zone"])
    y = rect.y
    for item, height, more in zip(items, heights, extra, strict=True):
        job.place(item, Rect(rect.x, y, rect.width, height + more))
        y += height + more + gap


def _line_grows(line: Line) -> float:
    return line.weight


ROW = Shape(_row_least_width, _row_height, _place_row, _line_grows)
COLUMN = Shape(_column_least_width, _column_height, _place_column, _line_grows)
SPACE = Shape(
    lambda job, space: 0.0,
    lambda job, space, width: space.height,
    lambda job, space, rect: None,
    lambda space: space.weight or 1.0 if isinstance(space, Space) else 0.0,
)
