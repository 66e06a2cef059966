"""The examples of a variant file: as filled sheets, and whether they come out as they say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from sheetgen.errors import Problem
from sheetgen.filled import FilledMatch, FilledSheet
from sheetgen.model import Variant
from sheetgen.model_play import Example, ExampleSheet, kinds
from sheetgen.rules.findings import Finding, MatchReport
from sheetgen.rules.score import judge
from sheetgen.rules.tracks import minus
from sheetgen.schema import Name, Place
from sheetgen.survey import place_of, unknown

_NUMBER = re.compile(r"[-−+]?[0-9]{1,6}")


def match_of(variant: Variant, example: Example) -> tuple[FilledMatch, list[Problem]]:
    """Return an example as it would be read from a file, and what cannot be read of it."""
    problems: list[Problem] = []
    known = kinds(variant.play)
    sheets = tuple(_sheet(sheet, known, problems) for sheet in example.sheets)
    match = FilledMatch("", str(variant.id), str(example.setup or ""), sheets)
    return match, problems


def _sheet(sheet: ExampleSheet, known: Mapping[str, str], problems: list[Problem]) -> FilledSheet:
    tracks: dict[str, Any] = {}
    found: dict[str, dict[str, Any]] = {"count": {}, "flag": {}, "set": {}, "totals": {}}
    for name, value in (sheet.entries or {}).items():
        kind = known.get(name)
        if kind is None:
            problems.append(unknown(Name(name, place_of(name)), "entry", known))
        elif kind == "track" and isinstance(value, tuple):
            tracks[str(name)] = tuple(map(_entry, value))
        elif kind == "track" and isinstance(value, dict):
            found["totals"][str(name)] = {str(word): number for word, number in value.items()}
        elif kind == "number" and isinstance(value, Name):
            tracks[str(name)] = (_entry(value),)
        elif kind == "count" and isinstance(value, Name) and _NUMBER.fullmatch(value):
            found["count"][str(name)] = _entry(value)
        elif kind == "flag" and value in ("true", "false"):
            found["flag"][str(name)] = value == "true"
        elif kind == "set" and isinstance(value, tuple):
            found["set"][str(name)] = tuple(map(str, value))
        else:
            problems.append(place_of(name).problem(f"{str(name)!r} is a {kind}", _FORMS[kind]))
    return FilledSheet(
        str(sheet.player),
        sheet.round,
        tracks,
        found["count"],
        found["flag"],
        found["set"],
        found["totals"],
        {str(name): number for name, number in (sheet.written or {}).items()},
        {str(name): place_of(name) for name in sheet.entries or {}},
    )


_FORMS = {
    "track": "give it a list, or totals by name",
    "number": "give it a number",
    "count": "give it a number",
    "flag": "give it true or false",
    "set": "give it a list of names",
}


def _entry(word: str) -> int | str:
    return int(word.replace("−", "-")) if _NUMBER.fullmatch(word) else str(word)


def wrong(variant: Variant) -> Iterator[Problem]:
    """Yield where an example does not come out as it says."""
    for example in variant.examples:
        match, _ = match_of(variant, example)
        report = judge(variant, match)
        for said, sheet in zip(example.sheets, report.sheets, strict=True):
            place = said.place
            for name, number in (said.scores or {}).items():
                right = sheet.scores.get(name)
                if right != number:
                    found = f"{name} is {'no score' if right is None else minus(right)}"
                    yield place_of(name).problem(found, f"the example says {minus(number)}")
            yield from _compared(said.findings, sheet.findings, place)
        yield from _match(example, report)


def _match(example: Example, report: MatchReport) -> Iterator[Problem]:
    if example.totals is not None and dict(report.totals) != {**example.totals}:
        yield example.at("totals").problem(f"the totals are {dict(report.totals)}")
    if example.winners and {*report.winners} != {*example.winners}:
        yield example.at("winners").problem(f"the winners are {', '.join(report.winners)}")
    if example.findings is not None:
        yield from _compared(example.findings, report.findings, example.at("findings"))


def _compared(
    said: tuple[Name, ...], found: tuple[Finding, ...], place: Place
) -> Iterator[Problem]:
    there = [f"{one.box} {one.rule}" for one in found]
    for name in said:
        if name not in there:
            yield place_of(name).problem(f"no finding {str(name)!r}")
    for here, one in zip(there, found, strict=True):
        if here not in said:
            yield place.problem(f"a finding {here!r}: {one.message}")
