"""Every kind of picture file becomes pages of pixels, or says why not."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from sheetgen.errors import InputError
from sheetgen.read.scan import pictures
from sheetgen.read.scan.arrays import Pixels

SHAPE = (120, 160)


def stored(image: Image.Image, kind: str, **options: object) -> bytes:
    """Return a picture as a file."""
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def ramp(mode: str) -> Image.Image:
    """Return a picture that is dark on the left."""
    grey = np.tile(np.linspace(0, 255, SHAPE[1]).astype(np.uint8), (SHAPE[0], 1))
    return Image.fromarray(grey).convert(mode)


def dark_left(page: Pixels) -> bool:
    """Tell whether a page is dark on the left and light on the right."""
    return bool(page[:, :20].mean() < 60 and page[:, -20:].mean() > 190)


@pytest.mark.parametrize("mode", ["L", "RGB", "1", "P"])
@pytest.mark.parametrize("kind", ["PNG", "TIFF", "BMP", "GIF", "WEBP", "JPEG"])
def test_usual_files_are_opened(mode: str, kind: str) -> None:
    """Grey, coloured, black and white and paletted pictures look as they are."""
    image = ramp(mode)
    if (kind, mode) in {("JPEG", "P"), ("WEBP", "1")}:
        image = image.convert("RGB")
    (page,) = pictures.pages(stored(image, kind), "x")
    assert page.shape == (*SHAPE, 3)
    assert page.dtype == np.uint8
    assert dark_left(page)


def test_unusual_pixels_are_opened() -> None:
    """CMYK, 16 bit and floating point are brought to 8 bit."""
    cmyk = stored(ramp("RGB").convert("CMYK"), "JPEG")
    deep = Image.fromarray(np.asarray(ramp("L")).astype(np.uint16) * 257)
    real = ramp("L").convert("F")
    for data in (cmyk, stored(deep, "PNG"), stored(deep, "TIFF"), stored(real, "TIFF")):
        (page,) = pictures.pages(data, "x")
        assert dark_left(page)


def test_what_is_transparent_is_paper() -> None:
    """Nothing becomes white, not black."""
    image = Image.new("RGBA", (200, 200), (0, 0, 0, 0))
    (page,) = pictures.pages(stored(image, "PNG"), "x")
    assert page.min() == 255


def test_a_tiff_has_pages() -> None:
    """A scanner's TIFF of three pages is three pages."""
    first, *rest = (ramp("L") for _ in range(3))
    data = stored(first, "TIFF", save_all=True, append_images=rest)
    assert len(list(pictures.pages(data, "x"))) == 3


def test_large_pictures_are_made_smaller() -> None:
    """What has more pixels than are looked at keeps its shape and loses size."""
    (page,) = pictures.pages(stored(Image.new("L", (6000, 4000), 255), "PNG"), "x")
    assert page.shape[0] * page.shape[1] <= pictures.MOST_PIXELS * 1.01
    assert page.shape[1] / page.shape[0] == pytest.approx(1.5, abs=0.01)


def test_a_scanned_pdf_is_drawn_as_finely_as_it_was_scanned() -> None:
    """A page that is one picture of 150 dpi becomes a picture of 150 dpi."""
    scan = Image.new("L", (600, 900), 255)
    data = stored(scan, "PDF", resolution=150)
    (page,) = pictures.pages(data, "x")
    assert page.shape[:2] == pytest.approx((900, 600), abs=2)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\x89PNG\r\n\x1a\nrest", "cannot be opened"),
        (b"\xff\xd8\xff\xe0nothing", "cannot be opened"),
        (b"II*\0\x08\0\0\0\0\0", "cannot be opened"),
        (b"\0\0\0\x18ftypheic\0\0\0\0", "pillow-heif"),
        (b"%PDF-1.7 nothing", "cannot be opened"),
    ],
)
def test_broken_files_are_refused_in_words(data: bytes, said: str) -> None:
    """A file that only begins like a picture is no traceback."""
    with pytest.raises(InputError, match=said):
        list(pictures.pages(data, "x"))


def test_half_a_picture_is_refused() -> None:
    """A download that was cut off is said to be broken."""
    noise = np.random.default_rng(1).integers(0, 255, (400, 400), np.uint8)
    data = stored(Image.fromarray(noise), "PNG")
    with pytest.raises(InputError, match="whose end is missing"):
        list(pictures.pages(data[: len(data) // 2], "x"))


def test_sizes_have_bounds() -> None:
    """A stamp shows no sheet; a bomb of pixels is not unpacked."""
    with pytest.raises(InputError, match="too small"):
        list(pictures.pages(stored(Image.new("L", (40, 300)), "PNG"), "x"))
    bomb = stored(Image.new("1", (20_000, 20_000)), "PNG")
    with pytest.raises(InputError, match="at most 250 million"):
        list(pictures.pages(bomb, "x"))


def test_an_encrypted_scan_needs_its_password(tmp_path: Path) -> None:
    """Without the password it cannot be opened, with it it can."""
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(stored(ramp("L"), "PDF"))))
    writer.encrypt("open", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    with pytest.raises(InputError, match="--password"):
        list(pictures.pages(out.getvalue(), "x"))
    assert len(list(pictures.pages(out.getvalue(), "x", "open"))) == 1
