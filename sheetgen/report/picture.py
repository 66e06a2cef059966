"""A picture of a filled sheet: the printed one, what was written, and the boxes in question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple
from xml.sax.saxutils import escape

from sheetgen.checking import wrong
from sheetgen.filled import FilledSheet
from sheetgen.geometry import Rect
from sheetgen.rules.findings import Finding, SheetReport
from sheetgen.scene import Box, Scene

_NARROW = 0.56  # mean width of a digit, in heights of its type
_CORNER = 1.1  # mm
_OTHER = re.compile(r"round\d+|p\d+|g\d+|[ab]")  # the words of ids that name a player or a round


class Filled(NamedTuple):
    """A sheet of a match, its report, and which of the players' it is, from 0."""

    sheet: FilledSheet
    report: SheetReport
    player: int


def is_shared(scene: Scene) -> bool:
    """Tell whether all players of a match write on one sheet."""
    return any(not {"b", "p2"}.isdisjoint(box.id.split("_")) for box in scene.boxes)


class Look(NamedTuple):
    """What the names of a variant are on its sheets.

    ``boxes`` are patterns of the boxes that show a set, ``totals`` says what the totals of a track
    are of, by track and total.
    """

    boxes: Mapping[str, str]
    totals: Mapping[str, Mapping[str, str]]


def overlay(
    scene: Scene, filled: Iterable[Filled], look: Look, findings: Iterable[Finding] = ()
) -> str:
    """Return SVG elements to draw over the printed sheet; ``findings`` are those of the match."""
    # What is said across sheets of a numbered box is about one player's, and does not say whose.
    shared = [one for one in findings if not re.search(r"_\d+$", one.box)]
    parts: list[str] = []
    for one in filled:
        mine = _mine(scene.boxes, one)
        parts += _marks(one, mine, shared)
        parts += _writing(one, mine, look)
    return "".join(parts)


def _mine(boxes: Iterable[Box], one: Filled) -> dict[str, Box]:
    """Return the boxes of one player and round, by their names without either.

    Where a sheet has room for several, its ids say so: ``red_a_3_round1``, ``p1_r_3``.
    """
    letter, number = chr(ord("a") + one.player), one.player + 1
    round_ = one.sheet.round or 1
    kept = {letter, f"p{number}", f"round{round_}", f"g{round_}"}
    mine = {}
    for box in boxes:
        words = box.id.split("_")
        theirs = {word for word in words if _OTHER.fullmatch(word)}
        if theirs <= kept:
            mine["_".join(word for word in words if word not in theirs)] = box
    return mine


def _found(box: str, mine: Mapping[str, Box]) -> Iterator[Rect]:
    """Yield the places that a finding is about: its box, or all boxes of a name."""
    if box in mine:
        yield mine[box].rect
        return
    several = [
        one.rect for name, one in mine.items() if re.fullmatch(rf"{re.escape(box)}_\d+", name)
    ]
    if several:
        x, y = min(rect.x for rect in several), min(rect.y for rect in several)
        right, bottom = max(rect.right for rect in several), max(rect.bottom for rect in several)
        yield Rect(x, y, right - x, bottom - y)


def _marks(one: Filled, mine: Mapping[str, Box], shared: Iterable[Finding]) -> Iterator[str]:
    """Yield a frame around every box in question."""
    places: dict[Rect, list[Finding]] = {}
    for finding in (*one.report.findings, *shared):
        box = finding.box
        if finding.rule == "written" or box not in one.sheet.tracks:
            box = _result(box, mine) or box
        for rect in _found(box, mine):
            places.setdefault(rect, []).append(finding)
    for rect, findings in places.items():
        severity = "error" if any(f.severity == "error" for f in findings) else "warning"
        around = Rect(rect.x - 0.5, rect.y - 0.5, rect.width + 1, rect.height + 1)
        title = escape(" · ".join(finding.message for finding in findings))
        yield (
            f'<g class="{severity}"><title>{title}</title>'
            f'<rect x="{around.x:.2f}" y="{around.y:.2f}" width="{around.width:.2f}" '
            f'height="{around.height:.2f}" rx="{_CORNER}"/>'
            f'<circle cx="{around.right:.2f}" cy="{around.y:.2f}" r="1.7"/>'
            f'<text x="{around.right:.2f}" y="{around.y + 0.95:.2f}" font-size="2.7">'
            f"{'!' if severity == 'error' else '?'}</text></g>"
        )


def _writing(one: Filled, mine: Mapping[str, Box], look: Look) -> Iterator[str]:
    """Yield what the player wrote, and the right results where none or wrong ones were written."""
    sheet, report = one.sheet, one.report
    for box in ("player", "name"):
        if box in mine:
            yield _text(mine[box].rect, sheet.player, "pen left")
            break
    for name, track in sheet.tracks.items():
        for number, entry in enumerate(track, 1):
            box = f"{name}_{number}" if f"{name}_{number}" in mine else name
            if box in mine:
                rect = mine[box].rect
                yield _tick(rect) if mine[box].kind == "tick" else _text(rect, str(entry), "pen")
    for name, parts in look.totals.items():
        yield from _totals(name, sheet.triples.get(name) or _added(sheet, name, parts), mine)
    ticked = [f"{name}_{i + 1}" for name, n in sheet.counts.items() for i in range(min(n, 200))]
    ticked += [name for name, is_set in sheet.flags.items() if is_set]
    for name, chosen in sheet.sets.items():
        pattern = look.boxes.get(name, "{lane}")
        ticked += [pattern.replace("{lane}", lane) for lane in chosen]
    yield from (_tick(mine[name].rect) for name in ticked if name in mine)
    mistaken = set(wrong(report))
    for name, score in report.scores.items():
        box = _result(name, mine)
        if box and box not in sheet.tracks:
            rect = _below_label(mine[box].rect)
            if name not in report.written:
                yield _text(rect, str(score), "added")
            elif name not in mistaken:
                yield _text(rect, str(score), "pen")
            else:
                half = Rect(rect.x, rect.y, rect.width / 2, rect.height)
                yield _text(half, str(report.written[name]), "pen struck")
                half = Rect(rect.x + rect.width / 2, rect.y, rect.width / 2, rect.height)
                yield _text(half, str(score), "added")


def _below_label(rect: Rect) -> Rect:
    """Return where to write in a result's box, which has its label in the corner."""
    right, down = min(1.0, rect.width * 0.08), rect.height * 0.14
    return Rect(rect.x + right, rect.y + down, rect.width - right, rect.height - down)


def _result(name: str, mine: Mapping[str, Box]) -> str:
    """Return the box of a score, ``""`` if it has none."""
    others = ("round",) if name == "total" else ()  # where a sheet has the totals of rounds
    return next((box for box in (f"{name}_score", name, *others) if box in mine), "")


def _added(sheet: FilledSheet, name: str, parts: Mapping[str, str]) -> Mapping[str, int]:
    """Return the totals of a track's entries."""
    track = sheet.tracks.get(name, ())
    known = {"sum": sum(e for e in track if isinstance(e, int)), "entries": len(track)}
    return {part: known.get(what, track.count(what)) for part, what in parts.items() if track}


def _totals(name: str, totals: Mapping[str, int], mine: Mapping[str, Box]) -> Iterator[str]:
    """Yield a track's totals, in their boxes or as a tick at their number."""
    for part, number in totals.items():
        if found := mine.get(f"{name}_{part}"):
            yield _text(found.rect, str(number), "pen")
        elif found := mine.get(f"{name}_{part}_{number}"):
            yield _tick(found.rect)


def _text(rect: Rect, text: str, kind: str) -> str:
    """Return a text that fits a box."""
    size = min(rect.height * 0.66, rect.width * 0.9 / max(len(text), 1) / _NARROW, 6.0)
    left = "left" in kind
    x = rect.x + (0.8 if left else rect.width / 2)
    y = rect.y + rect.height / 2 + size * 0.35
    shown = escape(text if left else text.replace("-", "−"))
    place = f'x="{x:.2f}" y="{y:.2f}" font-size="{size:.2f}"'
    return f'<text class="{kind}" {place}>{shown}</text>'


def _tick(rect: Rect) -> str:
    """Return a cross in a box."""
    inset = min(rect.width, rect.height) * 0.16
    x, y, right, bottom = rect.x + inset, rect.y + inset, rect.right - inset, rect.bottom - inset
    return (
        f'<path class="tick" d="M{x:.2f} {y:.2f}L{right:.2f} {bottom:.2f}'
        f'M{right:.2f} {y:.2f}L{x:.2f} {bottom:.2f}"/>'
    )
