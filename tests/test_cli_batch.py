"""check for many files: folders, several processes, and what is written beside the report."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_checking import RIGHT, Answer, _files, tool
from test_cli_process import on_terminal, screen

from sheetgen.checking import Checked, Checker
from sheetgen.cli import batch
from sheetgen.cli.batch import How, expand, natural
from sheetgen.errors import Problem
from sheetgen.source_text import files_read

sys.path.insert(0, str(Path(__file__).parent / "report"))
from scanned import LOST_DICE, UNSURE, checked, scanned

__all__ = ["_files"]  # the fixture works here too


@pytest.fixture(autouse=True)
def _nothing_read_yet() -> None:
    """Forget what earlier runs in this process have read."""
    files_read.clear()


HOW = How("", "", None, pictures=False)
JPEG = b"\xff\xd8\xff\xe0 not really"


# -- folders --------------------------------------------------------------------------------------


def test_natural_order() -> None:
    """Numbers in names count as numbers, capitals do not matter."""
    names = ["IMG_10.jpg", "img_9.jpg", "a.yaml", "IMG_9b.jpg", "2.pdf", "10.pdf"]
    found = ["2.pdf", "10.pdf", "a.yaml", "img_9.jpg", "IMG_9b.jpg", "IMG_10.jpg"]
    assert sorted(names, key=natural) == found


def test_folders_hold_what_can_be_checked() -> None:
    """Pictures, PDFs and data files; nothing hidden, no folders, nothing else."""
    Path("many/inner.jpg").mkdir(parents=True)
    for name in (
        "b10.JPG",
        "b9.heic",
        "c.pdf",
        "a.csv",
        ".d.jpg",
        "e.txt",
        "f.html",
        "inner.jpg/x.png",
    ):
        Path("many", name).write_bytes(b"x")
    found = [Path(str(name)).name for name in expand(["many"])]
    assert found == ["a.csv", "b9.heic", "b10.JPG", "c.pdf"]
    assert list(expand(["many/c.pdf", "-", "no-such"])) == ["many/c.pdf", "-", "no-such"]


def test_a_folder_is_checked() -> None:
    """All files of a folder have their report; an empty folder is a problem and stops nothing."""
    Path("empty").mkdir()
    Path("good").mkdir()
    for name in ("m2", "m10"):
        Path(f"good/{name}.yaml").write_bytes(Path("right.yaml").read_bytes())
    answer = tool("check", "empty", "good")
    assert answer.code == 2
    assert answer.err == ("empty: holds nothing to check, pictures, PDFs and data files are\n")
    assert answer.out.index("m2.yaml: Trail") < answer.out.index("m10.yaml: Trail")
    assert answer.out.endswith("3 files: 2 right, 1 unreadable\n")


# -- several processes ----------------------------------------------------------------------------


class Fragile(How):
    """Checkers of files whose names say what happens."""

    __slots__ = ()

    def checker(self) -> Any:
        """Return one."""
        return _Fragile()


class _Fragile:
    def check(self, names: list[str]) -> Iterator[Checked]:
        """Die, fail, wait, or read a file as text."""
        for name in names:
            if "die" in name:
                os._exit(9)
            if "fail" in name:
                raise ValueError("odd")
            if "slow" in name:
                time.sleep(60)
            if "pause" in name:
                time.sleep(0.4)
            yield Checked(name, str(os.getpid()), None, "", None, None, (Problem("x", file=name),))


def _pictures(*names: str) -> list[str]:
    for name in names:
        Path(name).write_bytes(JPEG)
    return list(names)


def test_results_come_in_order_from_other_processes() -> None:
    """Pictures are read elsewhere, other files here, and all come in the order they were given."""
    Path("b.csv").write_text("x")
    names = [*_pictures("a1.jpg", "a2.jpg", "a3.jpg"), "b.csv", *_pictures("c.jpg")]
    results = list(batch.check(names, Fragile(*HOW), 2))
    assert [one.file for one in results] == names
    processes = [int(one.dialect) for one in results]
    assert processes[3] == os.getpid()
    assert os.getpid() not in processes[:3] + processes[4:]
    alone = list(batch.check(names, Fragile(*HOW), 1))
    assert {int(one.dialect) for one in alone} == {os.getpid()}


def test_a_process_that_dies_takes_no_other_file_with_it() -> None:
    """Its file is a problem, one that fails is another; all others are read."""
    names = _pictures("a.jpg", "die.jpg", "b.jpg", "fail.jpg", "c.jpg", "d.jpg")
    results = {one.file: one for one in batch.check(names, Fragile(*HOW), 2)}
    assert list(results) == names
    for name in ("a.jpg", "b.jpg", "c.jpg", "d.jpg"):
        assert str(results[name].problems[0]) == f"{name}: x"
    assert str(results["die.jpg"].problems[0]) == (
        "die.jpg: the process that read it was stopped, there may be too little memory for it"
    )
    assert str(results["fail.jpg"].problems[0]) == (
        "fail.jpg: this should not happen: ValueError: odd, "
        "please report it (SHEETGEN_DEBUG=1 shows more)"
    )


def test_results_travel_between_processes() -> None:
    """A report from another process says the same, arithmetic included."""
    import pickle

    Path("f.yaml").write_text(f"variant: lostdice\n{RIGHT.replace('round: 1, ', '')}")
    (here,) = Checker().check(["wrong.yaml"])
    there = pickle.loads(pickle.dumps(here))
    assert there.report == here.report._replace(  # type: ignore[union-attr]
        sheets=tuple(
            sheet._replace(steps=dict(sheet.steps))
            for sheet in here.report.sheets  # type: ignore[union-attr]
        )
    )
    assert there.match == here.match


SLOW = """
import sys
sys.path[:0] = {path!r}
from sheetgen.cli import batch, main
from test_cli_batch import Fragile
if __name__ == "__main__":
    batch.How = Fragile
    main()
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX systems")
def test_interruption_ends_quickly() -> None:
    """Ctrl-C ends all processes within a moment, and says so in one line."""
    names = _pictures("slow1.jpg", "slow2.jpg", "slow3.jpg")
    here = str(Path(__file__).parent)
    Path("run.py").write_text(SLOW.format(path=[here, str(Path(here).parent)]))
    words = [sys.executable, "run.py", "check", *names]
    process = subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    time.sleep(4)
    start = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=10)
    assert time.monotonic() - start < 3
    assert (out, err.decode().strip()) == (b"", "sheetgen: stopped")
    assert process.returncode == 130
    while time.monotonic() - start < 3 and _lives(process.pid):
        time.sleep(0.05)
    assert not _lives(process.pid)


def _lives(group: int) -> bool:
    """Tell whether there is a process of a group left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


# -- what is written beside the report ------------------------------------------------------------


@pytest.fixture
def _scans(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let files that end in .jpg be read as one or two photos with doubts."""
    kept = Checker.check_bytes
    result = checked(scanned(LOST_DICE, UNSURE), scanned({**LOST_DICE, "total": "47"}, {}, copy=2))
    first, second = result.scans
    pages = result._replace(scans=(first, second._replace(page=2)))

    def check_bytes(self: Checker, data: bytes, file: str) -> Checked:
        if file.endswith(".jpg"):
            return (pages if "pages" in file else result)._replace(file=file)
        return kept(self, data, file)

    monkeypatch.setattr(Checker, "check_bytes", check_bytes)


@pytest.mark.usefixtures("_scans")
def test_everything_at_once() -> None:
    """A photo with doubts: exit code 1, a data file, a page and a picture; then it is corrected."""
    _pictures("p.jpg")
    words = ["--save", "s.yaml", "--review", "r.html", "--annotate", "a.png"]
    answer = tool("check", "p.jpg", *words)
    assert answer.code == 1
    assert answer.err.splitlines() == [
        "s.yaml: what was read in p.jpg",
        "a.png: an annotated photo",
        "r.html: 2 sheets to look over",
    ]
    assert "unsure: blue_3: 9 (58 %), or 4 (33 %), or 7 (6 %): digits touch" in answer.out
    assert "--save FILE" not in answer.out
    assert Path("a.png").read_bytes().startswith(b"\x89PNG")
    assert "<title>Read from paper</title>" in Path("r.html").read_text()
    saved = Path("s.yaml").read_text()
    assert "      blue: [2, 4, 9]      # unsure: 9, or 4, or 7\n" in saved
    Path("t.yaml").write_text(saved.replace("total: 23", "total: 47"))
    again = tool("check", "t.yaml")
    assert "wrong" not in again.out
    assert "unsure" not in again.out
    assert (tool("check", "p.jpg", *words).code, tool("check", "p.jpg", *words).out) == (2, "")
    assert tool("check", "p.jpg", *words, "--force").code == 1


@pytest.mark.usefixtures("_scans")
def test_advice() -> None:
    """Who did not ask for it is told how to look at what is unsure, once."""
    _pictures("p.jpg", "q.jpg")
    answer = tool("check", "p.jpg", "q.jpg", "--jobs", "1")
    assert answer.out.count("4 readings are unsure: compare with the paper.") == 1
    assert answer.out.count("--review FILE.html shows them") == 1


@pytest.mark.usefixtures("_scans")
def test_several_photos() -> None:
    """Each photo has its picture, with a number; each file its data file, in a folder."""
    _pictures("p.jpg", "pages.jpg")
    Path("d").mkdir()
    _pictures("d/p.jpg")
    words = ["p.jpg", "pages.jpg", "d", "right.yaml", "--jobs", "1"]
    answer = tool("check", *words, "--annotate", "a.jpg", "--save", "out", "--review", "r.html")
    assert answer.code == 1
    assert sorted(path.name for path in Path().glob("a*.jpg")) == [
        f"a-{n}.jpg" for n in (1, 2, 3, 4)
    ]
    assert sorted(path.name for path in Path("out").iterdir()) == [
        "p-2.yaml",
        "p.yaml",
        "pages.yaml",
        "right.yaml",
    ]
    assert "right.yaml" not in Path("r.html").read_text()
    answer = tool("check", *words, "--annotate", "a.jpg")
    assert answer.code == 2
    assert "a-1.jpg: exists, and may hold corrections" in answer.err


def _refused(answer: Answer, words: str) -> None:
    assert answer.code == 2
    assert words in answer.err
    assert answer.err.count("\n") == 1


def test_saving_never_takes_the_place_of_a_file() -> None:
    """Not of one that exists unless forced, and never of an input."""
    Path("s.yaml").write_text("mine")
    _refused(tool("check", "right.yaml", "--save", "s.yaml"), "s.yaml: exists, and may hold")
    assert Path("s.yaml").read_text() == "mine"
    assert tool("check", "right.yaml", "--save", "s.yaml", "--force").code == 0
    before = Path("right.yaml").read_bytes()
    answer = tool("check", "right.yaml", "--save", "right.yaml", "--force")
    _refused(answer, "right.yaml: the same file as the input right.yaml, choose another name")
    _refused(tool("check", "right.yaml", "--save", ".", "--force"), "the same file as the input")
    assert Path("right.yaml").read_bytes() == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("right.yaml --save x.txt", "--save: found 'x.txt', allowed are .yaml and .yml"),
        ("right.yaml wrong.yaml --save x.yaml", "--save: found 'x.yaml', several files are saved"),
        ("right.yaml --annotate x.gif", "--annotate: found 'x.gif', allowed are .png and .jpg"),
        ("right.yaml --review x.pdf", "--review: found 'x.pdf', allowed are .html and .htm"),
        ("right.yaml --save no/x.yaml", "no/x.yaml: the folder "),
        ("right.yaml --jobs 0", "--jobs: found '0', allowed is a whole number from 1 to 64"),
    ],
)
def test_what_cannot_be_written_is_refused_at_once(words: str, message: str) -> None:
    """Before anything is read, in one line."""
    _refused(tool("check", *words.split()), message)


def test_pages_and_pictures_are_for_photos() -> None:
    """Data files have nothing to look over; the report is there all the same."""
    answer = tool("check", "right.yaml", "--review", "r.html", "--annotate", "a.png")
    assert answer.code == 2
    assert answer.err.splitlines() == [
        "sheetgen: --review: found no sheet in a picture, it shows photos and scans of sheets",
        "sheetgen: --annotate: found no sheet in a picture, it shows photos and scans of sheets",
    ]
    assert "right.yaml: Trail" in answer.out
    assert not Path("r.html").exists()


def test_json_stays_json() -> None:
    """What is written beside the report is said on stderr alone."""
    answer = tool("check", "right.yaml", "--json", "--save", "s.yaml")
    assert json.loads(answer.out)["files"][0]["error"] is None
    assert answer.err == "s.yaml: what was read in right.yaml\n"


# -- the terminal, and a missing extra ------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="terminals of POSIX systems")
def test_progress() -> None:
    """On a terminal one line says which of the files is being read, and goes when it is done."""
    names = _pictures("a.jpg", "pause1.jpg", "pause2.jpg")
    here = str(Path(__file__).parent)
    script = SLOW.format(path=[here, str(Path(here).parent)])
    quick = "    sys.modules['sheetgen.cli.terminal'].PATIENCE = 0.1\n    main()"
    script = script.replace("    main()", quick)
    Path("run.py").write_text(script)
    words = ["check", *names, "--jobs", "1"]
    code, shown = on_terminal(*words, command=[sys.executable, "run.py"])
    assert code == 2
    assert b"reading 2 of 3, " in shown
    assert b"reading 3 of 3, " in shown
    assert screen(shown) == [*(f"{name}: x" for name in names), "3 files: 3 unreadable"]


BLOCKED = """
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("cv2", "numpy", "zxingcpp"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Block())
from sheetgen.cli import main
main()
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_without_the_extra(jobs: str) -> None:
    """A picture says which command installs what reads it; all else works without."""
    Path("run.py").write_text(BLOCKED)
    _pictures("photo.jpg")
    words = [sys.executable, "run.py", "check", "photo.jpg", "right.yaml", "--jobs", jobs]
    root = str(Path(__file__).parents[1])
    process = subprocess.run(
        words, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": root}, check=False
    )
    assert process.stderr == (
        "photo.jpg: is a picture: reading it needs the extra sheetgen[scan], "
        "run pip install 'sheetgen[scan]'\n"
    )
    assert process.returncode == 2
    assert "right.yaml: Trail" in process.stdout
