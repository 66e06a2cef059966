"""Kinds decode nodes or note problems; records are immutable and know their places."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sheetgen.nodes import Node, Scalar
from sheetgen.schema import (
    IDENTIFIER,
    NOWHERE,
    Choice,
    Count,
    Flag,
    Integer,
    Kind,
    ListOf,
    MapOf,
    Name,
    Number,
    Pair,
    Place,
    Reader,
    Record,
    Struct,
    Tagged,
    Words,
    key,
)
from sheetgen.source import parse


class Pen(Record):
    """A pen."""

    width: float = key(Number(0, 5, "mm"), "Its width.")
    colour: Name = key(IDENTIFIER, "Its colour.", default=Name("black"))


class Fountain(Pen):
    """A pen with ink."""

    ink: str = key(Choice("blue", "black"), "Its ink.", default="blue")


class Case(Record):
    """A case of pens."""

    title: Name | None = key(Words(), "Its title.", default=None)
    pens: dict[str, Pen] = key(MapOf(Struct(Pen, "width")), "The pens.", default=None)


THING = Tagged("thing", {"pen": Struct(Pen), "case": Struct(Case), "number": Number(0, 9)})
WORDS = st.text(st.characters(codec="utf-8"), max_size=12)


def node(text: str) -> Node:
    """Return the node of a value written in YAML."""
    found = parse(f"key: {text}\n".encode(), "f").get("key")
    assert found is not None
    return found


def read(kind: Kind, text: str) -> Any:
    """Return what a kind makes of a value, or its one problem as a text."""
    reader = Reader("f")
    value = kind.decode(node(text), reader, "x")
    if not reader.problems:
        return value
    (problem,) = reader.problems
    return str(problem)


class TestPlaces:
    """Names and records know where they were written."""

    def test_name(self) -> None:
        """A name is its text, and carries its file, line, column and path."""
        name = read(IDENTIFIER, "red")
        assert name == "red"
        assert {"red": 1}[name] == 1
        assert name.place == Place("f", 1, 6, "x")
        assert str(name.place.problem("gone", "stay", "here")) == (
            "f:1:6: x: gone, stay; did you mean here?"
        )

    def test_name_without_a_place(self) -> None:
        """A name made in Python stands nowhere."""
        assert Name("red").place == NOWHERE

    def test_record(self) -> None:
        """A record knows its own place and those of the values that were given."""
        pen = read(Struct(Pen), "\n  width: 2")
        assert pen.place == Place("f", 2, 3, "x")
        assert pen.at("width") == Place("f", 2, 10, "x.width")
        assert pen.at("colour") == pen.place


class TestRecord:
    """A record is an immutable value."""

    def test_values_and_defaults(self) -> None:
        """Keys become attributes; those not given have their defaults."""
        pen = Pen(width=2.0)
        assert (pen.width, pen.colour) == (2.0, "black")

    def test_inherits_keys(self) -> None:
        """A record has its parent's keys before its own."""
        assert list(Fountain.keys) == ["width", "colour", "ink"]
        assert Fountain(width=1.0).ink == "blue"

    def test_cannot_be_changed(self) -> None:
        """No attribute can be set or deleted, known or not."""
        pen: Any = Pen(width=2.0)
        with pytest.raises(AttributeError, match="Pen is immutable"):
            pen.width = 3.0
        with pytest.raises(AttributeError, match="Pen is immutable"):
            pen.other = 3.0
        with pytest.raises(AttributeError, match="Pen is immutable"):
            del pen.width
        assert pen.width == 2.0

    def test_unknown_argument(self) -> None:
        """An argument that is no key is a mistake of the program."""
        make: Any = Pen
        with pytest.raises(TypeError, match="Pen has no length"):
            make(width=1.0, length=2.0)

    def test_missing_argument(self) -> None:
        """So is a required key that is not given."""
        make: Any = Pen
        with pytest.raises(TypeError, match="Pen needs width"):
            make(colour="red")

    def test_repr(self) -> None:
        """It shows itself with all its values."""
        assert repr(Pen(width=2.0)) == "Pen(width=2.0, colour='black')"


class TestNumbers:
    """Numbers are plain decimals in a range."""

    @pytest.mark.parametrize(
        ("text", "value"), [("0", 0), ("2.5", 2.5), ("'3'", 3), ("+4", 4), ("-1", -1), ("−1", -1)]
    )
    def test_number(self, text: str, value: float) -> None:
        """A decimal number is read, with a real minus sign too."""
        assert read(Number(-1, 4), text) == value

    @pytest.mark.parametrize(
        "text", ["4.1", "-1.1", "01", "1e0", "1_0", ".5", "1.", "0x1", "1 2", "x", "~", "[]", "{}"]
    )
    def test_no_number(self, text: str) -> None:
        """Anything else is refused with the range and the unit."""
        assert read(Number(-1, 4, "mm"), text).endswith("allowed is a number from -1 to 4 mm")

    @pytest.mark.parametrize("text", ["1.0", "2.5", "0", "7", "true"])
    def test_no_integer(self, text: str) -> None:
        """A whole number has no decimals."""
        assert read(Integer(1, 6), text).endswith("allowed is a whole number from 1 to 6")

    def test_integer(self) -> None:
        """A whole number is an int."""
        assert isinstance(read(Integer(1, 6), "3"), int)

    @given(st.integers(-(10**25), 10**25))
    @settings(deadline=None)
    def test_any_integer(self, number: int) -> None:
        """Exactly the integers of the range are read, as what they are."""
        value = read(Integer(-50, 50), str(number))
        assert value == number if -50 <= number <= 50 else isinstance(value, str)

    @given(WORDS)
    @settings(deadline=None)
    def test_any_text(self, text: str) -> None:
        """No other text is a number: what is read is written with digits alone."""
        reader = Reader("f")
        value = Number(0, 9).decode(Scalar(text, True, 1, 1), reader, "x")
        assert (value is None) == bool(reader.problems)
        assert value is None or set(text) <= set("0123456789.+-−")

    @pytest.mark.parametrize("text", ["rolls", "players", "p2", "a_b"])
    def test_count_by_name(self, text: str) -> None:
        """A count may be the name of a number, which knows its place."""
        name = read(Count(1, 9), text)
        assert (name, name.place.column) == (text, 6)

    @pytest.mark.parametrize("text", ["true", "false", "0", "10", "Rolls", "a-b", "2x", "1.0"])
    def test_no_count(self, text: str) -> None:
        """A truth value is no name, and a number must be in the range."""
        allowed = "a whole number from 1 to 9 or the name of a setup's value or an option"
        assert read(Count(1, 9), text) == f"f:1:6: x: found {text!r}, allowed is {allowed}"

    @pytest.mark.parametrize(
        ("text", "value"), [("2", (2, 2)), ("3-8", (3, 8)), ("1-999", (1, 999)), ("5-5", (5, 5))]
    )
    def test_pair(self, text: str, value: tuple[int, int]) -> None:
        """A range has two ends, which may be one."""
        assert read(Pair(), text) == value

    @pytest.mark.parametrize("text", ["8-3", "0", "0-3", "1000", "1-", "-3", "1–3", "a", "[1, 2]"])
    def test_no_pair(self, text: str) -> None:
        """Ends in the wrong order, zero and other dashes are refused."""
        assert read(Pair(), text).endswith("allowed is a number of players such as 2 or 3-8")


class TestWords:
    """Texts and words are what was typed."""

    @pytest.mark.parametrize("text", ["NO", "010", "1:30", "$", "' x '", "→ x2", "null x"])
    def test_text(self, text: str) -> None:
        """A text stays as typed."""
        assert read(Words(), text) == text.strip("'")

    @pytest.mark.parametrize("text", ["~", "null", "''", "' '", "[]", "{}", "x" * 2001])
    def test_no_text(self, text: str) -> None:
        """Nothing, blanks, lists and very long texts are refused."""
        assert read(Words(), text).startswith("f:1:6: x: found ")

    def test_message_is_short(self) -> None:
        """A long text is shortened in the message."""
        assert len(read(IDENTIFIER, "X" * 1000)) < 160

    def test_choice(self) -> None:
        """One of the words is taken; another is refused with the nearest."""
        kind = Choice("left", "right")
        assert read(kind, "left") == "left"
        assert read(kind, "rigth").endswith("allowed is one of left, right; did you mean right?")
        assert read(kind, "[left]").endswith("found a list, allowed is one of left, right")

    def test_flag(self) -> None:
        """Only true and false are truth values."""
        assert read(Flag(), "true") is True
        assert read(Flag(), "false") is False
        for text in ("yes", "True", "1", "on"):
            assert "allowed is one of true, false" in read(Flag(), text)


class TestCollections:
    """Lists and mappings hold one kind."""

    def test_list(self) -> None:
        """A list becomes a tuple in its order."""
        assert read(ListOf(Integer(0, 9)), "[3, 1, 2]") == (3, 1, 2)

    def test_problem_in_a_list(self) -> None:
        """A problem names the item, counted from 1."""
        assert read(ListOf(Integer(0, 9)), "[3, x]").startswith("f:1:10: x[2]: found 'x'")

    def test_lone(self) -> None:
        """A single value may stand for a list of one, where that is allowed."""
        assert read(ListOf(Integer(0, 9), lone=True), "3") == (3,)
        assert read(ListOf(Integer(0, 9)), "3").endswith("a whole number from 0 to 9")

    @pytest.mark.parametrize("text", ["[1]", "[1, 2, 3, 4]"])
    def test_length(self, text: str) -> None:
        """Too few and too many items are refused with both ends."""
        assert read(ListOf(Integer(0, 9), 2, 3), text).endswith("allowed are 2 to 3 items")

    def test_map(self) -> None:
        """A mapping keeps its order, and its keys know their places."""
        found = read(MapOf(Integer(0, 9)), "{b: 1, a: 2}")
        assert list(found.items()) == [("b", 1), ("a", 2)]
        assert [name.place.column for name in found] == [7, 13]

    @pytest.mark.parametrize("text", ["{}", "[]", "x", "~"])
    def test_no_map(self, text: str) -> None:
        """An empty mapping, a list and a text are refused."""
        assert "allowed are names, each with a whole number" in read(MapOf(Integer(0, 9)), text)

    def test_key_on_many_lines(self) -> None:
        """A key that spans lines leaves the message on one line."""
        text = read(MapOf(Integer(0, 9)), '{"a\\nb": 1}')
        assert text.startswith("f:1:7: x.a b: found 'a\\nb'")


class TestStruct:
    """A mapping with fixed keys becomes a record."""

    def test_record(self) -> None:
        """The keys are decoded by their kinds."""
        pen = read(Struct(Fountain), "{width: 2, ink: black}")
        assert isinstance(pen, Fountain)
        assert (pen.width, pen.colour, pen.ink) == (2.0, "black", "black")

    def test_short_form(self) -> None:
        """A lone value stands for the short key, a mapping for all keys."""
        kind = Struct(Pen, "width")
        assert read(kind, "2").width == read(kind, "{width: 2}").width == 2.0
        assert read(kind, "9").endswith("allowed is a number from 0 to 5 mm")

    def test_without_short_form(self) -> None:
        """Without a short key a lone value is refused, with the keys."""
        assert read(Struct(Pen), "2") == "f:1:6: x: found '2', allowed are the keys width, colour"

    def test_nothing(self) -> None:
        """Nothing stands for a record whose keys all have defaults, and for no other."""
        assert read(Struct(Case), "").title is None
        assert read(Struct(Pen), "").startswith("f:1:5: x: found nothing")

    def test_all_problems(self) -> None:
        """Every unknown, missing and wrong key is reported at once."""
        reader = Reader("f")
        assert Struct(Pen).decode(node("{hue: 1, colour: 2}"), reader, "") is None
        found = [(problem.column, problem.where, problem.found) for problem in reader.problems]
        assert found == [
            (7, "hue", "unknown key 'hue'"),
            (23, "colour", "found '2'"),
            (6, "", "the key 'width' is missing"),
        ]

    @pytest.mark.parametrize("name", ["widht", "Width", "WIDTH"])
    def test_near_name(self, name: str) -> None:
        """A misspelled key is one problem, not also a missing key."""
        assert read(Struct(Pen), f"{{{name}: 2}}").endswith("; did you mean width?")

    def test_key_too_deep(self) -> None:
        """A key of a record around this one is named with its place."""
        text = read(Struct(Case), "{pens: {a: {width: 2, title: x}}}")
        assert text.endswith("; did you mean x.title?")

    def test_key_not_deep_enough(self) -> None:
        """A key of a record inside this one is named with the way there."""
        assert read(Struct(Case), "{colour: red}").endswith("; did you mean pens.*.colour?")

    def test_schema(self) -> None:
        """The schema has the keys with their descriptions and no others."""
        schema = Struct(Pen).schema()
        assert schema["required"] == ["width"]
        assert schema["additionalProperties"] is False
        assert schema["properties"]["width"]["description"] == "Its width."
        assert schema["properties"]["width"]["maximum"] == 5


class TestTagged:
    """A mapping of one key says by the key what the value is."""

    def test_mapping(self) -> None:
        """The key chooses the kind."""
        assert read(THING, "{pen: {width: 1}}").width == 1.0
        assert read(THING, "{number: 7}") == 7

    def test_bare_word(self) -> None:
        """A bare word is a key without a value, if its keys all have defaults."""
        assert read(THING, "case").title is None
        assert read(THING, "{case: }").title is None
        assert read(THING, "pen").startswith("f:1:6: x.pen: found nothing")

    def test_unknown(self) -> None:
        """An unknown key is refused with the nearest."""
        expected = "unknown thing 'cas', allowed are pen, case, number; did you mean case?"
        assert read(THING, "{cas: 1}") == f"f:1:7: x: {expected}"

    @pytest.mark.parametrize("text", ["{pen: {width: 1}, number: 1}", "{}", "[]", "~"])
    def test_not_one_key(self, text: str) -> None:
        """No key, two keys and a list are refused."""
        assert read(THING, text).endswith("allowed is one of pen, case, number")

    def test_schema_of_bare_words(self) -> None:
        """The schema allows those bare words that the decoder allows."""
        assert THING.definition()["anyOf"][-1] == {"enum": ["case"]}

    def test_known_elsewhere(self) -> None:
        """A key of a list inside one of the kinds is named with the way there."""
        inner = Tagged("part", {"nib": Number(0, 9)})

        class Box(Record):
            """A box."""

            parts: tuple[Any, ...] = key(ListOf(inner), "Its parts.")

        outer = Tagged("thing", {"box": Struct(Box)})
        assert read(outer, "{nib: 1}").endswith("; did you mean box.parts.nib?")
