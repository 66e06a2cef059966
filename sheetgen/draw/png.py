"""Pictures of PDF pages.

They are made from the very file that is printed, so a preview cannot differ from the print. A
picture of a sheet without paper around it is one of a PDF whose paper is the sheet: see
:func:`sheetgen.draw.pdf.pdf`.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from sheetgen.errors import InputError, Problem

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_PIXELS = 80_000_000  # a quarter of a gigabyte
MIN_DPI, MAX_DPI = 20, 1200


def png(pdf: bytes, dpi: float, page: int = 0) -> bytes:
    """Return ``page`` (from 0) of a PDF file as a PNG file of ``dpi`` pixels per inch.

    Its width and height are those of the paper, rounded to whole pixels. The same input gives the
    same bytes. Raises :class:`InputError` if ``dpi`` is not between 20 and 1200.
    """
    out = io.BytesIO()
    picture(pdf, dpi, page).save(out, "PNG", dpi=(dpi, dpi))
    return out.getvalue()


def picture(pdf: bytes, dpi: float, page: int = 0) -> Image:
    """Return the same as pixels (RGB). Raises :class:`InputError` as :func:`png` does."""
    if not MIN_DPI <= dpi <= MAX_DPI:
        raise InputError(
            Problem(f"a resolution of {dpi:g} dpi", f"give {MIN_DPI} to {MAX_DPI} dpi")
        )
    import pypdfium2
    from pypdfium2 import raw

    with pypdfium2.PdfDocument(pdf) as document:
        sheet = document[page]
        # The library's own render() rounds up; a picture must have the size that was announced.
        width, height = (max(1, round(length * dpi / 72)) for length in sheet.get_size())
        if width * height > MOST_PIXELS:
            found = f"a picture of {width} x {height} pixels"
            allowed = f"at most {MOST_PIXELS / 1e6:.0f} million are drawn, give fewer dpi"
            raise InputError(Problem(found, allowed))
        bitmap = pypdfium2.PdfBitmap.new_native(width, height, raw.FPDFBitmap_BGR)
        bitmap.fill_rect((255, 255, 255, 255), 0, 0, width, height)
        raw.FPDF_RenderPageBitmap(bitmap, sheet, 0, 0, width, height, 0, raw.FPDF_ANNOT)
        drawn: Image = bitmap.to_pil()
    return drawn
