"""The reports for programs: JSON in its schema, CSV that spreadsheets take for text."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sheetgen.checking import Checked, Checker
from sheetgen.report.machine import COLUMNS, csv_parts, json_parts

HERE = Path(__file__).parent
TRAIL = str(HERE.parent / "read" / "trail.yaml")
MATCH = (HERE / "match.yaml").read_bytes()
SCHEMA = json.loads(Path("docs/check-schema.json").read_text(encoding="utf-8"))


def results(*files: bytes) -> list[Checked]:
    """Check files of the variant trail."""
    checker = Checker(TRAIL)
    return [checker.check_bytes(data, f"{number}.yaml") for number, data in enumerate(files)]


def as_json(*files: bytes) -> Any:
    """Return the JSON report, which is in its schema."""
    text = "".join(json_parts(results(*files)))
    assert text.isascii()
    report = json.loads(text)
    jsonschema.validate(report, SCHEMA)
    return report


def as_csv(*files: bytes) -> list[list[str]]:
    """Return the rows of the CSV report."""
    return list(csv.reader(io.StringIO("".join(csv_parts(results(*files))))))


def test_the_schema_is_one() -> None:
    """The committed schema is a schema, and refuses what is not in it."""
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"files": [{"file": "x"}]}, SCHEMA)


def test_json() -> None:
    """Files, sheets, findings and the match have the shape that is promised."""
    good, bad = as_json(MATCH, b"sheets: 3")["files"]
    assert (good["file"], good["variant"], good["error"]) == ("0.yaml", "trail", None)
    first = good["sheets"][0]
    assert (first["player"], first["round"]) == ("North", 1)
    assert first["scores"] == {"red": 16, "blue": 9, "total": 46}
    assert first["written"] == {"red": -8, "total": 12}
    assert first["findings"][0] == {
        "box": "red_4",
        "rule": "order",
        "severity": "error",
        "message": "5 is not higher than 8 before it",
    }
    assert good["match"]["totals"] == {"North": 46, "南": 18}
    assert good["match"]["winners"] == ["North"]
    assert bad["sheets"] == []
    assert bad["error"] == (
        "1.yaml:1:9: sheets: found '3', needed is 'sheets:' with a list, '- player: North' …"
    )


def test_a_line_for_each_sheet() -> None:
    """The JSON report can be searched line by line."""
    lines = "".join(json_parts(results(MATCH))).splitlines()
    assert sum('"player"' in line for line in lines) == 4
    assert all(json.loads(line.strip().rstrip("],")) for line in lines if '"player"' in line)


def test_csv() -> None:
    """Scores and findings are rows of one table."""
    head, *rows = as_csv(MATCH, b"sheets: 3")
    assert tuple(head) == COLUMNS
    assert rows[0] == ["0.yaml", "trail", "North", "1", "red", "16", "-8", "", "", ""]
    assert rows[4][4:] == ["stones", "", "", "error", "most", "9, allowed are 0 to 8"]
    assert rows[-1][7:9] == ["error", "unreadable"]


def test_names_are_no_formulas() -> None:
    """A player called like a formula stays a text in spreadsheets."""
    data = b'sheets:\n  - {player: "=1+1", round: 1}\n  - {player: "@x", round: 1}\n'
    assert {row[2] for row in as_csv(data)[1:]} == {"'=1+1", "'@x", ""}


@settings(max_examples=50)
@given(st.text(st.characters(codec="utf-8"), max_size=20))
def test_any_name_is_written_as_it_was(name: str) -> None:
    """Whatever a player is called, JSON holds it and is in its schema."""
    data = json.dumps({"sheets": [{"player": name, "round": 1}]}).encode()
    (file,) = as_json(data)["files"]
    assert file["error"] or file["sheets"][0]["player"] == name.strip()


def test_scans() -> None:
    """Pictures add their sheets: resolution, notes, and every box with all that was read in it."""
    from scanned import LOST_DICE, UNSURE, scanned
    from scanned import checked as checked_scans

    given = checked_scans(scanned(LOST_DICE, UNSURE))
    report = json.loads("".join(json_parts([given])))
    jsonschema.validate(report, SCHEMA)
    (scan,) = report["files"][0]["scans"]
    assert scan["scale"] == {"px_per_mm": 8.2, "dpi": 208.3}
    assert scan["notes"] == ["the marker at the lower right was not found"]
    boxes = {box["box"]: box for box in scan["boxes"]}
    assert list(boxes) == [box.id for box in given.scans[0].scene.boxes]
    assert boxes["blue_3"] == {
        "box": "blue_3",
        "value": "9",
        "state": "unsure",
        "ink": 0.12,
        "confidence": 0.6,
        "likeliest": [
            {"value": "9", "probability": 0.58},
            {"value": "4", "probability": 0.33},
            {"value": "7", "probability": 0.06},
        ],
        "doubt": "digits touch",
        "line": "blue: [2, 4, 9]",
    }
    assert boxes["red_9"]["value"] == ""
    assert boxes["discards_1"]["value"] is True
    rows = list(csv.reader(io.StringIO("".join(csv_parts([given])))))
    assert sum(row[8] == "unsure" for row in rows) == 2


def test_sheets_that_could_not_be_read_beside_others() -> None:
    """A file may have a report and problems: both are said."""
    from sheetgen.errors import Problem

    (good,) = results(MATCH)
    good = good._replace(problems=(Problem("page 2: no sheet was found", file="a.pdf"),))
    report = json.loads("".join(json_parts([good])))
    jsonschema.validate(report, SCHEMA)
    assert report["files"][0]["error"] == "a.pdf: page 2: no sheet was found"
    assert report["files"][0]["sheets"]
    rows = list(csv.reader(io.StringIO("".join(csv_parts([good])))))
    assert rows[1][7:] == ["error", "unreadable", "a.pdf: page 2: no sheet was found"]
    assert len(rows) > 3
