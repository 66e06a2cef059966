"""Corner markers in a picture, and which of them belong to one sheet."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import cv2
import numpy as np

from sheetgen.read.scan.arrays import Pixels, Points

CORNERS = ("top left", "top right", "bottom left", "bottom right")  # by id
LONG_SIDE = 2200  # px of the picture in which markers are looked for; their corners then in full
LARGE_SIDE, SMALL_SIDE = 3200, 1600  # px: for a second look, and for a look in the mirror
LEAST = 3  # markers of a sheet

# Partners: from a marker to the one beside it or below it.
_BESIDE = ((0, 1), (2, 3))
_BELOW = ((0, 2), (1, 3))
_ASIDE = 0.3  # of the distance, by which a partner may lie off the marker's own axis
_TURN = math.radians(25)  # between markers of one sheet
_RATIO = 2.2  # between their sizes


class Marker(NamedTuple):
    """A marker: its id, and its corners in px from its own top left clockwise, 4 x 2."""

    id: int
    corners: Points

    @property
    def centre(self) -> Any:
        """The middle, in px."""
        return self.corners.mean(axis=0)

    @property
    def side(self) -> float:
        """The mean length of a side, in px."""
        return float(np.linalg.norm(self.corners - np.roll(self.corners, 1, axis=0), axis=1).mean())


Corners = Mapping[int, Points]  # of one sheet: the corners of its markers by id


def find_markers(grey: Pixels) -> list[Marker]:
    """Return the corner markers of a picture; ids other than those of corners are left out."""
    share = min(1.0, LONG_SIDE / max(grey.shape))
    small = cv2.resize(grey, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    found = _detect(small, 1 / share)
    if not found or len(found) % 4:
        # Uneven light hides markers; flattened and enlarged, most come back.
        known = [marker.centre for marker in found]
        more = min(2.0, LARGE_SIDE / max(small.shape))
        for marker in _detect(_flat(small, more), 1 / more / share):
            if all(np.linalg.norm(marker.centre - one) > marker.side for one in known):
                found.append(marker)
                known.append(marker.centre)
    return [_refined(grey, marker) for marker in found]


def mirrored(grey: Pixels) -> bool:
    """Whether the picture shows markers as a mirror does."""
    share = min(1.0, SMALL_SIDE / max(grey.shape))
    small = cv2.resize(grey, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    return len(_detect(cv2.flip(small, 1), 1.0)) >= LEAST


def _detect(grey: Any, scale: float) -> list[Marker]:
    settings = cv2.aruco.DetectorParameters()
    settings.adaptiveThreshWinSizeMin = 5
    settings.adaptiveThreshWinSizeMax = 45
    settings.adaptiveThreshWinSizeStep = 10
    settings.minMarkerPerimeterRate = 0.012
    settings.polygonalApproxAccuracyRate = 0.05
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.cornerRefinementWinSize = 4
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(family, settings).detectMarkers(grey)
    if ids is None:
        return []
    # Pixel centres are whole numbers here, so enlarging moves them by half a pixel.
    return [
        Marker(int(number), (quad.reshape(4, 2).astype(np.float64) + 0.5) * scale - 0.5)
        for quad, number in zip(corners, ids.ravel(), strict=True)
        if number < 4
    ]


def _flat(grey: Any, more: float) -> Any:
    """Return a picture made larger, in even light."""
    light = cv2.GaussianBlur(grey, (0, 0), max(grey.shape) / 40).astype(np.float32)
    even = np.clip(grey.astype(np.float32) / np.maximum(light, 1) * 170, 0, 255).astype(np.uint8)
    return cv2.resize(even, None, fx=more, fy=more, interpolation=cv2.INTER_CUBIC)


def _refined(grey: Any, marker: Marker) -> Marker:
    """Return the marker with corners as exact as the full picture has them."""
    window = int(max(2, min(12, marker.side / 12)))
    points = marker.corners.astype(np.float32).reshape(-1, 1, 2)
    rule = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 0.01)
    moved = cv2.cornerSubPix(grey, points.copy(), (window, window), (-1, -1), rule)
    moved = moved.reshape(4, 2).astype(np.float64)
    off = np.linalg.norm(moved - marker.corners, axis=1)
    return Marker(marker.id, np.where((off < window)[:, None], moved, marker.corners))


def sheets(markers: Iterable[Marker]) -> list[dict[int, Points]]:
    """Return the corners of each sheet of which at least two markers were found.

    Partners are the nearest in the direction in which a marker itself points; sheets that touch
    have their neighbours' markers behind them.
    """
    known = list(markers)
    links: dict[int, set[int]] = {index: set() for index in range(len(known))}
    for pairs, axis in ((_BESIDE, 0), (_BELOW, 1)):
        for first, second in pairs:
            ones = [i for i, marker in enumerate(known) if marker.id == first]
            others = [i for i, marker in enumerate(known) if marker.id == second]
            ahead = {i: _nearest(known, i, others, axis, 1) for i in ones}
            behind = {j: _nearest(known, j, ones, axis, -1) for j in others}
            for i, j in ahead.items():
                if j is not None and behind[j] == i:
                    links[i].add(j)
                    links[j].add(i)
    groups = []
    seen: set[int] = set()
    for start in links:
        if start in seen:
            continue
        group, waiting = [], [start]
        while waiting:
            here = waiting.pop()
            if here not in seen:
                seen.add(here)
                group.append(here)
                waiting += links[here]
        ids = [known[index].id for index in group]
        if len(group) > 1 and len(set(ids)) == len(ids):
            groups.append({known[index].id: known[index].corners for index in group})
    return groups


def _nearest(
    known: list[Marker], index: int, others: list[int], axis: int, sign: int
) -> int | None:
    """Return the nearest of the others in a direction of a marker's own axes."""
    marker = known[index]
    quad = marker.corners
    along = ((quad[1] - quad[0]) + (quad[2] - quad[3])) / 2
    down = ((quad[3] - quad[0]) + (quad[2] - quad[1])) / 2
    frame = np.linalg.inv(np.array([along, down]).T)
    best, least = None, math.inf
    for other in others:
        partner = known[other]
        turn = _angle(quad) - _angle(partner.corners)
        turn = abs((turn + math.pi) % (2 * math.pi) - math.pi)
        ratio = max(marker.side, partner.side) / min(marker.side, partner.side)
        away = frame @ (partner.centre - marker.centre) * sign
        if turn > _TURN or ratio > _RATIO or away[axis] < 1.5:
            continue
        if abs(away[1 - axis]) <= _ASIDE * away[axis] and away[axis] < least:
            best, least = other, float(away[axis])
    return best


def _angle(quad: Points) -> float:
    along = quad[1] + quad[2] - quad[0] - quad[3]
    return math.atan2(along[1], along[0])
