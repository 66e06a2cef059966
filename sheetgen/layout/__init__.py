"""Layout: a variant's sheet becomes a scene with every place in millimetres.

Each kind of element has a module; :data:`SHAPES` says which. Elements are asked for their least
width and their height at a width, then placed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sheetgen.checks import walk
from sheetgen.errors import InputError
from sheetgen.geometry import Rect, Size
from sheetgen.layout import frame, identity
from sheetgen.layout.grid import GRID
from sheetgen.layout.job import LEAST, Job, Shape
from sheetgen.layout.stack import COLUMN, ROW, SPACE, place_zones
from sheetgen.layout.table import TABLE, groups, lane_width
from sheetgen.layout.tally import LOOKUP, TALLY
from sheetgen.layout.words import FIELDS, ICON, LEGEND, PARAGRAPH, TOTAL
from sheetgen.model import (
    Code,
    Column,
    Fields,
    Grid,
    Icon,
    Legend,
    Lookup,
    Paragraph,
    Row,
    Sheet,
    Space,
    Table,
    Tally,
    Total,
    Variant,
)
from sheetgen.scene import Box, Scene
from sheetgen.symbols import Symbol
from sheetgen.theme import Style

SHAPES: Mapping[type, Shape] = {
    Code: identity.CODE,
    Column: COLUMN,
    Fields: FIELDS,
    Grid: GRID,
    Icon: ICON,
    Table: TABLE,
    Legend: LEGEND,
    Lookup: LOOKUP,
    Paragraph: PARAGRAPH,
    Row: ROW,
    Space: SPACE,
    Tally: TALLY,
    Total: TOTAL,
}

LEAST_WRITING = 7.0  # mm: a box for a number is at least this high and wide


def lay_out(
    variant: Variant,
    sheet: Sheet,
    style: Style,
    symbols: Mapping[str, Symbol],
    *,
    language: str,
    values: Mapping[str, Any],
    rules: bool = True,
    marks: bool = True,
) -> Scene:
    """Return the scene of one of the variant's sheets, or of its ``rules`` (which has no boxes).

    ``values`` are the setup's values and the options; ``rules`` keeps the rules in short,
    ``marks`` the corner markers and the code; without them all else stays where it is, so that both
    ways of printing have one digest. Raises :class:`InputError` with everything that does not fit,
    and by how many mm.
    """
    width, height = (float(side) for side in sheet.size.split("x"))
    size = Size(width, height)
    margin = style.space["margin"] if sheet.margin is None else sheet.margin
    content = Rect(0, 0, width, height).inset(margin)
    job = Job(
        variant,
        style,
        SHAPES,
        symbols,
        language=language,
        values=values,
        rules=rules,
        content=content,
    )
    written = sheet is not variant.rules
    _note_lanes(job, sheet)
    top = frame.place_head(job, sheet, markers=written)
    bottom = content.bottom - frame.foot_height(job, sheet, markers=written)
    body = Rect(content.x, top, content.width, bottom - top)
    place_zones(job, sheet.body, body)
    frame.place_foot(job, sheet)
    if written and marks:
        identity.place_markers(job)
        owner = f"{variant.id}/{next(n for n, s in variant.sheets.items() if s is sheet)}"
        code = f"{variant.code}-{identity.digest(owner, size, job.boxes)}"
        identity.place_codes(job, code)
    _check(job, sheet)
    if job.problems:
        raise InputError(job.problems)
    title = job.words(sheet.heading or variant.title)
    return Scene(title, language, size, margin, tuple(job.items), tuple(job.boxes))


def _note_lanes(job: Job, sheet: Sheet) -> None:
    """Note the lanes of the sheet's main table: other elements may be measured in lanes."""
    for element in walk(sheet.body):
        if isinstance(element, Table) and element.flow == "down":
            job.gutter = groups(job, element)[0].gutter
            job.lane = lane_width(job, element, job.content.width)
            job.lane_gap = job.style.space["lane"] if element.gap is None else element.gap
            return


def _check(job: Job, sheet: Sheet) -> None:
    """Note boxes that share a name, are too small to write in, or leave the sheet's content.

    What does not fit is crowded everywhere: the boxes are looked at only if everything else fits.
    """
    seen: set[str] = set()
    for box in job.boxes:
        if box.id in seen:
            job.fail(sheet.place, f"two boxes are named {box.id!r}", "give one another id")
        seen.add(box.id)
    if job.problems:
        return
    small = [b for b in job.boxes if b.kind == "number" and _least(b) < LEAST_WRITING - LEAST]
    if small:
        smallest = min(small, key=_least)
        more = f" and {len(small) - 1} more" if len(small) > 1 else ""
        job.too_small(sheet.place, f"the box {smallest.id}{more}", LEAST_WRITING, _least(smallest))
    for box in job.boxes:
        if not job.problems and not job.content.contains(box.rect, tolerance=0.3):
            job.fail(
                sheet.place, f"the box {box.id} leaves the sheet's content", "give it more room"
            )


def _least(box: Box) -> float:
    return min(box.rect.width, box.rect.height)
