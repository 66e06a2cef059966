"""Filled sheets for the tests, and what judging them comes to."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from sheetgen import decode
from sheetgen.errors import InputError
from sheetgen.filled import FilledMatch, FilledSheet
from sheetgen.model import Variant
from sheetgen.rules.findings import Finding, MatchReport, SheetReport
from sheetgen.rules.score import judge
from sheetgen.source import parse

ROOT = Path(__file__).parents[2]
VARIANTS = sorted((ROOT / "variants").glob("*.yaml"))

HEAD = """\
id: small
code: SM
title: Small
summary: Small.
languages: [en, de]
source: The tests.
players: 1-4
sheets: {score: {title: Small, size: 90x90, body: [space]}}
"""


@cache
def variant(name: str) -> Variant:
    """Return a bundled variant."""
    return decode.load(ROOT / "variants" / f"{name}.yaml")


def small(text: str) -> Variant:
    """Return a variant of which only what it says about play matters."""
    return decode.decode(parse((HEAD + text).encode(), "small.yaml"), "small.yaml")


def problems(text: str) -> list[str]:
    """Return what is wrong with a small variant."""
    try:
        small(text)
    except InputError as error:
        return [str(problem) for problem in error.problems]
    return []


def sheet(player: str = "A", number: int = 0, /, **entries: Any) -> FilledSheet:
    """Return a sheet; ``written`` are its results, what all else is follows from the value."""
    written = entries.pop("written", {})
    groups: tuple[dict[str, Any], ...] = ({}, {}, {}, {}, {})
    tracks, counts, flags, sets, triples = groups
    for name, value in entries.items():
        if isinstance(value, bool):
            flags[name] = value
        elif isinstance(value, int):
            counts[name] = value
        elif isinstance(value, frozenset):
            sets[name] = tuple(sorted(value))
        else:
            (triples if isinstance(value, dict) else tracks)[name] = value
    return FilledSheet(player, number, tracks, counts, flags, sets, triples, written, {})


def match(*sheets: FilledSheet, setup: str = "") -> FilledMatch:
    """Return a match of some sheets."""
    return FilledMatch("pad.yaml", "", setup, sheets)


def report(game: Variant, *sheets: FilledSheet, setup: str = "") -> MatchReport:
    """Judge a match."""
    return judge(game, match(*sheets, setup=setup))


def one(game: Variant, /, setup: str = "", **entries: Any) -> SheetReport:
    """Judge a single sheet."""
    return report(game, sheet(**entries), setup=setup).sheets[0]


def said(findings: tuple[Finding, ...]) -> list[str]:
    """Return findings as ``box rule``."""
    return [f"{finding.box} {finding.rule}" for finding in findings]
