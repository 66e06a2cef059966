"""Commands that print sheets: print and preview."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sheetgen.cli.files import STDOUT, Destination, load, naming, sheet_stem
from sheetgen.cli.options import (
    VARIANT,
    OneOf,
    Whole,
    look_options,
    make_choices,
    output_options,
    paper_option,
    sheet_options,
    whole,
)
from sheetgen.cli.terminal import count, progress, quoted
from sheetgen.errors import InputError, Problem

if TYPE_CHECKING:
    from sheetgen.draw.form import Form
    from sheetgen.draw.pdf import Sheaf
    from sheetgen.model import Variant
    from sheetgen.paper import Paper
    from sheetgen.prepare import Choices, Prepared

MOST_COPIES = 100_000
MOST_A_PAGE = 9999


@click.command("print")
@VARIANT
@click.option(
    "--copies",
    type=Whole(1, MOST_COPIES),
    default=1,
    show_default=True,
    metavar="N",
    help="Number of sheets: 20 at four to a page are five pages.",
)
@sheet_options
@look_options
@paper_option("a4")
@click.option(
    "--per-page", default="auto", show_default=True, metavar="N", help="Sheets on a page."
)
@click.option(
    "--order",
    type=OneOf(["sequence", "stack"]),
    default="sequence",
    show_default=True,
    help="Page by page, or so that cut stacks lie in order.",
)
@click.option(
    "--duplex",
    type=OneOf(["none", "long", "short"]),
    default="none",
    show_default=True,
    help="Print the rules on the backs, for paper turned about its long or short edge.",
)
@click.option(
    "--crop-marks/--no-crop-marks",
    default=None,
    help="Marks where to cut; without either, where they fit.",
)
@click.option("--with-dice", is_flag=True, help="Add the paper dice behind the sheets.")
@click.option(
    "--fillable", is_flag=True, help="Make the boxes form fields, to be filled in on the screen."
)
@output_options
def print_command(
    *,
    variant: str,
    copies: int,
    sheet: str,
    players: int | None,
    lang: str,
    settings: tuple[str, ...],
    ink: str,
    no_rules: bool,
    no_marks: bool,
    theme: str,
    fonts: tuple[str, ...],
    paper: str,
    per_page: str,
    order: Any,
    duplex: Any,
    crop_marks: bool | None,
    with_dice: bool,
    fillable: bool,
    output: str | None,
    open_: bool,
    printer: str | None,
) -> None:
    """Print sheets to a PDF, exactly in their size.

    VARIANT is a name from sheetgen list, the path of a YAML file, or - for standard input.
    """
    from sheetgen.geometry import Rect
    from sheetgen.impose import impose
    from sheetgen.paper import parse_paper
    from sheetgen.prepare import prepare

    onto = naming("--paper", lambda: parse_paper(paper))
    number = _per_page(per_page)
    loaded, source = load(variant)
    choices = make_choices(
        settings=settings,
        sheet=sheet,
        language=lang,
        players=players,
        ink=ink,
        rules=not no_rules,
        marks=not no_marks,
        back=duplex != "none",
        theme=theme,
        fonts=fonts,
    )
    with progress(f"preparing {count(copies, 'sheet')}"):
        ready = prepare(loaded, choices)
        scene = ready.front
        pad = impose(
            scene.size,
            Rect(0, 0, *scene.size).inset(scene.margin),
            paper=onto,
            copies=copies,
            per_page=number,
            order=order,
            duplex=duplex,
            crop_marks=crop_marks,
        )
        to = Destination(
            output,
            sheet_stem(loaded, ready.name),
            ".pdf",
            inputs=[source, *choices.fonts],
            open_=open_,
            printer=printer,
        )
        from sheetgen.draw.pdf import Sheaf, bind

        dice = _dice(loaded, choices, onto, duplex) if with_dice else []
        form = _form(loaded, choices, ready) if fillable else None
        data = bind([Sheaf(scene, ready.back, pad), *dice], ready.style.fonts, form)
    turned = pad.paper.width > pad.paper.height
    fact = (
        f"{count(copies, 'sheet')} on {count(len(pad.pages), 'page')}, "
        f"{onto.name}{' landscape' if turned else ''}, {len(pad.front)} to a page"
    )
    if dice:
        fact += f", dice on {count(len(dice), 'page')} more"
    to.deliver(data, fact, title=scene.title, duplex=duplex, paper=pad.paper)


def _form(variant: Variant, choices: Choices, ready: Prepared) -> Form:
    """Return what makes a pad of this sheet fillable."""
    from sheetgen import checks
    from sheetgen.draw.form import Form
    from sheetgen.form_names import Identity
    from sheetgen.layout.identity import digest
    from sheetgen.live import calculations
    from sheetgen.prepare import setup_for

    scene = ready.front
    players = choices.players or variant.usual or variant.players[0]
    code = digest(f"{variant.id}/{ready.name}", scene.size, scene.boxes)
    identity = Identity(
        variant=str(variant.id),
        sheet=ready.name,
        language=scene.language,
        players=players,
        setup=setup_for(variant, players) or "",
        values=tuple(choices.values.items()),
        rules=choices.rules,
        theme=choices.theme or str(variant.theme),
        code=f"{variant.code}-{code}",
    )
    values = checks.values(variant, identity.setup or None) | {"players": players}
    values |= choices.values
    return Form(identity, calculations(variant, ready.name, scene.boxes, values))


def _dice(variant: Variant, choices: Choices, paper: Paper, duplex: str) -> list[Sheaf]:
    """Return one set of paper dice, each page with an empty back if the sheets have backs."""
    from sheetgen import workshop
    from sheetgen.draw.pdf import Sheaf
    from sheetgen.impose import alone

    pages = workshop.nets(variant, choices, 1, None, paper).pages
    return [Sheaf(page, None, alone(page.size, backs=duplex != "none")) for page in pages]


@click.command()
@VARIANT
@sheet_options
@look_options
@click.option("--back", is_flag=True, help="The side with the rules.")
@click.option("-o", "--output", metavar="FILE", help="sheet.png or sheet.svg.")
@click.option("--dpi", type=float, default=150, show_default=True, help="Dots per inch of a PNG.")
@click.option("--open", "open_", is_flag=True, help="Show the file when it is done.")
def preview(
    *,
    variant: str,
    sheet: str,
    players: int | None,
    lang: str,
    settings: tuple[str, ...],
    ink: str,
    no_rules: bool,
    no_marks: bool,
    theme: str,
    fonts: tuple[str, ...],
    back: bool,
    output: str | None,
    dpi: float,
    open_: bool,
) -> None:
    """Draw one sheet as a picture, PNG or SVG.

    VARIANT is a name from sheetgen list, the path of a YAML file, or - for standard input.
    """
    from pathlib import Path

    from sheetgen.paper import describe
    from sheetgen.prepare import prepare

    suffix = ".png" if output in (None, STDOUT) else Path(str(output)).suffix.lower()
    if suffix not in (".png", ".svg"):
        found = f"found {quoted(output)}"
        raise InputError(Problem(found, "allowed are .png and .svg", where="-o"))
    loaded, source = load(variant)
    choices = make_choices(
        settings=settings,
        sheet=sheet,
        language=lang,
        players=players,
        ink=ink,
        rules=not no_rules,
        marks=not no_marks,
        back=back,
        theme=theme,
        fonts=fonts,
    )
    with progress("drawing"):
        ready = prepare(loaded, choices)
        stem = sheet_stem(loaded, ready.name)
        to = Destination(output, stem, suffix, inputs=[source, *choices.fonts], open_=open_)
        scene = ready.back or ready.front
        if suffix == ".svg":
            from sheetgen.draw.svg import svg

            data = svg(scene, ready.style.fonts).encode()
        else:
            from sheetgen.draw.pdf import pdf
            from sheetgen.draw.png import png
            from sheetgen.impose import alone

            file = pdf(scene, None, alone(scene.size), ready.style.fonts)
            data = naming("--dpi", lambda: png(file, dpi))
    to.deliver(data, describe(scene.size))


def _per_page(text: str) -> int | None:
    if text == "auto":
        return None
    number = whole(text)
    if number is not None and 1 <= number <= MOST_A_PAGE:
        return number
    allowed = f"allowed is auto or a whole number from 1 to {MOST_A_PAGE}"
    raise InputError(Problem(f"found {quoted(text)}", allowed, where="--per-page"))
