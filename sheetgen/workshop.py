"""From a variant and the user's choices to pages of dice: nets, labels, and for calibration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sheetgen import library, stocks, text
from sheetgen.errors import InputError, Problem
from sheetgen.geometry import Point, Rect, Size
from sheetgen.layout import SHAPES
from sheetgen.layout.job import Job
from sheetgen.layout.labels import (
    Cut,
    Spot,
    calibration_pages,
    label_pages,
    label_shape,
    plain_spots,
    stock_spots,
)
from sheetgen.layout.nets import copies, net_pages
from sheetgen.model import Variant
from sheetgen.paper import Paper
from sheetgen.prepare import Choices, language_of, looks
from sheetgen.scene import Scene
from sheetgen.schema import Name
from sheetgen.stocks import Stock
from sheetgen.text import Text
from sheetgen.theme import Style

MOST_SETS = 500


class Dice(NamedTuple):
    """Pages of dice, ready to be drawn.

    ``paper`` is the size of every page as it lies, ``made`` the number of dice.
    """

    pages: list[Scene]
    style: Style
    paper: Size
    made: int


class LabelChoices(NamedTuple):
    """What the user may choose about labels; sizes in mm, ``None`` for the stock's own."""

    stock: str = ""
    size: float | None = None
    round: bool | None = None
    radius: float | None = None
    start: int = 1
    offset: Point = Point(0, 0)
    stretch: float = 1.0


def nets(variant: Variant, choices: Choices, sets: int, size: float | None, paper: Paper) -> Dice:
    """Return pages of nets. Raises :class:`InputError` with what cannot be."""
    job, phrases = _job(variant, choices)
    pages = net_pages(job, phrases, sets, size, paper.sizes)
    return Dice(pages, job.style, pages[0].size, len(copies(job, sets)))


def labels(
    variant: Variant, choices: Choices, sets: int, wanted: LabelChoices, paper: Paper | None
) -> Dice:
    """Return pages of labels, on a stock or on plain ``paper``. Raises :class:`InputError`."""
    job, phrases = _job(variant, choices)
    stock = find_stock(wanted.stock) if wanted.stock else None
    shape = label_shape(stock, wanted.size, round_=wanted.round, radius=wanted.radius)
    if stock:
        if paper is not None and not any(_alike(stock.paper, size) for size in paper.sizes):
            found = f"found {paper.name} with the stock {stock.title}"
            raise InputError(Problem(found, f"its page is {stock.page}", where="--paper"))
        page = stock.paper
        spots = stock_spots(stock, wanted.offset, wanted.stretch)
        cut: Cut = "sides" if stock.shape == "square" else "nowhere"
    else:
        page, spots = _plain(shape.size, paper or DEFAULT_PAPER, job, sets, wanted.start)
        cut = "outline"
        if wanted.offset != Point(0, 0) or wanted.stretch != 1.0:
            found = "found --offset or --pitch-scale without --stock"
            raise InputError(Problem(found, "plain paper is cut along its lines"))
    pages = label_pages(
        job,
        phrases,
        sets=sets,
        spots=spots,
        shape=shape,
        start=wanted.start,
        paper=page,
        cut=cut,
    )
    return Dice(pages, job.style, page, len(copies(job, sets)))


def calibration(choices: Choices, stock_name: str, paper: Paper) -> Dice:
    """Return pages to measure printer, dice and labels with. Raises :class:`InputError`."""
    phrases = _phrases()
    stock = find_stock(stock_name) if stock_name else None
    title = phrases["calibration"]
    variant = Variant(
        id=Name("calibration"),
        code=Name("CAL"),
        title=title,
        summary=title,
        languages=tuple(map(Name, title.words)),
        source=(),
        players=(1, 1),
        theme=Name(choices.theme or "expedition"),
        sheets={},
    )
    job, _ = _job(variant, choices)
    misfit = None
    for page in (stock.paper,) if stock else paper.sizes:
        try:
            return Dice(calibration_pages(job, phrases, stock, page), job.style, page, 0)
        except InputError as error:
            misfit = misfit or error
            job.problems.clear()
    assert misfit is not None
    raise misfit


def _plain(size: Size, paper: Paper, job: Job, sets: int, start: int) -> tuple[Size, list[Spot]]:
    """Return how plain paper lies to need the fewest pages, and its labels."""
    faces = sum(len(copy.die.faces) for copy in copies(job, sets))
    found: list[tuple[Size, list[Spot]]] = []
    misfit = None
    for page in paper.sizes:
        try:
            found.append((page, plain_spots(size, page)))
        except InputError as error:
            misfit = misfit or error
    if misfit and not found:
        raise misfit
    return min(found, key=lambda lie: (start - 1 + faces - 1) // len(lie[1]))


def _alike(one: Size, two: Size) -> bool:
    """Whether two sizes are the same but for rounding."""
    return all(abs(a - b) < 0.05 for a, b in zip(one, two, strict=True))


def every_problem(variant: Variant) -> list[Problem]:
    """Draw the dice in every language, as nets and as labels; return what does not fit."""
    problems: dict[Problem, None] = {}
    for language in variant.languages if variant.dice else ():
        chosen = Choices(language=language)
        try:
            nets(variant, chosen, 1, None, DEFAULT_PAPER)
            labels(variant, chosen, 1, LabelChoices(), None)
        except InputError as error:
            problems |= dict.fromkeys(error.problems)
    return list(problems)


def known_stocks() -> dict[str, Stock]:
    """Return all label stocks by name: ``./templates``, the user's folder, the bundled ones."""
    return stocks.load(library.find_all("stocks.yaml"))


def find_stock(name: str) -> Stock:
    """Return a stock by name. Raises :class:`InputError` with near names."""
    return stocks.find(known_stocks(), name)


def _phrases() -> Mapping[str, Text]:
    """Return the tool's own words; a user's file says only what it says otherwise."""
    words: dict[str, Text] = {}
    for path in library.find_all("words.yaml"):
        words = text.load(path) | words
    return words


def _job(variant: Variant, choices: Choices) -> tuple[Job, Mapping[str, Text]]:
    if not variant.dice and variant.sheets:
        raise InputError(variant.place.problem(f"{variant.id} has no dice", "see sheetgen show"))
    language = language_of(variant, choices)
    style, symbols = looks(variant, choices)
    content = Rect(0, 0, 0, 0)
    job = Job(
        variant,
        style,
        SHAPES,
        symbols,
        language=language,
        values={},
        rules=True,
        content=content,
    )
    return job, _phrases()


DEFAULT_PAPER = Paper("A4", Size(210, 297), None)
