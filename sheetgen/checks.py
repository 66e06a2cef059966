"""What must hold across a whole variant: names that exist, letters that differ, texts that are there.

A check is a function from a variant to problems; :data:`CHECKS` lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from sheetgen.errors import Problem, nearest
from sheetgen.model import (
    Cell,
    Die,
    Face,
    Grid,
    Lanes,
    Lookup,
    Table,
    Tally,
    Track,
    Variant,
)
from sheetgen.schema import NOWHERE, Name, Place, Record
from sheetgen.text import Text

FACES = {"d4": 4, "d6": 6, "d8": 8, "d10": 10, "d12": 12, "d20": 20}


def check(variant: Variant) -> list[Problem]:
    """Return every problem, in the order of the file."""
    found = [problem for one in CHECKS for problem in one(variant)]
    return sorted(set(found), key=lambda problem: (problem.line, problem.column, str(problem)))


def walk(value: Any) -> Iterator[Any]:
    """Yield a value and everything below it."""
    yield value
    if isinstance(value, tuple) and not isinstance(value, Place | Text):
        for item in value:
            yield from walk(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from walk(item)
    elif isinstance(value, Record):
        for name in value.keys:
            yield from walk(getattr(value, name))


def values(variant: Variant, setup: str | None) -> dict[str, int]:
    """Return the numbers that counts and templates know: a setup's values and the options' defaults."""
    known = {str(name): option.default for name, option in (variant.options or {}).items()}
    if setup and variant.setups:
        known |= {str(name): value for name, value in (variant.setups[setup].values or {}).items()}
    return known


def _place(name: str) -> Place:
    return name.place if isinstance(name, Name) else NOWHERE


def _unknown(name: Name, noun: str, known: Iterable[str]) -> Problem:
    known = [str(one) for one in known]
    allowed = f"known are {', '.join(known)}" if known else f"the file defines no {noun}s"
    return name.place.problem(f"unknown {noun} {str(name)!r}", allowed, nearest(name, known))


# -- the checks -----------------------------------------------------------------------------------


def languages(variant: Variant) -> Iterator[Problem]:
    """Ask that every text exists in every language of the variant."""
    codes = [str(code) for code in variant.languages]
    for text in walk(variant):
        if not isinstance(text, Text) or "" in text.words:
            continue
        missing = [code for code in codes if code not in text.words]
        extra = [code for code in text.words if code not in codes]
        if missing:
            yield text.place.problem(f"no text in {', '.join(missing)}", "every language needs one")
        if extra:
            found = f"a text in {', '.join(extra)}"
            yield text.place.problem(found, f"languages are {', '.join(codes)}")


def colours(variant: Variant) -> Iterator[Problem]:
    """Ask that letters differ in every language: colour never speaks alone."""
    for code in variant.languages:
        letters: dict[str, str] = {}
        for name, colour in (variant.colours or {}).items():
            letter = colour.letter.plain(code).casefold()
            if letter in letters:
                found = f"{letters[letter]} and {name} share the letter {letter!r} in {code}"
                yield colour.letter.place.problem(found, "letters must differ")
            letters[letter] = name


def names(variant: Variant) -> Iterator[Problem]:
    """Ask that names of colours and lookup tables exist."""
    known = variant.colours or {}
    tables = variant.tables or {}
    for item in walk(variant):
        if isinstance(item, Lanes) and item.count is None:
            yield from (_unknown(n, "colour", known) for n in item.lanes if n not in known)
        if isinstance(item, Face | Cell) and item.colour and item.colour not in known:
            yield _unknown(item.colour, "colour", known)
        if isinstance(item, Lanes | Tally) and item.scale and item.scale not in tables:
            yield _unknown(item.scale, "table", tables)
        if isinstance(item, Lookup) and item.table not in tables:
            yield _unknown(item.table, "table", tables)


def lanes(variant: Variant) -> Iterator[Problem]:
    """Ask that parts, effects and notes name lanes of their own table, and boxes that exist."""
    for table in walk(variant):
        if not isinstance(table, Table):
            continue
        known = [name for group in table.groups for name in group.lanes]
        counted = any(group.count is not None for group in table.groups)
        for part in table.rows:
            named = list(part.only)
            if isinstance(part, Track):
                named += [*(part.effects or {}), *(part.notes or {})]
                yield from _boxes(part)
            if not counted:
                yield from (_unknown(n, "lane", known) for n in named if n not in known)


def _boxes(track: Track) -> Iterator[Problem]:
    ways = [track.boxes is not None, bool(track.entries), bool(track.values)]
    if sum(ways) != 1:
        yield track.place.problem("a track needs boxes", "give one of boxes, entries, values")
        return
    count = len(track.entries or track.values) if track.boxes is None else track.boxes
    if isinstance(count, Name):
        return
    for box in (
        b for one in (track.effects, track.notes) for lane in (one or {}).values() for b in lane
    ):
        if int(box) > count:
            yield _place(box).problem(f"box {box}", f"the track has {count}")
    for after in [mark.after for mark in track.mark] + (
        [track.bridge.after] if track.bridge else []
    ):
        if after >= count:
            yield track.place.problem(f"a line after box {after}", f"the track has {count} boxes")


def counts(variant: Variant) -> Iterator[Problem]:
    """Ask that counts given by name have a value in every setup."""
    setups: list[str | None] = list(variant.setups or {}) or [None]
    for item in walk(variant):
        for field in ("count", "boxes", "repeat"):
            name = getattr(item, field, None)
            if not isinstance(name, Name):
                continue
            for setup in setups:
                known = [*values(variant, setup), "players"]
                if name not in known:
                    yield _unknown(name, "value", known)
                    break


def setups(variant: Variant) -> Iterator[Problem]:
    """Ask that the usual number of players is allowed, and that every number has one setup."""
    known = variant.setups or {}
    low, high = variant.players
    if variant.usual is not None and not low <= variant.usual <= high:
        yield variant.place.problem(f"usual {variant.usual}", f"players are {low} to {high}")
    if not known:
        return
    for players in range(variant.players[0], variant.players[1] + 1):
        fit = [str(n) for n, s in known.items() if s.players[0] <= players <= s.players[1]]
        if len(fit) != 1:
            found = f"{players} players have {len(fit)} setups" + (
                f": {', '.join(fit)}" if fit else ""
            )
            yield variant.place.problem(found, "every number of players needs one")


def options(variant: Variant) -> Iterator[Problem]:
    """Ask that an option's default lies in its range."""
    for name, option in (variant.options or {}).items():
        if not option.low <= option.default <= option.high:
            found = f"default {option.default}"
            yield _place(name).problem(found, f"allowed are {option.low} to {option.high}")


def dice(variant: Variant) -> Iterator[Problem]:
    """Ask that a die has as many faces as its kind."""
    for die in walk(variant.dice or {}):
        if isinstance(die, Die) and len(die.faces) != FACES[die.kind]:
            found = f"{len(die.faces)} faces"
            yield die.place.problem(found, f"a {die.kind} has {FACES[die.kind]}")


def maps(variant: Variant) -> Iterator[Problem]:
    """Ask that every letter of a grid's map is in its legend."""
    for grid in walk(variant):
        if not isinstance(grid, Grid):
            continue
        for row in grid.map:
            for letter in dict.fromkeys(row):
                if letter not in grid.legend:
                    known = f"the legend has {', '.join(grid.legend)}"
                    yield row.place.problem(f"unknown letter {letter!r} in the map", known)


CHECKS: tuple[Callable[[Variant], Iterable[Problem]], ...] = (
    languages,
    colours,
    names,
    lanes,
    counts,
    setups,
    options,
    dice,
    maps,
)


def symbols(variant: Variant, known: Iterable[str]) -> list[Problem]:
    """Return a problem for every symbol that is not ``known``."""
    known = list(known)
    found = []
    for item in walk(variant):
        named = [getattr(item, field, None) for field in ("symbol", "bonus")]
        if isinstance(item, Track):
            named += [symbol for lane in (item.effects or {}).values() for symbol in lane.values()]
        found += [
            _unknown(n, "symbol", known) for n in named if isinstance(n, Name) and n not in known
        ]
    return found


def inks(variant: Variant, known: Iterable[str]) -> list[Problem]:
    """Return a problem for every colour whose ink the theme does not have."""
    known = list(known)
    colours = (variant.colours or {}).values()
    return [_unknown(colour.ink, "ink", known) for colour in colours if colour.ink not in known]
