"""From boxes to names: the same sheets as a data file would give."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "forms"))
import pads

from sheetgen.errors import InputError
from sheetgen.prepare import load
from sheetgen.read.boxes import boxes_of
from sheetgen.read.form import FormSheet, read_form
from sheetgen.read.form_sheets import FormMatch, form_match

BUNDLED = [
    "lostdice",
    "keldice",
    "lostcities",
    "lostcities-long",
    "lostcities-rollwrite",
    "yacht",
    "scorepad",
]
ALONE = frozenset(("date", "game", "winner"))  # what players note for themselves


def match(
    variant: str, values: dict[str, str | bool], sheet: str = "", copies: int = 1
) -> FormMatch:
    """Return the match of a pad filled in."""
    blank = read_form(pads.pad(variant, copies, sheet), "x.pdf")
    given = [
        form._replace(
            values={
                box: values.get(f"{box}__{form.copy}", before)
                for box, before in form.values.items()
            }
        )
        for form in blank
    ]
    known = {f"{box}__{form.copy}" for form in blank for box in form.values}
    assert known >= set(values)
    return form_match(load(variant)[0], given, "x.pdf")


def refused(variant: str, values: dict[str, str | bool], copies: int = 1) -> list[str]:
    """Return why a pad filled in is refused."""
    with pytest.raises(InputError) as error:
        match(variant, values, copies=copies)
    return [str(problem) for problem in error.value.problems]


@pytest.mark.parametrize("variant", BUNDLED)
def test_every_box_means_something_to_the_rules(variant: str) -> None:
    """Every box means something to the rules."""
    game = load(variant)[0]
    for sheet in map(str, game.sheets):
        boxes = pads.prepared(variant, sheet).front.boxes
        meant = boxes_of(game, sheet, boxes)
        known = {*meant.players.values(), *meant.matches.values()}
        for part in meant.parts:
            known |= {s.box for slots in part.tracks.values() for s in slots}
            known |= {s.box for slots in part.results.values() for s in slots}
            known |= {s.box for of in part.totals.values() for slots in of.values() for s in slots}
            known |= {box for boxes in part.counts.values() for box in boxes}
            known |= {*part.flags.values()} | {b for of in part.sets.values() for b in of.values()}
        unknown = {box.id for box in boxes} - known - ALONE
        # The scorepad's running totals are for the player alone, too.
        assert {box for box in unknown if "_sum_" not in box} == set()


def test_lost_dice() -> None:
    """Lost dice."""
    found = match(
        "lostdice",
        {
            "player__1": "North", "red_1__1": "$", "red_2__1": "3", "red_3__1": "5.",
            "blue_1__1": "２", "blue_3__1": "9", "discards_1__1": True, "discards_2__1": True,
            "red_score__1": "−24", "total__1": "-12", "red_factor_2__1": True, "roll_1__1": True,
            "white_bonus__1": True, "date__1": "1.5.",
        },
    )  # fmt: skip
    (sheet,) = found.match.sheets
    assert (found.match.variant, found.match.setup) == ("lostdice", "standard")
    assert (sheet.player, sheet.round) == ("North", 0)
    assert sheet.tracks == {"red": ("$", 3, 5), "blue": (2, "", 9)}  # box 2 was left out
    assert sheet.counts == {"discards": 2, "roll": 1}
    assert sheet.written == {"red": -24, "total": -12, "red_factor": 2, "white_bonus": 20}
    assert found.warnings == ()


def test_lost_dice_to_tick() -> None:
    """Lost dice to tick."""
    values: dict[str, str | bool] = {"red_1__1": True, "red_4__1": True, "red_12__1": True}
    (sheet,) = match("lostdice", values, "tick").match.sheets
    assert sheet.tracks == {"red": ("$", 2, 10)}
    assert sheet.player == "1"


def test_the_card_game_by_totals() -> None:
    """The card game by totals."""
    found = match(
        "lostcities",
        {
            "player_a__1": "North", "red_a_sum_round2__1": "36", "red_a_wagers_1_round2__1": True,
            "red_a_cards_round2__1": "7", "blue_b_sum_round2__1": "20",
            "blue_b_cards_round2__1": "4", "round_a_round2__1": "32", "match_a__1": "32",
        },
    )  # fmt: skip
    first, second = found.match.sheets
    assert (first.player, first.round, first.written) == ("North", 2, {"total": 32})
    assert first.triples == {"red": {"sum": 36, "wagers": 1, "cards": 7}}
    assert (second.player, second.round) == ("B", 2)
    assert second.triples == {"blue": {"sum": 20, "wagers": 0, "cards": 4}}
    assert found.totals == {"North": 32}


def test_the_card_game_to_tick_has_the_marks_of_files() -> None:
    """The card game to tick has the marks of files."""
    values: dict[str, str | bool] = {"red_b_1_round3__1": True, "red_b_5_round3__1": True}
    (sheet,) = match("lostcities", values, "tick").match.sheets
    assert (sheet.player, sheet.round, sheet.tracks) == ("B", 3, {"red": ("w", 3)})


def test_roll_and_write() -> None:
    """Roll and write."""
    (sheet,) = match(
        "lostcities-rollwrite",
        {
            "red_1__1": "1", "red_2__1": "1", "red_double__1": True, "red_bridge__1": True,
            "dice_bridge__1": True, "artifacts_1__1": "x", "artifacts_2__1": "✓",
            "bridges__1": "40", "artifacts_score__1": "5",
        },
    ).match.sheets  # fmt: skip
    assert sheet.tracks == {"red": (1, 1)}
    assert sheet.flags == {"red_double": True}
    assert sheet.sets == {"bridges": ("red", "dice")}
    assert sheet.counts == {"artifacts": 2}
    assert sheet.written == {"bridges": 40, "artifacts": 5}


def test_the_games_of_a_yacht_sheet_are_rounds() -> None:
    """The games of a yacht sheet are rounds."""
    values: dict[str, str | bool] = {
        "player__1": "Ann", "g2_aces__1": "3", "g3_yacht__1": "50", "g3_total__1": "50",
    }  # fmt: skip
    first, second = match("yacht", values).match.sheets
    assert (first.player, first.round, first.tracks) == ("Ann", 2, {"aces": (3,)})
    assert (second.round, second.tracks, second.written) == (3, {"yacht": (50,)}, {"total": 50})


def test_the_lanes_of_a_score_pad_are_players() -> None:
    """The lanes of a score pad are players."""
    values: dict[str, str | bool] = {
        "p1_name__1": "Ann", "p1_r_1__1": "-5", "p1_r_2__1": "7",
        "p3_r_1__1": "1", "p3_total__1": "1",
    }  # fmt: skip
    first, second = match("scorepad", values).match.sheets
    assert (first.player, first.tracks) == ("Ann", {"r": (-5, 7)})
    assert (second.player, second.tracks, second.written) == ("P3", {"r": (1,)}, {"total": 1})


def test_copies_nobody_used_are_left_out() -> None:
    """Copies nobody used are left out."""
    values: dict[str, str | bool] = {
        "player__1": "Ann", "red_1__1": "2", "player__3": "Bob", "red_1__3": "4",
    }  # fmt: skip
    found = match("lostdice", values, copies=3)
    assert [sheet.player for sheet in found.match.sheets] == ["Ann", "Bob"]


def test_names_may_not_clash() -> None:
    """Two sheets of one name could be one pad counted twice: they are refused."""
    values: dict[str, str | bool] = {
        "player__1": "Ann", "red_1__1": "2", "player__3": "Ann", "red_1__3": "4",
    }  # fmt: skip
    (said,) = refused("lostdice", values, copies=3)
    assert said.startswith("x.pdf: sheet 3 on page 1: 'Ann' has two sheets, check one match")


def test_who_has_a_name_and_nothing_else_took_part() -> None:
    """Who has a name and nothing else took part."""
    values: dict[str, str | bool] = {"player__1": "Ann", "red_1__1": "2", "player__2": "Bob"}
    found = match("lostdice", values, copies=3).match.sheets
    assert [(sheet.player, bool(sheet.tracks)) for sheet in found] == [
        ("Ann", True),
        ("Bob", False),
    ]
    values = {"player_b__1": "Bob", "red_a_sum_round2__1": "36", "red_a_cards_round2__1": "7"}
    assert [(s.player, s.round) for s in match("lostcities", values).match.sheets] == [
        ("A", 2),
        ("Bob", 2),
    ]


def test_what_is_no_entry_is_said_with_its_box_and_never_counts() -> None:
    """What is no entry is said with its box and never counts."""
    assert refused("lostdice", {"red_1__1": "5/6", "blue_2__1": "x"}) == [
        "x.pdf: sheet 1 on page 1, red_1: found '5/6', allowed is a whole number or $",
        "x.pdf: sheet 1 on page 1, blue_2: found 'x', allowed is a whole number or $",
    ]


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        ({"red_a_sum_round1__1": "36"}, "red: cards is missing, fill it in"),
        (
            {
                "red_a_sum_round1__1": "36", "red_a_cards_round1__1": "7",
                "red_a_wagers_1_round1__1": True, "red_a_wagers_3_round1__1": True,
            },
            "red: wagers 1 and 3 are ticked, tick one of them",
        ),
    ],
)  # fmt: skip
def test_totals_that_do_not_say_enough_are_refused(
    values: dict[str, str | bool], wanted: str
) -> None:
    """Totals that do not say enough are refused."""
    assert refused("lostcities", values) == [f"x.pdf: sheet 1 on page 1, {wanted}"]


def test_a_result_that_is_no_number_is_a_warning() -> None:
    """A result that is no number is a warning."""
    found = match("lostdice", {"red_1__1": "5", "total__1": "lots"})
    assert found.match.sheets[0].written == {}
    assert found.warnings == ("sheet 1 on page 1: total says 'lots', which is no number",)


def test_a_pad_nobody_filled_in_is_said_to_be_one() -> None:
    """A pad nobody filled in is said to be one."""
    said = "type into a form (sheetgen print --fillable) and save it"
    assert refused("lostdice", {}) == [f"x.pdf: no sheet is filled in, {said}"]


def test_a_pad_of_another_variant_is_refused() -> None:
    """A pad of another variant is refused."""
    sheets = [s._replace(values=dict(s.values, red_1="5")) for s in read_form(pads.pad(), "x.pdf")]
    with pytest.raises(InputError, match="sheet 1 on page 1 is of lostdice, not of keldice"):
        form_match(load("keldice")[0], sheets, "x.pdf")


def test_a_sheet_that_does_not_say_what_it_is_is_refused() -> None:
    """A sheet that does not say what it is is refused."""
    sheet = FormSheet("x.pdf", 1, 1, None, {"red_1": "5"}, ())
    with pytest.raises(InputError, match="has lost its hidden field"):
        form_match(load("lostdice")[0], [sheet], "x.pdf")


def test_a_sheet_from_another_version_of_the_variant_is_said() -> None:
    """A sheet from another version of the variant is said."""
    (sheet,) = read_form(pads.pad(), "x.pdf")
    assert sheet.identity is not None
    old = sheet._replace(
        identity=sheet.identity._replace(code="LD-AAAAAA"), values=dict(sheet.values, red_1="5")
    )
    found = form_match(load("lostdice")[0], [old], "x.pdf")
    assert found.warnings == ("sheet 1 on page 1 was printed from another version of lostdice",)


def test_a_text_that_says_no_is_no_mark() -> None:
    """A 0 or a dash typed into a box to tick is asked about, not counted."""
    found = refused("lostcities-rollwrite", {"artifacts_1__1": "x", "artifacts_2__1": "0"})
    assert found == [
        "x.pdf: sheet 1 on page 1, artifacts_2: found '0', allowed is a mark such as x, or nothing"
    ]
