"""Checking finished sheets on the command line: files, exit codes, blank, score."""

from __future__ import annotations

import gc
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest

from sheetgen import cli
from sheetgen.checking import Checker

HERE = Path(__file__).parent.resolve()
TRAIL = str(HERE / "read" / "trail.yaml")
MATCH = str(HERE / "report" / "match.yaml")

RIGHT = "sheets:\n  - {player: A, round: 1, entries: {red: [3, 5]}}\n  - {player: A, round: 2}\n"
WARNED = "sheets:\n  - {player: A, round: 1}\n"  # a round is missing
WRONG = RIGHT.replace("[3, 5]", "[5, 3]")
WRITTEN = RIGHT.replace("}}", "}, written: {total: 9}}", 1)
UNREADABLE = "sheets: 3\n"


class Answer(NamedTuple):
    """What a run gave."""

    code: int
    out: str
    err: str


def tool(*arguments: str, stdin: bytes = b"", encoding: str = "utf-8") -> Answer:
    """Run the command line in this process."""
    streams = [io.TextIOWrapper(io.BytesIO(data), encoding=encoding) for data in (stdin, b"", b"")]
    given: dict[str, Any] = dict(zip(("stdin", "stdout", "stderr"), streams, strict=True))
    with (
        patch.multiple(sys, argv=["sheetgen", *arguments], **given),
        pytest.raises(SystemExit) as end,
    ):
        cli.main()
    gc.enable()
    outputs = []
    for stream in streams[1:]:
        stream.flush()
        assert isinstance(stream.buffer, io.BytesIO)
        outputs.append(stream.buffer.getvalue().decode(encoding))
    assert isinstance(end.value.code, int)
    assert "Traceback" not in outputs[1]
    assert "should not happen" not in outputs[1]
    return Answer(end.value.code, *outputs)


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder that has a file of each kind."""
    monkeypatch.chdir(tmp_path)
    for name in ("right", "warned", "wrong", "written", "unreadable"):
        text = f"variant: {TRAIL}\n" + globals()[name.upper()]
        Path(f"{name}.yaml").write_text(text, encoding="utf-8")


# -- check ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [[], ["--json"], ["--csv"], ["--html", "page.html"]])
@pytest.mark.parametrize(
    ("files", "code"),
    [
        ("right", 0),
        ("warned", 0),
        ("wrong", 1),
        ("written", 1),
        ("unreadable", 2),
        ("missing", 2),
        ("right warned", 0),
        ("wrong right", 1),
        ("unreadable right", 2),
        ("unreadable wrong right", 2),
        ("right wrong unreadable", 2),
    ],
)
def test_exit_code(files: str, code: int, form: list[str]) -> None:
    """The worst file decides, wherever it stands, and no form of report changes that."""
    names = [f"{name}.yaml" for name in files.split()]
    answer = tool("check", *names, *form)
    assert answer.code == code
    assert bool(answer.err) == ("unreadable" in files or "missing" in files)


@pytest.mark.parametrize(("file", "code"), [("right", 0), ("warned", 1), ("wrong", 1)])
def test_strict(file: str, code: int) -> None:
    """With --strict a warning alone is enough."""
    assert tool("check", f"{file}.yaml", "--strict").code == code


def test_bad_files_stop_nothing() -> None:
    """All files have their report; those that cannot be read are named with the reason."""
    answer = tool("check", "unreadable.yaml", "right.yaml", "missing.yaml", "wrong.yaml")
    first, second = answer.err.splitlines()
    assert first.startswith("unreadable.yaml:2:9: sheets: found '3', needed is 'sheets:' with")
    assert second == "missing.yaml: there is no such file"
    assert "right.yaml: Trail, 2 sheets (YAML)" in answer.out
    assert "error: red_2: 3 is not higher than 5 before it [order]" in answer.out
    assert answer.out.endswith("4 files: 1 right, 1 with findings, 2 unreadable\n")
    report = json.loads(tool("check", "unreadable.yaml", "right.yaml", "--json").out)
    assert [bool(file["error"]) for file in report["files"]] == [True, False]


def test_standard_input() -> None:
    """A file may come through a pipe, once, in any form."""
    for data in (RIGHT.encode(), b"player,round,box,entries\nA,1,red,3 5\nA,2,red,\n"):
        answer = tool("check", "-", "--variant", TRAIL, stdin=data)
        assert answer.code == 0
        assert answer.out.startswith("stdin: Trail, 2 sheets (")
    assert tool("check", "-", "-").err == (
        "sheetgen: '-' stands twice, standard input can be read once\n"
    )
    assert tool("check", "-").code == 2


def test_the_option_variant() -> None:
    """--variant fills in what a file does not say, and wins over what it says."""
    Path("none.yaml").write_text(RIGHT, encoding="utf-8")
    answer = tool("check", "none.yaml")
    assert answer.err == (
        "none.yaml:1:1: the file names no variant, write 'variant: NAME' or use --variant\n"
    )
    assert tool("check", "none.yaml", "--variant", TRAIL).code == 0
    Path("other.yaml").write_text("variant: nope\n" + RIGHT, encoding="utf-8")
    assert tool("check", "other.yaml").err.startswith(
        "other.yaml:1:10: variant: unknown variant 'nope', known are "
    )
    assert tool("check", "other.yaml", "--variant", TRAIL).code == 0
    assert "unknown name 'red'" in tool("check", "right.yaml", "--variant", "scorepad").err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("check", "missing argument 'FILE…'"),
        ("check right.yaml --json --csv", "found more than one of --json, --csv and --html"),
        ("check right.yaml --variant nope", "unknown variant 'nope', known are"),
        (
            "check right.yaml --variant lostdice --lang xx",
            "--lang: unknown language 'xx', lostdice",
        ),
        ("check right.yaml --html right.yaml", "the same file as the input right.yaml"),
        ("check right.yaml --html no/x.html", "does not exist, make it first"),
        ("score lostdice red", "found 'red', allowed is NAME=VALUES"),
        ("score lostdice red=3 5", "several in quotes: red='3 5'"),
        ("score lostdice red=3 red=5", "red: is given twice, keep one"),
        ("score lostdice rde=3", "entries: unknown name 'rde', known are red,"),
        ("score lostdice red=3,x", "red: found 'x', allowed is a whole number or $"),
        ("score lostdice red=3 --players 9", "--players: found 9, lostdice is for 1 to 8"),
        ("score nope red=3", "unknown variant 'nope'"),
        ("blank lostdice --format xml", "--format: found 'xml', allowed are yaml, json, csv"),
        ("blank lostdice --players 9", "--players: found 9, lostdice is for 1 to 8"),
        ("blank nope", "unknown variant 'nope'"),
    ],
)
def test_misuse(arguments: str, words: str) -> None:
    """What cannot be meant is answered in a line, with exit code 2."""
    answer = tool(*arguments.split())
    assert answer.code == 2
    assert answer.out == ""
    assert words in answer.err


def test_html() -> None:
    """--html writes a page, to a file or to standard output."""
    answer = tool("check", "right.yaml", "wrong.yaml", "--html", "page.html")
    assert answer.out == "page.html: a report on 2 files\n"
    page = Path("page.html").read_text(encoding="utf-8")
    assert "<!DOCTYPE html>" in page
    assert tool("check", "right.yaml", "wrong.yaml", "--html", "-").out == page


def test_ascii_terminal() -> None:
    """A terminal that knows ASCII only gets a report in it."""
    answer = tool("check", MATCH, "--variant", TRAIL, encoding="ascii")
    assert "error: red: -8 is written, right is 16 [written]" in answer.out
    assert "\\u5357" in answer.out  # a player's name has no stand-in


def test_control_characters() -> None:
    """Nothing that steers a terminal comes through."""
    Path("x\x1b[31m.yaml").write_text("x\x1b: 1", encoding="utf-8")
    answer = tool("check", "x\x1b[31m.yaml")
    assert "\x1b" not in answer.out + answer.err
    assert answer.code == 2


# -- score and blank ------------------------------------------------------------------------------


def test_score() -> None:
    """One sheet is answered at once, the arithmetic line by line if asked."""
    answer = tool("score", TRAIL, "red=$ 3 5", "blue=sum=9,wagers=1 cards=3", "six=6", "--explain")
    assert answer.code == 0
    assert answer.out.splitlines() == [
        "Trail, round 1  entries                   score",
        "  red           $ 3 5                         8",
        "  blue          sum 9, wagers 1, cards 3      9",
        "  six           6",
        "  total                                      23",
        "  red: 3 + 5 = 8",
        "  blue: 9",
        "  total: 8 + 9 + 6 = 23",
    ]


def test_score_of_the_issue() -> None:
    """The example that everybody tries is explained."""
    answer = tool("score", "lostdice", "red=$ 3 5 8", "blue=2,4,9", "discards=18", "--explain")
    assert "  red: (3 + 5 + 8 − 20) × 2 = −8\n" in answer.out
    assert answer.code == 0


def test_score_with_findings() -> None:
    """What the rules do not allow is said, with exit code 1."""
    answer = tool("score", TRAIL, "red=5 3", "stones=9")
    assert answer.code == 1
    assert "error: red_2: 3 is not higher than 5 before it [order]" in answer.out


@pytest.mark.parametrize("form", ["yaml", "json", "csv"])
def test_blank(form: str) -> None:
    """A blank file is written to stdout or to a file, and checks without findings."""
    answer = tool("blank", TRAIL, "--format", form, "--players", "1")
    assert answer.code == 0
    told = tool("blank", TRAIL, "--format", form, "--players", "1", "-o", f"b.{form}")
    assert told.out == f"b.{form}: fill it in, then run sheetgen check b.{form}\n"
    assert Path(f"b.{form}").read_text(encoding="utf-8") == answer.out
    assert tool("check", f"b.{form}", "--strict").out.endswith("No findings.\n")


# -- what makes it quick --------------------------------------------------------------------------

HEAVY = {"reportlab", "pypdf", "PIL", "numpy", "fontTools", "jinja2", "segno", "pypdfium2", "cv2"}
LOADED = """
import sys
from sheetgen import cli
sys.argv[0] = "sheetgen"
try:
    cli.main()
finally:
    print(*sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
    print(*sorted(sys.modules), file=sys.stderr)
"""


@pytest.mark.parametrize(
    "arguments",
    ["check wrong.yaml", "check wrong.yaml --json", "score lostdice red=3", "blank lostdice"],
)
def test_only_what_is_needed_is_loaded(arguments: str) -> None:
    """A small data file is checked without any heavy library, and without laying sheets out."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *arguments.split()], capture_output=True, check=False
    )
    assert done.returncode in (0, 1)
    top, modules = done.stderr.decode().splitlines()[-2:]
    assert not set(top.split()) & HEAVY
    assert not any(
        name.startswith(("sheetgen.layout", "sheetgen.draw")) for name in modules.split()
    )


def test_a_variant_is_loaded_once() -> None:
    """Many files of one variant read its file once."""
    checker = Checker()
    results = list(checker.check(["right.yaml"] * 3))
    assert len({id(result.variant) for result in results}) == 1
