"""Exact intervals for shares that were counted."""

from __future__ import annotations

import math
from collections.abc import Callable


def exact(hits: int, of: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the Clopper-Pearson interval of a share, both ends from 0 to 1.

    With no hits in ``of`` the upper end is close to 3.7 / ``of``: each end has half the doubt.
    """
    if of == 0:
        return 0.0, 1.0
    half = (1 - confidence) / 2
    low = 0.0 if hits == 0 else _solve(lambda p: 1 - below(hits - 1, of, p), half)
    high = 1.0 if hits == of else 1 - _solve(lambda p: 1 - below(of - hits - 1, of, p), half)
    return low, high


def _solve(rising: Callable[[float], float], wanted: float) -> float:
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < wanted else (low, middle)
    return (low + high) / 2


def below(hits: int, of: int, chance: float) -> float:
    """Return the chance of at most so many hits."""
    if hits < 0:
        return 0.0
    if hits >= of or chance <= 0:
        return 1.0
    if chance >= 1:
        return 0.0
    if hits > of / 2:
        return 1 - below(of - hits - 1, of, 1 - chance)
    one, none = math.log(chance), math.log1p(-chance)
    ways = math.lgamma(of + 1)
    terms = (
        ways - math.lgamma(k + 1) - math.lgamma(of - k + 1) + k * one + (of - k) * none
        for k in range(hits + 1)
    )
    return min(1.0, sum(map(math.exp, terms)))
