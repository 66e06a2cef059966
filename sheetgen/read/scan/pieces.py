"""Ink in pieces: what is written in a box, and what may be one sign of it.

Pieces are connected ink. A sign may be several pieces (a 5 and its hat, a stroke that a printed
line interrupts), and one piece may be several signs that touch: then it may be cut. Which pieces
make a sign is not decided here; see :mod:`sheetgen.read.scan.numbers`.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from sheetgen.read.scan.readings import RESOLUTION

PAD = 1.0  # mm of paper around a box that its ink map shows

FAINT = 0.3  # printed rests are at most as dark as this
SPECK = 0.4  # mm: what is smaller both ways is dust
SIDE = 28  # px of a sign's picture for the network
FIT = 20  # px that the sign itself has in it
MOST = 8  # pieces that are told apart; more are no number


class Piece(NamedTuple):
    """Connected ink: its number in the map of labels, its extent in px, its area in px."""

    label: int
    left: int
    top: int
    right: int
    bottom: int
    area: int

    @property
    def height(self) -> int:
        """Height in px."""
        return self.bottom - self.top

    @property
    def width(self) -> int:
        """Width in px."""
        return self.right - self.left

    @property
    def middle(self) -> float:
        """Where the middle is, in px from the left."""
        return (self.left + self.right) / 2


class Written(NamedTuple):
    """What is written in a box: ``ink`` of full strength is 1, ``labels`` number the pieces.

    ``doubt`` says what is odd about the ink itself, ``""`` if nothing is.
    """

    ink: np.ndarray
    labels: np.ndarray
    pieces: tuple[Piece, ...]
    doubt: str


def written(ink: np.ndarray) -> Written:
    """Return the pieces of ink in a box's map, from left to right; dust and rests are left out."""
    strong = np.sort(ink[ink > FAINT])
    peak = float(strong[len(strong) * 4 // 5]) if strong.size else float(ink.max(initial=0.0))
    level = min(max(0.45 * peak, 0.18), 0.38)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(
        (ink > level).astype(np.uint8), connectivity=8
    )
    high = _peaks(ink, labels, count)
    doubt = ""
    pieces = []
    for label in range(1, count):
        left, top, width, height, area = (int(v) for v in stats[label])
        piece = Piece(label, left, top, left + width, top + height, area)
        if max(width, height) < SPECK * RESOLUTION or area < 5:
            continue
        if high[label] <= FAINT:  # a rest of print, unless it looks like writing
            if _like_writing(piece, labels, float(high[label]), peak):
                doubt = "faint ink"
                pieces.append(piece)
            continue
        fate = _at_edge(piece, ink.shape, labels)
        doubt = doubt or fate
        if fate != "a neighbour's":
            pieces.append(piece)
        elif doubt == fate:
            doubt = ""
    if not doubt and _overlooked(ink, labels):
        doubt = "faint ink"
    pieces.sort(key=lambda piece: piece.middle)
    if len(pieces) > MOST:
        doubt = "ink that may be no number"
        largest = sorted(pieces, key=lambda piece: -piece.area)[:MOST]
        pieces = sorted(largest, key=lambda piece: piece.middle)
    return Written(np.clip(ink / max(peak, 0.2), 0, 1), labels, tuple(pieces), doubt)


def _overlooked(ink: np.ndarray, labels: np.ndarray) -> bool:
    """Say whether much ink is darker than rests of print, but too faint beside the other ink."""
    near = cv2.dilate((labels > 0).astype(np.uint8), np.ones((5, 5), np.uint8))
    left = (ink > FAINT + 0.01) & (near == 0)
    return int(left.sum()) > 0.15 * RESOLUTION**2


def _peaks(ink: np.ndarray, labels: np.ndarray, count: int) -> np.ndarray:
    """Return the darkest ink of each label."""
    high = np.zeros(count, np.float32)
    inside = labels > 0
    np.maximum.at(high, labels[inside], ink[inside])
    return high


def _like_writing(piece: Piece, labels: np.ndarray, high: float, peak: float) -> bool:
    """Say whether faint ink may be writing: large, or long and not fainter than what is read."""
    inner = _inner(piece, labels)
    if min(piece.width, piece.height) > 1.2 * RESOLUTION and inner > 1.0:
        return True
    long = max(piece.width, piece.height) > 0.9 * RESOLUTION and inner > 0.15
    return long and high > max(0.22, 0.5 * peak)


def _inner(piece: Piece, labels: np.ndarray) -> float:
    """Return how many square mm of a piece lie inside the box, off its printed line."""
    edge = round((PAD + 0.4) * RESOLUTION)
    return float((labels[edge:-edge, edge:-edge] == piece.label).sum()) / RESOLUTION**2


def _at_edge(piece: Piece, shape: tuple[int, ...], labels: np.ndarray) -> str:
    """Say what is wrong with a piece at the edge of the map: it may be cut, or a neighbour's."""
    pad = round(PAD * RESOLUTION)
    height, width = shape[0], shape[1]
    part = labels[piece.top : piece.bottom, piece.left : piece.right] == piece.label
    top, left = max(0, pad - piece.top), max(0, pad - piece.left)
    inside = int(part[top : height - pad - piece.top, left : width - pad - piece.left].sum())
    ends = (piece.left, piece.top, width - piece.right, height - piece.bottom)
    cut = min(ends) <= 1  # edges are soft
    if inside >= 0.5 * piece.area:
        return "ink runs out of the box" if cut else ""
    short = piece.height < 1.5 * RESOLUTION  # what is higher may be a 1 that stands beside the box
    if cut and short and (piece.width < 1.5 * RESOLUTION or inside < 0.1 * piece.area):
        return "a neighbour's"
    if not cut and max(piece.width, piece.height) < 0.8 * RESOLUTION:
        return "a neighbour's"  # a dot beside the box
    return "ink beside the box"


def cut(what: Written, index: int) -> Written | None:
    """Return the ink with one piece cut in two where it is thinnest, ``None`` if it cannot be."""
    piece = what.pieces[index]
    part = what.labels[piece.top : piece.bottom, piece.left : piece.right] == piece.label
    low, high = round(piece.width * 0.25), round(piece.width * 0.75)
    if high - low < 2 or piece.width < 1.2 * RESOLUTION:
        return None
    best: tuple[float, float, int] | None = None
    for lean in (-0.25, 0.0, 0.25):
        rows = np.arange(piece.height)
        shift = np.rint((rows - piece.height / 2) * lean).astype(int)
        columns = np.arange(low, high)
        at = np.clip(columns[None, :] - shift[:, None], 0, piece.width - 1)
        ink = part[rows[:, None], at].sum(axis=0) + abs(columns - piece.width / 2) * 0.1
        place = int(np.argmin(ink))
        if best is None or ink[place] < best[0]:
            best = (float(ink[place]), lean, int(columns[place]))
    assert best is not None
    rows, columns = np.nonzero(part)
    shift = (rows - piece.height / 2) * best[1]
    right = columns + shift >= best[2]
    if right.all() or not right.any():
        return None
    label = int(what.labels.max()) + 1
    labels = what.labels.copy()
    labels[rows[right] + piece.top, columns[right] + piece.left] = label
    parts = []
    for each, of in ((piece.label, ~right), (label, right)):
        x, y = columns[of] + piece.left, rows[of] + piece.top
        parts.append(
            Piece(each, int(x.min()), int(y.min()), int(x.max()) + 1, int(y.max()) + 1, len(x))
        )
    pieces = (*what.pieces[:index], *parts, *what.pieces[index + 1 :])
    ordered = tuple(sorted(pieces, key=lambda each: each.middle))
    return what._replace(labels=labels, pieces=ordered)


def extent(pieces: tuple[Piece, ...]) -> tuple[int, int, int, int]:
    """Return the left, top, right and bottom of pieces together."""
    return (
        min(piece.left for piece in pieces),
        min(piece.top for piece in pieces),
        max(piece.right for piece in pieces),
        max(piece.bottom for piece in pieces),
    )


def picture(what: Written, pieces: tuple[Piece, ...]) -> np.ndarray:
    """Return a sign as the network wants it: 28x28, fitted into 20x20, its mass in the middle."""
    left, top, right, bottom = extent(pieces)
    left, top = max(0, left - 1), max(0, top - 1)  # the soft edge
    right, bottom = min(what.ink.shape[1], right + 1), min(what.ink.shape[0], bottom + 1)
    labels = what.labels[top:bottom, left:right]
    mine = np.zeros(labels.shape, np.uint8)
    for piece in pieces:
        mine |= labels == piece.label
    near = cv2.dilate(mine, np.ones((3, 3), np.uint8)) & ((labels == 0) | (mine > 0))
    ink = what.ink[top:bottom, left:right] * near
    return centred(ink)


def centred(ink: np.ndarray) -> np.ndarray:
    """Return ink fitted into 20x20 of 28x28 px, its centre of mass in the middle."""
    height, width = ink.shape
    scale = FIT / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = cv2.resize(np.ascontiguousarray(ink, np.float32), size, interpolation=method)
    total = float(small.sum()) or 1.0
    x = float(small.sum(axis=0) @ np.arange(size[0])) / total
    y = float(small.sum(axis=1) @ np.arange(size[1])) / total
    left = min(max(round((SIDE - 1) / 2 - x), 0), SIDE - size[0])
    top = min(max(round((SIDE - 1) / 2 - y), 0), SIDE - size[1])
    page = np.zeros((SIDE, SIDE), np.float32)
    page[top : top + size[1], left : left + size[0]] = small
    return page
