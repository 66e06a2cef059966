"""Where a sheet lies in a picture: from its markers, then from all that is printed on it.

Markers give a homography. What is printed is then sought piece by piece near where it should be;
where the pieces are found corrects the homography and, for paper that is not flat, bends it.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from sheetgen.geometry import Size
from sheetgen.read.scan.arrays import Array, Ink, Matrix, Pixels, Points
from sheetgen.read.scan.markers import Corners
from sheetgen.read.scan.readings import RESOLUTION

COARSE = RESOLUTION / 2  # px per mm of the pictures in which pieces are sought
PIECE = 9.0  # mm, the side of a piece
STEP = 6.0  # mm from piece to piece
REACH = (2.2, 0.9, 0.6, 0.6)  # mm around its place where a piece is sought, round by round
LEAST_NCC = 0.45  # below, a piece was not found
LEAST_PIECES = 12
OUTLIER = 0.35  # mm
BEND_RIDGE = 0.02  # how strongly flat paper is preferred
NEAR_PRINT = 0.06  # ink of the blank sheet, spread by a pixel, from which a place is near print
STRUCTURE = 0.0025  # the least variance of both gradients that makes a piece findable
DENT = 6.0  # mm between the points of dents
DENT_REACH = 7.0  # mm, sigma, over which pieces speak for a dent
DENT_DOUBT = 1.2  # pieces that say a place is flat, whatever they show
_STEPS = np.array([[0.1, 0.0], [0.0, 0.1]])  # mm
COARSE_MAP = 8  # px between the points at which a bent map is worked out
ALIASING = 1.5  # times RESOLUTION: sharper pictures are made smaller before they are straightened


class Placement(NamedTuple):
    """A map from mm on the sheet to px of the picture: a homography after bends.

    ``bend`` are coefficients of :func:`_powers` for x and y in mm, over ``size``; ``dents`` are
    further shifts in mm at points :data:`DENT` mm apart, rows x columns x 2.
    """

    homography: Matrix
    bend: Array
    dents: Array
    size: Size

    def points(self, mm: Points) -> Points:
        """Return where points of the sheet (n x 2, mm) are in the picture, in px."""
        bent = mm + _powers(mm, self.size) @ self.bend
        if self.dents.any():
            bent += _between(self.dents, mm / DENT)
        return project(self.homography, bent)


class Piece(NamedTuple):
    """A square of the printed sheet that can be recognised: its middle in mm."""

    x: float
    y: float


def project(matrix: Matrix, points: Points) -> Points:
    """Return points (n x 2) mapped by a homography."""
    mapped = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(mapped[:, :2] / mapped[:, 2:])


def from_markers(found: Corners, printed: Corners, size: Size) -> Placement:
    """Return the placement that takes the printed corners (mm) of the markers found to theirs."""
    ids = [number for number in found if number in printed]
    mm = np.concatenate([printed[number] for number in ids])
    px = np.concatenate([found[number] for number in ids])
    matrix, _ = cv2.findHomography(mm, px, 0)
    if matrix is None:
        matrix = np.eye(3)
    flat = np.zeros((round(size.height / DENT) + 2, round(size.width / DENT) + 2, 2), np.float32)
    return Placement(np.asarray(matrix, dtype=np.float64), np.zeros((10, 2)), flat, size)


def scales(placement: Placement) -> Array:
    """Return the px per mm along the worse direction at a grid of 5 x 5 points of the sheet."""
    width, height = placement.size
    x, y = np.meshgrid(np.linspace(0, width, 5), np.linspace(0, height, 5))
    mm = np.column_stack([x.ravel(), y.ravel()])
    here = project(placement.homography, mm)
    right, down = (project(placement.homography, mm + step) - here for step in _STEPS)
    jacobians = np.stack([right, down], axis=2) / 0.1
    return np.linalg.svd(jacobians, compute_uv=False)[:, 1]


def straighten(picture: Pixels, placement: Placement, resolution: float = RESOLUTION) -> Pixels:
    """Return the sheet as a picture of ``resolution`` px per mm, white where there is none."""
    share = min(1.0, ALIASING * resolution / float(np.median(scales(placement))))
    matrix = placement.homography
    if share < 1:
        picture = np.asarray(
            cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        )
        # Middles of pixels are whole numbers: (px + 1/2) scales, not px.
        matrix = (
            np.array([[share, 0, share / 2 - 0.5], [0, share, share / 2 - 0.5], [0, 0, 1]]) @ matrix
        )
    width, height = (round(side * resolution) for side in placement.size)
    columns, rows = -(-width // COARSE_MAP) + 2, -(-height // COARSE_MAP) + 2
    x, y = np.meshgrid(np.arange(columns), np.arange(rows))
    mm = (np.column_stack([x.ravel(), y.ravel()]) * COARSE_MAP + 0.5) / resolution
    placed = placement._replace(homography=matrix)
    px = placed.points(mm).astype(np.float32).reshape(rows, columns, 2)
    # Straight lines between the points of the coarse map: they are a millimetre apart.
    grid_x, grid_y = np.meshgrid(
        np.arange(width, dtype=np.float32) / COARSE_MAP,
        np.arange(height, dtype=np.float32) / COARSE_MAP,
    )
    fine = cv2.remap(px, grid_x, grid_y, cv2.INTER_LINEAR)
    how = cv2.INTER_CUBIC if share == 1 else cv2.INTER_LINEAR
    return np.asarray(
        cv2.remap(
            picture,
            fine[:, :, 0],
            fine[:, :, 1],
            how,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=(255, 255, 255),
        )
    )


def pieces(blank: Ink) -> list[Piece]:
    """Return the pieces of a blank sheet (ink of :data:`RESOLUTION`) that can be recognised."""
    small = shrunk(blank)
    dx = cv2.Sobel(small, cv2.CV_32F, 1, 0) / 8
    dy = cv2.Sobel(small, cv2.CV_32F, 0, 1) / 8
    half = int(PIECE * COARSE / 2)
    side = 2 * half + 1
    means = [cv2.blur(one, (side, side)) for one in (dx * dx, dy * dy, dx * dy)]
    height, width = small.shape
    found = []
    for y in np.arange(half + 1, height - half - 1, STEP * COARSE):
        for x in np.arange(half + 1, width - half - 1, STEP * COARSE):
            xx, yy, xy = (float(mean[int(y), int(x)]) for mean in means)
            least = (xx + yy) / 2 - (((xx - yy) / 2) ** 2 + xy**2) ** 0.5
            if least > STRUCTURE:
                found.append(Piece((int(x) + 0.5) / COARSE, (int(y) + 0.5) / COARSE))
    return found


def shrunk(ink: Ink) -> Ink:
    """Return ink of :data:`RESOLUTION` in :data:`COARSE`."""
    share = COARSE / RESOLUTION
    return np.asarray(cv2.resize(ink, None, fx=share, fy=share, interpolation=cv2.INTER_AREA))


def displacements(
    seen: Ink, blank: Ink, wanted: list[Piece], reach: float
) -> tuple[Points, Points, Array]:
    """Return where pieces should be and how far off they are, n x 2 in mm, and how alike each is.

    Both inks are of :data:`COARSE`. Likeness is the normalised correlation, -1 to 1.
    """
    half = int(PIECE * COARSE / 2)
    far = max(1, round(reach * COARSE))
    padded = cv2.copyMakeBorder(seen, far, far, far, far, cv2.BORDER_REPLICATE)
    places, offsets, likeness = [], [], []
    for piece in wanted:
        x, y = int(piece.x * COARSE), int(piece.y * COARSE)
        template = blank[y - half : y + half + 1, x - half : x + half + 1]
        around = padded[y - half : y + half + 1 + 2 * far, x - half : x + half + 1 + 2 * far]
        if around.shape[0] < template.shape[0] or around.shape[1] < template.shape[1]:
            continue
        scores = cv2.matchTemplate(around, template, cv2.TM_CCOEFF_NORMED)
        _, best, _, (column, row) = cv2.minMaxLoc(scores)
        shift_x = column + _peak(scores[row, max(0, column - 1) : column + 2])
        shift_y = row + _peak(scores[max(0, row - 1) : row + 2, column])
        places.append((piece.x, piece.y))
        offsets.append(((shift_x - far) / COARSE, (shift_y - far) / COARSE))
        likeness.append(best if np.isfinite(best) else 0.0)
    return (
        np.array(places).reshape(-1, 2),
        np.array(offsets).reshape(-1, 2),
        np.array(likeness, dtype=np.float64),
    )


def _peak(three: Array) -> float:
    """Return how far from the middle of three values the top of the parabola through them is."""
    if len(three) < 3:
        return 0.0
    left, middle, right = map(float, three)
    curve = left - 2 * middle + right
    return 0.0 if curve >= -1e-9 else float(np.clip((left - right) / (2 * curve), -0.5, 0.5))


def moved(placement: Placement, places: Points, offsets: Points, likeness: Array) -> Placement:
    """Return the placement with its homography corrected by where pieces were found."""
    good = likeness >= LEAST_NCC
    if good.sum() < LEAST_PIECES:
        return placement
    matrix, _ = cv2.findHomography(places[good], places[good] + offsets[good], cv2.RANSAC, OUTLIER)
    if matrix is None:
        return placement
    return placement._replace(homography=placement.homography @ matrix)


def bent(placement: Placement, places: Points, offsets: Points, likeness: Array) -> Placement:
    """Return the placement bent so that pieces are where they were found."""
    weights = np.where(likeness >= LEAST_NCC, likeness, 0.0)
    if (weights > 0).sum() < LEAST_PIECES:
        return placement
    powers = _powers(places, placement.size)
    change = np.zeros((powers.shape[1], 2))
    for _ in range(4):  # pieces that do not fit the others count less and less
        off = np.linalg.norm(offsets - powers @ change, axis=1)
        trust = weights / (1 + (off / 0.12) ** 2)
        normal = powers.T @ (powers * trust[:, None])
        ridge = BEND_RIDGE * trust.sum() * np.eye(len(normal)) * 0.1
        change = np.linalg.solve(normal + ridge, powers.T @ (offsets * trust[:, None]))
    return placement._replace(bend=placement.bend + change)


def dented(placement: Placement, places: Points, offsets: Points, likeness: Array) -> Placement:
    """Return the placement with dents where pieces agree with those beside them."""
    good = (likeness >= LEAST_NCC) & (np.hypot(*offsets.T) < 2 * OUTLIER)
    if good.sum() < LEAST_PIECES:
        return placement
    rows, columns = placement.dents.shape[:2]
    x, y = np.meshgrid(np.arange(columns) * DENT, np.arange(rows) * DENT)
    grid = np.column_stack([x.ravel(), y.ravel()])
    away = np.square(grid[:, None] - places[None, good]).sum(axis=2)
    weights = np.exp(-away / (2 * DENT_REACH**2)) * likeness[good]
    shifts = weights @ offsets[good] / (weights.sum(axis=1, keepdims=True) + DENT_DOUBT)
    dents = placement.dents + shifts.reshape(rows, columns, 2).astype(np.float32)
    return placement._replace(dents=dents)


def print_likeness(seen: Ink, blank: Ink, wanted: list[Piece]) -> Array:
    """Return how alike what is seen near print is to the print, piece by piece, -1 to 1.

    Writing beside the print does not count. Both inks are of :data:`COARSE`.
    """
    spread: Ink = cv2.dilate(blank, np.ones((3, 3), np.uint8))
    near: Ink = (spread > NEAR_PRINT).astype(np.float32)
    side = int(PIECE * COARSE) | 1
    a, b = near * seen, near * blank
    products = (near, a, b, a * seen, b * blank, a * blank)
    n, a, b, aa, bb, ab = (cv2.blur(one, (side, side)) for one in products)
    n = np.maximum(n, 1e-6)
    covariance = ab - a * b / n
    sizes = np.maximum(aa - a * a / n, 1e-9) * np.maximum(bb - b * b / n, 1e-9)
    likeness = covariance / np.sqrt(sizes)
    return np.array([likeness[int(one.y * COARSE), int(one.x * COARSE)] for one in wanted])


def _between(grid: Array, at: Points) -> Array:
    """Return values of a grid (rows x columns x 2) between its points, at x and y (n x 2)."""
    rows, columns = grid.shape[:2]
    x = np.clip(at[:, 0], 0, columns - 1.001)
    y = np.clip(at[:, 1], 0, rows - 1.001)
    left, top = x.astype(int), y.astype(int)
    u, v = (x - left)[:, None], (y - top)[:, None]
    upper = grid[top, left] * (1 - u) + grid[top, left + 1] * u
    lower = grid[top + 1, left] * (1 - u) + grid[top + 1, left + 1] * u
    return np.asarray(upper * (1 - v) + lower * v)


def _powers(mm: Points, size: Size) -> Array:
    """Return 1, x, y, … up to the third powers of places, from -1 to 1 across the sheet: n x 10."""
    x = 2 * mm[:, 0] / size.width - 1
    y = 2 * mm[:, 1] / size.height - 1
    one = np.ones(len(mm))
    return np.column_stack([one, x, y, x * x, x * y, y * y, x**3, x * x * y, x * y * y, y**3])
