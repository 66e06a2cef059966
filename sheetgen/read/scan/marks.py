"""Whether boxes to tick are ticked, by the ink in and around them that is not printed.

A small network looks at each box and at as much again around it: at the new ink, at all ink, and at
what is printed there. It was trained on simulated sheets; what it says is believed only where plain
amounts of ink do not say otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from sheetgen.geometry import Rect
from sheetgen.read.scan.arrays import Array
from sheetgen.read.scan.network import convolved, pooled, probabilities
from sheetgen.read.scan.readings import RESOLUTION, State
from sheetgen.read.scan.strokes import Strokes, window

SIDE = 24  # px of the square that the network sees
INNER = 14  # of them across the box, the others beside it
EDGE = 0.3  # mm inside a box's outline that belong to the outline
SMALL = 4.5  # mm: boxes up to this size are taken for round
CORE = 0.6  # of the box around its middle
SURE = 0.97  # the least probability of what is not in doubt
NO_INK = 0.012  # share of the inside: less is no mark, whatever it looks like
MUCH_INK = 0.05  # share of the core: more is not nothing, whatever it looks like
LITTLE_CORE = 0.18  # share of the core: less is no mark if the strokes belong to other boxes
RING = (0.45, 0.6)  # mm inside and outside of a box's outline where a ring around it would be
MORE_INK = 0.14  # than was printed
DIRECTIONS = 24
LEAST_PIXELS = 2  # of more ink, in each of them
ALL_AROUND = 0.88  # of the directions
MOST_RINGED = 0.05  # of a sheet's empty boxes
CLASSES: tuple[State, ...] = ("empty", "marked", "cancelled")
WEIGHTS = Path(__file__).with_name("marks.npz")


class Mark(NamedTuple):
    """What a box to tick shows: probabilities of :data:`CLASSES`, and shares of new ink.

    ``ink`` is the covered share of the bare inside, ``core`` that of its middle, ``own`` the share
    of the ink in the box whose strokes lie mostly in it, ``ringed`` whether its outline is darker
    all around than it was printed.
    """

    chances: tuple[float, float, float]
    ink: float
    core: float
    own: float
    ringed: bool

    @property
    def state(self) -> State:
        """What it is, ``unsure`` if that is not clear."""
        best = int(np.argmax(self.chances))
        state = CLASSES[best]
        if self.chances[best] < SURE:
            return "unsure"
        if state == "empty" and (self.core > MUCH_INK or self.ringed):
            return "unsure"
        if state != "empty" and not self.ringed and self.ink < NO_INK:
            return "unsure"
        if state == "marked" and self.own < 0.5 and self.core < LITTLE_CORE:
            return "unsure"  # no more than the ends of other boxes' strokes
        return state

    @property
    def likeliest(self) -> State:
        """What it most probably is."""
        return CLASSES[int(np.argmax(self.chances))]


def read_marks(strokes: Strokes, rects: Sequence[Rect], indices: Sequence[int]) -> list[Mark]:
    """Return what boxes show; ``indices`` are theirs among all boxes of the sheet."""
    if not rects:
        return []
    images = inputs_of(strokes)
    patches = np.stack([patch(images, rect) for rect in rects])
    chances = _network(patches, np.stack([size_of(rect) for rect in rects]))
    rings = [_ring(strokes, rect) >= ALL_AROUND for rect in rects]
    clear = [ring for row, ring in zip(chances, rings, strict=True) if row[0] > SURE]
    if sum(clear) > MOST_RINGED * len(clear):
        # So many are not drawn around boxes: the print is broader than it should be, as in copies.
        rings = [False] * len(rings)
    return [
        Mark(
            tuple(map(float, row)),  # type: ignore[arg-type]
            *amounts(strokes, rect),
            _own(strokes, rect, index),
            ring,
        )
        for row, rect, index, ring in zip(chances, rects, indices, rings, strict=True)
    ]


def inputs_of(strokes: Strokes) -> Array:
    """Return what patches are cut from, in pens: new ink, all ink, and print, h x w x 3."""
    images = np.dstack([strokes.soft, strokes.seen, strokes.expected])
    return np.minimum(images * np.float32(1 / strokes.pen), 1.25)


def patch(images: Array, rect: Rect) -> Array:
    """Return what the network sees of a box, :data:`SIDE` x :data:`SIDE` x 3.

    Boxes of every shape are made square; strokes across them keep their ends that way.
    """
    reach = SIDE / INNER / 2
    left = (rect.center.x - reach * rect.width) * RESOLUTION
    top = (rect.center.y - reach * rect.height) * RESOLUTION
    wide, high = 2 * reach * rect.width * RESOLUTION, 2 * reach * rect.height * RESOLUTION
    # Twice as many points as pixels in each direction, then the mean of four.
    fine = 2 * SIDE
    turn = np.array([[wide / fine, 0, left], [0, high / fine, top]])
    turn[:, 2] += (turn[0, 0] / 2 - 0.5, turn[1, 1] / 2 - 0.5)
    sampled = cv2.warpAffine(
        images,
        turn,
        (fine, fine),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=(0, 0, 0),
    )
    return np.asarray(cv2.resize(sampled, (SIDE, SIDE), interpolation=cv2.INTER_AREA))


def size_of(rect: Rect) -> Array:
    """Return what the network knows of a box's size."""
    round_ = float(max(rect.width, rect.height) <= SMALL)
    return np.array([rect.width / 8, rect.height / 8, round_], dtype=np.float32)


def amounts(strokes: Strokes, rect: Rect) -> tuple[float, float]:
    """Return which share of a box's bare inside new ink covers, and of its middle."""
    top, left = round(rect.y * RESOLUTION), round(rect.x * RESOLUTION)
    rows = slice(max(0, top), round(rect.bottom * RESOLUTION))
    columns = slice(max(0, left), round(rect.right * RESOLUTION))
    written = strokes.labels[rows, columns] > 0
    bare = strokes.bare[rows, columns]
    height, width = written.shape
    y = abs(np.arange(height) + 0.5 - height / 2)[:, None] / (height / 2)
    x = abs(np.arange(width) + 0.5 - width / 2)[None, :] / (width / 2)
    edge_x, edge_y = 1 - EDGE / rect.width * 2, 1 - EDGE / rect.height * 2
    if max(rect.width, rect.height) <= SMALL:
        inside = (x / edge_x) ** 2 + (y / edge_y) ** 2 <= 1
        core = x**2 + y**2 <= CORE**2
    else:
        inside = (x <= edge_x) & (y <= edge_y)
        core = (x <= CORE) & (y <= CORE)
    return _share(written, inside & bare), _share(written, core & bare)


def _own(strokes: Strokes, rect: Rect, index: int) -> float:
    """Return which share of the ink in a box is of strokes that lie mostly in it."""
    rows, columns = window(rect, 0.0, strokes.labels.shape)
    labels = strokes.labels[rows, columns]
    written = labels > 0
    return _share(strokes.owners[labels] == index, written)


def _ring(strokes: Strokes, rect: Rect) -> float:
    """Return in which share of directions there is more ink at a box's outline than print."""
    rows, columns = window(rect, RING[1], strokes.labels.shape)
    more = strokes.seen[rows, columns] - 1.1 * strokes.expected[rows, columns] > MORE_INK
    height, width = more.shape
    y = np.arange(height)[:, None] + rows.start + 0.5 - rect.center.y * RESOLUTION
    x = np.arange(width)[None, :] + columns.start + 0.5 - rect.center.x * RESOLUTION
    half = min(rect.width, rect.height) / 2
    y, x = y / (rect.height / 2 * RESOLUTION), x / (rect.width / 2 * RESOLUTION)
    away = np.hypot(x, y)
    around = (away > 1 - RING[0] / half) & (away < 1 + RING[1] / half)
    turn = (np.arctan2(y, x) + np.pi) / (2 * np.pi)
    directions = np.floor(turn * DIRECTIONS).astype(int) % DIRECTIONS
    counts = np.bincount(directions[around & more], minlength=DIRECTIONS)
    return float((counts >= LEAST_PIXELS).mean())


def _share(written: Array, of: Array) -> float:
    total = int(of.sum())
    return float(written[of].sum() / total) if total else 0.0


@cache
def _weights() -> dict[str, Array]:
    with np.load(WEIGHTS) as stored:
        return {name: stored[name].astype(np.float32) for name in stored.files}


def _network(patches: Array, sizes: Array) -> Array:
    """Return the probabilities of the classes, n x 3."""
    held = _weights()
    x = patches
    for number in range(3):
        x = convolved(x, held[f"conv{number}"]) + held[f"bias{number}"]
        x = np.maximum(x, 0)
        if number < 2:
            x = pooled(x)
    flat = np.concatenate([x.reshape(len(x), -1), sizes], axis=1)
    hidden = np.maximum(flat @ held["hidden"] + held["hidden_bias"], 0)
    return probabilities(hidden @ held["last"] + held["last_bias"])
