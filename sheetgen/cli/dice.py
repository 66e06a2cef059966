"""Commands for dice: dice, stocks, calibrate."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import click

from sheetgen.cli.files import Destination, load, naming
from sheetgen.cli.options import (
    VARIANT,
    OneOf,
    Whole,
    look_options,
    make_choices,
    offer_stocks,
    output_options,
    paper_option,
)
from sheetgen.cli.terminal import count, progress, quoted, say
from sheetgen.errors import InputError, Problem

if TYPE_CHECKING:
    from sheetgen.geometry import Point
    from sheetgen.workshop import Dice

MOST_SETS = 500
STOCK = click.option(
    "--stock",
    default="",
    metavar="NAME",
    help="A label stock from sheetgen stocks.",
    shell_complete=offer_stocks,
)


@click.command()
@VARIANT
@click.option(
    "--as",
    "kind",
    type=OneOf(["nets", "labels"]),
    default="nets",
    show_default=True,
    help="Paper dice to fold, or stickers for blank dice.",
)
@click.option(
    "--sets", type=Whole(1, MOST_SETS), default=1, show_default=True, metavar="N", help="Sets."
)
@click.option(
    "--size", metavar="MM", help="Edge of a paper d6 (others follow), or the recess of a blank die."
)
@STOCK
@click.option(
    "--start", type=Whole(1, 9999), metavar="N", help="First label to print on, on a used sheet."
)
@click.option("--offset", metavar="X,Y", help="Move all labels right and down by mm, as -0.5,1.2.")
@click.option("--pitch-scale", metavar="F", help="Stretch the distance of the labels, as 1.002.")
@click.option("--radius", metavar="MM", help="Corner radius of square labels.")
@click.option("--shape", type=OneOf(["square", "round"]), help="Instead of the stock's shape.")
@look_options
@paper_option(None, "; a stock has its own")
@output_options
def dice(
    *,
    variant: str,
    kind: str,
    sets: int,
    size: str | None,
    stock: str,
    start: int | None,
    offset: str | None,
    pitch_scale: str | None,
    radius: str | None,
    shape: str | None,
    lang: str,
    ink: str,
    theme: str,
    fonts: tuple[str, ...],
    paper: str | None,
    output: str | None,
    open_: bool,
    printer: str | None,
) -> None:
    """Print the dice of a game: nets to cut, fold and glue, or labels for blank dice.

    VARIANT is a name from sheetgen list, the path of a YAML file, or - for standard input.
    """
    from sheetgen import workshop
    from sheetgen.paper import parse_length, parse_paper

    given = {
        "--stock": stock or None,
        "--start": start,
        "--offset": offset,
        "--pitch-scale": pitch_scale,
        "--radius": radius,
        "--shape": shape,
    }
    if kind == "nets" and (names := [name for name, value in given.items() if value is not None]):
        found = f"found {', '.join(names)} with --as nets"
        raise InputError(Problem(found, "these are for --as labels"))
    if paper is None and not stock:
        paper = os.environ.get("SHEETGEN_PAPER") or None
    onto = naming("--paper", lambda: parse_paper(paper)) if paper else None
    side = naming("--size", lambda: parse_length(size)) if size is not None else None
    wanted = workshop.LabelChoices(
        stock=stock,
        size=side,
        round=None if shape is None else shape == "round",
        radius=naming("--radius", lambda: parse_length(radius)) if radius is not None else None,
        start=start or 1,
        offset=_offset(offset),
        stretch=_stretch(pitch_scale),
    )
    loaded, source = load(variant)
    choices = make_choices(language=lang, ink=ink, theme=theme, fonts=fonts)
    with progress(f"preparing {count(sets, 'set')}"):
        if kind == "nets":
            made = workshop.nets(loaded, choices, sets, side, onto or workshop.DEFAULT_PAPER)
        else:
            made = workshop.labels(loaded, choices, sets, wanted, onto)
        to = Destination(
            output,
            f"{loaded.id}-{kind}",
            ".pdf",
            inputs=[source, *choices.fonts],
            open_=open_,
            printer=printer,
        )
        _deliver(made, f"{count(made.made, 'die').replace('dies', 'dice')} as {kind}", to)


@click.command()
def stocks() -> None:
    """List the label stocks: page, labels, sizes, where the figures come from."""
    from sheetgen.workshop import known_stocks

    for name, stock in known_stocks().items():
        label = f"{str(stock.label).replace('x', ' x ')} mm {stock.shape}"
        say(f"{name:8} {stock.page:7} {label:22} {stock.count:6}  {stock.title}")
        if stock.note:
            say(f"{'':8} {stock.note}")
    say("")
    say("Figures are nominal: sheetgen calibrate --stock NAME shows how your printer meets them.")
    say("Your own stocks go to templates/stocks.yaml in this or in your data folder.")


@click.command()
@STOCK
@look_options
@paper_option("a4")
@output_options
def calibrate(
    *,
    stock: str,
    lang: str,
    ink: str,
    theme: str,
    fonts: tuple[str, ...],
    paper: str,
    output: str | None,
    open_: bool,
    printer: str | None,
) -> None:
    """Print a page to measure your printer, blank dice and label sheets with."""
    from sheetgen import workshop
    from sheetgen.paper import parse_paper

    onto = naming("--paper", lambda: parse_paper(paper))
    choices = make_choices(language=lang, ink=ink, theme=theme, fonts=fonts)
    made = workshop.calibration(choices, stock, onto)
    stem = f"calibration-{stock}" if stock else "calibration"
    to = Destination(output, stem, ".pdf", inputs=choices.fonts, open_=open_, printer=printer)
    _deliver(made, "calibration", to)


def _deliver(made: Dice, what: str, to: Destination) -> None:
    from sheetgen.draw.pdf import Sheaf, bind
    from sheetgen.impose import alone
    from sheetgen.paper import describe

    data = bind([Sheaf(page, None, alone(page.size)) for page in made.pages], made.style.fonts)
    fact = f"{what} on {count(len(made.pages), 'page')}, {describe(made.paper)}"
    to.deliver(data, fact, title=made.pages[0].title, paper=made.paper)


def _offset(text: str | None) -> Point:
    """Return an offset such as ``-0.5,1.2`` in mm."""
    from sheetgen.geometry import Point

    if text is None:
        return Point(0, 0)
    number = r"\s*([-+]?[0-9]{1,2}(?:\.[0-9]{1,3})?)\s*"
    found = re.fullmatch(f"{number},{number}", text)
    if not found:
        allowed = "allowed are two numbers of mm such as -0.5,1.2"
        raise InputError(Problem(f"found {quoted(text)}", allowed, where="--offset"))
    return Point(float(found[1]), float(found[2]))


def _stretch(text: str | None) -> float:
    """Return a factor such as ``1.002``."""
    if text is None:
        return 1.0
    if re.fullmatch(r"[01]\.[0-9]{1,5}|1", text) and 0.9 <= float(text) <= 1.1:
        return float(text)
    allowed = "allowed is a factor from 0.9 to 1.1 such as 1.002"
    raise InputError(Problem(f"found {quoted(text)}", allowed, where="--pitch-scale"))
