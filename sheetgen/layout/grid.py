"""Grids of boxes drawn from a map of letters."""

from __future__ import annotations

from sheetgen.geometry import Rect
from sheetgen.layout.job import Job, Shape
from sheetgen.model import Grid
from sheetgen.scene import BoxKind, rectangle
from sheetgen.theme import PAPER

GAP = 0.8  # mm between boxes


def _columns(grid: Grid) -> int:
    return max(len(row) for row in grid.map)


def _least(count: int, box: float) -> float:
    return count * box + (count - 1) * GAP


def _place(job: Job, grid: Grid, rect: Rect) -> None:
    columns, rows = _columns(grid), len(grid.map)
    side = min(
        (rect.width - GAP * (columns - 1)) / columns, (rect.height - GAP * (rows - 1)) / rows
    )
    x0 = rect.center.x - _least(columns, side) / 2
    for row, letters in enumerate(grid.map):
        for column, letter in enumerate(letters):
            cell = grid.legend[letter]
            if cell.blank:
                continue
            place = Rect(x0 + column * (side + GAP), rect.y + row * (side + GAP), side, side)
            ink = job.variant.colours[cell.colour].ink if cell.colour else None
            fill = (job.style.tint(ink) if ink else None) or PAPER
            paint = job.style.stroke("box" if ink else "plain", ink, fill)
            job.draw(rectangle(place, job.style.radii["box"]), paint, "box")
            if cell.symbol:
                size = min(job.style.sizes["effect"], side - 1)
                square = Rect(place.center.x - size / 2, place.center.y - size / 2, size, size)
                job.symbol(cell.symbol, square, ink, fill)
            elif cell.text:
                job.say(job.words(cell.text), "entry", place.inset(0.4, 0), grid.place, lane=ink)
            kind: BoxKind = "tick" if grid.tick else "number"
            name = f"{grid.id}_{row + 1}_{column + 1}"
            job.box(name, place, kind, f"{job.words(cell.text)} {row + 1}, {column + 1}".strip())


GRID = Shape(
    lambda job, grid: _least(_columns(grid), grid.box),
    lambda job, grid, width: _least(len(grid.map), grid.box),
    _place,
    lambda job, grid: grid.weight,
)
