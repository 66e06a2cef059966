"""A game: its sheets, colours, setups, dice, and what may be played."""

from __future__ import annotations

from typing import Any

from sheetgen.model.elements import ELEMENT, FIELD, POINTS, Field
from sheetgen.model_play import EXAMPLES, MATCH, PLAY, SCORE, Example, Match, Play, Score
from sheetgen.schema import (
    IDENTIFIER,
    Choice,
    Flag,
    Integer,
    ListOf,
    MapOf,
    Name,
    Number,
    Pair,
    Record,
    Struct,
    Words,
    key,
)
from sheetgen.symbols import Symbol
from sheetgen.text import TEMPLATE, TEXT, Text


class Sheet(Record):
    """One kind of sheet of a game."""

    title: Text = key(TEXT, "What the sheet is called.")
    size: Name = key(
        Words(
            r"[1-9][0-9]{0,2}(\.[0-9]+)?x[1-9][0-9]{0,2}(\.[0-9]+)?", "width x height in mm: 87x192"
        ),
        "Trimmed size in mm.",
    )
    margin: float | None = key(Number(5, 40, "mm"), "Empty border in mm.", default=None)
    heading: Text | None = key(TEXT, "Printed instead of the variant's title.", default=None)
    subtitle: Text | None = key(TEMPLATE, "Printed after the title.", default=None)
    fields: tuple[Field, ...] = key(ListOf(FIELD, 1, 8), "Writing lines at the head.", default=())
    fields_below: bool = key(
        Flag(), "Fields below the title, which then is centred.", default=False
    )
    body: tuple[Any, ...] = key(ListOf(ELEMENT, 1, 60), "The elements, from top to bottom.")
    foot: tuple[Text, ...] = key(
        ListOf(TEMPLATE, 1, 4, lone=True),
        "Rules in short, side by side between the corners.",
        default=(),
    )
    base: Any = key(
        ELEMENT, "An element between the lower corners, instead of a foot.", default=None
    )


class Colour(Record):
    """A colour of the game. Colour never speaks alone: letter and symbol stand beside it."""

    name: Text = key(TEXT, "Its name.")
    letter: Text = key(TEXT, "One or two letters.")
    symbol: Name = key(IDENTIFIER, "Its symbol.")
    ink: Name = key(IDENTIFIER, "Its colour in the theme.")


class Setup(Record):
    """A way to play that changes numbers on the sheet."""

    title: Text = key(TEXT, "What it is called.")
    players: tuple[int, int] = key(Pair(), "Numbers of players it is for.")
    values: dict[str, int] = key(
        MapOf(POINTS), "Numbers that counts and templates refer to by name.", default=None
    )


class Option(Record):
    """A number the user may set with ``--set``."""

    title: Text = key(TEXT, "What it is called.")
    default: int = key(Integer(0, 100), "Its value if nothing is said.")
    low: int = key(Integer(0, 100), "Its lowest value.")
    high: int = key(Integer(0, 100), "Its highest value.")


class Face(Record):
    """One face of a die."""

    value: Name = key(Words(longest=8), "What is printed.")
    colour: Name | None = key(
        IDENTIFIER, "A colour of the variant; none is a wild, black face.", default=None
    )
    symbol: Name | None = key(IDENTIFIER, "A symbol instead of the value.", default=None)
    bonus: Name | None = key(IDENTIFIER, "A second, smaller symbol.", default=None)


class Die(Record):
    """A custom die."""

    kind: str = key(Choice("d4", "d6", "d8", "d10", "d12", "d20"), "Its shape.")
    count: int = key(Integer(1, 12), "How many of it the game has.", default=1)
    pips: bool = key(Flag(), "Numbers 1 to 6 are printed as pips.", default=False)
    faces: tuple[Face, ...] = key(
        ListOf(Struct(Face, "value"), 4, 20),
        "Its faces; opposite the first is the last, and so on.",
    )


class Variant(Record):
    """A game, or a way to play one."""

    id: Name = key(IDENTIFIER, "Short name, used on the command line.")
    code: Name = key(
        Words(r"[A-Z0-9]{2,5}", "2 to 5 capitals and digits"), "Name in the printed code."
    )
    title: Text = key(TEXT, "Title, as printed.")
    summary: Text = key(TEXT, "One line about the game.")
    languages: tuple[Name, ...] = key(
        ListOf(Words(r"[a-z]{2,3}(-[A-Za-z]{2,4})?", "a language code such as en"), 1, 40),
        "Languages of the texts; the first is the default.",
    )
    designer: Name | None = key(Words(), "Who designed the game.", default=None)
    source: tuple[Name, ...] = key(ListOf(Words(), 1, 20, lone=True), "Where the facts come from.")
    own: tuple[Name, ...] = key(
        ListOf(Words(), 1, 40), "Values that are this project's own choice, and why.", default=()
    )
    players: tuple[int, int] = key(Pair(), "Numbers of players.")
    usual: int | None = key(
        Integer(1, 100), "Players if --players is not given; else the fewest.", default=None
    )
    setups: dict[str, Setup] = key(MapOf(Struct(Setup)), "Ways to play.", default=None)
    options: dict[str, Option] = key(MapOf(Struct(Option)), "Numbers for --set.", default=None)
    colours: dict[str, Colour] = key(MapOf(Struct(Colour)), "The colours.", default=None)
    tables: dict[str, tuple[int, ...]] = key(
        MapOf(ListOf(POINTS, 1, 60)), "Lookup tables: points for 0, 1, 2 … things.", default=None
    )
    dice: dict[str, Die] = key(MapOf(Struct(Die)), "The dice.", default=None)
    symbols: dict[str, Symbol] = key(
        MapOf(Struct(Symbol)), "The variant's own symbols, beside the bundled ones.", default=None
    )
    theme: Name = key(IDENTIFIER, "The look.", default=Name("expedition"))
    sheets: dict[str, Sheet] = key(MapOf(Struct(Sheet)), "The sheets; the first is the default.")
    rules: Sheet | None = key(Struct(Sheet), "The back of every sheet.", default=None)
    play: Play | None = key(PLAY, "What may stand on a sheet.", default=None)
    score: dict[str, Score] = key(SCORE, "Formulas of what it is worth, by name.", default=None)
    match: Match | None = key(MATCH, "What holds across the sheets of a match.", default=None)
    examples: tuple[Example, ...] = key(EXAMPLES, "Filled sheets with right scores.", default=())


VARIANT = Struct(Variant)
