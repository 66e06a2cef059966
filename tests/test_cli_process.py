"""The command line as a process: streams, terminals, environments, completion, speed."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pypdf
import pytest
from test_cli import CASES, PLAIN

pty = pytest.importorskip("pty", reason="the terminals of POSIX")

TOOL = [sys.executable, "-m", "sheetgen"]
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder with the variant ``my.yaml``."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in ("SHEETGEN_PAPER", "SHEETGEN_LANG", "SHEETGEN_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    Path("my.yaml").write_text(PLAIN, encoding="utf-8")


def start(
    *arguments: str,
    command: list[str] = TOOL,
    more: Mapping[str, str] | None = None,
    **streams: int,
) -> subprocess.Popen[bytes]:
    """Start the tool; its streams are pipes unless others are given."""
    environment = {**os.environ, **(more or {})}
    return subprocess.Popen(
        [*command, *arguments],
        env=environment,
        stdin=streams.get("stdin", subprocess.DEVNULL),
        stdout=streams.get("stdout", subprocess.PIPE),
        stderr=streams.get("stderr", subprocess.PIPE),
    )


def run(
    *arguments: str,
    command: list[str] = TOOL,
    more: Mapping[str, str] | None = None,
    **streams: int,
) -> tuple[int, bytes, str]:
    """Run the tool; return its exit code, what it wrote to stdout and to stderr."""
    with start(*arguments, command=command, more=more, **streams) as process:
        out, err = process.communicate(timeout=60)
    return process.returncode, out or b"", (err or b"").decode()


def shell(script: str) -> tuple[int, str, str]:
    """Run a script with bash, where ``sheetgen`` is the tool."""
    tool = Path("bin/sheetgen")
    tool.parent.mkdir(exist_ok=True)
    tool.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m sheetgen "$@"\n')
    tool.chmod(0o755)
    path = f"{tool.parent.absolute()}{os.pathsep}{os.environ['PATH']}"
    code, out, err = run(script, command=["bash", "-c"], more={"PATH": path})
    return code, out.decode(), err


# -- streams --------------------------------------------------------------------------------------


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", ["list", "show my.yaml", "print my.yaml -o -", "--help"])
def test_a_reader_that_has_gone_is_no_fault(command: str, unbuffered: str) -> None:
    """When nobody reads on, the tool ends without a word about it and without a failure."""
    ends, gone = os.pipe()
    os.close(ends)
    code, _, err = run(*command.split(), more={"PYTHONUNBUFFERED": unbuffered}, stdout=gone)
    os.close(gone)
    assert code == 0
    assert re.fullmatch(r"(1 sheet on 1 page, A4, 4 to a page\n)?", err)


def test_head_takes_one_line() -> None:
    """``sheetgen list | head -1`` shows one line and nothing else, unbuffered too."""
    code, out, err = shell("set -o pipefail; PYTHONUNBUFFERED=1 sheetgen list | head -1")
    assert (code, err) == (0, "")
    assert out.startswith("keldice ")
    assert out.count("\n") == 1


@pytest.mark.parametrize(
    ("command", "code", "message"),
    [
        ("sheetgen list >&-", 0, ""),
        ("sheetgen print my.yaml -o x.pdf >&- && head -c 8 x.pdf", 0, ""),
        ("sheetgen print my.yaml -o - >&-", 0, "1 sheet on 1 page, A4, 4 to a page\n"),
        ("sheetgen print nope >&-", 2, "sheetgen: unknown variant 'nope'"),
        ("sheetgen print nope 2>&-", 2, ""),
        ("sheetgen print nope >&- 2>&-", 2, ""),
        ("sheetgen print - <&-", 2, "stdin:1:1: the file is empty, must be a mapping\n"),
        ("sheetgen list >/dev/full", 2, "stdout: cannot write: No space left on device\n"),
        ("sheetgen print my.yaml -o - >/dev/full", 2, "stdout: cannot write: the disk is full\n"),
        ("sheetgen print my.yaml -o /dev/full", 2, "/dev/full: cannot write: the disk is full\n"),
    ],
)
def test_closed_and_full_streams(command: str, code: int, message: str) -> None:
    """A closed stdout, stderr or stdin, or a full disk, is no reason for a traceback."""
    if "/dev/full" in command and not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    found, out, err = shell(command)
    assert (found, out) == (code, "%PDF-1.7" if "head" in command else "")
    assert err.startswith(message)
    assert err.count("\n") == (1 if message else 0)


def test_the_input_is_not_overwritten_through_a_redirection() -> None:
    """``print - -o my.yaml <my.yaml`` is refused as well."""
    code, out, err = shell("sheetgen print - -o my.yaml <my.yaml")
    assert (code, out) == (2, "")
    assert "my.yaml: the same file as the input /dev/stdin" in err
    assert Path("my.yaml").read_text(encoding="utf-8") == PLAIN


def test_a_current_folder_that_is_gone() -> None:
    """The line says so."""
    code, out, err = shell(
        "sheetgen=$PWD/bin/sheetgen; mkdir x; cd x; rmdir ../x; $sheetgen print yacht"
    )
    assert (code, out) == (2, "")
    # The shell may have its own say first.
    assert err.splitlines()[-1] == (
        "sheetgen: the current folder does not exist any more, change to another"
    )


def test_an_endless_input_is_refused() -> None:
    """No more is read of stdin than a variant can have."""
    with Path("/dev/zero").open("rb") as zero:
        code, _, err = run("print", "-", stdin=zero.fileno())
    assert (code, err) == (2, "stdin: the file is too large, at most 2 MB are read\n")


@pytest.mark.parametrize(
    "more",
    [
        {"PYTHONHASHSEED": "1"},
        {"PYTHONHASHSEED": "2", "TZ": "Asia/Tokyo"},
        {"TZ": "America/Lima", "SOURCE_DATE_EPOCH": "1"},
        {**ASCII, "PYTHONHASHSEED": "3"},
        {"LC_ALL": "C.UTF-8", "HOME": "/nonexistent", "PYTHONOPTIMIZE": "2"},
    ],
)
def test_the_same_input_gives_the_same_bytes(more: dict[str, str]) -> None:
    """Hash seed, time zone, locale, folder and file name leave no trace in the PDF."""
    words = PLAIN.replace("text: Words", "text: Řeka Ж")
    Path("my.yaml").write_text(words, encoding="utf-8")
    arguments = ["--copies", "9", "--duplex", "long", "--lang", "cs"]
    code, _, err = run("print", "my.yaml", *arguments, "-o", "here.pdf")
    assert (code, err) == (0, "")
    other = Path("other folder")
    other.mkdir()
    (other / "ř.yaml").write_text(words, encoding="utf-8")
    script = ["sh", "-c", 'cd "$1"; shift; exec "$@"', "sh", str(other)]
    code, out, _ = run(
        "print", "ř.yaml", *arguments, "-o", "-", command=[*script, *TOOL], more=more
    )
    assert code == 0
    assert out == Path("here.pdf").read_bytes()


# -- characters -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "more", [{"PYTHONIOENCODING": "ascii"}, ASCII, {"PYTHONIOENCODING": "cp1252"}]
)
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["print", "✓ → ř.yaml"], 2),
        (["print", "✓ → ř"], 2),
        (["print", "my.yaml", "--sheet", "✓ → ř"], 2),
        (["print", "my.yaml", "--ink", "✓ → ř"], 2),
        (["print", "my.yaml", "--✓ → ř"], 2),
        (["✓ → ř"], 2),
        (["print", "bad ✓.yaml"], 2),
        (["print", "my.yaml", "-o", "✓ → ř.pdf"], 0),
        (["show", "ř.yaml"], 0),
        (["list"], 0),
    ],
)
def test_no_character_breaks_a_message(
    arguments: list[str], expected: int, more: dict[str, str]
) -> None:
    """Whatever stdout and stderr can encode, every message comes out, and files get their names."""
    Path("ř.yaml").write_text(PLAIN.replace("A game for tests.", "✓ → ř 💎"), encoding="utf-8")
    Path("bad ✓.yaml").write_text(PLAIN.replace("id: plain", "id: ✓ř"), encoding="utf-8")
    code, out, err = run(*arguments, more=more)
    assert code == expected
    assert bool(out) == (code == 0)
    assert "Traceback" not in err
    assert "Error" not in err
    assert err.count("\n") == (1 if code else 0)
    assert not list(Path().glob(".*"))
    if "-o" in arguments:
        assert Path("✓ → ř.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("more", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"FORCE_COLOR": "1"}])
@pytest.mark.parametrize(
    "arguments", [["--help"], ["list"], ["print", "nope"], ["print", "--nope"]]
)
def test_no_escape_bytes(arguments: list[str], more: dict[str, str]) -> None:
    """Nothing is coloured, on a terminal neither."""
    _, out, err = run(*arguments, more=more)
    assert b"\x1b" not in out
    assert "\x1b" not in err
    _, shown = on_terminal(*arguments, more=more)
    assert b"\x1b" not in shown
    assert len(shown) > 40


# -- terminals ------------------------------------------------------------------------------------


def on_terminal(
    *arguments: str, command: list[str] = TOOL, more: Mapping[str, str] | None = None
) -> tuple[int, bytes]:
    """Run the tool with stdout and stderr on a terminal; return what it showed."""
    master, slave = pty.openpty()
    shown = b""
    with start(*arguments, command=command, more=more, stdout=slave, stderr=slave) as process:
        os.close(slave)
        while True:
            try:
                part = os.read(master, 65536)
            except OSError:  # Linux says so when the last writer has gone
                break
            if not part:
                break
            shown += part
    os.close(master)
    return process.returncode, shown


def screen(shown: bytes) -> list[str]:
    """Return the lines left on a terminal, where a carriage return goes back to write over."""
    lines = []
    for line in shown.decode().replace("\r\n", "\n").split("\n"):
        cells = ""
        for part in line.split("\r"):
            cells = part + cells[len(part) :]
        lines.append(cells.rstrip())
    return [line for line in lines if line]


SLOW = """
import sys, time
from sheetgen import cli, prepare
real = prepare.prepare
def slow(*arguments):
    open("ready", "w").close()
    time.sleep(0.8)
    return real(*arguments)
prepare.prepare = slow
cli.terminal.PATIENCE = 0.1
sys.argv[0] = "sheetgen"
cli.main()
"""
SLOWLY = [sys.executable, "-c", SLOW]


def test_long_work_shows_that_it_goes_on() -> None:
    """On a terminal a line tells of it and is gone in the end; the fact stays."""
    arguments = ["print", "my.yaml", "--copies", "20", "-o", "x.pdf"]
    code, shown = on_terminal(*arguments, command=SLOWLY)
    assert code == 0
    assert re.search(rb"preparing 20 sheets, [0-9]+ s", shown)
    assert screen(shown) == ["x.pdf: 20 sheets on 5 pages, A4, 4 to a page"]


def test_progress_is_gone_before_an_error() -> None:
    """What went wrong stands alone on the screen."""
    code, shown = on_terminal("print", "my.yaml", "--sheet", "x", command=SLOWLY)
    assert code == 2
    assert re.search(rb"preparing 1 sheet, [0-9]+ s", shown)
    assert screen(shown) == ["sheetgen: --sheet: unknown sheet 'x', known are score, other"]


@pytest.mark.parametrize("more", [{"TERM": "dumb"}, {}])
def test_progress_is_for_terminals(more: dict[str, str]) -> None:
    """A pipe and a dumb terminal see none of it, and quick work shows none."""
    arguments = ["print", "my.yaml", "-o", "x.pdf"]
    assert run(*arguments, command=SLOWLY)[2] == ""
    command = (
        SLOWLY if more else [part.replace("PATIENCE = 0.1", "PATIENCE = 60") for part in SLOWLY]
    )
    assert b"preparing" not in on_terminal(*arguments, command=command, more=more)[1]


@pytest.mark.parametrize("command", ["print", "preview"])
def test_no_binary_goes_to_a_terminal(command: str) -> None:
    """With -o - and a terminal there the tool refuses instead."""
    code, shown = on_terminal(command, "my.yaml", "-o", "-")
    assert code == 2
    assert b"PNG" not in shown
    assert b"%PDF" not in shown
    (line,) = screen(shown)
    assert "use -o FILE or a pipe" in line


def test_interruption_leaves_nothing_behind() -> None:
    """Ctrl-C ends with one line and code 130, and no file is there."""
    with start("print", "my.yaml", "-o", "x.pdf", command=SLOWLY) as process:
        while not Path("ready").exists() and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=10)
    assert process.returncode == 130
    assert err.strip() == b"sheetgen: stopped"
    assert {path.name for path in Path().iterdir()} == {"my.yaml", "ready"}


# -- completion -----------------------------------------------------------------------------------


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("pr", "preview print"),
        ("print lostd", "lostdice"),
        ("validate none", ""),
        ("print my.yaml --sheet ''", "score other"),
        ("print my.yaml --sheet o", "other"),
        ("print --copies 3 my.yaml -o x.pdf --lang ''", "en cs"),
        ("print my.yaml --paper LET", "letter"),
        ("print my.yaml --ink ''", "full low bw"),
        ("print --sheet ''", ""),
        ("print none.yaml --sheet ''", ""),
        ("print - --sheet ''", ""),
    ],
)
def test_bash_completes(words: str, expected: str) -> None:
    """Commands, variants, and the sheets and languages of the variant that is already typed."""
    code, out, err = shell(f"""
        compopt() {{ :; }}
        eval "$(_SHEETGEN_COMPLETE=bash_source sheetgen)"
        COMP_WORDS=(sheetgen {words})
        COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
        "$(complete -p sheetgen | sed 's/.*-F \\([^ ]*\\).*/\\1/')" sheetgen
        echo "${{COMPREPLY[@]}}"
    """)
    assert (code, err) == (0, "")
    assert out == f"{expected}\n"


@pytest.mark.parametrize(("kind", "word"), [("zsh", "compdef"), ("fish", "complete")])
def test_other_shells_have_a_script(kind: str, word: str) -> None:
    """The scripts for zsh and fish are there; for an unknown shell the tool fails."""
    code, out, err = run(more={"_SHEETGEN_COMPLETE": f"{kind}_source"})
    assert (code, err) == (0, "")
    assert word in out.decode()
    assert "sheetgen" in out.decode()
    assert run(more={"_SHEETGEN_COMPLETE": "tcsh_source"})[0] != 0


# -- what makes it quick --------------------------------------------------------------------------

HEAVY = {"reportlab", "jinja2", "PIL", "numpy", "fontTools", "segno", "pypdfium2", "platformdirs"}
LOADED = """
import sys
from sheetgen import cli
import sheetgen.cli.terminal
sys.argv[0] = "sheetgen"
try:
    cli.main()
finally:
    print(*sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("arguments", "without"),
    [
        ("--help", {*HEAVY, "yaml", "pathlib", "json"}),
        ("print --help", {*HEAVY, "yaml", "pathlib", "json"}),
        ("--version", {*HEAVY, "yaml", "pathlib", "json"}),
        ("list", {*HEAVY, "json"}),
        ("list --json", HEAVY),
        ("show my.yaml", HEAVY),
        ("print my.yaml --copies 0", {*HEAVY, "yaml"}),
        ("print my.yaml -o x.pdf", {"jinja2", "numpy", "fontTools", "pypdfium2"}),
        ("preview my.yaml -o x.svg", {"jinja2", "numpy", "pypdfium2", "segno"}),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="platformdirs is needed elsewhere")
def test_only_what_is_needed_is_loaded(arguments: str, without: set[str]) -> None:
    """Heavy libraries are imported where they are used: what only looks does without them."""
    _, _, err = run(*arguments.split(), command=[sys.executable, "-c", LOADED])
    loaded = set(err.splitlines()[-1].split())
    assert "click" in loaded
    assert not loaded & without


def streams(path: Path) -> tuple[int, int, int]:
    """Return the number of pages of a PDF, and how many contents and XObjects they share."""
    reader = pypdf.PdfReader(path)
    contents, forms = set(), set()
    for page in reader.pages:
        contents.add(page.raw_get("/Contents").idnum)
        resources = page["/Resources"]
        assert isinstance(resources, pypdf.generic.DictionaryObject)
        found = resources["/XObject"]
        assert isinstance(found, pypdf.generic.DictionaryObject)
        forms |= {form.idnum for form in found.values()}
    return len(reader.pages), len(contents), len(forms)


@pytest.mark.parametrize("options", [[], ["--duplex", "long"], ["--order", "stack"]])
def test_copies_cost_next_to_nothing(options: list[str]) -> None:
    """10,000 sheets are drawn once, like 20, and are a small file."""
    for copies in ("20", "10000"):
        arguments = ["--copies", copies, "--per-page", "2", "-o", f"{copies}.pdf"]
        assert run("print", str(CASES / "plain.yaml"), *arguments, *options)[0] == 0
    few, many = streams(Path("20.pdf")), streams(Path("10000.pdf"))
    sides = 2 if "--duplex" in options else 1
    assert few == (10 * sides, sides, 1 + sides)
    assert many == (5000 * sides, sides, 1 + sides)
    assert Path("10000.pdf").stat().st_size < Path("20.pdf").stat().st_size + 60_000 * sides
    assert Path("10000.pdf").stat().st_size <= 500_000
