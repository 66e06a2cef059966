"""Strokes drawn as ink."""

from __future__ import annotations

import math

import cv2
import numpy as np

from simulation.strokes import SHAPES, Stroke, Style, habits

HEIGHT = 96  # px of a digit
MARGIN = 40  # px around what is drawn
FINE = 4  # bits below a pixel that cv2 counts in


def drawn(sign: str, writer: Style, rng: np.random.Generator) -> tuple[np.ndarray, int]:
    """Return a sign's ink, cropped, and its top's distance from the top of digits in px."""
    strokes = SHAPES[sign](habits(sign, writer, rng))
    bend = rng.normal(0, writer.wobble * 1.2, (2, 4))
    paths = [_bent(_curve(stroke, writer, rng), bend) for stroke in strokes]
    return ink(paths, writer.pen * HEIGHT, writer.pressure, rng)


def ink(
    paths: list[np.ndarray], pen: float, pressure: float, rng: np.random.Generator
) -> tuple[np.ndarray, int]:
    """Draw paths (in heights) with a pen of so many px; return the ink, cropped, and its top."""
    low = np.min([path.min(axis=0) for path in paths], axis=0) * HEIGHT
    high = np.max([path.max(axis=0) for path in paths], axis=0) * HEIGHT
    size = np.ceil(high - low).astype(int) + 2 * MARGIN
    page = np.zeros((int(size[1]), int(size[0])), np.uint8)
    for path in paths:
        points = path * HEIGHT - low + MARGIN
        phase, beat = rng.uniform(0, 2 * math.pi), rng.uniform(1, 3)
        along = np.linspace(0, 1, len(points))
        widths = pen * (1 + pressure * np.sin(phase + along * beat * math.pi))
        fixed = np.rint(points * (1 << FINE)).astype(int)
        for start, end, width in zip(fixed[:-1], fixed[1:], widths, strict=False):
            cv2.line(
                page,
                (int(start[0]), int(start[1])),
                (int(end[0]), int(end[1])),
                255,
                max(1, round(float(width))),
                cv2.LINE_AA,
                FINE,
            )
    soft = cv2.GaussianBlur(page, (0, 0), 1.0)
    cropped, top, _ = crop(soft.astype(np.float32) / 255)
    return cropped, round(float(low[1])) - MARGIN + top


def crop(image: np.ndarray) -> tuple[np.ndarray, int, int]:
    """Cut away empty rows and columns; return also how many at the top and at the left."""
    rows, columns = np.nonzero(image.max(axis=1) > 0.1)[0], np.nonzero(image.max(axis=0) > 0.1)[0]
    if not len(rows):
        return image[:1, :1], 0, 0
    part = image[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return part, int(rows[0]), int(columns[0])


def _curve(stroke: Stroke, writer: Style, rng: np.random.Generator) -> np.ndarray:
    """Return a stroke's path (n, 2), in heights, with the writer's slant and unsteadiness."""
    shifts: dict[tuple[float, float], np.ndarray] = {}
    parts = []
    for piece in stroke:
        points = []
        for point in piece:  # a corner that two pieces share stays one point
            if point not in shifts:
                shifts[point] = rng.normal(0, writer.wobble, 2)
            points.append(np.array(point) + shifts[point])
        parts.append(spline(np.array(points)))
    path = np.concatenate(parts)
    if writer.tremor:
        noise = rng.normal(0, 1, (len(path), 2))
        kernel = np.ones(5) / 5
        for axis in (0, 1):
            path[:, axis] += writer.tremor * np.convolve(noise[:, axis], kernel, "same")
    path[:, 0] = path[:, 0] * writer.wide + (1 - path[:, 1]) * writer.slant
    return path


def _bent(path: np.ndarray, bend: np.ndarray) -> np.ndarray:
    """Return a path in a plane that is smoothly distorted: all strokes of a sign alike."""
    x, y = path[:, 0] * 3, path[:, 1] * 3
    waves = np.stack([np.sin(y), np.cos(y * 1.7), np.sin(x * 1.3 + y), np.cos(x)])
    return np.asarray(path + (bend @ waves).T)


def spline(points: np.ndarray, steps: int = 8) -> np.ndarray:
    """Return a Catmull-Rom curve through the points."""
    if len(points) < 3:
        share = np.linspace(0, 1, 5)[:, None]
        return np.asarray(points[0] * (1 - share) + points[-1] * share)
    padded = np.concatenate([[2 * points[0] - points[1]], points, [2 * points[-1] - points[-2]]])
    t = np.linspace(0, 1, steps, endpoint=False)[:, None]
    parts = []
    for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        parts.append(
            0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2)
            + 0.5 * (3 * b - a - 3 * c + d) * t**3
        )
    return np.concatenate([*parts, points[-1:]])
