"""Where each place on a piece of paper is seen in a picture of it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetgen.geometry import Size

if TYPE_CHECKING:
    from simulation.camera import Level

Floats = NDArray[Any]
Matrix = NDArray[Any]
STEP = 4.0  # mm between the points at which bent paper is worked out


class View(NamedTuple):
    """``matrix`` maps mm on flat paper to px of a picture of a ``size`` (width, height) in px."""

    matrix: Matrix
    size: tuple[int, int]


class Field:
    """How paper differs from a flat one: each place on it is seen where ``dx``, ``dy`` mm shift it.

    ``shade`` is how much light it reflects there, 1 being what flat paper does.
    """

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        shape = (max(4, round(height / STEP) + 1), max(4, round(width / STEP) + 1))
        self.dx, self.dy = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        self.shade = np.ones(shape, np.float32)
        ys, xs = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
        self.x, self.y = xs / (shape[1] - 1) * width, ys / (shape[0] - 1) * height

    def _smooth(self, cells: int, rng: np.random.Generator) -> Floats:
        """Return smooth noise, about as often up as down, reaching 1."""
        coarse = rng.normal(0, 1, (cells, cells)).astype(np.float32)
        shape = self.dx.shape[::-1]
        noise = cv2.resize(coarse, shape, interpolation=cv2.INTER_CUBIC)
        return noise / max(1e-6, float(np.abs(noise).max()))

    def curl(self, most: float, rng: np.random.Generator) -> None:
        """Bend the paper gently, by ``most`` mm."""
        angle = rng.uniform(0, math.pi)
        across = np.cos(angle) * self.x / self.width + np.sin(angle) * self.y / self.height
        wave = np.sin(np.pi * across * rng.uniform(0.7, 1.6) + rng.uniform(0, 6)).astype(np.float32)
        self.dx += most * 0.7 * wave * np.float32(np.cos(angle))
        self.dy += most * 0.7 * wave * np.float32(np.sin(angle))
        self.dx += most * 0.3 * self._smooth(4, rng)
        self.dy += most * 0.3 * self._smooth(4, rng)
        self.shade *= 1 + np.float32(min(0.12, most * 0.08)) * wave

    def crumple(self, most: float, rng: np.random.Generator) -> None:
        """Crumple the paper and smooth it out again, badly."""
        self.dx += most * self._smooth(5, rng) + most * 0.2 * self._smooth(14, rng)
        self.dy += most * self._smooth(5, rng) + most * 0.2 * self._smooth(14, rng)
        self.shade *= 1 + 0.12 * self._smooth(16, rng) + 0.08 * self._smooth(7, rng)

    def fold(self, rng: np.random.Generator) -> None:
        """Fold the paper once across or along, and lay it nearly flat again."""
        along = rng.random() < 0.3
        place, length = (self.x, self.width) if along else (self.y, self.height)
        at = length * rng.uniform(0.3, 0.7)
        beyond = np.maximum(0, place - at).astype(np.float32)
        shorter = rng.uniform(0.004, 0.03)
        if along:
            self.dx -= shorter * beyond
        else:
            self.dy -= shorter * beyond
        self.shade *= np.where(place > at, np.float32(rng.uniform(0.85, 1.0)), 1).astype(np.float32)
        crease = np.exp(-(((place - at) / STEP) ** 2)).astype(np.float32)
        self.shade *= 1 - np.float32(rng.uniform(0.05, 0.25)) * crease

    def stretch(self, rng: np.random.Generator, scale: float | None = None) -> None:
        """Print at 94 to 103 %, not quite the same both ways, about the middle of the page."""
        scale = float(rng.uniform(0.94, 1.03)) if scale is None else scale
        across = scale * rng.uniform(0.995, 1.005) - 1
        down = scale * rng.uniform(0.995, 1.005) - 1
        self.dx += np.float32(across) * (self.x - self.width / 2)
        self.dy += np.float32(down) * (self.y - self.height / 2)

    def at(self, points: Matrix) -> Matrix:
        """Return places in mm as if on flat paper."""
        rows, columns = self.dx.shape
        x = np.clip(points[:, 0] / self.width, 0, 1) * (columns - 1)
        y = np.clip(points[:, 1] / self.height, 0, 1) * (rows - 1)
        i, j = np.minimum(y.astype(int), rows - 2), np.minimum(x.astype(int), columns - 2)
        u, v = x - j, y - i
        moved = [
            (one[i, j] * (1 - u) + one[i, j + 1] * u) * (1 - v)
            + (one[i + 1, j] * (1 - u) + one[i + 1, j + 1] * u) * v
            for one in (self.dx, self.dy)
        ]
        return np.asarray(points + np.stack(moved, 1))


def transform(matrix: Matrix, points: Matrix) -> Matrix:
    """Return points under a homography."""
    mapped = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(mapped[:, :2] / mapped[:, 2:])


def view(
    width: float,
    height: float,
    level: Level,
    density: float,
    quarter: int,
    rng: np.random.Generator,
) -> View:
    """Put a camera over paper of a size in mm, so that the whole of it is seen.

    ``density`` is that of its middle, along the worse direction.
    """
    turn = math.radians(90 * quarter + rng.uniform(-level.turn, level.turn))
    centre = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1.0]])
    spin = np.array(
        [[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0], [0, 0, 1.0]]
    )
    matrix = spin @ centre
    if level.tilt:
        # A phone is held about one and a half lengths of the page away.
        away = rng.uniform(1.3, 2.0) * math.hypot(width, height)
        tilt = math.radians(level.tilt * math.sqrt(rng.random()))
        axis = rng.uniform(0, 2 * math.pi)
        u, v = math.cos(axis), math.sin(axis)
        cos, sin = math.cos(tilt), math.sin(tilt)
        # Rotating about (u, v, 0): where the plane's points come to lie before the camera.
        space = np.array(
            [
                [cos + u * u * (1 - cos), u * v * (1 - cos), 0],
                [u * v * (1 - cos), cos + v * v * (1 - cos), 0],
                [-v * sin / away, u * sin / away, 1.0],
            ]
        )
        matrix = space @ matrix
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    middle = transform(np.linalg.inv(spin @ centre), np.zeros((1, 2)))
    enlarged = max(density / _least(matrix, middle), level.least / _least(matrix, frame))
    seen = transform(matrix, frame) * enlarged
    matrix = np.diag([enlarged, enlarged, 1.0]) @ matrix
    low, high = seen.min(0), seen.max(0)
    spare = 0.0 if level.scanner else 0.06
    border = (high - low) * rng.uniform(0.2 * spare, spare, 2) + (
        rng.uniform(0, 4, 2) * density if level.scanner else 0
    )
    shift = border - low
    size = np.ceil(high - low + 2 * border).astype(int)
    move = np.array([[1, 0, shift[0]], [0, 1, shift[1]], [0, 0, 1.0]])
    return View(move @ matrix, (int(size[0]), int(size[1])))


def _least(matrix: Matrix, points: Matrix) -> float:
    """Return the least scale of a map at some points, along the worse direction."""
    here = transform(matrix, points)
    right = transform(matrix, points + np.array([0.1, 0])) - here
    down = transform(matrix, points + np.array([0, 0.1])) - here
    sizes = np.linalg.svd(np.stack([right, down], axis=2) / 0.1, compute_uv=False)
    return float(sizes.min())


def cut_off(view: View, seen: Matrix, pair: tuple[int, int]) -> View:
    """Return a view without the side of the picture beyond two corners."""
    centre = seen.mean(0)
    side = seen[list(pair)].mean(0) - centre
    axis = int(abs(side[1]) > abs(side[0]))
    line = seen[list(pair), axis].mean()
    return _without(view, axis, float(line), bool(side[axis] > 0))


def _without(view: View, axis: int, line: float, after: bool) -> View:
    width, height = view.size
    size = [width, height]
    if after:
        size[axis] = max(50, round(line))
        return View(view.matrix, (size[0], size[1]))
    move = np.eye(3)
    move[axis, 2] = -round(line)
    size[axis] = max(50, size[axis] - round(line))
    return View(move @ view.matrix, (size[0], size[1]))


def project(
    paper: NDArray[Any],
    fine: float,
    field: Field,
    view: View,
    ground: NDArray[Any],
) -> NDArray[Any]:
    """Return the paper, of ``fine`` px per mm, as it is seen on a ground."""
    width, height = view.size
    # The picture's places on the flat paper, on a grid: what is between them is nearly linear.
    step = 8
    columns, rows = width // step + 2, height // step + 2
    ys, xs = np.mgrid[0:rows, 0:columns].astype(np.float64) * step
    flat = transform(np.linalg.inv(view.matrix), np.column_stack([xs.ravel(), ys.ravel()]))
    # Bent paper is seen where it was shifted to: go back, twice, as shifts change slowly.
    guess = flat - (field.at(flat) - flat)
    place = flat - (field.at(guess) - guess)
    mx = _dense(place[:, 0].reshape(rows, columns) * fine - 0.5, step, width, height)
    my = _dense(place[:, 1].reshape(rows, columns) * fine - 0.5, step, width, height)
    seen = cv2.remap(paper, mx, my, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    # A soft edge, and light that depends on how the paper lies.
    across, down = paper.shape[1], paper.shape[0]
    edge = np.minimum(np.minimum(mx + 1, across - mx), np.minimum(my + 1, down - my))
    cover = np.clip(edge / 2 + 0.5, 0, 1)
    shade = cv2.remap(
        field.shade,
        mx / across * (field.shade.shape[1] - 1),
        my / down * (field.shade.shape[0] - 1),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    shadow = cv2.GaussianBlur(cover, (0, 0), max(1.0, fine))
    lower = 1 - 0.35 * np.clip(shadow, 0, 1)
    result = np.empty_like(ground)
    for channel in range(3):
        bright = seen[:, :, channel] * shade
        result[:, :, channel] = np.clip(
            bright * cover + ground[:, :, channel] * lower * (1 - cover), 0, 255
        )
    return result


def _dense(grid: Matrix, step: int, width: int, height: int) -> Floats:
    """Return values for every pixel from those of a grid."""
    xs = np.arange(width, dtype=np.float32) / step
    ys = np.arange(height, dtype=np.float32) / step
    return cv2.remap(
        grid.astype(np.float32),
        np.broadcast_to(xs, (height, width)).copy(),
        np.broadcast_to(ys[:, None], (height, width)).copy(),
        cv2.INTER_LINEAR,
    )


def corners(
    size: Size, x: float, y: float, field: Field, view: View
) -> tuple[tuple[tuple[float, float], ...], float]:
    """Return where a sheet's corners are seen, and the least px per mm along its edges."""
    width, height = size
    mm = np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]])
    seen = transform(view.matrix, field.at(mm))
    sides = np.linalg.norm(seen - np.roll(seen, -1, axis=0), axis=1)
    scale = float((sides / np.array([width, height, width, height])).min())
    return tuple((float(px), float(py)) for px, py in seen), scale
