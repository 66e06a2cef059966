"""Texts that pieces of ink may be: every way to group the pieces, weighed by the network.

A grouping's weight is the chance that each of its groups is one sign, times what its geometry
says. A text's share is the weight of the groupings that read so. Rules of a game take no part.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np

from sheetgen.read.scan.network import SIGNS
from sheetgen.read.scan.pieces import Piece, extent

Span = tuple[int, int]  # pieces from the first to before the second
Grouping = tuple[Span, ...]

SPAN = 5  # pieces of one sign at most
SIGN_COUNT = 4  # signs of a text at most: a minus and three digits

TINY = 0.4  # of the text's height: what is lower is no digit
APART = 0.28  # of the text's height: a wider gap does not run through a sign
OVER = 0.6  # of the narrower one's width: two signs do not overlap so much


class Text(NamedTuple):
    """A text that the ink may be, its probability, and the likeliest grouping that reads so."""

    text: str
    share: float
    groups: Grouping


class Decoded(NamedTuple):
    """All likely texts, best first, and how sure it is that the ink is signs at all."""

    texts: tuple[Text, ...]
    signs: float


@cache
def groupings(count: int) -> tuple[Grouping, ...]:
    """Return all ways to group so many pieces into few enough signs."""
    found: list[Grouping] = []

    def go(first: int, so_far: Grouping) -> None:
        if first == count:
            found.append(so_far)
            return
        if len(so_far) < SIGN_COUNT:
            for end in range(first + 1, min(count, first + SPAN) + 1):
                go(end, (*so_far, (first, end)))

    go(0, ())
    return tuple(found)


def spans(pieces: tuple[Piece, ...]) -> list[Span]:
    """Return the groups of pieces that are worth a look: not much wider than the text is high."""
    _, top, _, bottom = extent(pieces)
    height = bottom - top
    kept = []
    for span in sorted({span for grouping in groupings(len(pieces)) for span in grouping}):
        group = pieces[slice(*span)]
        left, _, right, _ = extent(group)
        tall = all(piece.height > 0.6 * height for piece in group)
        apart = tall and gap_in(group) > APART * height
        if len(group) == 1 or (right - left <= 1.7 * height and not apart):
            kept.append(span)
    return kept


def gap_in(pieces: tuple[Piece, ...]) -> int:
    """Return the widest column of paper between pieces, px."""
    reach, gap = pieces[0].right, 0
    for piece in pieces[1:]:
        gap = max(gap, piece.left - reach)
        reach = max(reach, piece.right)
    return gap


def decoded(
    pieces: tuple[Piece, ...], chances: Mapping[Span, np.ndarray], alphabet: str
) -> Decoded:
    """Return the texts that pieces may be, from the network's probabilities of their groups."""
    shares: dict[str, float] = {}
    best: dict[str, tuple[float, Grouping]] = {}
    seen: dict[tuple[Span, str], Part] = {}
    total = surest = 0.0
    _, top, _, bottom = extent(pieces)
    for grouping in groupings(len(pieces)):
        if any(span not in chances for span in grouping):
            continue
        parts = []
        for place, span in enumerate(grouping):
            signs = _allowed(alphabet, place, len(grouping))
            if (span, signs) not in seen:
                seen[span, signs] = _part(pieces[slice(*span)], chances[span], signs)
            parts.append(seen[span, signs])
        weight = _geometry(parts, bottom - top)
        for part in parts:
            weight *= part.sign
        total += weight
        surest = max(surest, weight)
        if weight < 1e-4 * surest:
            continue
        for way in product(*(part.ways for part in parts)):
            share = weight
            for _, chance in way:
                share *= chance
            text = "".join(sign for sign, _ in way)
            shares[text] = shares.get(text, 0.0) + share
            if share > best.get(text, (-1.0, ()))[0]:
                best[text] = (share, grouping)
    ranked = sorted(shares.items(), key=lambda each: -each[1])[:6]
    scale = min(1.0, surest) / total if total else 0.0
    return Decoded(
        tuple(Text(text, share * scale, best[text][1]) for text, share in ranked), surest
    )


class Part(NamedTuple):
    """A group of pieces as one sign: the chance that it is one, what it is then, how it lies.

    ``box`` is the left, top, right and bottom, ``gap`` the widest column of paper inside, in px.
    """

    sign: float
    ways: tuple[tuple[str, float], ...]
    box: tuple[int, int, int, int]
    gap: int


@cache
def _allowed(alphabet: str, place: int, count: int) -> str:
    """Return the signs that may stand there; others count as no sign."""
    return "".join(
        sign
        for sign in SIGNS
        if sign in alphabet and (sign.isdigit() or count == 1 or (sign == "-" and place == 0))
    )


def _part(pieces: tuple[Piece, ...], chances: np.ndarray, signs: str) -> Part:
    """Return a group of pieces as one of the signs that may stand there."""
    each = [(float(chances[SIGNS.index(sign)]) + 1e-9, sign) for sign in signs]
    total = sum(chance for chance, _ in each)
    ways = tuple((sign, chance / total) for chance, sign in sorted(each, reverse=True)[:3])
    return Part(total, ways, extent(pieces), gap_in(pieces))


def _geometry(parts: list[Part], height: int) -> float:
    """Return how likely signs lie like that, 0 to 1, in a text of so many px."""
    weight = 1.0
    for part in parts:
        left, top, right, bottom = part.box
        minus = part.ways[0][0] == "-"
        if not minus and bottom - top < TINY * height:
            weight *= 0.05
        if minus and right - left < 0.2 * height:
            weight *= 0.3
        if part.gap > APART * height:
            weight *= 0.2
    for one, two in pairwise(parts):
        narrower = min(one.box[2] - one.box[0], two.box[2] - two.box[0])
        if one.box[2] - two.box[0] > OVER * narrower:
            weight *= 0.15
    return weight
