"""What was read off paper, for a person to look over: one page that needs nothing beside itself."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sheetgen.checking import Checked
from sheetgen.geometry import Rect
from sheetgen.read.names import names_of
from sheetgen.read.save import shown
from sheetgen.read.scan.readings import RESOLUTION
from sheetgen.report.html import render, sheet_table
from sheetgen.report.words import counted, listed

if TYPE_CHECKING:
    from PIL.Image import Image

    from sheetgen.read.scan.readings import Doubt, Reading, ScannedSheet
    from sheetgen.scene import Box

TEMPLATE = "report/review.html.j2"
UNSURE = "unsure"  # the rule of findings that are said here with a picture
_AROUND = 1.5  # mm around a box that its crop shows, too
_ROUND = 3.0  # mm: boxes to tick are small and mostly circles
_NARROW = 0.62  # mean width of a digit, in heights of its type


class Item(NamedTuple):
    """A doubt, as the page shows it; ``width`` and ``height`` are the crop's in mm."""

    number: int
    box: str
    label: str
    why: str
    crop: str
    width: float
    height: float
    likeliest: tuple[tuple[str, int], ...]  # in percent
    line: str


def page(results: Sequence[Checked]) -> str:
    """Return the HTML page. Raises :class:`InputError` for a template that cannot be used."""
    numbers = iter(range(1, 1_000_000))
    files = [_file(checked, numbers) for checked in results]
    values = {
        "files": files,
        "sheets": sum(len(file["sheets"]) for file in files),
        "unsure": sum(len(checked.doubts) for checked in results),
        "unreadable": sum(file["status"] == "unreadable" for file in files),
        "counted": counted,
        "listed": listed,
    }
    return render(TEMPLATE, values)


def _file(checked: Checked, numbers: Any) -> dict[str, Any]:
    said: dict[str, Any] = {
        "name": checked.file,
        "dialect": checked.dialect,
        "problems": [str(problem) for problem in checked.problems],
        "status": ("right", "wrong", "unreadable")[checked.code(strict=False)],
        "sheets": [],
        "totals": {},
        "findings": [],
        "unsure": 0,
    }
    if checked.report is None or checked.variant is None:
        return said
    return said | {
        "language": checked.language,
        "title": checked.variant.title.plain(checked.language),
        "unsure": len(checked.doubts),
        "sheets": [
            _sheet(checked, copy, numbers)
            for copy, scan in enumerate(checked.scans)
            if scan.straight
        ],
        "totals": dict(checked.report.totals) if len(checked.report.sheets) > 1 else {},
        "winners": checked.report.winners,
        "findings": _others(checked.report.findings),
    }


def _sheet(checked: Checked, copy: int, numbers: Any) -> dict[str, Any]:
    """Return what the page says about one scanned sheet."""
    from markupsafe import Markup
    from PIL import Image

    assert checked.match
    assert checked.report
    assert checked.variant
    scan = checked.scans[copy]
    names = names_of(checked.variant)
    straight = Image.open(io.BytesIO(scan.straight)).convert("RGB")
    doubts = [doubt for doubt in checked.doubts if doubt.copy == copy]
    items = [_item(next(numbers), doubt, scan, straight) for doubt in doubts]
    boxes = {item.box: item.number for item in items}
    width, height = scan.scene.size
    mine = [index for index, (of, _) in enumerate(checked.origins) if of == copy]
    return {
        "name": f"Sheet {scan.copy}" + (f", page {scan.page}" if scan.page > 1 else ""),
        "code": scan.identity.code,
        "dpi": round(scan.scale * 25.4),
        "notes": scan.notes,
        "shape": "lying" if width > height else "standing",
        "items": items,
        "picture": Markup(_picture(scan, boxes)),  # noqa: S704 - texts are escaped in it
        "read": sum(bool(reading.value) for reading in scan.readings.values()),
        "tables": [
            sheet_table(checked.match.sheets[index], checked.report.sheets[index], names)
            | {"findings": _others(checked.report.sheets[index].findings)}
            for index in mine
        ],
    }


def _others(findings: Sequence[Any]) -> list[Any]:
    """Return the findings that are not said with a picture."""
    return [finding for finding in findings if finding.rule != UNSURE]


def _item(number: int, doubt: Doubt, scan: ScannedSheet, straight: Image) -> Item:
    box = next((box for box in scan.scene.boxes if box.id == doubt.box), None)
    crop = _crop(straight, box.rect) if box else ""
    likeliest = tuple((shown(text), round(100 * share)) for text, share in doubt.likeliest[:3])
    width, height = (side + 2 * _AROUND for side in box.rect[2:]) if box else (0.0, 0.0)
    label = box.label if box else doubt.name
    return Item(number, doubt.box, label, doubt.why, crop, width, height, likeliest, doubt.line)


def _crop(straight: Image, rect: Rect) -> str:
    """Return a box with some room around it as a picture in a URL."""
    from PIL import Image

    around = rect.inset(-_AROUND)
    sides = (around.x, around.y, around.right, around.bottom)
    part = straight.crop(tuple(round(side * RESOLUTION) for side in sides))  # type: ignore[arg-type]
    out = io.BytesIO()
    part.resize((part.width * 2, part.height * 2), Image.Resampling.BICUBIC).save(
        out, "JPEG", quality=85
    )
    return _url(out.getvalue())


def _url(jpeg: bytes) -> str:
    return f"data:image/jpeg;base64,{base64.b64encode(jpeg).decode()}"


# -- the sheet with what was read -----------------------------------------------------------------


def _picture(scan: ScannedSheet, numbers: dict[str, int]) -> str:
    """Return the straightened sheet as SVG, in mm, with every reading on its box."""
    from markupsafe import escape

    width, height = scan.scene.size
    shape = "lying" if width > height else "standing"
    size = f'width="{width:g}" height="{height:g}"'
    title = escape(scan.scene.title)
    parts = [
        f'<svg viewBox="0 0 {width:g} {height:g}" class="{shape}" role="img" aria-label="{title}">',
        f'<image href="{_url(scan.straight)}" {size} preserveAspectRatio="none"/>',
    ]
    late = []
    for box in scan.scene.boxes:
        reading = scan.readings.get(box.id)
        if box.id in numbers:
            late.append(_framed(box, reading, numbers[box.id]))
        elif reading and reading.state != "empty":
            parts.append(_quiet(box, reading))
    return "".join([*parts, *late, "</svg>"])


def _title(box: Box, reading: Reading | None) -> str:
    from markupsafe import escape

    said = ""
    if reading:
        best = shown(str(reading.value)) if reading.value else reading.state
        said = f": {best}, {round(100 * reading.confidence)} %"
    return f"<title>{escape(box.id + said)}</title>"


def _rect(rect: Rect, more: float, kind: str, radius: float = 1.1) -> str:
    x, y, width, height = rect.inset(-more)
    radius = min(radius, width / 2, height / 2)
    return (
        f'<rect class="{kind}" x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" '
        f'height="{height:.2f}" rx="{radius:.2f}"/>'
    )


def _quiet(box: Box, reading: Reading) -> str:
    """Return a reading that is sure: a ground for ticks, a small text at the corner for others."""
    from markupsafe import escape

    title = _title(box, reading)
    if reading.state == "cancelled":
        return f"<g>{title}{_rect(box.rect, 0.2, 'cancelled', _ROUND)}</g>"
    if not isinstance(reading.value, str):
        return f"<g>{title}{_rect(box.rect, 0.2, 'ticked', _ROUND)}</g>"
    text = reading.value.replace("-", "−")
    size = min(2.7, 0.42 * box.rect.height)
    wide = max(_NARROW * size * len(text), 0.6 * size) + 0.5 * size
    right, top = box.rect.right + 0.5, box.rect.y - 0.3
    return (
        f'<g class="quiet">{title}{_rect(box.rect, 0, "hit")}<rect x="{right - wide:.2f}" '
        f'y="{top:.2f}" width="{wide:.2f}" height="{size:.2f}" rx=".6"/><text '
        f'x="{right - wide / 2:.2f}" y="{top + 0.83 * size:.2f}" font-size="{size:.2f}">'
        f"{escape(text)}</text></g>"
    )


def _framed(box: Box, reading: Reading | None, number: int) -> str:
    """Return a box in doubt, which leads to its place in the list."""
    radius = 1.9 if box.rect.height >= 4 else 1.5
    x, y = box.rect.right + 0.2, box.rect.y - 0.2
    return (
        f'<a href="#unsure{number}" id="box{number}" class="unsure">{_title(box, reading)}'
        f"{_rect(box.rect, 0.5, 'frame')}"
        f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius}"/>'
        f'<text x="{x:.2f}" y="{y + 0.36 * 2.7:.2f}" font-size="2.7">{number}</text></a>'
    )
