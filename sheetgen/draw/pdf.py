"""The printed pages as a PDF.

reportlab provides the objects and the fonts. Each sheet becomes one Form XObject; a page's content
only places it, and pages that look alike share their content. This is the one place where
millimetres with y down become points with y up.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from reportlab.pdfbase import pdfdoc

from sheetgen.draw.container import Objects, pack
from sheetgen.draw.numbers import number
from sheetgen.form_names import INFO_KEY, encode
from sheetgen.geometry import PT_PER_MM, Rect
from sheetgen.scene import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sheetgen.draw.form import Form
    from sheetgen.fonts import Fonts
    from sheetgen.geometry import Affine, Size
    from sheetgen.impose import Imposition
    from sheetgen.scene import Item, Path, Scene

DUPLEX = {"none": "/Simplex", "long": "/DuplexFlipLongEdge", "short": "/DuplexFlipShortEdge"}
COMMANDS = {"M": "m", "L": "l", "C": "c", "Z": "h"}


class Sheaf(NamedTuple):
    """Sheets of one kind with their pages; without ``back`` the slots of back pages stay empty."""

    front: Scene
    back: Scene | None
    pad: Imposition


def pdf(
    front: Scene, back: Scene | None, pad: Imposition, fonts: Fonts, form: Form | None = None
) -> bytes:
    """Return the pages of one pad as a PDF file, as :func:`bind` does."""
    return bind([Sheaf(front, back, pad)], fonts, form)


def bind(sheaves: Sequence[Sheaf], fonts: Fonts, form: Form | None = None) -> bytes:
    """Return the pages of all sheaves, one after the other, as a PDF file.

    Marks are drawn on the fronts, above the sheets; what reaches over a sheet's edge is cut off.
    Title, language and the two sides of the paper are those of the first sheaf. For a sheet alone,
    as in a preview, give an imposition whose paper is the sheet. With a ``form`` the first sheaf's
    boxes can be filled in on the screen. The same input gives the same bytes. Raises
    :class:`~sheetgen.errors.InputError` for a font that cannot be read, or too many fields.
    """
    document = pdfdoc.PDFDocument(compression=1, invariant=1)
    objects = Objects(document)
    forms: dict[str, object] = {}
    pages: list[bytes] = []
    for index, sheaf in enumerate(sheaves, 1):
        mine = _forms(sheaf, fonts, document)
        suffix = "" if index == 1 else str(index)
        forms |= {side + suffix: form for side, form in mine.items()}
        names = {side: side + suffix for side in mine}
        pages += _pages(sheaf.pad, names, document)
    first = sheaves[0]
    catalog: dict[str, object] = {}
    info: dict[str, object] = {}
    resources = pdfdoc.PDFDictionary({"XObject": pdfdoc.PDFDictionary(forms)})
    if form is not None:
        from sheetgen.draw.form import fields

        acroform, entries = fields(first.front, first.pad, form, objects)
        # Chrome, when it prints a form, forgets the resources that a page inherits.
        own = b"/Resources %b" % document.Reference(resources).format(document)
        pages[: len(entries)] = [
            page + more + (own if more else b"") for page, more in zip(pages, entries, strict=False)
        ]
        catalog["AcroForm"] = acroform
        info[INFO_KEY] = pdfdoc.PDFString(encode(form.identity))
    preferences = {
        "DisplayDocTitle": "true",
        "Duplex": DUPLEX[first.pad.duplex],
        "PrintScaling": "/None",
    }
    return pack(
        document,
        catalog=catalog
        | {
            "Lang": pdfdoc.PDFString(first.front.language),
            "ViewerPreferences": pdfdoc.PDFDictionary(preferences),
        },
        info=info
        | {
            "Title": pdfdoc.PDFString(first.front.title),
            "Producer": pdfdoc.PDFString("sheetgen"),
        },
        shared=b"/Resources %b" % resources.format(document),
        pages=pages,
        objects=objects,
    )


def _forms(sheaf: Sheaf, fonts: Fonts, document: pdfdoc.PDFDocument) -> dict[str, object]:
    """Draw every side once; return references by side."""
    drawings: dict[str, tuple[Iterable[Item], Size]] = {
        "front": (sheaf.front.items, sheaf.pad.sheet)
    }
    if sheaf.back is not None:
        drawings["back"] = (sheaf.back.items, sheaf.pad.sheet)
    if sheaf.pad.marks:
        drawings["marks"] = (sheaf.pad.marks, sheaf.pad.paper)
    return {
        side: document.Reference(_form(items, size, fonts, document))
        for side, (items, size) in drawings.items()
    }


def _pages(
    pad: Imposition,
    names: Mapping[str, str],
    document: pdfdoc.PDFDocument,
) -> list[bytes]:
    """Return the entries of every page; pages that look alike share their content."""
    boxes = (
        f"/MediaBox[{_box(Rect(0, 0, *pad.paper), pad.paper)}]/TrimBox[{_box(pad.trim, pad.paper)}]"
    )
    looks: dict[tuple[str, tuple[bool, ...]], bytes] = {}
    pages = []
    for side, copies in pad.pages:
        look = (side, tuple(map(bool, copies)))
        if look not in looks:
            content = document.Reference(_content(*look, pad, names)).format(document)
            looks[look] = b"%b/Contents %b" % (boxes.encode(), content)
        pages.append(looks[look])
    return pages


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
    side: str, filled: Sequence[bool], pad: Imposition, names: Mapping[str, str]
) -> object:
    """Place the sheets of a page, and on a front the marks above them; names are those of forms."""
    operators = [
        f"q {_matrix(slot, pad)} cm /{names[side]} Do Q"
        for slot, occupied in zip(pad.front if side == "front" else pad.back, filled, strict=True)
        if occupied and side in names
    ]
    if side == "front" and "marks" in names:
        operators.append(f"/{names['marks']} Do")
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
    cos, sin = math.cos(math.radians(text.angle)), math.sin(math.radians(text.angle))
    turn = " ".join(number(value, 6) for value in (cos, sin, -sin, cos))
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
