"""The command line as people meet it, in this process: what it makes and what it refuses."""

from __future__ import annotations

import gc
import io
import json
import os
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest
from PIL import Image

from sheetgen import cli

CASES = Path(__file__).parent / "cases"
PLAIN = (CASES / "plain.yaml").read_text(encoding="utf-8")
SANS = Path(str(files("font_source_sans_pro"))) / "files"
OLD = b"the old file"
LONGEST = 300  # letters in a line of advice


class Answer(NamedTuple):
    """What a run gave."""

    code: int
    out: bytes
    err: str


def tool(*arguments: str, stdin: bytes = b"") -> Answer:
    """Run the command line in this process."""
    streams = [io.TextIOWrapper(io.BytesIO(data), encoding="utf-8") for data in (stdin, b"", b"")]
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
        outputs.append(stream.buffer.getvalue())
    assert isinstance(end.value.code, int)
    return Answer(end.value.code, outputs[0], outputs[1].decode())


def contents(folder: Path) -> dict[str, bytes]:
    """Return all files below a folder, with what is in them."""
    found = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def refused(*arguments: str, stdin: bytes = b"") -> list[str]:
    """Run what must be refused; return the lines that say why.

    Each is short, nothing is printed elsewhere, and no file is made or changed.
    """
    before = contents(Path())
    answer = tool(*arguments, stdin=stdin)
    assert answer.code == 2, answer
    assert answer.out == b""
    assert contents(Path()) == before
    lines = answer.err.splitlines()
    assert lines
    for line in lines:
        assert line.isprintable()
        assert 10 < len(line) <= LONGEST
        assert "Traceback" not in line
        assert "this should not happen" not in line
    return lines


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with a variant ``my.yaml`` and an older result ``old.pdf``."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in ("SHEETGEN_PAPER", "SHEETGEN_LANG", "SHEETGEN_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    (work / "my.yaml").write_text(PLAIN, encoding="utf-8")
    (work / "old.pdf").write_bytes(OLD)


# -- wrong options --------------------------------------------------------------------------------

COUNT = "allowed is a whole number from 1 to"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--copies", "0"], f"--copies: found '0', {COUNT} 100000"),
        (["--copies", "-1"], f"--copies: found '-1', {COUNT} 100000"),
        (["--copies", "1000000000"], f"--copies: found '1000000000', {COUNT} 100000"),
        (["--copies", "9" * 5000], f"--copies: found '{'9' * 39}…', {COUNT} 100000"),
        (["--copies", "x"], f"--copies: found 'x', {COUNT} 100000"),
        (["--copies", "1_0"], f"--copies: found '1_0', {COUNT} 100000"),
        (["--copies", "010"], f"--copies: found '010', {COUNT} 100000"),
        (["--copies", "2.5"], f"--copies: found '2.5', {COUNT} 100000"),
        (["--copies", "٣"], f"--copies: found '٣', {COUNT} 100000"),
        (["--copies", "a\nb"], f"--copies: found 'a\\nb', {COUNT} 100000"),
        (["--copies="], f"--copies: found '', {COUNT} 100000"),
        (["--copies"], "option '--copies' requires an argument"),
        (["--no-rules=1"], "option '--no-rules' does not take a value"),
        (
            ["--copes", "3"],
            "unknown option '--copes', see sheetgen print --help; did you mean --copies?",
        ),
        (["--offset", "-3,0"], "unknown option '--offset', see sheetgen print --help"),
        (["--\x1b[31m"], "unknown option '--\\x1b[31m', see sheetgen print --help"),
        (
            ["--per-page", "0"],
            "--per-page: found '0', allowed is auto or a whole number from 1 to 9999",
        ),
        (["--per-page", "x"], "--per-page: found 'x', allowed is auto or"),
        (["--per-page", "-1"], "--per-page: found '-1', allowed is auto or"),
        (["--per-page", "٣"], "--per-page: found '٣', allowed is auto or"),
        (["--per-page", "99"], "99 sheets of 100 x 100 mm need"),
        (["--per-page", "9999"], "9999 sheets of 100 x 100 mm need"),
        (["--paper", "a99"], "--paper: unknown paper 'a99', known are A2, A3"),
        (["--paper", "leter"], "8.5x11in with sides from 50 to 2000 mm; did you mean Letter?"),
        (["--paper", "nan"], "--paper: unknown paper 'nan'"),
        (["--paper", ""], "--paper: unknown paper ''"),
        (["--paper", "0x0"], "--paper: the paper '0x0' is out of range, a side must be from 50"),
        (["--paper", "-210x297"], "--paper: unknown paper '-210x297'"),
        (["--paper", "1e3x1e3"], "--paper: unknown paper '1e3x1e3'"),
        (["--paper", "60x60"], "the sheet is 100 x 100 mm, 60 x 60 mm offers 60 x 60 mm"),
        (["--players", "0"], f"--players: found '0', {COUNT} 999"),
        (["--players", "99"], "--players: found 99, plain is for 1 to 4"),
        (["--players", "x"], f"--players: found 'x', {COUNT} 999"),
        (["--lang", "xx"], "--lang: unknown language 'xx', known are en, cs"),
        (["--lang", "EN"], "--lang: unknown language 'EN', known are en, cs; did you mean en?"),
        (
            ["--sheet", "scor"],
            "--sheet: unknown sheet 'scor', known are score, other; did you mean score?",
        ),
        (["--sheet", "x" * 5000], f"--sheet: unknown sheet '{'x' * 39}…', known are"),
        (["--set", "rounds=99"], "--set: found 99, rounds may be 1 to 5"),
        (["--set", "rounds"], "--set: found 'rounds', allowed is NAME=N, such as rounds=12"),
        (["--set", "rounds="], "--set: found 'rounds=', allowed is NAME=N"),
        (["--set", "=3"], "--set: found '=3', allowed is NAME=N"),
        (["--set", "rounds=-3"], "--set: found 'rounds=-3', allowed is NAME=N"),
        (["--set", "rounds=٣"], "--set: found 'rounds=٣', allowed is NAME=N"),
        (["--set", "x=1"], "--set: unknown option 'x', plain has rounds"),
        (
            ["--set", "round=1"],
            "--set: unknown option 'round', plain has rounds; did you mean rounds?",
        ),
        (["--set", "rounds=2", "--set", "rounds=3"], "--set: rounds is set twice, keep one"),
        (["--ink", "ful"], "--ink: found 'ful', allowed are full, low, bw; did you mean full?"),
        (["--order", "heap"], "--order: found 'heap', allowed are sequence, stack"),
        (
            ["--duplex", "longe"],
            "--duplex: found 'longe', allowed are none, long, short; did you mean long?",
        ),
        (
            ["--theme", "expeditoin"],
            "--theme: unknown theme 'expeditoin', known are expedition; did you",
        ),
        (["--theme", "../symbols"], "--theme: unknown theme '../symbols', known are expedition"),
        (["--font", "missing.ttf"], "missing.ttf: cannot read the font: No such file or directory"),
        (["--font", "."], ".: cannot read the font: Is a directory"),
        (["--font", "picture.ttf"], "picture.ttf: not a TrueType font that can be read"),
        (["--font", "my.yaml"], "my.yaml: not a TrueType font that can be read"),
        (["--font", "/dev/zero"], "/dev/zero: not a TrueType font that can be read"),
        (
            ["--font", str(SANS / "SourceSansPro-Bold.otf")],
            "SourceSansPro-Bold.otf: an OpenType font with CFF outlines, give the same font with",
        ),
        (["--crop-marks", "--paper", "110x110"], "with crop marks needs"),
        (["extra"], "got unexpected extra argument (extra), see sheetgen print --help"),
        (["--printer", "x"], "found --printer with -o or --open, give one of them"),
    ],
)
def test_wrong_options_are_refused(options: list[str], message: str) -> None:
    """One line names the option, what was found and what is allowed; the old file stays."""
    Image.new("RGB", (9, 9)).save("picture.ttf", "PNG")
    (line,) = refused("print", "my.yaml", "-o", "old.pdf", *options)
    assert message in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["print"], "sheetgen: missing argument 'VARIANT', see sheetgen print --help"),
        (["prnt"], "sheetgen: unknown command 'prnt', see sheetgen --help; did you mean print?"),
        (["a\nb"], "sheetgen: unknown command 'a\\nb', see sheetgen --help"),
        (["list", "extra"], "sheetgen: got unexpected extra argument (extra), see sheetgen list"),
        (["validate"], "sheetgen: missing argument 'FILE…', see sheetgen validate --help"),
        (["print", "lostdce"], "known are keldice, lostcities, lostcities-long, lostcities-roll"),
        (["print", "lostdce"], "or give the path of a .yaml file; did you mean lostdice?"),
        (["show", "LostDice"], "unknown variant 'LostDice'"),
        (["preview", "x" * 5000], f"unknown variant '{'x' * 39}…'"),
        (["print", ""], "unknown variant ''"),
        (["print", "."], "unknown variant '.'"),
        (["print", "./"], "is a directory, a YAML file is expected"),
        (["print", "none.yaml"], "none.yaml: there is no such file"),
        (["print", "no\nne.yaml"], "no\\nne.yaml: there is no such file"),
        (["print", "no\x1b[31mne.yaml"], "no\\x1b[31mne.yaml: there is no such file"),
        (["print", "../none"], "../none: there is no such file"),
        (["preview", "my.yaml", "-o", "x.gif"], "-o: found 'x.gif', allowed are .png and .svg"),
        (["preview", "my.yaml", "-o", "x"], "-o: found 'x', allowed are .png and .svg"),
        (
            ["preview", "my.yaml", "-o", "x.png", "--dpi", "5"],
            "--dpi: a resolution of 5 dpi, give 20",
        ),
        (["preview", "my.yaml", "-o", "x.png", "--dpi", "nan"], "--dpi: a resolution of nan dpi"),
        (["preview", "my.yaml", "-o", "x.png", "--dpi", "1e9"], "--dpi: a resolution of 1e+09 dpi"),
        (["preview", "my.yaml", "-o", "x.png", "--dpi", "x"], "--dpi: 'x' is not a valid float"),
        (
            ["preview", "my.yaml", "-o", "-", "--open"],
            "found --open with -o -, give the name of a file",
        ),
        (
            ["print", "my.yaml", "-o", "-", "--open"],
            "found --open with -o -, give the name of a file",
        ),
    ],
)
def test_wrong_command_lines_are_refused(arguments: list[str], message: str) -> None:
    """One line says what is wrong and where to look."""
    (line,) = refused(*arguments)
    assert message in line


def test_several_wrong_options_are_said_together() -> None:
    """What is wrong with the sheet, the language and the settings comes in one go."""
    lines = refused("print", "my.yaml", "--sheet", "x", "--lang", "x", "--set", "x=1")
    assert [line.split(": ")[1] for line in lines] == ["--sheet", "--lang", "--set"]


def test_a_side_without_rules_is_refused() -> None:
    """Backs are asked of a variant that has none."""
    Path("bare.yaml").write_text(PLAIN[: PLAIN.index("rules:")], encoding="utf-8")
    for arguments in (["print", "--duplex", "long"], ["preview", "--back"]):
        (line,) = refused(arguments[0], "bare.yaml", *arguments[1:])
        assert "plain has no rules for the back" in line


@pytest.mark.skipif(os.name == "nt", reason="lp is asked for elsewhere only")
def test_a_printer_without_a_print_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without lp the line says what to install."""
    monkeypatch.setenv("PATH", "")
    (line,) = refused("print", "my.yaml", "--printer", "office")
    assert "cannot print: the program lp is not installed, install CUPS" in line


# -- where results go -----------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["itself", "relative", "symlink", "hardlink", "link to it"])
def test_the_output_may_not_be_the_input(way: str) -> None:
    """However the variant file is named, it is not overwritten."""
    source, target = "my.yaml", "my.yaml"
    if way == "relative":
        target = "../work/my.yaml"
    elif way == "symlink":
        source = "link.yaml"
        Path(source).symlink_to("my.yaml")
    elif way == "hardlink":
        target = "hard.pdf"
        Path(target).hardlink_to("my.yaml")
    elif way == "link to it":
        target = "link.pdf"
        Path(target).symlink_to("my.yaml")
    (line,) = refused("print", source, "-o", target)
    assert line == f"{target}: the same file as the input {source}, choose another name"


def test_the_output_may_not_be_a_font() -> None:
    """The user's font is an input too."""
    Path("own.ttf").write_bytes((SANS / "SourceSansPro-Bold.ttf").read_bytes())
    (line,) = refused("print", "my.yaml", "--font", "own.ttf", "-o", "own.ttf")
    assert "the same file as the input own.ttf" in line


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("", "sheetgen: -o: found '', give the name of a file"),
        ("new/", "sheetgen: -o: found 'new/', give the name of a file"),
        (".", ".: a folder, give the name of a file"),
        ("none/x.pdf", "none/x.pdf: the folder "),
        ("my.yaml/x.pdf", "my.yaml/x.pdf: cannot write: Not a directory"),
        ("x" * 300, "cannot write: File name too long"),
    ],
)
def test_impossible_outputs_are_refused(target: str, message: str) -> None:
    """A folder, a place in a missing folder or below a file, a name too long."""
    before = contents(Path())
    answer = tool("print", "my.yaml", "-o", target)
    assert (answer.code, answer.out) == (2, b"")
    assert message in answer.err
    assert answer.err.count("\n") == 1
    assert contents(Path()) == before


@pytest.mark.parametrize("target", ["-pad.pdf", "my pad ü.pdf", "100 % $HOME.pdf", "old.pdf"])
def test_odd_names_are_written(target: str) -> None:
    """A legal path works, even one that looks like an option, and so does an old file."""
    answer = tool("print", "my.yaml", "-o", target)
    assert answer == (0, f"{target}: 1 sheet on 1 page, A4, 4 to a page\n".encode(), "")
    assert Path(target).read_bytes().startswith(b"%PDF-1.7")
    assert len(contents(Path())) == (2 if target == "old.pdf" else 3)


def test_results_without_a_place_go_to_the_output_folder() -> None:
    """The name follows from the id, and from the sheet if it is not the first."""
    assert tool("print", "my.yaml").out.startswith(b"output/plain.pdf: ")
    assert tool("print", "my.yaml", "--sheet", "other").out.startswith(b"output/plain-other.pdf: ")
    assert tool("preview", "my.yaml").out == b"output/plain.png: 100 x 100 mm\n"


def test_a_reserved_id_is_cleaned() -> None:
    """A file named con would be a device on Windows."""
    Path("con.yml").write_text(PLAIN.replace("id: plain", "id: con"), encoding="utf-8")
    assert tool("print", "con.yml").out.startswith(b"output/_con.pdf: ")


def test_standard_output_carries_the_pdf_only() -> None:
    """With -o - the fact goes to stderr, also where the system's name for it is given."""
    tool("print", "my.yaml", "-o", "x.pdf", "--copies", "5")
    answer = tool("print", "my.yaml", "-o", "-", "--copies", "5")
    assert answer == (0, Path("x.pdf").read_bytes(), "5 sheets on 2 pages, A4, 4 to a page\n")
    assert tool("print", "my.yaml", "-o", "/dev/stdout", "--copies", "5") == answer
    picture = tool("preview", "my.yaml", "-o", "-")
    assert Image.open(io.BytesIO(picture.out)).format == "PNG"
    assert picture.err == "100 x 100 mm\n"


def test_previews_have_their_size() -> None:
    """100 mm at 254 dpi are 1000 pixels; SVG says mm."""
    tool("preview", "my.yaml", "-o", "x.png", "--dpi", "254")
    with Image.open("x.png") as picture:
        assert picture.size == (1000, 1000)
    tool("preview", "my.yaml", "-o", "x.SVG", "--back")
    drawn = Path("x.SVG").read_text(encoding="utf-8")
    assert 'width="100mm" height="100mm"' in drawn
    assert "The rules." in drawn


def test_marks_may_be_left_away() -> None:
    """Printed and drawn without them, a sheet has less ink, the same boxes and its own size."""
    for command, name in (("preview", "x.svg"), ("print", "x.pdf")):
        tool(command, "my.yaml", "-o", name)
        with_marks = Path(name).read_bytes()
        answer = tool(command, "my.yaml", "--no-marks", "-o", name)
        assert answer.code == 0
        assert len(Path(name).read_bytes()) < len(with_marks)


# -- variants -------------------------------------------------------------------------------------


def test_variants_come_from_standard_input() -> None:
    """The name - reads the variant from stdin, in every command that takes one."""
    data = PLAIN.encode()
    assert tool("print", "-", "-o", "-", stdin=data).out == tool("print", "my.yaml", "-o", "-").out
    assert tool("show", "-", stdin=data).out.startswith(b"Plain (plain)\n")
    assert tool("validate", "-", stdin=data).code == 0
    assert tool("preview", "-", "-o", "x.svg", stdin=data).code == 0


def test_wrong_standard_input_is_refused() -> None:
    """What is wrong with it has its line and column."""
    assert refused("print", "-") == ["stdin:1:1: the file is empty, must be a mapping"]
    (line,) = refused("print", "-", stdin=PLAIN.replace("id: plain", "id: -").encode())
    assert line.startswith("stdin:2:")


def test_names_are_looked_up_in_order(tmp_path: Path) -> None:
    """The folder ./variants comes before the user's own, which comes before the package's."""
    own = tmp_path / "data" / "sheetgen" / "variants"
    own.mkdir(parents=True)
    Path("variants").mkdir()
    for path, title in ((own / "yacht.yaml", "Mine"), (Path("variants/yacht.yml"), "Here")):
        path.write_text(PLAIN.replace("title: Plain", f"title: {title}"), encoding="utf-8")
    assert tool("show", "yacht").out.startswith(b"Here (plain)")
    Path("variants/yacht.yml").unlink()
    assert tool("show", "yacht").out.startswith(b"Mine (plain)")
    assert b"yacht" in tool("list").out
    (own / "yacht.yaml").unlink()
    assert tool("show", "yacht").out.startswith(b"Yacht (yacht)")


def test_the_list_shows_files_that_cannot_be_used() -> None:
    """A broken file in ./variants stands in the list with the reason, and spoils nothing."""
    Path("variants").mkdir()
    Path("variants/bad.yaml").write_text("a: [\n", encoding="utf-8")
    Path("variants/bare.yaml").write_text("id: bare\n", encoding="utf-8")
    Path("variants/mine.yaml").write_text(PLAIN, encoding="utf-8")
    answer = tool("list")
    assert answer.code == 0
    lines = answer.out.decode().splitlines()
    assert any(
        line.startswith("bad ") and "cannot be used: variants/bad.yaml:" in line for line in lines
    )
    assert any(
        line.endswith("bare.yaml: not a whole variant, see sheetgen validate") for line in lines
    )
    assert any(line.split() == ["mine", "Plain:", "A", "game", "for", "tests."] for line in lines)
    assert "sheets: score, other · languages: en, cs" in answer.out.decode()


def test_the_list_is_there_for_machines() -> None:
    """JSON in ASCII, with what the files say."""
    Path("variants").mkdir()
    Path("variants/mine.yaml").write_text(
        PLAIN.replace("A game for tests.", "{en: Řeka 💎, cs: x}"), encoding="utf-8"
    )
    out = tool("list", "--json").out
    assert out.isascii()
    (mine,) = (entry for entry in json.loads(out) if entry["name"] == "mine")
    assert mine == {
        "name": "mine",
        "path": str(Path("variants/mine.yaml")),
        "error": None,
        "title": "Plain",
        "summary": "Řeka 💎",
        "players": "1-4",
        "languages": ["en", "cs"],
        "sheets": ["score", "other"],
        "setups": [],
        "dice": [],
        "options": ["rounds"],
    }


def test_all_files_are_validated() -> None:
    """Good and bad ones are reported, every problem of the bad ones, and the code is 2."""
    Path("bad.yaml").write_text(
        PLAIN.replace("code: PL", "code: pl").replace("id: total", "id: Total"), encoding="utf-8"
    )
    answer = tool("validate", "none.yaml", "my.yaml", "bad.yaml", "yacht", ".")
    assert answer.code == 2
    good = answer.out.decode().splitlines()
    assert good[0] == "my.yaml: plain is right, 2 sheets in 2 languages"
    assert [line.split(": ")[1].split()[0] for line in good] == ["plain", "yacht"]
    bad = answer.err.splitlines()
    assert [line.split(" ")[0] for line in bad] == [
        "none.yaml:",
        "bad.yaml:3:7:",
        "bad.yaml:19:21:",
        "sheetgen:",
    ]


def test_what_is_set_is_printed() -> None:
    """Players, settings and rules change the sheet; the environment names paper and language."""
    other = tool(
        "preview",
        "my.yaml",
        "--sheet",
        "other",
        "--players",
        "4",
        "--set",
        "rounds=5",
        "-o",
        "x.svg",
    )
    assert other.code == 0
    assert "5 rounds for 4" in Path("x.svg").read_text(encoding="utf-8")
    with patch.dict(os.environ, {"SHEETGEN_PAPER": "letter", "SHEETGEN_LANG": "xx"}):
        (line,) = refused("print", "my.yaml")
        assert "--lang: unknown language 'xx'" in line
        assert b"Letter" in tool("print", "my.yaml", "--lang", "en").out


def test_debugging_shows_the_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of the program is one line and code 70, with SHEETGEN_DEBUG its traceback."""

    def broken(*_: object) -> None:
        raise RuntimeError("first\nsecond")

    monkeypatch.setattr("sheetgen.catalogue.catalogue", broken)
    answer = tool("list")
    assert (answer.code, answer.out) == (70, b"")
    assert answer.err.startswith("sheetgen: this should not happen: RuntimeError: first\\nsecond; ")
    assert answer.err.count("\n") == 1
    monkeypatch.setenv("SHEETGEN_DEBUG", "1")
    with (
        pytest.raises(RuntimeError, match="first"),
        patch.object(sys, "argv", ["sheetgen", "list"]),
    ):
        cli.main()
    gc.enable()
