"""From a straightened sheet to a reading for each of its boxes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import cv2
import numpy as np

from sheetgen.geometry import Rect
from sheetgen.read.boxes import Meaning, boxes_of, meanings
from sheetgen.read.layouts import Layout
from sheetgen.read.names import names_of
from sheetgen.read.scan import marks, numbers
from sheetgen.read.scan.arrays import Ink
from sheetgen.read.scan.blank import Blank
from sheetgen.read.scan.readings import RESOLUTION, Reading, State
from sheetgen.read.scan.sheet import Straight
from sheetgen.read.scan.strokes import Strokes, map_boxes, strokes_of
from sheetgen.scene import Box

LEAST_TRUST = 0.45  # how alike print around a box must be to what was printed
SHARED = 0.25  # of a stroke may lie in a second box
SHARED_AREA = 0.8  # mm2
FAINT = 0.75  # of the ink that counts as written: less is the noise of paper
SMOOTH = 1.3  # px, sigma: single dark pixels are noise, faint strokes are not
NO_TEXT = 0.01  # share of ink up to which a field for text is empty
LINE_AREA = 0.25  # mm2 of a long line that lie in a box
DIGITS = "0123456789"


class _Sheet(NamedTuple):
    """What is needed to read any box of a sheet."""

    boxes: Sequence[Box]
    strokes: Strokes
    trust: Sequence[float]


def read_boxes(straight: Straight, blank: Blank, layout: Layout) -> dict[str, Reading]:
    """Return what stands in the boxes of a sheet, by id, in the order of its scene."""
    boxes = blank.scene.boxes
    rects = [box.rect for box in boxes]
    boxmap = map_boxes(rects, straight.seen.shape)
    strokes = strokes_of(straight.seen, blank, straight.tone, boxmap, len(rects))
    sheet = _Sheet(boxes, strokes, list(map(float, straight.trust)))
    found: dict[int, Reading] = {}
    known = meanings(boxes_of(layout.variant, layout.identity.sheet, boxes))
    ticks = [i for i, box in enumerate(boxes) if _is_mark(box, known.get(box.id))]
    seen = marks.read_marks(strokes, [rects[i] for i in ticks], ticks)
    for index, mark in zip(ticks, seen, strict=True):
        found[index] = _tick(sheet, index, mark)
    alphabets = _alphabets(layout, known)
    written = [
        i for i, box in enumerate(boxes) if box.kind in ("number", "score") and i not in found
    ]
    cells = [
        numbers.Cell(_cell(strokes, i, rects[i]), alphabets.get(boxes[i].id, DIGITS))
        for i in written
    ]
    for index, number in zip(written, numbers.read_numbers(cells), strict=True):
        found[index] = _number(sheet, index, number)
    for index in range(len(boxes)):
        if index not in found:
            found[index] = _text(sheet, index)
    return {boxes[index].id: found[index] for index in sorted(found)}


def _is_mark(box: Box, meaning: Meaning | None) -> bool:
    """Tell whether a box is marked, and not written in: also one that is only counted."""
    counted = meaning is not None and meaning.group in ("counts", "flags", "sets")
    return box.kind == "tick" or (box.kind == "number" and counted)


def _alphabets(layout: Layout, known: Mapping[str, Meaning]) -> dict[str, str]:
    """Return which signs may stand in boxes to write in, by box."""
    marks_of = names_of(layout.variant).tracks
    signs: dict[str, str] = {}
    for box, meaning in known.items():
        if meaning.group == "tracks":
            signs[box] = DIGITS + "".join(mark for mark in marks_of[meaning.name] if len(mark) == 1)
        elif meaning.group in ("results", "matches"):
            signs[box] = DIGITS + "-"
    return signs


def _tick(sheet: _Sheet, index: int, mark: marks.Mark) -> Reading:
    """Return the reading of a box to tick."""
    state = mark.state
    best = mark.likeliest
    doubt = _unclear(sheet, index)
    if state == "unsure":
        doubt = doubt or _MARK_DOUBTS[best]
    order = sorted(zip(marks.CLASSES, mark.chances, strict=True), key=lambda one: -one[1])
    return Reading(
        sheet.boxes[index].id,
        best == "marked",
        "unsure" if doubt else state,
        round(mark.ink, 4),
        round(max(mark.chances), 4),
        tuple((name, round(chance, 4)) for name, chance in order),
        doubt,
    )


_MARK_DOUBTS = {
    "empty": "there is some ink, but hardly a mark",
    "marked": "a mark that is hardly there, or not meant for this box",
    "cancelled": "looks scribbled out",
}


def _number(sheet: _Sheet, index: int, number: numbers.Number) -> Reading:
    """Return the reading of a box to write in."""
    best, chance = number.likeliest[0] if number.likeliest else ("", 1.0)
    doubt = _unclear(sheet, index) or number.doubt
    ink = _ink(sheet, index)
    if not doubt and _reaches_over(sheet, index):
        doubt = "writing reaches over from or into another box"
    state: State = "unsure" if doubt else "written" if best else "empty"
    likeliest = tuple((text, round(p, 4)) for text, p in number.likeliest)
    return Reading(sheet.boxes[index].id, best, state, ink, round(chance, 4), likeliest, doubt)


def _text(sheet: _Sheet, index: int) -> Reading:
    """Return what can be said of a box for free text: whether something is written there."""
    ink = _ink(sheet, index)
    return Reading(
        sheet.boxes[index].id, "", "written" if ink > NO_TEXT else "empty", ink, 1.0, (), ""
    )


def _ink(sheet: _Sheet, index: int) -> float:
    return round(marks.amounts(sheet.strokes, sheet.boxes[index].rect)[0], 4)


def _unclear(sheet: _Sheet, index: int) -> str:
    if sheet.trust[index] < LEAST_TRUST:
        return "the print around it is not clear: covered, in shadow, or not flat"
    strokes = sheet.strokes
    least = LINE_AREA * RESOLUTION**2
    if (strokes.shares[strokes.lines, index] > least).any():
        return "a long line runs through it"
    return ""


def _cell(strokes: Strokes, index: int, rect: Rect) -> Ink:
    """Return the ink in and around a box, without strokes that lie mostly in other boxes."""
    pad = numbers.PAD
    height, width = strokes.soft.shape
    left, top = round((rect.x - pad) * RESOLUTION), round((rect.y - pad) * RESOLUTION)
    wide = round((rect.width + 2 * pad) * RESOLUTION)
    high = round((rect.height + 2 * pad) * RESOLUTION)
    cell = np.zeros((high, wide), np.float32)
    x0, y0, x1, y1 = max(0, left), max(0, top), min(width, left + wide), min(height, top + high)
    labels = strokes.labels[y0:y1, x0:x1]
    owners = strokes.owners[labels]
    # Of what is not written but faint, only what is inside the box may count.
    own = (labels > 0) & (owners == index)
    inside = np.zeros_like(own)
    box_y, box_x = round(rect.y * RESOLUTION) - y0, round(rect.x * RESOLUTION) - x0
    inside[
        max(0, box_y) : box_y + round(rect.height * RESOLUTION),
        max(0, box_x) : box_x + round(rect.width * RESOLUTION),
    ] = True
    near = _near(own)
    soft = strokes.soft[y0:y1, x0:x1]
    smooth = cv2.GaussianBlur(soft, (0, 0), SMOOTH)
    # Faint ink beside print is what is left of the print.
    bare = inside & strokes.bare[y0:y1, x0:x1]
    faint = (labels == 0) & bare & (smooth > FAINT * strokes.level)
    kept = np.where(own | near | faint, soft, 0)
    cell[y0 - top : y1 - top, x0 - left : x1 - left] = kept / strokes.pen
    return np.minimum(cell, 1.0)


def _near(own: np.ndarray) -> np.ndarray:
    """Return what lies within two pixels of own strokes: their soft edges."""
    return np.asarray(cv2.dilate(own.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0)


def _reaches_over(sheet: _Sheet, index: int) -> bool:
    """Tell whether a good part of a stroke that is partly here lies in another box, too."""
    shares = sheet.strokes.shares
    here = shares[:, index]
    touching = np.nonzero(here)[0]
    if not len(touching):
        return False
    inside = shares[touching, :-1]
    least = SHARED_AREA * RESOLUTION**2
    total = inside.sum(axis=1)
    own = inside[:, index]
    other = inside.copy()
    other[:, index] = 0
    most = other.max(axis=1)
    # Mostly here but also there, or mostly there but also here.
    smaller = np.minimum(own, most)
    return bool(((smaller > least) & (smaller > SHARED * total)).any())
