"""What is printed on a face of a die: a number with symbol and letter, a symbol alone, or pips."""

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


# How far a letter may reach to the right of a face's middle, and how far down, as shares of its
# side: in a square, in a circle around it, in a face whose sides slant.
SQUARE, CIRCLE = Point(0.47, 0.42), Point(0.55, 0.35)
TRIANGLE, POLYGON = Point(0.75, 0.42), Point(0.5, 0.42)


def draw_face(
    job: Job,
    die: Die,
    face: Face,
    center: Point,
    side: float,
    angle: float = 0.0,
    corner: Point = SQUARE,
) -> list[Item]:
    """Return the ink of a face in a square of ``side`` mm around ``center``, without its ground.

    ``angle`` turns it counterclockwise, in degrees; ``corner`` says how far a letter may reach.
    """
    before, job.items = job.items, []
    _Art(job, die, face, side, corner).draw()
    items, job.items = job.items, before
    return [shifted(turned(item, angle), center.x, center.y) for item in items]


def ground(job: Job, die: Die, face: Face, outline: tuple[Segment, ...]) -> list[Item]:
    """Return the ground of a face within ``outline``: tinted, or solid if the face is black."""
    before, job.items = job.items, []
    lane = _lane(job, face)
    if is_black(die, face):
        paint = Paint(fill=job.style.colour("ink"))
        if not is_inverse(job, die, face):
            paint = job.style.stroke("total", None, PAPER)
        job.draw(outline, paint, "face")
    elif lane:
        job.draw(outline, job.style.stroke("box", lane, job.style.tint(lane) or PAPER), "face")
    else:
        job.draw(outline, job.style.stroke("plain", None, PAPER), "face")
    items, job.items = job.items, before
    return items


def is_black(die: Die, face: Face) -> bool:
    """Whether a face is the wild, black one: without colour, on a die whose others have one."""
    return face.colour is None and any(other.colour for other in die.faces)


def is_inverse(job: Job, die: Die, face: Face) -> bool:
    """Whether a face is printed in white on black: not where ink is saved."""
    return is_black(die, face) and job.style.mode.symbols != "outlined"


def _lane(job: Job, face: Face) -> str | None:
    colours = job.variant.colours or {}
    return str(colours[face.colour].ink) if face.colour else None


# Shares of a face's side: a small symbol, a symbol alone, the room beside a number, the least that
# a number needs on either side of the middle, and how far from it the things in the corners reach.
BONUS, ALONE, BESIDE, LEAST_HALF, CORNER = 0.24, 0.56, 0.03, 0.15, 0.44


class _Art:
    """One face, drawn upright around the origin."""

    def __init__(self, job: Job, die: Die, face: Face, side: float, corner: Point) -> None:
        self.job, self.die, self.face, self.side, self.reach = job, die, face, side, corner
        self.lane = _lane(job, face)
        self.black = is_inverse(job, die, face)

    def draw(self) -> None:
        face, colours = self.face, self.job.variant.colours or {}
        colour = colours[face.colour] if face.colour else None
        if self.die.pips and face.value.isdecimal() and int(face.value) in PIPS:
            self.pips(int(face.value))
            return
        half = 0.39  # of the side: how far the number may reach to the left and to the right
        if face.bonus:
            half = CORNER - BONUS - BESIDE
            middle = Point(BONUS / 2 - CORNER, self.reach.y - BONUS / 2)
            self.symbol(face.bonus, middle, BONUS)
        alone = face.symbol and (colour is None or face.symbol == colour.symbol)
        if colour:
            half = min(half, self.letter(self.job.words(colour.letter), alone=bool(alone)))
        if face.symbol and alone:
            self.symbol(face.symbol, Point(0, -0.06 if colour else 0), ALONE)
            return
        if colour:
            self.symbol(colour.symbol, Point(0, -0.27), 0.3)
        self.number(Point(0, 0.14 if colour else 0.02), 0.42 if colour else 0.5, 2 * half)

    def letter(self, words: str, *, alone: bool) -> float:
        """Ink a colour's letter at the lower right; return how far a number beside it may reach.

        Where a letter of legible size has no room it is left away: the colour's symbol says it.
        """
        line = self.job.sized(words, "face_letter", 0.11 * self.side, least=7.0)
        width, height = line.width / self.side, self.job.cap(line) / self.side
        right = max(CORNER, min(self.reach.x - BESIDE, 0.52))
        x = min(max(right - width, LEAST_HALF + BESIDE), self.reach.x - width)
        bottom = self.reach.y
        if alone:  # beside or below the symbol
            fits = x >= ALONE / 2 or (x >= 0 and bottom - height >= ALONE / 2 - 0.06)
        else:
            fits = x >= LEAST_HALF + BESIDE - 1e-9
        if not fits:
            return 0.39
        self.put(line, x * self.side, bottom * self.side)
        return x - BESIDE

    def symbol(self, name: str, at: Point, share: float) -> None:
        size = share * self.side
        place = Rect(at.x * self.side - size / 2, at.y * self.side - size / 2, size, size)
        ground = (self.job.style.tint(self.lane) if self.lane else None) or PAPER
        self.job.symbol(name, place, self.lane, ground, inverse=self.black)

    def number(self, at: Point, share: float, widest: float) -> None:
        """Ink the value with capitals of ``share`` of the side, smaller if it is long."""
        job, words = self.job, str(self.face.value)
        cap = share * self.side
        line = job.sized(words, "die", cap)
        if line.width > widest * self.side:
            cap *= widest * self.side / line.width
            line = job.sized(words, "die", cap)
        x, y = at.x * self.side - line.width / 2, at.y * self.side + cap / 2
        self.put(line, x, y)
        if self.ambiguous(words):
            bar = Rect(x, y + 0.05 * self.side, line.width, 0.035 * self.side)
            job.draw(rectangle(bar), Paint(fill=self.ink()), "face")

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
