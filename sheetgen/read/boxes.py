"""What the boxes of a laid-out sheet mean: the one place where their ids are interpreted.

An id is made by the layout of what surrounds a box: ``red_3`` is the third box of the lane red,
``red_a_3_round2`` the same in the table ``a``, in the second repetition of a row named ``round``;
``p2_r_3`` stands in the second of counted lanes ``p``. What is left without those is a name of the
variant's ``play`` or ``score``, perhaps with a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from sheetgen.checks import walk
from sheetgen.filled import Entry
from sheetgen.model import Line, Table, Track, Variant
from sheetgen.model_play import lanes
from sheetgen.read.limits import WHOLE
from sheetgen.read.names import Names, names_of

if TYPE_CHECKING:
    from sheetgen.model import Sheet
    from sheetgen.scene import Box

_ENDINGS = ("_score", "_points")  # of boxes for results, which are named after what they score
_NUMBERED = re.compile(r"([a-z0-9_]+)_([0-9]{1,3})")


class Slot(NamedTuple):
    """A box of a track or of a choice: its number from 1, and what is printed in it, if it is."""

    number: int
    box: str
    printed: Entry | None = None


class Part(NamedTuple):
    """Where one player writes in one round; names are those of data files.

    ``owner`` is what the ids call the player (``a``, ``p2``), ``""`` if the sheet is one player's;
    ``round`` is 0 if the sheet does not tell. ``tracks``, ``choices`` (for the totals of a track,
    by track and total, and for results that are ticked) hold slots, everything else ids of boxes.
    """

    owner: str
    round: int
    tracks: dict[str, list[Slot]]
    counts: dict[str, list[str]]
    flags: dict[str, str]
    sets: dict[str, dict[str, str]]
    totals: dict[str, dict[str, list[Slot]]]
    results: dict[str, list[Slot]]


class Boxes(NamedTuple):
    """All parts of a sheet; ``players`` and ``matches`` are the boxes of names and match totals."""

    names: Names
    parts: tuple[Part, ...]
    players: Mapping[str, str]
    matches: Mapping[str, str]


class _Surroundings(NamedTuple):
    """What ids are made of beside names: of tables, of repetitions, and of counted lanes."""

    tables: frozenset[str]
    repeats: frozenset[str]
    lanes: frozenset[str]
    printed: Mapping[str, tuple[str, ...]]


class Meaning(NamedTuple):
    """What one box is for: its part of the sheet, and the name it has in data files.

    ``part`` is ``None`` for a box that is not one player's in one round. ``group`` is a field of
    :class:`Part`, or ``"players"`` or ``"matches"``.
    """

    part: Part | None
    group: str
    name: str


def meanings(boxes: Boxes) -> dict[str, Meaning]:
    """Return what each box means, by its id; boxes that mean nothing to the rules are left out."""
    found: dict[str, Meaning] = {}
    for part in boxes.parts:
        for name, slots in part.tracks.items():
            found |= {slot.box: Meaning(part, "tracks", name) for slot in slots}
        for name, ids in part.counts.items():
            found |= {box: Meaning(part, "counts", name) for box in ids}
        found |= {box: Meaning(part, "flags", name) for name, box in part.flags.items()}
        for name, of in part.sets.items():
            found |= {box: Meaning(part, "sets", name) for box in of.values()}
        for name, words in part.totals.items():
            slots = [slot for ones in words.values() for slot in ones]
            found |= {slot.box: Meaning(part, "totals", name) for slot in slots}
        for name, slots in part.results.items():
            found |= {slot.box: Meaning(part, "results", name) for slot in slots}
    found |= {box: Meaning(None, "players", owner) for owner, box in boxes.players.items()}
    found |= {box: Meaning(None, "matches", owner) for owner, box in boxes.matches.items()}
    return found


def boxes_of(variant: Variant, sheet: str, boxes: Iterable[Box]) -> Boxes:
    """Return what the boxes of one of a variant's sheets mean; others are for the player alone.

    Raises :class:`sheetgen.errors.InputError` for a variant that does not say how it is played.
    """
    return _Interpreter(variant, variant.sheets[sheet]).boxes(list(boxes))


class _Interpreter:
    def __init__(self, variant: Variant, sheet: Sheet) -> None:
        self.names = names_of(variant)
        self.around = _surroundings(sheet)
        assert variant.play is not None
        self.sets: dict[str, tuple[str, str]] = {}
        for name, choice in (variant.play.sets or {}).items():
            for lane in lanes(variant.play, choice.of):
                self.sets[choice.box.replace("{lane}", lane)] = (str(name), lane)
        self.parts: dict[tuple[str, int], Part] = {}
        self.players: dict[str, str] = {}
        self.matches: dict[str, str] = {}

    def boxes(self, boxes: list[Box]) -> Boxes:
        split = [self.split(box.id) for box in boxes]
        named = {owner for (owner, _, rest) in split if rest in ("name", "player")}
        for box, (said, number, rest) in zip(boxes, split, strict=True):
            owner, turn = said, number
            lane = said.rstrip("0123456789")
            if said not in named and lane in self.around.lanes:
                # Counted lanes that bear no names are not players but rounds.
                owner, turn = "", int(said[len(lane) :])
            if box.kind == "text":
                if rest in ("name", "player"):
                    self.players[owner] = box.id
            elif rest == "match":
                self.matches[owner] = box.id
            else:
                key = (owner, turn)
                if key not in self.parts:
                    self.parts[key] = Part(owner, turn, {}, {}, {}, {}, {}, {})
                self.place(self.parts[key], box, "total" if rest == "round" else rest)
        parts = (part for part in self.parts.values() if any(part[2:]))
        return Boxes(self.names, tuple(parts), self.players, self.matches)

    def split(self, box: str) -> tuple[str, int, str]:
        """Return the owner, the round, and the rest of an id."""
        words = box.split("_")
        owner, number = "", 0
        last = words[-1].rstrip("0123456789")
        if len(words) > 1 and last in self.around.repeats and last != words[-1]:
            number = int(words.pop()[len(last) :])
        first = words[0].rstrip("0123456789")
        if len(words) > 1 and first in self.around.lanes and first != words[0]:
            owner = words.pop(0)
        elif own := [i for i, word in enumerate(words) if i and word in self.around.tables]:
            owner = words.pop(own[-1])
        return owner, number, "_".join(words)

    def place(self, part: Part, box: Box, rest: str) -> None:
        """Put a box where it belongs; one that means nothing to the rules is left out."""
        names = self.names
        numbered = _NUMBERED.fullmatch(rest)
        base, number = (numbered[1], int(numbered[2])) if numbered else (rest, 0)
        lane, _, word = base.rpartition("_")
        if box.kind == "score" and (result := self.result(rest)):
            part.results.setdefault(result, []).append(Slot(0, box.id))
        elif rest in names.singles:
            part.tracks[rest] = [Slot(1, box.id)]
        elif rest in names.flags:
            part.flags[rest] = box.id
        elif rest in self.sets:
            name, chosen = self.sets[rest]
            part.sets.setdefault(name, {})[chosen] = box.id
        elif number and base in names.tracks:
            printed = self.printed(box, base, number) if box.kind == "tick" else None
            part.tracks.setdefault(base, []).append(Slot(number, box.id, printed))
        elif number and base in names.counts:
            part.counts.setdefault(base, []).append(box.id)
        elif word in names.triples.get(lane, ()):
            value = number if numbered else None
            slots = part.totals.setdefault(lane, {}).setdefault(word, [])
            slots.append(Slot(number, box.id, value))
        elif result := self.result(base if box.kind == "tick" else rest):
            value = number if numbered else _number(box.label.split()[-1])
            slots = part.results.setdefault(result, [])
            slots.append(Slot(0, box.id, value if box.kind == "tick" else None))

    def result(self, rest: str) -> str:
        """Return the name of the score that a box is for, or ``""``."""
        if rest in self.names.scores:
            return rest
        stems = (rest.removesuffix(end) for end in _ENDINGS if rest.endswith(end))
        return next((stem for stem in stems if stem in self.names.scores), "")

    def printed(self, box: Box, lane: str, number: int) -> Entry:
        """Return the entry that a tick in a box stands for: what is printed in it."""
        values = self.around.printed.get(lane, ())
        text = values[number - 1] if number <= len(values) else box.label.split()[-1]
        value = _number(text)
        if value is not None:
            return value
        marks = self.names.tracks[lane]
        # A sheet may print a symbol where files have a letter.
        return text if text in marks or len(marks) != 1 else marks[0]


def _number(text: str) -> int | None:
    return int(text.replace("−", "-").lstrip("+")) if WHOLE.fullmatch(text.lstrip("+")) else None


def _surroundings(sheet: Sheet) -> _Surroundings:
    tables, repeats, counted = set(), set(), set()
    printed: dict[str, tuple[str, ...]] = {}
    for element in walk(sheet.body):
        if isinstance(element, Line) and element.name:
            repeats.add(str(element.name))
        if not isinstance(element, Table):
            continue
        if element.id:
            tables.add(str(element.id))
        for group in element.groups:
            counted |= {str(name) for name in group.lanes if group.count is not None}
            for lane, track in _ticked(element, group.lanes):
                base = f"{lane}_{track.id}" if track.id else lane
                printed[base] = tuple(map(str, track.values))
    return _Surroundings(frozenset(tables), frozenset(repeats), frozenset(counted), printed)


def _ticked(table: Table, names: Iterable[str]) -> Iterator[tuple[str, Track]]:
    for row in table.rows:
        if isinstance(row, Track) and row.values:
            for lane in names:
                if not row.only or lane in row.only:
                    yield str(lane), row
