"""Checks of what a variant says about play and scores: names exist, formulas can be used.

Each is a function from a variant to problems; :data:`sheetgen.checks.CHECKS` lists them.
"""

from __future__ import annotations

from collections.abc import Iterator

from sheetgen.errors import Problem
from sheetgen.model import Variant
from sheetgen.model_play import Play, kinds, lanes
from sheetgen.rules.examples import match_of
from sheetgen.rules.rulebook import TOTAL, rulebook
from sheetgen.schema import Name
from sheetgen.survey import place_of, unknown


def play(variant: Variant) -> Iterator[Problem]:
    """Ask that every name of play means one thing, and that kinds and lanes exist."""
    one = variant.play
    if one is None:
        for key in ("score", "match", "examples"):
            if getattr(variant, key):
                yield variant.at(key).problem(f"{key} without play", "say what may stand where")
        return
    named = kinds(one)
    known = dict.fromkeys([*(one.tracks or {}), *named, *(variant.colours or {})])
    for names in _names(variant, one):
        yield from (unknown(name, "kind or lane", known) for name in names if name not in known)
    yield from _meanings(variant, one)
    for track in (one.tracks or {}).values():
        known_words = ["sum", "entries", *(track.marks or {})]
        for what in (track.totals or {}).values():
            if what not in known_words:
                yield unknown(what, "total", known_words)


def _names(variant: Variant, one: Play) -> Iterator[tuple[Name, ...]]:
    """Yield every list of kinds of tracks or lanes."""
    for flag in (one.flags or {}).values():
        yield flag.lanes
    for chosen in (one.sets or {}).values():
        yield chosen.of
    for score in (variant.score or {}).values():
        yield score.each
    for rule in (*one.asserts, *(variant.match.asserts if variant.match else ())):
        yield rule.each


def _meanings(variant: Variant, one: Play) -> Iterator[Problem]:
    """Ask that no name is used twice."""
    values = {str(n) for s in (variant.setups or {}).values() for n in s.values or {}}
    seen = dict.fromkeys([*(variant.options or {}), *sorted(values)], "a value")
    seen["players"] = seen["lane"] = "a name of its own"
    names: list[tuple[str, str]] = []
    for kind, track in (one.tracks or {}).items():
        names.append((kind, "a kind of track"))
        names += [(name, "a track") for name in track.names if name != kind]
    for noun, group in (("a count", one.counts), ("a flag", one.flags), ("a set", one.sets)):
        names += [(name, noun) for name in group or {}]
    names += [(name, "a score") for name in variant.score or {}]
    for name, noun in names:
        if name in seen:
            found = f"{str(name)!r} is {noun} and {seen[name]}"
            yield place_of(name).problem(found, "give one of them another name")
        seen[str(name)] = noun


def examples(variant: Variant) -> Iterator[Problem]:
    """Ask that the examples name what may stand on a sheet; what they come to, tests look at."""
    for example in variant.examples if variant.play else ():
        yield from match_of(variant, example)[1]
        if example.setup and example.setup not in (variant.setups or {}):
            yield unknown(example.setup, "setup", variant.setups or {})


def formulas(variant: Variant) -> Iterator[Problem]:
    """Ask that every formula can be used, and that there is a total to compare."""
    if variant.play is None:
        return
    book = rulebook(variant)
    yield from book.problems
    if variant.score and TOTAL not in book.names:
        yield variant.at("score").problem(f"no score {TOTAL!r}", "it is what the match adds up")
    if variant.match:
        known = list(book.tracks)
        for name in lanes(variant.play, variant.match.unique):
            if name not in known:
                yield variant.match.at("unique").problem(f"unknown track {name!r}")
