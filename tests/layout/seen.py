"""Pictures of sheets, made from the PDF that is printed, and what is to be seen in them."""

from __future__ import annotations

import io
from functools import cache

from laid import Case, lay, style, variant
from PIL import Image, ImageStat

from sheetgen.draw.pdf import pdf
from sheetgen.draw.png import png
from sheetgen.geometry import MM_PER_INCH, Rect
from sheetgen.impose import alone
from sheetgen.scene import Scene

Colour = tuple[float, float, float]


def usual(name: str, sheet: str = "score", ink: str = "full", language: str = "en") -> Case:
    """Return a variant's sheet for the usual number of players."""
    game = variant(name)
    return Case(name, sheet, language, game.usual or game.players[0], (), ink)


def picture(scene: Scene, look: Case, dpi: float) -> Image.Image:
    """Draw a scene as a colour picture."""
    fonts = style(str(variant(look.variant).theme), look.ink).fonts
    file = pdf(scene, None, alone(scene.size), fonts)
    return Image.open(io.BytesIO(png(file, dpi))).convert("RGB")


@cache
def seen(case: Case, dpi: float = 100) -> Image.Image:
    """Draw a case once."""
    return picture(lay(case), case, dpi)


def part(image: Image.Image, rect: Rect, dpi: float = 100) -> Image.Image:
    """Cut out the whole pixels inside a rectangle given in mm."""
    scale = dpi / MM_PER_INCH
    left, top = -int(-rect.x * scale // 1), -int(-rect.y * scale // 1)
    return image.crop((left, top, int(rect.right * scale), int(rect.bottom * scale)))


def mean(image: Image.Image) -> Colour:
    """Return the mean of the three channels."""
    red, green, blue = ImageStat.Stat(image).mean
    return red, green, blue


def dark(image: Image.Image, level: int = 200) -> float:
    """Return the share of pixels darker than ``level``."""
    grey = image.convert("L")
    return sum(grey.histogram()[:level]) / (grey.width * grey.height)


def rgb(colour: str) -> Colour:
    """Turn ``#rrggbb`` into three channels."""
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue


def apart(a: Colour, b: Colour) -> float:
    """Return the largest difference of a channel."""
    return max(abs(x - y) for x, y in zip(a, b, strict=True))
