"""How entries and names are said in every report."""

from __future__ import annotations

from collections.abc import Iterable

from sheetgen.filled import FilledSheet
from sheetgen.read.names import Names


def entries(sheet: FilledSheet, name: str) -> str:
    """Return what stands under a name on one line: ``$ 3 5 8``, ``18``, ``yes``, ``red dice``."""
    if name in sheet.tracks:
        return " ".join(map(str, sheet.tracks[name]))
    if name in sheet.triples:
        return ", ".join(f"{part} {number}" for part, number in sheet.triples[name].items())
    if name in sheet.counts:
        return str(sheet.counts[name])
    if name in sheet.sets:
        return " ".join(sheet.sets[name])
    return "yes" if sheet.flags.get(name) else ""


def rows(sheet: FilledSheet, names: Names, scores: Iterable[str]) -> list[str]:
    """Return the names a report shows: what holds entries or scores, the total last."""
    scored = dict.fromkeys(scores)
    shown = [name for name in names.entries if name in scored or entries(sheet, name)]
    return list(dict.fromkeys((*shown, *scored)))


def listed(items: Iterable[str]) -> str:
    """Return ``A``, ``A and B`` or ``A, B and C``."""
    *first, last = items
    return f"{', '.join(first)} and {last}" if first else last


def who(player: str, number: int) -> str:
    """Return whose sheet it is."""
    return f"{player}, round {number}" if number else player


def counted(number: int, noun: str) -> str:
    """Return a number of things."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
