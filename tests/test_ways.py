"""The same match, given in every way there is, comes to the same."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter

from sheetgen.checking import Checked, Checker
from sheetgen.cli import main

YAML = """
variant: lostdice
sheets:
  - player: North
    entries: {red: [$, 3, 5, 8], blue: [2, 4, 9], green: [5, 4], discards: 16}
    written: {red: -8, total: -13}
  - player: South
    entries: {red: [2, 4, 6, 7, 8, 9, 10], yellow: [$, $, 5, 8, 10], discards: 13}
    written: {total: 35}
"""
CSV = """player,round,box,entries,written
,,variant,lostdice,
North,,red,$ 3 5 8,-8
North,,blue,2 4 9,
North,,green,5 4,
North,,discards,16,
North,,total,,-13
South,,red,2 4 6 7 8 9 10,
South,,yellow,$ $ 5 8 10,
South,,discards,13,
South,,total,,35
"""
JSON = {
    "variant": "lostdice",
    "sheets": [
        {
            "player": "North",
            "entries": {"red": ["$", 3, 5, 8], "blue": [2, 4, 9], "green": [5, 4], "discards": 16},
            "written": {"red": -8, "total": -13},
        },
        {
            "player": "South",
            "entries": {
                "red": [2, 4, 6, 7, 8, 9, 10],
                "yellow": ["$", "$", 5, 8, 10],
                "discards": 13,
            },
            "written": {"total": 35},
        },
    ],
}


def form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """Return a pad printed by the tool and filled in by another program."""
    blank = tmp_path / "pad.pdf"
    words = ["sheetgen", "print", "lostdice", "--copies", "2", "--fillable", "-o", str(blank)]
    monkeypatch.setattr("sys.argv", words)
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 0
    values: dict[str, str] = {}
    for copy, sheet in enumerate(JSON["sheets"], 1):
        assert isinstance(sheet, dict)
        values[f"player__{copy}"] = sheet["player"]
        for name, entries in sheet["entries"].items():
            if isinstance(entries, int):
                values |= {f"{name}_{n}__{copy}": "/Yes" for n in range(1, entries + 1)}
            else:
                values |= {f"{name}_{n}__{copy}": str(e) for n, e in enumerate(entries, 1)}
        for name, result in sheet["written"].items():
            box = name if name == "total" else f"{name}_score"
            values[f"{box}__{copy}"] = str(result)
    writer = PdfWriter(clone_from=PdfReader(blank))
    for page in writer.pages:
        writer.update_page_form_field_values(page, values, auto_regenerate=False)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def said(checked: Checked) -> object:
    """Return what a report says, without the file's name."""
    assert checked.report, checked.problems
    sheets = [
        (one.player, dict(one.scores), dict(one.written), one.findings, dict(one.steps))
        for one in checked.report.sheets
    ]
    return sheets, checked.report.totals, checked.report.winners, checked.report.findings


@pytest.mark.parametrize("way", ["csv", "json", "pdf"])
def test_every_way_comes_to_the_same(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """YAML, CSV, JSON and a filled-in PDF of one match give one report."""
    if way == "pdf":
        data = form(tmp_path, monkeypatch)
    else:
        data = (CSV if way == "csv" else json.dumps(JSON)).encode()
    checker = Checker()
    expected = said(checker.check_bytes(YAML.encode(), "a.yaml"))
    assert said(checker.check_bytes(data, f"a.{way}")) == expected


def test_the_report_is_right() -> None:
    """The scores, what was written wrong and the entry that is not allowed are found."""
    checked = Checker().check_bytes(YAML.encode(), "a.yaml")
    assert checked.report
    north, south = checked.report.sheets
    assert north.scores["total"] == -24
    assert [(one.box, one.rule) for one in north.findings] == [
        ("green_2", "order"),
        ("total", "written"),
    ]
    assert south.scores["total"] == 35
    assert checked.report.winners == ("South",)
    assert checked.code(strict=False) == 1
