"""Label stocks: where the labels lie on a page."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sheetgen.errors import InputError, Problem, nearest
from sheetgen.geometry import Point, Rect, Size
from sheetgen.paper import PAPERS, describe, parse_size
from sheetgen.schema import Choice, MapOf, Name, Number, Reader, Record, Struct, Words, key, shorten
from sheetgen.source import read

_NUMBER = r"[0-9]{1,3}(?:\.[0-9]+)?"
PAIR = Words(rf"{_NUMBER}x{_NUMBER}", "width x height in mm: 12.7x12.7")
LEAST_SIDE = 6.0  # mm; nothing readable fits a smaller label
STOCK_NAME = Words(r"[A-Za-z0-9][A-Za-z0-9_-]{0,29}", "a short name of letters and digits")


class Stock(Record):
    """A sheet of labels, as its maker draws it; ``id`` is its name in the file."""

    title: Name = key(Words(), "Maker and product.")
    page: Name = key(Words(), "The paper: A4, Letter or 210x297.")
    label: Name = key(PAIR, "Size of a label in mm.")
    shape: str = key(Choice("square", "round"), "Outline of a label.", default="square")
    count: Name = key(
        Words(r"[1-9][0-9]?x[1-9][0-9]?", "columns x rows: 13x17"), "Labels across and down."
    )
    left: float = key(Number(0, 200, "mm"), "From the page's left edge to the first label.")
    top: float = key(Number(0, 200, "mm"), "From the page's upper edge to the first label.")
    pitch: Name = key(PAIR, "From label to label, across and down, in mm.")
    source: Name = key(Words(), "Where the figures come from.")
    note: Name | None = key(Words(), "What to know about it.", default=None)

    @property
    def paper(self) -> Size:
        """The page in mm."""
        named = {name.casefold(): size for name, size in PAPERS.items()}
        return named.get(self.page.casefold()) or parse_size(self.page)

    @property
    def size(self) -> Size:
        """A label in mm."""
        return parse_size(self.label)

    @property
    def columns(self) -> int:
        """Labels across."""
        return int(self.count.split("x")[0])

    @property
    def rows(self) -> int:
        """Labels down."""
        return int(self.count.split("x")[1])

    def labels(self, offset: Point = Point(0, 0), stretch: float = 1.0) -> list[Rect]:  # noqa: B008
        """Return the places of all labels, row by row, in mm.

        ``offset`` moves the whole sheet, ``stretch`` multiplies the pitch: what a printer needs to
        hit the labels.
        """
        size, step = self.size, parse_size(self.pitch)
        columns, rows = self.columns, self.rows
        return [
            Rect(
                self.left + offset.x + column * step.width * stretch,
                self.top + offset.y + row * step.height * stretch,
                *size,
            )
            for row in range(rows)
            for column in range(columns)
        ]


def load(paths: Iterable[Path]) -> dict[str, Stock]:
    """Read files of stocks; the first that has a name wins. Raises :class:`InputError`."""
    found: dict[str, Stock] = {}
    taken: set[str] = set()
    problems: list[Problem] = []
    for path in paths:
        reader = Reader(str(path))
        stocks = MapOf(Struct(Stock), STOCK_NAME).decode(read(path), reader, "")
        if reader.problems:
            problems += reader.problems
            continue
        for name, stock in stocks.items():
            problems += _check(name, stock)
            if name.casefold() not in taken:
                found[name] = stock
        taken |= {name.casefold() for name in stocks}
    if problems:
        raise InputError(problems)
    return found


def find(stocks: dict[str, Stock], name: str) -> Stock:
    """Return a stock by name, whatever its case. Raises :class:`InputError` with near names."""
    folded = {known.casefold(): stock for known, stock in stocks.items()}
    if name.casefold() in folded:
        return folded[name.casefold()]
    allowed = "sheetgen stocks lists the known ones"
    found = f"unknown stock {shorten(name)!r}"
    raise InputError(Problem(found, allowed, where="--stock", near=nearest(name[:80], stocks)))


def _check(name: str, stock: Stock) -> list[Problem]:
    """Return what is wrong with a stock's figures: labels off the page, labels that overlap."""
    try:
        page = Rect(0, 0, *stock.paper)
        labels = stock.labels()
    except InputError as error:
        return [stock.place.problem(problem.found, problem.allowed) for problem in error.problems]
    problems = []
    if min(stock.size) < LEAST_SIDE:
        found = f"labels of {describe(stock.size)}"
        problems.append(stock.label.place.problem(found, f"allowed are {LEAST_SIDE:g} mm and more"))
    if stock.shape == "round" and stock.size.width != stock.size.height:
        found = f"a round label of {describe(stock.size)}"
        problems.append(stock.label.place.problem(found, "a circle is as wide as high"))
    # Sources give figures rounded to 0.01 mm, which adds up across twenty labels.
    if not page.contains(labels[-1], tolerance=0.2):
        last = labels[-1]
        problems.append(
            stock.place.problem(
                f"the last label of {name} ends at {last.right:.2f} x {last.bottom:.2f} mm",
                f"the page ends at {page.right:.2f} x {page.bottom:.2f} mm",
            )
        )
    if any(labels[0].overlaps(other, tolerance=0.011) for other in labels[1:]):
        problems.append(stock.place.problem(f"the labels of {name} overlap", "check its pitch"))
    return problems
