"""The report for programs: JSON in the committed schema, and CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from typing import Any

from sheetgen.checking import Checked
from sheetgen.rules.findings import Finding, SheetReport

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
        yield f'],\n  "match": {_dump(match)},\n  "error": {_dump(error(checked))}}}'
    yield "\n]}\n"


def csv_parts(results: Iterable[Checked]) -> Iterator[str]:
    """Yield the CSV report piece by piece: a row for each score and for each finding."""
    yield _line(COLUMNS)
    for checked in results:
        start = (checked.file, _variant(checked) or "")
        if checked.report is None:
            yield _line((*start, "", "", "", "", "", "error", "unreadable", error(checked) or ""))
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
    """Return why a file could not be read, a line for each problem."""
    return "\n".join(map(str, checked.problems)) if checked.report is None else None


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
