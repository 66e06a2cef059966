"""What may stand in a track: which numbers, in which order, which marks, how many."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from sheetgen.filled import Entry
from sheetgen.model_play import PlayTrack
from sheetgen.rules.findings import Finding, Severity
from sheetgen.rules.functions import Lane

_ORDERS: Mapping[str, tuple[Callable[[int, int], bool], str]] = {
    "rising": (operator.lt, "higher than"),
    "falling": (operator.gt, "lower than"),
    "not-falling": (operator.le, "as high as"),
}
_ANY = (lambda last, number: True, "")


class MarkRule(NamedTuple):
    """How many of a mark may stand, and after how many numbers at the most."""

    most: int
    after: int | None


class TrackRule(NamedTuple):
    """What may stand in one track."""

    name: str
    numbers: frozenset[int]
    order: str
    boxes: int | str
    single: bool
    marks: Mapping[str, MarkRule]
    totals: Mapping[str, str]

    @classmethod
    def of(cls, name: str, track: PlayTrack) -> TrackRule:
        """Return the rule of one of a kind's tracks."""
        marks = {
            str(mark): MarkRule(one.most, one.after_at_most)
            for mark, one in (track.marks or {}).items()
        }
        totals = {str(word): str(what) for word, what in (track.totals or {}).items()}
        boxes = 1 if track.single else track.boxes
        return cls(name, track.numbers, track.order, boxes, track.single, marks, totals)

    def most(self, values: Mapping[str, int]) -> int:
        """Return how many entries the track may hold."""
        return self.boxes if isinstance(self.boxes, int) else values[self.boxes]

    def findings(self, entries: Sequence[Entry], values: Mapping[str, int]) -> Iterator[Finding]:
        """Yield what is wrong with the entries, box by box."""
        boxes = self.most(values)
        order = _direction(entries) if self.order == "either" else self.order
        follows, said_so = _ORDERS.get(order, _ANY)
        last: int | None = None
        stand = 0
        marks: dict[str, int] = {}
        while entries and entries[-1] == "":
            entries = entries[:-1]
        for index, entry in enumerate(entries, 1):
            if index > boxes:
                count = "one number" if self.single else f"{boxes} entries"
                yield self._finding(index, "boxes", f"at most {count} may stand here")
            if isinstance(entry, int):
                if entry not in self.numbers:
                    found = f"{minus(entry)} is not allowed, {said(self.numbers)} are"
                    yield self._finding(index, "number", found)
                if last is not None and not follows(last, entry):
                    found = f"{minus(entry)} is not {said_so} {minus(last)} before it"
                    yield self._finding(index, "order", found)
                last = entry
                stand += 1
            elif entry == "":
                yield self._finding(index, "gap", "an empty box before filled ones")
            elif mark := self.marks.get(entry):
                marks[entry] = marks.get(entry, 0) + 1
                if marks[entry] > mark.most:
                    found = f"{entry} stands {marks[entry]} times, at most {mark.most} are allowed"
                    yield self._finding(index, "most", found)
                if mark.after is not None and stand > mark.after:
                    after = f"after {mark.after} at the most" if mark.after else "only before them"
                    numbers = "1 number" if stand == 1 else f"{stand} numbers"
                    found = f"{entry} stands after {numbers}, it is written {after}"
                    yield self._finding(index, "mark", found)
            else:
                known = "".join(f" or {mark}" for mark in self.marks)
                found = f"{entry[:20]!r} is no number{known}"
                yield self._finding(index, "entry", found)

    def _finding(self, index: int, rule: str, message: str) -> Finding:
        box = self.name if self.single else f"{self.name}_{index}"
        return Finding(box, rule, "error", message)

    # -- totals -----------------------------------------------------------------------------------

    def of_totals(self, given: Mapping[str, int]) -> Lane:
        """Return the track that totals stand for; entries left out are the least possible."""
        known = {what: given[word] for word, what in self.totals.items() if word in given}
        marks = {mark: known[mark] for mark in self.marks if mark in known}
        total = known.get("sum", 0)
        entries = known.get("entries")
        count = self._least(total) if entries is None else entries - sum(marks.values())
        return Lane.of_totals(total, count, marks)

    def _least(self, total: int) -> int:
        counts = range(len(self.numbers) + 1)
        return next((n for n in counts if self.reaches(total, n)), 1 if total else 0)

    def reaches(self, total: int, count: int, without: frozenset[int] = frozenset()) -> bool:
        """Tell whether so many numbers can have this sum, as far as the extremes say."""
        low, high = self._extremes(count, without)
        return low <= total <= high

    def _extremes(self, count: int, without: frozenset[int]) -> tuple[int, int]:
        numbers = sorted(self.numbers - without)
        if count <= 0 or not numbers:
            return (0, 0) if count == 0 else (1, 0)
        if self.order in ("not-falling", "free"):
            return count * numbers[0], count * numbers[-1]
        if count > len(numbers):
            return 1, 0
        return sum(numbers[:count]), sum(numbers[-count:])

    def totals_findings(
        self, given: Mapping[str, int], values: Mapping[str, int]
    ) -> Iterator[Finding]:
        """Yield what is wrong with a track given by totals."""

        def finding(message: str, severity: Severity = "error") -> Finding:
            return Finding(self.name, "totals", severity, message)

        for word in given:
            if word not in self.totals:
                known = ", ".join(self.totals) or "none"
                yield finding(f"unknown {word[:20]!r}, known are {known}")
        words = {what: word for word, what in self.totals.items()}
        lane = self.of_totals(given)
        for mark, number in lane.marks.items():
            if not 0 <= number <= self.marks[mark].most:
                allowed = f"allowed are 0 to {self.marks[mark].most}"
                yield finding(f"{words[mark]} {minus(number)}, {allowed}")
        entries = words.get("entries", "entries")
        if entries not in given:
            taken = f"{lane.size} are taken, the least that can be"
            yield finding(f"{entries} not given: {taken}", "warning")
        elif lane.size > self.most(values):
            yield finding(f"{lane.size} {entries}, at most {self.most(values)} fit")
        if lane.count < 0:
            yield finding(f"{entries} {minus(lane.size)}, fewer than the marks among them")
        elif not self.reaches(lane.sum, lane.count):
            low, high = self._extremes(lane.count, frozenset())
            can = f"can be {low} to {high}" if low <= high else "cannot be"
            numbers = "1 number" if lane.count == 1 else f"{lane.count} numbers"
            yield finding(f"the sum of {numbers} is {minus(lane.sum)}: it {can}")


def _direction(entries: Sequence[Entry]) -> str:
    """Return the order that the first two different numbers show."""
    numbers = [entry for entry in entries if isinstance(entry, int)]
    for last, number in pairwise(numbers):
        if last != number:
            return "rising" if number > last else "falling"
    return "rising"


def minus(number: int) -> str:
    """Return a number with a real minus sign, cut short if it is absurd."""
    if abs(number) > 10**12:
        return "a number beyond all bounds"
    return str(number).replace("-", "−")


@lru_cache(maxsize=256)
def said(numbers: frozenset[int]) -> str:
    """Return a set of numbers as a person says it: ``0, 5 to 30``."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    words = [minus(low) if low == high else f"{minus(low)} to {minus(high)}" for low, high in runs]
    return " and ".join(word for word in (", ".join(words[:-1]), words[-1]) if word)
