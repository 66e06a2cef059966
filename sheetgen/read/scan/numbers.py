"""What is written in boxes: numbers and marks, with calibrated probabilities, and doubts.

The law is that a wrong number is never silent. So whatever is odd (signs that touch, ink that is no
sign, ink beside the box, readings that differ when the ink is turned a little or drawn with another
pen) is a doubt, and ink is never nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from sheetgen.read.scan.lattice import Decoded, Span, Text, decoded, gap_in, spans
from sheetgen.read.scan.network import JUNK, SIGNS, Weights, logits, probabilities, weights
from sheetgen.read.scan.pieces import PAD, SIDE, Written, cut, extent, picture, written
from sheetgen.read.scan.readings import RESOLUTION

__all__ = ["PAD", "Cell", "Number", "read_numbers"]

SURE = 0.99  # a less probable reading is doubtful
WIDE = 0.95  # of its height: a wider piece may be two signs that touch
LOW = 1.6  # mm: lower writing is doubtful
LINE = 0.3  # mm from the middle of a box's line, where ink may be missing
STRAY = 0.6  # mm: pieces of one sign do not lie so far apart; what does may be a minus
REREADS = 3
NO_FACTS = (1.0, 0.0, 0.0, 0.0, 0.0)


class Cell(NamedTuple):
    """A box that something may be written in.

    ``ink`` is float32, 0 on paper and 1 for full ink, of the box and :data:`PAD` mm around it, with
    ``RESOLUTION`` px per mm, without what is printed. ``alphabet`` are the signs that may stand
    there: always the digits, ``-`` where numbers may be negative, and the marks of a track.
    """

    ink: np.ndarray
    alphabet: str


class Number(NamedTuple):
    """What stands in a box: up to three texts with their probabilities, best first.

    There are none if the box is empty. ``doubt`` says why a person should look, ``""`` if sure.
    """

    likeliest: tuple[tuple[str, float], ...]
    doubt: str


class Reading(NamedTuple):
    """A box's best reading before it is judged: its ink, all texts, and numbers to judge by."""

    what: Written
    texts: tuple[Text, ...]
    signs: float
    touching: bool
    cross: float
    facts: tuple[float, ...]


def read_numbers(cells: Sequence[Cell]) -> list[Number]:
    """Read boxes, all in one go through the network."""
    model = weights()
    readings = readings_of(cells, model)
    return [
        Number((), "") if reading is None else judged(reading, model.judge) for reading in readings
    ]


def readings_of(cells: Sequence[Cell], model: Weights) -> list[Reading | None]:
    """Return each box's reading before it is judged, ``None`` for empty boxes."""
    inks = [written(cell.ink) for cell in cells]
    full = [index for index, ink in enumerate(inks) if ink.pieces]
    chances = _chances([inks[index] for index in full], model)
    found: dict[int, _Best] = {}
    again: list[tuple[int, Written]] = []
    crosses = {}
    for index, chance in zip(full, chances, strict=True):
        what = inks[index]
        plain = decoded(what.pieces, chance, cells[index].alphabet)
        found[index] = _Best(what, chance, plain)
        crosses[index] = _cross(chance, len(what.pieces))
        again += [(index, parts) for parts in _cuts(what, plain)]
    rivals: dict[int, float] = {}
    for (index, parts), chance in zip(again, _chances([p for _, p in again], model), strict=True):
        other = _Best(parts, chance, decoded(parts.pieces, chance, cells[index].alphabet), True)
        one, two = sorted((found[index], other), key=lambda best: -best.likely)
        found[index] = one
        rivals[index] = max(rivals.get(index, 0.0), two.likely)
    result: list[Reading | None] = [None] * len(cells)
    for index in [index for index, best in found.items() if not best.texts.texts]:
        best = found.pop(index)
        result[index] = Reading(best.what, (), 0.0, False, crosses[index], NO_FACTS)
    views = _reread(list(found.values()), model)
    for (index, best), those in zip(found.items(), views, strict=True):
        rival = rivals.get(index, 0.0)
        held = best.likely / (best.likely + rival) if rival else 1.0
        result[index] = _reading(best, those, cells[index].alphabet, crosses[index], held)
    return result


class _Best(NamedTuple):
    """The best way so far to take a box's ink apart; ``cut`` if a piece had to be cut."""

    what: Written
    chances: dict[Span, np.ndarray]
    texts: Decoded
    cut: bool = False

    @property
    def likely(self) -> float:
        return self.texts.signs * (0.5 if self.cut else 1.0)


def _reading(
    best: _Best, views: list[np.ndarray], alphabet: str, cross: float, held: float
) -> Reading:
    """Read once more, with the average of all views; ``held`` is the share against other cuts."""
    groups = best.texts.texts[0].groups
    chances = dict(best.chances)
    for span, view in zip(groups, views, strict=True):
        mean = np.exp(np.log(view + 1e-6).mean(axis=0))
        chances[span] = mean / mean.sum()
    texts = decoded(best.what.pieces, chances, alphabet)
    first = texts.texts[0]
    each = np.ones(REREADS + 1)
    if first.groups == groups:
        for sign, view in zip(first.text, views, strict=True):
            each = each * view[:, SIGNS.index(sign)]
    else:
        each[:] = 0.0
    facts = (
        1.0,
        _logit(first.share * held),
        _logit(float(each.mean())),
        _logit(float(each.min())),
        _logit(min(texts.signs, best.texts.signs, 1.0)),
    )
    return Reading(best.what, texts.texts, texts.signs, best.cut, cross, facts)


def _chances(inks: list[Written], model: Weights) -> list[dict[Span, np.ndarray]]:
    """Return the network's probabilities of every group of pieces of every box."""
    ways = [spans(what.pieces) for what in inks]
    pictures = [
        picture(what, what.pieces[first:end])
        for what, those in zip(inks, ways, strict=True)
        for first, end in those
    ]
    if not pictures:
        return [{} for _ in inks]
    rows = iter(probabilities(logits(np.stack(pictures), model.reader)))
    return [{span: next(rows) for span in those} for those in ways]


def _cuts(what: Written, plain: Decoded) -> list[Written]:
    """Return the ink with a piece cut in two, where a piece may be signs that touch."""
    _, top, _, bottom = extent(what.pieces)
    doubtful = not plain.texts or plain.texts[0].share < 0.7
    ways = []
    for index, piece in enumerate(what.pieces):
        if piece.height < 0.5 * (bottom - top):
            continue
        if piece.width > WIDE * piece.height or (doubtful and piece.width > 0.4 * piece.height):
            parts = cut(what, index)
            if parts is not None:
                ways.append(parts)
    return ways[:3]


def _cross(chances: dict[Span, np.ndarray], count: int) -> float:
    """Return how likely all the ink is a cross."""
    whole = chances.get((0, count))
    return 0.0 if whole is None else float(whole[SIGNS.index("x")])


def _reread(best: list[_Best], model: Weights) -> list[list[np.ndarray]]:
    """Return, for each sign of each box's best text, the chances (views, classes) in all views."""
    pictures, first = [], []
    for each in best:
        for span in each.texts.texts[0].groups:
            pictures.append(picture(each.what, each.what.pieces[slice(*span)]))
            first.append(each.chances[span])
    if not pictures:
        return []
    images = np.stack([view for image in pictures for view in varied(image)])
    more = probabilities(logits(images, model.second)).reshape(len(pictures), REREADS, JUNK + 1)
    views = iter(np.concatenate([np.stack(first)[:, None], more], axis=1))
    return [[next(views) for _ in each.texts.texts[0].groups] for each in best]


def varied(image: np.ndarray) -> list[np.ndarray]:
    """Return a sign turned and drawn thicker, turned the other way and thinner, and narrowed."""
    soft = cv2.GaussianBlur(image, (3, 3), 0.7)
    thick, thin = np.clip(soft * 1.7, 0, 1), np.clip(soft * 1.6 - 0.45, 0, 1)
    return [
        _turned(thick, 7.0, 0.95, 0.95),
        _turned(thin, -7.0, 1.03, 1.03),
        _turned(image, 0.0, 0.85, 1.0),
    ]


def _turned(image: np.ndarray, degrees: float, wide: float, high: float) -> np.ndarray:
    angle, middle = math.radians(degrees), (SIDE - 1) / 2
    cos, sin = math.cos(angle), math.sin(angle)
    matrix = np.array([[wide * cos, -high * sin, 0.0], [wide * sin, high * cos, 0.0]])
    matrix[:, 2] = middle - matrix[:, :2] @ (middle, middle)
    return np.asarray(cv2.warpAffine(image, matrix, (SIDE, SIDE)))


def _logit(chance: float) -> float:
    chance = min(max(chance, 1e-5), 1 - 1e-5)
    return math.log(chance / (1 - chance))


def judged(reading: Reading, judge: np.ndarray) -> Number:
    """Return what a box's reading is worth."""
    if not reading.texts:  # no grouping of its pieces gives signs that may stand here
        return Number((), reading.what.doubt or _no_number(reading))
    sum_ = float(np.dot(judge, reading.facts))
    chance = 1 / (1 + math.exp(-max(-30.0, min(30.0, sum_))))
    first, *others = reading.texts
    rest = sum(text.share for text in others) + 1e-9
    left = min(1 - chance, max(1 - chance, 0.0))
    likeliest = [(first.text, round(chance, 4))]
    for text in others[:2]:
        share = left * text.share / max(rest, 1 - first.share)
        if share >= 0.0005:
            likeliest.append((text.text, round(min(share, chance), 4)))
    return Number(tuple(likeliest), _doubt(reading, chance))


def _doubt(reading: Reading, chance: float) -> str:
    """Say why a person should look, or nothing."""
    text, pieces = reading.texts[0].text, reading.what.pieces
    _, top, _, bottom = extent(pieces)
    others = reading.texts[1:]
    if reading.what.doubt:
        return reading.what.doubt
    if reading.cross > 0.5 and text != "x":
        return "a cross"
    if reading.signs < 0.4 or (chance < SURE and reading.signs < 0.75):
        return _no_number(reading)
    if any(gap_in(pieces[a:b]) > STRAY * RESOLUTION for a, b in reading.texts[0].groups):
        return "ink beside a sign"
    if reading.touching:
        return "digits touch"
    if _at_print(reading):
        return "ink ends at the printed line"
    if chance < SURE:
        if others and others[0].share > 0.002:
            return f"{text} or {others[0].text}"
        return "hard to read"
    if text == "-":
        return "a dash alone"
    if len(text.lstrip("-")) > 3:
        return "more than three signs"
    if len(text.lstrip("-")) > 1 and text.lstrip("-").startswith("0"):
        return "begins with 0"
    if bottom - top < LOW * RESOLUTION and text != "-":
        return "very small"
    return ""


def _at_print(reading: Reading) -> bool:
    """Say whether a line that was printed may hide what makes a 1 a 7, or a 7 a 2."""
    edge = PAD * RESOLUTION
    high, text = reading.what.ink.shape[0], reading.texts[0]
    for sign, (first, end) in zip(text.text, text.groups, strict=True):
        _, top, _, bottom = extent(reading.what.pieces[first:end])
        gaps = {"1": top - edge, "7": high - edge - bottom}
        if sign in gaps and abs(gaps[sign]) <= LINE * RESOLUTION:
            return True
    return False


def _no_number(reading: Reading) -> str:
    """Say what ink is that is no number: crossed out if it is dense, else just ink."""
    left, top, right, bottom = extent(reading.what.pieces)
    area = sum(piece.area for piece in reading.what.pieces)
    dense = area / max(1, (right - left) * (bottom - top))
    large = min(right - left, bottom - top) > 2 * RESOLUTION
    return "crossed out" if dense > 0.45 and large else "ink that may be no number"
