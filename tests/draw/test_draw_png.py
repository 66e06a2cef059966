from __future__ import annotations

import io
import math

import pytest
from drawn import alone, block, fonts, sheet
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from sheetgen.draw.pdf import pdf
from sheetgen.draw.png import png
from sheetgen.errors import InputError
from sheetgen.geometry import Size
from sheetgen.impose import Page


@given(st.floats(20, 300), st.floats(20, 300), st.floats(20, 150))
@settings(max_examples=25, deadline=None)
def test_size_in_pixels(width: float, height: float, dpi: float) -> None:
    """A picture has mm × dpi / 25.4 pixels, rounded, whatever the paper."""
    size = Size(width, height)
    scene = sheet()._replace(size=size)
    image = Image.open(io.BytesIO(png(pdf(scene, None, alone(size), fonts()), dpi)))
    # the PDF gives its size to a thousandth of a point
    for pixels, length in zip(image.size, size, strict=True):
        assert pixels == pytest.approx(length * dpi / 25.4, abs=0.502)


def test_picture_knows_its_resolution() -> None:
    """A picture of 100 mm × 60 mm at 150 dpi has 591 × 354 pixels in colour and says its dpi."""
    image = Image.open(io.BytesIO(png(pdf(sheet(), None, alone(), fonts()), 150)))
    # 100 / 25.4 × 150 = 590.55, 60 / 25.4 × 150 = 354.33
    assert (image.size, image.mode) == ((591, 354), "RGB")
    assert image.info["dpi"] == pytest.approx((150, 150), abs=0.02)


def test_colours_are_the_scenes() -> None:
    """A colour in the scene is the same colour in the picture, on white."""
    file = pdf(sheet(block(10, 10, 20, 20, colour="#3366cc")), None, alone(), fonts())
    image = Image.open(io.BytesIO(png(file, 25.4)))
    assert image.getpixel((20, 20)) == (0x33, 0x66, 0xCC)
    assert image.getpixel((50, 50)) == (255, 255, 255)


def test_any_page() -> None:
    """Pages count from 0."""
    pad = alone()._replace(pages=(Page("front", (1,)), Page("front", (0,))))
    file = pdf(sheet(block(10, 10, 20, 20)), None, pad, fonts())
    pages = [Image.open(io.BytesIO(png(file, 72, page))).convert("L") for page in (0, 1)]
    assert [page.getextrema()[0] for page in pages] == [0, 255]


def test_same_picture_again() -> None:
    """The same file at the same resolution gives the same bytes."""
    file = pdf(sheet(block(10, 10, 20, 20)), None, alone(), fonts())
    assert png(file, 96) == png(file, 96)


@pytest.mark.parametrize("dpi", [0, -150, 19.9, 1201, 1e9, math.nan, math.inf])
def test_resolution_is_limited(dpi: float) -> None:
    """A resolution that makes no picture, or a giant one, is refused with the limits."""
    with pytest.raises(InputError, match="give 20 to 1200 dpi"):
        png(b"", dpi)
