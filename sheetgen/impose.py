"""Placing sheets on pages, never scaled and never turned but for the flip of a back."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal, NamedTuple

from sheetgen import marks
from sheetgen.errors import InputError, Problem
from sheetgen.geometry import Affine, Rect, Size
from sheetgen.paper import PRINTABLE_INSET, Paper, describe
from sheetgen.scene import Path

Side = Literal["front", "back"]
Order = Literal["sequence", "stack"]
Duplex = Literal["none", "long", "short"]

_TOLERANCE = 1e-6  # mm


class Page(NamedTuple):
    """One side of a paper: the copy (from 1) in each slot, 0 where the slot is blank."""

    side: Side
    copies: tuple[int, ...]


class Imposition(NamedTuple):
    """Where everything goes, in mm.

    ``paper`` is the size of every page as it lies. ``front[i]`` and ``back[i]`` place the two sides
    of one ``sheet``; ``back`` is empty without ``duplex``. ``marks`` belong on the fronts: a home
    printer's two sides differ by a millimetre or two, so marks on both would contradict each other.
    ``trim`` is the rectangle around all slots.
    """

    paper: Size
    sheet: Size
    front: tuple[Affine, ...]
    back: tuple[Affine, ...]
    pages: tuple[Page, ...]
    marks: tuple[Path, ...]
    duplex: Duplex
    trim: Rect


def alone(sheet: Size, *, backs: bool = False) -> Imposition:
    """Return the imposition of one sheet on paper of its own size, as a preview shows it.

    With ``backs`` an empty back follows, so that the sheet does not end up behind another.
    """
    slots = (Affine.shift(0, 0),)
    pages = (Page("front", (1,)), Page("back", (1,)))[: 2 if backs else 1]
    back = slots if backs else ()
    return Imposition(sheet, sheet, slots, back, pages, (), "none", Rect(0, 0, *sheet))


class _Grid(NamedTuple):
    """Columns and rows of touching sheets in the middle of a page; the last row may be short."""

    page: Size
    columns: int
    rows: int
    sheet: Size

    @property
    def block(self) -> Size:
        return Size(self.columns * self.sheet.width, self.rows * self.sheet.height)

    @property
    def spare(self) -> Size:
        """The paper left on either side of the block and above and below it."""
        return Size(
            (self.page.width - self.block.width) / 2, (self.page.height - self.block.height) / 2
        )


class _Needs(NamedTuple):
    """What a block needs around it: ``border`` for its ink, ``margin`` as in :mod:`marks`."""

    border: Size
    margin: float
    all_marks: bool

    def page(self, grid: _Grid) -> Size:
        """Return the smallest page for the grid."""
        block, border, page = grid.block, self.border, grid.page
        return Size(
            self._length(block.width, border.width, page.width),
            self._length(block.height, border.height, page.height),
        )

    def met(self, grid: _Grid) -> bool:
        """Whether the page of the grid is large enough."""
        width, height = self.page(grid)
        return width <= grid.page.width + _TOLERANCE and height <= grid.page.height + _TOLERANCE

    def _length(self, block: float, border: float, page: float) -> float:
        if self.all_marks and not marks.is_markable((page - block) / 2, self.margin):
            border = max(border, marks.crop_room(self.margin))
        return block + 2 * border


def impose(
    sheet: Size,
    ink: Rect,
    *,
    paper: Paper,
    copies: int,
    per_page: int | None = None,
    order: Order = "sequence",
    duplex: Duplex = "none",
    crop_marks: bool | None = None,
) -> Imposition:
    """Place ``copies`` of a sheet on pages, in a grid of touching sheets centred on the paper.

    ``ink`` is the part of the ``sheet`` that may carry ink, in mm; it stays
    :data:`PRINTABLE_INSET` inside the paper, which the trim need not. ``per_page`` fixes the
    number of sheets a page, otherwise as many as fit are taken. With ``order`` ``"stack"`` the
    piles lie in order once the pages are cut together. ``crop_marks`` must mark every cut if
    true, mark what can be marked if None, and are left out if false.

    Raises :class:`InputError` when the sheets do not fit, and for counts below 1.
    """
    for name, count in (("copies", copies), ("sheets per page", per_page)):
        if count is not None and count < 1:
            raise InputError(Problem(f"{count} {name}", "at least 1 is needed"))
    # The block is centred, so the side where the ink comes closest to the trim decides for both.
    beside = min(ink.x, sheet.width - ink.right)
    above = min(ink.y, sheet.height - ink.bottom)
    border = Size(max(0.0, PRINTABLE_INSET - beside), max(0.0, PRINTABLE_INSET - above))
    needs = _Needs(border, min(beside, above), crop_marks is True)
    grid = _best(sheet, paper, per_page, needs)
    if grid is None:
        raise InputError(_misfit(sheet, paper, per_page, needs))

    left, top = grid.spare
    xs = [left + column * sheet.width for column in range(grid.columns + 1)]
    ys = [top + row * sheet.height for row in range(grid.rows + 1)]
    corners = [(x, y) for y in ys[:-1] for x in xs[:-1]][:per_page]
    return Imposition(
        paper=grid.page,
        sheet=sheet,
        front=tuple(Affine.shift(x, y) for x, y in corners),
        back=tuple(_behind(x, y, sheet, grid.page, duplex) for x, y in corners)
        if duplex != "none"
        else (),
        pages=_pages(copies, len(corners), order, duplex),
        marks=() if crop_marks is False else marks.crop_marks(grid.page, xs, ys, needs.margin),
        duplex=duplex,
        trim=Rect(left, top, *grid.block),
    )


def _behind(x: float, y: float, sheet: Size, page: Size, duplex: Duplex) -> Affine:
    """Place the back of the sheet whose front has its top left corner at (x, y).

    A cut-out sheet is turned over sideways like the page of a book, so the top left corner of its
    back must lie behind the top right corner of its front, the point (x + w, y).

    The long edge of a portrait page (and of a square one, by choice) is vertical, that of a
    landscape page horizontal; so "long" on portrait and "short" on landscape turn the paper about
    a vertical axis, the other two about a horizontal one.

    About a vertical axis the point (u, v) of the front is seen at (W - u, v) of the back: the
    sheet at (W - x - w, y), and (x + w, y) at that very corner, its top left. The back is upright.

    About a horizontal axis (u, v) is seen at (u, H - v): the sheet at (x, H - y - h), and
    (x + w, y) at (x + w, H - y), its bottom right corner. The back stands on its head.
    """
    if (page.width <= page.height) == (duplex == "long"):
        return Affine.shift(page.width - x - sheet.width, y)
    return Affine.half_turn(x, page.height - y - sheet.height, sheet)


def _pages(copies: int, slots: int, order: Order, duplex: Duplex) -> tuple[Page, ...]:
    count = -(-copies // slots)
    numbers = (*range(1, copies + 1), *(0,) * (count * slots - copies))
    # In a stack, slot s of page p carries copy s * count + p + 1. Slot 0 is never blank either way.
    filled = (
        numbers[page::count] if order == "stack" else numbers[page * slots : (page + 1) * slots]
        for page in range(count)
    )
    sides: tuple[Side, ...] = ("front",) if duplex == "none" else ("front", "back")
    return tuple(Page(side, slot_copies) for slot_copies in filled for side in sides)


def _best(sheet: Size, paper: Paper, per_page: int | None, needs: _Needs) -> _Grid | None:
    """Return the grid with the most sheets, or the most compact one for the number asked."""

    def rank(grid: _Grid) -> tuple[float, ...]:
        cells = grid.columns * grid.rows
        landscape = grid.page.width > grid.page.height
        lie = (landscape != (sheet.width > sheet.height), landscape)
        return (-cells, *lie) if per_page is None else (cells, sum(grid.block), *lie)

    fitting = filter(needs.met, _grids(sheet, paper, per_page))
    return min(fitting, key=rank, default=None)


def _grids(sheet: Size, paper: Paper, per_page: int | None) -> Iterator[_Grid]:
    """Yield the grids worth a look: one column more than fits shows what is missing."""
    for page in paper.sizes:
        columns_fit = math.floor(page.width / sheet.width + _TOLERANCE)
        rows_fit = math.floor(page.height / sheet.height + _TOLERANCE)
        if per_page is None:
            for columns in range(1, columns_fit + 1):
                for rows in range(1, rows_fit + 1):
                    yield _Grid(page, columns, rows, sheet)
        else:
            for columns in range(1, min(columns_fit + 1, per_page) + 1):
                yield _Grid(page, columns, -(-per_page // columns), sheet)


def _misfit(sheet: Size, paper: Paper, per_page: int | None, needs: _Needs) -> Problem:
    """Say what is needed, by the grid that misses by least, and what there is."""

    def excess(grid: _Grid) -> float:
        needed = needs.page(grid)
        return max(needed.width - grid.page.width, needed.height - grid.page.height)

    offer = f"{paper.name} offers " + " or, turned, ".join(map(describe, paper.sizes))
    if not any(
        sheet.width <= page.width + _TOLERANCE and sheet.height <= page.height + _TOLERANCE
        for page in paper.sizes
    ):
        return Problem(f"the sheet is {describe(sheet)}", offer)
    count = per_page or 1
    needed = needs.page(min(_grids(sheet, paper, count), key=excess))
    what = "1 sheet" if count == 1 else f"{count} sheets"
    what += f" of {describe(sheet)}"
    if needs.all_marks:
        what += " with crop marks"
    what += f" {'needs' if count == 1 else 'need'} {describe(needed)}"
    if max(needs.border) > 0:
        what += f" to keep the ink {PRINTABLE_INSET} mm inside the paper"
    most = _best(sheet, paper, None, needs)
    if most:
        offer += f", enough for {most.columns * most.rows}"
    return Problem(what, offer)
