"""Measures the reader of numbers: ``python training/measure.py --data FOLDER --split dev``.

``dev`` is for tuning; ``test`` and ``foreign`` are for the final figures only.
"""

from __future__ import annotations

import argparse
import sys
import time
from io import BytesIO
from math import lgamma, log
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from sheetgen.read.scan.network import unpacked
from sheetgen.read.scan.numbers import Number
from training.judge import WEIGHTS, Case, cases, read

KINDS = ("one digit", "two digits", "marks", "three digits", "minus")


def interval(hits: int, of: int, level: float = 0.95) -> tuple[float, float]:
    """Return the exact (Clopper-Pearson) interval of a share."""
    tail = (1 - level) / 2
    low = 0.0 if hits == 0 else _root(lambda p: 1 - _below(hits - 1, of, p), tail)
    high = 1.0 if hits == of else _root(lambda p: 1 - _below(hits, of, p), 1 - tail)
    return low, high


def _root(rising: object, target: float) -> float:
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < target else (low, middle)  # type: ignore[operator]
    return low


def _below(hits: int, of: int, p: float) -> float:
    """Return the chance of at most so many hits."""
    if p <= 0 or p >= 1:
        return float(p <= 0 or hits >= of)
    k = np.arange(hits + 1)
    logs = np.array([lgamma(of + 1) - lgamma(n + 1) - lgamma(of - n + 1) for n in k])
    return float(np.exp(logs + k * log(p) + (of - k) * np.log1p(-p)).sum())


def row(name: str, pairs: list[tuple[Case, Number]]) -> str:
    """Return a line of the table: raw, unflagged and flagged shares."""
    right = [bool(n.likeliest) and n.likeliest[0][0] == c.text for c, n in pairs]
    sure = [n.doubt == "" for _, n in pairs]
    kept = sum(sure)
    good = sum(r and s for r, s in zip(right, sure, strict=True))
    low, high = interval(good, kept) if kept else (0.0, 1.0)
    size = max(1, len(pairs))
    return (
        f"{name:<16} n {len(pairs):>6}  raw {sum(right) / size:7.2%}  flagged "
        f"{1 - kept / size:6.2%}  unflagged right {good}/{kept} = "
        f"{good / max(1, kept):.3%} ({low:.2%} to {high:.2%})"
    )


def main() -> None:
    """Measure one split."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--split", choices=("dev", "test", "foreign"), default="dev")
    parser.add_argument("--cells", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    options = parser.parse_args()
    model = unpacked(BytesIO(options.weights.read_bytes()))
    foreign = options.split == "foreign"
    boxes = cases(options.split, options.data, options.cells, options.seed, marks=not foreign)
    start = time.perf_counter()
    numbers = [number for number, _ in read(boxes, model)]
    each = (time.perf_counter() - start) / len(boxes)
    pairs = list(zip(boxes, numbers, strict=True))
    for kind in KINDS:
        those = [pair for pair in pairs if pair[0].kind == kind]
        if those:
            print(row(kind, those))
    real = [pair for pair in pairs if pair[0].kind != "spoilt"]
    for writers in ("drawn", "mnist", "optdigits", "font"):
        those = [pair for pair in real if pair[0].writer.startswith(writers)]
        if those:
            print(row(writers, those))
    print(row("all", real))
    spoilt = [number for case, number in pairs if case.kind == "spoilt"]
    if spoilt:
        silent = sum(number.doubt == "" and bool(number.likeliest) for number in spoilt)
        nothing = sum(not number.likeliest for number in spoilt)
        print(f"spoilt: {len(spoilt)}, read without a doubt {silent}, as empty {nothing}")
    print(f"{each * 1000:.2f} ms a box")


if __name__ == "__main__":
    main()
