from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

import pytest
from drawn import alone, block, fonts, ink, look, sheet, words
from fontTools.pens.boundsPen import BoundsPen
from fontTools.svgLib.path import parse_path
from hypothesis import given, settings
from hypothesis import strategies as st

from sheetgen.draw.pdf import pdf
from sheetgen.draw.svg import svg
from sheetgen.geometry import PT_PER_MM, Rect
from sheetgen.scene import Item, Paint, Path, Text, circle, rectangle

NAMES = {"s": "http://www.w3.org/2000/svg"}


def parsed(*items: Item) -> ET.Element:
    """Return the picture of a sheet with these items."""
    return ET.fromstring(svg(sheet(*items), fonts()))


def paths(root: ET.Element) -> list[ET.Element]:
    """Return all that is drawn."""
    return root.findall(".//s:path", NAMES)


def extent(path: ET.Element) -> tuple[float, float, float, float]:
    """Return left, top, right and lower edge of what a path encloses."""
    pen: Any = BoundsPen(None)
    parse_path(path.get("d"), pen)
    left, top, right, lower = pen.bounds
    return left, top, right, lower


def test_size_is_in_millimetres() -> None:
    """The picture is as large as the sheet, and its unit is the millimetre."""
    root = parsed()
    assert (root.get("width"), root.get("height")) == ("100mm", "60mm")
    assert root.get("viewBox") == "0 0 100 60"


@pytest.mark.parametrize("title", ["Lost Dice", "A & B", '<svg onload="x">', "Žlutá 黄 '\"]]>"])
def test_title_reads_as_typed(title: str) -> None:
    """Titles and words are escaped, and are the same after reading."""
    text = words("\"<&>'$")
    root = ET.fromstring(svg(sheet(text, title=title), fonts()))
    assert root.findtext("s:title", namespaces=NAMES) == title
    group = root.find(".//s:g[@aria-label]", NAMES)
    assert group is not None
    assert group.get("aria-label") == group.findtext("s:title", namespaces=NAMES) == text.string


def test_layers_keep_the_order() -> None:
    """Items are grouped by role without changing what lies above what."""
    items = [block(1, 1, 2, 2, role=role) for role in ("box", "box", "icon", "box")]
    root = parsed(*items)
    layers = root.findall("s:g", NAMES)
    assert [layer.get("data-role") for layer in layers] == ["box", "icon", "box"]
    assert [len(layer) for layer in layers] == [2, 1, 1]


@given(st.floats(0, 80), st.floats(0, 50), st.floats(0.1, 20), st.floats(0, 3))
@settings(max_examples=50, deadline=None)
def test_rectangle_lands_where_it_should(x: float, y: float, size: float, radius: float) -> None:
    """A path is where the scene has it, to a thousandth of a millimetre."""
    path = Path(rectangle(Rect(x, y, size, size), radius), Paint(fill="#000000"), "box")
    (drawn,) = paths(parsed(path))
    assert extent(drawn) == pytest.approx((x, y, x + size, y + size), abs=0.00101)


def test_paint() -> None:
    """Fill, line, dash and ends are said in the sheet's millimetres."""
    paint = Paint("#336699", "#ff0000", 72 / 25.4, (4, 2.5), round=True)
    plain = Paint(stroke="#00ff00", width=1)
    first, second = paths(parsed(*(Path(circle(9, 9, 5), kind, "box") for kind in (paint, plain))))
    del first.attrib["d"], second.attrib["d"]
    assert first.attrib == {
        "fill": "#336699",
        "fill-rule": "evenodd",
        "stroke": "#ff0000",
        "stroke-width": "1",
        "stroke-dasharray": "4 2.5",
        "stroke-linecap": "round",
        "stroke-linejoin": "round",
    }
    # 1 pt = 25.4 / 72 mm
    assert second.attrib == {
        "fill": "none",
        "stroke": "#00ff00",
        "stroke-width": "0.3528",
        "stroke-miterlimit": "10",
    }


@pytest.mark.parametrize("text", [words("Hxg"), words("Hxg", 50, 40, 90), words("HH", tracking=1)])
def test_letters_are_where_the_pdf_has_them(text: Text) -> None:
    """The outlines of a text cover the same millimetres as its letters in print."""
    (drawn,) = paths(parsed(text))
    pixels = ink(look(pdf(sheet(text), None, alone(), fonts()), 600))
    assert extent(drawn) == pytest.approx([px * 25.4 / 600 for px in pixels], abs=0.05)


def test_letter_height_is_exact() -> None:
    """The H of Source Sans is 656 of 1000 units high: 12 pt × 0.656 = 7.872 pt."""
    (drawn,) = paths(parsed(words("H", 10, 30)))
    _, top, _, lower = extent(drawn)
    assert (top, lower) == pytest.approx((30 - 7.872 / PT_PER_MM, 30), abs=0.002)


def test_picture_stands_alone() -> None:
    """No font, picture or style is fetched from elsewhere, and no text element is left."""
    picture = svg(sheet(words("Řeka"), block(1, 1, 2, 2)), fonts())
    assert not any(word in picture for word in ("<text", "href", "url(", "font-family", "<style"))


def test_same_picture_again() -> None:
    """The same sheet gives the same file."""
    scene = sheet(words("Řeka"), block(1, 1, 2, 2))
    assert svg(scene, fonts()) == svg(scene, fonts())
