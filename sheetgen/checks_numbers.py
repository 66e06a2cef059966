"""Checks of numbers: counts by name, templates, setups, options, and how much a sheet may hold.

Each is a function from a variant to problems; :data:`sheetgen.checks.CHECKS` lists them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from sheetgen.errors import Problem
from sheetgen.model import Grid, Lanes, Line, Paragraph, Sheet, Table, Tally, Track, Variant
from sheetgen.schema import Count, Name, Place, Record
from sheetgen.survey import lane_names, names_in, place_of, possible, span, unknown, walk
from sheetgen.text import Text

GIVEN = "players", "lane"  # names that layout itself gives a value
MOST_BOXES = 10_000  # of a sheet: more than an A4 page holds of the smallest


def counts(variant: Variant) -> Iterator[Problem]:
    """Ask that counts given by name have a value in every setup, and always one in their range."""
    setups: list[str | None] = list(variant.setups or {}) or [None]
    for item in walk(variant):
        for field, spec in item.keys.items() if isinstance(item, Record) else ():
            name = getattr(item, field)
            if not isinstance(spec.kind, Count) or not isinstance(name, Name):
                continue
            wrong = [setup for setup in setups if name not in names_in(variant, setup)]
            if wrong:
                yield unknown(name, "value", names_in(variant, wrong[0]))
                continue
            for number, where in possible(variant, name):
                if not spec.kind.low <= number <= spec.kind.high:
                    allowed = f"allowed is {spec.kind.low:g} to {spec.kind.high:g}"
                    yield name.place.problem(f"{name} may be {number}{where}", allowed)


def given(variant: Variant) -> Iterator[Problem]:
    """Ask that the names of values and options can be used, and that each means one thing."""
    options = variant.options or {}
    for setup in (variant.setups or {}).values():
        for name in setup.values or {}:
            if name in options:
                found = f"{str(name)!r} is an option and a setup's value"
                yield place_of(name).problem(found, "give one of them another name")
    for name in (
        *options,
        *(name for setup in (variant.setups or {}).values() for name in setup.values or {}),
    ):
        if name in GIVEN:
            found = f"{str(name)!r} has a meaning of its own"
            yield place_of(name).problem(found, "choose another name")
        elif not Count.name.fullmatch(name):
            found = f"{str(name)!r} cannot stand in counts and templates"
            yield place_of(name).problem(found, "allowed are small letters, digits and _")


def templates(variant: Variant) -> Iterator[Problem]:
    """Ask that templates can be read, and that what they insert has a value in every setup."""
    setups: list[str | None] = list(variant.setups or {}) or [None]
    known = [
        name
        for name in names_in(variant, setups[0])
        if all(name in names_in(variant, setup) for setup in setups)
    ]
    for text, names in _templates(variant, known):
        yield from text.problems(names)


def _templates(value: Any, names: list[str]) -> Iterator[tuple[Text, list[str]]]:
    """Yield every template with the names that it may insert."""
    if isinstance(value, Text):
        if value.template:
            yield value, names
    elif isinstance(value, tuple) and not isinstance(value, Place):
        for item in value:
            yield from _templates(item, names)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _templates(item, names)
    elif isinstance(value, Record):
        inside = [*names, str(value.name)] if isinstance(value, Line) and value.name else names
        for key in value.keys:
            more = ["lane"] if isinstance(value, Lanes) and key == "title" else []
            yield from _templates(getattr(value, key), [*inside, *more])


def sizes(variant: Variant) -> Iterator[Problem]:
    """Ask that a sheet has no more boxes than a page could hold, before they are laid out."""
    sheets: list[Sheet] = [*variant.sheets.values(), *([variant.rules] if variant.rules else [])]
    for sheet in sheets:
        count = _count(variant, (sheet.body, sheet.base))
        if count > MOST_BOXES:
            yield sheet.place.problem(f"about {count} boxes", f"at most {MOST_BOXES} fit a page")


def _count(variant: Variant, value: Any) -> int:
    """Return about how many boxes a value comes to, all repeats laid out."""
    if isinstance(value, tuple) and not isinstance(value, Place | Text):
        return sum(_count(variant, item) for item in value)
    if isinstance(value, Line):
        return span(variant, value.repeat, 20)[1] * _count(variant, value.items)
    if isinstance(value, Table):
        lanes = sum(len(lane_names(variant, group)) for group in value.groups)
        return lanes * sum(_count(variant, part) for part in value.rows)
    if isinstance(value, Track) and value.boxes is not None:
        return span(variant, value.boxes, 60)[1]
    if isinstance(value, Tally):
        return span(variant, value.count, 100)[1]
    if isinstance(value, Grid):
        return sum(len(row) for row in value.map)
    if isinstance(value, Paragraph):
        # A page of small print is five thousand letters; setting them costs as boxes do.
        return 1 + max(len(words) for words in value.text.words.values()) // 10
    return 1 if isinstance(value, Record) else 0


def setups(variant: Variant) -> Iterator[Problem]:
    """Ask that the usual number of players is allowed, and that every number has one setup."""
    known = variant.setups or {}
    low, high = variant.players
    if variant.usual is not None and not low <= variant.usual <= high:
        found = f"usual {variant.usual}"
        yield variant.at("usual").problem(found, f"players are {low} to {high}")
    if not known:
        return

    def fitting(players: int) -> list[str]:
        return [str(n) for n, s in known.items() if s.players[0] <= players <= s.players[1]]

    for fit, run in groupby(range(low, high + 1), fitting):
        if len(fit) != 1:
            numbers = [*run]
            first, last = numbers[0], numbers[-1]
            span = f"{first}" if first == last else f"{first} to {last}"
            found = f"{span} players have {len(fit) or 'no'} setups" + (
                f": {', '.join(fit)}" if fit else ""
            )
            yield variant.at("setups").problem(found, "every number of players needs one")


def options(variant: Variant) -> Iterator[Problem]:
    """Ask that an option's default lies in its range."""
    for option in (variant.options or {}).values():
        if not option.low <= option.default <= option.high:
            found = f"default {option.default}"
            allowed = f"allowed are {option.low} to {option.high}"
            yield option.at("default").problem(found, allowed)
