"""What must hold across the sheets of a match: rounds, players, and what they share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sheetgen.filled import FilledSheet
from sheetgen.rules.findings import Finding
from sheetgen.rules.functions import SHEETS, Lane
from sheetgen.rules.rulebook import Rulebook
from sheetgen.rules.tracks import minus

State = Mapping[str, Any]
Sheets = Sequence[tuple[FilledSheet, State]]


def across(
    book: Rulebook, sheets: Sheets, values: Mapping[str, int], language: str
) -> Iterator[Finding]:
    """Yield what is wrong across all sheets of a match."""
    yield from _players(book, sheets)
    yield from _rounds(book, sheets)
    rounds: dict[int, list[tuple[FilledSheet, State]]] = {}
    for sheet, state in sheets:
        rounds.setdefault(sheet.round, []).append((sheet, state))
    for number, part in sorted(rounds.items()):
        # With a sheet missing, what nobody did may well have been done by somebody; with sheets of
        # more players than can play, it is not one match.
        low, high = book.variant.players
        if not low <= len(part) <= high:
            continue
        prefix = f"round {number}: " if number and len(rounds) > 1 else ""
        found = [*_unique(book, part)]
        if book.round_asserts:
            state = _together(book, part, values)
            for rule in book.round_asserts:
                found += rule.findings(state, language)
        yield from (one._replace(message=prefix + one.message) for one in found)


def _players(book: Rulebook, sheets: Sheets) -> Iterator[Finding]:
    players = len({sheet.player for sheet, _ in sheets})
    low, high = book.variant.players
    allowed = f"the game is for {low}" + (f" to {high}" if high > low else "")
    if players > high:
        yield Finding("player", "players", "error", f"{players} players, {allowed}")
    elif players < low:
        found = f"sheets of {players} player{'' if players == 1 else 's'} only, {allowed}"
        yield Finding("player", "players", "warning", found)


def _rounds(book: Rulebook, sheets: Sheets) -> Iterator[Finding]:
    times = Counter((sheet.player, sheet.round) for sheet, _ in sheets)
    for (player, number), count in times.items():
        if count > 1:
            where = f" of round {number}" if number else ""
            found = f"{count} sheets of {player}{where}"
            yield Finding("round", "rounds", "error", found)
    allowed = book.variant.match.rounds if book.variant.match else frozenset({1})
    most = max(allowed)
    there = {sheet.round for sheet, _ in sheets} - {0}
    for number in sorted(there):
        if number > most:
            found = f"round {number}, the game has {most}"
            yield Finding("round", "rounds", "error", found)
    if not there:
        return
    if len(there) not in allowed and len(there) < most:
        found = f"{len(there)} of {min(allowed)} rounds are there"
        yield Finding("round", "rounds", "warning", found)
    players = dict.fromkeys(sheet.player for sheet, _ in sheets)
    for number in sorted(there):
        missing = [player for player in players if (player, number) not in times]
        if missing and len(players) <= book.variant.players[1]:
            found = f"round {number} has no sheet of {', '.join(missing)}"
            yield Finding("round", "rounds", "warning", found)


def _together(book: Rulebook, part: Sheets, values: Mapping[str, int]) -> dict[str, Any]:
    """Return all sheets of a round as one: tracks and sets strung together, counts added up."""
    states = [state for _, state in part]
    together: dict[str, Any] = {**values, SHEETS: states}
    for name in book.tracks:
        together[name] = Lane.together(state[name] for state in states)
    for name in book.counts:
        together[name] = sum(state[name] for state in states)
    for name in book.flags:
        together[name] = any(state[name] for state in states)
    for name in book.sets:
        together[name] = tuple(one for state in states for one in state[name])
    return together


def _unique(book: Rulebook, part: Sheets) -> Iterator[Finding]:
    """Yield numbers that stand on several sheets, and totals that cannot be beside the others."""
    for name in book.unique:
        rule = book.tracks[name]
        first: dict[int, str] = {}
        totals: list[Lane] = []  # tracks of which the numbers are not known
        for sheet, state in part:
            lane: Lane = state[name]
            if not lane.entries and rule.reaches(lane.sum, lane.count) and lane.count:
                totals.append(lane)
            for index, number in enumerate(lane.entries, 1):
                if not isinstance(number, int):
                    continue
                if first.setdefault(number, sheet.player) != sheet.player:
                    found = f"{name} {minus(number)} stands on the sheets of"
                    found += f" {first[number]} and {sheet.player}"
                    yield Finding(f"{name}_{index}", "unique", "error", found)
        count, total = sum(lane.count for lane in totals), sum(lane.sum for lane in totals)
        if totals and not rule.reaches(total, count, frozenset(first)):
            found = f"{name}: {count} numbers with the sum {minus(total)}"
            found += " cannot be among those that are left"
            yield Finding(name, "unique", "error", found)
