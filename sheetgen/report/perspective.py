"""Homographies: nine numbers, row by row, that bring points of one plane to another's."""

from __future__ import annotations

import math
from collections.abc import Sequence

Matrix = Sequence[float]


def project(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    """Return where a point comes to lie."""
    a, b, c, d, e, f, g, h, i = matrix
    depth = g * x + h * y + i
    return (a * x + b * y + c) / depth, (d * x + e * y + f) / depth


def product(second: Matrix, first: Matrix) -> Matrix:
    """Return what does the same as the two, one after the other."""
    return [
        sum(second[3 * row + k] * first[3 * k + column] for k in range(3))
        for row in range(3)
        for column in range(3)
    ]


def inverse(matrix: Matrix) -> Matrix:
    """Return the way back, its last number being 1."""
    a, b, c, d, e, f, g, h, i = matrix
    cofactors = [
        *(e * i - f * h, c * h - b * i, b * f - c * e),
        *(f * g - d * i, a * i - c * g, c * d - a * f),
        *(d * h - e * g, b * g - a * h, a * e - b * d),
    ]
    return [value / cofactors[8] for value in cofactors]


def scaling(factor: float) -> Matrix:
    """Return what enlarges everything from the origin."""
    return (factor, 0, 0, 0, factor, 0, 0, 0, 1)


def moving(dx: float, dy: float) -> Matrix:
    """Return what moves everything."""
    return (1, 0, dx, 0, 1, dy, 0, 0, 1)


def scale_at(matrix: Matrix, x: float, y: float) -> float:
    """Return the mean enlargement around a point."""
    step = 0.5
    x0, y0 = project(matrix, x, y)
    x1, y1 = project(matrix, x + step, y)
    x2, y2 = project(matrix, x, y + step)
    area = abs((x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0))
    return math.sqrt(area) / step
