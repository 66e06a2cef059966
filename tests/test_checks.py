"""What must hold across a whole variant is checked; what need not, is not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sheetgen.checks import CHECKS, inks, symbols, values, walk
from sheetgen.decode import decode
from sheetgen.errors import InputError
from sheetgen.model import Tally, Track, Variant
from sheetgen.source import parse
from sheetgen.survey import lane_names, possible, span

GAME = """
id: mini
code: MN
title: {en: Mini, fr: Mini}
summary: A small game.
languages: [en, fr]
source: This test.
players: 2-4
setups:
  few: {title: Few, players: 2, values: {rolls: 25}}
  many: {title: Many, players: 3-4, values: {rolls: 20}}
options:
  rounds: {title: Rounds, default: 9, low: 3, high: 12}
colours:
  red: {name: red, letter: R, symbol: flame, ink: red}
  blue: {name: blue, letter: {en: B, fr: Bl}, symbol: waves, ink: blue}
tables:
  points: [0, 1, 2]
dice:
  one: {kind: d4, faces: [1, 2, 3, {value: 4, colour: red, bonus: star}]}
sheets:
  score:
    title: Score
    size: 87x197
    foot: '{{ rolls }} rolls for {{ players }}'
    body:
      - table:
          groups:
            - {lanes: [red, blue], scale: points}
            - {lanes: p, count: players, title: 'P{{ lane }}'}
          rows:
            - track:
                boxes: rounds
                mark: [{after: 1}, {after: 2}]
                effects: {red: {3: star}}
                only: [red, p4]
      - tally: {id: t, count: rolls, scale: points}
      - row:
          repeat: rounds
          name: round
          items:
            - text: '{{ round }} of {{ rounds }}'
      - grid: {id: g, map: [ab], legend: {a: {colour: red, symbol: gem}, b: {blank: true}}}
"""


def problems(*changes: tuple[str, str], text: str = GAME) -> list[str]:
    """Return the problems of the game with some of its text changed."""
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    try:
        decode(parse(text.encode(), "f"), "f")
    except InputError as error:
        return [str(problem).partition(": ")[2] for problem in error.problems]
    return []


def game() -> Variant:
    """Return the game."""
    return decode(parse(GAME.encode(), "f"), "f")


class TestRight:
    """The game that the other tests change is right."""

    def test_no_problems(self) -> None:
        """All checks are content with it."""
        assert problems() == []
        assert all(not list(one(game())) for one in CHECKS)

    @pytest.mark.parametrize(
        "change",
        [
            ("title: {en: Mini, fr: Mini}", "title: Mini"),
            ("letter: R", "letter: {en: R, fr: r}"),
            ("letter: R", "letter: {en: R, fr: B}"),  # B is blue's letter in English only
            ("low: 3", "low: 9"),
            ("players: 2-4\nsetups", "players: 2-4\nusual: 4\nsetups"),
            ("count: rolls", "count: players"),
            ("count: rolls", "count: rounds"),
            ("map: [ab]", "map: [ab, a]"),
        ],
    )
    def test_allowed(self, change: tuple[str, str]) -> None:
        """What is no fault is not reported."""
        assert problems(change) == []


class TestNames:
    """Names must exist where they are used."""

    @pytest.mark.parametrize(
        ("old", "new", "expected"),
        [
            ("lanes: [red, blue]", "lanes: [red, p4]", "unknown colour 'p4'"),
            ("only: [red, p4]", "only: [red, p5]", "unknown lane 'p5', known are red, blue, p1"),
            ("only: [red, p4]", "only: [red, p]", "unknown lane 'p'"),
            ("effects: {red:", "effects: {green:", "unknown lane 'green'"),
            ("effects: {red:", "notes: {green:", "unknown lane 'green'"),
            ("scale: points}\n      - row", "scale: x}\n      - row", "unknown table 'x'"),
            ("{colour: red, symbol: gem}", "{colour: rod}", "unknown colour 'rod'"),
            ("count: rolls", "count: rounds2", "unknown value 'rounds2'"),
            ("boxes: rounds", "boxes: lane", "unknown value 'lane'"),
            ("'{{ round }} of", "'{{ lane }} of", "unknown name 'lane'"),
            ("'P{{ lane }}'", "'P{{ round }}'", "unknown name 'round'"),
        ],
    )
    def test_unknown(self, old: str, new: str, expected: str) -> None:
        """A name that does not exist is one problem."""
        (text,) = problems((old, new))
        assert expected in text

    def test_value_of_one_setup(self) -> None:
        """A value that one of the setups lacks is unknown to counts and templates."""
        found = problems(("players: 3-4, values: {rolls: 20}", "players: 3-4"))
        assert [text.split(": ")[0] for text in found] == [
            "sheets.score.foot",
            "sheets.score.body[2].tally.count",
        ]

    def test_symbols(self) -> None:
        """Symbols of colours, faces, boxes and cells are looked up among those there are."""
        known = {"flame", "waves"}
        found = [problem.found for problem in symbols(game(), known)]
        assert sorted(found) == [
            "unknown symbol 'gem'",
            "unknown symbol 'star'",
            "unknown symbol 'star'",
        ]
        assert symbols(game(), {*known, "gem", "star"}) == []

    def test_inks(self) -> None:
        """The colours' inks are looked up in the theme."""
        (problem,) = inks(game(), ["red", "blues"])
        assert (problem.found, problem.near) == ("unknown ink 'blue'", "blues")


class TestCounts:
    """A count by name has a right value however the game is set up."""

    @pytest.mark.parametrize(
        ("old", "new", "expected"),
        [
            ("rolls: 20", "rolls: 101", "rolls may be 101 in the setup many, allowed is 1 to 100"),
            ("rolls: 20", "rolls: -1", "rolls may be -1 in the setup many, allowed is 1 to 100"),
            ("high: 12", "high: 21", "rounds may be 21, allowed is 1 to 20"),
            ("{after: 2}", "{after: 3}", "a line after box 3, the track has 3 boxes at the least"),
            ("{3: star}", "{4: star}", "box 4, the track has 3 at the least"),
            ("lanes: p,", "lanes: [p, q],", "2 names for counted lanes"),
        ],
    )
    def test_wrong(self, old: str, new: str, expected: str) -> None:
        """A value out of range is reported with the setup it comes from."""
        (text,) = problems((old, new))
        assert expected in text

    def test_boxes_twice(self) -> None:
        """A track has its boxes from one key."""
        (text,) = problems(("boxes: rounds", "boxes: 3\n                values: [1, 2, 3]"))
        assert text.endswith("a track needs boxes, give one of boxes, entries, values")

    def test_possible(self) -> None:
        """A name may stand for its values in the setups, an option's ends or the players."""
        variant = game()
        assert [number for number, _ in possible(variant, "rolls")] == [25, 20]
        assert [number for number, _ in possible(variant, "rounds")] == [3, 12]
        assert [number for number, _ in possible(variant, "players")] == [2, 4]
        assert possible(variant, "other") == []

    def test_span(self) -> None:
        """A count spans what it may stand for."""
        variant = game()
        tally = next(item for item in walk(variant) if isinstance(item, Tally))
        track = next(item for item in walk(variant) if isinstance(item, Track))
        assert span(variant, tally.count, 100) == (20, 25)
        assert track.boxes is not None
        assert span(variant, track.boxes, 60) == (3, 12)
        assert span(variant, 7, 60) == (7, 7)

    def test_lane_names(self) -> None:
        """Counted lanes are numbered up to the most there may be."""
        table = game().sheets["score"].body[0]
        names = [name for group in table.groups for name in lane_names(game(), group)]
        assert names == ["red", "blue", "p1", "p2", "p3", "p4"]

    def test_values(self) -> None:
        """A setup's values stand beside the options' defaults."""
        assert values(game(), "few") == {"rounds": 9, "rolls": 25}
        assert values(game(), None) == {"rounds": 9}


class TestSetups:
    """Every number of players has one setup."""

    @given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 4)), min_size=1, max_size=4))
    @settings(deadline=None)
    def test_any(self, starts: list[tuple[int, int]]) -> None:
        """A problem is found exactly if a number of players from 2 to 6 has none or several."""
        setups = "".join(
            f"  s{index}: {{title: S, players: {low}-{low + more}, values: {{rolls: 20}}}}\n"
            for index, (low, more) in enumerate(starts)
        )
        before, _, rest = GAME.partition("  few:")
        text = before.replace("players: 2-4", "players: 2-6") + setups + "options:"
        text += rest.partition("options:")[2]
        fit = [sum(low <= n <= low + more for low, more in starts) for n in range(2, 7)]
        found = [line for line in problems(text=text) if line.startswith("setups: ")]
        assert bool(found) == any(count != 1 for count in fit)

    def test_long_runs_are_one_problem(self) -> None:
        """Many players without a setup are one problem."""
        (text,) = problems(("players: 2-4", "players: 2-40"), ("count: players", "count: 4"))
        assert text == "setups: 5 to 40 players have no setups, every number of players needs one"


class TestOrder:
    """Problems come in the order of the file, each once."""

    def test_sorted(self) -> None:
        """Problems of different checks are sorted by their place."""
        broken = GAME.replace("letter: R", "letter: Bl").replace("map: [ab]", "map: [ac]")
        broken = broken.replace("scale: points", "scale: x").replace("default: 9", "default: 2")
        with pytest.raises(InputError) as caught:
            decode(parse(broken.encode(), "f"), "f")
        places = [(problem.line, problem.column) for problem in caught.value.problems]
        assert places == sorted(places)
        assert len(places) == 5

    def test_same_node_twice(self) -> None:
        """A fault that an alias repeats is reported for each use."""
        text = GAME.replace("- tally: {id: t,", "- tally: &t {id: t,")
        row = "\n      - row"
        text = text.replace(f"scale: points}}{row}", f"scale: x}}\n      - tally: *t{row}")
        assert [line.partition(": ")[0] for line in problems(text=text)] == [
            "sheets.score.body[2].tally.scale",
            "sheets.score.body[3].tally.scale",
        ]
