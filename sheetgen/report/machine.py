"""The report for programs: JSON in the committed schema, and CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sheetgen.checking import Checked
from sheetgen.geometry import MM_PER_INCH
from sheetgen.rules.findings import Finding, SheetReport

if TYPE_CHECKING:
    from sheetgen.read.scan.readings import Doubt, ScannedSheet

COLUMNS = (
    "file",
    "variant",
    "player",
    "round",
    "box",
    "score",
    "written",
    "severity",
    "rule",
    "message",
)


def json_parts(results: Iterable[Checked]) -> Iterator[str]:
    """Yield the JSON report piece by piece, a line for each sheet, in ASCII."""
    yield '{"files": ['
    for number, checked in enumerate(results):
        report = checked.report
        yield "," if number else ""
        yield f'\n {{"file": {_dump(checked.file)}, "variant": {_dump(_variant(checked))},'
        yield '\n  "sheets": ['
        for index, sheet in enumerate(report.sheets if report else ()):
            yield (",\n   " if index else "\n   ") + _dump(_sheet(sheet))
        match: dict[str, Any] = {
            "totals": dict(report.totals) if report else {},
            "winners": list(report.winners) if report else [],
            "findings": [finding._asdict() for finding in report.findings] if report else [],
        }
        if checked.scans:
            yield '],\n  "scans": ['
            for index, scan in enumerate(checked.scans):
                yield ("," if index else "") + "\n   "
                yield from _scan(scan, [d for d in checked.doubts if d.copy == index])
        yield f'],\n  "match": {_dump(match)},\n  "error": {_dump(error(checked))}}}'
    yield "\n]}\n"


def csv_parts(results: Iterable[Checked]) -> Iterator[str]:
    """Yield the CSV report piece by piece: a row for each score and for each finding."""
    yield _line(COLUMNS)
    for checked in results:
        start = (checked.file, _variant(checked) or "")
        if (words := error(checked)) is not None:
            yield _line((*start, "", "", "", "", "", "error", "unreadable", words))
        if checked.report is None:
            continue
        for sheet in checked.report.sheets:
            mine = (*start, sheet.player, sheet.round or "")
            for name in dict.fromkeys((*sheet.scores, *sheet.written)):
                both = (sheet.scores.get(name, ""), sheet.written.get(name, ""))
                yield _line((*mine, name, *both, "", "", ""))
            for finding in sheet.findings:
                yield _line((*mine, *_finding(finding)))
        for finding in checked.report.findings:
            yield _line((*start, "", "", *_finding(finding)))


def error(checked: Checked) -> str | None:
    """Return why a file or a sheet in it could not be read, a line for each problem."""
    failed = checked.problems or checked.report is None
    return "\n".join(map(str, checked.problems)) if failed else None


def _variant(checked: Checked) -> str | None:
    return str(checked.variant.id) if checked.variant else None


def _dump(value: object) -> str:
    return json.dumps(value)  # in ASCII, so right in any encoding


def _sheet(sheet: SheetReport) -> dict[str, Any]:
    return {
        "player": sheet.player,
        "round": sheet.round,
        "scores": dict(sheet.scores),
        "written": dict(sheet.written),
        "findings": [finding._asdict() for finding in sheet.findings],
    }


def _scan(scan: ScannedSheet, doubts: Sequence[Doubt]) -> Iterator[str]:
    """Yield a sheet that was found in a picture, a line for each box."""
    lines = {doubt.box: doubt.line for doubt in doubts}
    head = {
        "page": scan.page,
        "copy": scan.copy,
        "code": scan.identity.code,
        "sheet": scan.identity.sheet,
        "scale": {"px_per_mm": round(scan.scale, 3), "dpi": round(scan.scale * MM_PER_INCH, 1)},
        "notes": list(scan.notes),
    }
    yield _dump(head)[:-1] + ', "boxes": ['
    for index, reading in enumerate(scan.readings.values()):
        box = {
            "box": reading.box,
            "value": reading.value,
            "state": reading.state,
            "ink": round(reading.ink, 5),
            "confidence": round(reading.confidence, 5),
            "likeliest": [
                {"value": text, "probability": round(share, 5)} for text, share in reading.likeliest
            ],
            "doubt": reading.doubt,
            "line": lines.get(reading.box, ""),
        }
        yield (",\n    " if index else "\n    ") + _dump(box)
    yield "]}"


def _finding(finding: Finding) -> tuple[str, ...]:
    return (finding.box, "", "", finding.severity, finding.rule, finding.message)


def _line(values: Iterable[object]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow([_tame(value) for value in values])
    return out.getvalue()


def _tame(value: object) -> object:
    """Return a cell that a spreadsheet takes for text, whatever a player is called."""
    if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")):
        return f"'{value}"
    return value
