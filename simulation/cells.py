"""Boxes with ink in them, as the reader gets them: for training and for quick measurements.

This is a short cut past paper and camera (:mod:`simulation.pages` has those): ink on the map of a
box, with the gaps that printed lines leave, rests of print, soft edges, noise and neighbours.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from simulation.hands import FontHand, Hand, Writer
from simulation.pencil import HEIGHT, crop, spline

SCALE = 8.0  # px per mm
PAD = 8  # px around the box
NOBODY, OTHER = -1, 100  # owners of ink besides the text's signs


class Composed(NamedTuple):
    """A box's ink, and whose each px is: the index in ``signs``, OTHER or NOBODY.

    ``text`` is what is to be read, empty if nobody could say what was meant.
    """

    ink: np.ndarray
    owners: np.ndarray
    signs: str
    text: str


def composed(hand: Writer, text: str, rng: np.random.Generator, *, clean: bool = False) -> Composed:
    """Write a text into a box; ``clean`` leaves out what other ink there may be."""
    wide, high = _size(rng)
    layers = _placed(hand.signs(text, rng), wide, high, rng)
    owners = np.where(layers.max(axis=0) > 0.3, layers.argmax(axis=0), NOBODY)
    page = layers.max(axis=0)
    if not clean and rng.random() < 0.03:
        page, owners = _with(page, owners, _neighbour(page.shape, rng))
    return Composed(seen(page, rng), owners.astype(np.int16), text, text)


def spoilt(hand: Writer, text: str, rng: np.random.Generator) -> Composed:
    """Write something that is no number, or a number that was crossed out, maybe written anew."""
    wide, high = _size(rng)
    kind = rng.integers(6 if isinstance(hand, FontHand) else 5)
    shape = (high, wide)
    page = np.zeros(shape, np.float32)
    owners = np.full(shape, NOBODY)
    pen = rng.uniform(0.3, 0.8) * SCALE
    if kind == 0:  # a scribble, alone
        page, owners = _with(page, owners, _scribble(shape, pen, rng))
    elif kind == 1:  # crossed out
        layers = _placed(hand.signs(text, rng), wide, high, rng).max(axis=0)
        page, owners = _with(page, owners, np.maximum(layers, _struck(layers, pen, rng)))
    elif kind == 2:  # crossed out, then written anew beside it
        both = _placed(hand.signs(text + text, rng), wide, high, rng)
        count = len(text)
        old = both[:count].max(axis=0)
        page = both[count:].max(axis=0)
        owners = np.where(page > 0.3, both[count:].argmax(axis=0), NOBODY)
        page, owners = _with(page, owners, np.maximum(old, _struck(old, pen, rng)))
    elif kind == 3:  # single strokes, ticks, rings
        page, owners = _with(page, owners, _line(shape, pen, rng))
        if rng.random() < 0.4:
            page, owners = _with(page, owners, _line(shape, pen, rng))
    elif kind == 4:  # a ring around a sign, or a line under or through it
        layers = _placed(hand.signs(text, rng), wide, high, rng).max(axis=0)
        page, owners = _with(page, owners, np.maximum(layers, _around(layers, pen, rng)))
    else:  # a letter
        letter = str(rng.choice(list("AaCdEeFfHhKkMmNnPpRrTtUuVvGQqYy&%?=+#")))
        page, owners = _with(page, owners, _placed(hand.signs(letter, rng), wide, high, rng)[0])
    return Composed(seen(page, rng), owners.astype(np.int16), text, "")


def seen(page: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return ink as it comes off a picture of paper."""
    strength = rng.uniform(0.45, 0.7) if rng.random() < 0.2 else rng.uniform(0.7, 1.0)
    page = page * strength
    if rng.random() < 0.25:  # a pencil's grain
        grain = cv2.GaussianBlur(rng.normal(0, 1, page.shape).astype(np.float32), (0, 0), 0.8)
        page = np.clip(page * (1 + 0.5 * np.clip(grain, -1, 0.3)), 0, 1)
    page = _interrupted(page, rng)
    sigma = rng.uniform(0.03, 0.18) * SCALE
    page = cv2.GaussianBlur(page, (0, 0), sigma)
    resolution = rng.uniform(4, 12)
    size = (page.shape[1], page.shape[0])
    scale = resolution / SCALE
    small = np.asarray(cv2.resize(page, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
    noise = rng.standard_normal(small.shape, np.float32) * rng.uniform(0, 0.04)
    small = (small + noise).astype(np.float32)
    if rng.random() < 0.4:
        grey = np.clip(235 - small * 200, 0, 255).astype(np.uint8)
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 95))]
        code = cv2.imencode(".jpg", grey, quality)[1]
        again = np.asarray(cv2.imdecode(code, cv2.IMREAD_GRAYSCALE), np.float32)
        small = (235 - again) / 200
    page = cv2.resize(small, size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.clip((page - 0.03) * rng.uniform(0.95, 1.15), 0, 1), np.float32)


def _size(rng: np.random.Generator) -> tuple[int, int]:
    """Return a box's width and height with its surroundings, px."""
    return int(rng.uniform(7, 12) * SCALE) + 2 * PAD, int(rng.uniform(7, 12) * SCALE) + 2 * PAD


def _placed(signs: np.ndarray, wide: int, high: int, rng: np.random.Generator) -> np.ndarray:
    """Return signs, each on a map of its own, as large and where people write them in a box."""
    _, top, left = crop(signs.max(axis=0))
    height, width = crop(signs.max(axis=0))[0].shape
    signs = signs[:, top : top + height, left : left + width]
    scale = rng.uniform(3, 6) * SCALE / HEIGHT
    inner_w, inner_h = wide - 2 * PAD, high - 2 * PAD
    scale = min(scale, 0.92 * inner_w / width, 0.9 * inner_h / max(height, 0.6 * HEIGHT))
    turn = np.radians(rng.normal(0, 3))
    stretch, shear = rng.normal(1, 0.05), rng.normal(0, 0.05)
    free_w, free_h = max(0.0, inner_w - width * scale), max(0.0, inner_h - height * scale)
    off = np.clip(rng.normal(0, 0.2, 2), -0.5, 0.5)  # in the middle, mostly
    x, y = wide / 2 + off[0] * (free_w + 4), high / 2 + off[1] * (free_h + 4)
    matrix = np.array([[stretch, shear], [0, 1 / stretch]]) @ np.array(
        [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
    )
    pages = []
    for sign in signs:
        small = cv2.resize(sign, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        middle = np.array([small.shape[1] / 2, small.shape[0] / 2])
        shift = np.array([x, y]) - matrix @ middle
        warp = np.hstack([matrix, shift[:, None]])
        pages.append(cv2.warpAffine(small, warp, (wide, high), flags=cv2.INTER_LINEAR))
    return np.stack(pages)


def _with(page: np.ndarray, owners: np.ndarray, more: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Add ink that belongs to no sign."""
    return np.maximum(page, more), np.where((more > 0.3) & (more >= page), OTHER, owners)


def _interrupted(page: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Take ink away where print was, and leave faint rests of print."""
    high, wide = page.shape
    printed = np.zeros(page.shape, np.uint8)
    line = max(1, round(rng.uniform(0.2, 0.4) * SCALE))
    if rng.random() < 0.7:
        cv2.rectangle(printed, (PAD, PAD), (wide - PAD, high - PAD), 255, line)
    if rng.random() < 0.25:
        text = str(rng.choice(["+20", "-20", "x2", "5", "10", "+5"]))
        corner = (PAD + int(rng.integers(2, 8)), PAD + int(rng.integers(14, 20)))
        if rng.random() < 0.5:
            corner = (wide - PAD - 26, high - PAD - int(rng.integers(2, 6)))
        cv2.putText(printed, text, corner, cv2.FONT_HERSHEY_SIMPLEX, 0.45, 255, 2, cv2.LINE_AA)
    if rng.random() < 0.25:
        for x in (PAD, wide - PAD - 12):
            cv2.line(printed, (x, high // 2), (x + 12, high // 2), 255, line)
    if rng.random() < 0.1:
        x, y = int(rng.integers(PAD, wide - 32)), int(rng.integers(PAD + 8, high - 16))
        cv2.arrowedLine(printed, (x, y), (x + 24, y), 255, line, tipLength=0.4)
    taken = printed.astype(np.float32) / 255 * (rng.uniform(0.5, 1) if rng.random() < 0.5 else 1)
    left = rng.uniform(0, 0.28) if rng.random() < 0.4 else 0.0
    noise = cv2.GaussianBlur(rng.random(page.shape).astype(np.float32), (0, 0), 2.0) * 4 - 1.5
    rests = taken * left * np.clip(noise, 0, 1)
    return np.asarray(np.maximum(page * (1 - taken), rests))


def _path(points: np.ndarray, shape: tuple[int, int], pen: float) -> np.ndarray:
    """Draw a smooth line through points (x, y in px)."""
    page = np.zeros(shape, np.uint8)
    line = np.rint(spline(points) * 16).astype(np.int32)
    cv2.polylines(page, [line], False, 255, max(1, round(pen)), cv2.LINE_AA, 4)
    return page.astype(np.float32) / 255


def _scribble(shape: tuple[int, int], pen: float, rng: np.random.Generator) -> np.ndarray:
    middle = np.array([shape[1], shape[0]]) * rng.uniform(0.35, 0.65, 2)
    reach = np.array([shape[1], shape[0]]) * rng.uniform(0.08, 0.3, 2)
    count = int(rng.integers(4, 14))
    if rng.random() < 0.5:  # to and fro
        x = np.linspace(-1, 1, count)
        y = np.where(np.arange(count) % 2, 1, -1) + rng.normal(0, 0.2, count)
        points = np.stack([x, y], axis=1)
        points = points[:, ::-1] if rng.random() < 0.5 else points
    else:
        points = rng.uniform(-1, 1, (count, 2))
    return _path(middle + points * reach, shape, pen)


def _struck(layer: np.ndarray, pen: float, rng: np.random.Generator) -> np.ndarray:
    """Return strokes through what stands on a layer."""
    part, top, left = crop(layer)
    high, wide = part.shape
    shape = (layer.shape[0], layer.shape[1])
    if rng.random() < 0.4:  # to and fro over all of it
        count = int(rng.integers(4, 12))
        x = np.linspace(-0.1, 1.1, count) * wide
        y = np.where(np.arange(count) % 2, 0.95, 0.05) * high + rng.normal(0, high / 12, count)
        if rng.random() < 0.5:
            x, y = y * wide / high, x * high / max(wide, 1)
        return _path(np.stack([x + left, y + top], axis=1), shape, pen)
    page = np.zeros(shape, np.float32)
    way = rng.random()
    for turn in range(2 if way < 0.4 else 1):
        rise = rng.uniform(0.6, 1.4) if way < 0.7 else rng.uniform(-0.25, 0.25)
        rise = -rise if turn or rng.random() < 0.3 else rise
        reach = wide / 2 + rng.uniform(2, 7)
        x = np.array([-reach, reach]) + left + wide / 2
        y = np.array([1, -1]) * rise * high / 2 + top + high * rng.uniform(0.4, 0.6)
        page = np.maximum(page, _path(np.stack([x, y], axis=1), shape, pen))
    return page


def _around(layer: np.ndarray, pen: float, rng: np.random.Generator) -> np.ndarray:
    """Return a ring around what stands on a layer, or a line under it that touches it."""
    part, top, left = crop(layer)
    high, wide = part.shape
    shape = (layer.shape[0], layer.shape[1])
    if rng.random() < 0.6:
        angles = np.linspace(0, 6.6, 12) + rng.uniform(0, 6)
        reach = np.array([wide, high]) * rng.uniform(0.5, 0.8) + 2
        points = np.stack([np.cos(angles), np.sin(angles)], axis=1) * reach
        middle = np.array([left + wide / 2, top + high / 2])
        return _path(points + middle, shape, pen)
    x = np.array([left - 3, left + wide / 2, left + wide + 3])
    y = top + high + rng.uniform(-3, 1) + rng.normal(0, 1, 3)
    return _path(np.stack([x, y], axis=1), shape, pen)


def _line(shape: tuple[int, int], pen: float, rng: np.random.Generator) -> np.ndarray:
    """Return a tick, a dot, a flat slanted stroke, a plus or a hook."""
    middle = np.array([shape[1], shape[0]]) * rng.uniform(0.35, 0.65, 2)
    size = rng.uniform(1, 6) * SCALE / 2
    kind = rng.integers(5)
    shapes = (
        [(-0.6, 0.0), (-0.2, 0.7), (-0.15, 0.7), (0.9, -1.0)],
        [(0.0, 0.0), (0.05, 0.02), (0.0, 0.05)],
        [(-0.9, 0.5), (0.9, -0.5)],
        [(-0.8, -0.5), (0.0, 0.8), (0.8, -0.5)],
        [(-0.7, 0.0), (0.7, 0.0), (0.0, 0.0), (0.0, -0.7), (0.0, 0.7)],
    )
    points = np.array(shapes[kind]) + rng.normal(0, 0.06, (len(shapes[kind]), 2))
    if kind == 4:
        across = _path(middle + points[:2] * size, shape, pen)
        return np.asarray(np.maximum(across, _path(middle + points[3:] * size, shape, pen)))
    return _path(middle + points * size, shape, pen)


def _neighbour(shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    """Return a stroke that comes in over the edge of the map."""
    high, wide = shape
    start = np.array([rng.uniform(0, wide), -6.0])
    end = start + np.array([rng.normal(0, 6), rng.uniform(8, 18)])
    page = _path(np.stack([start, end]), (high, wide), rng.uniform(0.3, 0.7) * SCALE)
    turns = int(rng.integers(4))
    page = np.rot90(page, turns)
    return np.ascontiguousarray(cv2.resize(page, (wide, high)))


def inked(hand: Hand) -> Writer:
    """Return a hand as the writer that it is."""
    assert isinstance(hand, Writer)
    return hand


__all__ = ["NOBODY", "OTHER", "Composed", "composed", "inked", "seen", "spoilt"]
