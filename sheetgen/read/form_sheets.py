"""From the boxes of forms to finished sheets; what cannot be read is a problem, never a zero."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from sheetgen.errors import InputError, Problem
from sheetgen.filled import Entry, FilledMatch, FilledSheet
from sheetgen.form_names import Identity
from sheetgen.model import Variant
from sheetgen.read.boxes import Boxes, Part, Slot, boxes_of
from sheetgen.read.form import FormSheet, clean, code_of, missing, scene_of
from sheetgen.read.limits import LARGEST, WHOLE
from sheetgen.schema import Place, shorten

if TYPE_CHECKING:
    from sheetgen.scene import Scene

_FILL_IN = "type into a form (sheetgen print --fillable) and save it"
MOST_PROBLEMS = 50
LONGEST_NAME = 60


_NO_MARKS = ("0", "-", "–", "−")


class FormMatch(NamedTuple):
    """A finished match, match totals as players wrote them, and what is odd about the file.

    ``origins`` say for each filled sheet of the match which copy it is from (an index of those that
    were given) and in which boxes it stands; ``problems`` are entries that mean nothing, which are
    empty in the match.
    """

    match: FilledMatch
    totals: Mapping[str, int]
    warnings: tuple[str, ...]
    origins: tuple[tuple[int, Part], ...]
    problems: tuple[Problem, ...]


def form_match(variant: Variant, sheets: Iterable[FormSheet], file: str) -> FormMatch:
    """Return the match that the forms of a file hold; copies nobody used are left out.

    All must be of ``variant``. Raises :class:`InputError` with everything that cannot be read, and
    if nothing is filled in at all.
    """
    found = any_match(variant, sheets, file)
    if found.problems:
        raise InputError(list(found.problems))
    if not found.match.sheets:
        raise InputError(Problem("no sheet is filled in", _FILL_IN, file=file))
    return found


def any_match(
    variant: Variant,
    sheets: Iterable[FormSheet],
    file: str,
    scenes: Mapping[Identity, Scene] | None = None,
) -> FormMatch:
    """Return the same whatever is wrong, and even if nothing is filled in.

    ``scenes`` are sheets that are laid out already.
    """
    reader = _Reader(variant, file, scenes or {})
    for index, sheet in enumerate(sheets):
        reader.index = index
        reader.take(sheet)
    return reader.result()


class _Reader:
    def __init__(self, variant: Variant, file: str, scenes: Mapping[Identity, Scene]) -> None:
        self.variant, self.file, self.scenes = variant, file, scenes
        self.problems: list[Problem] = []
        self.warnings: dict[str, None] = {}
        self.sheets: list[FilledSheet] = []
        self.totals: dict[str, int] = {}
        self.setups: dict[str, None] = {}
        self.layouts: dict[Identity, Boxes] = {}
        self.expected: dict[object, list[str]] = {}
        self.index = 0
        self.origins: list[tuple[int, Part]] = []

    def result(self) -> FormMatch:
        if len(self.setups) > 1:
            self.warn(f"the sheets are for different numbers of players: {', '.join(self.setups)}")
        setup = next(iter(self.setups), "")
        match = FilledMatch(self.file, str(self.variant.id), setup, tuple(self.sheets))
        options = [dict(identity.values) for identity in self.layouts]
        if options and all(one == options[0] for one in options):
            match = match._replace(values=options[0])
        warnings, problems = tuple(self.warnings), tuple(self.problems[:MOST_PROBLEMS])
        return FormMatch(match, self.totals, warnings, tuple(self.origins), problems)

    def warn(self, text: str) -> None:
        self.warnings[text] = None

    def fail(self, where: str, found: str, allowed: str) -> None:
        self.problems.append(Problem(found, allowed, where=where, file=self.file))

    def take(self, form: FormSheet) -> None:
        """Read a copy: a sheet for everybody who filled in something on it."""
        where = f"sheet {form.copy}" + (f" on page {form.page}" if form.page else "")
        for warning in form.warnings:
            self.warn(f"{where}: {warning}")
        if form.blank:
            return
        boxes = self.layout(form, where)
        if boxes is None:
            return
        read = [self.part(form, boxes, part, where) for part in boxes.parts]
        played = {
            part.round for part, sheet in zip(boxes.parts, read, strict=True) if any(sheet[2:])
        }
        for part, sheet in zip(boxes.parts, read, strict=True):
            # Who has a name but nothing written took part, and scores what nothing is worth.
            named = bool(form.values.get(boxes.players.get(part.owner, "")))
            there = part.round in played if boxes.names.rounds else True
            if any(sheet[2:]) or (named and there):
                self.add(form, sheet, where)
                self.origins.append((self.index, part))
        for owner, box in boxes.matches.items():
            number = self.written(form, box, where)
            if number is not None:
                self.totals[self.player(form, boxes, owner)] = number

    def layout(self, form: FormSheet, where: str) -> Boxes | None:
        """Return what the boxes mean, or note why that is not known."""
        identity = form.identity
        if identity is None:
            found = f"{where} has lost its hidden field, which says what sheet it is"
            self.fail("", found, "give the file as it was saved after filling in")
            return None
        if identity.variant != self.variant.id:
            self.fail("", f"{where} is of {identity.variant}", f"not of {self.variant.id}")
            return None
        if identity not in self.layouts:
            scene = self.scenes.get(identity) or scene_of(self.variant, identity)
            self.layouts[identity] = boxes_of(self.variant, identity.sheet, scene.boxes)
            self.expected[identity] = [box.id for box in scene.boxes]
            if code_of(self.variant, identity.sheet, scene) != identity.code:
                self.warn(f"{where} was printed from another version of {self.variant.id}")
        self.setups[identity.setup] = None
        if lost := missing(form, self.expected[identity]):
            found = f"{len(lost)} of {len(self.expected[identity])} boxes are missing"
            self.fail("", f"{where}: {found}, {shorten(', '.join(lost))}", "their entries are lost")
        return self.layouts[identity]

    def player(self, form: FormSheet, boxes: Boxes, owner: str) -> str:
        """Return the name a player wrote, else the sheet's name for the player."""
        name = str(form.values.get(boxes.players.get(owner, ""), "") or "")[:LONGEST_NAME]
        return name or owner.upper() or str(form.copy)

    def part(self, form: FormSheet, boxes: Boxes, part: Part, where: str) -> FilledSheet:
        """Return what one player wrote in one round."""
        values, names = form.values, boxes.names
        tracks = {
            name: self.entries(form, slots, names.tracks[name], where)
            for name, slots in part.tracks.items()
        }
        triples = {
            name: self.triple(form, name, words, boxes, where)
            for name, words in part.totals.items()
        }
        counts = {
            name: sum(self.ticked(form, box, where) for box in ids)
            for name, ids in part.counts.items()
        }
        flags = {name: bool(values.get(box)) for name, box in part.flags.items()}
        sets = {
            name: tuple(lane for lane in names.sets[name] if values.get(of.get(lane, "")))
            for name, of in part.sets.items()
        }
        written = {
            name: self.outcome(form, name, slots, where) for name, slots in part.results.items()
        }
        player = self.player(form, boxes, part.owner)
        return FilledSheet(
            player,
            (part.round or self.next_round(player)) if names.rounds else 0,
            {name: entries for name, entries in tracks.items() if entries},
            {name: count for name, count in counts.items() if count},
            {name: flag for name, flag in flags.items() if flag},
            {name: chosen for name, chosen in sets.items() if chosen},
            {name: totals for name, totals in triples.items() if totals},
            {name: number for name, number in written.items() if number is not None},
            {},
        )

    def add(self, form: FormSheet, sheet: FilledSheet, where: str) -> None:
        """Keep a sheet, with the places of its names."""
        if any((one.player, one.round) == (sheet.player, sheet.round) for one in self.sheets):
            found = f"{where}: {shorten(sheet.player)!r} has two sheets"
            self.fail("", found, "check one match at a time, each player with a name of their own")
        names = (name for held in sheet[2:8] for name in held)
        places = {name: Place(self.file, 0, 0, f"{where}: {name}") for name in names}
        self.sheets.append(sheet._replace(places=places))

    def ticked(self, form: FormSheet, box: str, where: str) -> bool:
        """Tell whether a box to tick is marked; a text that says no is no mark."""
        value = form.values.get(box)
        if isinstance(value, str) and value.strip() in _NO_MARKS:
            found = f"found {value.strip()!r}"
            self.fail(f"{where}, {box}", found, "allowed is a mark such as x, or nothing")
        return bool(value)

    def next_round(self, player: str) -> int:
        return 1 + sum(sheet.player == player for sheet in self.sheets)

    def entries(
        self, form: FormSheet, slots: list[Slot], marks: tuple[str, ...], where: str
    ) -> tuple[Entry, ...]:
        """Return a track's entries in order; a box left out between others is an empty text."""
        entries: list[Entry] = []
        for slot in sorted(slots):
            value = form.values.get(slot.box, "")
            if slot.printed is not None:
                if value:
                    entries.append(slot.printed)
            else:
                entries.append(self.entry(str(value or ""), slot.box, marks, where))
        while entries and entries[-1] == "":
            entries.pop()
        return tuple(entries)

    def entry(self, text: str, box: str, marks: tuple[str, ...], where: str) -> Entry:
        plain = clean(text).rstrip(".")
        for mark in marks:
            if plain.casefold() == mark.casefold():
                return mark
        if not plain or WHOLE.fullmatch(plain):
            return int(plain) if plain else ""
        allowed = "allowed is a whole number" + "".join(f" or {mark}" for mark in marks)
        self.fail(f"{where}, {box}", f"found {shorten(text)!r}", allowed)
        return ""

    def triple(
        self, form: FormSheet, name: str, words: Mapping[str, list[Slot]], boxes: Boxes, where: str
    ) -> dict[str, int]:
        """Return the totals of a track, nothing if none of them is filled in."""
        values = form.values
        if not any(values.get(slot.box) for slots in words.values() for slot in slots):
            return {}
        totals = {}
        for word in boxes.names.triples[name]:
            slots = words.get(word, [])
            filled = [slot for slot in slots if values.get(slot.box)]
            if len(filled) > 1:
                ticked = " and ".join(str(slot.number) for slot in filled)
                self.fail(f"{where}, {name}", f"{word} {ticked} are ticked", "tick one of them")
            elif filled and filled[0].printed is not None:
                totals[word] = int(filled[0].printed)
            elif filled:
                entry = self.entry(str(values[filled[0].box]), filled[0].box, (), where)
                totals[word] = int(entry or 0)
            elif slots and slots[0].printed is not None:
                totals[word] = 0  # no circle is the same as none
            else:
                self.fail(f"{where}, {name}", f"{word} is missing", "fill it in")
        return totals

    def outcome(self, form: FormSheet, name: str, slots: list[Slot], where: str) -> int | None:
        """Return the result a player wrote, or ticked."""
        ticked = [s.printed for s in slots if s.printed is not None and form.values.get(s.box)]
        if len(ticked) > 1:
            self.warn(f"{where}: {name} is ticked as {' and as '.join(map(str, ticked))}")
        elif ticked:
            return int(ticked[0])
        for slot in slots:
            if slot.printed is None:
                number = self.written(form, slot.box, where)
                if number is not None:
                    return number
        return None

    def written(self, form: FormSheet, box: str, where: str) -> int | None:
        value = form.values.get(box, "")
        if not isinstance(value, str) or not value:
            return None
        plain = clean(value).rstrip(".").removeprefix("+")
        if not WHOLE.fullmatch(plain) or abs(int(plain)) > LARGEST:
            self.warn(f"{where}: {box} says {shorten(value)!r}, which is no number")
            return None
        return int(plain)
