"""The functions of formulas, and the tracks they look at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sheetgen.filled import Entry

GREATEST = 999_999  # a number on a sheet counts as no more, a score as no more than this squared


class Lane:
    """The entries of one track, counted once. An empty text is a box left out."""

    __slots__ = ("count", "entries", "marks", "numbers", "sum")

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = tuple(entries)
        self.numbers = [entry for entry in entries if isinstance(entry, int)]
        if self.numbers and not -GREATEST <= min(self.numbers) <= max(self.numbers) <= GREATEST:
            self.numbers = [_bounded(number) for number in self.numbers]
        self.sum = sum(self.numbers)
        self.count = len(self.numbers)
        self.marks: dict[str, int] = {}
        if self.count < len(self.entries):
            for entry in self.entries:
                if isinstance(entry, str) and entry:
                    self.marks[entry] = self.marks.get(entry, 0) + 1

    @property
    def size(self) -> int:
        """How many entries there are."""
        return self.count + sum(self.marks.values()) if self.marks else self.count

    @classmethod
    def of_totals(cls, total: int, count: int, marks: Mapping[str, int]) -> Lane:
        """Return a track of which only totals are known."""
        lane = cls(())
        lane.sum, lane.count = _bounded(total), _bounded(count)
        lane.marks = {mark: _bounded(number) for mark, number in marks.items()}
        return lane

    @classmethod
    def together(cls, lanes: Iterable[Lane]) -> Lane:
        """Return the tracks of several sheets as one."""
        lanes = list(lanes)
        lane = cls([entry for one in lanes for entry in one.entries])
        lane.sum = sum(one.sum for one in lanes)
        lane.count = sum(one.count for one in lanes)
        marks = {mark for one in lanes for mark in one.marks}
        lane.marks = {mark: sum(one.marks.get(mark, 0) for one in lanes) for mark in marks}
        return lane


Lanes = Sequence[Lane]


def _bounded(number: int) -> int:
    return max(-GREATEST, min(GREATEST, number))


class Function(NamedTuple):
    """A function of formulas; ``takes`` names kinds of values, the last with ``…`` if it repeats.

    ``javascript`` is the same function; ``about`` its line in the manual.
    """

    takes: tuple[str, ...]
    run: Callable[..., int]
    javascript: str
    about: str


def _lookup(table: tuple[int, ...], number: int) -> int:
    return table[max(0, min(number, len(table) - 1))]


def _sum(lanes: Lanes) -> int:
    return sum(lane.sum for lane in lanes)


def _numbers(lanes: Lanes) -> int:
    return sum(lane.count for lane in lanes)


def _entries(lanes: Lanes) -> int:
    return sum(lane.size for lane in lanes)


def _marks(lanes: Lanes, mark: str) -> int:
    return sum(lane.marks.get(mark, 0) for lane in lanes)


def _started(lanes: Lanes) -> int:
    return sum(lane.size > 0 for lane in lanes)


def _distinct(lanes: Lanes) -> int:
    return sum(len(set(lane.numbers)) if lane.numbers else lane.count for lane in lanes)


def _top(lanes: Lanes) -> int:
    numbers = lanes[-1].numbers
    return numbers[-1] if numbers else 0


def _claims(chosen: Sequence[str], lane: str) -> int:
    return chosen.count(lane)


FUNCTIONS: Mapping[str, Function] = {
    "sum": Function(
        ("tracks…",),
        _sum,
        "(t) { return added(t, function (l) { return l.sum; }); }",
        "The sum of the numbers; also the sum of a score that stands for several lanes.",
    ),
    "numbers": Function(
        ("tracks…",),
        _numbers,
        "(t) { return added(t, function (l) { return l.count; }); }",
        "How many numbers stand.",
    ),
    "entries": Function(
        ("tracks…",),
        _entries,
        "(t) { return added(t, function (l) { var n = l.count;"
        " for (var m in l.marks) { n += l.marks[m]; } return n; }); }",
        "How many numbers and marks stand.",
    ),
    "marks": Function(
        ("tracks", "mark"),
        _marks,
        "(t, m) { return added(t, function (l) { return l.marks[m] || 0; }); }",
        "How many of one mark stand: `marks(lane, 'x')`.",
    ),
    "started": Function(
        ("tracks…",),
        _started,
        "(t) { return added(t, function (l) { return f_entries([l]) > 0 ? 1 : 0; }); }",
        "How many of the tracks are not empty.",
    ),
    "distinct": Function(
        ("tracks…",),
        _distinct,
        "(t) { return added(t, function (l) { return l.numbers.length ?"
        " l.numbers.filter(function (n, i) { return l.numbers.indexOf(n) === i; }).length"
        " : l.count; }); }",
        "How many different numbers stand in each track, added up.",
    ),
    "top": Function(
        ("tracks",),
        _top,
        "(t) { return t[t.length - 1].numbers.slice(-1)[0] || 0; }",
        "The last number of a track, 0 if there is none or only totals are known.",
    ),
    "count": Function(
        ("set", "lane"),
        _claims,
        "(s, l) { return added(s, function (n) { return n === l ? 1 : 0; }); }",
        "How often a lane is chosen in a set: 0 or 1 on a sheet.",
    ),
    "size": Function(
        ("set",), len, "(s) { return s.length; }", "How many lanes are chosen in a set."
    ),
    "lookup": Function(
        ("table", "number"),
        _lookup,
        "(t, n) { return t[Math.max(0, Math.min(n, t.length - 1))]; }",
        "What a table says for a number: the first value for less than 0, the last for more.",
    ),
    "min": Function(
        ("number", "number…"),
        min,
        "() { return Math.min.apply(null, arguments); }",
        "The lowest of several numbers.",
    ),
    "max": Function(
        ("number", "number…"),
        max,
        "() { return Math.max.apply(null, arguments); }",
        "The highest of several numbers.",
    ),
    "abs": Function(
        ("number",), abs, "(n) { return Math.abs(n); }", "The number without its sign."
    ),
}
# Takes a condition that is looked at on every sheet of a round; see rules.compiled.
SHEETS: Any = "sheets"
