"""What a reader made of a picture, name by name, against a data file or a simulated truth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sheetgen.checking import Checked
from sheetgen.filled import FilledMatch, FilledSheet

GROUPS = ("tracks", "counts", "flags", "sets", "triples", "written")


def held(sheet: FilledSheet) -> dict[str, Any]:
    """Return what a sheet holds by group and name; nothing at all is left out."""
    found: dict[str, Any] = {}
    for group in GROUPS:
        names: Mapping[str, Any] = getattr(sheet, group)
        found |= {f"{group} {name}": value for name, value in names.items() if value or value == 0}
    return found


def silent(checked: Checked, truth: FilledMatch) -> list[str]:
    """Return every difference from the truth that the reader does not ask a person to look at."""
    assert checked.match, checked.problems
    read = checked.match.sheets
    if len(read) != len(truth.sheets):
        return [f"{len(read)} sheets were read, {len(truth.sheets)} are there"]
    doubted = {(doubt.sheet, doubt.name) for doubt in checked.doubts}
    found = []
    for index, (mine, theirs) in enumerate(zip(read, truth.sheets, strict=True)):
        one, other = held(mine), held(theirs)
        for key in sorted(one.keys() | other.keys()):
            group, name = key.split(" ")
            name = f"written.{name}" if group == "written" else name
            if one.get(key) == other.get(key) or (index, name) in doubted:
                continue
            found.append(f"sheet {index} {key}: {one.get(key)} for {other.get(key)}")
    return found
