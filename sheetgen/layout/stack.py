"""Rows, columns and empty room: sharing out width and height."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sheetgen.geometry import Rect
from sheetgen.layout.job import LEAST, Job, Shape
from sheetgen.model import Column, Line, Row


def share(spare: float, weights: Sequence[float]) -> list[float]:
    """Return ``spare`` shared out by weight; nothing if there are no weights."""
    total = sum(weights)
    return [spare * weight / total if total else 0.0 for weight in weights]


def _copies(job: Job, line: Line) -> range:
    return range(1, job.count(line.repeat) + 1)


def _gap(job: Job, line: Line) -> float:
    return job.style.space["group"] if line.gap is None else line.gap


def _each(job: Job, line: Line, use: Callable[[Any], float]) -> list[float]:
    """Return what ``use`` gives for every element of every copy, its number known to templates."""
    results = []
    for number in _copies(job, line):
        with job.numbered(line.name, number):
            results += [use(item) for item in line.items]
    return results


def _row_least_width(job: Job, row: Row) -> float:
    widths = _each(job, row, job.least_width)
    return sum(widths) + _gap(job, row) * (len(widths) - 1)


def _row_widths(job: Job, row: Row, width: float) -> list[float]:
    widths = _each(job, row, job.least_width)
    spare = width - sum(widths) - _gap(job, row) * (len(widths) - 1)
    if spare < -LEAST:
        job.too_small(row.place, "the row", width - spare, width)
    extra = share(max(spare, 0), _each(job, row, lambda item: float(item.weight)))
    return [least + more for least, more in zip(widths, extra, strict=True)]


def _row_height(job: Job, row: Row, width: float) -> float:
    widths = iter(_row_widths(job, row, width))
    return max(_each(job, row, lambda item: job.height(item, next(widths))))


def _place_row(job: Job, row: Row, rect: Rect) -> None:
    widths = iter(_row_widths(job, row, rect.width))
    x = rect.x

    def place(item: Any) -> float:
        nonlocal x
        width = next(widths)
        natural = job.height(item, width)
        slack = 0.0 if job.grows(item) else max(rect.height - natural, 0)
        offset = {"start": 0.0, "center": slack / 2, "end": slack}[row.align]
        job.place(item, Rect(x, rect.y + offset, width, rect.height - slack))
        x += width + _gap(job, row)
        return width

    _each(job, row, place)


def _row_grows(job: Job, row: Row) -> float:
    return min(job.grows(item) for item in row.items)


def _column_least_width(job: Job, column: Column) -> float:
    return max(_each(job, column, job.least_width))


def _column_height(job: Job, column: Column, width: float) -> float:
    heights = _each(job, column, lambda item: job.height(item, width))
    return sum(heights) + _gap(job, column) * (len(heights) - 1)


def _place_column(job: Job, column: Column, rect: Rect) -> None:
    spare = rect.height - _column_height(job, column, rect.width)
    if spare < -LEAST:
        job.too_small(column.place, "the column", rect.height - spare, rect.height)
    extra = iter(share(max(spare, 0), _each(job, column, job.grows)))
    y = rect.y

    def place(item: Any) -> float:
        nonlocal y
        height = job.height(item, rect.width) + next(extra)
        job.place(item, Rect(rect.x, y, rect.width, height))
        y += height + _gap(job, column)
        return height

    _each(job, column, place)


def _column_grows(job: Job, column: Column) -> float:
    return sum(job.grows(item) for item in column.items)


def place_zones(job: Job, items: Sequence[Any], rect: Rect) -> None:
    """Lay out the body of a sheet, with a gap before and after each zone.

    Spare height goes to growing elements, else into the gaps, up to the theme's ``zone``; what then
    is left stays at the foot.
    """
    heights = [job.height(item, rect.width) for item in items]
    gap = job.style.space["group"]
    spare = rect.height - sum(heights) - gap * (len(items) + 1)
    if spare < -LEAST:
        job.too_small(items[0].place, "the body of the sheet", rect.height - spare, rect.height)
    weights = [job.grows(item) for item in items]
    extra = share(max(spare, 0), weights)
    if not sum(weights):
        gap += min(max(spare, 0) / (len(items) + 1), job.style.space["zone"])
    y = rect.y + gap
    for item, height, more in zip(items, heights, extra, strict=True):
        job.place(item, Rect(rect.x, y, rect.width, height + more))
        y += height + more + gap


ROW = Shape(_row_least_width, _row_height, _place_row, _row_grows)
COLUMN = Shape(_column_least_width, _column_height, _place_column, _column_grows)
SPACE = Shape(
    lambda job, space: 0.0,
    lambda job, space, width: space.height,
    lambda job, space, rect: None,
    lambda job, space: space.weight,
)
