"""The page to look over what was read: unsure readings first, each with its crop."""

from __future__ import annotations

import base64
import io
import re
from functools import cache

from PIL import Image
from scanned import LOST_DICE, UNSURE, checked, scanned
from test_html import Outline

from sheetgen.checking import Checked
from sheetgen.errors import Problem
from sheetgen.report.review import page

DOUBTS = {
    **UNSURE,
    "red_score": (("12", 0.55), ("17", 0.4)),
    "discards_7": (("True", 0.6), ("", 0.4)),
}


@cache
def result() -> Checked:
    """Return two sheets of one photo, the first with doubts."""
    return checked(scanned(LOST_DICE, DOUBTS), scanned({**LOST_DICE, "total": "47"}, {}, copy=2))


@cache
def text() -> str:
    """Return their page."""
    return page([result()])


def test_page() -> None:
    """Every doubt is listed with its box, crop, likeliest readings, reason, and line to paste."""
    outline = Outline(text())
    items = re.findall(r'<li class="item" id="unsure(\d+)">(.*?)</div>\s*</li>', text(), re.DOTALL)
    assert [number for number, _ in items] == ["1", "2", "3", "4"]
    assert "2 sheets · 4 readings to look at" in text()
    yellow, blue, red, discards = (item for _, item in items)
    assert "<code>yellow: [4, 7]</code>" in yellow
    assert re.findall(r"<li>(.*?)<i .*?<span>(.*?)</span>", yellow) == [
        ("7", "71 %"),
        ("1", "27 %"),
    ]
    assert "digits touch" in blue
    assert "<code>red: 12</code>" in red
    assert re.findall(r"<li>(.*?)<i", discards) == ["marked", "empty"]
    assert "Nothing is unsure on this sheet." in text()
    assert "the marker at the lower right was not found" in text()
    assert sum(tag == "table" for tag, _ in outline.found) == 3  # the last is of totals


def test_unsure_readings_come_first() -> None:
    """In the page's order the list stands before the picture, and that before the scores."""
    places = [text().index(sign) for sign in ('<ol class="items">', "<svg", "<table>")]
    assert places == sorted(places)


def test_items_and_boxes_lead_to_each_other() -> None:
    """Every link has its place: from the list to the box on the sheet, and back."""
    outline = Outline(text())
    ids = {attributes.get("id") for _, attributes in outline.found}
    links = {str(a["href"]) for _, a in outline.found if str(a.get("href", "")).startswith("#")}
    assert links == {f"#{kind}{n}" for kind in ("box", "unsure") for n in range(1, 5)}
    assert {link[1:] for link in links} <= ids


def test_readings_stand_on_their_boxes() -> None:
    """The picture is the straightened sheet in mm; every reading lies on its box."""
    scan = result().scans[0]
    picture = re.findall(r"<svg viewBox=.*?</svg>", text(), re.DOTALL)[0]
    assert picture.startswith('<svg viewBox="0 0 87 197"')
    assert 'width="87" height="197" preserveAspectRatio="none"/>' in picture
    rects = {box.id: box.rect for box in scan.scene.boxes}
    for box in ("red_1", "green_3"):
        group = re.search(rf'<g class="quiet"><title>{box}: (.*?)</g>', picture)
        assert group
        x, y = map(float, re.findall(r'<rect class="hit" x="([\d.]+)" y="([\d.]+)"', group[1])[0])
        assert (x, y) == (round(rects[box].x, 2), round(rects[box].y, 2))
        assert f">{LOST_DICE[box]}</text>" in group[1]
    assert picture.count('class="ticked"') == 6
    assert picture.count('class="unsure"') == 4
    assert "red_9" not in picture


def test_crops_show_the_box_and_what_is_around() -> None:
    """A crop is the box and 1.5 mm around it, 16 pixels to the mm."""
    scan = result().scans[0]
    rects = {box.id: box.rect for box in scan.scene.boxes}
    crops = re.findall(r'class="crop".*?src="data:image/jpeg;base64,([^"]+)"', text())
    for crop, box in zip(crops, ("yellow_2", "blue_3"), strict=False):
        with Image.open(io.BytesIO(base64.b64decode(crop))) as image:
            width, height = ((side + 3) * 16 for side in rects[box][2:])
            assert abs(image.width - width) <= 16
            assert abs(image.height - height) <= 16
            dark = image.convert("L").point(lambda value: 255 * (value < 90))
            assert dark.getbbox()


def test_self_contained() -> None:
    """Nothing is loaded from elsewhere; the one script copies lines and works without a network."""
    outline = Outline(text())
    for _, attributes in outline.found:
        for name, value in attributes.items():
            assert not name.startswith("on")
            if name in ("href", "src"):
                assert str(value).startswith(("#", "data:image/jpeg;base64,"))
    assert sum(tag == "script" for tag, _ in outline.found) == 1
    for word in ("url(", "@import", "fetch(", "http:", "https:"):
        assert word not in re.sub(r"base64,[^\"]+", "", text())


def test_unreadable_files_say_why() -> None:
    """A picture that shows no sheet is named with the reason, escaped; the others stay."""
    problem = Problem("no sheet was found", "photograph it closer", file="<b>cat.jpg")
    bad = Checked("<b>cat.jpg", "", None, "", None, None, (problem,))
    both = page([bad, result()])
    Outline(both)
    assert "&lt;b&gt;cat.jpg: no sheet was found, photograph it closer" in both
    assert "<b>cat" not in both
    assert "4 readings to look at · 1 file unreadable" in both


def test_doubts_are_not_said_twice() -> None:
    """What is listed with its crop is not among the findings again."""
    assert 'class="rule">written<' in text()
    assert 'class="rule">unsure<' not in text()
