"""YAML text becomes nodes as typed, or problems that name their place."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from sheetgen.errors import InputError, Problem
from sheetgen.nodes import Mapping, Scalar, Sequence, kind
from sheetgen.source import parse, read
from sheetgen.source_text import MAX_BYTES, MAX_PROBLEMS, VARIANT
from sheetgen.source_words import MAX_DEPTH

BROKEN = Path(__file__).parent / "broken" / "source"

# One line for each problem: the file, the place, the words.
FAILURES = [
    ("alias-as-key", 2, 1, "a key cannot be an alias, found '*red'"),
    ("alias-bomb", 5, 36, "too many values, aliases included, at most 100000 are read"),
    ("alias-cycle", 1, 11, "'*r' refers to itself"),
    ("alias-unknown", 2, 7, "'*rad' refers to nothing above"),
    ("alias-unknown", 2, 7, "did you mean *red?"),
    ("anchor-on-nothing", 1, 7, "'&Co' names nothing, put the text in quotes"),
    ("bidi-override", 2, 9, "right-to-left override (U+202E) cannot be printed"),
    ("brace-never-closed", 2, 6, "'{' opened here is never closed"),
    ("bracket-never-closed", 2, 8, "'[' opened here is never closed"),
    ("bracket-too-many", 1, 14, "']' closes nothing"),
    ("colon-missing", 2, 1, "a ':' is missing in this line"),
    ("colon-twice", 1, 12, "a second ': ' in one line, put the text in quotes"),
    ("comma-missing", 1, 16, "',' or ']' is missing here"),
    ("comma-too-many", 1, 11, "a value is missing before ','"),
    ("control-character", 2, 10, "control character (U+001B) cannot be printed, remove it"),
    ("control-escape", 2, 8, "control character (U+001B) cannot be printed, remove its escape"),
    ("decimal-keys", 3, 3, "the keys '1' and '1.0' are one number, in lines 2 and 3"),
    ("dedent", 3, 2, "the indentation of this line fits no line above"),
    ("directive", 1, 1, "lines that start with '%' are not supported"),
    ("documents", 2, 1, "two documents, one is allowed"),
    ("documents-after-dots", 3, 1, "two documents, one is allowed"),
    ("empty", 1, 1, "the file is empty"),
    ("escape-unknown", 1, 11, "this '\\' starts no known escape"),
    ("indent", 2, 8, "this ':' does not fit the line above, check the indentation"),
    ("key-is-list", 1, 3, "a key must be a text, found a list"),
    ("key-is-mapping", 1, 9, "a key must be a text, found a mapping"),
    ("key-missing", 2, 1, "a key is missing before ':'"),
    ("key-twice", 5, 3, "the key 'first' stands twice, in lines 4 and 5"),
    ("key-twice", 6, 1, "the key 'title' stands twice, in lines 1 and 6"),
    ("list-in-line", 1, 7, "'-' does not fit here, start a list on a new line"),
    ("merge", 3, 3, "merging with '<<' is not supported"),
    ("nel", 2, 9, "control character (U+0085) cannot be printed"),
    ("no-break-space-after-colon", 1, 7, "no-break space (U+00A0) stands here, use spaces"),
    ("no-break-space-before-colon", 1, 6, "no-break space (U+00A0) stands here, use spaces"),
    ("no-break-space-indent", 2, 1, "no-break space (U+00A0) stands here, use spaces"),
    ("no-break-space-item", 2, 4, "no-break space (U+00A0) stands here, use spaces"),
    ("only-comments", 1, 1, "only comments"),
    ("quote-never-closed", 1, 8, "the quote opened here is never closed"),
    ("starts-with-ampersand", 1, 8, "a value cannot start with '&', put the text in quotes"),
    ("starts-with-at", 1, 7, "a value cannot start with '@', put the text in quotes"),
    ("starts-with-backtick", 1, 7, "a value cannot start with '`', put the text in quotes"),
    ("starts-with-bar", 1, 7, "a value cannot start with '|', put the text in quotes"),
    ("starts-with-exclamation", 1, 7, "a value cannot start with '!', put the text in quotes"),
    ("starts-with-percent", 1, 8, "a value cannot start with '%', put the text in quotes"),
    ("starts-with-star", 1, 8, "a value cannot start with '*', put the text in quotes"),
    ("tab", 2, 1, "a tab stands here, use spaces"),
    ("tab-after-spaces", 3, 3, "a tab stands here, use spaces"),
    ("tab-in-block", 3, 1, "a tab stands here, use spaces"),
    ("tab-in-braces", 2, 1, "a tab stands here, use spaces"),
    ("tags", 1, 4, "the tag '!!python/object/apply:os.getcwd' is not allowed"),
    ("tags", 2, 4, "the tag '!Custom' is not allowed"),
    ("tags", 3, 4, "the tag '!!str' is not allowed"),
    ("text-after-quotes", 1, 14, "more text follows the value, put the whole value in quotes"),
    ("top-is-list", 1, 1, "must be a mapping, found a list"),
    ("top-is-text", 1, 1, "must be a mapping, found a text"),
    ("wide-space-indent", 2, 1, "ideographic space (U+3000) stands here, use spaces"),
]

# Pieces that mean something to a YAML parser, so that random texts come near real ones.
PIECES = st.lists(
    st.sampled_from(
        [*"ab01:-?#&*!|>%@`,.[]{}'\"\\~ \t\n\n", ": ", "- ", "\n  ", "&a", "*a", "<<", "\u00a0"]
    ),
    max_size=30,
).map("".join)
PRINTABLE = st.text(st.characters(codec="utf-8").filter(str.isprintable), max_size=40)


@pytest.fixture
def without_libyaml(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave PyYAML only its parser written in Python."""
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)


def tree(text: str | bytes) -> Mapping:
    """Parse ``text`` as the file ``f``."""
    return parse(text.encode() if isinstance(text, str) else text, "f")


def problems(text: str | bytes) -> list[Problem]:
    """Return what is wrong with ``text``."""
    with pytest.raises(InputError) as caught:
        tree(text)
    return list(caught.value.problems)


def the_problem(text: str | bytes) -> str:
    """Return the one thing that is wrong with ``text``."""
    (problem,) = problems(text)
    return str(problem)


def outcome(text: str) -> Mapping | list[str]:
    """Return the tree, or the problems as texts."""
    try:
        return tree(text)
    except InputError as error:
        return [str(problem) for problem in error.problems]


def value(text: str) -> str:
    """Return what is read for ``text`` after ``key: ``."""
    node = tree(f"key: {text}").get("key")
    assert isinstance(node, Scalar)
    return node.value


class TestNodes:
    """What is read, is read as typed and knows its place."""

    @pytest.mark.parametrize(
        "text",
        [
            "No",
            "ON",
            "0510210600",
            "010",
            "1:30",
            "10:00",
            "2024-05-01",
            "1e1",
            "2_0",
            ".nan",
            "$",
            "$$",
            "${HOME}",
            "$20",
            "→ x2",
            "true",
            "null",
            "-1",
            "💎",
            "it's",
            "a:b",
            "a#b",
            "Total\u00a0!",
        ],
    )
    def test_as_typed(self, text: str) -> None:
        """A text without quotes stays exactly what was typed."""
        assert value(text) == text

    def test_list_as_typed(self) -> None:
        """The values of a list stay in their order, as typed."""
        faces = tree("faces: [$, 5, 4, 1, 3, 2]").get("faces")
        assert isinstance(faces, Sequence)
        assert [face.value for face in faces.items if isinstance(face, Scalar)] == [*"$54132"]

    def test_keys_as_typed(self) -> None:
        """Keys are texts in the order of the file, whatever they look like."""
        root = tree("01: a\n1: b\n'1.50': c\n10: d\ntrue: e\nNo: f")
        assert [key.value for key, _ in root.entries] == ["01", "1", "1.50", "10", "true", "No"]

    def test_places(self) -> None:
        """Every node carries its line and column, counted from 1."""
        assert tree("a: 1\nb:\n  - [x, {y: z}]\n") == Mapping(
            (
                (Scalar("a", False, 1, 1), Scalar("1", False, 1, 4)),
                (
                    Scalar("b", False, 2, 1),
                    Sequence(
                        (
                            Sequence(
                                (
                                    Scalar("x", False, 3, 6),
                                    Mapping(
                                        ((Scalar("y", False, 3, 10), Scalar("z", False, 3, 13)),),
                                        3,
                                        9,
                                    ),
                                ),
                                3,
                                5,
                            ),
                        ),
                        3,
                        3,
                    ),
                ),
            ),
            1,
            1,
        )

    def test_columns_count_characters(self) -> None:
        """A column counts characters, not bytes, beyond the basic plane too."""
        root = tree("é💎: x")
        assert root.entries[0][1] == Scalar("x", False, 1, 5)

    @pytest.mark.parametrize("text", ["", "~", "null", "# only a comment"])
    def test_null(self, text: str) -> None:
        """Nothing, a tilde and null without quotes say that nothing is given."""
        node = tree(f"key: {text}\n").get("key")
        assert isinstance(node, Scalar)
        assert node.is_null
        assert kind(node) == "nothing"

    @pytest.mark.parametrize("text", ["''", '"~"', "'null'", "|\n  null", "Null", "No", "0"])
    def test_not_null(self, text: str) -> None:
        """Quotes and blocks make a text of anything; so does a capital letter."""
        node = tree(f"key: {text}\n").get("key")
        assert isinstance(node, Scalar)
        assert not node.is_null
        assert kind(node) == "a text"

    def test_get(self) -> None:
        """A key that is not there gives None."""
        assert tree("a: 1").get("b") is None

    def test_kind(self) -> None:
        """Lists and mappings are called so."""
        root = tree("a: []")
        assert [kind(root), kind(root.entries[0][1])] == ["a mapping", "a list"]

    def test_alias_shares_the_node(self) -> None:
        """An alias gives the very node it refers to."""
        root = tree("a: &x [1]\nb: *x\nc: &x [2]\nd: *x")
        assert root.get("a") is root.get("b")
        assert root.get("c") is root.get("d")

    def test_anchor_given_anew_inside(self) -> None:
        """An alias means the last node that took the name, even inside another of that name."""
        root = tree("a: &x [&x 1, *x]\nb: *x")
        assert root.get("b") == Scalar("1", False, 1, 8)

    def test_spaces_in_quotes_and_blocks(self) -> None:
        """Tabs and no-break spaces inside quotes, blocks and texts are text."""
        root = tree("a: |\n  x\n  \ty\n  \u00a0z\nb: 'x\n  \ty'\nc: \"\u00a0x\"\nd: 5\u00a0mm\n")
        texts = [node.value for _, node in root.entries if isinstance(node, Scalar)]
        assert texts == ["x\n\ty\n\u00a0z\n", "x y", "\u00a0x", "5\u00a0mm"]

    def test_document_marks(self) -> None:
        """The marks around one document may be written."""
        assert tree("# one\n---\na: 1\n...\n# end\n") == tree("# one\n#\na: 1\n")


class TestBytes:
    """The bytes of a file are read the same way everywhere."""

    @pytest.mark.parametrize("end", ["\r\n", "\r"])
    @pytest.mark.parametrize("mark", ["", "\ufeff"])
    def test_line_ends_and_mark(self, end: str, mark: str) -> None:
        """A byte order mark, CRLF and lone CR give the same tree as LF."""
        text = "# head\na: 1\n\nb:\n  - x\n  - |\n    one\n    two\n"
        assert tree(mark + text.replace("\n", end)) == tree(text)

    def test_cp1252(self) -> None:
        """Windows bytes are refused with the byte's number and place."""
        expected = "f:2:8: not UTF-8: 0xE9 at byte 13, save the file as UTF-8"
        assert the_problem(b"a: 1\r\ntitle: \xe9t\xe9\r\n") == expected

    @pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be"])
    def test_utf16(self, codec: str) -> None:
        """UTF-16 is named, with or without its mark."""
        assert "UTF-16" in the_problem("title: x".encode(codec))

    def test_mark_in_the_middle(self) -> None:
        """A byte order mark after the start is refused with its byte."""
        expected = "f:2:1: not UTF-8 in one piece: byte order mark (U+FEFF) at byte 8, remove it"
        assert the_problem("\ufeff---\r\n\ufefftitle: x") == expected

    def test_all_characters_at_once(self) -> None:
        """Every character that cannot be printed is reported, wherever it stands."""
        found = problems("a: \x1b\r\n# \u2028\r\nb: \u2066\x00\n\ufffe: x")
        places = [(problem.line, problem.column) for problem in found]
        assert places == [(1, 4), (2, 3), (3, 4), (3, 5), (4, 1)]

    @pytest.mark.parametrize("escape", ["\\x1b", "\\e", "\\0", "\\r", "\\N", "\\L", "\\u202e"])
    def test_escapes(self, escape: str) -> None:
        """A character that cannot be printed is refused as an escape too."""
        assert "cannot be printed" in the_problem(f'a: "x{escape}"')

    def test_allowed_escapes(self) -> None:
        """Line ends, tabs and printable characters may be written as escapes."""
        assert value('"a\\n\\tb\\u00e9\\_"') == "a\n\tbé\u00a0"

    def test_any_locale(self, tmp_path: Path) -> None:
        """The locale does not matter."""
        path = tmp_path / "x.yaml"
        path.write_bytes("title: Řeka\n".encode())
        code = "import sys; from sheetgen.source import read; print(ascii(read(sys.argv[1])))"
        done = subprocess.run(
            [sys.executable, "-c", code, str(path)],
            env={**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0"},
            cwd=Path(__file__).parent.parent,
            capture_output=True,
            text=True,
            check=True,
        )
        assert "\\u0158eka" in done.stdout


class TestRead:
    """What is no readable file is said in one line."""

    def test_file(self, tmp_path: Path) -> None:
        """A file is read by its text path or its Path."""
        path = tmp_path / os.fsdecode("my pad ü.yaml".encode())
        path.write_text("a: 1\n", encoding="utf-8")
        assert read(path) == read(str(path)) == tree("a: 1")

    @pytest.mark.parametrize(
        ("name", "words"),
        [
            (".", "is a directory, a YAML file is expected"),
            ("no.yaml", "there is no such file"),
            ("a\0b", "cannot be opened: embedded null byte"),
            ("x" * 5000, "cannot be opened: file name too long"),
        ],
    )
    def test_no_file(self, name: str, words: str) -> None:
        """A directory, a missing file and an impossible name are told apart."""
        with pytest.raises(InputError) as caught:
            read(name)
        assert str(caught.value) == f"{name}: {words}"

    def test_unreadable(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        """A file that may not be read is reported with the system's reason."""
        path = tmp_path / "x.yaml"
        path.touch()

        def refuse(*_: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "open", refuse)
        with pytest.raises(InputError, match="cannot be opened: permission denied"):
            read(path)

    def test_large(self, tmp_path: Path) -> None:
        """A file beyond the limit is refused unread."""
        path = tmp_path / "x.yaml"
        path.write_bytes(b"#" * (MAX_BYTES + 1))
        with pytest.raises(InputError, match="the file is too large, at most 2 MB are read"):
            read(path)


class TestBroken:
    """Every failure in ``tests/broken/source`` is reported at its place."""

    def test_every_file_is_listed(self) -> None:
        """The table and the folder name the same files."""
        assert {path.stem for path in BROKEN.iterdir()} == {name for name, *_ in FAILURES}

    @pytest.mark.parametrize("name", sorted({name for name, *_ in FAILURES}))
    def test_file(self, name: str) -> None:
        """Exactly the listed problems are found, each in one line of plain words."""
        path = BROKEN / f"{name}.yaml"
        with pytest.raises(InputError) as caught:
            read(path)
        texts = [str(problem) for problem in caught.value.problems]
        expected = [failure[1:] for failure in FAILURES if failure[0] == name]
        assert len(texts) == len({(line, column) for line, column, _ in expected})
        for line, column, words in expected:
            place = f"{path}:{line}:{column}: "
            assert any(text.startswith(place) and words in text for text in texts), texts
        assert not any("\n" in text or "cannot be read" in text for text in texts)

    @pytest.mark.usefixtures("without_libyaml")
    @pytest.mark.parametrize("name", sorted({name for name, *_ in FAILURES}))
    def test_without_libyaml(self, name: str) -> None:
        """PyYAML's own parser leads to the same lines and words."""
        with pytest.raises(InputError) as caught:
            read(BROKEN / f"{name}.yaml")
        for _, line, _, words in (failure for failure in FAILURES if failure[0] == name):
            assert any(
                problem.line == line and words in str(problem) for problem in caught.value.problems
            )

    @pytest.mark.usefixtures("without_libyaml")
    @pytest.mark.parametrize("digits", ["FFFFFFFF", "00110000"])
    def test_escape_without_libyaml(self, digits: str) -> None:
        """An escape beyond Unicode is a problem, not a crash of PyYAML's parser."""
        assert "names no character" in the_problem(f'a: "\\U{digits}"')

    def test_null_at_the_top(self) -> None:
        """A document that says nothing is no mapping."""
        assert "must be a mapping, found nothing" in the_problem("---\n")

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("{a: b}}", "f:1:7: '}' closes nothing"),
            ("{a: b}\nc: d", "f:2:1: more text follows the value"),
            ("?\n: b", "f:1:2: a key is missing before ':'"),
            ("a: [1\n  {b: 2}]", "f:2:3: ',' or ']' is missing here"),
            ("a: ? b", "f:1:4: '?' does not fit here"),
            ("a: [b:[", "f:1:6: ':' does not fit here"),
            ("'a'\u00a0: b", "f:1:4: no-break space (U+00A0) stands here"),
            ("a: [\n", "f:1:4: '[' opened here is never closed, add ']'"),
            ("a: [b, # see [1]\n", "f:1:4: '[' opened here is never closed, add ']'"),
            ("a: [1, {b: ", "f:1:8: '{' opened here is never closed, add '}'"),
            ("a: [b: ", "f:1:4: '[' opened here is never closed, add ']'"),
            ("a: ['b", "f:1:5: the quote opened here is never closed"),
        ],
    )
    def test_more(self, text: str, words: str) -> None:
        """Rarer failures of the same kinds are reported at their place."""
        assert the_problem(text).startswith(words)

    def test_long_names_are_shortened(self) -> None:
        """A message stays one short line, whatever the key."""
        key = '"' + "x" * 300 + '\\ny"'
        assert len(the_problem(f"? {key}\n: 1\n? {key}\n: 2\n")) < 150

    def test_problems_of_all_kinds_at_once(self) -> None:
        """Problems are gathered in the order of the file up to the first syntax error."""
        found = problems("a: !x 1\na: *b\n<<: 2\nc: '\\'\nd: \"\\e\"\ne: @\nf: !y 2\n")
        assert [problem.line for problem in found] == [1, 2, 2, 3, 5, 6]


class TestLimits:
    """No file takes long, and none takes much memory."""

    @pytest.mark.parametrize("text", ["[" * 2000, "- " * 5000, "{a: " * 2000, "? " * 2000])
    def test_deep(self, text: str) -> None:
        """Deep nests are refused."""
        assert "nested too deep" in the_problem(text)

    def test_depth(self) -> None:
        """The deepest allowed nest is read; one level more is not."""
        inner = MAX_DEPTH - 1
        assert tree(f"a: {'[' * inner}{']' * inner}")
        assert "nested too deep" in the_problem(f"a: [{'[' * inner}{']' * inner}]")

    def test_depth_by_aliases(self) -> None:
        """Aliases cannot build a deeper nest than could be written out."""
        half = MAX_DEPTH // 2
        nest = f"a: &a {'[' * half}{']' * half}\nb: "
        assert tree(f"{nest}{'[' * (half - 1)}*a{']' * (half - 1)}")
        assert "nested too deep" in the_problem(f"{nest}{'[' * half}*a{']' * half}")

    def test_many_values(self) -> None:
        """Too many values are refused, written out or not."""
        assert "too many values" in the_problem("a:\n" + "- 1\n" * VARIANT.nodes)

    @pytest.mark.parametrize("text", ["- *a\n", "- !a x\n", "\x1b", "a: 1\n", "- {[a]: b}\n"])
    def test_many_problems(self, text: str) -> None:
        """Reading ends after so many problems."""
        assert len(problems(text * 100)) == MAX_PROBLEMS

    @pytest.mark.parametrize(
        "text",
        [
            "%TAG !a x\n" * 200_000,
            "a: 1\n...\n" + "%TAG !a x\n" * 190_000,
            "#\n" * 900_000,
            "\t\n" * 900_000,
            "a: |\n  x\n" + "  \ta\n" * 300_000,
            "- -" * 600_000,
            "- &" + "a" * 900_000 + " x\n- *" + "a" * 900_000 + "b\n",
        ],
        ids=["directives", "more", "comments", "tabs", "block", "dashes", "names"],
    )
    def test_slow_for_others(self, text: str) -> None:
        """Two megabytes of what makes parsers slow end soon."""
        outcome(text)


class TestProperties:
    """What holds for any input."""

    @given(st.binary(max_size=60))
    @settings(deadline=None)
    def test_any_bytes(self, data: bytes) -> None:
        """Any bytes give a tree or problems."""
        with suppress(InputError):
            parse(data, "f")

    @given(st.text(max_size=60) | PIECES)
    @settings(max_examples=300, deadline=None)
    def test_any_text(self, text: str) -> None:
        """Any text gives a tree or problems, with places inside the text, each in one line."""
        try:
            tree(text)
        except InputError as error:
            for problem in error.problems:
                assert 1 <= problem.line <= len(text.splitlines()) + 1
                assert 1 <= problem.column <= len(text) + 1
                assert "\n" not in str(problem)

    @given(st.text(max_size=60) | PIECES)
    @settings(deadline=None)
    def test_any_text_without_libyaml(self, text: str) -> None:
        """PyYAML's own parser gives a tree or problems too."""
        with pytest.MonkeyPatch.context() as patch:
            patch.delattr(yaml, "CSafeLoader", raising=False)
            outcome(text)

    @given(PIECES)
    @settings(deadline=None)
    def test_any_line_ends(self, text: str) -> None:
        """Line ends and a byte order mark change neither trees nor problems."""
        expected = outcome(text)
        assert outcome(text.replace("\n", "\r\n")) == expected
        assert outcome("\ufeff" + text.replace("\n", "\r")) == expected

    @given(st.dictionaries(PRINTABLE, PRINTABLE, min_size=1), st.booleans(), st.booleans())
    @settings(deadline=None)
    def test_round_trip(self, texts: dict[str, str], flow: bool, plain: bool) -> None:
        """Printable texts come back as they were dumped."""
        dumped = yaml.safe_dump(
            texts, default_flow_style=flow, allow_unicode=plain, sort_keys=False
        )
        root = tree(dumped)
        assert {key.value: node for key, node in root.entries} == {
            key: root.get(key) for key in texts
        }
        assert [node.value for _, node in root.entries if isinstance(node, Scalar)] == [
            *texts.values()
        ]
