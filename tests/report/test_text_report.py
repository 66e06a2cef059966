"""The report at a terminal: aligned, plain, complete."""

from __future__ import annotations

from pathlib import Path

import pytest

from sheetgen.checking import Checked, Checker
from sheetgen.report.text import plain, report, summary

HERE = Path(__file__).parent
TRAIL = str(HERE.parent / "read" / "trail.yaml")
HEAD = "sheets:\n  - player: A\n    round: 1\n    entries: "

WHOLE = """\
match.yaml: Trail, 4 sheets (YAML)

North, round 1  entries                   score  written
  red           $ 3 8 5                      16       -8  wrong
  blue          sum 9, wagers 1, cards 3      9
  six           12
  stones        9
  red_double    yes
  bridges       red
  total                                      46       12  wrong
  error: red_4: 5 is not higher than 8 before it [order]
  error: stones: 9, allowed are 0 to 8 [most]
  error: red: −8 is written, right is 16 [written]
  error: total: 12 is written, right is 46 [written]

南, round 1  entries  score  written
  red        2 3          5
  blue                    0
  stones     3
  total                   8        8

North, round 2  entries  score
  red                        0
  blue                       0
  total                      0

南, round 2  entries  score
  red                     0
  blue       10          10
  last       yes
  total                  10

Totals
  North  46
  南     18
Winner: North
"""


def checked(data: str | bytes, file: str = "match.yaml") -> Checked:
    """Check a file of the variant trail."""
    content = data.encode() if isinstance(data, str) else data
    return Checker(TRAIL).check_bytes(content, file)


def test_whole_report() -> None:
    """Every sheet has its table and its findings; totals and winner end the match."""
    lines = report(checked((HERE / "match.yaml").read_bytes()))
    assert "".join(f"{line}\n" for line in lines) == WHOLE


def test_explained() -> None:
    """The arithmetic follows the table if it is asked for."""
    lines = list(report(checked(HEAD + "{red: [3, 5], six: 6, stones: 1}"), explain=True))
    assert lines[-4:] == [
        "  red: 3 + 5 = 8",
        "  blue: 0",
        "  total: 8 + 6 + 1 = 15",
        "warning: round: 1 of 2 rounds are there [rounds]",
    ]


def test_nothing_wrong() -> None:
    """Where there is nothing to say, that is said."""
    text = "sheets:\n" + "".join(f"  - {{player: A, round: {number}}}\n" for number in (1, 2))
    assert list(report(checked(text)))[-1] == "No findings."


def test_winners() -> None:
    """Players with one total win together."""
    text = "sheets:\n" + "".join(
        f"  - {{player: {name}, round: {number}}}\n" for name in "ABC" for number in (1, 2)
    )
    assert "Winners: A, B and C" in list(report(checked(text)))


@pytest.mark.parametrize(
    ("encoding", "expected"),
    [
        ("utf-8", "−8 × 2 …"),
        ("cp1252", "-8 x 2 ..."),
        ("ascii", "-8 x 2 ..."),
        (None, "-8 x 2 ..."),
    ],
)
def test_terminals_without_the_signs(encoding: str | None, expected: str) -> None:
    """Signs that a terminal lacks have stand-ins in ASCII."""
    assert plain("−8 × 2 …", encoding) == expected


def test_summary() -> None:
    """Several files end in one line about all."""
    assert summary([0, 1, 1, 2]) == "4 files: 1 right, 2 with findings, 1 unreadable"
    assert summary([0, 0]) == "2 files: 2 right"


def test_doubts() -> None:
    """What is unsure stands under its sheet once, with the line to paste below its boxes."""
    from scanned import LOST_DICE, scanned
    from scanned import checked as checked_scans

    doubts = {
        "blue_3": (("9", 0.58), ("4", 0.33)),
        "blue_1": (("2", 0.9), ("", 0.06)),
        "total": (("23", 0.8),),
    }
    lines = list(report(checked_scans(scanned(LOST_DICE, doubts))))
    assert lines[:2] == [
        "photo.jpg: Lost Dice, 1 sheet (photo)",
        "  sheet 1: the marker at the lower right was not found",
    ]
    assert lines[-5:] == [
        "  unsure: blue_1: 2 (90 %), or empty (6 %): digits touch",
        "  unsure: blue_3: 9 (58 %), or 4 (33 %): digits touch",
        "          blue: [2, 4, 9]",
        "  unsure: total: 23 (80 %): digits touch",
        "          total: 23",
    ]
    assert not any("[unsure]" in line for line in lines)
    assert any("[written]" in line for line in lines)
