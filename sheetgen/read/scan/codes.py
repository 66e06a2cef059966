"""The code on a sheet: read where it should be, once the markers say how the sheet lies."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from sheetgen.geometry import Size
from sheetgen.read.layouts import CODE
from sheetgen.read.scan.arrays import Array, Pixels, Points
from sheetgen.read.scan.markers import Corners
from sheetgen.read.scan.register import Placement, from_markers, straighten

MARKER = 8.0  # mm, the side of a marker: only proportions matter here
ROUGH = (8.0, 12.0, 5.0)  # px per mm of the pictures that are tried
MOST_SIDE = 320.0  # mm a sheet may measure between markers; more is no sheet


def roughly(found: Corners) -> Placement | None:
    """Return the placement of a sheet of unknown size, in mm by the size of its markers.

    ``None`` if the markers cannot be corners of one sheet.
    """
    along = _lengths(found, ((0, 1), (2, 3)), 0)
    down = _lengths(found, ((0, 2), (1, 3)), 1)
    if not along or not down:
        return None
    width, height = float(np.mean(along)), float(np.mean(down))
    if not MARKER < min(width, height) <= max(width, height) < MOST_SIDE:
        return None
    size = Size(width + MARKER, height + MARKER)
    corners = {}
    for number in found:
        x, y = (number % 2) * width, (number // 2) * height
        corners[number] = np.array(
            [(x, y), (x + MARKER, y), (x + MARKER, y + MARKER), (x, y + MARKER)]
        )
    return from_markers(found, corners, size)


def _lengths(found: Corners, pairs: tuple[tuple[int, int], ...], axis: int) -> list[float]:
    """Return the distances in mm between markers, by the length of their sides on the way."""
    lengths = []
    for first, second in pairs:
        if first in found and second in found:
            one, other = found[first], found[second]
            sides = [_side(quad, axis) for quad in (one, other)]
            between = float(np.linalg.norm(other.mean(axis=0) - one.mean(axis=0)))
            lengths.append(between / (sum(sides) / 2) * MARKER)
    return lengths


def _side(quad: Points, axis: int) -> float:
    pairs = ((0, 1), (3, 2)) if axis == 0 else ((0, 3), (1, 2))
    return float(np.mean([np.linalg.norm(quad[b] - quad[a]) for a, b in pairs]))


def read_code(grey: Pixels, placement: Placement) -> str:
    """Return what the code on a roughly placed sheet says, ``""`` if it cannot be read."""
    for picture in _attempts(grey, placement):
        for text in _decoded(picture):
            if CODE.fullmatch(text):
                return text
    return ""


def _attempts(grey: Pixels, placement: Placement) -> Iterator[Array]:
    """Yield pictures of the sheet in which the code may be readable, the cheapest first."""
    for resolution in ROUGH:
        picture = straighten(grey, placement, resolution)
        yield picture
        soft = cv2.GaussianBlur(picture, (0, 0), 0.3 * resolution)
        yield cv2.addWeighted(picture, 2.5, soft, -1.5, 0)


def _decoded(picture: Array) -> list[str]:
    import zxingcpp

    found = zxingcpp.read_barcodes(picture)
    return [code.text for code in found if code.format == zxingcpp.BarcodeFormat.QRCode]
