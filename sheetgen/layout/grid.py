"""Grids of boxes drawn from a map of letters, with words around them and circles below."""

from __future__ import annotations

from sheetgen.geometry import Rect
from sheetgen.layout.job import LEAST, Job, Shape
from sheetgen.model import Cell, End, Grid
from sheetgen.scene import BoxKind, circle, rectangle
from sheetgen.theme import PAPER

HEAD = 3.8  # mm above the boxes for the columns' heads
END = 5.0  # mm, diameter of the circles below the columns
END_GAP = 0.8  # mm above them
CORNER = 2.4  # mm, of a colour's symbol in the corner of a box that holds something else
EDGE = 0.7  # mm from the box's edge to it


def _columns(grid: Grid) -> int:
    return max(len(row) for row in grid.map)


def _least(count: int, box: float, gap: float) -> float:
    return count * box + (count - 1) * gap


def _gutter(job: Job, grid: Grid) -> float:
    """Return the room for words before the rows and the circles in mm."""
    sides = [job.measure(side, "label") for side in grid.sides]
    labels = [job.measure(job.words(end.label), "gutter") for end in grid.ends if end.label]
    words = [*sides, *labels]
    return max(words) + job.style.space["label"] if words else 0.0


def _around(grid: Grid) -> float:
    """Return the height of what stands above and below the boxes in mm."""
    return (HEAD if grid.heads else 0.0) + (END_GAP + END) * len(grid.ends)


def _place(job: Job, grid: Grid, rect: Rect) -> None:
    columns, rows = _columns(grid), len(grid.map)
    gutter = _gutter(job, grid)
    width, height = rect.width - gutter, rect.height - _around(grid)
    gap = grid.gap
    side = min((width - gap * (columns - 1)) / columns, (height - gap * (rows - 1)) / rows)
    if side < grid.box - LEAST:
        job.too_small(grid.place, "a box of the grid", grid.box, side)
        return
    x0 = rect.x + gutter + (width - _least(columns, side, gap)) / 2
    y0 = rect.y + (HEAD if grid.heads else 0.0)
    step = side + gap
    for column, head in enumerate(grid.heads[:columns]):
        strip = Rect(x0 + column * step, rect.y, side, HEAD - 1.2)
        job.say(head, "label", strip, grid.place)
    for row, words in enumerate(grid.sides[:rows]):
        strip = Rect(rect.x, y0 + row * step, x0 - job.style.space["label"] - rect.x, side)
        job.say(words, "label", strip, grid.place, "right")
    for row, letters in enumerate(grid.map):
        for column, letter in enumerate(letters):
            cell = grid.legend[letter]
            if cell.blank:
                continue
            place = Rect(x0 + column * step, y0 + row * step, side, side)
            _place_cell(job, grid, cell, place)
            kind: BoxKind = "tick" if grid.tick else "number"
            name = f"{grid.id}_{row + 1}_{column + 1}"
            job.box(name, place, kind, f"{job.words(cell.text)} {row + 1}, {column + 1}".strip())
    y = y0 + _least(rows, side, gap)
    for end in grid.ends:
        y += END_GAP
        label = Rect(rect.x, y, x0 - job.style.space["label"] - rect.x, END)
        if end.label:
            job.say(job.words(end.label), "gutter", label, grid.place, "right")
        for column, value in enumerate(end.values[:columns]):
            strip = Rect(x0 + column * step, y, side, END)
            _place_end(job, grid, end, value, column, strip)
        y += END


def _place_cell(job: Job, grid: Grid, cell: Cell, place: Rect) -> None:
    colour = job.variant.colours[cell.colour] if cell.colour else None
    ink = colour.ink if colour else None
    fill = (job.style.tint(ink) if ink else None) or PAPER
    paint = job.style.stroke("box" if ink else "plain", ink, fill)
    # Boxes that touch have square corners; those that nearly touch are rounded less.
    job.draw(rectangle(place, min(job.style.radii["box"], 1.5 * grid.gap)), paint, "box")
    symbol = cell.symbol or (colour.symbol if colour and not cell.text else None)
    if symbol:
        job.symbol(
            symbol, _square(place, min(job.style.sizes["effect"], place.width - 1)), ink, fill
        )
    elif cell.text:
        job.say(job.words(cell.text), "entry", place.inset(0.4, 0), grid.place, lane=ink)
    if colour and symbol != colour.symbol:
        size = min(CORNER, place.width / 4)
        job.symbol(colour.symbol, Rect(place.x + EDGE, place.y + EDGE, size, size), ink, fill)


def _square(place: Rect, size: float) -> Rect:
    return Rect(place.center.x - size / 2, place.center.y - size / 2, size, size)


def _place_end(job: Job, grid: Grid, end: End, value: str, column: int, strip: Rect) -> None:
    size = min(END, strip.width)
    place = _square(strip, size)
    paint = job.style.stroke("option", fill=PAPER)
    job.draw(circle(*place.center, size / 2), paint, "option")
    job.say(value, "ladder", place.inset(0.5, 0), grid.place)
    head = grid.heads[column] if column < len(grid.heads) else column + 1
    label = f"{job.words(end.label)} {head}: {value}".strip()
    job.box(f"{end.id}_{column + 1}", place, "tick", label)


GRID = Shape(
    lambda job, grid: _gutter(job, grid) + _least(_columns(grid), grid.box, grid.gap),
    lambda job, grid, width: _least(len(grid.map), grid.box, grid.gap) + _around(grid),
    _place,
    lambda job, grid: grid.weight,
)
