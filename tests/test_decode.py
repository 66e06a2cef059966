"""Variant files become variants, or problems that each name their place; the schema agrees."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sheetgen import cli
from sheetgen.decode import decode, json_schema, load
from sheetgen.errors import InputError
from sheetgen.nodes import Mapping, Node, Scalar, Sequence
from sheetgen.prepare import Choices, every_problem, prepare
from sheetgen.scene import Text
from sheetgen.source import parse, read

ROOT = Path(__file__).parent.parent
BROKEN = Path(__file__).parent / "broken" / "variants"
BUNDLED = sorted((ROOT / "variants").glob("*.yaml"))

NAMES = sorted(path.stem for path in BROKEN.iterdir())

# What an editor can see with the schema alone, since the structure is broken.
BROKEN_STRUCTURE = [
    "choice-unknown",
    "element-of-a-table",
    "element-of-two-keys",
    "element-unknown",
    "element-without-its-keys",
    "flag-yes",
    "key-capital",
    "key-in-the-wrong-element",
    "key-missing",
    "key-not-deep-enough",
    "key-too-deep",
    "key-unknown",
    "key-unlike-any",
    "keys-missing-of-an-item",
    "list-empty",
    "list-for-a-mapping",
    "list-for-a-text",
    "mapping-empty",
    "mapping-for-a-list",
    "name-with-capitals",
    "nothing-for-a-mapping",
    "nothing-for-sheets",
    "size-huge",
    "size-of-one-number",
    "text-empty",
    "text-for-a-list",
]

GAME = """
id: mini
code: MN
title: Mini
summary: A small game.
languages: [en]
source: This test.
players: 1-4
colours:
  red: {name: red, letter: R, symbol: flame, ink: red}
  blue: {name: blue, letter: B, symbol: waves, ink: blue}
sheets:
  score:
    title: Score
    size: 87x197
    fields:
      - id: player
        label: LABEL
    body:
      - table:
          groups: [red, blue]
          rows:
            - track: {boxes: BOXES}
      - tally: {id: t, count: TALLY}
      - row:
          repeat: REPEAT
          items:
            - space: {height: HEIGHT}
"""
USUAL = {"LABEL": "Player", "BOXES": "12", "TALLY": "5", "REPEAT": "2", "HEIGHT": "3"}


def game(**words: str) -> bytes:
    """Return the text of a small game, some words replaced."""
    text = GAME
    for name, word in (USUAL | words).items():
        text = text.replace(name, word)
    return text.encode()


def failure(node: Node) -> list[str]:
    """Return what is wrong with a variant, as ``sheetgen validate`` says it."""
    try:
        return [str(problem) for problem in every_problem(decode(node, "f"))]
    except InputError as error:
        return [str(problem) for problem in error.problems]


def plain(node: Node) -> Any:
    """Return the JSON value that an editor takes a node for, by the rules of YAML 1.2."""
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    if isinstance(node, Mapping):
        return {key.value: plain(value) for key, value in node.entries}
    if node.is_null:
        return None
    try:
        value = json.loads(node.value)
    except ValueError:
        return node.value
    return node.value if node.quoted or isinstance(value, dict | list | str) else value


class TestBundled:
    """What the package brings is right."""

    @pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.stem)
    def test_loads(self, path: Path) -> None:
        """Every bundled variant is read, and its name is that of its file."""
        assert load(path).id == path.stem


def expected(name: str) -> list[str]:
    """Return what a broken file's last lines say is wrong with it, without the file's name."""
    lines = (BROKEN / f"{name}.yaml").read_text(encoding="utf-8").splitlines()
    return [line.removeprefix("# ") for line in lines if line.startswith("# ")]


class TestBroken:
    """Every file in ``tests/broken/variants`` has the faults that its last lines name.

    Such a line is ``# line:column: element: words``, where an ellipsis stands for what is cut.
    """

    def test_every_file_expects_something(self) -> None:
        """Every file says what is wrong with it."""
        assert len(NAMES) > 60
        assert all(expected(name) for name in NAMES)

    @pytest.mark.parametrize("name", NAMES)
    def test_file(self, name: str) -> None:
        """Exactly the named problems are found, in the order of the file, one line each."""
        path = BROKEN / f"{name}.yaml"
        with pytest.raises(InputError) as caught:
            raise InputError(every_problem(load(path)))
        texts = [str(problem) for problem in caught.value.problems]
        for text, line in zip(texts, expected(name), strict=True):
            begin, _, end = line.partition("…")
            assert text.startswith(f"{path}:{begin.rstrip()}")
            assert text.endswith(end)
            assert "\n" not in text

    @pytest.mark.parametrize("command", ["validate", "print"])
    def test_command_line(
        self,
        command: str,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
        tmp_path: Path,
    ) -> None:
        """The commands say the same on stderr alone, exit with 2 and leave no file behind."""
        monkeypatch.chdir(tmp_path)
        for name in NAMES:
            path = str(BROKEN / f"{name}.yaml")
            monkeypatch.setattr(sys, "argv", ["sheetgen", command, path])
            with pytest.raises(SystemExit) as caught:
                cli.main()
            out, err = capsys.readouterr()
            assert (caught.value.code, out) == (2, "")
            assert len(err.splitlines()) == len(expected(name))
            assert all(line.startswith(f"{path}:") for line in err.splitlines())
        assert not list(tmp_path.iterdir())

    def test_broken_yaml(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Broken YAML is refused by the command in the same way, nothing of it printed."""
        for path in (BROKEN.parent / "source").iterdir():
            monkeypatch.setattr(sys, "argv", ["sheetgen", "validate", str(path)])
            with pytest.raises(SystemExit) as caught:
                cli.main()
            out, err = capsys.readouterr()
            assert (caught.value.code, out) == (2, "")
            assert err
            assert all(line.startswith(f"{path}:") for line in err.splitlines())

    def test_quick(self) -> None:
        """No file takes long, whatever it asks for: a bomb is refused before it is laid out."""
        start = time.perf_counter()
        for name in NAMES:
            assert failure(read(BROKEN / f"{name}.yaml"))
        assert time.perf_counter() - start < 5


class TestNumbers:
    """Numbers have one stated form and a range."""

    WRONG = (
        *(".nan", ".inf", "-1", "true", "false", "0.0001", "500", "1000000000", "010", "1e1"),
        *("2_0", "0x10", "1:30", "５", "''", "+-3", "9" * 400),
    )

    def test_usual(self) -> None:
        """The small game that the others change is right."""
        assert not failure(parse(game(), "f"))

    @pytest.mark.parametrize("word", [*WRONG, "0"])
    @pytest.mark.parametrize(("field", "high"), [("BOXES", 60), ("TALLY", 100), ("REPEAT", 20)])
    def test_count(self, field: str, high: int, word: str) -> None:
        """What is no count is refused with the field and its range."""
        (text,) = failure(parse(game(**{field: word}), "f"))
        where = {"BOXES": "track.boxes", "TALLY": "tally.count", "REPEAT": "row.repeat"}[field]
        assert f"{where}: found " in text
        assert f"allowed is a whole number from 1 to {high} or the name of" in text

    @pytest.mark.parametrize("word", [word for word in WRONG if word != "0.0001"])
    def test_length(self, word: str) -> None:
        """What is no length is refused with the field and its range."""
        (text,) = failure(parse(game(HEIGHT=word), "f"))
        assert "space.height: found " in text
        assert "allowed is a number from 0 to 400 mm" in text

    @pytest.mark.parametrize("word", ["0", "0.0001", "10", "'10'", "+7", "1.50"])
    def test_right_length(self, word: str) -> None:
        """A decimal number in the range is a length, in quotes or not."""
        assert not failure(parse(game(HEIGHT=word), "f"))


class TestAsTyped:
    """What other tools change is printed as typed."""

    @pytest.mark.parametrize(
        "words",
        [
            *("$", "$$", "${HOME}", "$20", "NO", "ON", "Off", "yes", "true", "1:30", "10:00"),
            *("2024-05-01", "0510210600", "010", "1e1", "2_0", ".nan", "→ x2", "-1", "1.50"),
            *("%d", "{x}", "\\n", "&amp;", "<b>", "a&b"),
        ],
    )
    def test_label(self, words: str) -> None:
        """A label reaches the sheet letter by letter, in the theme's capitals."""
        variant = decode(parse(game(LABEL=f"'{words}'"), "f"), "f")
        bare = decode(parse(game(LABEL=words), "f"), "f") if words[0] not in "%{&" else variant
        for one in (variant, bare):
            scene = prepare(one, Choices()).front
            assert words.upper() in [item.string for item in scene.items if isinstance(item, Text)]

    @pytest.mark.parametrize("mark", ["", "\ufeff"])
    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_line_ends_and_mark(self, mark: str, end: str) -> None:
        """A byte order mark and other line ends give the same sheet."""
        data = (mark + game().decode().replace("\n", end)).encode()
        one, other = (prepare(decode(parse(d, "f"), "f"), Choices()) for d in (game(), data))
        assert one.front == other.front

    def test_template_marks_in_a_label(self) -> None:
        """A key that is no template prints braces, and evaluates nothing."""
        variant = decode(parse(game(LABEL="'{{ 2 + 2 }}'"), "f"), "f")
        scene = prepare(variant, Choices()).front
        assert "{{ 2 + 2 }}" in [item.string for item in scene.items if isinstance(item, Text)]


def misfits(node: Node) -> list[str]:
    """Return the paths of what does not fit the schema."""
    return [error.json_path for error in validator().iter_errors(plain(node))]


@cache
def validator() -> Any:
    """Return the schema's validator."""
    return jsonschema.Draft7Validator(json_schema())


class TestSchema:
    """The JSON Schema comes from the definitions that decode, and says the same."""

    def test_is_a_schema(self) -> None:
        """It is a schema of draft-07 that can be written as JSON."""
        jsonschema.Draft7Validator.check_schema(json.loads(json.dumps(json_schema())))
        assert json_schema()["$schema"] == "http://json-schema.org/draft-07/schema#"

    @pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.stem)
    def test_accepts_bundled(self, path: Path) -> None:
        """Every bundled variant fits it."""
        assert misfits(read(path)) == []

    @pytest.mark.parametrize("name", BROKEN_STRUCTURE)
    def test_refuses_broken_structure(self, name: str) -> None:
        """Broken structure does not fit it."""
        assert misfits(read(BROKEN / f"{name}.yaml"))

    @pytest.mark.parametrize(
        "words", [{"BOXES": "0"}, {"BOXES": "500"}, {"BOXES": "1.5"}, {"HEIGHT": "-1"}]
    )
    def test_refuses_numbers_out_of_range(self, words: dict[str, str]) -> None:
        """Numbers have the same ranges in the schema."""
        assert not misfits(parse(game(), "f"))
        assert misfits(parse(game(**words), "f"))

    def test_every_key_is_described(self) -> None:
        """Every key has a description that is a sentence."""

        def properties(value: Any) -> Iterator[tuple[str, Any]]:
            if isinstance(value, dict):
                for name, one in value.get("properties", {}).items():
                    yield name, one
                for one in value.values():
                    yield from properties(one)
            elif isinstance(value, list):
                for one in value:
                    yield from properties(one)

        found = list(properties(json_schema()))
        assert len(found) > 200
        for name, one in found:
            assert one["description"][-1] in ".…", name
            assert "$ref" not in one, name  # draft-07 would not see the description


PIECES = st.sampled_from(
    ["0", "-1", "60", "1000000000", ".nan", "true", "red", "players", "", "x", "{{ x }}", "א"]
)


class TestProperties:
    """What holds for any change to a right file."""

    @given(st.sampled_from(BUNDLED), st.randoms(use_true_random=False), PIECES)
    @settings(max_examples=60, deadline=None)
    def test_any_change(self, path: Path, random: Any, word: str) -> None:
        """A value replaced, repeated or left away gives a variant or problems in one line each."""
        for text in failure_of_decoding(changed(read(path), random, word)):
            assert text.startswith("f:")
            assert "\n" not in text


def changed(node: Node, random: Any, word: str) -> Node:
    """Return a tree with a few values changed."""
    if random.random() < 0.003:
        kinds: list[Node] = [Sequence((), node.line, node.column)]
        return random.choice([*kinds, Scalar(word, False, node.line, node.column)])  # type: ignore[no-any-return]
    if isinstance(node, Scalar):
        return node
    if isinstance(node, Sequence):
        items = [changed(item, random, word) for item in node.items]
        return node._replace(items=(*items, *items[: random.random() < 0.01]))
    entries = [(key, changed(value, random, word)) for key, value in node.entries]
    return node._replace(entries=tuple(entries[random.random() < 0.01 :]))


def failure_of_decoding(node: Node) -> list[str]:
    """Return what is wrong with a variant before it is laid out."""
    try:
        decode(node, "f")
    except InputError as error:
        return [str(problem) for problem in error.problems]
    return []
