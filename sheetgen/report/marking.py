"""What is drawn over a sheet in a photo: what was read, and what is right of it.

Everything is drawn flat, in mm of the sheet; :mod:`sheetgen.report.annotate` lays it into a photo.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, NamedTuple

from PIL import Image, ImageDraw, ImageFont

from sheetgen.checking import Checked
from sheetgen.geometry import Rect, Size
from sheetgen.read.boxes import Part, Slot
from sheetgen.rules.findings import SheetReport

if TYPE_CHECKING:
    from sheetgen.read.scan.readings import Reading, ScannedSheet

Colour = tuple[int, int, int]
WHITE: Colour = (255, 255, 255)
INK: Colour = (27, 39, 51)
BLUE: Colour = (22, 92, 168)
GREEN: Colour = (16, 124, 72)
RED: Colour = (196, 34, 28)
AMBER: Colour = (255, 190, 46)
BROWN: Colour = (120, 72, 0)  # on and beside amber
QUIET: Colour = (107, 102, 92)

_FINE = 2  # drawn so many times larger, for smooth edges
_ENTRY = 2.5  # mm, the height of type of an entry
_RESULT = 4.0
_LARGEST = 9.0
_ROUND = 3.0  # mm: boxes to tick are small and mostly circles
_LEAST = 5.0  # mm: smaller boxes have no room for a sign


@cache
def font(size: float, face: str = "strong") -> ImageFont.FreeTypeFont:
    """Return a font of the package in px; faces are strong, sans and serif."""
    package, name = {
        "strong": ("font_source_sans_pro", "SourceSansPro-Bold.ttf"),
        "sans": ("font_source_sans_pro", "SourceSansPro-Regular.ttf"),
        "serif": ("font_source_serif_pro", "SourceSerifPro-Semibold.ttf"),
    }[face]
    with as_file(files(package) / "files" / name) as path:
        return ImageFont.truetype(str(path), max(size, 1))


class Canvas:
    """A transparent sheet of ``size`` mm to draw on, ``scale`` px to the mm."""

    def __init__(self, size: Size, scale: float) -> None:
        self.scale = scale * _FINE
        across, down = round(size.width * self.scale), round(size.height * self.scale)
        self.image = Image.new("RGBA", (across, down), (255, 255, 255, 0))
        self.draw = ImageDraw.Draw(self.image)

    def finished(self) -> Image.Image:
        """Return the drawing, ``scale`` px to the mm."""
        return self.image.convert("RGBa").reduce(_FINE).convert("RGBA")

    def px(self, mm: float) -> float:
        """Return a length in px."""
        return mm * self.scale

    def _box(self, rect: Rect) -> tuple[float, float, float, float]:
        return self.px(rect.x), self.px(rect.y), self.px(rect.right), self.px(rect.bottom)

    def frame(
        self, rect: Rect, colour: Colour, width: float = 0.6, fill: int = 0, radius: float = 1.1
    ) -> None:
        """Draw a rounded frame; ``fill`` is the opacity of its ground, 0 to 255."""
        radius = min(radius, rect.width / 2, rect.height / 2)
        ground = (*colour, fill) if fill else None
        line = (*colour, 255) if width else None
        thick = max(1, round(self.px(width)))
        self.draw.rounded_rectangle(self._box(rect), self.px(radius), ground, line, thick)

    def text(
        self, x: float, y: float, words: str, size: float, colour: Colour, halo: int = 0
    ) -> None:
        """Write words around a point, with a white edge of ``halo`` hundredths of mm."""
        self.draw.text(
            (self.px(x), self.px(y)),
            words,
            (*colour, 255),
            font(self.px(size)),
            "mm",
            stroke_width=round(self.px(halo / 100)),
            stroke_fill=(255, 255, 255, 235),
        )

    def words(
        self,
        x: float,
        y: float,
        words: str,
        size: float,
        colour: Colour,
        anchor: str,
        face: str = "strong",
    ) -> None:
        """Write words at a point; ``anchor`` is Pillow's."""
        self.draw.text(
            (self.px(x), self.px(y)), words, (*colour, 255), font(self.px(size), face), anchor
        )

    def line(self, x: float, y: float, right: float, colour: Colour, width: float = 1.0) -> None:
        """Draw a line from left to right."""
        ends = [(self.px(x), self.px(y)), (self.px(right), self.px(y))]
        self.draw.line(ends, (*colour, 255), max(1, round(self.px(width))))

    def width(self, words: str, size: float, face: str = "strong") -> float:
        """Return how wide words are in mm."""
        return font(self.px(size), face).getlength(words) / self.scale

    def chip(
        self, x: float, y: float, words: str, size: float, ink: Colour, ground: Colour
    ) -> None:
        """Write words on a small ground whose right end and middle are given."""
        wide, high = max(self.width(words, size) + 0.5 * size, size * 0.95), size * 0.98
        rect = Rect(x - wide, y - high / 2, wide, high)
        edge = rect.inset(-0.25)
        self.draw.rounded_rectangle(self._box(edge), self.px(0.9), (255, 255, 255, 235))
        self.draw.rounded_rectangle(self._box(rect), self.px(0.7), (*ground, 255))
        self.text(rect.center.x, rect.center.y - 0.02 * size, words, size, ink)

    def tick(self, x: float, y: float, radius: float, colour: Colour = GREEN) -> None:
        """Draw a round sign with a tick around a point."""
        r = radius + 0.28
        self.draw.ellipse(self._box(Rect(x - r, y - r, 2 * r, 2 * r)), (255, 255, 255, 240))
        r = radius
        self.draw.ellipse(self._box(Rect(x - r, y - r, 2 * r, 2 * r)), (*colour, 255))
        shape = ((-0.48, 0.02), (-0.14, 0.38), (0.5, -0.36))
        points = [(self.px(x + dx * r), self.px(y + dy * r)) for dx, dy in shape]
        self.draw.line(points, WHITE, max(1, round(self.px(0.3 * r))), "curve")

    def strike(self, rect: Rect) -> None:
        """Strike through what stands in a box."""
        y = rect.center.y
        left, right = rect.x + 0.12 * rect.width, rect.right - 0.12 * rect.width
        rise = min(0.16 * rect.height, 1.0)
        points = [(self.px(left), self.px(y + rise)), (self.px(right), self.px(y - rise))]
        self.draw.line(points, (255, 255, 255, 200), round(self.px(1.1)))
        self.draw.line(points, (*RED, 255), round(self.px(0.6)))


class _Result(NamedTuple):
    """A result's box, its right number, what is written, and what a sheet says about it."""

    rect: Rect
    right: int
    written: int | None
    reading: Reading | None
    large: bool


def draw(scan: ScannedSheet, copy: int, checked: Checked, scale: float) -> Image.Image:
    """Return what to lay over one scanned sheet, ``scale`` px to the mm."""
    canvas = Canvas(scan.scene.size, scale)
    results = list(_results(scan, copy, checked))
    taken = {result.rect for result in results}
    ticks = {box.id for box in scan.scene.boxes if box.kind == "tick"}
    for box in scan.scene.boxes:
        reading = scan.readings.get(box.id)
        if reading and box.kind != "text" and box.rect not in taken:
            (_tick if box.id in ticks else _entry)(canvas, box.rect, reading)
    for result in results:
        _result(canvas, result)
    return canvas.finished()


def _minus(number: object) -> str:
    return str(number).replace("-", "−")


# -- entries and ticks ----------------------------------------------------------------------------


def _entry(canvas: Canvas, rect: Rect, reading: Reading) -> None:
    text = _minus(reading.value) if isinstance(reading.value, str) else ""
    if reading.doubt:
        _doubt(canvas, rect, text)
    elif text:
        size = min(_ENTRY, 0.42 * rect.height)
        canvas.chip(rect.right + 0.4, rect.y + 0.42 * size, text, size, WHITE, BLUE)


def _tick(canvas: Canvas, rect: Rect, reading: Reading) -> None:
    if reading.doubt:
        _doubt(canvas, rect, "")
    elif reading.value:
        canvas.frame(rect.inset(-0.2), BLUE, 0.45, 90, _ROUND)
    elif reading.state == "cancelled":
        canvas.frame(rect.inset(-0.2), QUIET, 0.45, 70, _ROUND)


def _doubt(canvas: Canvas, rect: Rect, text: str) -> None:
    """Frame a box in doubt and say what it seems to hold."""
    canvas.frame(rect.inset(-0.5), WHITE, 1.3)
    canvas.frame(rect.inset(-0.3), AMBER, 0.9, 70)
    if rect.height >= _LEAST:
        size = min(_ENTRY * 1.15, 0.48 * rect.height)
        canvas.chip(rect.right + 0.9, rect.y + 0.3 * size, f"{text}?", size, BROWN, AMBER)
    else:
        canvas.text(rect.center.x, rect.center.y, "?", min(rect.width, rect.height), BROWN, 25)


# -- results --------------------------------------------------------------------------------------


def _results(scan: ScannedSheet, copy: int, checked: Checked) -> Iterable[_Result]:
    """Yield the boxes of results, those of the match among them."""
    from sheetgen.read.boxes import boxes_of

    if not checked.report or not checked.match or not checked.variant:
        return
    rects = {box.id: box.rect for box in scan.scene.boxes}
    owners: dict[str, str] = {}
    for index, (of, part) in enumerate(checked.origins):
        if of == copy:
            report = checked.report.sheets[index]
            owners.setdefault(part.owner, report.player)
            for name, slot, right in _slots(part, report):
                reading = scan.readings.get(slot.box)
                written = report.written.get(name)
                large = name == "total"
                yield _Result(rects[slot.box], right, written, reading, large)
    boxes = boxes_of(checked.variant, scan.identity.sheet, scan.scene.boxes)
    for owner, box in boxes.matches.items():
        player = owners.get(owner, "")
        if player in checked.report.totals:
            right, written = checked.report.totals[player], checked.match.totals.get(player)
            yield _Result(rects[box], right, written, scan.readings.get(box), large=True)


def _slots(part: Part, report: SheetReport) -> Iterable[tuple[str, Slot, int]]:
    """Yield the boxes to write results in, with their names and the right numbers."""
    for name, slots in part.results.items():
        if name in report.scores:
            for slot in slots:
                if slot.printed is None:
                    yield name, slot, report.scores[name]


def _result(canvas: Canvas, result: _Result) -> None:
    rect, right = result.rect, _minus(result.right)
    size = min(_LARGEST if result.large else _RESULT, 0.62 * rect.height)
    small = min(_RESULT * (1.35 if result.large else 1), 0.5 * rect.height)
    corner = rect.right - 0.2, rect.y + 0.2
    if result.reading and result.reading.doubt:
        value = result.reading.value
        _doubt(canvas, rect, _minus(value) if isinstance(value, str) else "")
        if str(value) != str(result.right):
            canvas.chip(rect.right + 0.6, rect.bottom - small / 2, right, small, WHITE, BLUE)
    elif result.written is None:
        canvas.frame(rect.inset(-0.1), BLUE, 0.4)
        wide, full = canvas.width(right, size), size
        size *= min(1.0, 0.86 * rect.width / wide)
        # The label stands in the upper left corner: beside it in flat boxes, else below.
        flat = rect.width > 2.2 * rect.height
        x = rect.right - size * 0.3 - wide / 2 * size / full if flat else rect.center.x
        canvas.text(x, rect.center.y + 0.06 * rect.height, right, size, BLUE, 30)
    elif result.written == result.right:
        canvas.frame(rect.inset(-0.15), GREEN, 0.7)
        canvas.tick(*corner, 2.4 if result.large else min(1.6, 0.25 * rect.height))
    else:
        canvas.frame(rect.inset(-0.15), RED, 0.7)
        canvas.strike(rect)
        read = min(_ENTRY, 0.36 * rect.height)
        # Both inside the box: boxes may stand close below each other.
        canvas.chip(rect.right + 0.7, rect.y + read / 2, _minus(result.written), read, WHITE, BLUE)
        canvas.chip(rect.right + 0.9, rect.bottom - small / 2 + 0.1, right, small, WHITE, RED)
