"""The bundled games: their examples, random sheets against other scorers, bounds, JavaScript."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from played import VARIANTS, match, one, report, said, sheet, variant
from scorers import GAMES, LONG, REACHED, ROUTES

from sheetgen import decode
from sheetgen.filled import FilledSheet
from sheetgen.rules.examples import wrong
from sheetgen.rules.findings import MatchReport
from sheetgen.rules.functions import Lane
from sheetgen.rules.javascript import script
from sheetgen.rules.rulebook import rulebook
from sheetgen.rules.score import judge

# Sheets of each game in the property tests; the nightly run takes 100,000 in all.
SHEETS = int(os.environ.get("SHEETGEN_SHEETS", "3500")) // len(GAMES)


@pytest.mark.parametrize("path", VARIANTS, ids=lambda path: path.stem)
def test_examples(path: Path) -> None:
    """Every bundled variant has examples, and they come out as they say."""
    game = decode.load(path)
    assert game.examples
    assert [str(problem) for problem in wrong(game)] == []


@pytest.mark.parametrize("name", GAMES)
def test_random_sheets(name: str) -> None:
    """Scores and findings are those of a scorer that was written for this game alone."""
    random = Random(name)
    game = variant(name)
    for _ in range(SHEETS):
        filled, setup, (scores, findings) = GAMES[name](random)
        judged = judge(game, match(filled, setup=setup)).sheets[0]
        assert judged.scores == scores, filled
        assert set(said(judged.findings)) == findings, filled


def test_rounds_of_cards() -> None:
    """Across two players no card is there twice, no fourth wager, no more cards than are dealt."""
    random = Random(1)
    game = variant("lostcities")
    for _ in range(SHEETS):
        deck = [(colour, card) for colour in LONG[:5] for card in (*range(2, 11), "w", "w", "w")]
        random.shuffle(deck)
        played = deck[: random.choice([10, 40, 44, 45, 60])]
        if random.random() < 0.5:
            played += random.choices(deck, k=3)
        hands: list[dict[str, list[Any]]] = [{}, {}]
        for colour, card in played:
            random.choice(hands).setdefault(colour, []).append(card)
        for hand in hands:
            for cards in hand.values():
                cards.sort(key=lambda card: 0 if card == "w" else card)
        ann, ben = (
            sheet(p, **{c: tuple(cards) for c, cards in hand.items()})
            for p, hand in zip("AB", hands, strict=True)
        )
        expected = set()
        for colour in LONG[:5]:
            mine, yours = hands[0].get(colour, []), hands[1].get(colour, [])
            for at, card in enumerate(yours, 1):
                if card != "w" and card in mine:
                    expected.add(f"{colour}_{at} unique")
            if (mine + yours).count("w") > 3:
                expected.add(f"{colour} wagers")
            if sum(card != "w" for card in mine + yours) > 9:
                expected.add(f"{colour} numbers")
        if len(played) > 44:
            expected.add("total cards")
        assert set(said(report(game, ann, ben).findings)) == expected


def test_bridges() -> None:
    """Two who claim a bridge are a warning, a bridge crossed by nobody's claim is an error."""
    random = Random(2)
    game = variant("lostcities-rollwrite")
    for _ in range(SHEETS):
        sheets = [GAMES["lostcities-rollwrite"](random)[0] for _ in range(random.randint(2, 5))]
        sheets = [one._replace(player=str(n)) for n, one in enumerate(sheets)]
        expected = set()
        for lane in (*ROUTES, "artifacts", "dice"):
            claims = sum(lane in one.sets["bridges"] for one in sheets)
            highest = max(one.counts.get(lane) or len(one.tracks.get(lane, ())) for one in sheets)
            if claims > 1:
                expected.add((f"{lane}_bridge", "bridges", "warning"))
            if not claims and highest > 6:
                expected.add((f"{lane}_bridge", "unclaimed", "error"))
        found = report(game, *sheets).findings
        assert {finding[:3] for finding in found} == expected


# -- bounds ---------------------------------------------------------------------------------------


def test_every_expedition() -> None:
    """Of all expeditions there are, one scores −80 to 156, with 143 different scores."""
    game = variant("lostcities")
    scores = set()
    for (count, total), wagers in product(sorted(REACHED), range(4)):
        given = {"sum": total, "wagers": wagers, "cards": count + wagers}
        judged = one(game, red=given)
        assert not judged.findings
        scores.add(judged.scores["red"])
    assert (min(scores), max(scores), len(scores)) == (-80, 156, 143)


def test_best_with_so_many_entries() -> None:
    """The best of all ways to share 25, 20 or 30 entries over five routes is 320, 272, 408."""
    game = variant("lostdice")
    best: dict[int, int] = {}
    for wagers, numbers in product(range(4), range(10)):
        entries = ("$",) * wagers + tuple(range(11 - numbers, 11))
        score = one(game, red=entries).scores["red"]
        best[len(entries)] = max(best.get(len(entries), -99), score)
    sums = {0: 0}
    for _ in range(5):
        longer: dict[int, int] = {}
        for (used, score), (size, more) in product(sums.items(), best.items()):
            longer[used + size] = max(longer.get(used + size, -999), score + more)
        sums = longer
    assert [
        max(score for used, score in sums.items() if used <= rolls) for rolls in (25, 20, 30)
    ] == [320, 272, 408]


@pytest.mark.parametrize(("full", "total"), [(True, 930), (False, -320)])
def test_climbing_bounds(full: bool, total: int) -> None:
    """Six doubled full routes, all artifacts, eight dice and all bridges are 930; ones are −320."""
    routes: dict[str, Any] = dict.fromkeys(ROUTES, (5,) * 9 if full else (1,))
    routes |= dict.fromkeys([f"{route}_double" for route in ROUTES], True)
    bridges = frozenset((*ROUTES, "artifacts", "dice") if full else ())
    routes |= {"artifacts": 9, "dice": 8} if full else {"artifacts": 1, "dice": 1}
    judged = one(variant("lostcities-rollwrite"), **routes, bridges=bridges)
    assert judged.scores["total"] == total
    assert not judged.findings


# -- JavaScript -----------------------------------------------------------------------------------

NODE = shutil.which("node")
RUN = """
var sheets = JSON.parse(require("fs").readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(sheets.map(function (v) {
  for (var name in v) {
    var e = v[name];
    if (Array.isArray(e)) { continue; }
    if (e && e.entries) { v[name] = lane(e.entries); }
    if (e && e.marks) { v[name] = totals(e.sum, e.count, e.marks); }
  }
  var r = {};
  FORMULAS
  return r;
})));
"""


@pytest.mark.parametrize("name", GAMES)
def test_javascript_is_always_the_same(name: str) -> None:
    """The script does not hang on the order of sets: the same form comes out every time."""
    code = "from played import *; from sheetgen.rules.javascript import script;"
    code += f"print(script(variant({name!r})))"
    here = Path(__file__).parent
    scripts = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=here,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(scripts) == 1


def as_json(game: str, filled: FilledSheet) -> dict[str, Any]:
    """Return a sheet as JavaScript gets it."""
    book = rulebook(variant(game))
    values: dict[str, Any] = {"rolls": 25, "rounds": 18, "players": 1}
    for name, rule in book.tracks.items():
        if name in filled.triples:
            lane: Lane = rule.of_totals(filled.triples[name])
            values[name] = {"sum": lane.sum, "count": lane.count, "marks": lane.marks}
        else:
            values[name] = {"entries": filled.tracks.get(name, ())}
    values |= {name: filled.counts.get(name, 0) for name in book.counts}
    values |= {name: filled.flags.get(name, False) for name in book.flags}
    return values | {name: filled.sets.get(name, ()) for name in book.sets}


@pytest.mark.skipif(NODE is None, reason="needs Node")
@pytest.mark.parametrize("name", GAMES)
def test_javascript(name: str) -> None:
    """JavaScript scores random sheets as Python does."""
    random = Random(f"{name} in JavaScript")
    sheets = [GAMES[name](random)[0] for _ in range(SHEETS)]
    prelude, formulas = script(variant(name))
    lines = "\n".join(f"r[{json.dumps(key)}] = {text};" for key, text in formulas)
    source = prelude + RUN.replace("FORMULAS", lines)
    given = json.dumps([as_json(name, filled) for filled in sheets])
    done = subprocess.run(
        [str(NODE), "-e", source], input=given, capture_output=True, text=True, check=True
    )
    for filled, scores in zip(sheets, json.loads(done.stdout), strict=True):
        right = judge(variant(name), match(filled)).sheets[0].scores
        assert {key: scores[key] for key in right} == right, filled


# -- what the report says -------------------------------------------------------------------------


def three(*totals: dict[str, int]) -> MatchReport:
    """Judge a match in which each player has one expedition by totals a round."""
    sheets = [
        sheet(player, number, red={"sum": total, "wagers": 0, "cards": 4})
        for number, by in enumerate(totals, 1)
        for player, total in by.items()
    ]
    return report(variant("lostcities"), *sheets)


def test_totals_and_winners() -> None:
    """Totals add up over the rounds; who ties wins too."""
    judged = three({"Ann": 24, "Ben": 30}, {"Ann": 30, "Ben": 24}, {"Ann": 20, "Ben": 20})
    assert judged.totals == {"Ann": 14, "Ben": 14}
    assert judged.winners == ("Ann", "Ben")
    judged = three({"Ann": 24, "Ben": 30}, {"Ann": 30, "Ben": 24}, {"Ann": 20, "Ben": 21})
    assert judged.winners == ("Ben",)


def test_rounds() -> None:
    """A missing round or sheet is a warning; a fourth round and a second sheet are errors."""
    judged = three({"Ann": 14, "Ben": 30}, {"Ann": 24})
    assert Counter(one[1:3] for one in judged.findings) == {("rounds", "warning"): 2}
    judged = three(*[{"Ann": 14, "Ben": 20}] * 4)
    assert next(one for one in judged.findings if one.rule == "rounds").severity == "error"
    judged = report(variant("lostcities"), sheet("Ann"), sheet("Ann"), sheet("Ben"))
    assert ("round", "rounds", "error") in [one[:3] for one in judged.findings]


def test_setup_from_the_number_of_players() -> None:
    """Without a setup it is that of the number of players: here 20 rolls each, not 25."""
    game = variant("lostdice")
    sheets = [sheet(player, discards=20) for player in "ABC"]
    assert not any(one.findings for one in report(game, *sheets).sheets)
    assert all(one.findings for one in report(game, *sheets, setup="standard").sheets)
    judged = report(game, *sheets, setup="standart")
    assert "did you mean standard?" in judged.findings[0].message


def test_steps() -> None:
    """The arithmetic is shown as one writes it."""
    judged = one(variant("lostdice"), red=("$", 3, 5, 8), blue=(2, 4, 9), white=("$",))
    assert dict(judged.steps) == {
        "red": "(3 + 5 + 8 − 20) × 2 = −8",
        "yellow": "0",
        "blue": "2 + 4 + 9 − 20 = −5",
        "green": "0",
        "white": "(−20) × 2 = −40",
        "total": "−8 − 5 − 40 = −53",
    }


def test_findings_speak_the_language() -> None:
    """What a variant says about its rules is said in the report's language."""
    filled = sheet(red=(2,) * 5, discards=25)
    judged = judge(variant("lostdice"), match(filled, setup="standard"), "de")
    assert (
        judged.sheets[0].findings[-1].message
        == "5 Einträge und 25 Abgelegte und Gepasste sind mehr als 25 Würfe"
    )


def test_working_is_compared_if_written() -> None:
    """Parts of the working are no scores of the report unless they stand on the paper."""
    game = variant("lostdice")
    assert "red_sum" not in one(game, red=(3, 4)).scores
    judged = one(game, red=(3, 4), written={"red_sum": 8, "red_factor": 1, "red_bonus": 0})
    assert judged.scores["red_sum"] == 7
    assert [f for f in said(judged.findings) if "written" in f] == ["red_sum written"]
