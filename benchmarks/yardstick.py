"""What a programmer would write by hand with reportlab: one pad drawn once, two to an A4 page.

python yardstick.py COPIES OUT.pdf
"""

import sys

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

WIDTH, HEIGHT = 148.5 * mm, 210 * mm  # half of an A4 page that lies on its side
EDGE, GUTTER = 10 * mm, 2 * mm
LANE = (WIDTH - 2 * EDGE - 4 * GUTTER) / 5
ROWS, TICKS = 12, 25
LANES = {
    "red": ((0.78, 0.16, 0.18), (0.98, 0.91, 0.9)),
    "amber": ((0.85, 0.6, 0.05), (1.0, 0.96, 0.86)),
    "blue": ((0.15, 0.36, 0.7), (0.9, 0.94, 0.99)),
    "green": ((0.18, 0.52, 0.28), (0.9, 0.96, 0.91)),
    "grey": ((0.4, 0.42, 0.45), (1.0, 1.0, 1.0)),
}
NOTES = (
    "Everyone throws five dice in turn, may set some aside, and throws the others a second time.",
    "The dice of one colour are added up and noted in that colour's next box, from top to bottom.",
    "Only a higher number than the one before may follow. Whoever has none must strike out a box.",
    "Each throw is ticked off in the row of small boxes. The round of the last tick is played out.",
    "Columns without a gap count twice, every struck box costs five, and grey stands for anything.",
    "The five sums go into the boxes at the foot; most points win, of equals the fewer strikes.",
)


Colour = tuple[float, float, float]


class Pad:
    """A canvas with the origin at the top left."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas

    def box(
        self,
        *place: float,
        line: Colour = (0, 0, 0),
        pen: float = 0.8,
        fill: Colour | None = None,
    ) -> None:
        """Draw a rectangle, given by its upper left corner, its width and its height."""
        x, y, width, height = place
        self.canvas.setLineWidth(pen)
        self.canvas.setStrokeColorRGB(*line)
        if fill is not None:
            self.canvas.setFillColorRGB(*fill)
        self.canvas.rect(x, HEIGHT - y - height, width, height, 1, int(fill is not None))

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float,
        colour: Colour = (0, 0, 0),
        *,
        bold: bool = False,
        centred: bool = False,
    ) -> None:
        """Set words on the base line y."""
        self.canvas.setFont("Helvetica-Bold" if bold else "Helvetica", size)
        self.canvas.setFillColorRGB(*colour)
        draw = self.canvas.drawCentredString if centred else self.canvas.drawString
        draw(x, HEIGHT - y, words)


def draw(pad: Pad) -> None:
    """Draw 95 boxes and 104 texts."""
    pad.text(EDGE, 15 * mm, "Five Lanes", 20, bold=True)
    pad.text(78 * mm, 15 * mm, "Name ________________________  Date __________", 8)
    for place, (name, (ink, tint)) in enumerate(LANES.items()):
        x = EDGE + place * (LANE + GUTTER)
        letter = name[0].upper()
        pad.box(x, 20 * mm, LANE, 7 * mm, line=ink, fill=ink)
        pad.text(x + LANE / 2, 25 * mm, letter, 12, (1, 1, 1), bold=True, centred=True)
        for row in range(ROWS):
            y = (28 + 8 * row) * mm
            pad.box(x, y, LANE, 7.4 * mm, line=ink, fill=tint)
            pad.text(x + mm, y + 2.6 * mm, f"{letter}{row + 1}", 6, ink)
        pad.box(x, 126 * mm, LANE, 9 * mm, line=ink, pen=1.4)
        pad.text(x + mm, 128.8 * mm, f"SUM OF {letter}", 6, ink, bold=True)
    pad.text(EDGE, 142 * mm, "Throws", 8, bold=True)
    for tick in range(TICKS):
        x = EDGE + tick * 5.14 * mm
        pad.box(x, 144 * mm, 4.7 * mm, 4.7 * mm, pen=0.5)
        pad.text(x + 2.35 * mm, 147.2 * mm, str(tick + 1), 5, (0.6, 0.6, 0.6), centred=True)
    for number, note in enumerate(NOTES):
        pad.text(EDGE, (156 + 3.4 * number) * mm, f"{number + 1}. {note}", 7)


def main() -> None:
    """Write the pads."""
    copies, out = int(sys.argv[1]), sys.argv[2]
    canvas = Canvas(out, pagesize=(2 * WIDTH, HEIGHT), pageCompression=1)
    canvas.beginForm("sheet", 0, 0, WIDTH, HEIGHT)
    draw(Pad(canvas))
    canvas.endForm()
    for left in range(copies, 0, -2):
        for place in range(min(left, 2)):
            canvas.saveState()
            canvas.translate(place * WIDTH, 0)
            canvas.doForm("sheet")
            canvas.restoreState()
        canvas.showPage()
    canvas.save()


main()
