"""Names for the arrays that pass between the steps of reading."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

Array = NDArray[Any]
Pixels = NDArray[Any]  # uint8, height x width x 3 (BGR), or height x width
Ink = NDArray[Any]  # float32, height x width: 0 is paper and 1 the darkest ink
Points = NDArray[Any]  # float64, n x 2, x before y
Matrix = NDArray[Any]  # float64, 3 x 3, a homography
