"""From a variant and the user's choices to laid-out sheets, or to every reason why not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sheetgen.decode import decode
from sheetgen.errors import InputError
from sheetgen.model import Variant
from sheetgen.prepare import Choices, every_problem, load, looks, prepare, setup_for
from sheetgen.scene import Scene, Text
from sheetgen.source import parse

ROOT = Path(__file__).parent.parent
LOSTDICE = load(str(ROOT / "variants" / "lostdice.yaml"))[0]
SCOREPAD = load(str(ROOT / "variants" / "scorepad.yaml"))[0]

GAME = """
id: mini
code: MN
title: {en: Mini, fr: Petit}
summary: A small game.
languages: [en, fr]
source: This test.
players: 1-4
options:
  rounds: {title: Rounds, default: 2, low: 1, high: 3}
sheets:
  score:
    title: Score
    size: 87x197
    body:
      - tally: {id: t, count: rounds}
      - text: '{{ rounds }} rounds for {{ players }}'
  other:
    title: Other
    size: 87x197
    body:
      - tally: {id: o, count: players}
"""


def game(*changes: tuple[str, str]) -> Variant:
    """Return the small game with some of its text changed."""
    text = GAME
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return decode(parse(text.encode(), "f"), "f")


def refused(variant: Variant, **choices: Any) -> list[str]:
    """Return why choices cannot be printed."""
    with pytest.raises(InputError) as caught:
        prepare(variant, Choices(**choices))
    return [str(problem) for problem in caught.value.problems]


def said(scene: Scene) -> list[str]:
    """Return the words of a scene."""
    return [item.string for item in scene.items if isinstance(item, Text)]


def ids(scene: Scene) -> list[str]:
    """Return the names of a scene's boxes."""
    return [box.id for box in scene.boxes]


class TestChoices:
    """What is not chosen is the variant's first or usual."""

    def test_defaults(self) -> None:
        """The first sheet, the first language, the fewest players, the options' defaults."""
        ready = prepare(game(), Choices())
        assert (ready.name, ready.back, ready.front.language) == ("score", None, "en")
        assert ids(ready.front) == ["t_1", "t_2"]
        assert "2 rounds for 1" in said(ready.front)

    def test_chosen(self) -> None:
        """A sheet, a language, players and values can be chosen."""
        choices = Choices(sheet="other", language="fr", players=3)
        ready = prepare(game(), choices)
        assert (ready.name, ready.front.language, ready.front.title) == ("other", "fr", "Petit")
        assert ids(ready.front) == ["o_1", "o_2", "o_3"]
        values = prepare(game(), Choices(values={"rounds": 3}, players=4))
        assert ids(values.front) == ["t_1", "t_2", "t_3"]
        assert "3 rounds for 4" in said(values.front)

    def test_usual(self) -> None:
        """The usual number of players comes before the fewest."""
        ready = prepare(game(("players: 1-4", "players: 1-4\nusual: 3")), Choices())
        assert "2 rounds for 3" in said(ready.front)

    @pytest.mark.parametrize(("players", "rolls"), [(1, 30), (2, 25), (3, 20), (8, 20)])
    def test_setup(self, players: int, rolls: int) -> None:
        """The number of players chooses the setup, which changes the sheet."""
        scene = prepare(LOSTDICE, Choices(players=players)).front
        assert sum(name.startswith("discards_") for name in ids(scene)) == rolls
        assert str(rolls) in said(scene)

    def test_setup_for(self) -> None:
        """A number of players that no setup is for has none."""
        assert [setup_for(LOSTDICE, number) for number in (1, 2, 3, 8, 9)] == [
            *("solo", "standard", "group", "group", None)
        ]
        assert setup_for(SCOREPAD, 2) is None

    def test_back(self) -> None:
        """The back has the rules and nothing to write in."""
        ready = prepare(LOSTDICE, Choices(back=True))
        assert ready.back is not None
        assert ready.back.size == ready.front.size
        assert not ready.back.boxes

    def test_no_back(self) -> None:
        """A variant without rules is not printed on both sides."""
        (text,) = refused(game(), back=True)
        assert "mini has no rules for the back" in text

    def test_without_rules(self) -> None:
        """The rules in short can be left away; the boxes stay."""
        full, bare = (prepare(LOSTDICE, Choices(rules=rules)).front for rules in (True, False))
        assert len(said(full)) > len(said(bare))
        assert full.boxes == bare.boxes

    @pytest.mark.parametrize("ink", ["full", "low", "bw"])
    def test_ink(self, ink: str) -> None:
        """The ink mode changes no place."""
        boxes = prepare(LOSTDICE, Choices()).front.boxes
        assert prepare(LOSTDICE, Choices(ink=ink)).front.boxes == boxes


class TestRefused:
    """What cannot be chosen is said with the option's name."""

    @pytest.mark.parametrize(
        ("choices", "where", "expected"),
        [
            ({"sheet": "scores"}, "--sheet", "unknown sheet 'scores', known are score, other"),
            ({"language": "de"}, "--lang", "unknown language 'de', known are en, fr"),
            ({"players": 0}, "--players", "found 0, mini is for 1 to 4"),
            ({"players": 5}, "--players", "found 5, mini is for 1 to 4"),
            ({"values": {"round": 2}}, "--set", "unknown option 'round', mini has rounds"),
            ({"values": {"rounds": 4}}, "--set", "found 4, rounds may be 1 to 3"),
            ({"theme": "expedtion"}, "--theme", "unknown theme 'expedtion', known are expedition"),
        ],
    )
    def test_one(self, choices: Mapping[str, Any], where: str, expected: str) -> None:
        """One wrong choice is one problem, a near name with it."""
        (text,) = refused(game(), **choices)
        near = {"--sheet": "score", "--set": "rounds", "--theme": "expedition"}.get(where)
        meant = f"; did you mean {near}?" if near and "unknown" in expected else ""
        assert text == f"{where}: {expected}{meant}"

    def test_all_at_once(self) -> None:
        """All wrong choices are said at once."""
        found = refused(game(), sheet="x", language="de", players=9)
        assert [text.partition(":")[0] for text in found] == ["--sheet", "--lang", "--players"]

    def test_theme_of_the_file(self) -> None:
        """A theme that the file names wrongly is reported at its place in the file."""
        variant = game(("players: 1-4", "players: 1-4\ntheme: expeditoin"))
        (text,) = refused(variant)
        assert text.startswith("f:9:8: theme: unknown theme 'expeditoin'")

    def test_names_of_the_look(self) -> None:
        """Symbols and inks that do not exist are all reported, each at its place."""
        red = "colours:\n  red: {name: red, letter: R, symbol: flame, ink: rde}\n"
        variant = game(
            ("count: rounds}", "count: rounds, symbol: coins}"), ("sheets:", f"{red}sheets:")
        )
        with pytest.raises(InputError) as caught:
            looks(variant, Choices())
        assert sorted(problem.found for problem in caught.value.problems) == [
            *("unknown ink 'rde'", "unknown symbol 'coins'")
        ]


class TestEveryProblem:
    """Validating lays out every sheet in every language and setup."""

    def test_right(self) -> None:
        """A right variant has no problems."""
        assert every_problem(game()) == []

    def test_second_sheet(self) -> None:
        """What does not fit is found on every sheet, in the order of the file."""
        variant = game(("size: 87x197", "size: 30x40"))
        problems = every_problem(variant)
        assert {problem.where.split(".")[1] for problem in problems} == {"score", "other"}
        assert [problem.line for problem in problems] == sorted(p.line for p in problems)

    def test_second_language(self) -> None:
        """What does not fit in one language only is found."""
        variant = game(("fr: Petit", "fr: " + "Trop long pour une feuille " * 3))
        assert every_problem(variant)
        assert prepare(variant, Choices(language="en")).front.title == "Mini"

    def test_any_setup(self) -> None:
        """What does not fit with some players only is found."""
        setups = "setups:\n" + "".join(
            f"  s{n}: {{title: S, players: {n}, values: {{high: {8 if n < 4 else 399}}}}}\n"
            for n in range(1, 5)
        )
        wide = "{% if high > 300 %}" + "wide" * 20 + "{% endif %} rounds"
        variant = game(("options:", f"{setups}options:"), ("{{ rounds }} rounds", wide))
        assert every_problem(variant)
        assert prepare(variant, Choices(players=3)).front.boxes


class TestProperties:
    """What holds for any choice."""

    @given(
        st.sampled_from(["", "score", "tick"]),
        st.sampled_from(["", "en", "fr", "de"]),
        st.none() | st.integers(1, 8),
        st.sampled_from(["full", "low", "bw"]),
    )
    @settings(max_examples=12, deadline=None)
    def test_any_choice(self, sheet: str, language: str, players: int | None, ink: str) -> None:
        """Any allowed choice is laid out, with boxes of different names on the sheet."""
        scene = prepare(LOSTDICE, Choices(sheet, language, players, ink)).front
        names = ids(scene)
        assert len(set(names)) == len(names) > 60
        for box in scene.boxes:
            assert 0 <= box.rect.x < box.rect.right <= scene.size.width
            assert 0 <= box.rect.y < box.rect.bottom <= scene.size.height
