"""What a variant file says, as immutable values.

Every field made with ``key`` is a key of the YAML file; its description is the manual. Positions do
not occur here: sizes are minimums in mm, weights share out what is left.
"""

from __future__ import annotations

from typing import Any

from sheetgen.model_play import EXAMPLES, MATCH, PLAY, SCORE, Example, Match, Play, Score
from sheetgen.schema import (
    IDENTIFIER,
    Choice,
    Count,
    Flag,
    Integer,
    ListOf,
    MapOf,
    Name,
    Number,
    Pair,
    Record,
    Struct,
    Tagged,
    Words,
    key,
)
from sheetgen.symbols import Symbol
from sheetgen.text import TEMPLATE, TEXT, Text

LENGTH = Number(0, 400, "mm")
WEIGHT = Number(0, 100)
POINTS = Integer(-9999, 9999)
BOX_ID = Words(r"[a-z][a-z0-9_]{0,29}", "a name of small letters, digits and _")
ELEMENT = Tagged("element")
PART = Tagged("part")


class Element(Record):
    """What all elements of a sheet share."""

    width: float | None = key(LENGTH, "Width in mm inside a row.", default=None)
    lanes_wide: int | None = key(
        Integer(1, 40),
        "Width inside a row as a number of lanes of the sheet's table.",
        default=None,
    )
    weight: float = key(WEIGHT, "Share of the room that is left over.", default=0.0)


class Line(Element):
    """Elements side by side (row) or one below the other (column)."""

    items: tuple[Any, ...] = key(ListOf(ELEMENT, 1, 60), "The elements.")
    gap: float | None = key(LENGTH, "Room between the elements in mm.", default=None)
    align: str = key(
        Choice("start", "center", "end"), "Where lower elements of a row stand.", default="start"
    )
    repeat: int | Name = key(Count(1, 20), "Lay out the elements this often.", default=1)
    name: Name | None = key(
        BOX_ID,
        "With repeat: the name templates know the number by, and the ids' suffix.",
        default=None,
    )


class Row(Line):
    """Elements side by side."""


class Column(Line):
    """Elements one below the other."""


class Space(Element):
    """Empty room that grows."""

    weight: float = key(WEIGHT, "Share of the height that is left over.", default=1.0)
    height: float = key(LENGTH, "Least height in mm.", default=0.0)


class Paragraph(Element):
    """Words on the sheet, wrapped to the room there is."""

    text: Text = key(TEMPLATE, "The words; {{ name }} inserts a setup's value or an option.")
    style: str = key(
        Choice("words", "rules", "heading", "label", "subtitle", "numeral", "reading"),
        "Type role of the theme.",
        default="rules",
    )
    align: str = key(Choice("left", "center", "right"), "Alignment.", default="left")
    rules: bool = key(Flag(), "Whether --no-rules leaves it away.", default=False)


class Field(Element):
    """A writing line with its label below."""

    id: Name = key(BOX_ID, "Name of the box in files, forms and reports.")
    label: Text = key(TEXT, "Label under the line.")
    value: Text | None = key(TEMPLATE, "Printed on the line instead of writing room.", default=None)


FIELD = Struct(Field)


class Fields(Element):
    """Writing lines side by side."""

    items: tuple[Field, ...] = key(ListOf(FIELD, 1, 12), "The fields.")


class Tally(Element):
    """Small boxes or circles to be ticked one after the other."""

    id: Name = key(BOX_ID, "Name of the boxes.")
    count: int | Name = key(Count(1, 100), "How many.")
    label: Text | None = key(TEXT, "Label.", default=None)
    symbol: Name | None = key(IDENTIFIER, "Symbol before the label.", default=None)
    shape: str = key(Choice("circle", "box"), "Circles on a trail, or boxes.", default="circle")
    flow: str = key(Choice("right", "down"), "Direction of ticking.", default="right")
    numbers: bool = key(Flag(), "Number every fifth.", default=True)
    scale: Name | None = key(
        IDENTIFIER, "Lookup table whose points stand at the boxes.", default=None
    )
    note: Text | None = key(TEXT, "Small words after the label.", default=None)


class Lookup(Element):
    """A strip that says how many points a number of things is worth."""

    table: Name = key(IDENTIFIER, "The lookup table.")
    label: Text | None = key(TEXT, "Label before the counts.", default=None)
    points: Text | None = key(TEXT, "Label before the points.", default=None)
    symbol: Name | None = key(IDENTIFIER, "Symbol instead of the label.", default=None)
    more: bool = key(Flag(), "The last points are for that many and more.", default=False)


class Total(Element):
    """A box for a result, its label inside."""

    id: Name = key(BOX_ID, "Name of the box.")
    label: Text = key(TEMPLATE, "Label in the box.")
    height: float = key(LENGTH, "Height in mm.", default=12.0)
    emphasis: str = key(Choice("plain", "total"), "Weight of its outline.", default="total")


class Code(Element):
    """The sheet's identity: a small code, and the same in letters."""

    lying: bool = key(Flag(), "Letters beside the code instead of below.", default=False)


class KeyEntry(Record):
    """One symbol and what it means."""

    symbol: Name = key(IDENTIFIER, "The symbol.")
    text: Text = key(TEMPLATE, "What it means.")


class Legend(Element):
    """Symbols and what they mean."""

    title: Text | None = key(TEXT, "Heading.", default=None)
    entries: tuple[KeyEntry, ...] = key(ListOf(Struct(KeyEntry), 1, 20), "The entries.")


class Icon(Element):
    """A symbol."""

    symbol: Name = key(IDENTIFIER, "The symbol.")
    colour: Name | None = key(IDENTIFIER, "A colour of the variant.", default=None)
    size: float = key(Number(2, 60, "mm"), "Height in mm.", default=5.6)


class Cell(Record):
    """What a letter of a grid's map stands for."""

    colour: Name | None = key(IDENTIFIER, "A colour of the variant.", default=None)
    symbol: Name | None = key(IDENTIFIER, "Symbol in the box.", default=None)
    text: Text | None = key(TEXT, "Words in the box.", default=None)
    blank: bool = key(Flag(), "No box here.", default=False)


class End(Record):
    """Circles at the ends of a grid's columns, one for each."""

    id: Name = key(BOX_ID, "Name of the circles: id_column.")
    values: tuple[Name, ...] = key(
        ListOf(Words(longest=4), 1, 40), "What stands in them, from the first column on."
    )
    label: Text | None = key(TEXT, "Label before them.", default=None)


class Grid(Element):
    """Boxes in rows and columns, drawn from a map of letters.

    A coloured box always shows the symbol of its colour, in its corner if something else is in it.
    """

    id: Name = key(BOX_ID, "Name of the boxes: id_row_column.")
    map: tuple[Name, ...] = key(
        ListOf(Words(r"\S{1,40}", "letters without spaces"), 1, 40), "Rows."
    )
    legend: dict[str, Cell] = key(
        MapOf(Struct(Cell), Words(r"\S", "one letter")), "What each letter stands for."
    )
    box: float = key(Number(4, 30, "mm"), "Least size of a box.", default=7.0)
    gap: float = key(Number(0, 20, "mm"), "Room between the boxes in mm.", default=0.8)
    tick: bool = key(Flag(), "Boxes are ticked, not written in.", default=True)
    heads: tuple[Name, ...] = key(
        ListOf(Words(longest=4), 1, 40), "Letters or numbers above the columns.", default=()
    )
    sides: tuple[Name, ...] = key(
        ListOf(Words(longest=4), 1, 40), "Letters or numbers before the rows.", default=()
    )
    ends: tuple[End, ...] = key(
        ListOf(Struct(End), 1, 4), "Circles below the columns, a row of them each.", default=()
    )


class Lanes(Record):
    """A run of lanes that share one gutter and one scale."""

    lanes: tuple[Name, ...] = key(
        ListOf(IDENTIFIER, 1, 40, lone=True), "Colours, or a name for counted lanes."
    )
    count: int | Name | None = key(
        Count(1, 40), "Number of lanes that have no colour; ids are name1, name2 …", default=None
    )
    title: Text | None = key(
        TEMPLATE, "Head of a counted lane; {{ lane }} is its number.", default=None
    )
    scale: Name | None = key(
        IDENTIFIER, "Lookup table printed in the gutter, beside the track's boxes.", default=None
    )
    gutter: float | None = key(LENGTH, "Width of the gutter in mm.", default=None)


class Part(Record):
    """What all parts of a table's lanes share."""

    label: Text | None = key(TEMPLATE, "Label in the gutter.", default=None)
    symbol: Name | None = key(IDENTIFIER, "Symbol after the label.", default=None)
    hint: Text | None = key(TEXT, "Small words after the label.", default=None)
    height: float | None = key(
        LENGTH, "Length along the lanes in mm, instead of the usual.", default=None
    )
    weight: float = key(WEIGHT, "Share of the length that is left over.", default=0.0)
    space: float | None = key(LENGTH, "Room before this part in mm.", default=None)
    only: tuple[Name, ...] = key(
        ListOf(IDENTIFIER, 1, 40, lone=True), "The lanes that have this part.", default=()
    )


class Head(Part):
    """Symbol and letter of a lane."""


class Bridge(Record):
    """A gap between two boxes of a track, crossed by every lane."""

    after: int = key(Integer(1, 59), "The box before the gap.")
    text: Text = key(TEXT, "Words in the ring on the bridge.")


class Mark(Record):
    """A dotted line across a track."""

    after: int = key(Integer(1, 59), "The box before the line.")
    text: Text | None = key(TEXT, "Words at the end of the line.", default=None)
    tint: bool = key(Flag(), "Tint the boxes beyond.", default=False)


class Entry(Record):
    """A box of a track with a name of its own."""

    id: Name = key(BOX_ID, "Name of the box: lane_id.")
    label: Text = key(TEXT, "Label in the gutter.")
    symbol: Name | None = key(IDENTIFIER, "Symbol before the label.", default=None)
    hint: Text | None = key(TEXT, "Small words after the label.", default=None)


class Track(Part):
    """Ordered boxes to write in, or to tick if their values are printed."""

    id: Name | None = key(BOX_ID, "Name between the lane and the number: lane_id_3.", default=None)
    boxes: int | Name | None = key(Count(1, 60), "How many boxes.", default=None)
    entries: tuple[Entry, ...] = key(
        ListOf(Struct(Entry), 1, 60),
        "Boxes that each have a name and a label in the gutter.",
        default=(),
    )
    values: tuple[Name, ...] = key(
        ListOf(Words(longest=8), 1, 60),
        "Printed values to be ticked; a symbol's name prints the symbol.",
        default=(),
    )
    numbers: bool = key(Flag(), "Number the boxes in the gutter.", default=False)
    second: Name | None = key(
        BOX_ID, "Name of a second box beside each, for a running total.", default=None
    )
    box: float = key(Number(3.4, 30, "mm"), "Least length of a box along the track.", default=7.0)
    flow: str = key(
        Choice("down", "up"), "Whether box 1 is at the top or at the foot.", default="down"
    )
    effects: dict[str, dict[str, Name]] = key(
        MapOf(MapOf(IDENTIFIER, Words(r"[1-9][0-9]?", "the number of a box"))),
        "Symbols in boxes: lane, then box, then symbol.",
        default=None,
    )
    notes: dict[str, dict[str, Text]] = key(
        MapOf(MapOf(TEXT, Words(r"[1-9][0-9]?", "the number of a box"))),
        "Small words in boxes: lane, then box, then words.",
        default=None,
    )
    bridge: Bridge | None = key(Struct(Bridge), "A gap that is crossed.", default=None)
    mark: tuple[Mark, ...] = key(ListOf(Struct(Mark), 1, 6, lone=True), "Dotted lines.", default=())
    aside: Tally | None = key(Struct(Tally), "A tally in the gutter.", default=None)


class WriteBox(Part):
    """One box to write in."""

    id: Name = key(BOX_ID, "Name of the box: lane_id.")
    kind: str = key(
        Choice("number", "text", "score"), "What is written; a score stands out.", default="number"
    )


class Constant(Part):
    """The same words in every lane."""

    text: Text = key(TEXT, "The words.")


class Options(Part):
    """Circles, one of which is marked."""

    id: Name = key(BOX_ID, "Name of the circles: lane_id_2.")
    options: tuple[Name, ...] = key(ListOf(Words(longest=4), 1, 12), "What stands in the circles.")


class Check(Part):
    """A small box to tick, with words beside it."""

    id: Name = key(BOX_ID, "Name of the box: lane_id.")
    text: Text = key(TEXT, "Words beside it.")


class Ring(Part):
    """A circle to mark at a lane's foot."""

    id: Name = key(BOX_ID, "Name of the circle: lane_id.")
    text: Text = key(TEXT, "Words in it.")
    double: bool = key(Flag(), "Two lines.", default=True)


class Table(Element):
    """Lanes by parts: the frame of nearly every score sheet, called ``table`` in the file."""

    id: Name | None = key(BOX_ID, "Suffix of the ids of its boxes.", default=None)
    groups: tuple[Lanes, ...] = key(ListOf(Struct(Lanes, "lanes"), 1, 12, lone=True), "The lanes.")
    rows: tuple[Any, ...] = key(ListOf(PART, 1, 60), "The parts of every lane.")
    flow: str = key(
        Choice("down", "right"), "Whether lanes run down or to the right.", default="down"
    )
    labels: str = key(Choice("left", "right"), "Alignment of the gutter's labels.", default="right")
    gap: float | None = key(LENGTH, "Room between the lanes in mm.", default=None)
    lane: float = key(Number(3.4, 60, "mm"), "Least size of a lane across in mm.", default=7.0)


PART.kinds.update(
    {
        "head": Struct(Head),
        "track": Struct(Track),
        "box": Struct(WriteBox),
        "words": Struct(Constant, "text"),
        "options": Struct(Options),
        "check": Struct(Check),
        "ring": Struct(Ring),
    }
)
ELEMENT.kinds.update(
    {
        "row": Struct(Row, "items"),
        "column": Struct(Column, "items"),
        "space": Struct(Space),
        "text": Struct(Paragraph, "text"),
        "fields": Struct(Fields, "items"),
        "table": Struct(Table),
        "tally": Struct(Tally),
        "lookup": Struct(Lookup, "table"),
        "total": Struct(Total),
        "code": Struct(Code),
        "key": Struct(Legend),
        "icon": Struct(Icon, "symbol"),
        "grid": Struct(Grid),
    }
)


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
