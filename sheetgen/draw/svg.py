"""One sheet as an SVG picture that needs nothing beside itself: letters are outlines."""

from __future__ import annotations

import io
import math
from itertools import groupby
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

from sheetgen.draw.numbers import number
from sheetgen.geometry import PT_PER_MM
from sheetgen.scene import Text

if TYPE_CHECKING:
    from sheetgen.fonts import Fonts
    from sheetgen.scene import Paint, Path, Scene


def svg(scene: Scene, fonts: Fonts) -> str:
    """Return the sheet as SVG in mm, its items in layers (``<g data-role="…">``) by their role.

    A role that is drawn in several goes has several layers, so that what lies above stays above.
    A text is a group with its words as ``aria-label`` and ``title``. The same input gives the same
    file. Raises :class:`~sheetgen.errors.InputError` for a font that cannot be read.
    """
    width, height = map(number, scene.size)
    root = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": f"{width}mm",
            "height": f"{height}mm",
            "viewBox": f"0 0 {width} {height}",
            "xml:lang": scene.language,
        },
    )
    ET.SubElement(root, "title").text = scene.title
    outlines = _Outlines(fonts)
    for role, items in groupby(scene.items, key=lambda item: item.role):
        layer = ET.SubElement(root, "g", {"data-role": role})
        for item in items:
            if isinstance(item, Text):
                label = {"role": "img", "aria-label": item.string, "fill": item.colour}
                group = ET.SubElement(layer, "g", label)
                ET.SubElement(group, "title").text = item.string
                ET.SubElement(group, "path", {"d": outlines.of(item)})
            else:
                ET.SubElement(layer, "path", {"d": _data(item), **_style(item.paint)})
    ET.indent(root, " ")
    return ET.tostring(root, encoding="unicode") + "\n"


def _data(path: Path) -> str:
    return "".join(
        str(command) + " ".join(number(float(value)) for value in values)
        for command, *values in path.segments
    )


def _style(paint: Paint) -> dict[str, str]:
    style = {"fill": "none"}
    if paint.fill:
        style = {"fill": paint.fill, "fill-rule": "evenodd"}
    if paint.stroke and paint.width > 0:
        style |= {"stroke": paint.stroke, "stroke-width": number(paint.width / PT_PER_MM, 4)}
        if paint.dash:
            style["stroke-dasharray"] = " ".join(map(number, paint.dash))
        if paint.round:
            style |= {"stroke-linecap": "round", "stroke-linejoin": "round"}
        else:
            style["stroke-miterlimit"] = "10"  # as in a PDF
    return style


class _Outlines:
    """The outlines of texts, each font file being read once."""

    def __init__(self, fonts: Fonts) -> None:
        self._fonts = fonts
        self._files: dict[str, TTFont] = {}

    def of(self, text: Text) -> str:
        """Return the glyphs of ``text`` where they are drawn, as path data in mm."""
        font = self._fonts[text.font]
        file = self._files.get(text.font)
        if file is None:
            data = io.BytesIO(font.path.read_bytes())
            file = self._files[text.font] = TTFont(data, fontNumber=0, lazy=True)
        glyphs, names = file.getGlyphSet(), file.getBestCmap()
        scale = text.size / PT_PER_MM / file["head"].unitsPerEm
        pen = SVGPathPen(glyphs, ntos=number)
        cos, sin = math.cos(math.radians(text.angle)), math.sin(math.radians(text.angle))
        along = 0.0
        for character in text.string:
            x, y = text.x + along * cos, text.y - along * sin
            turn = (scale * cos, -scale * sin, -scale * sin, -scale * cos, x, y)
            glyphs[names.get(ord(character), ".notdef")].draw(TransformPen(pen, turn))
            along += font.width(character, text.size) + text.tracking * text.size / PT_PER_MM
        return str(pen.getCommands())
