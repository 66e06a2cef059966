"""The sheet as it was printed: what a picture of it is compared with."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from sheetgen.geometry import MM_PER_INCH, PT_PER_MM, Rect
from sheetgen.layout.identity import ARUCO_4X4
from sheetgen.read.scan.arrays import Ink, Points
from sheetgen.read.scan.ink import darkest, ink_of
from sheetgen.read.scan.markers import Corners
from sheetgen.read.scan.readings import RESOLUTION
from sheetgen.read.scan.register import Piece, pieces, shrunk
from sheetgen.scene import Path, Scene, Text, bounds
from sheetgen.theme import Style

SOFT = 1.2  # px by which words are blurred before they are compared


class Blank(NamedTuple):
    """A blank sheet: its scene, its ink at full and at half resolution, and how to find it.

    ``corners`` are those of the printed markers in mm, ``marks`` the markers' and the code's
    rectangles, which nobody writes on, and ``words`` those of printed words that lie level.
    """

    scene: Scene
    ink: Ink
    coarse: Ink
    pieces: tuple[Piece, ...]
    corners: Corners
    marks: tuple[Rect, ...]
    words: tuple[Rect, ...]


def blank_of(scene: Scene, style: Style) -> Blank:
    """Draw a scene as it is printed and prepare it for comparison."""
    from sheetgen.draw.pdf import pdf
    from sheetgen.draw.png import picture
    from sheetgen.impose import alone

    data = pdf(scene, None, alone(scene.size), style.fonts)
    drawn = np.asarray(picture(data, RESOLUTION * MM_PER_INCH).convert("RGB"))[:, :, ::-1]
    ink = ink_of(darkest(drawn))
    coarse = shrunk(ink)
    marks = tuple(
        bounds(item.segments)
        for item in scene.items
        if isinstance(item, Path) and item.role == "fiducial"
    )
    corners: dict[int, Points] = {}
    for number, rect in enumerate(marks[: len(ARUCO_4X4)]):
        corners[number] = np.array(
            [
                (rect.x, rect.y),
                (rect.right, rect.y),
                (rect.right, rect.bottom),
                (rect.x, rect.bottom),
            ]
        )
    return Blank(scene, ink, coarse, tuple(pieces(ink)), corners, marks, _words(scene))


def _words(scene: Scene) -> tuple[Rect, ...]:
    """Return where words are printed, as opposed to numbers and single letters."""
    found = []
    for item in scene.items:
        if isinstance(item, Text) and not item.angle and len(item.string) > 2:
            high = item.size / PT_PER_MM
            found.append(Rect(item.x, item.y - 0.8 * high, item.width, high))
    return tuple(found)


def alike_words(seen: Ink, blank: Blank) -> float:
    """Return how alike printed words and what is seen in their places are, -1 to 1."""
    likeness = []
    for rect in blank.words:
        rows = slice(max(0, round(rect.y * RESOLUTION)), round(rect.bottom * RESOLUTION))
        columns = slice(max(0, round(rect.x * RESOLUTION)), round(rect.right * RESOLUTION))
        one = cv2.GaussianBlur(blank.ink[rows, columns], (0, 0), SOFT)
        other = cv2.GaussianBlur(seen[rows, columns], (0, 0), SOFT)
        one, other = one - one.mean(), other - other.mean()
        size = float(np.sqrt((one * one).sum() * (other * other).sum()))
        likeness.append(float((one * other).sum()) / size if size > 0 else 0.0)
    return float(np.mean(likeness)) if likeness else 1.0
