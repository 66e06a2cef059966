"""Rules rank what is plausible already; they hide nothing, and never touch what is sure."""

from __future__ import annotations

import pytest

from sheetgen.prepare import load
from sheetgen.read.layouts import layouts_of
from sheetgen.read.scan.doubts import doubts_of, settle
from sheetgen.read.scan.readings import Reading, ScannedSheet

GAME = load("lostdice")[0]


def reading(box: str, *texts: tuple[str, float], doubt: str = "") -> Reading:
    """Return what was read in a box."""
    value = texts[0][0] if texts else ""
    state = "unsure" if doubt else "written" if value else "empty"
    chance = texts[0][1] if texts else 1.0
    return Reading(box, value, state, 0.2, chance, texts, doubt)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def blank() -> ScannedSheet:
    """Return a sheet on which nothing was read."""
    from sheetgen.prepare import Choices, prepare
    from sheetgen.read.form import code_of

    ready = prepare(GAME, Choices())
    layout = layouts_of([GAME]).find(code_of(GAME, ready.name, ready.front))
    assert layout is not None
    scene = layout.scene
    readings = {
        box.id: Reading(box.id, box.kind == "tick" and False, "empty", 0.0, 1.0, (), "")
        if box.kind == "tick"
        else reading(box.id)
        for box in scene.boxes
    }
    flat = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    return ScannedSheet("x.jpg", 1, 1, layout.identity, scene, readings, 8.0, flat, b"", b"", ())


def filled(blank: ScannedSheet, *given: Reading) -> ScannedSheet:
    """Return the sheet with some readings in place."""
    return blank._replace(readings={**blank.readings, **{one.box: one for one in given}})


def test_a_doubtful_number_is_ranked_by_the_rules(blank: ScannedSheet) -> None:
    """17 after 7 and before 9 cannot be; 8 can, if it is likely, and stays a doubt."""
    sheet = filled(
        blank,
        reading("red_1", ("7", 0.999)),
        reading("red_2", ("3", 0.6), ("8", 0.35), doubt="3 or 8"),
        reading("red_3", ("9", 0.999)),
    )
    sheets, found = settle(GAME, [sheet], "x.jpg")
    assert found.match.sheets[0].tracks["red"] == (7, 8, 9)
    (doubt,) = doubts_of(GAME, sheets, found)
    assert (doubt.name, doubt.line) == ("red", "red: [7, 8, 9]")
    assert "read as 3, but 8 keeps to the rules" in doubt.why


def test_rules_bring_in_nothing_that_the_ink_does_not_say(blank: ScannedSheet) -> None:
    """What is a hundred times less likely is not chosen, however well it would fit."""
    sheet = filled(
        blank,
        reading("red_1", ("7", 0.999)),
        reading("red_2", ("3", 0.97), ("8", 0.005), doubt="hard to read"),
    )
    _, found = settle(GAME, [sheet], "x.jpg")
    assert found.match.sheets[0].tracks["red"] == (7, 3)


def test_a_sure_reading_stays_against_all_rules(blank: ScannedSheet) -> None:
    """A violation that is plain on the paper is what a check is for."""
    sheet = filled(
        blank, reading("red_1", ("7", 0.999)), reading("red_2", ("3", 0.99), ("8", 0.01))
    )
    sheets, found = settle(GAME, [sheet], "x.jpg")
    assert found.match.sheets[0].tracks["red"] == (7, 3)
    assert doubts_of(GAME, sheets, found) == ()


def test_a_doubt_on_an_unused_sheet_is_not_lost(blank: ScannedSheet) -> None:
    """Ink that may be nothing, on a sheet that has nothing else, is still listed."""
    faint = reading("red_1", doubt="ink that may be no number")
    sheets, found = settle(GAME, [filled(blank, faint)], "x.jpg")
    assert not found.match.sheets
    (doubt,) = doubts_of(GAME, sheets, found)
    assert (doubt.sheet, doubt.box, doubt.line) == (-1, "red_1", "")


def test_results_that_the_entries_come_to_are_said_to_agree(blank: ScannedSheet) -> None:
    """A second opinion is told, and decides nothing."""
    sheet = filled(
        blank,
        reading("red_1", ("7", 0.999)),
        reading("red_2", ("9", 0.999)),
        reading("red_score", ("-4", 0.9), ("4", 0.05), doubt="-4 or 4"),
    )
    sheets, found = settle(GAME, [sheet], "x.jpg")
    (doubt,) = doubts_of(GAME, sheets, found)
    assert (doubt.name, doubt.line) == ("written.red", "red: -4")
    assert doubt.why == "-4 or 4; the entries come to −4, too"
