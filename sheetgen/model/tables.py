"""Tables: lanes by parts, the frame of nearly every score sheet."""

from __future__ import annotations

from typing import Any

from sheetgen.model.elements import BOX_ID, ELEMENT, LENGTH, PART, WEIGHT, Element, Tally
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
    Words,
    key,
)
from sheetgen.text import TEMPLATE, TEXT, Text


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
ELEMENT.kinds["table"] = Struct(Table)
