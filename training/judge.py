"""How sure the reader may be: facts about readings against what is right, fitted on ``dev``."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from sheetgen.read.scan.network import Weights
from sheetgen.read.scan.numbers import Cell, Number, Reading, judged, readings_of
from simulation.cells import composed, spoilt
from simulation.hands import Split, Writer
from training.samples import by_kind

WEIGHTS = Path(__file__).parent.parent / "sheetgen" / "read" / "scan" / "digits.npz"
DIGITS = "0123456789"


class Case(NamedTuple):
    """A box to read: its text, ``""`` if nobody could say; the kind of text and of writer."""

    cell: Cell
    text: str
    kind: str
    writer: str


def cases(split: Split, data: Path, count: int, seed: int, *, marks: bool = True) -> list[Case]:
    """Return boxes of a split's writers, every kind of writer alike often."""
    rng = np.random.default_rng(seed)
    groups = by_kind(split, data)
    found = []
    for number in range(count):
        group = groups[number % len(groups)]
        writer = group[int(rng.integers(len(group)))]
        found.append(_case(writer, rng, marks=marks))
    return found


def _case(writer: Writer, rng: np.random.Generator, *, marks: bool) -> Case:
    kind = rng.random()
    alphabet = DIGITS + str(rng.choice(["", "-", "$w"]))
    if marks and kind < 0.08:
        cell = spoilt(writer, DIGITS[rng.integers(10)], rng)
        return Case(Cell(cell.ink, alphabet), "", "spoilt", writer.name)
    if marks and kind < 0.16:
        text, alphabet, name = str(rng.choice(["$", "w"])), DIGITS + "$w", "marks"
    elif kind < 0.26:
        text = DIGITS[rng.integers(1, 10)] + "".join(DIGITS[n] for n in rng.integers(0, 10, 2))
        name, alphabet = "three digits", DIGITS + "-"
        if marks and rng.random() < 0.5:
            text, name = "-" + text[: rng.integers(1, 3)], "minus"
    elif kind < 0.63:
        text, name = DIGITS[rng.integers(10)], "one digit"
    else:
        text, name = DIGITS[rng.integers(1, 10)] + DIGITS[rng.integers(10)], "two digits"
    cell = composed(writer, text, rng)
    return Case(Cell(cell.ink, alphabet), text, name, writer.name)


def fitted(model: Weights, data: Path, count: int = 12_000, seed: int = 77) -> np.ndarray:
    """Return the judge's weights by logistic regression on boxes of ``dev``'s writers."""
    boxes = cases("dev", data, count, seed)
    readings = readings_of([case.cell for case in boxes], model)
    pairs = [(r, c) for r, c in zip(readings, boxes, strict=True) if r is not None]
    facts = np.array([reading.facts for reading, _ in pairs])
    right = np.array([r.texts[0].text == c.text for r, c in pairs], np.float64)
    return regression(facts, right)


def regression(facts: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the weights of a logistic regression, held small but for the first."""
    weights = np.zeros(facts.shape[1])
    penalty = np.diag([1e-3] + [1e-1] * (facts.shape[1] - 1))
    for _ in range(50):
        chance = 1 / (1 + np.exp(-np.clip(facts @ weights, -30, 30)))
        slope = facts.T @ (right - chance) - penalty @ weights
        curve = (facts * (chance * (1 - chance))[:, None]).T @ facts + penalty
        weights = weights + np.linalg.solve(curve, slope)
    return weights


def read(boxes: list[Case], model: Weights) -> list[tuple[Number, Reading | None]]:
    """Read boxes with the given weights."""
    readings = readings_of([case.cell for case in boxes], model)
    return [
        (Number((), "") if each is None else judged(each, model.judge), each) for each in readings
    ]
