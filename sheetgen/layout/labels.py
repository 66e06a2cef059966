"""Stickers for blank dice, on label stocks or on plain sticker paper, and the calibration page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sheetgen.errors import InputError, Problem
from sheetgen.geometry import Point, Rect, Size
from sheetgen.layout.face import draw_face, ground
from sheetgen.layout.job import Job
from sheetgen.layout.nets import Copy, copies
from sheetgen.layout.page import BORDER, body, place_foot, place_head, place_rule, scene
from sheetgen.layout.words import set_lines
from sheetgen.paper import PRINTABLE_INSET, describe
from sheetgen.scene import Scene, Segment, circle, rectangle
from sheetgen.stocks import Stock
from sheetgen.text import Text
from sheetgen.theme import PAPER

USUAL_SIZE = 12.0  # mm, of a label for the recess of a 16 mm die: measure yours with calibrate
SMALLEST, LARGEST = 6.0, 60.0
BLEED_GUARD = 0.5  # mm between a label's edge and its ink: what a printer may be off
PLAIN_GAP = 3.0  # mm between labels cut by hand
MARK_ROOM = 2.4  # mm that a die's number needs beside a label


class Shape(NamedTuple):
    """What a label looks like: ``size`` of its ink in mm, round or square, with corner radius."""

    size: Size
    round: bool
    radius: float | None


class Spot(NamedTuple):
    """A place for a label, and where a small number may stand beside it, if anywhere."""

    label: Rect
    beside: Rect | None


def label_pages(
    job: Job,
    phrases: Mapping[str, Text],
    *,
    sets: int,
    spots: Sequence[Spot],
    shape: Shape,
    start: int,
    paper: Size,
    cut: bool,
) -> list[Scene]:
    """Return pages of labels, the first one starting at label ``start`` (from 1).

    ``cut`` draws outlines to cut along, on paper without labels of its own. Raises
    :class:`InputError` if ``start`` is beyond the page.
    """
    if not 1 <= start <= len(spots):
        allowed = f"a page has labels 1 to {len(spots)}"
        raise InputError(Problem(f"found {start}", allowed, where="--start"))
    wanted = [(copy, index) for copy in copies(job, sets) for index in range(len(copy.die.faces))]
    pages = []
    free = list(spots[start - 1 :])
    while wanted:
        now, wanted = wanted[: len(free)], wanted[len(free) :]
        job.items = []
        if cut:
            place_head(job, paper, "")
            place_foot(job, paper, phrases, ("cut",))
        for (copy, index), spot in zip(now, free, strict=False):
            _place_label(job, copy, index, spot, shape, cut=cut)
        pages.append(scene(job, paper))
        free = list(spots)
    return pages


def _place_label(job: Job, copy: Copy, index: int, spot: Spot, shape: Shape, *, cut: bool) -> None:
    center = spot.label.center
    width, height = shape.size
    ink = Rect(center.x - width / 2, center.y - height / 2, width, height)
    inner = ink.inset(BLEED_GUARD)
    face = copy.die.faces[index]
    job.items += ground(job, copy.die, face, _outline(inner, shape))
    side = min(inner.width, inner.height) * (0.74 if shape.round else 0.94)
    job.items += draw_face(job, copy.die, face, center, side)
    if cut:
        job.draw(_outline(ink, shape), job.style.stroke("cut"), "cut")
    if index == 0 and spot.beside:
        job.say(str(copy.number), "number", spot.beside, copy.die.place)


def _outline(rect: Rect, shape: Shape) -> tuple[Segment, ...]:
    if shape.round:
        return circle(*rect.center, min(rect.width, rect.height) / 2)
    radius = min(rect.width, rect.height) * 0.12 if shape.radius is None else shape.radius
    return rectangle(rect, radius)


# -- where labels go ------------------------------------------------------------------------------


def stock_spots(stock: Stock, offset: Point, stretch: float) -> list[Spot]:
    """Return the labels of a stock; numbers stand in the gap before a label where there is one.

    Raises :class:`InputError` if the offset or the stretch pushes a label off the page.
    """
    labels = stock.labels(offset, stretch)
    page = Rect(0, 0, *stock.paper)
    if not all(page.contains(label, tolerance=0.2) for label in (labels[0], labels[-1])):
        raise InputError(
            Problem(
                f"an offset of {offset.x:g},{offset.y:g} mm with a pitch scale of {stretch:g} "
                "pushes labels off the page",
                f"the page is {describe(stock.paper)}",
                where="--offset",
            )
        )
    inner = page.inset(PRINTABLE_INSET)
    gap = labels[1].x - labels[0].right if stock.columns > 1 else 0.0
    spots = []
    for label in labels:
        beside = Rect(label.x - gap, label.center.y - 1.5, gap, 3)
        fits = gap >= MARK_ROOM and inner.contains(beside)
        spots.append(Spot(label, beside if fits else None))
    return spots


def plain_spots(size: Size, paper: Size) -> list[Spot]:
    """Return labels of ``size`` mm in rows on plain sticker paper, numbers in the gaps."""
    room = body(paper)
    step = Size(size.width + PLAIN_GAP, size.height + PLAIN_GAP)
    columns = int((room.width + PLAIN_GAP) / step.width)
    rows = int((room.height + PLAIN_GAP) / step.height)
    if columns < 1 or rows < 1:
        found = f"a label of {describe(size)}"
        allowed = f"the page has room for {describe(Size(room.width, room.height))}"
        raise InputError(Problem(found, allowed, where="--size"))
    left = room.x + (room.width - columns * step.width + PLAIN_GAP) / 2
    spots = []
    for row in range(rows):
        for column in range(columns):
            label = Rect(left + column * step.width, room.y + row * step.height, *size)
            beside = Rect(label.x - PLAIN_GAP, label.center.y - 1.5, PLAIN_GAP, 3)
            spots.append(Spot(label, beside if beside.x >= BORDER else None))
    return spots


def label_shape(
    stock: Stock | None, size: float | None, *, round_: bool | None, radius: float | None
) -> Shape:
    """Return what the labels look like. Raises :class:`InputError` if they do not fit the stock."""
    if size is not None and not SMALLEST <= size <= LARGEST:
        allowed = f"allowed are {SMALLEST:g} to {LARGEST:g} mm"
        raise InputError(Problem(f"found {size:g} mm", allowed, where="--size"))
    if stock is None:
        side = USUAL_SIZE if size is None else size
        return Shape(Size(side, side), bool(round_), radius)
    label = stock.size
    side = min(label) if size is None else size
    whole = Size(side, side)
    shape = Shape(whole, stock.shape == "round" if round_ is None else round_, radius)
    if stock.shape == "round" and not shape.round:
        fits = (side**2 * 2) ** 0.5 <= min(label) + 1e-6 if size is not None else True
        whole = whole if size is not None else Size(min(label) / 2**0.5, min(label) / 2**0.5)
        shape = shape._replace(size=whole)
    else:
        fits = side <= min(label) + 1e-6
    if not fits:
        found = f"a {'round' if shape.round else 'square'} label of {side:g} mm"
        allowed = f"the labels of {stock.title} are {stock.shape}, {describe(label)}"
        raise InputError(Problem(found, allowed, where="--size"))
    return shape


# -- calibration ----------------------------------------------------------------------------------

GAUGE = range(9, 26)  # mm, the squares to hold against a blank die


def calibration_pages(
    job: Job, phrases: Mapping[str, Text], stock: Stock | None, paper: Size
) -> list[Scene]:
    """Return a page to measure printer and dice with, and one with the outlines of a stock."""
    page = Rect(0, 0, *paper).inset(BORDER)
    column = Rect(page.center.x - 70, page.y + 14, 140, page.height)
    job.items = []
    place_head(job, paper, "")
    y = _place_words(job, phrases["measure_rule"], column)
    place_rule(job, column.x, y + 6, 100)
    y = _place_words(job, phrases["measure_square"], column._replace(y=y + 14))
    square = Rect(column.x, y + 1, 50, 50)
    job.draw(rectangle(square), job.style.stroke("key"), "rule")
    y = _place_words(job, phrases["measure_gauge"], column._replace(y=square.bottom + 8))
    _place_gauge(job, column, y + 1)
    pages = [scene(job, paper)]
    if stock:
        job.items = []
        for label in stock.labels():
            outline = (
                circle(*label.center, label.width / 2)
                if stock.shape == "round"
                else rectangle(label, 1.0)
            )
            job.draw(outline, job.style.stroke("rule"), "outline")
        panel = Rect(column.x - 4, page.center.y - 12, column.width + 8, 24)
        job.draw(rectangle(panel, 2), job.style.stroke("plain", fill=PAPER), "ground")
        head = column._replace(y=panel.y + 4)
        job.say(stock.title, "heading", head._replace(height=3), stock.place, "left")
        _place_words(job, phrases["measure_stock"], head._replace(y=head.y + 6))
        pages.append(scene(job, paper))
    return pages


def _place_words(job: Job, words: Text, column: Rect) -> float:
    """Ink a paragraph at the top of ``column``; return the y below it."""
    lines = job.wrap(job.words(words), "reading", column.width, words.place)
    set_lines(job, lines, column, "left")
    return column.y + len(lines) * job.style.type("reading").leading


def _place_gauge(job: Job, sheet: Rect, top: float) -> None:
    x, y, row = sheet.x, top, 0.0
    for side in GAUGE:
        if x + side > sheet.right:
            x, y, row = sheet.x, y + row + 2.5, 0.0
        square = Rect(x, y, side, side)
        job.draw(rectangle(square), job.style.stroke("key"), "rule")
        job.say(str(side), "number", square, job.variant.place)
        x += side + 2.5
        row = max(row, side)
