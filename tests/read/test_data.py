"""Data files in YAML, JSON and CSV: read alike, or refused with every problem."""

from __future__ import annotations

import csv
import io
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sheetgen import decode
from sheetgen.errors import InputError, Problem
from sheetgen.filled import FilledMatch, FilledSheet
from sheetgen.model import Variant
from sheetgen.read.data import open_data, read_data
from sheetgen.read.files import open_document
from sheetgen.read.limits import DATA
from sheetgen.rules.score import judge
from sheetgen.source_text import MAX_PROBLEMS
from sheetgen.source_words import MAX_DEPTH

BROKEN = Path(__file__).parent.parent / "broken" / "data"
TRAIL = Path(__file__).parent / "trail.yaml"
VARIANT: Variant = decode.load(TRAIL)

# One line for each problem: the file, the place, the words.
MESSAGES = (Path(__file__).parent / "broken.txt").read_text(encoding="utf-8").splitlines()
FAILURES: dict[str, list[str]] = {}
for message in MESSAGES:
    FAILURES.setdefault(message.partition(":")[0], []).append(message)

YAML = """\
variant: trail
setup: few
sheets:
  - player: Zoë
    round: 1
    entries: {red: [$, 3, 5], six: 12, stones: 3, red_double: true, bridges: [blue, red]}
    written: {red: −8, total: 12}
  - player: Zoë
    round: 2
    entries:
      blue: {sum: 36, wagers: 1, cards: 6}
"""
JSON = """\
{"variant": "trail", "setup": "few", "sheets": [
  {"player": "Zo\\u00eb", "round": 1,
   "entries": {"red": ["$", 3, 5], "six": 12, "stones": 3, "red_double": true,
               "bridges": ["blue", "red"]},
   "written": {"red": -8, "total": 12}},
  {"round": 2, "entries": {"blue": {"sum": 36, "wagers": 1, "cards": 6}}, "player": "Zoë"}]}
"""
CSV = """\
player,round,box,entries,written
,,variant,trail,
,,setup,few,
Zoë,1,red,$ 3 5,-8
Zoë,1,six,12,
Zoë,1,stones,3,
Zoë,1,red_double,TRUE,
Zoë,1,bridges,blue red,
Zoë,1,total,,12
Zoë,2,blue,sum=36 wagers=1 cards=6,
"""


def sheets(text: str | bytes, file: str = "f.yaml") -> tuple[FilledSheet, ...]:
    """Return the sheets of a file without their places, which differ between formats."""
    data = text.encode() if isinstance(text, str) else text
    return bare(read_data(data, file, VARIANT))


def bare(match: FilledMatch) -> tuple[FilledSheet, ...]:
    """Return the sheets of a match without their places."""
    return tuple(sheet._replace(places={}) for sheet in match.sheets)


def entries(text: str) -> FilledSheet:
    """Return the sheet that has these entries, written in YAML."""
    head = "variant: trail\nsheets:\n  - player: North\n    round: 1\n    entries: "
    return sheets(head + text)[0]


def problems(data: bytes, file: str) -> list[Problem]:
    """Return what is wrong with a file."""
    with pytest.raises(InputError) as caught:
        read_data(data, file, VARIANT)
    return list(caught.value.problems)


class TestBroken:
    """Every file in tests/broken/data ends in the problems listed in broken.txt."""

    def test_all_files_are_listed(self) -> None:
        """No broken file lies about unused."""
        assert {path.name for path in BROKEN.iterdir()} == set(FAILURES)

    @pytest.mark.parametrize("name", FAILURES)
    def test_file(self, name: str) -> None:
        """Exactly the listed problems are found, each at its place in plain words."""
        with pytest.raises(InputError) as caught:
            open_document((BROKEN / name).read_bytes(), name).match(VARIANT)
        assert [str(one) for one in caught.value.problems] == FAILURES[name]

    def test_too_many_problems(self) -> None:
        """The reading ends before problems bury each other."""
        many = "".join(f"  - {{player: P{i}, round: 7}}\n" for i in range(200))
        assert len(problems(f"sheets:\n{many}".encode(), "f.yaml")) == MAX_PROBLEMS
        rows = "".join(f"P{i},7,red,3,\n" for i in range(200))
        assert len(problems(f"player,round,box,entries\n{rows}".encode(), "f.csv")) == MAX_PROBLEMS
        keys = ", ".join('"a": 1' for _ in range(200))
        assert len(problems(f"{{{keys}}}".encode(), "f.json")) == MAX_PROBLEMS


class TestSame:
    """The same match is the same in every format."""

    def test_three_formats(self) -> None:
        """YAML, JSON and CSV give equal sheets and equal reports."""
        matches = [
            read_data(text.encode(), file, VARIANT)
            for text, file in ((YAML, "f.yaml"), (JSON, "f.json"), (CSV, "f.csv"))
        ]
        assert bare(matches[0]) == bare(matches[1]) == bare(matches[2])
        assert {match.setup for match in matches} == {"few"}
        first, second, third = (judge(VARIANT, match, "en") for match in matches)
        assert str(first) == str(second) == str(third)

    def test_what_is_read(self) -> None:
        """Names come where they belong, and nothing else is there."""
        first, second = sheets(YAML)
        assert first.player == second.player == "Zoë"
        assert (first.round, second.round) == (1, 2)
        assert first.tracks == {"red": ("$", 3, 5), "six": (12,)}
        assert first.counts == {"stones": 3}
        assert first.flags == {"red_double": True}
        assert first.sets == {"bridges": ("red", "blue")}
        assert first.written == {"red": -8, "total": 12}
        assert second.triples == {"blue": {"sum": 36, "wagers": 1, "cards": 6}}
        assert not second.tracks

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "~",
            "{}",
            "{red: }",
            "{red: ~}",
            "{red: []}",
            "{red: {}}",
            "{six: null}",
            "{stones: 0}",
            "{stones: }",
            "{red_double: false, last: ~}",
            "{bridges: []}",
        ],
    )
    def test_all_ways_to_write_nothing(self, text: str) -> None:
        """A missing name, nothing, an empty list and zero ticks are the same empty."""
        assert entries(text) == entries("{}")

    def test_zero_is_a_number_where_one_belongs(self) -> None:
        """A struck box holds 0, which is not an empty box."""
        assert entries("{six: 0}").tracks == {"six": (0,)}

    def test_places(self) -> None:
        """Every name knows where its value stands, for what is found later."""
        match = read_data(YAML.encode(), "f.yaml", VARIANT)
        place = match.sheets[0].places["stones"]
        assert (place.file, place.line, place.column) == ("f.yaml", 6, 48)
        place = match.sheets[0].places["total"]
        assert (place.line, place.column) == (7, 31)
        place = read_data(CSV.encode(), "f.csv", VARIANT).sheets[0].places["bridges"]
        assert (place.line, place.column) == (8, 15)

    def test_the_file_names_the_variant(self) -> None:
        """Without a variant, the one that the file names is loaded."""
        text = f"variant: {TRAIL}\nsheets:\n  - {{player: A, round: 1}}\n"
        assert read_data(text.encode(), "f.yaml").variant == "trail"

    @pytest.mark.parametrize(
        ("variant", "words"),
        [
            ("", "f.yaml:1:1: the file names no variant, write one as in 'variant: lostdice', or"),
            ("variant: lostdcie", "f.yaml:1:10: variant: unknown variant 'lostdcie', known are"),
        ],
    )
    def test_no_such_variant(self, variant: str, words: str) -> None:
        """A variant that is not named or not known is a problem of the file."""
        with pytest.raises(InputError) as caught:
            read_data(f"{variant}\nsheets:\n  - {{player: A}}\n".encode().lstrip(), "f.yaml")
        assert str(caught.value.problems[0]).startswith(words)


class TestCsv:
    """Tables as people and their spreadsheets write them."""

    @pytest.mark.parametrize(
        ("before", "delimiter", "encoding", "dialect"),
        [
            ("", ",", "utf-8", "CSV with commas, UTF-8"),
            ("", ";", "utf-8-sig", "CSV with semicolons, UTF-8 with a byte order mark"),
            ("", "\t", "cp1252", "CSV with tabs, Windows-1252"),
            ("", "|", "cp1252", "CSV with bars, Windows-1252"),
            ("sep=;\n", ";", "utf-8", "CSV with semicolons, UTF-8"),
        ],
    )
    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_dialects(
        self, before: str, delimiter: str, encoding: str, dialect: str, end: str
    ) -> None:
        """Delimiter, encoding and line ends are recognised, and said."""
        text = before + CSV.replace(",", delimiter)
        document = open_data(text.replace("\n", end).encode(encoding), "f.csv")
        assert document.dialect == dialect
        assert bare(document.match(VARIANT)) == sheets(CSV, "f.csv")

    def test_quoted_cells(self) -> None:
        """Quotes hold delimiters, quotes and line ends; places count on after them."""
        text = 'player,round,box,entries,note\n"Zo ""Z""",1,red,"3,\n5",\nN,1,rde,3,\n'
        (problem, *_) = problems(text.replace(",note", "").encode(), "f.csv")
        assert (problem.line, problem.column) == (4, 5)
        text = text.replace(",note", "").replace("rde", "red")
        assert [one.player for one in sheets(text, "f.csv")] == ['Zo "Z"', "N"]
        assert sheets(text, "f.csv")[0].tracks == {"red": (3, 5)}

    def test_order_and_number_of_columns(self) -> None:
        """Columns come in any order and case; round and written may be missing."""
        text = "Box,ENTRIES,player,Round\nred,3 5,A,1\n\n,,,\nblue,2,A,1"
        assert sheets(text, "f.csv")[0].tracks == {"red": (3, 5), "blue": (2,)}

    @pytest.mark.parametrize(
        ("text", "form"),
        [
            (YAML, "YAML"),
            (JSON, "JSON"),
            ("\ufeff" + JSON, "JSON"),
            (CSV, "CSV with commas, UTF-8"),
            (CSV.replace(",", ";"), "CSV with semicolons, UTF-8"),
        ],
    )
    def test_forms_are_recognised(self, text: str, form: str) -> None:
        """Without a known ending, the content says what a file is."""
        document = open_data(text.encode(), "stdin")
        assert document.dialect == form
        assert len(document.match(VARIANT).sheets) == 2


class TestLimits:
    """Large files are read, endless ones are not."""

    def test_size(self) -> None:
        """A file beyond the limit is refused unread."""
        (problem,) = problems(b"#" * (DATA.bytes + 1), "f.yaml")
        assert str(problem) == "f.yaml: the file is too large, at most 12 MB are read"

    @pytest.mark.parametrize("file", ["f.yaml", "f.json"])
    def test_depth(self, file: str) -> None:
        """Nesting ends in a problem, not in a crash."""
        data = b'{"sheets": ' + b"[" * 100_000
        assert f"at most {MAX_DEPTH} levels" in str(problems(data, file)[0])

    def test_aliases(self) -> None:
        """An alias stands for what it names, and a bomb of them does not go off."""
        text = "a: &a [3, 3, 3, 3, 3, 3, 3, 3, 3, 3]\n"
        for one, two in zip("abcdefgh", "bcdefghi", strict=True):
            text += f"{two}: &{two} [{', '.join([f'*{one}'] * 10)}]\n"
        assert "too many values" in str(problems(text.encode(), "f.yaml")[0])

    def test_more_than_a_variant_may_have(self) -> None:
        """A file of more nodes and bytes than a variant may have is read."""
        row = "  - {player: %d, round: 1, entries: {red: [2, 3, 4, 5, 6, 7]}}\n"
        text = "sheets:\n" + "".join(row % i for i in range(10_000))
        assert len(sheets(text)) == 10_000


# -- anything at all ------------------------------------------------------------------------------

TRACK = st.lists(st.one_of(st.integers(-20, 20), st.just("$")), max_size=8)
PLAYER = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Zl", "Zp")), min_size=1, max_size=20
).map(lambda name: f"P{name}".strip())
ENTRIES = st.fixed_dictionaries(
    {},
    optional={
        "red": TRACK,
        "blue": st.one_of(
            TRACK,
            st.fixed_dictionaries(
                {name: st.integers(0, 99) for name in ("sum", "wagers", "cards")}
            ),
        ),
        "six": st.integers(-9, 99),
        "stones": st.integers(0, 20),
        "red_double": st.booleans(),
        "bridges": st.lists(st.sampled_from(["red", "blue"]), unique=True),
    },
)
SHEETS = st.lists(
    st.fixed_dictionaries(
        {
            "player": PLAYER,
            "round": st.integers(1, 2),
            "entries": ENTRIES,
            "written": st.dictionaries(
                st.sampled_from(["red", "blue", "total"]), st.integers(-999, 999)
            ),
        }
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda sheet: (sheet["player"], sheet["round"]),
)


def as_csv(written: list[dict[str, Any]]) -> str:
    """Write sheets as a table."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("player", "round", "box", "entries", "written"))
    for sheet in written:
        for box in ("red", "blue", "six", "stones", "red_double", "bridges", "total"):
            value = sheet["entries"].get(box, "")
            if isinstance(value, dict):
                value = " ".join(f"{part}={number}" for part, number in value.items())
            elif isinstance(value, list):
                value = " ".join(map(str, value))
            elif isinstance(value, bool):
                value = str(value).lower()
            row = (sheet["player"], sheet["round"], box, value, sheet["written"].get(box, ""))
            writer.writerow(row)
    return out.getvalue()


@given(SHEETS)
def test_any_match_is_the_same_in_every_format(written: list[dict[str, Any]]) -> None:
    """What was written in JSON is in YAML (which JSON nearly is) and in CSV the same match."""
    text = json.dumps({"sheets": written}, ensure_ascii=False)
    found = sheets(text, "f.json")
    assert sheets(text, "f.yaml") == found
    assert sheets(as_csv(written), "f.csv") == found
    assert [sheet.player for sheet in found] == [sheet["player"] for sheet in written]


PIECES = st.lists(
    st.sampled_from(
        [
            *'{}[],:-"\\;|\n\t $w=#&*~0',
            *("player", "round", "box", "entries", "written", "sheets", "variant", "setup"),
            *("red", "six", "stones", "red_double", "bridges", "true", "null", "NaN", "1e9", "-3"),
            *("\r\n", "\\u0041", "\ufeff", "player,box,entries\n", "sheets:\n  - ", "é", "\ud800"),
        ]
    ),
    max_size=40,
).map(lambda pieces: "".join(pieces).encode(errors="surrogatepass"))


@settings(max_examples=400)
@given(st.one_of(st.binary(max_size=200), PIECES), st.sampled_from(["yaml", "json", "csv", "x"]))
def test_any_bytes(data: bytes, ending: str) -> None:
    """Whatever a file holds, it is read or refused in one line for each problem."""
    try:
        match = open_document(data, f"f.{ending}").match(VARIANT)
    except InputError as error:
        for problem in error.problems:
            assert str(problem).startswith(f"f.{ending}")
            assert "\n" not in str(problem)
    else:
        assert match.sheets


@settings(max_examples=300)
@given(st.data())
def test_a_good_file_with_a_flaw(data: st.DataObject) -> None:
    """A file with some bytes lost or changed is read or refused, too."""
    text, file = data.draw(st.sampled_from([(YAML, "f.yaml"), (JSON, "f.json"), (CSV, "f.csv")]))
    good = text.encode()
    start = data.draw(st.integers(0, len(good)))
    lost = data.draw(st.integers(0, 3))
    flawed = good[:start] + data.draw(st.binary(max_size=3)) + good[start + lost :]
    with suppress(InputError):
        read_data(flawed, file, VARIANT)


def test_lines_without_end_are_refused_at_once() -> None:
    """Millions of empty lines or cells are no match, and cost no time."""
    head = b"player,round,box,entries,written\n"
    for rest, said in ((b"\n" * 2_000_000, "lines, at most"), (b"," * 5_000_000, "cells, at most")):
        with pytest.raises(InputError, match=said):
            open_data(head + rest, "x.csv")
