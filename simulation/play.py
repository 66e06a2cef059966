"""Finished games as they stand in boxes: random ones by the rules, and ones with a fault in them.

Only what a variant says about play is used, so that a new game needs nothing here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from sheetgen.errors import InputError
from sheetgen.filled import Entry, FilledMatch
from sheetgen.form_names import Identity
from sheetgen.layout.identity import digest
from sheetgen.model_play import PlayTrack, lanes
from sheetgen.prepare import setup_for
from sheetgen.read.boxes import Boxes, Part, Slot, boxes_of
from sheetgen.read.form import FormSheet
from sheetgen.read.form_sheets import form_match
from sheetgen.rules.findings import MatchReport
from sheetgen.rules.score import judge
from simulation.pages import Look, Printed, printed
from simulation.truth import Value

Values = dict[str, Value]
Fault = tuple[int, str, str]  # the sheet's index in the match (-1: across sheets), box, rule


class Planted(NamedTuple):
    """A finished sheet with something against the rules, and the findings that it must give."""

    values: Values
    faults: frozenset[Fault]


def identity(look: Look, sheet: Printed) -> Identity:
    """Return what the tool calls this print."""
    variant, scene = sheet.variant, sheet.scene
    players = look.players or variant.usual or variant.players[0]
    code = digest(f"{variant.id}/{sheet.sheet}", scene.size, scene.boxes)
    return Identity(
        variant=str(variant.id),
        sheet=sheet.sheet,
        language=scene.language,
        players=players,
        setup=setup_for(variant, players) or "",
        values=look.values,
        rules=look.rules,
        theme=str(variant.theme),
        code=f"{variant.code}-{code}",
    )


def match_of(look: Look, copies: Iterable[Mapping[str, Value]]) -> FilledMatch:
    """Return the match that boxes hold, as if they had been typed into the tool's own form.

    Raises :class:`InputError` where that would be refused.
    """
    sheet = printed(look)
    who = identity(look, sheet)
    empty: Values = {box.id: False if box.kind == "tick" else "" for box in sheet.scene.boxes}
    forms = [
        FormSheet("pad", 1, copy, who, empty | dict(values), ())
        for copy, values in enumerate(copies, 1)
    ]
    return form_match(sheet.variant, forms, "pad").match


def report_of(look: Look, copies: Iterable[Mapping[str, Value]]) -> MatchReport:
    """Return what judging a match comes to. Raises :class:`InputError`."""
    return judge(printed(look).variant, match_of(look, copies), "")


def faults(report: MatchReport) -> frozenset[Fault]:
    """Return the errors of a report."""
    found = [
        (index, one.box, one.rule)
        for index, sheet in enumerate(report.sheets)
        for one in sheet.findings
        if one.severity == "error"
    ]
    found += [(-1, one.box, one.rule) for one in report.findings if one.severity == "error"]
    return frozenset(found)


def legal(look: Look, rng: np.random.Generator, tries: int = 60) -> Values:
    """Return a sheet that is filled in by the rules, with right results on it."""
    sheet = printed(look)
    boxes = boxes_of(sheet.variant, sheet.sheet, sheet.scene.boxes)
    for attempt in range(tries):
        share = rng.uniform(0.2, 0.9) * (1 - attempt / tries)
        values = _Player(look, sheet, boxes, share, rng).play()
        try:
            report = report_of(look, [values])
        except InputError:
            continue
        if faults(report):
            continue
        _write_results(boxes, values, report, rng)
        try:
            if not faults(report_of(look, [values])):
                return values
        except InputError:
            continue
    raise ValueError(f"{look}: no legal sheet was found")


class _Player:
    def __init__(
        self, look: Look, sheet: Printed, boxes: Boxes, share: float, rng: np.random.Generator
    ) -> None:
        self.boxes, self.share, self.rng = boxes, share, rng
        self.play_of = sheet.variant.play
        assert self.play_of is not None
        self.tracks: dict[str, PlayTrack] = {
            str(name): track
            for kind, track in (self.play_of.tracks or {}).items()
            for name in track.names or (kind,)
        }
        match = sheet.variant.match
        unique = lanes(self.play_of, match.unique) if match and match.unique else ()
        self.unique = frozenset(unique)
        self.used: dict[tuple[int, str], set[int]] = {}
        self.spent: dict[tuple[int, str, str], int] = {}

    def play(self) -> Values:
        values: Values = {}
        for part in self.boxes.parts:
            for name, slots in part.tracks.items():
                for box, entry in self.track(part, name, slots):
                    values[box] = entry
            for name, totals in part.totals.items():
                self.totals(part, name, totals, values)
            for ticks in part.counts.values():
                count = int(self.rng.binomial(len(ticks), self.share * 0.6))
                values |= dict.fromkeys(ticks[:count], True)
            for box in part.flags.values():
                if self.rng.random() < self.share * 0.5:
                    values[box] = True
            for of in part.sets.values():
                for box in of.values():
                    if self.rng.random() < self.share * 0.4:
                        values[box] = True
        return values

    def entries(self, part: Part, name: str, most: int) -> list[Entry]:
        """Return entries by the rules of a track."""
        rng, track = self.rng, self.tracks[name]
        numbers = sorted(track.numbers)
        if len(numbers) > 200:  # a pad for any game: points as they are
            numbers = list(range(-20, 100))
        used = self.used.setdefault((part.round, name), set()) if name in self.unique else set()
        free = [number for number in numbers if number not in used]
        if track.single:
            return [int(rng.choice(free))] if rng.random() < max(self.share, 0.5) else []
        marks: list[Entry] = []
        for mark, rule in (track.marks or {}).items():
            key = (part.round, name, str(mark))
            left = min(rule.most, 3) - (self.spent.get(key, 0) if self.unique else 0)
            count = int(rng.integers(0, left + 1)) if left > 0 and rng.random() < 0.6 else 0
            self.spent[key] = self.spent.get(key, 0) + count
            marks += [str(mark)] * count
        count = int(rng.binomial(max(0, most - len(marks)), self.share * 0.8))
        if track.order in ("rising", "falling", "either"):
            count = min(count, len(free))
            chosen = sorted(int(n) for n in rng.choice(free, count, replace=False))
            if track.order == "falling" or (track.order == "either" and rng.random() < 0.5):
                chosen.reverse()
        else:
            chosen = [int(n) for n in rng.choice(free, count)]
            if track.order == "not-falling":
                chosen.sort()
        used |= set(chosen)
        return [*marks[:most], *chosen]

    def track(self, part: Part, name: str, slots: list[Slot]) -> Iterator[tuple[str, Value]]:
        ordered = sorted(slots, key=lambda slot: slot.number)
        entries = self.entries(part, name, len(slots))
        if all(slot.printed is None for slot in slots):
            for slot, entry in zip(ordered, entries, strict=False):
                yield slot.box, str(entry)
            return
        free = list(ordered)
        for entry in entries:
            found = next((slot for slot in free if slot.printed == entry), None)
            if found:
                free.remove(found)
                yield found.box, True

    def totals(
        self, part: Part, name: str, totals: Mapping[str, list[Slot]], values: Values
    ) -> None:
        entries = self.entries(part, name, 12)
        if not entries:
            return
        known = {"sum": sum(e for e in entries if isinstance(e, int)), "entries": len(entries)}
        for word, what in self.boxes.names.triples[name].items():
            number = known.get(what, entries.count(what))
            for slot in totals.get(word, ()):
                if slot.printed is None:
                    values[slot.box] = str(number)
                elif slot.printed == number:
                    values[slot.box] = True


def _write_results(
    boxes: Boxes, values: Values, report: MatchReport, rng: np.random.Generator
) -> None:
    """Write the right results, most of them: people leave some away."""
    thorough = rng.random() < 0.8
    owners = list(dict.fromkeys(part.owner for part in boxes.parts))
    for part in boxes.parts:
        for sheet in report.sheets:
            mine = len(owners) == 1 or sheet.player == part.owner.upper()
            if not mine or (part.round and sheet.round != part.round):
                continue
            for name, slots in part.results.items():
                if name not in sheet.scores or not (thorough or rng.random() < 0.5):
                    continue
                for slot in slots:
                    if slot.printed is None:
                        values[slot.box] = str(sheet.scores[name])
                    elif slot.printed == sheet.scores[name]:
                        values[slot.box] = True
    for owner, box in boxes.matches.items():
        right = report.totals.get(owner.upper())
        if right is not None and thorough:
            values[box] = str(right)


def planted(look: Look, rng: np.random.Generator, tries: int = 80) -> Planted:
    """Return a legal sheet in which one box was changed so that the rules object."""
    sheet = printed(look)
    boxes = boxes_of(sheet.variant, sheet.sheet, sheet.scene.boxes)
    for _ in range(tries):
        values = legal(look, rng)
        changed = dict(values)
        _spoil(boxes, changed, rng)
        try:
            found = faults(report_of(look, [changed]))
        except InputError:
            continue
        if found:
            return Planted(changed, found)
    raise ValueError(f"{look}: nothing against the rules was found")


def _spoil(boxes: Boxes, values: Values, rng: np.random.Generator) -> None:
    """Change one thing as people go wrong."""
    part = boxes.parts[int(rng.integers(len(boxes.parts)))]
    kind = str(rng.choice(["number", "order", "gap", "result", "result", "tick"]))
    tracks = [s for s in part.tracks.values() if any(values.get(slot.box) for slot in s)]
    written = [slots for slots in tracks if all(slot.printed is None for slot in slots)]
    if kind in ("number", "order", "gap") and written:
        slots = written[int(rng.integers(len(written)))]
        filled = [slot.box for slot in slots if str(values.get(slot.box, "")).isdigit()]
        if not filled:
            return
        at = int(rng.integers(len(filled)))
        if kind == "gap":
            values.pop(filled[at])
        elif kind == "number" or at == 0:
            values[filled[at]] = str(rng.choice([0, 1, 11, 12, 13, 14, 17, 20, 35, 71, 90]))
        else:
            values[filled[at]], values[filled[at - 1]] = values[filled[at - 1]], values[filled[at]]
    elif kind == "tick":
        ticks = [slot.box for slots in tracks for slot in slots if slot.printed is not None]
        ticks += [box for ids in part.counts.values() for box in ids]
        ticks += [*part.flags.values(), *(b for of in part.sets.values() for b in of.values())]
        if ticks:
            box = ticks[int(rng.integers(len(ticks)))]
            values[box] = not values.get(box, False)
    else:
        results = [
            slot.box
            for slots in part.results.values()
            for slot in slots
            if slot.printed is None and values.get(slot.box)
        ]
        if results:
            box = results[int(rng.integers(len(results)))]
            right = int(str(values[box]))
            wrong = right + int(rng.choice([-20, -10, -5, -2, -1, 1, 2, 3, 10, 20]))
            values[box] = str(wrong)
