"""The printed pages as a PDF.

reportlab provides the objects and the fonts. Each sheet becomes one Form XObject; a page's content
only places it, and pages that look alike share their content. This is the one place where
millimetres with y down become points with y up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportlab.pdfbase import pdfdoc

from sheetgen.draw.container import pack
from sheetgen.draw.numbers import number
from sheetgen.geometry import PT_PER_MM, Rect
from sheetgen.scene import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sheetgen.fonts import Fonts
    from sheetgen.geometry import Affine, Size
    from sheetgen.impose import Imposition
    from sheetgen.scene import Item, Path, Scene

DUPLEX = {"none": "/Simplex", "long": "/DuplexFlipLongEdge", "short": "/DuplexFlipShortEdge"}
COMMANDS = {"M": "m", "L": "l", "C": "c", "Z": "h"}


def pdf(front: Scene, back: Scene | None, pad: Imposition, fonts: Fonts) -> bytes:
    """Return the pages of ``pad``, with ``front`` and ``back`` in their slots, as a PDF file.

    Without ``back`` the slots of a back page stay empty. Marks are drawn on the fronts, above the
    sheets; what reaches over a sheet's edge is cut off. Title and language are those of ``front``.
    For the sheet alone, as in a preview, give an imposition whose paper is the sheet. The same
    input gives the same bytes. Raises :class:`~sheetgen.errors.InputError` for a font that cannot
    be read.
    """
    document = pdfdoc.PDFDocument(compression=1, invariant=1)
    drawings: dict[str, tuple[Iterable[Item], Size]] = {"front": (front.items, pad.sheet)}
    if back is not None:
        drawings["back"] = (back.items, pad.sheet)
    if pad.marks:
        drawings["marks"] = (pad.marks, pad.paper)
    forms = {
        name: document.Reference(_form(items, size, fonts, document))
        for name, (items, size) in drawings.items()
    }
    trim = _box(pad.trim, pad.paper)
    looks: dict[tuple[str, tuple[bool, ...]], bytes] = {}
    pages: list[bytes] = []
    for side, copies in pad.pages:
        look = (side, tuple(map(bool, copies)))
        if look not in looks:
            content = document.Reference(_content(*look, pad, forms)).format(document)
            looks[look] = b"/TrimBox[%b]/Contents %b" % (trim.encode(), content)
        pages.append(looks[look])
    paper = _box(Rect(0, 0, *pad.paper), pad.paper)
    resources = pdfdoc.PDFDictionary({"XObject": pdfdoc.PDFDictionary(forms)})
    preferences = {
        "DisplayDocTitle": "true",
        "Duplex": DUPLEX[pad.duplex],
        "PrintScaling": "/None",
    }
    return pack(
        document,
        catalog={
            "Lang": pdfdoc.PDFString(front.language),
            "ViewerPreferences": pdfdoc.PDFDictionary(preferences),
        },
        info={"Title": pdfdoc.PDFString(front.title), "Producer": pdfdoc.PDFString("sheetgen")},
        shared=b"/MediaBox[%b]/Resources %b" % (paper.encode(), resources.format(document)),
        pages=pages,
    )


def _form(items: Iterable[Item], size: Size, fonts: Fonts, document: pdfdoc.PDFDocument) -> object:
    """Draw the items once, as a Form XObject of this size."""
    operators = [
        _text(item, size.height, fonts, document)
        if isinstance(item, Text)
        else _path(item, size.height)
        for item in items
    ]
    resources = {"Font": pdfdoc.PDFObjectReference(pdfdoc.BasicFonts)}
    entries = {
        "Type": "/XObject",
        "Subtype": "/Form",
        "BBox": f"[{_box(Rect(0, 0, *size), size)}]",
        "Resources": pdfdoc.PDFDictionary(resources),
    }
    return _stream(operators, entries)


def _content(
    side: str, filled: Sequence[bool], pad: Imposition, forms: Mapping[str, object]
) -> object:
    """Place the sheets of a page, and on a front the marks above them."""
    operators = [
        f"q {_matrix(slot, pad)} cm /{side} Do Q"
        for slot, occupied in zip(pad.front if side == "front" else pad.back, filled, strict=True)
        if occupied and side in forms
    ]
    if side == "front" and "marks" in forms:
        operators.append("/marks Do")
    return _stream(operators, {})


def _stream(operators: Sequence[str], entries: Mapping[str, object]) -> object:
    return pdfdoc.PDFStream(
        pdfdoc.PDFDictionary(entries), "\n".join(operators), [pdfdoc.PDFZCompress]
    )


def _path(path: Path, height: float) -> str:
    paint = path.paint
    stroke = paint.stroke if paint.width > 0 else None
    words: list[str] = []
    if paint.fill:
        words.append(f"{_colour(paint.fill)} rg")
    if stroke:
        cap = int(paint.round)
        dash = " ".join(number(length * PT_PER_MM) for length in paint.dash)
        words.append(f"{_colour(stroke)} RG {number(paint.width)} w {cap} J {cap} j [{dash}] 0 d")
    for command, *values in path.segments:
        numbers = [float(value) for value in values]
        words += [_point(x, y, height) for x, y in zip(numbers[0::2], numbers[1::2], strict=True)]
        words.append(COMMANDS[str(command)])
    words.append(("B*" if stroke else "f*") if paint.fill else ("S" if stroke else "n"))
    return " ".join(words)


def _text(text: Text, height: float, fonts: Fonts, document: pdfdoc.PDFDocument) -> str:
    # reportlab's canvas finds fonts by name in a registry of the whole process, where a second
    # job's fonts would not replace the first's; its TTFont does as well without.
    ttf = fonts[text.font].ttf
    runs = " ".join(
        f"{ttf.getSubsetInternalName(subset, document)} {number(text.size)} Tf <{codes.hex()}> Tj"
        for subset, codes in ttf.splitString(text.string, document)
    )
    turn = "0 1 -1 0" if text.angle == 90 else "1 0 0 1"
    return (
        f"BT {_colour(text.colour)} rg {number(text.tracking * text.size)} Tc "
        f"{turn} {_point(text.x, text.y, height)} Tm {runs} ET"
    )


def _colour(colour: str) -> str:
    """Turn ``#rrggbb`` into three numbers from 0 to 1."""
    return " ".join(number(channel / 255) for channel in bytes.fromhex(colour[1:]))


def _point(x: float, y: float, height: float) -> str:
    """Turn a place in mm on something ``height`` mm high into points from its lower left corner."""
    return f"{number(x * PT_PER_MM)} {number((height - y) * PT_PER_MM)}"


def _box(rect: Rect, paper: Size) -> str:
    """Give the lower left and the upper right corner of ``rect`` in points."""
    lower, upper = (rect.x, rect.bottom), (rect.right, rect.y)
    return f"{_point(*lower, paper.height)} {_point(*upper, paper.height)}"


def _matrix(slot: Affine, pad: Imposition) -> str:
    """Turn the slot's map, in mm with y down, into that of points with y up."""
    a, b, c, d, e, f = slot
    turn = " ".join(number(value, 6) for value in (a, -b, -c, d))
    # The sheet's lower left corner, (0, height) in the scene, is the origin of its form.
    height = pad.sheet.height
    return f"{turn} {_point(c * height + e, d * height + f, pad.paper.height)}"
