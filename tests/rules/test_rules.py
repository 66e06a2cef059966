"""What may stand where, what is wrong with a variant that says it badly, and sheets that lie."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from played import VARIANTS, one, problems, report, said, sheet, small, variant

from sheetgen.filled import FilledMatch, FilledSheet
from sheetgen.rules.examples import wrong
from sheetgen.rules.score import judge

TRACK = "play: {tracks: {red: {numbers: 2..10, %s}}}\nscore: {total: sum(red)}\n"


@pytest.mark.parametrize(
    ("rule", "entries", "findings"),
    [
        ("order: rising", (2, 3, 3, 2, 9), ["red_3 order", "red_4 order"]),
        ("order: falling", (9, 9, 3, 4), ["red_2 order", "red_4 order"]),
        ("order: not-falling", (2, 2, 3, 2), ["red_4 order"]),
        ("order: either", (9, 5, 7, 2), ["red_3 order"]),
        ("order: either", (5, 5, 7, 6), ["red_2 order", "red_4 order"]),
        ("order: either", (5,), []),
        ("order: free", (5, 9, 2, 2), []),
        ("boxes: 2", (5, 5, 5, 5), ["red_3 boxes", "red_4 boxes"]),
        ("single: true", (5, 6), ["red boxes"]),
        ("marks: {x: {most: 1}}", (5, "x", "x"), ["red_3 most"]),
        ("marks: {x: {after_at_most: 0}}", ("x", 5, "x"), ["red_3 mark"]),
        ("marks: {x: {after_at_most: 2}}", (5, 6, "x", 7, "x"), ["red_5 mark"]),
        ("order: free", (5, "x", 1, 11), ["red_2 entry", "red_3 number", "red_4 number"]),
        ("order: rising", (2, "", 3, "", ""), ["red_2 gap"]),
    ],
)
def test_tracks(rule: str, entries: tuple[Any, ...], findings: list[str]) -> None:
    """Every entry that is not allowed is a finding at its box, and is scored all the same."""
    judged = one(small(TRACK % rule), red=entries)
    assert said(judged.findings) == findings
    assert judged.scores["total"] == sum(entry for entry in entries if isinstance(entry, int))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"sum": 36, "wagers": 1, "cards": 6}, ""),
        ({"sum": 0, "wagers": 3, "cards": 3}, ""),
        ({"sum": 0, "wagers": 0, "cards": 0}, ""),
        ({"sum": 54, "wagers": 3, "cards": 12}, ""),
        ({"sum": 55, "wagers": 3, "cards": 12}, "the sum of 9 numbers is 55: it can be 54 to 54"),
        ({"sum": 1, "wagers": 0, "cards": 1}, "the sum of 1 number is 1: it can be 2 to 10"),
        ({"sum": 5, "wagers": 2, "cards": 2}, "the sum of 0 numbers is 5: it can be 0 to 0"),
        ({"sum": 60, "wagers": 0, "cards": 10}, "the sum of 10 numbers is 60: it cannot be"),
        ({"sum": 9, "wagers": 4, "cards": 6}, "wagers 4, allowed are 0 to 3"),
        ({"sum": 9, "wagers": -1, "cards": 1}, "wagers −1, allowed are 0 to 3"),
        ({"sum": 9, "wagers": 3, "cards": 2}, "cards 2, fewer than the marks among them"),
        ({"sum": 54, "wagers": 5, "cards": 14}, "wagers 5, allowed are 0 to 3"),
        ({"sum": 36, "wagers": 1}, "cards not given: 6 are taken, the least that can be"),
        ({"sum": 36, "cards": 6}, ""),
        ({"sum": 36, "cards": 6, "hands": 2}, "unknown 'hands', known are sum, wagers, cards"),
    ],
)
def test_totals_alone(given: dict[str, int], message: str) -> None:
    """Totals that no cards can have are findings."""
    findings = one(variant("lostcities"), red=given).findings
    assert [finding.message for finding in findings][:1] == ([message] if message else [])


def test_totals_beside_the_other_sheet() -> None:
    """Totals that cannot be reached with the numbers the other player left are a finding."""
    game = variant("lostcities")
    high = sheet("Ann", red=(8, 9, 10))
    assert not report(game, high, sheet("Ben", red={"sum": 18, "wagers": 0, "cards": 3})).findings
    judged = report(game, high, sheet("Ben", red={"sum": 19, "wagers": 0, "cards": 3}))
    assert said(judged.findings) == ["red unique"]
    both = [sheet(name, red={"sum": 30, "wagers": 0, "cards": 4}) for name in ("Ann", "Ben")]
    assert said(report(game, *both).findings) == ["red unique"]


def test_counts_flags_and_sets() -> None:
    """Too many ticks, names that may not be chosen, and names of nothing are findings."""
    game = variant("lostcities-rollwrite")
    filled = sheet(red=(1,) * 7, dice=-1)._replace(
        sets={"bridges": ("red", "red", "pink")}, flags={"artifacts_double": True}
    )
    judged = report(game, filled).sheets[0]
    assert said(judged.findings) == [
        "dice most",
        "red_bridge twice",
        "bridges name",
        "artifacts_double name",
    ]
    assert judged.scores["bridges"] == 20


def test_entries_of_the_wrong_kind() -> None:
    """A count where a track belongs is a finding, never a score."""
    judged = report(variant("lostdice"), sheet(red=3, discards=(1, 2), pink=True)).sheets[0]
    assert {"red name", "discards name", "pink name"} <= set(said(judged.findings))
    assert judged.scores["total"] == 0


def test_written() -> None:
    """A wrong result is an error, a result of nothing a warning, a right one is neither."""
    judged = one(variant("scorepad"), r=(3, 4), written={"total": 8, "sum": 7})
    assert [finding[:3] for finding in judged.findings] == [
        ("total", "written", "error"),
        ("sum", "written", "warning"),
    ]
    assert judged.findings[0].message == "8 is written, right is 7"
    assert not one(variant("scorepad"), r=(3, 4), written={"total": 7}).findings


def test_without_score() -> None:
    """A variant that does not say what it scores can be judged: nothing is known."""
    judged = report(small(""), sheet("A"), sheet("B"))
    assert judged.totals == {}
    assert judged.winners == ()
    assert judged.sheets[0].scores == {}


def test_lowest_wins() -> None:
    """The lowest total wins where the variant says so; a single player wins nothing."""
    game = small(TRACK % "order: free" + "match: {winner: lowest}\n")
    sheets = sheet("A", red=(5,)), sheet("B", red=(4,))
    assert report(game, *sheets).winners == ("B",)
    assert report(game, sheets[0]).winners == ()


ANYTHING = st.one_of(st.integers(), st.text(max_size=3), st.sampled_from(["$", "w", ""]))
NAMES = st.sampled_from(
    ["red", "blue", "discards", "dice", "bridges", "red_double", "aces", "r", "?"]
)


@given(
    st.sampled_from([path.stem for path in VARIANTS]),
    st.lists(
        st.builds(
            FilledSheet,
            st.sampled_from(["A", "B", ""]),
            st.integers(0, 5),
            st.dictionaries(NAMES, st.lists(ANYTHING, max_size=70).map(tuple)),
            st.dictionaries(NAMES, st.integers()),
            st.dictionaries(NAMES, st.booleans()),
            st.dictionaries(NAMES, st.lists(st.text(max_size=6) | NAMES).map(tuple)),
            st.dictionaries(
                NAMES, st.dictionaries(st.sampled_from(["sum", "cards", "?"]), st.integers())
            ),
            st.dictionaries(NAMES | st.just("total"), st.integers()),
            st.just({}),
        ),
        max_size=4,
    ),
    st.text(max_size=5),
)
def test_anything_can_be_judged(name: str, sheets: list[FilledSheet], setup: str) -> None:
    """Whatever is read from a file, judging it ends in a report."""
    judged = judge(variant(name), FilledMatch("x", name, setup, tuple(sheets)), "fr")
    for filled in judged.sheets:
        assert [*filled.steps] == [*filled.scores]
        assert all(dict(filled.steps).values())
        assert list(filled.scores)[-1] == "total"


# -- variants that say it badly -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TRACK % "order: rise", "did you mean rising?"),
        (TRACK % "boxes: rolls", "unknown value 'rolls'"),
        ("play: {tracks: {red: {numbers: 9..2}}}\n", "a range such as 2..10"),
        ("play: {tracks: {red: {numbers: -9999..9999, marks: {3: {}}}}}\n", "a mark such as x"),
        ("score: {total: 1}\n", "score without play"),
        ("play: {counts: {a: {}}, flags: {a: {}}}\n", "'a' is a flag and a count"),
        ("play: {counts: {lane: {}}}\n", "'lane' is a count and a name of its own"),
        ("play: {counts: {a: {}}}\nscore: {a: a, total: a}\n", "'a' is a score and a count"),
        ("play: {counts: {a: {}}}\nscore: {b: a}\n", "no score 'total'"),
        (
            "play: {counts: {a: {}}}\nscore: {total: b, b: c, c: total}\n",
            "scores that need each other",
        ),
        ("play: {counts: {a: {}}}\nscore: {total: total}\n", "scores that need each other: total"),
        (
            "play: {counts: {a: {}}}\nscore: {b: {named: total, formula: a}, total: a}\n",
            "two scores of the name 'total'",
        ),
        ("play: {flags: {a: {lanes: [re]}}, counts: {red: {}}}\n", "did you mean red?"),
        ("play: {tracks: {red: {numbers: 1, totals: {sum: sums}}}}\n", "did you mean sum?"),
        ("play: {counts: {a: {}}}\nmatch: {unique: a}\n", "unknown track 'a'"),
        ("play: {counts: {a: {}}}\nexamples: [{sheets: {entries: {b: 1}}}]\n", "unknown entry 'b'"),
        (TRACK % "order: free" + "examples: [{sheets: {entries: {red: 3}}}]\n", "'red' is a track"),
        ("play: {counts: {a: {}}}\nexamples: [{sheets: {entries: {a: 1}}}]\n", ""),
        (
            "play: {counts: {a: {}}, asserts: [{rule: x, that: a > 1, box: a, text: '{b}'}]}\n",
            "unknown name 'b'",
        ),
        (
            "play: {counts: {a: {}}, asserts: [{rule: x, that: a, box: a, text: x}]}\n",
            "wanted is a condition",
        ),
    ],
)
def test_problems(text: str, message: str) -> None:
    """What a variant says badly about play is a problem with its place."""
    found = problems(text)
    assert bool(found) == bool(message)
    assert not found or any(message in problem for problem in found), found
    assert all(problem.startswith("small.yaml:") for problem in found)


@pytest.mark.parametrize(
    ("example", "message"),
    [
        ("{sheets: {entries: {red: [3]}, scores: {total: 4}}}", "total is 3, the example says 4"),
        ("{sheets: {entries: {red: [3]}, scores: {sum: 3}}}", "sum is no score"),
        ("{sheets: {entries: {red: [1]}}}", "a finding 'red_1 number'"),
        ("{sheets: {entries: {red: [3]}, findings: red_1 order}}", "no finding 'red_1 order'"),
        ("{sheets: {entries: {red: [3]}}, totals: {A: 4}}", "the totals are {'A': 3}"),
        ("{sheets: {entries: {red: [3]}}, winners: A}", "the winners are"),
    ],
)
def test_wrong_examples(example: str, message: str) -> None:
    """An example that does not come out as it says is a problem."""
    game = small(TRACK % "order: free" + f"examples: [{example}]\n")
    found = [str(problem) for problem in wrong(game)]
    assert len(found) == 1
    assert message in found[0]
    assert found[0].startswith("small.yaml:")
