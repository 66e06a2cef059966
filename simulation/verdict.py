"""What a reader made of a picture, compared with what the picture shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sheetgen.prepare import load
from sheetgen.read.boxes import boxes_of, meanings
from simulation.truth import Picture, SheetTruth, Value, Written
from simulation.warp import transform

if TYPE_CHECKING:
    from sheetgen.checking import Checked
    from sheetgen.read.scan.readings import ScannedSheet

ALMOST = 6.0  # mm that a sheet may seem to be off where paper is bent; beyond it is another sheet


class Verdict(NamedTuple):
    """One box: what stands there, what was read, and whether the reader asks a person to look."""

    box: str
    what: str  # "mark", "number" of one or two digits or signs, "result" for all longer ones
    truth: Written
    read: Value
    doubt: str

    @property
    def right(self) -> bool:
        """Whether the box was read as it is."""
        if isinstance(self.truth.value, bool):
            return bool(self.read) == self.truth.value
        return _plain(self.read) == _plain(self.truth.value)

    @property
    def silent(self) -> bool:
        """Whether it was read wrong and nobody is told to look."""
        return not self.right and not self.doubt


class Compared(NamedTuple):
    """A picture's verdicts; ``lost`` sheets were not read, ``false`` readings belong to none.

    ``reasons`` are why sheets were refused, in the reader's words; ``clean`` sheets are all right,
    and no box is flagged.
    """

    verdicts: tuple[Verdict, ...]
    read: int
    lost: int
    false: int
    reasons: tuple[str, ...]
    clean: int


def compare(picture: Picture, checked: Checked) -> Compared:
    """Compare the sheets that were read with those that the picture shows, by their places."""
    verdicts: list[Verdict] = []
    left = list(picture.sheets)
    false = clean = 0
    for copy, scan in enumerate(checked.scans):
        truth = _nearest(scan, left)
        if truth is None:
            false += 1
            continue
        left.remove(truth)
        said = {d.box: d.why or "?" for d in checked.doubts if d.copy == copy}
        mine = list(_verdicts(scan, truth, said))
        clean += all(one.right and not one.doubt for one in mine)
        verdicts += mine
    reasons = tuple(problem.found for problem in checked.problems)
    return Compared(tuple(verdicts), len(checked.scans) - false, len(left), false, reasons, clean)


def _nearest(scan: ScannedSheet, sheets: list[SheetTruth]) -> SheetTruth | None:
    """Return the sheet that lies where a scanned one was found, if it is one like that."""
    width, height = scan.scene.size
    mm = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    seen = transform(np.array(scan.homography, float).reshape(3, 3), mm)
    best, least = None, np.inf
    for truth in sheets:
        if (truth.variant, truth.sheet) != (scan.identity.variant, scan.identity.sheet):
            continue
        off = float(np.linalg.norm(seen - np.array(truth.corners), axis=1).max()) / truth.scale
        if off < least:
            best, least = truth, off
    # A PDF's pages are drawn anew, in another resolution: there is but one sheet on those.
    alone = len(sheets) == 1 and scan.file.endswith(".pdf")
    return best if least < ALMOST or alone else None


def _verdicts(scan: ScannedSheet, truth: SheetTruth, said: Mapping[str, str]) -> Iterator[Verdict]:
    known = _meant(scan)
    for box, written in truth.boxes.items():
        if box not in known:
            continue  # the player's own business
        reading = scan.readings.get(box)
        value: Value = reading.value if reading else ""
        doubt = (reading.doubt if reading else "") or said.get(box, "")
        if isinstance(written.value, bool):
            what = "mark"
        else:
            what = "number" if len(written.value) <= 2 and "-" not in written.value else "result"
        yield Verdict(box, what, written, value, doubt)


def _meant(scan: ScannedSheet) -> frozenset[str]:
    """Return the boxes that mean something to the rules."""
    variant, _ = load(scan.identity.variant)
    return frozenset(meanings(boxes_of(variant, scan.identity.sheet, scan.scene.boxes)))


def _plain(value: Value) -> str:
    text = "x" if value is True else str(value or "")
    return text.replace("−", "-").casefold()
