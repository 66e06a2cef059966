"""Sheets as a reader of paper finds them, made without one: drawn, written on, photographed."""

from __future__ import annotations

import io
from collections.abc import Mapping
from functools import cache

from PIL import Image, ImageDraw, ImageFont

from sheetgen import library
from sheetgen.checking import Checked, Checker, load
from sheetgen.draw.pdf import pdf
from sheetgen.draw.png import png
from sheetgen.form_names import Identity
from sheetgen.geometry import MM_PER_INCH, Rect
from sheetgen.impose import alone
from sheetgen.model import Variant
from sheetgen.prepare import Choices, Prepared, prepare, setup_for
from sheetgen.read.form import FormSheet, code_of
from sheetgen.read.form_sheets import form_match
from sheetgen.read.names import names_of
from sheetgen.read.save import line_in_doubt, line_of
from sheetgen.read.scan.readings import RESOLUTION, Doubt, Reading, ScannedSheet
from sheetgen.rules.findings import Finding

PEN = (32, 48, 120)
TABLE = (96, 78, 62)
# The photo is taken slightly from the side, 8 px per mm or so, the sheet lying on a table.
CAMERA = (8.4, -0.5, 150.0, 0.7, 8.1, 120.0, 0.00035, 0.0005, 1.0)
LOST_DICE: dict[str, str | bool] = {
    "player": "",
    **{f"red_{n}": e for n, e in enumerate(("$", "3", "5", "8", "10"), 1)},
    **{f"blue_{n}": e for n, e in enumerate(("2", "4", "9"), 1)},
    **{f"green_{n}": e for n, e in enumerate(("2", "3", "4", "6", "7", "8", "9", "10"), 1)},
    **{f"yellow_{n}": e for n, e in enumerate(("4", "7"), 1)},
    **{f"discards_{n}": True for n in range(1, 8)},
    "red_score": "12",
    "blue_score": "-5",
    "green_score": "49",
    "total": "23",
}
UNSURE = {"blue_3": (("9", 0.58), ("4", 0.33), ("7", 0.06)), "yellow_2": (("7", 0.71), ("1", 0.27))}


@cache
def drawn(name: str, sheet: str = "") -> tuple[Variant, Prepared, Image.Image]:
    """Return a variant, a sheet of it, and its picture of 8 px per mm."""
    variant = load(str(library.find_variant(name)))
    ready = prepare(load_whole(name), Choices(sheet=sheet))
    scene = ready.front
    data = png(pdf(scene, None, alone(scene.size), ready.style.fonts), RESOLUTION * MM_PER_INCH)
    return variant, ready, Image.open(io.BytesIO(data)).convert("RGB")


def load_whole(name: str) -> Variant:
    """Return a variant with all that printing needs."""
    from sheetgen.prepare import load as load_to_print

    return load_to_print(name)[0]


def _write(picture: Image.Image, rect: Rect, value: str | bool) -> None:
    """Write a text or a cross into a box."""
    draw = ImageDraw.Draw(picture)
    x, y, right, bottom = (side * RESOLUTION for side in (rect.x, rect.y, rect.right, rect.bottom))
    if value is True:
        draw.line((x + 2, y + 2, right - 2, bottom - 2), PEN, 4)
        draw.line((x + 2, bottom - 2, right - 2, y + 2), PEN, 4)
    elif value:
        font = ImageFont.load_default(0.62 * (bottom - y))
        draw.text(((x + right) / 2, (y + bottom) / 2), str(value), PEN, font, "mm")


def inverse(h: tuple[float, ...]) -> tuple[float, ...]:
    """Return the inverse of a homography, its last number 1."""
    a, b, c, d, e, f, g, k, i = h
    minors = (
        *(e * i - f * k, c * k - b * i, b * f - c * e),
        *(f * g - d * i, a * i - c * g, c * d - a * f),
        *(d * k - e * g, b * g - a * k, a * e - b * d),
    )
    return tuple(value / minors[8] for value in minors)


def scanned(
    values: Mapping[str, str | bool],
    doubts: Mapping[str, tuple[tuple[str, float], ...]],
    name: str = "lostdice",
    sheet: str = "",
    camera: tuple[float, ...] = CAMERA,
    size: tuple[int, int] = (1000, 1800),
    copy: int = 1,
) -> ScannedSheet:
    """Return a filled-in sheet that was found in a photo."""
    variant, ready, blank = drawn(name, sheet)
    scene = ready.front
    picture = blank.copy()
    readings = {}
    for box in scene.boxes:
        value = values.get(box.id, False if box.kind == "tick" else "")
        _write(picture, box.rect, value)
        likeliest = doubts.get(box.id, ((str(value), 0.99),) if value else ())
        unsure = box.id in doubts
        state = "unsure" if unsure else "empty" if not value else "written"
        state = "marked" if value is True and not unsure else state
        why = "digits touch" if unsure else ""
        ink = 0.12 if value else 0.001
        readings[box.id] = Reading(box.id, value, state, ink, 0.6, likeliest, why)  # type: ignore[arg-type]
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=88)
    to_sheet = inverse(camera)
    rows = [value * (RESOLUTION if row < 6 else 1) for row, value in enumerate(to_sheet)]
    scale = rows[8]
    paper = picture.transform(
        size,
        Image.Transform.PERSPECTIVE,
        [value / scale for value in rows[:8]],
        Image.Resampling.BICUBIC,
        fillcolor=TABLE,
    )
    photo = io.BytesIO()
    paper.save(photo, "JPEG", quality=88)
    players = variant.usual or variant.players[0]
    identity = Identity(
        variant=name,
        sheet=ready.name,
        language=scene.language,
        players=players,
        setup=setup_for(variant, players) or "",
        values=(),
        rules=True,
        theme=str(variant.theme),
        code=code_of(variant, ready.name, scene),
    )
    return ScannedSheet(
        "photo.jpg",
        1,
        copy,
        identity,
        scene,
        readings,
        8.2,
        camera,
        out.getvalue(),
        photo.getvalue(),
        ("the marker at the lower right was not found",),
    )


def checked(*scans: ScannedSheet, name: str = "lostdice") -> Checked:
    """Return what checking scanned sheets comes to."""
    variant = drawn(name, scans[0].identity.sheet)[0]
    forms = [
        FormSheet(
            scan.file,
            scan.page,
            scan.copy,
            scan.identity,
            {box: reading.value for box, reading in scan.readings.items()},
            (),
        )
        for scan in scans
    ]
    found = form_match(variant, forms, "photo.jpg")
    match = found.match._replace(totals=found.totals)
    result = Checker(language="en").judged(variant, "en", match)
    doubts = _doubts(scans, result, found.origins)
    assert result.report
    sheets = list(result.report.sheets)
    for doubt in doubts:
        finding = Finding(doubt.box, "unsure", "warning", f"unsure: {doubt.why}")
        sheet = sheets[doubt.sheet]
        sheets[doubt.sheet] = sheet._replace(findings=(*sheet.findings, finding))
    report = result.report._replace(sheets=tuple(sheets))
    return result._replace(
        dialect="photo",
        report=report,
        scans=scans,
        doubts=tuple(doubts),
        origins=found.origins,
    )


def _doubts(scans: tuple[ScannedSheet, ...], result: Checked, origins: object) -> list[Doubt]:
    assert result.variant
    assert result.match
    names = names_of(result.variant)
    doubts = []
    for copy, scan in enumerate(scans):
        index = [number for number, (of, _) in enumerate(origins) if of == copy]  # type: ignore[arg-type,var-annotated]
        for box, reading in scan.readings.items():
            if reading.doubt:
                base = box.rstrip("0123456789").rstrip("_").removesuffix("_score")
                doubt = Doubt(copy, index[0], box, base, reading.doubt, reading.likeliest, "")
                line = line_of(line_in_doubt(doubt, names), result.match.sheets[index[0]], names)
                doubts.append(doubt._replace(line=line))
    return doubts
