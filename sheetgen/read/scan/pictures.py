"""Picture files and scanned PDFs as pages of pixels, whatever program made them."""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from sheetgen.errors import InputError, Problem
from sheetgen.geometry import MM_PER_INCH

if TYPE_CHECKING:
    from PIL import Image

    from sheetgen.read.scan.arrays import Pixels

MOST_PIXELS = 16_000_000  # of a page that is looked at: A4 at 400 dpi; larger ones are made smaller
MOST_TO_OPEN = 250_000_000  # pixels of a file: a phone's 200 megapixels
MOST_PAGES = 200
SCAN_DPI = 300  # of PDF pages whose pictures do not tell a lower one
LEAST_SIDE = 100  # px


def pages(data: bytes, file: str, password: str | None = None) -> Iterator[Pixels]:
    """Yield the pages of a picture or a scanned PDF, as arrays of height x width x 3 (BGR).

    Raises :class:`InputError` for a file that cannot be opened.
    """
    if b"%PDF-" in data[:1024]:
        yield from _pdf_pages(data, file, password)
    else:
        yield from _frames(data, file)


def _frames(data: bytes, file: str) -> Iterator[Pixels]:
    from PIL import Image, ImageSequence

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            _register_heif()
            Image.MAX_IMAGE_PIXELS = None  # the limit below has words
            with Image.open(io.BytesIO(data)) as image:
                _refuse(image, file)
                image.draft("RGB", _reduced(image.size))
                for number, frame in enumerate(ImageSequence.Iterator(image)):
                    _refuse(frame, file)
                    if number >= MOST_PAGES:
                        raise InputError(_too_many(file))
                    yield _pixels(frame)
        except (OSError, ValueError, SyntaxError, EOFError, ArithmeticError, MemoryError) as error:
            raise InputError(_broken(data, file, error)) from None


def _register_heif() -> None:
    """Let Pillow open HEIC where the package for it is there."""
    try:
        import pillow_heif  # type: ignore[import-not-found]
    except ImportError:
        return
    pillow_heif.register_heif_opener()


def _refuse(image: Image.Image, file: str) -> None:
    width, height = image.size
    if width * height > MOST_TO_OPEN:
        found = f"a picture of {width} x {height} pixels"
        raise InputError(Problem(found, f"at most {MOST_TO_OPEN // 10**6} million", file=file))
    if min(width, height) < LEAST_SIDE:
        found = f"a picture of {width} x {height} pixels"
        raise InputError(Problem(found, "too small to show a sheet", file=file))


def _broken(data: bytes, file: str, error: Exception) -> Problem:
    if data[4:12] in (b"ftypheic", b"ftypheix", b"ftypmif1", b"ftyphevc"):
        return Problem("a HEIC picture", "run pip install pillow-heif, or give a JPEG", file=file)
    found = "a picture that cannot be opened"
    if "truncated" in str(error):
        found = "a picture whose end is missing"
    return Problem(found, "give another file", file=file)


def _too_many(file: str) -> Problem:
    return Problem(f"more than {MOST_PAGES} pages", "split the file", file=file)


def _reduced(size: tuple[int, int]) -> tuple[int, int]:
    """Return a size in px that is no larger than what is looked at."""
    share = min(1.0, math.sqrt(MOST_PIXELS / (size[0] * size[1])))
    return max(1, round(size[0] * share)), max(1, round(size[1] * share))


def _pixels(image: Image.Image) -> Pixels:
    """Return a picture's pixels, on white where it is transparent."""
    import cv2

    if image.mode.startswith(("I", "F")):
        array = np.nan_to_num(np.asarray(image, dtype=np.float64))
        top = 65535.0 if array.max() > 255 else 255.0
        grey = np.clip(array * (255.0 / top), 0, 255).astype(np.uint8)
        found: Any = cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)
    else:
        if image.has_transparency_data:
            from PIL import Image as pillow  # noqa: N813

            rgba = image.convert("RGBA")
            image = pillow.alpha_composite(pillow.new("RGBA", rgba.size, "white"), rgba)
        found = np.asarray(image.convert("RGB"))[:, :, ::-1]
    size = _reduced(image.size)
    if size != image.size:
        found = cv2.resize(found, size, interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(found)


def _pdf_pages(data: bytes, file: str, password: str | None) -> Iterator[Pixels]:
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(data, password=password)
    except pypdfium2.PdfiumError as error:
        found = f"a PDF that cannot be opened ({str(error).rstrip('.').lower()[:80]})"
        raise InputError(Problem(found, "give another file, or --password", file=file)) from None
    with document:
        if len(document) > MOST_PAGES:
            raise InputError(_too_many(file))
        for number in range(len(document)):
            try:
                page = document[number]
                bitmap = page.render(scale=_scale(page), rev_byteorder=False, may_draw_forms=True)
                array = bitmap.to_numpy()
            except (pypdfium2.PdfiumError, ValueError, MemoryError):
                found = f"page {number + 1} cannot be drawn"
                raise InputError(Problem(found, "give another file", file=file)) from None
            yield np.ascontiguousarray(array[:, :, :3] if array.ndim == 3 else _grey(array))


def _grey(array: Any) -> Any:
    import cv2

    return cv2.cvtColor(array, cv2.COLOR_GRAY2BGR)


def _scale(page: Any) -> float:
    """Return the px per pt to draw a page with: those of its largest picture, if it tells."""
    from pypdfium2 import raw

    width, height = page.get_size()
    dpi = SCAN_DPI
    for item in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=2):
        left, bottom, right, top = item.get_bounds()
        if (right - left) * (top - bottom) > 0.5 * width * height:
            pixels, _ = item.get_px_size()
            dpi = min(dpi, round(72 * max(pixels / (right - left), 1.0)))
    most = math.sqrt(MOST_PIXELS / (width * height))
    return float(min(dpi / 72, most))


def dpi(scale: float) -> int:
    """Return the resolution in dpi that ``scale`` px per mm are."""
    return round(scale * MM_PER_INCH)
