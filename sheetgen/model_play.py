"""What a variant file says about play: what may stand where, what it scores, and examples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from sheetgen.nodes import Mapping as MappingNode
from sheetgen.nodes import Node, Scalar
from sheetgen.nodes import Sequence as SequenceNode
from sheetgen.schema import (
    IDENTIFIER,
    Choice,
    Count,
    Flag,
    Integer,
    Json,
    ListOf,
    MapOf,
    Name,
    Reader,
    Record,
    Struct,
    Words,
    describe,
    key,
)
from sheetgen.text import TEXT, Text

FORMULA = Words(wanted="a formula", longest=500)
NAME = Words(r"[a-z][a-z0-9_]{0,39}", "a name of small letters, digits and _")
NAMES = ListOf(NAME, 1, 60, lone=True)
MARK = Words(r"[^\s\d'\"{}][^\s'\"{}]{0,7}", "a mark such as x, without quotes, not a digit first")
PATTERN = Words(r"[a-z0-9_{}]{1,60}", "a name, in which {lane} stands for the lane")
POINTS = Integer(-999_999, 999_999)
WIDEST = 20_000  # numbers that a track may choose from


class Numbers:
    """Whole numbers: one, a range such as ``2..10``, or a list of both, kept as a set."""

    pattern = re.compile(r"([-−]?[0-9]{1,4})(?:\.\.([-−]?[0-9]{1,4}))?")
    wanted = "a whole number, a range such as 2..10, or a list of them"

    def decode(self, node: Node, reader: Reader, where: str) -> Any:
        """Return a frozen set of numbers."""
        items = node.items if isinstance(node, SequenceNode) else (node,)
        numbers: set[int] = set()
        for item in items:
            found = self.pattern.fullmatch(item.value) if isinstance(item, Scalar) else None
            low, high = (
                (int((n or found[1]).replace("−", "-")) for n in found.groups())
                if found
                else (1, 0)
            )
            if low > high:
                return reader.fail(item, where, describe(item), f"allowed is {self.wanted}")
            numbers |= set(range(low, high + 1))
        if not 1 <= len(numbers) <= WIDEST:
            return reader.fail(node, where, f"found {len(numbers)} numbers", f"at most {WIDEST}")
        return frozenset(numbers)

    def schema(self) -> Json:
        """Return a schema of all ways to write them."""
        text = {"type": "string", "pattern": f"^(?:{self.pattern.pattern})$"}
        one = {"anyOf": [{"type": "integer", "minimum": -9999, "maximum": 9999}, text]}
        return {"anyOf": [one, {"type": "array", "items": one, "minItems": 1, "maxItems": 200}]}


class Written:
    """What stands on a sheet under one name: a word, a list of words, or numbers by name."""

    wanted = "a number, a list, true or false, or numbers by name"
    _word, _list, _map = Words(longest=40), ListOf(Words(longest=40), 0, 100), MapOf(POINTS)

    def decode(self, node: Node, reader: Reader, where: str) -> Any:
        """Return a :class:`Name`, a tuple of them, or a dict of numbers."""
        if isinstance(node, SequenceNode):
            return self._list.decode(node, reader, where)
        one = self._map if isinstance(node, MappingNode) else self._word
        return one.decode(node, reader, where)

    def schema(self) -> Json:
        """Return a schema of all three."""
        return {"anyOf": [one.schema() for one in (self._word, self._list, self._map)]}


class PlayMark(Record):
    """A mark that may stand in a track beside numbers."""

    most: int = key(Integer(1, 99), "How many of it a track may hold.", default=99)
    after_at_most: int | None = key(
        Integer(0, 99), "The most numbers that may stand before it.", default=None
    )


class PlayTrack(Record):
    """Tracks of one kind: numbers and marks in the order of writing."""

    names: tuple[Name, ...] = key(NAMES, "The tracks; else one, named like the kind.", default=())
    numbers: frozenset[int] = key(Numbers(), "The numbers that may stand in it.")
    order: str = key(
        Choice("rising", "falling", "either", "not-falling", "free"),
        "How each number follows the last; either is rising or falling, as the first two say.",
        default="free",
    )
    boxes: int | Name = key(Count(1, 60), "How many entries it may hold.", default=60)
    single: bool = key(
        Flag(),
        "One number, in files a number and no list; its box has the track's name.",
        default=False,
    )
    marks: dict[str, PlayMark] = key(
        MapOf(Struct(PlayMark), MARK), "Marks beside numbers.", default=None
    )
    totals: dict[str, Name] = key(
        MapOf(Words(longest=8), NAME),
        "The track may be given by totals: names in files, each for sum, entries, or a mark.",
        default=None,
    )


class PlayCount(Record):
    """Ticks that are counted."""

    most: int | Name = key(Count(0, 999), "How many there may be.", default=999)


class PlayFlag(Record):
    """A single mark, or one for each lane: ``lane_name``."""

    lanes: tuple[Name, ...] = key(NAMES, "Kinds of tracks, or names, that have one.", default=())


class PlaySet(Record):
    """A choice of lanes."""

    of: tuple[Name, ...] = key(NAMES, "Kinds of tracks, or names, that may be chosen.")
    box: Name = key(PATTERN, "The box of each.", default=Name("{lane}"))


class Assert(Record):
    """Something that must hold, and what to say if it does not."""

    rule: Name = key(IDENTIFIER, "Short name of the rule.")
    each: tuple[Name, ...] = key(NAMES, "Once for each of these kinds or names.", default=())
    that: Name = key(FORMULA, "A formula that must be true.")
    box: tuple[Name, ...] = key(ListOf(PATTERN, 1, 8, lone=True), "The boxes it is about.")
    severity: str = key(Choice("error", "warning"), "How bad it is.", default="error")
    text: Text = key(TEXT, "What to say; {…} inserts the value of a formula, {lane} the name.")


ASSERTS = ListOf(Struct(Assert), 1, 60)


class Play(Record):
    """What may stand on a sheet."""

    tracks: dict[str, PlayTrack] = key(
        MapOf(Struct(PlayTrack), NAME), "Tracks by kind.", default=None
    )
    counts: dict[str, PlayCount] = key(
        MapOf(Struct(PlayCount), NAME), "Counted ticks.", default=None
    )
    flags: dict[str, PlayFlag] = key(MapOf(Struct(PlayFlag), NAME), "Single marks.", default=None)
    sets: dict[str, PlaySet] = key(MapOf(Struct(PlaySet), NAME), "Choices of lanes.", default=None)
    asserts: tuple[Assert, ...] = key(ASSERTS, "What must hold on every sheet.", default=())


class Score(Record):
    """A score: a formula, for one thing or for each of many."""

    formula: Name = key(FORMULA, "What it is worth.")
    each: tuple[Name, ...] = key(NAMES, "Once for each of these kinds or names.", default=())
    named: Name | None = key(
        PATTERN, "Its name in files and reports; else the formula's, or the lane's.", default=None
    )
    working: bool = key(
        Flag(),
        "Part of the working: compared if written, but no score of the report.",
        default=False,
    )


class Match(Record):
    """What holds across the sheets of a match."""

    rounds: tuple[int, ...] = key(
        Numbers(), "How many rounds there may be.", default=frozenset({1})
    )
    winner: str = key(Choice("highest", "lowest", "none"), "Whose total wins.", default="highest")
    unique: tuple[Name, ...] = key(
        NAMES, "Tracks in which a number may stand once a round, over all players.", default=()
    )
    asserts: tuple[Assert, ...] = key(
        ASSERTS, "What must hold in every round, all players' sheets taken together.", default=()
    )


class ExampleSheet(Record):
    """A filled sheet and what it comes to."""

    player: Name = key(Words(longest=60), "Whose it is.", default=Name("A"))
    round: int = key(Integer(0, 99), "Its round.", default=0)
    entries: dict[str, Any] = key(MapOf(Written(), NAME, 0), "What stands on it.", default=None)
    written: dict[str, int] = key(MapOf(POINTS, NAME), "Results on the paper.", default=None)
    scores: dict[str, int] = key(MapOf(POINTS, NAME), "The right scores, or some.", default=None)
    findings: tuple[Name, ...] = key(
        ListOf(Words(), 0, 40, lone=True),
        "All findings: box and rule, such as red_3 order.",
        default=(),
    )


class Example(Record):
    """A match, or a part of one, and what it comes to."""

    title: Text | None = key(TEXT, "What it shows.", default=None)
    setup: Name | None = key(IDENTIFIER, "The setup.", default=None)
    sheets: tuple[ExampleSheet, ...] = key(
        ListOf(Struct(ExampleSheet), 1, 60, lone=True), "The sheets."
    )
    totals: dict[str, int] = key(
        MapOf(POINTS, Words(longest=60)), "Totals by player.", default=None
    )
    winners: tuple[Name, ...] = key(
        ListOf(Words(longest=60), 1, 20, lone=True), "Who wins.", default=()
    )
    findings: tuple[Name, ...] | None = key(
        ListOf(Words(), 0, 40, lone=True), "All findings across sheets: box and rule.", default=None
    )


PLAY = Struct(Play)
SCORE = MapOf(Struct(Score, "formula"), NAME)
MATCH = Struct(Match)
EXAMPLES = ListOf(Struct(Example), 1, 100)


def lanes(play: Play, names: tuple[Name, ...]) -> Iterator[str]:
    """Yield the names that kinds of tracks stand for, and all other names as they are."""
    for name in names:
        track = (play.tracks or {}).get(name)
        yield from (str(one) for one in track.names or (name,)) if track else (str(name),)


def kinds(play: Play | None) -> dict[str, str]:
    """Return every name that a sheet may hold: it is a track, number, count, flag or set.

    A number is a track of one entry at the most.
    """
    found: dict[str, str] = {}
    if play is None:
        return found
    for kind, track in (play.tracks or {}).items():
        what = "number" if track.single else "track"
        found |= dict.fromkeys((str(name) for name in track.names or (kind,)), what)
    found |= dict.fromkeys(map(str, play.counts or {}), "count")
    for name, flag in (play.flags or {}).items():
        each = [f"{lane}_{name}" for lane in lanes(play, flag.lanes)] or [str(name)]
        found |= dict.fromkeys(each, "flag")
    return found | dict.fromkeys(map(str, play.sets or {}), "set")


def totals(play: Play | None) -> dict[str, dict[str, str]]:
    """Return, for tracks that may be given by totals, what each name in files stands for."""
    return {
        str(name): {str(word): str(what) for word, what in track.totals.items()}
        for kind, track in ((play and play.tracks) or {}).items()
        if track.totals
        for name in track.names or (kind,)
    }
