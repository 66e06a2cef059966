"""Gather boxes with writing from simulated sheets, as the whole reader cuts them out.

``python training/gather_cells.py FILE --data FOLDER --split dev --seeds 0 300`` writes an .npz file
that ``judge.py`` calibrates with: sheets printed, written on, photographed, straightened, and freed
from print by the reader's own code.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from sheetgen.checking import Checker
from sheetgen.read.scan import numbers
from sheetgen.read.scan.numbers import Cell
from sheetgen.read.scan.readings import ScannedSheet
from simulation.hands import hands
from simulation.pages import Look
from simulation.studio import simulate
from simulation.truth import SheetTruth

LOOKS = (
    Look("lostdice"), Look("keldice"), Look("lostcities"), Look("lostcities-long"),
    Look("lostcities-rollwrite"), Look("yacht"), Look("scorepad"), Look("lostcities", "tick"),
)  # fmt: skip
LEVELS = ("scan", "scan", "low", "mild", "mild", "medium")
INKS = ("full", "full", "low", "bw")
FIRST = 30_000_000  # seeds of no test


class Gathered(NamedTuple):
    """A box: what the reader of numbers was given, and what was written."""

    cell: Cell
    text: str
    writer: str


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--split", default="dev", choices=["train", "dev"])
    parser.add_argument("--seeds", nargs=2, type=int, default=(0, 300))
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    writers = hands(chosen.split, chosen.data)
    kinds = sorted({hand.name.split("-")[0] for hand in writers})
    by_kind = [[hand for hand in writers if hand.name.startswith(kind)] for kind in kinds]
    given: list[Cell] = []
    read = numbers.read_numbers

    def listening(cells: Any) -> list[numbers.Number]:
        given.extend(cells)
        return [numbers.Number((), "") for _ in cells]

    numbers.read_numbers = listening
    found: list[Gathered] = []
    checker = Checker()
    started = time.time()
    for seed in range(*chosen.seeds):
        rng = np.random.default_rng([FIRST, seed])
        group = by_kind[seed % len(by_kind)]
        hand = group[int(rng.integers(len(group)))]
        look = LOOKS[seed % len(LOOKS)]._replace(ink=str(rng.choice(INKS)))
        level = str(rng.choice(LEVELS))
        picture = simulate(look, level, FIRST + seed, hand=hand, alone=True)
        given.clear()
        scans = checker.check_bytes(picture.data, picture.name).scans
        if len(scans) == 1:
            found += _paired(scans[0], picture.sheets[0], given, hand.name)
        if seed % 50 == 0:
            print(seed, len(found), f"{time.time() - started:.0f} s", flush=True)
            save(chosen.file, found)
    save(chosen.file, found)
    numbers.read_numbers = read


def _paired(
    scan: ScannedSheet, truth: SheetTruth, given: list[Cell], writer: str
) -> list[Gathered]:
    """Return the boxes of a sheet that were read as numbers; the reader asks in their order."""
    boxes = [
        box.id
        for box in scan.scene.boxes
        if box.kind in ("number", "score") and isinstance(scan.readings[box.id].value, str)
    ]
    return [
        Gathered(cell, str(truth.boxes[box].value), writer)
        for box, cell in zip(boxes, given, strict=True)
    ]


def save(file: str, found: list[Gathered]) -> None:
    """Write boxes to a file."""
    inks = [np.rint(np.clip(one.cell.ink, 0, 1) * 255).astype(np.uint8) for one in found]
    np.savez_compressed(
        file,
        shapes=np.array([ink.shape for ink in inks]).reshape(-1, 2),
        inks=np.concatenate([ink.ravel() for ink in inks]) if inks else np.zeros(0, np.uint8),
        alphabets=np.array([one.cell.alphabet for one in found]),
        texts=np.array([one.text for one in found]),
        writers=np.array([one.writer for one in found]),
    )


def load(file: str) -> list[Gathered]:
    """Return boxes that were gathered."""
    with np.load(file) as stored:
        inks, at, found = stored["inks"], 0, []
        names = ("alphabets", "texts", "writers")
        for shape, alphabet, text, writer in zip(
            stored["shapes"], *(stored[name] for name in names), strict=True
        ):
            size = int(shape[0] * shape[1])
            ink = inks[at : at + size].reshape(shape).astype(np.float32) / 255
            at += size
            found.append(Gathered(Cell(ink, str(alphabet)), str(text), str(writer)))
    return found


if __name__ == "__main__":
    main()
