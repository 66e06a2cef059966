"""The elements of a sheet, but for its tables."""

from __future__ import annotations

from typing import Any

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
    Record,
    Struct,
    Tagged,
    Words,
    key,
)
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


ELEMENT.kinds.update(
    {
        "row": Struct(Row, "items"),
        "column": Struct(Column, "items"),
        "space": Struct(Space),
        "text": Struct(Paragraph, "text"),
        "fields": Struct(Fields, "items"),
        "tally": Struct(Tally),
        "lookup": Struct(Lookup, "table"),
        "total": Struct(Total),
        "code": Struct(Code),
        "key": Struct(Legend),
        "icon": Struct(Icon, "symbol"),
        "grid": Struct(Grid),
    }
)
