"""Inputs of a hostile tester that once crashed, hung, lost a file, or came out wrong in silence."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from sheetgen import prepare, workshop
from sheetgen.decode import decode
from sheetgen.draw.png import png
from sheetgen.errors import InputError
from sheetgen.paper import parse_paper
from sheetgen.prepare import Choices
from sheetgen.source import parse

ROOT = Path(__file__).parent.parent
TOOL = [sys.executable, "-m", "sheetgen"]


def variant(*body: Any, size: str = "210x297", **more: Any) -> Any:
    """Return a small variant with this body."""
    base = {
        "id": "t",
        "code": "TT",
        "title": "T",
        "summary": "s",
        "languages": ["en"],
        "source": ["me"],
        "players": "1-4",
        "sheets": {"score": {"title": "S", "size": size, "body": list(body)}},
    }
    return decode(parse(json.dumps({**base, **more}).encode(), "t.yaml"), "t.yaml")


def run(*words: str, cwd: Path, env: Mapping[str, str] | None = None) -> tuple[int, str, str]:
    """Run the tool in a folder."""
    settings = {**os.environ, "PYTHONPATH": str(ROOT), **(env or {})}
    done = subprocess.run(
        [*TOOL, *words],
        cwd=cwd,
        env=settings,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("file", "command"),
    [
        ("stocks.yaml", ("dice", "keldice", "--as", "labels", "--stock", "L4730")),
        ("words.yaml", ("calibrate",)),
        ("symbols.yaml", ("print", "yacht")),
        ("themes/expedition.yaml", ("preview", "yacht")),
    ],
)
def test_no_output_takes_the_place_of_any_input(
    tmp_path: Path, file: str, command: tuple[str, ...]
) -> None:
    """Themes, stocks, words and symbols are inputs like the variant."""
    own = tmp_path / "templates" / file
    own.parent.mkdir(parents=True)
    shutil.copy(ROOT / "templates" / file, own)
    before = own.read_bytes()
    target = own
    if command[0] == "preview":
        target = tmp_path / "x.png"
        target.symlink_to(own)
    code, _, error = run(*command, "-o", str(target), cwd=tmp_path)
    assert code == 2
    assert "the same file as the input" in error
    assert own.read_bytes() == before


def test_a_tinted_mark_before_a_bridge_is_drawn() -> None:
    """A tint that reaches across a bridge is drawn on both of its sides."""
    mark, bridge = [{"after": 3, "tint": True}], {"after": 5, "text": "2"}
    track = {"boxes": 9, "bridge": bridge, "mark": mark}
    table = {"groups": [{"lanes": ["p"], "count": 2}], "rows": [{"track": track}]}
    scene = prepare.prepare(variant({"table": table}), Choices()).front
    grounds = [item for item in scene.items if item.role == "ground"]
    assert len(grounds) > 2 * 4


def test_own_words_need_not_be_complete(tmp_path: Path) -> None:
    """A user's words.yaml says only what it says otherwise."""
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "words.yaml").write_text("cut: snip\n")
    code, out, error = run("dice", "lostdice", cwd=tmp_path)
    assert (code, error) == (0, "")
    assert "3 dice as nets" in out


def test_labels_too_small_to_print_are_refused(tmp_path: Path) -> None:
    """A stock of 1 mm labels is refused with the least size."""
    (tmp_path / "templates").mkdir()
    stock = "{title: T, page: A4, label: 1x1, count: 9x9, left: 9, top: 9, pitch: 20x20, source: s}"
    (tmp_path / "templates" / "stocks.yaml").write_text(f"bad: {stock}\n")
    code, _, error = run("dice", "lostdice", "--as", "labels", "--stock", "bad", cwd=tmp_path)
    assert code == 2
    assert "labels of 1 x 1 mm, allowed are 6 mm and more" in error


# The tool, stopped where a file is written but not yet in its place.
WRITING = """
import sys, time
from pathlib import Path
from sheetgen import cli, output
def wait(*arguments):
    Path("../ready").touch()
    time.sleep(60)
output._replace = wait
sys.argv = ["sheetgen", "print", "lostdice", "-o", "x.pdf"]
cli.main()
"""


@pytest.mark.skipif(os.name == "nt", reason="needs the signals of POSIX")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_leaves_no_litter(tmp_path: Path, name: str) -> None:
    """A job that is stopped leaves no file, says so in one line and ends with the signal's code."""
    number = getattr(signal, name)
    folder = tmp_path / "here"
    folder.mkdir()
    job = subprocess.Popen(
        [sys.executable, "-c", WRITING],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    for _ in range(600):
        if (tmp_path / "ready").exists() or job.poll() is not None:
            break
        time.sleep(0.05)
    assert [path.suffix for path in folder.iterdir()] == [".part"]
    job.send_signal(number)
    _, error = job.communicate(timeout=30)
    assert job.returncode == 128 + number
    assert error.strip() == "sheetgen: stopped"
    assert list(folder.iterdir()) == []


def test_long_texts_repeated_are_refused_at_once() -> None:
    """A text that repeats lay out a million times is refused before it is set."""
    inner: Any = {"text": {"text": "ab " * 600}}
    for _ in range(3):
        inner = {"column": {"repeat": 20, "items": [inner]}}
    start = time.monotonic()
    with pytest.raises(InputError, match="at most 10000 fit a page"):
        variant(inner)
    assert time.monotonic() - start < 2


def test_a_picture_of_a_gigabyte_is_refused() -> None:
    """Millions of pixels beyond use are refused with advice."""
    from sheetgen.draw.pdf import pdf
    from sheetgen.impose import alone

    ready = prepare.prepare(variant({"space": {}}, size="400x400"), Choices())
    data = pdf(ready.front, None, alone(ready.front.size), ready.style.fonts)
    with pytest.raises(InputError, match="give fewer dpi"):
        png(data, 1200)


@pytest.mark.parametrize(
    ("track", "found"),
    [
        ({"boxes": 6, "numbers": True}, "numbers"),
        ({"boxes": 6, "second": "s"}, "second"),
        ({"boxes": 6, "bridge": {"after": 2, "text": "2"}}, "bridge"),
    ],
)
def test_what_lanes_to_the_right_cannot_show_is_refused(track: Any, found: str) -> None:
    """A key that would be dropped in silence is refused at its place."""
    table = {"flow": "right", "groups": [{"lanes": "p", "count": 2}], "rows": [{"track": track}]}
    with pytest.raises(InputError, match=f"{found}, lanes that run right cannot have it"):
        variant({"table": table})


def test_two_things_in_one_gutter_are_refused() -> None:
    """A label beside a tally in the gutter would vanish; it is refused."""
    aside = {"id": "roll", "count": 6, "flow": "down"}
    track = {"boxes": 6, "label": "Rolls", "aside": aside}
    table = {"groups": [{"lanes": "p", "count": 2}], "rows": [{"track": track}]}
    with pytest.raises(InputError, match="label and aside in one gutter"):
        variant({"table": table})


def test_the_usual_paper_holds_for_dice(tmp_path: Path) -> None:
    """SHEETGEN_PAPER is obeyed by dice as by print."""
    _, out, _ = run("dice", "yacht", cwd=tmp_path, env={"SHEETGEN_PAPER": "letter"})
    assert "215.9 x 279.4 mm" in out


def test_labels_never_overlap() -> None:
    """A pitch scale that makes labels overlap is refused."""
    game, _ = prepare.load("yacht")
    wanted = workshop.LabelChoices(stock="L4730", stretch=0.9)
    with pytest.raises(InputError, match=r"a pitch scale of 0\.9 makes labels overlap"):
        workshop.labels(game, Choices(), 1, wanted, None)


@pytest.mark.parametrize("value", ["e\u0301", "\u05d0"])
def test_what_cannot_be_set_right_is_refused_on_dice_too(value: str) -> None:
    """Combining marks and right-to-left letters are refused wherever they stand."""
    faces = [value, "2", "3", "4", "5", "6"]
    game = variant({"space": {}}, dice={"one": {"kind": "d6", "faces": faces}})
    with pytest.raises(InputError, match="cannot be set right yet"):
        workshop.nets(game, Choices(), 1, None, parse_paper("a4"))
    assert workshop.every_problem(game)


def test_pips_are_for_numbers_that_have_some() -> None:
    """A seven in pips is refused at the face."""
    faces = ["1", "2", "3", "4", "5", "7"]
    with pytest.raises(InputError, match="7 in pips, pips show 1 to 6"):
        variant({"space": {}}, dice={"one": {"kind": "d6", "pips": True, "faces": faces}})


def test_a_language_is_named_once() -> None:
    """A language listed twice is refused."""
    with pytest.raises(InputError, match="the language en twice"):
        variant({"space": {}}, languages=["en", "en"])


def test_a_control_character_is_to_be_left_away() -> None:
    """No font is asked for a character that none can have."""
    game = variant({"text": {"text": "a\u200bb"}})
    with pytest.raises(InputError, match=r"U\+200B ZERO WIDTH SPACE\), leave it away"):
        prepare.prepare(game, Choices())


def test_bundled_codes_differ() -> None:
    """No two bundled variants print the same code name."""
    codes = [prepare.load(str(path))[0].code for path in (ROOT / "variants").glob("*.yaml")]
    assert len(set(codes)) == len(codes)


def test_a_report_never_takes_the_place_of_a_variant_it_read(tmp_path: Path) -> None:
    """A variant that only a data file names is an input, too."""
    own = tmp_path / "variants" / "lostdice.yaml"
    own.parent.mkdir()
    shutil.copy(ROOT / "variants" / "lostdice.yaml", own)
    (tmp_path / "w.yaml").write_text("variant: lostdice\nsheets: [{player: A}]\n")
    code, _, error = run("check", "w.yaml", "--html", str(own), cwd=tmp_path)
    assert code == 2
    assert "the same file as the input" in error
    assert own.read_bytes() == (ROOT / "variants" / "lostdice.yaml").read_bytes()


def test_a_pad_longer_than_usual_is_checked_as_it_was_printed(tmp_path: Path) -> None:
    """Eighteen rounds on a score pad are no mistake, in a data file either."""
    entries = ", ".join(["1"] * 18)
    sheets = f"sheets: [{{player: A, entries: {{r: [{entries}]}}}}]\n"
    (tmp_path / "pad.yaml").write_text(f"variant: scorepad\n{sheets}")
    code, out, _ = run("check", "pad.yaml", cwd=tmp_path)
    assert code == 0, out
    assert "18" in out


def test_a_data_file_opens_no_odd_file(tmp_path: Path) -> None:
    """A data file's word for a variant opens variant files only, and never waits for one."""
    os.mkfifo(tmp_path / "ff")
    for name in ("./ff", "/dev/stdin", "/etc/passwd"):
        (tmp_path / "w.yaml").write_text(f"variant: {name}\nsheets: [{{player: A}}]\n")
        code, _, error = run("check", "w.yaml", cwd=tmp_path)
        assert code == 2
        assert "a name from sheetgen list or a .yaml file is expected" in error


def test_blank_never_empties_a_file_that_was_filled_in(tmp_path: Path) -> None:
    """A file that exists is replaced only if that is asked for."""
    assert run("blank", "lostdice", "-o", "m.yaml", cwd=tmp_path)[0] == 0
    code, _, error = run("blank", "lostdice", "-o", "m.yaml", cwd=tmp_path)
    assert code == 2
    assert "m.yaml exists, and may be filled in, choose another name or add --force" in error
    assert run("blank", "lostdice", "-o", "m.yaml", "--force", cwd=tmp_path)[0] == 0


def test_pages_that_draw_without_end_are_refused(tmp_path: Path) -> None:
    """Forms inside forms, ten times each and twenty deep, are refused before they are drawn."""
    from pypdf import PdfWriter
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    writer = PdfWriter()
    page = writer.add_blank_page(200, 200)
    inner = None
    for depth in range(21):
        form = DecodedStreamObject()
        form.set_data(b"/F Do " * 10 if inner is not None else b"0 0 1 1 re f")
        form[NameObject("/Subtype")] = NameObject("/Form")
        if inner is not None:
            xobjects = DictionaryObject({NameObject("/F"): inner})
            form[NameObject("/Resources")] = DictionaryObject({NameObject("/XObject"): xobjects})
        if depth < 20:
            inner = writer._add_object(form)
        else:
            page[NameObject("/Contents")] = writer._add_object(form)
            page[NameObject("/Resources")] = form["/Resources"]
    writer.write(tmp_path / "nest.pdf")
    code, _, error = run("check", "nest.pdf", "--variant", "lostdice", cwd=tmp_path)
    assert code == 2
    assert "pages that draw more than can be looked at" in error


def test_a_setup_that_does_not_fit_the_players_is_said(tmp_path: Path) -> None:
    """Three sheets of a solo game are worth a word."""
    sheets = ", ".join(f"{{player: {name}, entries: {{discards: 30}}}}" for name in "ABC")
    (tmp_path / "m.yaml").write_text(f"variant: lostdice\nsetup: solo\nsheets: [{sheets}]\n")
    _, out, _ = run("check", "m.yaml", cwd=tmp_path)
    assert "3 players, the setup solo is for 1" in out
