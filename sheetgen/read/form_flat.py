"""Forms that were printed to a file: no fields are left, only ink.

The code printed on every sheet says which it is and where it lies; what is written in its boxes is
the text inside their rectangles that was not printed there, and a tick is any new mark in its box.
"""

from __future__ import annotations

import ctypes
import re
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from sheetgen.errors import InputError, NoSheetError, Problem
from sheetgen.geometry import PT_PER_MM, Affine, Point, Rect
from sheetgen.read.form import FormSheet, clean
from sheetgen.read.form_pdf import MOST_DRAWINGS, SECONDS, TooSlowError, drawings, guarded
from sheetgen.read.layouts import CODE, Layout
from sheetgen.read.limits import PDF_BYTES
from sheetgen.scene import Path, Scene, Text, bounds

MOST_PAGES = 200
MOST_OBJECTS = 20_000  # letters and paths of a page
DEEPEST = 6  # forms inside each other
NEAR = 0.3  # mm by which printed ink may be off
SEARCH = 2.0  # mm around where its code says that it lies
MARKERS = 3  # of four must be found
CAP, LETTER = 0.7, 0.25  # em above and below the baseline
LEAST, MOST = 0.25, 0.95  # of its box: the size of a mark that ticks it


class _Letter(NamedTuple):
    text: str
    place: Rect


class _Page(NamedTuple):
    letters: list[_Letter]
    marks: list[Rect]


def read_flat(
    data: bytes, file: str, layout: Callable[[str], Layout | None], password: str | None = None
) -> list[FormSheet]:
    """Return the sheets in a file without form fields; ``layout`` finds the sheet for a code.

    Raises :class:`InputError` if the file cannot be read or no code in it is known.
    """
    if len(data) > PDF_BYTES:
        raise InputError(Problem(f"a file of {len(data) // 10**6} MB", "too large", file=file))
    if drawings(data, file, password) >= MOST_DRAWINGS:
        found_many = "pages that draw more than can be looked at"
        raise InputError(Problem(found_many, "give the file as it was saved", file=file))
    sheets: list[FormSheet] = []
    codes: dict[str, None] = {}
    end = time.monotonic() + SECONDS
    with guarded(file):
        for number, page in enumerate(_pages(data, password, end), 1):
            text = "".join(letter.text for letter in page.letters)
            for match in CODE.finditer(text):
                if time.monotonic() > end:
                    raise TooSlowError
                codes[match[0]] = None
                found = layout(match[0])
                slot = _slot(found.scene, match, page) if found else None
                if found and slot:
                    values = _values(found.scene, slot, page)
                    warning = "the form was flattened; its entries were read from the page"
                    sheets.append(
                        FormSheet(file, number, len(sheets) + 1, found.identity, values, (warning,))
                    )
    if not sheets:
        found_codes = f"the code {', '.join(list(codes)[:3])}, which no known sheet has"
        found_what = found_codes if codes else "neither form fields nor the code of a sheet"
        allowed = "a PDF that sheetgen print --fillable made is needed"
        raise NoSheetError(Problem(found_what, allowed, file=file))
    return sheets


def _slot(scene: Scene, match: re.Match[str], page: _Page) -> Affine | None:
    """Return where a sheet lies: about where its code in letters does, exactly as its markers."""
    printed = next(
        (item for item in scene.items if isinstance(item, Text) and item.string == match[0]), None
    )
    if printed is None:
        return None
    first = page.letters[match.start()].place
    # One that reads upwards has its baseline on the right and its start below.
    x = (first.right if printed.angle else first.x) - printed.x
    about = Affine.shift(x, first.bottom - printed.y)
    shifts = [
        (mark.x - wanted.x, mark.y - wanted.y)
        for item in scene.items
        if isinstance(item, Path) and item.role == "fiducial"
        for wanted in (about.rect(bounds(item.segments)),)
        for mark in page.marks
        if _same(mark, wanted, SEARCH) and _same(mark._replace(x=wanted.x, y=wanted.y), wanted)
    ]
    if len(shifts) < MARKERS:
        return None
    dx, dy = (sum(values) / len(shifts) for values in zip(*shifts, strict=True))
    return Affine.shift(about.e + dx, about.f + dy)


def _values(scene: Scene, slot: Affine, page: _Page) -> dict[str, str | bool]:
    """Return what stands in the boxes and is not printed there."""
    own = [_extent(item, slot) for item in scene.items if isinstance(item, Text)]
    sheet = slot.rect(Rect(0, 0, *scene.size))
    written = [
        letter
        for letter in page.letters
        if letter.text.strip()
        and sheet.contains(letter.place, 1)
        and not any(text in letter.text or letter.text in text for text in _under(letter, own))
    ]
    drawn = [slot.rect(bounds(item.segments)) for item in scene.items if isinstance(item, Path)]
    marks = [
        mark
        for mark in page.marks
        if sheet.contains(mark, 1) and not any(_same(mark, path) for path in drawn)
    ]
    values: dict[str, str | bool] = {}
    for box in scene.boxes:
        place = slot.rect(box.rect)
        inside = [one for one in written if _holds(place, one.place.center)]
        if box.kind == "tick":
            values[box.id] = bool(inside) or any(_ticks(place, mark) for mark in marks)
        else:
            values[box.id] = clean(_line(inside))
    return values


def _under(letter: _Letter, own: Iterable[tuple[str, Rect]]) -> Iterator[str]:
    """Yield the printed texts that a letter lies on."""
    for text, place in own:
        if _holds(place, letter.place.center):
            yield text


def _extent(item: Text, slot: Affine) -> tuple[str, Rect]:
    size = item.size / PT_PER_MM
    up, down = CAP * size, LETTER * size
    if item.angle:
        rect = Rect(item.x - up, item.y - item.width, up + down, item.width)
    else:
        rect = Rect(item.x, item.y - up, item.width, up + down)
    return item.string, slot.rect(rect.inset(-NEAR))


def _line(letters: list[_Letter]) -> str:
    """Return letters as they are read, with a blank where there is room for one."""
    text, last = "", None
    for letter in letters:
        gap = letter.place.x - last.right if last else 0.0
        text += (" " if last and gap > 0.5 * last.height else "") + letter.text
        last = letter.place
    return text


def _holds(place: Rect, point: Point) -> bool:
    return place.x <= point.x <= place.right and place.y <= point.y <= place.bottom


def _same(one: Rect, other: Rect, tolerance: float = NEAR) -> bool:
    return all(abs(a - b) < tolerance for a, b in zip(one, other, strict=True))


def _ticks(box: Rect, mark: Rect) -> bool:
    """Tell whether a mark is one that was made in the box, not its outline or what crosses it."""
    size = min(box.width, box.height)
    largest = max(mark.width, mark.height)
    inside = box.contains(mark, 0.1)
    return inside and LEAST * size <= largest <= max(MOST * size, size - NEAR)


# -- the page -------------------------------------------------------------------------------------


def _pages(data: bytes, password: str | None, end: float) -> Iterator[_Page]:
    import pypdfium2

    document = pypdfium2.PdfDocument(data, password=password)
    try:
        for number in range(min(len(document), MOST_PAGES)):
            page = document[number]
            height = page.get_height()
            yield _Page(_letters(page, height), list(_marks(page, height)))
            page.close()
            if time.monotonic() > end:
                raise TooSlowError
    finally:
        document.close()


def _rect(edges: tuple[float, float, float, float], height: float) -> Rect:
    """Turn edges in points with y up (left, lower, right, upper) into mm with y down."""
    left, low, right, high = edges
    values = (left, height - high, right - left, high - low)
    return Rect(*(value / PT_PER_MM for value in values))


def _letters(page: Any, height: float) -> list[_Letter]:
    text = page.get_textpage()
    count = min(text.count_chars(), MOST_OBJECTS)
    return [
        _Letter(text.get_text_range(index, 1)[:1] or " ", _rect(text.get_charbox(index), height))
        for index in range(count)
    ]


def _marks(page: Any, height: float) -> Iterator[Rect]:
    """Yield where the paths of a page are, those inside forms too."""
    import pypdfium2.raw as pdfium

    left = MOST_OBJECTS
    top = [pdfium.FPDFPage_GetObject(page, i) for i in range(pdfium.FPDFPage_CountObjects(page))]
    level: list[tuple[Any, Affine]] = [(one, Affine(1, 0, 0, 1, 0, 0)) for one in top]
    for _ in range(DEEPEST):
        below: list[tuple[Any, Affine]] = []
        for one, place in level:
            kind = pdfium.FPDFPageObj_GetType(one)
            matrix = pdfium.FS_MATRIX()
            pdfium.FPDFPageObj_GetMatrix(one, matrix)
            inner = _product(place, Affine(*(getattr(matrix, name) for name in "abcdef")))
            if kind == pdfium.FPDF_PAGEOBJ_FORM:
                count = min(left, pdfium.FPDFFormObj_CountObjects(one))
                below += [(pdfium.FPDFFormObj_GetObject(one, i), inner) for i in range(count)]
            elif kind == pdfium.FPDF_PAGEOBJ_PATH:
                # The engine's own bounds have the line's width and more around them.
                count = min(left, pdfium.FPDFPath_CountSegments(one))
                left -= count
                segments = (pdfium.FPDFPath_GetPathSegment(one, i) for i in range(count))
                if points := [inner.point(_point(segment)) for segment in segments]:
                    xs, ys = zip(*points, strict=True)
                    yield _rect((min(xs), min(ys), max(xs), max(ys)), height)
        left -= len(level)
        level = below[: max(0, left)]


def _point(segment: Any) -> Point:
    import pypdfium2.raw as pdfium

    x, y = ctypes.c_float(), ctypes.c_float()
    pdfium.FPDFPathSegment_GetPoint(segment, x, y)
    return Point(x.value, y.value)


def _product(outer: Affine, inner: Affine) -> Affine:
    """Return the map that does ``inner`` first."""
    a, b, c, d, e, f = inner
    x, y = outer.point(Point(e, f))
    return Affine(
        outer.a * a + outer.c * b,
        outer.b * a + outer.d * b,
        outer.a * c + outer.c * d,
        outer.b * c + outer.d * d,
        x,
        y,
    )
