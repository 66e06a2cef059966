"""A picture of a filled sheet: the printed one, what was written, and the boxes in question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

from sheetgen.checking import wrong
from sheetgen.filled import FilledSheet
from sheetgen.geometry import Rect
from sheetgen.read.boxes import Boxes, Part, Slot
from sheetgen.rules.findings import Finding, MatchReport, SheetReport
from sheetgen.scene import Scene

_NARROW = 0.7  # mean width of a digit, in heights of its type
_CORNER = 1.1  # mm
_ROOMY = 9.0  # mm, of a box that holds a wrong result and the right one
_LARGEST = 6.0  # mm, the height of type


class Filled(NamedTuple):
    """A sheet of a match, its report, and which of the players' it is, from 0."""

    sheet: FilledSheet
    report: SheetReport
    player: int


class Print(NamedTuple):
    """A printed sheet, and what its boxes mean."""

    scene: Scene
    boxes: Boxes

    @property
    def owners(self) -> list[str]:
        """Return what the sheet calls the players; one, if it is for one."""
        return list(dict.fromkeys(part.owner for part in self.boxes.parts)) or [""]


def overlay(printed: Print, filled: Iterable[Filled], match: MatchReport) -> str:
    """Return SVG elements to draw over the printed sheet."""
    # What is said across sheets of a numbered box is about one player's, and does not say whose.
    shared = [one for one in match.findings if not re.search(r"_\d+$", one.box)]
    parts: list[str] = []
    named: set[str] = set()
    for one in filled:
        writing = _Writing(printed, one)
        parts += writing.marks(shared)
        parts += writing.entries()
        parts += writing.results()
        if one.sheet.player not in named:
            named.add(one.sheet.player)
            parts += writing.once(match.totals)
    return "".join(parts)


class _Writing:
    """What one player wrote in one round, and where."""

    def __init__(self, printed: Print, one: Filled) -> None:
        self.sheet, self.report = one.sheet, one.report
        self.rects = {box.id: box.rect for box in printed.scene.boxes}
        self.ticks = {box.id for box in printed.scene.boxes if box.kind == "tick"}
        self.scores = {box.id for box in printed.scene.boxes if box.kind == "score"}
        self.boxes = printed.boxes
        owners = printed.owners
        alone = len(owners) == 1
        self.owner = owners[0 if alone else min(one.player, len(owners) - 1)]
        mine = (0, one.sheet.round or 1) if alone or one.player < len(owners) else ()
        self.parts: list[Part] = [
            part for part in printed.boxes.parts if part.owner == self.owner and part.round in mine
        ]

    # -- boxes in question ------------------------------------------------------------------------

    def marks(self, shared: Iterable[Finding]) -> Iterator[str]:
        """Yield a frame around every box that a finding is about."""
        places: dict[Rect, list[Finding]] = {}
        for finding in (*self.report.findings, *shared):
            if boxes := self.found(finding):
                places.setdefault(_around([self.rects[box] for box in boxes]), []).append(finding)
        for rect, findings in places.items():
            severity = "error" if any(f.severity == "error" for f in findings) else "warning"
            yield _frame(rect, severity, " · ".join(finding.message for finding in findings))

    def found(self, finding: Finding) -> list[str]:
        """Return the boxes that a finding is about: one, or all of a name."""
        name, _, number = finding.box.rpartition("_")
        for part in self.parts:
            results = [slot.box for slot in part.results.get(finding.box, ())]
            if results and (finding.rule == "written" or finding.box not in part.tracks):
                return results
            if slots := part.tracks.get(finding.box):
                return [slot.box for slot in slots]
            if boxes := part.counts.get(finding.box):
                return boxes
            if finding.box in part.flags:
                return [part.flags[finding.box]]
            if number.isdigit() and (slots := part.tracks.get(name)):
                entries = self.sheet.tracks.get(name, ())
                return list(_boxes(slots, entries)[int(number) - 1 : int(number)])
        return [finding.box] if finding.box in self.rects else []

    # -- what was written -------------------------------------------------------------------------

    def entries(self) -> Iterator[str]:
        """Yield everything the player wrote but results."""
        for part in self.parts:
            for name, slots in part.tracks.items():
                entries = self.sheet.tracks.get(name, ())
                for box, entry in zip(_boxes(slots, entries), entries, strict=False):
                    yield self.write(box, str(entry), "pen")
            for name, totals in part.totals.items():
                for total, number in self.totals(name).items():
                    yield from self.show(totals.get(total, ()), number, "pen")
            ticked = [
                box
                for name, boxes in part.counts.items()
                for box in boxes[: self.sheet.counts.get(name, 0)]
            ]
            ticked += [box for name, box in part.flags.items() if self.sheet.flags.get(name)]
            for name, lanes in part.sets.items():
                ticked += [lanes[lane] for lane in self.sheet.sets.get(name, ()) if lane in lanes]
            yield from (self.write(box, "", "pen") for box in ticked)

    def totals(self, name: str) -> Mapping[str, int]:
        """Return the totals of a track, those that were given or those of its entries."""
        if given := self.sheet.triples.get(name):
            return given
        track = self.sheet.tracks.get(name, ())
        known = {"sum": sum(e for e in track if isinstance(e, int)), "entries": len(track)}
        parts = self.boxes.names.triples[name] if track else {}
        return {part: known.get(what, track.count(what)) for part, what in parts.items()}

    def results(self) -> Iterator[str]:
        """Yield the results that were written, and the right ones where those lack or are wrong."""
        mistaken = set(wrong(self.report))
        written = self.report.written
        for part in self.parts:
            for name, slots in part.results.items():
                if name in mistaken:
                    for slot in slots:
                        rect = _below_label(self.rects[slot.box])
                        left, right = _halves(rect)
                        roomy = rect.width >= _ROOMY
                        yield _text(left if roomy else rect, str(written[name]), "pen struck")
                        if roomy:
                            yield _text(right, str(self.report.scores[name]), "added")
                elif name in self.report.scores:
                    kind = "pen" if name in written else "added"
                    yield from self.show(slots, self.report.scores[name], kind)

    def once(self, totals: Mapping[str, int]) -> Iterator[str]:
        """Yield the player's name and total of the match, which do not belong to one round."""
        if box := self.boxes.players.get(self.owner):
            yield _text(self.rects[box], self.sheet.player, "pen left")
        box = self.boxes.matches.get(self.owner)
        if box and self.sheet.player in totals:
            yield self.write(box, str(totals[self.sheet.player]), "added")

    def show(self, slots: Iterable[Slot], number: int, kind: str) -> Iterator[str]:
        """Yield a number in its box, or a tick where it is printed."""
        for slot in slots:
            if slot.printed is None or slot.printed == number:
                yield self.write(slot.box, str(number), kind)

    def write(self, box: str, text: str, kind: str) -> str:
        """Return a text in a box, or a cross if the box is one to tick."""
        rect = self.rects[box]
        if box in self.ticks:
            return _tick(rect)
        return _text(_below_label(rect) if box in self.scores else rect, text, kind)


def _boxes(slots: Sequence[Slot], entries: Sequence[object]) -> Sequence[str]:
    """Return the boxes of a track's entries: one after the other, or where they are printed."""
    if all(slot.printed is None for slot in slots):
        return [slot.box for slot in sorted(slots, key=lambda slot: slot.number)]
    free = list(slots)
    boxes = []
    for entry in entries:
        slot = next((slot for slot in free if slot.printed == entry), None)
        if slot:
            free.remove(slot)
            boxes.append(slot.box)
    return boxes


# -- drawing --------------------------------------------------------------------------------------


def _around(rects: Sequence[Rect]) -> Rect:
    """Return what encloses some boxes, with a little room."""
    x, y = min(rect.x for rect in rects), min(rect.y for rect in rects)
    right, bottom = max(rect.right for rect in rects), max(rect.bottom for rect in rects)
    return Rect(x - 0.5, y - 0.5, right - x + 1, bottom - y + 1)


def _below_label(rect: Rect) -> Rect:
    """Return where to write in a result's box, which has its label in the corner."""
    right, down = min(1.0, rect.width * 0.08), rect.height * 0.14
    return Rect(rect.x + right, rect.y + down, rect.width - right, rect.height - down)


def _halves(rect: Rect) -> tuple[Rect, Rect]:
    """Return two halves with white between and beside them."""
    half, gap = rect.width / 2, rect.width * 0.04
    inner = half - 2 * gap
    return Rect(rect.x + gap, rect.y, inner, rect.height), Rect(
        rect.x + half + gap, rect.y, inner, rect.height
    )


def _frame(rect: Rect, severity: str, title: str) -> str:
    """Return a frame with a sign at its corner and words for the pointer."""
    sign = "!" if severity == "error" else "?"
    return (
        f'<g class="{severity}"><title>{escape(title)}</title>'
        f'<rect x="{rect.x:.2f}" y="{rect.y:.2f}" width="{rect.width:.2f}" '
        f'height="{rect.height:.2f}" rx="{_CORNER}"/>'
        f'<circle cx="{rect.right:.2f}" cy="{rect.y:.2f}" r="1.7"/>'
        f'<text x="{rect.right:.2f}" y="{rect.y + 0.95:.2f}" font-size="2.7">{sign}</text></g>'
    )


def _text(rect: Rect, text: str, kind: str) -> str:
    """Return a text that fits a box."""
    size = min(rect.height * 0.66, rect.width * 0.9 / max(len(text), 1) / _NARROW, _LARGEST)
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
