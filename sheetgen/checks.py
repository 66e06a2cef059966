"""What must hold across a whole variant: names exist, letters differ, counts stay in range.

A check is a function from a variant to problems; :data:`CHECKS` lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from sheetgen.checks_numbers import counts, given, options, setups, sizes, templates
from sheetgen.checks_play import examples, formulas, play
from sheetgen.errors import Problem
from sheetgen.model import (
    Bridge,
    Cell,
    Face,
    Grid,
    Icon,
    Lanes,
    Lookup,
    Mark,
    Table,
    Tally,
    Track,
    Variant,
)
from sheetgen.schema import Name
from sheetgen.survey import lane_names, place_of, span, unknown, values, walk
from sheetgen.symbols import check as check_symbols
from sheetgen.text import Text

__all__ = ["CHECKS", "check", "inks", "symbols", "values", "walk"]

PIPS = ("1", "2", "3", "4", "5", "6")
FACES = {"d4": 4, "d6": 6, "d8": 8, "d10": 10, "d12": 12, "d20": 20}


def check(variant: Variant) -> list[Problem]:
    """Return every problem, in the order of the file."""
    found = [problem for one in CHECKS for problem in one(variant)]
    return sorted(set(found), key=lambda problem: (problem.line, problem.column, str(problem)))


# -- the checks -----------------------------------------------------------------------------------


def languages(variant: Variant) -> Iterator[Problem]:
    """Ask that every text exists in every language of the variant."""
    codes = [str(code) for code in variant.languages]
    for code in dict.fromkeys(code for code in codes if codes.count(code) > 1):
        yield variant.at("languages").problem(f"the language {code} twice", "name it once")
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
    shared: dict[tuple[str, str, str], list[str]] = {}
    for code in variant.languages:
        letters: dict[str, str] = {}
        for name, colour in (variant.colours or {}).items():
            words = colour.letter.words
            letter = (words.get(code) or words.get("", "")).casefold()
            if letter and letter in letters:
                shared.setdefault((letters[letter], name, letter), []).append(code)
            letters[letter] = name
    for (first, second, letter), codes in shared.items():
        found = f"{first} and {second} share the letter {letter!r} in {', '.join(codes)}"
        yield variant.colours[second].letter.place.problem(found, "letters must differ")


def names(variant: Variant) -> Iterator[Problem]:
    """Ask that names of colours and lookup tables exist."""
    known = variant.colours or {}
    tables = variant.tables or {}
    for item in walk(variant):
        if isinstance(item, Lanes) and item.count is None:
            yield from (unknown(n, "colour", known) for n in item.lanes if n not in known)
        if isinstance(item, Face | Cell | Icon) and item.colour and item.colour not in known:
            yield unknown(item.colour, "colour", known)
        if isinstance(item, Lanes | Tally) and item.scale and item.scale not in tables:
            yield unknown(item.scale, "table", tables)
        if isinstance(item, Lookup) and item.table not in tables:
            yield unknown(item.table, "table", tables)


def lanes(variant: Variant) -> Iterator[Problem]:
    """Ask that parts, effects and notes name lanes of their own table, and boxes that exist."""
    for table in walk(variant):
        if not isinstance(table, Table):
            continue
        known = [str(name) for group in table.groups for name in lane_names(variant, group)]
        for group in table.groups:
            if group.count is not None and len(group.lanes) > 1:
                found = f"{len(group.lanes)} names for counted lanes"
                yield group.at("lanes").problem(found, "give one; the lanes are numbered")
        for part in table.rows:
            named = list(part.only)
            if isinstance(part, Track):
                named += [*(part.effects or {}), *(part.notes or {})]
                yield from _boxes(variant, part)
            yield from (unknown(n, "lane", known) for n in named if n not in known)


def gutters(variant: Variant) -> Iterator[Problem]:
    """Ask for one thing in a gutter at most, and for none beside lanes that run right."""
    for table in walk(variant):
        if not isinstance(table, Table):
            continue
        right = table.flow == "right"
        if right:
            for group in table.groups:
                if group.scale:
                    yield group.at("scale").problem(
                        "a scale", "lanes that run right have no gutter"
                    )
        for part in table.rows:
            if not isinstance(part, Track):
                continue
            beside = ["aside", "entries", "numbers"]
            given = [name for name in beside if getattr(part, name)]
            if right:
                given += [name for name in ("bridge", "second") if getattr(part, name)]
                yield from (
                    part.at(name).problem(name, "lanes that run right cannot have it")
                    for name in given
                )
            elif len(given := [*(["label"] if part.label else []), *given]) > 1:
                found = f"{' and '.join(given)} in one gutter"
                yield part.at(given[0]).problem(found, "there is room for one of them")


def _boxes(variant: Variant, track: Track) -> Iterator[Problem]:
    ways = [track.boxes is not None, bool(track.entries), bool(track.values)]
    if sum(ways) != 1:
        yield track.place.problem("a track needs boxes", "give one of boxes, entries, values")
        return
    count = len(track.entries or track.values)
    if track.boxes is not None:
        count, _ = span(variant, track.boxes, 60)
    at_least = " at the least" if isinstance(track.boxes, Name) else ""
    for box in (
        b for one in (track.effects, track.notes) for lane in (one or {}).values() for b in lane
    ):
        if int(box) > count:
            yield place_of(box).problem(f"box {box}", f"the track has {count}{at_least}")
    lines: list[Mark | Bridge] = [*track.mark, *([track.bridge] if track.bridge else [])]
    for line in lines:
        if line.after >= count:
            found = f"a line after box {line.after}"
            yield line.at("after").problem(found, f"the track has {count} boxes{at_least}")


def dice(variant: Variant) -> Iterator[Problem]:
    """Ask that a die has as many faces as its kind, and pips only for numbers that have some."""
    for die in (variant.dice or {}).values():
        if len(die.faces) != FACES[die.kind]:
            found = f"{len(die.faces)} faces"
            yield die.at("faces").problem(found, f"a {die.kind} has {FACES[die.kind]}")
        for face in die.faces:
            if die.pips and face.value not in PIPS:
                yield face.at("value").problem(f"{face.value} in pips", "pips show 1 to 6")


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


def drawn(variant: Variant) -> Iterable[Problem]:
    """Ask that the variant's own symbols draw something."""
    return check_symbols((variant.symbols or {}).values())


CHECKS: tuple[Callable[[Variant], Iterable[Problem]], ...] = (
    languages,
    colours,
    names,
    lanes,
    gutters,
    counts,
    given,
    templates,
    sizes,
    setups,
    options,
    dice,
    maps,
    drawn,
    play,
    formulas,
    examples,
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
            unknown(n, "symbol", known) for n in named if isinstance(n, Name) and n not in known
        ]
    return found


def inks(variant: Variant, known: Iterable[str]) -> list[Problem]:
    """Return a problem for every colour whose ink the theme does not have."""
    known = list(known)
    colours = (variant.colours or {}).values()
    return [unknown(colour.ink, "ink", known) for colour in colours if colour.ink not in known]
