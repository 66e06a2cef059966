"""The geometry of every sheet stays what it is, unless somebody means to change it."""

from __future__ import annotations

import difflib

import pytest
from golden import FOLDER, REGOLD, describe, golden_cases

CASES = golden_cases()


@pytest.mark.parametrize("name", CASES)
def test_geometry_is_golden(name: str) -> None:
    """Size, boxes and the extent of the ink are those of the golden file."""
    path = FOLDER / f"{name}.txt"
    expected = path.read_text(encoding="utf-8") if path.exists() else ""
    found = describe(CASES[name])
    difference = difflib.unified_diff(
        expected.splitlines(), found.splitlines(), str(path.name), "now", n=0, lineterm=""
    )
    shown = "\n".join(list(difference)[:40])
    assert found == expected, f"if this is meant: {REGOLD}\n{shown}"


def test_no_golden_file_is_left_over() -> None:
    """Every golden file belongs to a sheet."""
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(CASES)
