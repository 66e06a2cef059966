"""Simulated writers: the same seed writes the same, and what tests is not learned from."""

from __future__ import annotations

import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[3]))

from simulation.families import FAMILIES
from simulation.hands import GROUPS, SHARES, DrawnHand, hands
from simulation.pencil import HEIGHT
from simulation.strokes import SIGNS


def test_no_writer_is_in_two_splits() -> None:
    """Families, seeds and shares of images are apart, and at least eight families are for tests."""
    for one, two in combinations(("train", "dev", "test"), 2):
        assert not set(FAMILIES[one]) & set(FAMILIES[two])
        assert SHARES[one][1] <= SHARES[two][0]
    names = [hand.name for split in ("train", "dev", "test") for hand in hands(split, None)]
    assert len(names) == len(set(names))
    assert len(FAMILIES["test"]) >= 8
    assert set(GROUPS) == set(SHARES)
    assert hands("foreign", None) == []


@pytest.mark.parametrize("sign", SIGNS)
def test_signs_are_drawn_as_high_as_digits_are(sign: str) -> None:
    """A digit is about 96 px high, a small letter at least a third of it; ink is 0 to 1."""
    rng = np.random.default_rng(1)
    heights = []
    for seed in range(20_000, 20_020):
        ink = DrawnHand(seed).write(sign, rng)
        assert ink.dtype == np.float32
        assert ink.max() > 0.9
        assert ink.min() >= 0
        assert ink.max() <= 1
        heights.append(ink.shape[0])
    if sign.isdigit():
        assert np.median(heights) == pytest.approx(HEIGHT * 1.1, rel=0.15)
    elif sign != "-":
        assert min(heights) > HEIGHT / 3


def test_a_writer_stays_the_same() -> None:
    """The same writer and the same chance give the same ink; another writer gives another."""
    one = DrawnHand(20_001).write("47", np.random.default_rng(3))
    again = DrawnHand(20_001).write("47", np.random.default_rng(3))
    other = DrawnHand(20_002).write("47", np.random.default_rng(3))
    assert np.array_equal(one, again)
    assert one.shape != other.shape or not np.array_equal(one, other)


def test_signs_stand_side_by_side() -> None:
    """Each sign of a text has a page of its own, from left to right; all together are the text."""
    writer = DrawnHand(20_004)
    pages = writer.signs("508", np.random.default_rng(6))
    middles = [float(np.nonzero(page)[1].mean()) for page in pages]
    assert len(pages) == 3
    assert middles == sorted(middles)
