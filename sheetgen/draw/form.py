"""The fields of a fillable PDF: one for every box of every copy, over the printed box.

A field and its widget are one object. Its appearance is what the box shows until somebody writes in
it: nothing. Typed text is set in Helvetica, which every viewer has and nobody needs to embed; ticks
are drawn as a cross.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sheetgen.draw.numbers import number
from sheetgen.errors import InputError, Problem
from sheetgen.form_names import IDENTITY, MOST_FIELDS, Identity, encode, field_name
from sheetgen.geometry import PT_PER_MM, Point, Rect

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sheetgen.draw.container import Objects
    from sheetgen.geometry import Affine, Size
    from sheetgen.impose import Imposition
    from sheetgen.scene import Box, Scene

MOST_COPIES = 200

INK = "0.1 g"
LARGEST, SMALLEST = 14.0, 5.0  # pt
WIDTH = 0.556  # em of a digit
DIGITS = 4  # that fit into a box side by side
PADDING = 2.0  # pt that viewers keep free on either side
LABEL = 0.22  # of the height of a box for a score: where its label stands

PRINTED, HIDDEN = 4, 2  # of /F
READ_ONLY, NO_SPELLING = 1, 1 << 22  # of /Ff


class Calculations(NamedTuple):
    """What calculates itself while one types.

    ``results`` gives, for the ids of boxes and in the order of calculation, a JavaScript expression
    of what the box shows (a number, or ``""`` for nothing). Expressions may use what ``prelude``
    defines, and these functions, all of which know boxes of the same copy by id: ``text(id)`` is
    what stands in a box without blanks around it, ``number(id)`` its whole number or 0,
    ``filled(id)`` whether anything stands in it, ``ticked(id)`` whether it is ticked. A box that
    the sheet does not have is empty.
    """

    results: Mapping[str, str]
    prelude: str = ""


class Form(NamedTuple):
    """What makes a pad one to fill in on the screen."""

    identity: Identity
    calculations: Calculations = Calculations({})


class Fields(NamedTuple):
    """The form's dictionary for the catalog, and the entries each page gets, in order."""

    acroform: bytes
    pages: tuple[bytes, ...]


HELPERS = """
var field = function (id) { return doc.getField(id + "__" + copy); };
var text = function (id) {
  var one = field(id);
  return one && one.value !== null && one.value !== undefined ?
    String(one.value).replace(/^\\s+|\\s+$/g, "") : "";
};
var number = function (id) {
  var found = text(id).replace("\\u2212", "-").match(/^([+-]?[0-9]{1,6})\\.?$/);
  return found ? Number(found[1]) : 0;
};
var filled = function (id) { return text(id) !== "" && text(id) !== "Off"; };
var ticked = filled;
"""


def fields(scene: Scene, pad: Imposition, form: Form, objects: Objects) -> Fields:
    """Add a field for every box and copy; return what refers to them.

    Raises :class:`InputError` for more copies than a viewer can show.
    """
    _check(scene, pad)
    maker = _Maker(scene, pad, form, objects)
    pages = tuple(maker.page(page.copies) if page.side == "front" else b"" for page in pad.pages)
    order = [ref for refs in maker.calculated.values() for ref in refs]
    acroform = b"<</Fields[%b]/DA(/Helv 0 Tf %b)/DR<</Font<</Helv %b/ZaDb %b>>>>%b>>" % (
        b" ".join(maker.all),
        INK.encode(),
        maker.font,
        objects.add(b"<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats/Name/ZaDb>>"),
        b"/CO[%b]" % b" ".join(order) if order else b"",
    )
    return Fields(objects.add(acroform), pages)


def _check(scene: Scene, pad: Imposition) -> None:
    copies = _copies(pad)
    most = min(MOST_COPIES, MOST_FIELDS // (len(scene.boxes) + 1))
    if copies > most:
        allowed = f"a form may have {most} of this sheet: viewers are slow with more fields"
        raise InputError(Problem(f"{copies} copies", allowed, where="--copies"))


def _copies(pad: Imposition) -> int:
    return sum(bool(copy) for page in pad.pages if page.side == "front" for copy in page.copies)


class _Maker:
    """Makes the fields of a pad, page by page; ``all`` are the references of all fields."""

    def __init__(self, scene: Scene, pad: Imposition, form: Form, objects: Objects) -> None:
        self.scene, self.pad, self.form, self.objects = scene, pad, form, objects
        self.labels = _labels(scene.boxes)
        self.several = _copies(pad) > 1
        self.font = objects.add(
            b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/Name/Helv>>"
        )
        self.resources = b"<</Font<</Helv %b>>>>" % self.font
        self.crosses: dict[tuple[str, str], tuple[bytes, bytes]] = {}
        boxes = {box.id for box in scene.boxes}
        results = form.calculations.results
        self.calculated: dict[str, list[bytes]] = {id_: [] for id_ in results if id_ in boxes}
        self.scripts = {id_: self.script(results[id_]) for id_ in self.calculated}
        self.all: list[bytes] = []

    def script(self, expression: str) -> bytes:
        """Return an action; one serves all copies, because a field knows its copy by its name."""
        source = (
            "(function (doc) {\n"
            'var copy = event.target.name.split("__").pop();\n'
            'if (event.source && event.source.name && event.source.name.split("__").pop() !== copy)'
            " return;\n"
            f"{HELPERS.strip()}\n{self.form.calculations.prelude.strip()}\n"
            f"event.value = {expression};\n"
            "})(this);"
        )
        return self.objects.add(b"<</S/JavaScript/JS%b>>" % _string(source))

    def page(self, copies: Sequence[int]) -> bytes:
        """Add the fields of the copies on a page; return its entries."""
        widgets: list[bytes] = []
        for slot, copy in zip(self.pad.front, copies, strict=True):
            if copy:
                widgets.append(self.hidden(slot, copy))
                widgets += [self.widget(box, slot, copy) for box in self.scene.boxes]
        self.all += widgets
        return b"/Tabs/S/Annots[%b]" % b" ".join(widgets)

    def hidden(self, slot: Affine, copy: int) -> bytes:
        """Return the field that says which sheet this is, at the sheet's lower left corner."""
        corner = slot.point(Point(0, self.scene.size.height))
        return self.objects.add(
            b"<</Type/Annot/Subtype/Widget/FT/Tx/F %d/Ff %d/T%b/V%b/Rect[%b]>>"
            % (
                HIDDEN,
                READ_ONLY,
                _string(field_name(IDENTITY, copy)),
                _string(encode(self.form.identity)),
                _corners(Rect(corner.x, corner.y - 1, 1, 1), self.pad.paper).encode(),
            )
        )

    def widget(self, box: Box, slot: Affine, copy: int) -> bytes:
        """Return the field over a box."""
        place = box.rect
        if box.kind == "score":
            place = place._replace(
                y=place.y + LABEL * place.height, height=place.height * (1 - LABEL)
            )
        rect = slot.rect(place)
        label = self.labels[box.id] + (f" ({copy})" if self.several else "")
        common = b"<</Type/Annot/Subtype/Widget/F %d/T%b/TU%b/Rect[%b]" % (
            PRINTED,
            _string(field_name(box.id, copy)),
            _string(label),
            _corners(rect, self.pad.paper).encode(),
        )
        width, height = rect.width * PT_PER_MM, rect.height * PT_PER_MM
        if box.kind == "tick":
            yes, off = self.cross(width, height)
            return self.objects.add(
                common + b"/FT/Btn/V/Off/AS/Off/MK<</CA(8)>>/DA(/ZaDb 0 Tf %b)"
                b"/AP<</N<</Yes %b/Off %b>>>>>>" % (INK.encode(), yes, off)
            )
        flags, action = NO_SPELLING, b""
        if box.id in self.calculated:
            flags |= READ_ONLY
            action = b"/AA<</C %b>>" % self.scripts[box.id]
        size = number(_type_size(box, width, height), 1)
        empty = self.appearance(b"/Tx BMC EMC", width, height, self.resources)
        ref = self.objects.add(
            common
            + b"/FT/Tx/Ff %d/Q %d/DA(/Helv %b Tf %b)/MK<<>>/AP<</N %b>>%b>>"
            % (flags, box.kind != "text", size.encode(), INK.encode(), empty, action)
        )
        if action:
            self.calculated[box.id].append(ref)
        return ref

    def cross(self, width: float, height: float) -> tuple[bytes, bytes]:
        """Return the appearances of a ticked and an open box; boxes of one size share them."""
        key = (number(width, 2), number(height, 2))
        if key not in self.crosses:
            half = 0.36 * min(width, height)
            x, y = width / 2, height / 2
            left, right, low, high = (
                number(v, 2).encode() for v in (x - half, x + half, y - half, y + half)
            )
            line = number(max(0.8, min(1.6, 0.32 * half)), 2).encode()
            drawn = b"q %b G 1 J %b w %b %b m %b %b l %b %b m %b %b l S Q" % (
                *(INK.split(maxsplit=1)[0].encode(), line),
                *(left, low, right, high, left, high, right, low),
            )
            yes = self.appearance(drawn, width, height, b"<<>>")
            self.crosses[key] = (yes, self.appearance(b"", width, height, b"<<>>"))
        return self.crosses[key]

    def appearance(self, content: bytes, width: float, height: float, resources: bytes) -> bytes:
        """Return a form of its own: some programs write what is filled in into the very object."""
        box = f"0 0 {number(width, 2)} {number(height, 2)}".encode()
        head = b"<</Type/XObject/Subtype/Form/BBox[%b]/Resources%b/Length %d>>"
        stream = b"\nstream\n%b\nendstream" % content
        return self.objects.add_stream(head % (box, resources, len(content)) + stream)


def _type_size(box: Box, width: float, height: float) -> float:
    """Return a size in pt at which four digits fit into the box, and a line of text does."""
    size = min(LARGEST, 0.62 * height)
    if box.kind != "text":
        size = min(size, (width - 2 * PADDING) / (DIGITS * WIDTH))
    return max(SMALLEST, int(2 * size) / 2)


def _labels(boxes: Iterable[Box]) -> dict[str, str]:
    """Return what to call every box; where several share a label, with what tells them apart."""
    groups: dict[str, list[str]] = {}
    for box in boxes:
        groups.setdefault(box.label, []).append(box.id)
    labels = {}
    for label, ids in groups.items():
        words = [id_.split("_") for id_ in ids]
        for id_, mine in zip(ids, words, strict=True):
            if len(ids) == 1:
                labels[id_] = label
            elif any(len(other) != len(mine) for other in words):
                labels[id_] = f"{label} · {id_}"
            else:
                telling = [w for i, w in enumerate(mine) if len({o[i] for o in words}) > 1]
                labels[id_] = " · ".join((label, *(word.removeprefix("round") for word in telling)))
    return labels


def _corners(rect: Rect, paper: Size) -> str:
    """Give the lower left and the upper right corner in points with y up."""
    values = (rect.x, paper.height - rect.bottom, rect.right, paper.height - rect.y)
    return " ".join(number(value * PT_PER_MM) for value in values)


def _string(text: str) -> bytes:
    """Return a PDF string: plain if ASCII will do, else UTF-16."""
    if text.isascii():
        return b"(%b)" % re.sub(rb"([\\()])", rb"\\\1", text.encode())
    return b"<feff%b>" % text.encode("utf-16-be").hex().encode()
