"""Judging a finished match: its scores, and what the rules do not allow."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from sheetgen.errors import nearest
from sheetgen.filled import FilledMatch, FilledSheet
from sheetgen.model import Variant
from sheetgen.rules.compiled import bounded
from sheetgen.rules.findings import Finding, MatchReport, SheetReport
from sheetgen.rules.functions import Lane
from sheetgen.rules.rounds import across
from sheetgen.rules.rulebook import TOTAL, Rulebook, rulebook
from sheetgen.rules.steps import Steps
from sheetgen.rules.tracks import minus
from sheetgen.survey import values as values_of


class Judged(NamedTuple):
    """A sheet, what is known of it by name, and its report."""

    sheet: FilledSheet
    state: Mapping[str, Any]
    report: SheetReport


@contextmanager
def _uncollected() -> Iterator[None]:
    """Keep Python from looking for rings of values: there are none, and 20,000 sheets to look at.

    That would take three times as long as judging them. Also serves as a decorator.
    """
    paused = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if paused:
            gc.enable()


@_uncollected()
def judge(variant: Variant, match: FilledMatch, language: str = "en") -> MatchReport:
    """Return the scores of every sheet, the totals, the winners, and all that is wrong.

    What the rules do not allow is a finding; it is scored as it stands all the same.
    """
    book = rulebook(variant)
    players = list(dict.fromkeys(sheet.player for sheet in match.sheets))
    findings: list[Finding] = []
    setup = _setup(variant, match.setup, len(players), findings)
    # A data file need not say how long the sheet was: it may have been the longest there is.
    longest = {str(name): option.high for name, option in (variant.options or {}).items()}
    values = values_of(variant, setup) | longest | {**match.values, "players": len(players)}
    judged = [_judge(book, sheet, values, language) for sheet in match.sheets]
    findings += across(book, [(one.sheet, one.state) for one in judged], values, language)
    totals: dict[str, int] = {}
    if TOTAL in book.names:
        totals = dict.fromkeys(players, 0)
        for one in judged:
            totals[one.sheet.player] += one.state[f"={TOTAL}"]
    reports = tuple(one.report for one in judged)
    return MatchReport(str(variant.id), reports, totals, _winners(variant, totals), tuple(findings))


def _setup(variant: Variant, wanted: str, players: int, findings: list[Finding]) -> str | None:
    """Return the setup that is named, or the one for the number of players."""
    known = variant.setups or {}
    if wanted and wanted in known:
        low, high = known[wanted].players
        # One sheet alone may be one of several players'; more say how many there were.
        if players > 1 and not low <= players <= high:
            found = f"{players} players, the setup {wanted} is for {low}"
            found += f" to {high}" if high > low else ""
            findings.append(Finding("setup", "setup", "warning", found))
        return wanted
    if wanted:
        near = nearest(wanted, known)
        found = f"unknown setup {wanted[:40]!r}, known are {', '.join(known) or 'none'}"
        found += f"; did you mean {near}?" if near else ""
        findings.append(Finding("setup", "setup", "error", found))

    def away(name: str) -> int:
        low, high = known[name].players
        return max(low - players, players - high, 0)

    return min(map(str, known), key=away, default=None)


def _winners(variant: Variant, totals: Mapping[str, int]) -> tuple[str, ...]:
    best = variant.match.winner if variant.match else "highest"
    if best == "none" or len(totals) < 2:
        return ()
    wins = max(totals.values()) if best == "highest" else min(totals.values())
    return tuple(player for player, total in totals.items() if total == wins)


def _judge(book: Rulebook, sheet: FilledSheet, values: Mapping[str, int], language: str) -> Judged:
    state, findings = _read(book, sheet, values)
    known = book.shown.issuperset(sheet.written)
    for score in book.needed if known else book.order:
        state[f"={score.name}"] = bounded(score.run(state))
    for rule in book.asserts:
        findings += rule.findings(state, language)
    findings += _written(book, sheet, state)
    names = tuple(name for name in book.names if name in book.shown or name in sheet.written)
    report = SheetReport(
        sheet.player,
        sheet.round,
        {name: state[f"={name}"] for name in names},
        sheet.written,
        tuple(findings),
        Steps(names, book.teller, state),
    )
    return Judged(sheet, state, report)


def _read(
    book: Rulebook, sheet: FilledSheet, values: Mapping[str, int]
) -> tuple[dict[str, Any], list[Finding]]:
    """Return what is known of a sheet by name, and what may not stand there."""
    state: dict[str, Any] = {**values}
    findings: list[Finding] = []
    for name, rule in book.tracks.items():
        if given := sheet.triples.get(name):
            state[name] = rule.of_totals(given)
            findings += rule.totals_findings(given, values)
            if sheet.tracks.get(name):
                findings.append(Finding(name, "totals", "error", "entries and totals are given"))
        elif entries := sheet.tracks.get(name):
            state[name] = Lane(entries)
            findings += rule.findings(entries, values)
        else:
            state[name] = _EMPTY
    for name, count in book.counts.items():
        most = count if isinstance(count, int) else values[count]
        ticks = sheet.counts.get(name, 0)
        state[name] = bounded(ticks)
        if not 0 <= ticks <= most:
            findings.append(
                Finding(name, "most", "error", f"{minus(ticks)}, allowed are 0 to {most}")
            )
    for name in book.flags:
        state[name] = bool(sheet.flags.get(name))
    for name, (known, box) in book.sets.items():
        chosen = sheet.sets.get(name, ())
        state[name] = tuple(one for one in dict.fromkeys(chosen) if one in known)
        for index, one in enumerate(chosen):
            here = box.replace("{lane}", one)
            if one not in known:
                found = f"unknown {one[:20]!r}, known are {', '.join(sorted(known))}"
                findings.append(Finding(name, "name", "error", found))
            elif one in chosen[:index]:
                findings.append(Finding(here, "twice", "error", f"{one} is there twice"))
    findings += _strangers(book, sheet)
    return state, findings


_EMPTY = Lane(())


def _strangers(book: Rulebook, sheet: FilledSheet) -> Iterator[Finding]:
    """Yield a finding for every name that the variant does not have, or has as something else."""
    groups: tuple[tuple[Mapping[str, Any], tuple[str, ...]], ...] = (
        (sheet.tracks, ("track", "number")),
        (sheet.triples, ("track",)),
        (sheet.counts, ("count",)),
        (sheet.flags, ("flag",)),
        (sheet.sets, ("set",)),
    )
    for given, wanted in groups:
        for name in given:
            if book.kinds.get(name) not in wanted:
                found = f"there is no {wanted[0]} {name[:40]!r}"
                yield Finding(name, "name", "error", found)


def _written(book: Rulebook, sheet: FilledSheet, state: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield a finding for every result on the paper that is not right."""
    for name, number in sheet.written.items():
        right = state.get(f"={name}")
        if right is None:
            yield Finding(name, "written", "warning", f"there is no score {name[:40]!r}")
        elif right != number:
            found = f"{minus(number)} is written, right is {minus(right)}"
            yield Finding(name, "written", "error", found)
