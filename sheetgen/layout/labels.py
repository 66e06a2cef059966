"""Stickers for blank dice, on label stocks or on plain sticker paper, and the calibration page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from sheetgen.errors import InputError, Problem
from sheetgen.geometry import PT_PER_MM, Point, Rect, Size
from sheetgen.layout.face import CIRCLE, SQUARE, draw_face, ground, is_inverse
from sheetgen.layout.job import Job
from sheetgen.layout.nets import Copy, copies
from sheetgen.layout.page import BORDER, body, place_foot, place_head, place_rule, scene
from sheetgen.layout.words import set_lines
from sheetgen.paper import PRINTABLE_INSET, describe, parse_size
from sheetgen.scene import Item, Scene, Segment, bounds, circle, line, rectangle
from sheetgen.scene import Text as TextItem
from sheetgen.stocks import Stock
from sheetgen.text import Text
from sheetgen.theme import PAPER

USUAL_SIZE = 12.0  # mm, of a label for the recess of a 16 mm die: measure yours with calibrate
SMALLEST, LARGEST = 6.0, 60.0
BLEED_GUARD = 0.5  # mm between a label's edge and its ink: what a printer may be off
PLAIN_GAP = 3.0  # mm between labels cut by hand
CLEAR = 0.25  # mm around a die's number
CUTTING = 3.0  # mm of a label around its face, from which on a line says where to cut
LINES = (("cut", "cut"),)

# Where to cut: around each label on paper without labels of its own, or beside a face that is much
# smaller than its label.
Cut = Literal["outline", "sides", "nowhere"]


class Shape(NamedTuple):
    """What a label looks like: ``size`` of its ink in mm, round or square, with corner radius."""

    size: Size
    round: bool
    radius: float | None


class Spot(NamedTuple):
    """A place for a label, and the places beside it for a die's number, the best one first."""

    label: Rect
    beside: tuple[Rect, ...]


def label_pages(
    job: Job,
    phrases: Mapping[str, Text],
    *,
    sets: int,
    spots: Sequence[Spot],
    shape: Shape,
    start: int,
    paper: Size,
    cut: Cut,
) -> list[Scene]:
    """Return pages of labels, the first one starting at label ``start`` (from 1).

    Raises :class:`InputError` if ``start`` is beyond the page.
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
        if cut == "outline":
            place_head(job, paper)
            place_foot(job, paper, phrases, LINES)
        for (copy, index), spot in zip(now, free, strict=False):
            _place_label(job, copy, index, spot, shape, cut=cut)
        pages.append(scene(job, paper))
        free = list(spots)
    return pages


def _place_label(job: Job, copy: Copy, index: int, spot: Spot, shape: Shape, *, cut: Cut) -> None:
    center = spot.label.center
    width, height = shape.size
    ink = Rect(center.x - width / 2, center.y - height / 2, width, height)
    inner = ink.inset(BLEED_GUARD)
    face = copy.die.faces[index]
    job.items += ground(job, copy.die, face, _outline(inner, shape))
    side = min(inner.width, inner.height) * (0.74 if shape.round else 0.94)
    corner = CIRCLE if shape.round else SQUARE
    art = draw_face(job, copy.die, face, center, side, corner=corner)
    job.items += art
    if cut == "outline":
        job.draw(_outline(ink, shape), job.style.stroke("cut"), "cut")
    elif cut == "sides" and not shape.round:
        _place_cuts(job, spot.label, ink)
    if index == 0:
        _place_number(job, copy, spot, ink, shape, art)


def _place_cuts(job: Job, label: Rect, ink: Rect) -> None:
    """Ink lines to cut along where a label reaches far beyond its face."""
    safe = label.inset(BLEED_GUARD)
    paint = job.style.stroke("cut")
    if label.width - ink.width >= CUTTING:
        for x in (ink.x, ink.right):
            job.draw(line(x, safe.y, x, safe.bottom), paint, "cut")
    if label.height - ink.height >= CUTTING:
        for y in (ink.y, ink.bottom):
            job.draw(line(safe.x, y, safe.right, y), paint, "cut")


def _place_number(
    job: Job, copy: Copy, spot: Spot, ink: Rect, shape: Shape, art: Sequence[Item]
) -> None:
    """Ink the die's number in the first place that has room for it, or nowhere.

    It may stand on what a label has around its face, between labels, or in a corner of the face
    that is free.
    """
    words = job.fit(str(copy.number), "number", spot.label.width, copy.die.place)
    width, height = words.width + 2 * CLEAR, job.cap(words) + 2 * CLEAR
    strip = Rect(spot.label.x, ink.y, ink.x - spot.label.x, ink.height).inset(BLEED_GUARD)
    if strip.width >= width:
        job.put_in(words, strip.inset(CLEAR), "right")
        return
    for place in spot.beside:
        if place.width >= width and place.height >= height:
            job.put_in(words, place)
            return
    border = BLEED_GUARD + job.style.stroke("total").width / PT_PER_MM / 2
    inner = ink.inset(border + 0.3 * _radius(ink, shape))
    taken = [_around(item) for item in art]
    corners = [
        (x, y) for y in (inner.y, inner.bottom - height) for x in (inner.x, inner.right - width)
    ]
    for x, y in () if shape.round else corners:
        place = Rect(x, y, width, height)
        if not any(place.overlaps(rect, tolerance=0) for rect in taken):
            colour = PAPER if is_inverse(job, copy.die, copy.die.faces[0]) else ""
            job.put(words, x + CLEAR, y + height - CLEAR, colour=colour)
            return


def _around(item: Item) -> Rect:
    """Return a rectangle that holds all ink of an upright item."""
    if isinstance(item, TextItem):
        size = item.size / PT_PER_MM
        return Rect(item.x, item.y - size * 0.72, item.width, size * 0.95)
    return bounds(item.segments).inset(-item.paint.width / PT_PER_MM / 2)


def _outline(rect: Rect, shape: Shape) -> tuple[Segment, ...]:
    if shape.round:
        return circle(*rect.center, min(rect.width, rect.height) / 2)
    return rectangle(rect, _radius(rect, shape))


def _radius(rect: Rect, shape: Shape) -> float:
    side = min(rect.width, rect.height)
    return side * 0.12 if shape.radius is None else min(shape.radius, side / 2)


# -- where labels go ------------------------------------------------------------------------------


def stock_spots(stock: Stock, offset: Point, stretch: float) -> list[Spot]:
    """Return the labels of a stock and the places between them.

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
    if any(labels[0].overlaps(label, tolerance=0.011) for label in labels[1:]):
        found = f"a pitch scale of {stretch:g} makes labels overlap"
        raise InputError(Problem(found, "give one nearer to 1", where="--pitch-scale"))
    pitch = parse_size(stock.pitch)
    gap = Size(pitch.width * stretch - stock.size.width, pitch.height * stretch - stock.size.height)
    return _spots(labels, gap, page.inset(PRINTABLE_INSET), round_=stock.shape == "round")


def plain_spots(size: Size, paper: Size) -> list[Spot]:
    """Return labels of ``size`` mm in rows on plain sticker paper, and the places between them.

    Raises :class:`InputError` if the paper has no room for one.
    """
    room = body(paper, LINES)
    step = Size(size.width + PLAIN_GAP, size.height + PLAIN_GAP)
    # The first column's numbers stand before it: one gap more than between the columns.
    columns = int(room.width / step.width + 1e-6)
    rows = int((room.height + PLAIN_GAP) / step.height + 1e-6)
    if columns < 1 or rows < 1:
        found = f"a label of {describe(size)}"
        free = Size(max(room.width - PLAIN_GAP, 0), max(room.height, 0))
        allowed = f"the page has room for {describe(free)}"
        raise InputError(Problem(found, allowed, where="--size"))
    left = room.x + (room.width - columns * step.width) / 2 + PLAIN_GAP
    labels = [
        Rect(left + column * step.width, room.y + row * step.height, *size)
        for row in range(rows)
        for column in range(columns)
    ]
    gap = Size(PLAIN_GAP, PLAIN_GAP)
    return _spots(labels, gap, Rect(0, 0, *paper).inset(BORDER), round_=False)


def _spots(labels: Sequence[Rect], gap: Size, printable: Rect, *, round_: bool) -> list[Spot]:
    """Return the labels with the places for numbers: before, above and behind each.

    Between round labels, the widest places are where four of them meet.
    """
    spots = []
    for label in labels:
        before = Rect(label.x - gap.width, label.y, gap.width, label.height)
        above = Rect(label.x, label.y - gap.height, label.width, gap.height)
        places = [before, above, before._replace(x=label.right)]
        if round_:
            # The largest square between a circle and the corner of the square around it.
            corner = Size(*(side + label.width * (1 - 0.5**0.5) for side in gap))
            x, y = label.x - gap.width / 2, label.y - gap.height / 2
            behind = label.right + gap.width / 2
            places += [
                Rect(middle - corner.width / 2, y - corner.height / 2, *corner)
                for middle in (x, behind)
            ]
            below = label.bottom + gap.height / 2
            places.append(places[-1]._replace(y=below - corner.height / 2))
        spots.append(Spot(label, tuple(_common(place, printable) for place in places)))
    return spots


def _common(one: Rect, two: Rect) -> Rect:
    """Return what two rectangles share, of no size if that is nothing."""
    x, y = max(one.x, two.x), max(one.y, two.y)
    right, bottom = min(one.right, two.right), min(one.bottom, two.bottom)
    return Rect(x, y, max(right - x, 0), max(bottom - y, 0))


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

RULE = 100  # mm
GAUGE = range(9, 26)  # mm, the squares to hold against a blank die


def calibration_pages(
    job: Job, phrases: Mapping[str, Text], stock: Stock | None, paper: Size
) -> list[Scene]:
    """Return a page to measure printer and dice with, and one with the outlines of a stock.

    Raises :class:`InputError` if the paper is too small for the rule and the squares.
    """
    page = Rect(0, 0, *paper).inset(BORDER)
    width = min(140.0, page.width)
    column = Rect(page.x, page.y + 14, width, page.height)
    job.items = []
    place_head(job, paper)
    y = _place_words(job, phrases["measure_rule"], column)
    place_rule(job, column.x, y + 6, RULE)
    y = _place_words(job, phrases["measure_square"], column._replace(y=y + 14))
    square = Rect(column.x, y + 1, 50, 50)
    job.draw(rectangle(square), job.style.stroke("key"), "rule")
    y = _place_words(job, phrases["measure_gauge"], column._replace(y=square.bottom + 8))
    bottom = _place_gauge(job, column, y + 1)
    if page.width < RULE or bottom > page.bottom:
        least = Size(max(RULE, width) + 2 * BORDER, bottom + BORDER)
        found = f"the calibration page needs {describe(least)}"
        raise InputError(Problem(found, f"the paper is {describe(paper)}", where="--paper"))
    pages = [scene(job, paper)]
    if stock:
        job.items = []
        middle = page.center.x - width / 2
        _place_outlines(job, phrases, stock, column._replace(x=middle))
        pages.append(scene(job, paper))
    return pages


def _place_outlines(job: Job, phrases: Mapping[str, Text], stock: Stock, column: Rect) -> None:
    """Ink the outline of every label of a stock, and amid them what to do with the page."""
    for label in stock.labels():
        outline = (
            circle(*label.center, label.width / 2)
            if stock.shape == "round"
            else rectangle(label, 1.0)
        )
        job.draw(outline, job.style.stroke("plain"), "outline")
    middle = stock.paper.height / 2
    panel = Rect(column.x - 4, middle - 12, column.width + 8, 24)
    job.draw(rectangle(panel, 2), job.style.stroke("plain", fill=PAPER), "ground")
    head = column._replace(y=panel.y + 4)
    job.say(stock.title, "heading", head._replace(height=3), stock.place, "left")
    _place_words(job, phrases["measure_stock"], head._replace(y=head.y + 6))


def _place_words(job: Job, words: Text, column: Rect) -> float:
    """Ink a paragraph at the top of ``column``; return the y below it."""
    lines = job.wrap(job.words(words), "reading", column.width, words.place)
    set_lines(job, lines, column, "left")
    return column.y + len(lines) * job.style.type("reading").leading


def _place_gauge(job: Job, sheet: Rect, top: float) -> float:
    """Ink squares to hold against a blank die in rows; return the y below them."""
    x, y, row = sheet.x, top, 0.0
    for side in GAUGE:
        if x + side > sheet.right:
            x, y, row = sheet.x, y + row + 2.5, 0.0
        square = Rect(x, y, side, side)
        job.draw(rectangle(square), job.style.stroke("key"), "rule")
        job.say(str(side), "number", square, job.variant.place)
        x += side + 2.5
        row = max(row, side)
    return y + row
