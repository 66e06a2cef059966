"""New ink on a sheet, and to which box each stroke belongs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np

from sheetgen.geometry import Rect
from sheetgen.read.scan.arrays import Array, Ink
from sheetgen.read.scan.blank import Blank
from sheetgen.read.scan.readings import RESOLUTION

PRINT_REACH = 0.22  # mm around print within which ink says nothing about a pen
PRINT = 0.16  # ink of the blank sheet from which it counts as print
BLURS = (0.0, 0.06, 0.1, 0.14, 0.18, 0.23, 0.28, 0.34, 0.42, 0.5)  # mm, sigma
MOST_PRINT = 0.7  # of print; where it is darker, more would be noise
DARK_PRINT = 0.4
PRINT_CORE = 0.3  # ink of the blank sheet, as soft as the picture, that shows how dark print is
PEN_SHARE = 0.42  # of a page's usual pen, from which ink counts as written
LEAST_PEN, MOST_PEN = 0.3, 0.85  # the ink of usual pens
LEAST_INK, MOST_INK = 0.13, 0.3  # between these lies what counts as written
LONG = 12.0  # mm: no mark and no digit is that long
STRAIGHT = 0.45  # mm by which a line's ink strays from its middle (standard deviation)
SPECK = 0.12  # mm2: what is smaller is dust


class Tone(NamedTuple):
    """How a page was printed and seen.

    ``blur`` is the sigma in mm that makes the blank sheet as soft as the picture, ``print`` how
    dark its print is, as a share of the blank's ink, ``likeness`` how well markers and code then
    agree (-1 to 1), ``noise`` the ink of bare paper (its standard deviation).
    """

    blur: float
    print: float
    likeness: float
    noise: float


class Strokes(NamedTuple):
    """New ink of a whole sheet at full resolution.

    ``soft`` is ink that the print does not explain, of what is ``seen`` and what was ``expected``;
    ``bare`` is where nothing is printed nearby. ``labels`` number the strokes (0 is none),
    ``owners`` say, by number, which box holds most of a stroke (-1: none), ``shares`` are its
    pixels in each box: strokes x boxes, the last column being outside of all. ``lines`` tell which
    are long and straight, as a fold or a scanner's streak is. ``level`` is the ink from which a
    place counts as written on, ``pen`` the usual ink of the page's pens.
    """

    soft: Ink
    seen: Ink
    expected: Ink
    bare: Array
    labels: Array
    owners: Array
    shares: Array
    lines: Array
    level: float
    pen: float


def tone_of(seen: Ink, blank: Blank) -> Tone:
    """Compare the printed markers and code, on which nobody writes, with how they are seen."""
    patches = [(_cut(blank.ink, rect, 1.0), _cut(seen, rect, 1.0)) for rect in blank.marks]
    best = (-1.0, 0.0)
    for blur in BLURS:
        likeness = float(np.median([_alike(_soft(one, blur), other) for one, other in patches]))
        if likeness > best[0]:
            best = (likeness, blur)
    likeness, blur = best
    slopes = [_slope(_soft(one, blur), other) for one, other in patches]
    near = cv2.dilate(blank.ink, np.ones((13, 13), np.uint8)) < 0.05
    values = seen[::3, ::3][near[::3, ::3]]
    # Half of bare paper is lighter than its middle, whatever is written on it.
    noise = float(np.percentile(values, 60)) if len(values) else 0.0
    return Tone(blur, float(np.median(slopes)), likeness, noise)


def print_strength(seen: Ink, blank: Blank, tone: Tone) -> float:
    """Return how dark lines and words are, as a share of what their ink and the markers promise."""
    expected = _soft(blank.ink, tone.blur)
    near = expected > PRINT_CORE
    for rect in blank.marks:
        near[window(rect, 1.0, near.shape)] = False
    ratios = seen[near] / expected[near]
    return float(np.median(ratios)) / max(tone.print, 0.01) if len(ratios) else 1.0


def strokes_of(seen: Ink, blank: Blank, tone: Tone, boxmap: Array, count: int) -> Strokes:
    """Return the new ink of a sheet; ``boxmap`` holds each pixel's box, ``count`` being none."""
    expected = _soft(blank.ink, tone.blur) * tone.print
    reach = round(PRINT_REACH * RESOLUTION)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    bare = cv2.dilate(blank.ink, kernel) < PRINT
    # Pens and print take light away one after the other, so what is left of it divides.
    near = cv2.dilate(expected, np.ones((3, 3), np.uint8))
    print_ = np.minimum(1.15 * near + 0.02 * (near > 0.03), MOST_PRINT)
    soft = np.clip(1 - (1 - seen) / (1 - print_), 0, 1)
    # Dark print hides a pen; there is ink on it where there is on both sides of it.
    soft *= np.clip((DARK_PRINT - near) / 0.25 + 1, 0, 1)
    open_ = soft
    closed = cv2.morphologyEx(soft, cv2.MORPH_CLOSE, kernel)
    soft = np.where(near > DARK_PRINT - 0.1, closed, soft).astype(np.float32)
    inside = bare & (boxmap < count)
    strong = soft[inside]
    strong = strong[strong > max(0.12, 4 * tone.noise)]
    pen = float(np.percentile(strong, 80)) if len(strong) > 150 else 0.6
    pen = min(max(pen, LEAST_PEN), MOST_PEN)
    level = min(max(PEN_SHARE * pen, 3.5 * tone.noise, LEAST_INK), MOST_INK)
    # Strokes of two boxes must not become one where both end at the line between them.
    binary = (open_ > level).astype(np.uint8)
    found: Any = cv2.connectedComponentsWithStats(binary, connectivity=8)
    number, labels, stats, _ = found
    small = stats[:, cv2.CC_STAT_AREA] < SPECK * RESOLUTION**2
    small[0] = True
    # Beside print, what is no thicker than a pixel is a rest of the print, not a pen.
    thick = np.zeros(number, dtype=bool)
    opened = cv2.morphologyEx(binary, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)) > 0
    thick[labels[opened | (bare & (binary > 0))]] = True
    labels = np.where((small | ~thick)[labels], 0, labels)
    written = labels > 0
    shares = np.zeros((number, count + 1), dtype=np.int32)
    np.add.at(shares, (labels[written], boxmap[written]), 1)
    owners = (
        np.where(shares[:, :count].sum(axis=1) > 0, shares[:, :count].argmax(axis=1), -1)
        if count
        else np.full(number, -1)
    )
    lines = _lines(labels, stats)
    return Strokes(soft, seen, expected, bare, labels, owners, shares, lines, level, pen)


def _lines(labels: Array, stats: Array) -> Array:
    """Return which strokes are long and straight."""
    found = np.zeros(len(stats), dtype=bool)
    sides = stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]]
    for label in np.nonzero(np.hypot(*sides.T) > LONG * RESOLUTION)[0]:
        left, top, width, height = stats[label, :4]
        inside = labels[top : top + height, left : left + width] == label
        ys, xs = np.nonzero(inside)
        if label and len(xs) > 2:
            spread = np.sqrt(np.linalg.eigvalsh(np.cov(np.stack([xs, ys]))))
            long = spread[1] * np.sqrt(12) > LONG * RESOLUTION
            found[label] = long and spread[0] < STRAIGHT * RESOLUTION
    return found


def map_boxes(rects: Sequence[Rect], shape: tuple[int, ...]) -> Array:
    """Return for each pixel the index of the box it lies in, their number where in none."""
    boxmap = np.full(shape, len(rects), dtype=np.int32)
    for index, rect in enumerate(rects):
        rows, columns = window(rect, 0.0, shape)
        boxmap[rows, columns] = index
    return boxmap


def window(rect: Rect, room: float, shape: tuple[int, ...]) -> tuple[slice, slice]:
    """Return rows and columns of a rectangle with ``room`` mm around it, as far as there are."""
    top, bottom = (round((y) * RESOLUTION) for y in (rect.y - room, rect.bottom + room))
    left, right = (round((x) * RESOLUTION) for x in (rect.x - room, rect.right + room))
    return slice(max(0, top), min(shape[0], bottom)), slice(max(0, left), min(shape[1], right))


def _cut(ink: Ink, rect: Rect, room: float) -> Ink:
    return ink[window(rect, room, ink.shape)]


def _soft(ink: Ink, blur: float) -> Ink:
    return np.asarray(cv2.GaussianBlur(ink, (0, 0), blur * RESOLUTION)) if blur else ink


def _alike(one: Ink, other: Ink) -> float:
    a, b = one - one.mean(), other - other.mean()
    size = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum() / size) if size > 0 else 0.0


def _slope(one: Ink, other: Ink) -> float:
    a, b = one - one.mean(), other - other.mean()
    size = float((a * a).sum())
    return float((a * b).sum() / size) if size > 0 else 0.0
