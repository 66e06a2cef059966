"""Small scenes to draw, and eyes to look at what became of them."""

from __future__ import annotations

import io
from importlib.resources import files
from pathlib import Path as File

from PIL import Image

from sheetgen.draw.pdf import pdf
from sheetgen.draw.png import png
from sheetgen.fonts import Fonts
from sheetgen.geometry import Affine, Rect, Size
from sheetgen.impose import Imposition, Page
from sheetgen.scene import Item, Paint, Path, Scene, Text, rectangle

SANS = File(str(files("font_source_sans_pro"))) / "files"
SHEET = Size(100, 60)


def fonts(**more: File) -> Fonts:
    """Return two fonts, ``sans`` and ``bold``, and whichever else is given."""
    regular, bold = SANS / "SourceSansPro-Regular.ttf", SANS / "SourceSansPro-Bold.ttf"
    return Fonts({"sans": regular, "bold": bold, **more})


def sheet(*items: Item, title: str = "Pad", language: str = "en") -> Scene:
    """Return a sheet of 100 mm × 60 mm."""
    return Scene(title, language, SHEET, 5, items, ())


def block(
    x: float, y: float, width: float, height: float, *, colour: str = "#000000", role: str = "box"
) -> Path:
    """Return a filled rectangle."""
    return Path(rectangle(Rect(x, y, width, height)), Paint(fill=colour), role)


def words(string: str, x: float = 10, y: float = 30, angle: int = 0, tracking: float = 0) -> Text:
    """Return a text of 12 pt in black."""
    return Text(x, y, string, "sans", 12, "#000000", tracking, 0, angle, "text")


def alone(size: Size = SHEET) -> Imposition:
    """Return one sheet without paper around it, as in a preview."""
    slots = (Affine.shift(0, 0),)
    return Imposition(size, size, slots, (), (Page("front", (1,)),), (), "none", Rect(0, 0, *size))


def pairs(copies: int, marks: tuple[Path, ...] = ()) -> Imposition:
    """Return copies two to a page of 120 mm × 140 mm, one below the other, 10 mm from the edge."""
    slots = (Affine.shift(10, 10), Affine.shift(10, 70))
    pages = tuple(
        Page("front", (copy, copy + 1 if copy < copies else 0)) for copy in range(1, copies + 1, 2)
    )
    return Imposition(
        Size(120, 140), SHEET, slots, (), pages, marks, "none", Rect(10, 10, 100, 120)
    )


def picture(scene: Scene, dpi: float = 150) -> Image.Image:
    """Return the sheet as a grey picture."""
    return look(pdf(scene, None, alone(), fonts()), dpi)


def look(file: bytes, dpi: float = 150, page: int = 0) -> Image.Image:
    """Return a page as a grey picture."""
    return Image.open(io.BytesIO(png(file, dpi, page))).convert("L")


def ink(image: Image.Image) -> tuple[int, int, int, int]:
    """Return left, top, right and lower edge of what is darker than half grey, in pixels."""
    box = image.point(lambda value: 255 * (value < 128)).getbbox()
    assert box is not None, "nothing is drawn"
    return box
