"""From pixels to ink: how much darker than the paper around it each place is."""

from __future__ import annotations

import cv2
import numpy as np

from sheetgen.read.scan.arrays import Array, Ink, Pixels
from sheetgen.read.scan.readings import RESOLUTION

LIGHT = 2.0  # px per mm of the picture from which the paper's lightness is taken
BLOB = 9.0  # mm: what is dark and larger is shadow or tint, not ink


def paper(grey: Pixels, resolution: float = RESOLUTION) -> Array:
    """Return the lightness the paper has at each pixel, as float32 of 0 to 255."""
    share = LIGHT / resolution
    small = cv2.resize(grey, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    small = cv2.medianBlur(small, 3)
    side = int(BLOB * LIGHT) | 1
    kernel = cv2.getStructuringElement(cv2.MORPH_RECT, (side, side))
    closed = cv2.morphologyEx(small, cv2.MORPH_CLOSE, kernel, borderType=cv2.BORDER_REPLICATE)
    smooth = cv2.GaussianBlur(closed.astype(np.float32), (0, 0), 1.2 * LIGHT)
    return np.asarray(
        cv2.resize(smooth, (grey.shape[1], grey.shape[0]), interpolation=cv2.INTER_LINEAR)
    )


def ink_of(grey: Pixels, light: Array | None = None) -> Ink:
    """Return the ink of a straightened picture: 0 is paper, 1 is black."""
    light = paper(grey) if light is None else light
    return np.clip(1 - grey.astype(np.float32) / np.maximum(light, 8.0), 0, 1)


def darkest(picture: Pixels) -> Pixels:
    """Return the darkest channel of each pixel: pens of all colours are dark in it."""
    return np.asarray(picture.min(axis=2))
