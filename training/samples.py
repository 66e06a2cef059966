"""Samples for the network: groups of ink as the reader sees them, and what they are.

Cells are composed, segmented by the reader's own code, and every group of pieces that the reader
would ask the network about becomes a sample: a sign if it is all of one sign and little else, junk
if it is a part of a sign, several signs, or other ink. What is in between is left out.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from sheetgen.read.scan.lattice import spans
from sheetgen.read.scan.network import JUNK, SIGNS
from sheetgen.read.scan.pieces import Piece, Written, cut, picture, written
from simulation.cells import NOBODY, OTHER, Composed, composed, inked, spoilt
from simulation.hands import DrawnHand, FontHand, Split, Writer, hands

UNCLEAR = -1


def samples(split: Split, data: Path, cells: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return images, uint8 (n, 28, 28), and their classes, int64, of so many composed cells."""
    rng = np.random.default_rng(seed)
    groups = by_kind(split, data)
    letters = [hand for hand in groups[-1] if isinstance(hand, FontHand)] or groups[0]
    shares = np.array([0.36, 0.36, 0.28])[: len(groups)]
    images: list[np.ndarray] = []
    classes: list[int] = []
    for _ in range(cells):
        group = groups[int(rng.choice(len(groups), p=shares / shares.sum()))]
        writer = group[int(rng.integers(len(group)))]
        if rng.random() < 0.22:
            if rng.random() < 0.3:
                writer = letters[int(rng.integers(len(letters)))]
            cell = spoilt(writer, text(rng)[:2], rng)
        else:
            cell = composed(writer, text(rng), rng)
        for image, sign in _groups(cell, rng):
            images.append(np.rint(image * 255).astype(np.uint8))
            classes.append(sign)
    return np.stack(images), np.array(classes)


def by_kind(split: Split, data: Path) -> list[list[Writer]]:
    """Return a split's writers by their kind: drawn strokes, images, fonts."""
    everyone = [inked(hand) for hand in hands(split, data)]
    drawn: list[Writer] = [hand for hand in everyone if isinstance(hand, DrawnHand)]
    fonts: list[Writer] = [hand for hand in everyone if isinstance(hand, FontHand)]
    images = [hand for hand in everyone if not isinstance(hand, (DrawnHand, FontHand))]
    return [group for group in (drawn, images, fonts) if group]


def text(rng: np.random.Generator) -> str:
    """Return a text as it may stand in a box, the signs about evenly."""
    digits = "0123456789"
    kind = rng.random()
    if kind < 0.4:
        return digits[rng.integers(10)]
    if kind < 0.74:
        return digits[rng.integers(1, 10)] + digits[rng.integers(10)]
    if kind < 0.79:
        return "".join(digits[n] for n in rng.integers(0, 10, 3))
    if kind < 0.86:
        return "-" + digits[rng.integers(1, 10)] + (digits[rng.integers(10)] * rng.integers(2))
    return str(rng.choice(["$", "w", "x", "$", "w", "x", "-"]))


def _groups(cell: Composed, rng: np.random.Generator) -> list[tuple[np.ndarray, int]]:
    """Return pictures and classes of the groups of pieces in a cell."""
    what = written(cell.ink)
    if not what.pieces:
        return []
    ways = [what]
    for index, piece in enumerate(what.pieces):
        if piece.width > 0.55 * piece.height and rng.random() < 0.4:
            parts = cut(what, index)
            ways += [parts] if parts is not None else []
    found = []
    for number, way in enumerate(ways):
        for first, end in spans(way.pieces):
            if number and end - first > 1:
                continue
            group = way.pieces[first:end]
            sign = _class_of(way, group, cell)
            if sign == UNCLEAR or (sign == JUNK and rng.random() < 0.4):  # there is plenty
                continue
            found.append((picture(way, group), sign))
    return found


def _class_of(what: Written, group: tuple[Piece, ...], cell: Composed) -> int:
    """Return what a group of pieces is."""
    mine = np.isin(what.labels, [piece.label for piece in group])
    owners = cell.owners[mine]
    owners = owners[owners != NOBODY]
    if owners.size < 4:
        return JUNK
    names, counts = np.unique(owners, return_counts=True)
    owner, count = int(names[counts.argmax()]), int(counts.max())
    wide = max(piece.right for piece in group) - min(piece.left for piece in group)
    high = max(piece.bottom for piece in group) - min(piece.top for piece in group)
    stroke = wide < 0.4 * high or high < 0.4 * wide  # looks like a 1 or a minus
    if owner == OTHER:
        return UNCLEAR if stroke else JUNK
    purity = count / owners.size
    its = cell.owners == owner
    whole = count / max(1, int(its.sum()))
    shown = count / max(1, int((its & (cell.ink > 0.25)).sum()))
    for other in range(len(cell.signs)):  # a minus has little ink, but it is a sign
        if other != owner and (owners == other).sum() > 0.4 * (cell.owners == other).sum() > 0:
            return JUNK
    if purity > 0.9 and whole > 0.78 and shown > 0.88:
        return SIGNS.index(cell.signs[owner])
    if whole < 0.88 and stroke:
        return UNCLEAR
    return JUNK if purity < 0.8 or whole < 0.62 else UNCLEAR
