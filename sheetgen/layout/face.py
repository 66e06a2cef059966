"""What is printed on one face of a die: a number with its symbol and letter, a symbol alone, pips."""

from __future__ import annotations

from sheetgen.geometry import Point, Rect
from sheetgen.layout.job import Job, Set
from sheetgen.model import Die, Face
from sheetgen.scene import Item, Paint, Segment, circle, polyline, rectangle, shifted, turned
from sheetgen.theme import PAPER

# A number that reads as another one upside down is underlined, if the die has both.
_UPSIDE_DOWN = str.maketrans("0689", "0986")

# Where pips stand, in quarters of the face from its middle.
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


def draw_face(
    job: Job, die: Die, face: Face, center: Point, side: float, angle: float = 0.0
) -> list[Item]:
    """Return the ink of a face in a square of ``side`` mm around ``center``, without its ground.

    ``angle`` turns it counterclockwise, in degrees.
    """
    before, job.items = job.items, []
    square = Rect(-side / 2, -side / 2, side, side)
    _Art(job, die, face, square).draw()
    items, job.items = job.items, before
    return [shifted(turned(item, angle), center.x, center.y) for item in items]


def ground(job: Job, die: Die, face: Face, outline: tuple[Segment, ...]) -> list[Item]:
    """Return the ground of a face within ``outline``: tinted, or solid if the face is black."""
    before, job.items = job.items, []
    lane = _lane(job, face)
    if is_black(die, face):
        fill = job.style.colour("ink")
        if job.style.mode.symbols == "outlined":
            job.draw(outline, job.style.stroke("total", None, PAPER), "face")
        else:
            job.draw(outline, Paint(fill=fill), "face")
    elif lane:
        job.draw(outline, job.style.stroke("box", lane, job.style.tint(lane) or PAPER), "face")
    else:
        job.draw(outline, job.style.stroke("plain", None, PAPER), "face")
    items, job.items = job.items, before
    return items


def is_black(die: Die, face: Face) -> bool:
    """Whether a face is the wild, black one: without colour, on a die whose others have one."""
    return face.colour is None and any(other.colour for other in die.faces)


def _lane(job: Job, face: Face) -> str | None:
    colours = job.variant.colours or {}
    return str(colours[face.colour].ink) if face.colour else None


class _Art:
    """One face, drawn upright around the origin."""

    def __init__(self, job: Job, die: Die, face: Face, square: Rect) -> None:
        self.job, self.die, self.face, self.square = job, die, face, square
        self.side = square.width
        self.lane = _lane(job, face)
        self.black = is_black(die, face) and job.style.mode.symbols != "outlined"

    def draw(self) -> None:
        face, colours = self.face, self.job.variant.colours or {}
        colour = colours[face.colour] if face.colour else None
        if self.die.pips and face.value.isdecimal() and int(face.value) in PIPS:
            self.pips(int(face.value))
            return
        if face.symbol and (colour is None or face.symbol == colour.symbol):
            self.symbol(face.symbol, Point(0, -0.06 if colour else 0), 0.56)
        else:
            top = -0.27 if colour else None
            if colour:
                self.symbol(colour.symbol, Point(0, -0.27), 0.3)
            self.number(Point(0, 0.14 if top else 0.02), 0.42 if top else 0.5)
        if colour:
            self.corner(self.job.words(colour.letter), Point(0.36, 0.37))
        if face.bonus:
            self.symbol(face.bonus, Point(-0.33, 0.33), 0.24)

    def symbol(self, name: str, at: Point, share: float) -> None:
        size = share * self.side
        place = Rect(at.x * self.side - size / 2, at.y * self.side - size / 2, size, size)
        ground = (self.job.style.tint(self.lane) if self.lane else None) or PAPER
        self.job.symbol(name, place, self.lane, ground, inverse=self.black)

    def number(self, at: Point, share: float) -> None:
        """Ink the value with capitals of ``share`` of the side, narrower if it is long."""
        job, words = self.job, str(self.face.value)
        cap = share * self.side
        line = job.sized(words, "die", cap)
        widest = 0.78 * self.side
        if line.width > widest:
            cap *= widest / line.width
            line = job.sized(words, "die", cap)
        x, y = at.x * self.side - line.width / 2, at.y * self.side + cap / 2
        self.put(line, x, y)
        if self.ambiguous(words):
            bar = Rect(x, y + 0.05 * self.side, line.width, 0.035 * self.side)
            job.draw(rectangle(bar), Paint(fill=self.ink()), "face")

    def corner(self, letter: str, at: Point) -> None:
        line = self.job.sized(letter, "face_letter", 0.11 * self.side, least=7.0)
        x = at.x * self.side - line.width / 2
        self.put(line, x, at.y * self.side + self.job.cap(line) / 2)

    def put(self, line: Set, x: float, y: float) -> None:
        self.job.put(line, x, y, self.lane, colour=self.ink())

    def ink(self) -> str:
        style = self.job.style
        if self.black:
            return PAPER
        return style.colour("lane", self.lane) if self.lane else style.colour("ink")

    def pips(self, value: int) -> None:
        radius = 0.095 * self.side
        for column, row in PIPS[value]:
            middle = (column * self.side / 4, row * self.side / 4)
            self.job.draw(circle(*middle, radius), Paint(fill=self.ink()), "face")

    def ambiguous(self, words: str) -> bool:
        values = {str(face.value) for face in self.die.faces}
        flipped = words.translate(_UPSIDE_DOWN)[::-1]
        return set(words) <= set("0689") and flipped != words and flipped in values


def inset(polygon: tuple[Point, ...], share: float) -> tuple[Segment, ...]:
    """Return a polygon drawn towards its middle by ``share``."""
    x = sum(p.x for p in polygon) / len(polygon)
    y = sum(p.y for p in polygon) / len(polygon)
    keep = 1 - share
    return polyline([(x + (p.x - x) * keep, y + (p.y - y) * keep) for p in polygon], close=True)
