"""Printed sheets, filled in by hand, on paper as it lies before a camera.

The print is what pdfium makes of the tool's own PDF; nothing here knows how a reader sees a sheet.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import cv2
import numpy as np
import pypdfium2
from numpy.typing import NDArray

from sheetgen.draw.pdf import pdf
from sheetgen.geometry import Rect, Size
from sheetgen.impose import alone, impose
from sheetgen.model import Variant
from sheetgen.paper import parse_paper
from sheetgen.prepare import Choices, load, prepare
from sheetgen.scene import Box, Scene
from simulation.pens import Ink, Marker, Paper, Pen, pick_pen, pressed, scrawl
from simulation.truth import UNSEEN, Value, Written

DENSITY = 12.0  # px per mm of everything before it is photographed: 305 dpi
CROSSED_OUT = 1 / 300  # of marks, scribbled out again
REWRITTEN = 1 / 200  # of numbers, crossed out and written again
# How many empty boxes have something near or in them that is no mark.
GHOSTS, STRAYS, REACHES = 0.004, 0.004, 0.008

Image = NDArray[Any]


class Hand(Protocol):
    """Somebody's handwriting; see :mod:`simulation.hands`."""

    name: str

    def write(self, text: str, rng: np.random.Generator) -> Ink:
        """Return the ink of a text, 0 to 1, cut to what is inked; a digit is 96 px high."""
        ...


class Printed(NamedTuple):
    """A kind of sheet as it comes from the printer; ``image`` is BGR of :data:`DENSITY`."""

    variant: Variant
    sheet: str
    scene: Scene
    image: Image


class Filled(NamedTuple):
    """One sheet with what somebody wrote on it."""

    printed: Printed
    image: Image
    boxes: Mapping[str, Written]


class Leaf(NamedTuple):
    """A piece of paper: BGR, ``density`` px per mm; each sheet with its top left corner in mm."""

    image: Image
    sheets: tuple[tuple[Filled, float, float], ...]
    density: float = DENSITY


class Look(NamedTuple):
    """How a sheet is printed, by the options of ``sheetgen print``."""

    variant: str
    sheet: str = ""
    ink: str = "full"
    language: str = ""
    players: int | None = None
    values: tuple[tuple[str, int], ...] = ()
    rules: bool = True


@lru_cache(maxsize=24)
def printed(look: Look) -> Printed:
    """Print a sheet, by the PDF that the tool makes."""
    variant, _ = load(look.variant)
    choices = Choices(
        sheet=look.sheet,
        language=look.language,
        players=look.players,
        ink=look.ink,
        rules=look.rules,
        values=dict(look.values),
    )
    ready = prepare(variant, choices)
    data = pdf(ready.front, None, alone(ready.front.size), ready.style.fonts)
    return Printed(variant, ready.name, ready.front, raster(data))


def raster(data: bytes, page: int = 0) -> Image:
    """Return a page of a PDF as BGR of :data:`DENSITY`."""
    document = pypdfium2.PdfDocument(data)
    bitmap = document[page].render(scale=DENSITY * 25.4 / 72)
    image = np.array(bitmap.to_numpy())[:, :, :3]
    document.close()
    return image


# -- filling in -----------------------------------------------------------------------------------


class Person:
    """Somebody with a pen, a way of marking boxes and a handwriting.

    ``unseen`` is the share of their marks that are of kinds kept for tests alone.
    """

    def __init__(self, hand: Hand, rng: np.random.Generator, unseen: float = 0.0) -> None:
        self.unseen = unseen
        self.pen: Pen = pick_pen(rng)
        self.marker = Marker(self.pen, rng)
        self.hand = hand
        self.height = float(rng.uniform(0.6, 0.9))  # of writing, in heights of its box
        weights = np.array([0.42, 0.2, 0.23, 0.15])
        self.habit = str(rng.choice(["cross", "tick", "slash", "fill"], p=weights))

    def kind(self, rng: np.random.Generator) -> str:
        """Return the kind of the next mark."""
        if self.unseen and rng.random() < self.unseen:
            return str(rng.choice(UNSEEN))
        odd = rng.random()
        if odd < CROSSED_OUT:
            return "cancelled"
        if odd < CROSSED_OUT + 0.01:
            return "circled" if odd < CROSSED_OUT + 0.005 else "dot"
        if odd < 0.12:
            return str(rng.choice(["cross", "tick", "slash", "fill"]))
        return self.habit

    def fill(
        self,
        sheet: Printed,
        wanted: Mapping[str, Value],
        rng: np.random.Generator,
        mine: Container[str] | None = None,
    ) -> Filled:
        """Return the sheet with everything wanted on it; boxes not named stay empty.

        With ``mine`` only those boxes are looked at, and are in what is returned.
        """
        height, width = sheet.image.shape[:2]
        paper = Paper((height, width), DENSITY)
        boxes_of_mine = [one for one in sheet.scene.boxes if mine is None or one.id in mine]
        writing = _Writing(self, paper, sheet.scene.boxes, boxes_of_mine, wanted, rng)
        boxes = writing.all()
        ink = pressed(paper.ink, self.pen, DENSITY, rng)
        return Filled(sheet, inked(sheet.image, ink, self.pen), boxes)


def inked(image: Image, ink: Ink, pen: Pen) -> Image:
    """Return a print under a pen's ink, which takes light away and adds none."""
    ys, xs = np.nonzero(ink.max(1) > 0)[0], np.nonzero(ink.max(0) > 0)[0]
    if not len(ys):
        return image
    rows, columns = slice(ys[0], ys[-1] + 1), slice(xs[0], xs[-1] + 1)
    result = image.copy()
    under = image[rows, columns].astype(np.float32)
    absorbed = 1 - np.array(pen.colour, np.float32)
    under *= 1 - ink[rows, columns, None] * absorbed
    result[rows, columns] = under
    return result


class _Writing:
    """One sheet being filled in."""

    def __init__(
        self,
        person: Person,
        paper: Paper,
        every: Sequence[Box],
        boxes: Sequence[Box],
        wanted: Mapping[str, Value],
        rng: np.random.Generator,
    ) -> None:
        self.person, self.paper, self.rng = person, paper, rng
        self.boxes, self.wanted = boxes, wanted
        self.rects = [box.rect for box in every]
        self.done: dict[str, Written] = {}

    def all(self) -> dict[str, Written]:
        for box in self.boxes:
            if box.kind == "text":
                if self.rng.random() < 0.4:
                    lines = scrawl(box.rect, self.rng)
                    self.paper.draw(lines, self.person.pen.width, self.rng)
            elif box.kind == "tick" or self.wanted.get(box.id) is True:
                # Boxes large enough to write in are ticked, too, where a game counts ticks.
                self.done[box.id] = self.tick(box, bool(self.wanted.get(box.id, False)))
            else:
                self.done[box.id] = self.number(box, str(self.wanted.get(box.id, "")))
        for box in self.boxes:
            if box.kind == "tick" and self.done[box.id].kind == "empty":
                self.disturb(box)
        return {box.id: self.done[box.id] for box in self.boxes if box.id in self.done}

    def tick(self, box: Box, marked: bool) -> Written:
        if not marked:
            return Written(False, "empty")
        kind = self.person.kind(self.rng)
        self.person.marker.mark(self.paper, box.rect, kind, self.rng)
        return Written(kind != "cancelled", kind)

    def disturb(self, box: Box) -> None:
        """Put something into or beside an empty box that is no mark, in a few cases."""
        chance = self.rng.random()
        marker = self.person.marker
        if chance < GHOSTS:
            marker.mark(self.paper, box.rect, "ghost", self.rng)
            self.done[box.id] = Written(False, "ghost")
        elif chance < GHOSTS + STRAYS:
            if marker.stray(self.paper, box.rect, self.rects, self.rng):
                self.done[box.id] = Written(False, "outside")
        elif chance < GHOSTS + STRAYS + REACHES and (near := self.neighbour(box)):
            marker.reach(self.paper, near.rect, box.rect, self.rng)
            self.done[near.id] = Written(True, "slash")
            self.done[box.id] = Written(False, "neighbour")

    def neighbour(self, box: Box) -> Box | None:
        """Return a box that touches this one and was crossed or slashed already."""
        for other in self.boxes:
            if other.kind != "tick" or self.done[other.id].kind not in ("cross", "slash"):
                continue
            dx = abs(other.rect.center.x - box.rect.center.x)
            dy = abs(other.rect.center.y - box.rect.center.y)
            wide = (other.rect.width + box.rect.width) / 2
            high = (other.rect.height + box.rect.height) / 2
            if (dx < wide + 0.3 and dy < 0.1) or (dy < high + 0.3 and dx < 0.1):
                return other
        return None

    # -- numbers ----------------------------------------------------------------------------------

    def number(self, box: Box, text: str) -> Written:
        if not text:
            return Written("", "empty")
        rect = _room(box)
        if self.rng.random() < REWRITTEN and rect.width > 8:
            half = rect.width / 2
            wrong = str(self.rng.integers(0, 10 ** len(text)))
            self.write(Rect(rect.x, rect.y, half, rect.height), wrong)
            left = Rect(rect.x + 0.5, rect.y + 0.8, half - 1, rect.height - 1.6)
            pen = self.person.marker
            self.paper.draw(
                pen.zigzag(left, 1.0, pen.pen.width * 2.2, self.rng), pen.pen.width, self.rng
            )
            self.write(Rect(rect.x + half, rect.y, half, rect.height), text)
            return Written(text, "rewritten")
        self.write(rect, text)
        return Written(text, "written")

    def write(self, rect: Rect, text: str) -> None:
        """Write a text into a rectangle, about as high as the person writes."""
        rng = self.rng
        ink = self.person.hand.write(text, rng)
        height = min(rect.height * self.person.height * rng.normal(1, 0.05), 9.0)
        # A minus alone is not as high as a digit, and a digit is 96 px.
        scale = height * DENSITY / 96
        scale = min(scale, 0.93 * rect.width * DENSITY / ink.shape[1])
        size = (max(1, round(ink.shape[1] * scale)), max(1, round(ink.shape[0] * scale)))
        small = cv2.resize(ink, size, interpolation=cv2.INTER_AREA)
        free_x = rect.width - size[0] / DENSITY
        free_y = rect.height - size[1] / DENSITY
        x = rect.x + free_x / 2 + rng.normal(0, 0.14) * max(free_x, 0.8)
        y = rect.y + free_y / 2 + rng.normal(0, 0.14) * max(free_y, 0.8)
        self.paper.lay(small, round(x * DENSITY), round(y * DENSITY))


def _room(box: Box) -> Rect:
    """Return where people write in a box: beside a label, if it has one in its corner."""
    rect = box.rect
    if box.kind != "score":
        return rect
    right, down = min(1.8, rect.width * 0.14), rect.height * 0.18
    return Rect(rect.x + right, rect.y + down, rect.width - right, rect.height - down)


# -- paper ----------------------------------------------------------------------------------------


def cut(filled: Filled, rng: np.random.Generator) -> Leaf:
    """Return a sheet cut out of its page, to half a millimetre."""
    left, top, right, bottom = rng.normal(0, 0.25, 4)
    pad = round(DENSITY)
    image = cv2.copyMakeBorder(
        filled.image, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=(255, 255, 255)
    )
    x, y = round((1 + left) * DENSITY), round((1 + top) * DENSITY)
    height, width = image.shape[:2]
    image = image[y : height - round((1 + bottom) * DENSITY), :][
        :, x : width - round((1 + right) * DENSITY)
    ]
    return Leaf(image, ((filled, 1 - x / DENSITY, 1 - y / DENSITY),))


def page(sheets: Sequence[Filled], paper: str = "a4") -> Leaf:
    """Return a page with sheets of one kind as ``sheetgen print`` places them, with crop marks."""
    scene = sheets[0].printed.scene
    pad = impose(
        scene.size,
        Rect(0, 0, *scene.size).inset(scene.margin),
        paper=parse_paper(paper),
        copies=len(sheets),
    )
    image = blank(pad.paper)
    if pad.marks:
        from sheetgen.draw.pdf import Sheaf, bind
        from sheetgen.fonts import Fonts

        data = bind([Sheaf(scene._replace(items=()), None, pad)], Fonts({}))
        drawn = raster(data)
        image[: drawn.shape[0], : drawn.shape[1]] = drawn[: image.shape[0], : image.shape[1]]
    placed = []
    for filled, slot in zip(sheets, pad.front, strict=False):
        x, y = round(slot[4] * DENSITY), round(slot[5] * DENSITY)
        part = image[y : y + filled.image.shape[0], x : x + filled.image.shape[1]]
        np.minimum(part, filled.image[: part.shape[0], : part.shape[1]], out=part)
        placed.append((filled, x / DENSITY, y / DENSITY))
    return Leaf(image, tuple(placed))


def capacity(sheet: Printed, paper: str = "a4") -> int:
    """Return how many sheets a page holds."""
    size = sheet.scene.size
    ink = Rect(0, 0, *size).inset(sheet.scene.margin)
    return len(impose(size, ink, paper=parse_paper(paper), copies=1).front)


def blank(size: Size) -> Image:
    """Return white paper of a size in mm."""
    shape = (round(size.height * DENSITY), round(size.width * DENSITY), 3)
    return np.full(shape, 255, np.uint8)
