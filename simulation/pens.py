"""Pens, and the marks that people make with them in small boxes."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from sheetgen.geometry import Rect

Ink = NDArray[Any]
Line = NDArray[Any]  # points of one stroke in mm

FINE = 3  # how many times finer than the paper strokes are drawn


class Pen(NamedTuple):
    """``colour`` is blue, green, red as the paper reflects them under full ink, 0 to 1.

    ``width`` in mm; ``grain`` is how much of the ink the paper's tooth leaves away, 0 to 1.
    """

    name: str
    colour: tuple[float, float, float]
    width: float
    grain: float


def pick_pen(rng: np.random.Generator) -> Pen:
    """Return somebody's pen: ballpoints and gel pens mostly, a pencil in one case of six."""
    name = rng.choice(["blue", "black", "pencil", "red", "felt"], p=[0.4, 0.32, 0.16, 0.06, 0.06])
    width = float(rng.uniform(0.3, 0.6))
    if name == "pencil":
        grey = rng.uniform(60, 150) / 255
        return Pen("pencil", (grey, grey, grey), width, float(rng.uniform(0.2, 0.5)))
    base = {
        "blue": (0.55, 0.2, 0.12),
        "black": (0.1, 0.09, 0.08),
        "red": (0.2, 0.12, 0.75),
        "felt": (0.07, 0.06, 0.06),
    }[str(name)]
    pale = rng.uniform(0, 0.18)
    colour = tuple(float(c + (1 - c) * pale) for c in base)
    if name == "felt":
        width = float(rng.uniform(0.6, 0.8))
    return Pen(str(name), colour, width, float(rng.uniform(0, 0.15)))  # type: ignore[arg-type]


class Paper:
    """A sheet under a pen: ``ink`` collects how much of it covers each place, 0 to 1."""

    def __init__(self, shape: tuple[int, int], density: float) -> None:
        self.ink: Ink = np.zeros(shape, np.float32)
        self.density = density

    def lay(self, layer: Ink, x: int, y: int) -> None:
        """Put ink where its top left corner is at (x, y) px; ink on ink stays ink."""
        height, width = self.ink.shape
        left, top = max(0, x), max(0, y)
        right, bottom = min(width, x + layer.shape[1]), min(height, y + layer.shape[0])
        if left >= right or top >= bottom:
            return
        target = self.ink[top:bottom, left:right]
        np.maximum(target, layer[top - y : bottom - y, left - x : right - x], out=target)

    def draw(
        self, lines: list[Line], width: float, rng: np.random.Generator, full: float = 1.0
    ) -> None:
        """Draw strokes of a pen ``width`` mm wide that presses with ``full`` force."""
        points = np.concatenate(lines)
        pad = width + 0.3
        x = math.floor((points[:, 0].min() - pad) * self.density)
        y = math.floor((points[:, 1].min() - pad) * self.density)
        across = math.ceil((points[:, 0].max() + pad) * self.density) - x
        down = math.ceil((points[:, 1].max() + pad) * self.density) - y
        fine = np.zeros((down * FINE, across * FINE), np.uint8)
        scale = self.density * FINE
        for line in lines:
            at = ((line * self.density - (x, y)) * FINE * 16).astype(np.int32)
            # A hand presses now more, now less.
            steps = np.linspace(0, 3, len(at))
            press = 1 + 0.14 * np.sin(steps * rng.uniform(1, 3) + rng.uniform(0, 6))
            for start, end, force in zip(at[:-1], at[1:], press[:-1], strict=True):
                thick = max(1, round(width * force * scale))
                cv2.line(fine, start.tolist(), end.tolist(), 255, thick, cv2.LINE_AA, 4)
        layer = cv2.resize(fine, (across, down), interpolation=cv2.INTER_AREA)
        self.lay(layer.astype(np.float32) * np.float32(full / 255), x, y)


# -- strokes --------------------------------------------------------------------------------------


def _stroke(points: list[tuple[float, float]], rng: np.random.Generator, shake: float) -> Line:
    """Return a smooth line through points, with the shake of a hand in mm."""
    given = np.array(points, float)
    if len(given) == 2:
        middle = given.mean(0) + rng.normal(0, 0.06, 2) * np.linalg.norm(given[1] - given[0])
        given = np.array([given[0], middle, given[1]])
    t = np.linspace(0, len(given) - 1, 6 * len(given))
    i = np.clip(t.astype(int), 0, len(given) - 2)
    u = (t - i)[:, None]
    padded = np.vstack([2 * given[0] - given[1], given, 2 * given[-1] - given[-2]])
    a, b, c, d = padded[i], padded[i + 1], padded[i + 2], padded[i + 3]
    line = b + 0.5 * u * (c - a + u * (2 * a - 5 * b + 4 * c - d + u * (3 * (b - c) + d - a)))
    wave = rng.normal(0, shake, (3, 2))
    phase = np.linspace(0, 1, len(line))[:, None]
    shaken = [wave[k] * np.sin((k + 1) * np.pi * phase + k) for k in range(3)]
    return np.asarray(line + sum(shaken))


class Marker:
    """Somebody who marks boxes: everything is near the same, and never the same twice.

    ``boldness`` is how much of a box a mark takes, about 1.
    """

    def __init__(self, pen: Pen, rng: np.random.Generator) -> None:
        self.pen = pen
        self.slant = rng.normal(0, 0.12)
        self.boldness = float(np.clip(rng.normal(0.92, 0.12), 0.66, 1.2))
        self.shake = float(rng.uniform(0.01, 0.07))
        self.rising = bool(rng.random() < 0.8)  # which way slashes go

    def width(self, rect: Rect) -> float:
        """Return the width of strokes in mm: nobody ticks tiny boxes with a broad brush."""
        return min(self.pen.width, 0.13 * min(rect.width, rect.height) + 0.12)

    def mark(self, paper: Paper, rect: Rect, kind: str, rng: np.random.Generator) -> None:
        """Make a mark of a kind in a box, or what looks like one beside it."""
        lines = getattr(self, f"_{kind}")(rect, rng)
        width = self.width(rect)
        if kind == "ghost":
            layer = Paper(paper.ink.shape, paper.density)
            layer.draw(self._cross(rect, rng), width * 1.2, rng, rng.uniform(0.08, 0.2))
            smear = rng.uniform(0.05, 0.2) * paper.density
            np.maximum(paper.ink, cv2.GaussianBlur(layer.ink, (0, 0), smear), out=paper.ink)
            return
        paper.draw(lines, width, rng)

    def _span(
        self, rect: Rect, rng: np.random.Generator, most: float = 9.0
    ) -> tuple[float, float, float, float]:
        """Return the middle and the half sizes of a mark in mm."""
        bold = self.boldness * rng.normal(1, 0.1)
        # In long boxes marks are not much longer than broad.
        width = min(rect.width, 1.5 * rect.height, most) * bold / 2
        height = min(rect.height, 1.5 * rect.width, most) * bold / 2
        x = rect.center.x + rng.normal(0, 0.07) * rect.width
        y = rect.center.y + rng.normal(0, 0.07) * rect.height
        return x, y, width * rng.uniform(0.78, 1.0), height * rng.uniform(0.78, 1.0)

    def _wobble(self, rng: np.random.Generator, rect: Rect) -> tuple[float, float]:
        reach = 0.07 * min(rect.width, rect.height)
        return float(rng.normal(0, reach)), float(rng.normal(0, reach))

    def _through(
        self, ends: list[tuple[float, float]], rect: Rect, rng: np.random.Generator
    ) -> Line:
        moved = []
        for x, y in ends:
            dx, dy = self._wobble(rng, rect)
            moved.append((x + dx + self.slant * (rect.center.y - y), y + dy))
        return _stroke(moved, rng, self.shake * min(1.0, min(rect.width, rect.height) / 5))

    def _cross(self, rect: Rect, rng: np.random.Generator) -> list[Line]:
        x, y, a, b = self._span(rect, rng)
        return [
            self._through([(x - a, y - b), (x + a, y + b)], rect, rng),
            self._through([(x + a, y - b), (x - a, y + b)], rect, rng),
        ]

    def _tick(self, rect: Rect, rng: np.random.Generator) -> list[Line]:
        x, y, a, b = self._span(rect, rng)
        foot = (x - a * rng.uniform(0.15, 0.45), y + b * rng.uniform(0.7, 1.0))
        top = (x + a * rng.uniform(0.9, 1.25), y - b * rng.uniform(0.8, 1.3))
        start = (x - a * rng.uniform(0.8, 1.0), y + b * rng.uniform(-0.1, 0.3))
        return [
            np.vstack(
                [
                    self._through([start, foot], rect, rng)[:-1],
                    self._through([foot, top], rect, rng)[1:],
                ]
            )
        ]

    def _slash(self, rect: Rect, rng: np.random.Generator) -> list[Line]:
        x, y, a, b = self._span(rect, rng)
        lean = rng.uniform(0.35, 1.0)
        ends = [(x + a * lean, y - b * 1.05), (x - a * lean, y + b * 1.05)]
        if not self.rising:
            ends = [(x - a * lean, y - b * 1.05), (x + a * lean, y + b * 1.05)]
        return [self._through(ends, rect, rng)]

    def zigzag(self, rect: Rect, reach: float, gap: float, rng: np.random.Generator) -> list[Line]:
        """Return one long line to and fro over a box, ``gap`` mm between its legs."""
        side = min(rect.width, rect.height * 1.4) * reach / 2
        rise = min(rect.height, rect.width * 1.4) * reach / 2
        x = rect.center.x + rng.normal(0, 0.03) * rect.width
        y = rect.center.y + rng.normal(0, 0.03) * rect.height
        count = max(3, round(2 * side / gap))
        angle = rng.uniform(-0.5, 0.5)
        points = []
        for n in range(count + 1):
            t = -1 + 2 * n / count
            # Legs are as long as an ellipse is high there: hands round the corners off.
            high = math.sqrt(max(0.1, 1 - (0.92 * t) ** 2)) * (1 if n % 2 else -1)
            high *= rng.uniform(0.85, 1.05)
            dx, dy = t * side, high * rise
            points.append(
                (
                    x + dx * math.cos(angle) - dy * math.sin(angle) * side / rise,
                    y + dx * math.sin(angle) * rise / side + dy * math.cos(angle),
                )
            )
        return [_stroke(points, rng, self.shake / 2)]

    def _fill(self, rect: Rect, rng: np.random.Generator) -> list[Line]:
        gap = self.width(rect) * rng.uniform(0.7, 1.25)
        return self.zigzag(rect, rng.uniform(0.72, 0.95), gap, rng)

    def _cancelled(self, rect: Rect, rng: np.random.Generator) -> list[Line]:
        """Return a mark, and the scrawl that takes it back: it does not stop at the box."""
        gap = self.width(rect) * rng.uniform(0.8, 1.4)
        first = self.zigzag(rect, rng.uniform(1.2, 1.5), gap, rng)
        return self._cross(rect, rng) + first + self.zigzag(rect, rng.uniform(1.1, 1.4), gap, rng)

    def _circled(self, rect: Rect, rng: np.random.Generator) -> list[Line]:
        x, y = rect.center.x, rect.center.y
        a = min(rect.width, 1.6 * rect.height) / 2 * rng.uniform(0.85, 1.25)
        b = min(rect.height, 1.6 * rect.width) / 2 * rng.uniform(0.85, 1.25)
        start, turns = rng.uniform(-2.4, -1.2), rng.uniform(0.98, 1.2)
        t = start + np.linspace(0, 2 * np.pi * turns, 40)
        swell = 1 + np.linspace(rng.normal(0, 0.05), rng.normal(0, 0.05), 40)
        ring = np.stack([x + a * np.cos(t) * swell, y + b * np.sin(t) * swell], 1)
        return [ring + rng.normal(0, 0.03, 2)]

    def _dot(self, rect: Rect, rng: np.random.Generator) -> list[Line]:
        size = rng.uniform(0.12, 0.22) * min(rect.width, rect.height, 4.5)
        x = rect.center.x + rng.normal(0, 0.08) * rect.width
        y = rect.center.y + rng.normal(0, 0.08) * rect.height
        t = np.linspace(0, 5 * np.pi, 24)
        spiral = size * np.linspace(0.1, 1, 24)[:, None] * np.stack([np.cos(t), np.sin(t)], 1)
        return [spiral + np.array([x, y])]

    def _plus(self, rect: Rect, rng: np.random.Generator) -> list[Line]:
        x, y, a, b = self._span(rect, rng)
        return [
            self._through([(x - a, y), (x + a, y)], rect, rng),
            self._through([(x, y - b), (x, y + b)], rect, rng),
        ]

    def _bar(self, rect: Rect, rng: np.random.Generator) -> list[Line]:
        x, y, a, b = self._span(rect, rng)
        if rng.random() < 0.5:
            return [self._through([(x, y - b), (x, y + b)], rect, rng)]
        return [self._through([(x - a, y), (x + a, y)], rect, rng)]

    def _star(self, rect: Rect, rng: np.random.Generator) -> list[Line]:
        return self._plus(rect, rng) + self._cross(rect, rng)

    def _double(self, rect: Rect, rng: np.random.Generator) -> list[Line]:
        apart = min(rect.width, rect.height) * rng.uniform(0.16, 0.26)
        (line,) = self._slash(rect, rng)
        return [line - np.array([apart, 0]), line + np.array([apart, 0])]

    def _ghost(self, rect: Rect, rng: np.random.Generator) -> list[Line]:
        return []

    def stray(self, paper: Paper, rect: Rect, free: list[Rect], rng: np.random.Generator) -> bool:
        """Draw a short line close to a box that is not meant for it, clear of ``free``'s boxes.

        Returns whether there was room for one.
        """
        away = rng.uniform(0.5, 1.2)
        x, y = rect.center
        out = rect.width / 2 + away, rect.height / 2 + away
        for side in rng.permutation(4):
            sign = 1 if side % 2 else -1
            if side < 2:
                length = rect.width * rng.uniform(0.4, 1.0)
                ends = [(rect.x, y + sign * out[1]), (rect.x + length, y + sign * out[1])]
            else:
                length = rect.height * rng.uniform(0.4, 1.0)
                ends = [(x + sign * out[0], rect.y), (x + sign * out[0], rect.y + length)]
            (left, top), (right, bottom) = ends
            if not any(
                one.x - 0.4 < right
                and left < one.right + 0.4
                and one.y - 0.4 < bottom
                and top < one.bottom + 0.4
                for one in free
            ):
                paper.draw([_stroke(ends, rng, self.shake / 3)], self.width(rect), rng)
                return True
        return False

    def reach(self, paper: Paper, own: Rect, other: Rect, rng: np.random.Generator) -> None:
        """Mark a box with a slash so long that it reaches into the next one."""
        dx, dy = other.center.x - own.center.x, other.center.y - own.center.y
        far = rng.uniform(0.62, 0.85)  # 0.5 is the border if they touch
        across = own.height if abs(dx) > abs(dy) else own.width
        lean = rng.uniform(-0.25, 0.25) * across
        nx, ny = (0.0, lean) if abs(dx) > abs(dy) else (lean, 0.0)
        start = (own.center.x - dx * 0.4 - nx, own.center.y - dy * 0.4 - ny)
        end = (own.center.x + dx * far + nx, own.center.y + dy * far + ny)
        paper.draw([_stroke([start, end], rng, self.shake / 2)], self.width(own), rng)


def scrawl(rect: Rect, rng: np.random.Generator) -> list[Line]:
    """Return something like a name in a field for text."""
    letters = int(rng.integers(3, 8))
    height = rect.height * rng.uniform(0.35, 0.6)
    step = min(height * 0.75, rect.width * 0.8 / letters)
    base = rect.y + rect.height * rng.uniform(0.6, 0.78)
    points, x = [], rect.x + rng.uniform(0.5, 2)
    for _ in range(letters):
        tall = height * (1.0 if rng.random() < 0.35 else 0.55)
        points += [(x, base), (x + step * 0.35, base - tall * rng.uniform(0.7, 1.0))]
        points += [(x + step * rng.uniform(0.5, 0.7), base - tall * rng.uniform(0, 0.3))]
        x += step
    return [_stroke(points, rng, 0.05)]


def pressed(ink: Ink, pen: Pen, density: float, rng: np.random.Generator) -> Ink:
    """Return ink as a pen leaves it on real paper: with the tooth of the paper in it."""
    if pen.grain <= 0.02:
        return ink
    height, width = ink.shape
    coarse = max(1, round(density * 0.09))
    rough = rng.random((height // coarse + 1, width // coarse + 1)).astype(np.float32)
    tooth = cv2.resize(rough, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(ink * (1 - np.float32(pen.grain) * np.asarray(tooth)))
