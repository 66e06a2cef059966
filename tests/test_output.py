"""Names, refusals and whole-or-nothing writing of results."""

from __future__ import annotations

import errno
import os
import pty
import re
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheetgen import output
from sheetgen.errors import InputError

OLD = b"the old file"
NEW = b"%PDF-1.7 \x00\r\n\xff new"


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def _refused(message: str) -> pytest.RaisesExc[InputError]:
    return pytest.raises(InputError, match=f"^{re.escape(message)}")


# --- names ---


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('../../Lost: "Duo" | ?', "Lost Duo"),
        ("lost-duo", "lost-duo"),
        ("C:\\Windows\\x", "C Windows x"),
        ("CON", "_CON"),
        ("nul.txt", "_nul.txt"),
        ("Com1 .x", "_Com1 .x"),
        ("lpt¹", "_lpt¹"),
        ("console", "console"),
        ("com10", "com10"),
        (".hidden", "hidden"),
        ("-rf", "rf"),
        ("... - x", "x"),
        ("end. . ", "end"),
        ("a\x00b\x1bc\nd\te", "a b c d e"),
        ("Zu\u0308rich", "Zürich"),
        ("u\u200b\u0308", "ü"),
        ("abc\u202efdp", "abcfdp"),
        ("\ud800x", "x"),
        ("黄 💎", "黄 💎"),
        ("", "sheet"),
        ("..", "sheet"),
        ("???", "sheet"),
    ],
)
def test_names_are_cleaned(text: str, name: str) -> None:
    """Whatever a file name cannot hold on one system or another is taken out."""
    assert output.clean_name(text) == name


@pytest.mark.parametrize("letter", ["a", "ü", "黄", "💎"])
def test_long_names_are_shortened_between_characters(letter: str) -> None:
    """A name of 300 letters keeps whole letters, in at most 100 bytes."""
    name = output.clean_name(letter * 300)
    assert set(name) == {letter}
    assert 90 < len(name.encode()) <= 100


@given(st.text(st.characters(), max_size=200))
def test_cleaned_names_are_always_legal(text: str) -> None:
    """Any text gives a legal name, and a clean name stays as it is."""
    name = output.clean_name(text)
    assert name
    assert len(name.encode()) <= 100
    assert unicodedata.is_normalized("NFC", name)
    assert not set(name) & set('<>:"/\\|?*')
    assert not any(unicodedata.category(character).startswith("C") for character in name)
    assert name[0] not in " .-"
    assert name[-1] not in " ."
    assert output.clean_name(name) == name


def test_the_default_path_stays_in_the_output_folder(folder: Path) -> None:
    """An id that climbs out of the folder does not, and the folder is made."""
    path = output.default_path('../../Lost: "Duo" | ?', ".pdf")
    assert path == Path("output/Lost Duo.pdf")
    assert (folder / "output").is_dir()
    assert output.default_path("CON") == Path("output/_CON.pdf")


def test_an_output_folder_that_cannot_be_made(folder: Path) -> None:
    """A file where the folder should be is said, and stays."""
    (folder / "output").write_bytes(OLD)
    with _refused("output: cannot make the folder for results: File exists"):
        output.default_path("x")
    assert (folder / "output").read_bytes() == OLD


# --- writing ---


@pytest.mark.parametrize("name", ["-pad.pdf", "my pad ü.pdf", "a\nb.pdf", "x" * 250 + ".pdf"])
def test_odd_but_legal_names_are_written(folder: Path, name: str) -> None:
    """A name that the system allows is used as it was given."""
    output.write(NEW, Path(name), inputs=[])
    assert _names(folder) == [name]
    assert (folder / name).read_bytes() == NEW


def test_a_new_file_has_the_permissions_of_the_umask(folder: Path) -> None:
    """A new file is as open as the user's other new files."""
    before = os.umask(0o027)
    try:
        output.write(NEW, Path("x.pdf"), inputs=[])
    finally:
        os.umask(before)
    assert stat.S_IMODE((folder / "x.pdf").stat().st_mode) == 0o640


def test_an_existing_file_keeps_its_permissions(folder: Path) -> None:
    """Replacing a file does not open or close it to others."""
    target = folder / "x.pdf"
    target.write_bytes(OLD)
    target.chmod(0o606)
    output.write(NEW, target, inputs=[])
    assert target.read_bytes() == NEW
    assert stat.S_IMODE(target.stat().st_mode) == 0o606


@pytest.mark.parametrize("exists", [True, False])
def test_a_link_is_followed_and_stays(folder: Path, *, exists: bool) -> None:
    """The file behind a link is written, also when it is not there yet."""
    (folder / "real").mkdir()
    real = folder / "real" / "x.pdf"
    if exists:
        real.write_bytes(OLD)
    link = folder / "link.pdf"
    link.symlink_to("real/x.pdf")
    output.write(NEW, link, inputs=[])
    assert link.is_symlink()
    assert real.read_bytes() == NEW
    assert _names(folder / "real") == ["x.pdf"]


def test_what_cannot_be_a_file_is_refused(folder: Path) -> None:
    """A folder, a socket, a link to itself, a file as folder and a name too long are refused."""
    (folder / "pads").mkdir()
    (folder / "file").write_bytes(OLD)
    (folder / "loop.pdf").symlink_to("loop.pdf")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
    before = _names(folder)
    for path, message in (
        ("pads", "pads: a folder, give the name of a file"),
        ("socket", "socket: neither a file nor a pipe, give the name of a file"),
        ("loop.pdf", "loop.pdf: cannot write: Too many levels of symbolic links"),
        ("file/x.pdf", "file/x.pdf: cannot write: Not a directory"),
        ("x" * 300, "x" * 300 + ": cannot write: File name too long"),
        ("no/x.pdf", f"no/x.pdf: the folder {folder.resolve()}/no does not exist, make it first"),
    ):
        with _refused(message):
            output.write(NEW, Path(path), inputs=[])
    assert _names(folder) == before


@pytest.mark.parametrize("way", ["same", "other spelling", "symlink", "hardlink", "link as input"])
def test_an_input_is_never_overwritten(folder: Path, way: str) -> None:
    """An input is found behind any path that leads to it."""
    source = folder / "game.yaml"
    source.write_bytes(OLD)
    target, inputs = folder / "out.pdf", [folder / "gone.yaml", source]
    if way == "same":
        target = source
    elif way == "other spelling":
        target = Path("./no/../game.yaml")
        (folder / "no").mkdir()
    elif way == "symlink":
        target.symlink_to(source)
    elif way == "hardlink":
        target.hardlink_to(source)
    else:
        target.symlink_to(source)
        target, inputs = source, [target]
    with _refused(f"{target}: the same file as the input {inputs[-1]}, choose another name"):
        output.write(NEW, target, inputs=inputs)
    assert source.read_bytes() == OLD


def test_without_permission_nothing_is_touched() -> None:
    """A write-protected file and a write-protected folder are refused, also to their owner."""
    with tempfile.TemporaryDirectory() as name:  # pytest's own folders are closed to other users
        folder = Path(name)
        (folder / "x.pdf").write_bytes(OLD)
        (folder / "x.pdf").chmod(0o444)
        folder.chmod(0o555)
        root = os.getuid() == 0
        if root:  # root may write everywhere
            os.setresuid(65534, 65534, 0)
        try:
            with _refused(f"{folder}/x.pdf: write-protected, choose another name"):
                output.write(NEW, folder / "x.pdf", inputs=[])
            with _refused(f"{folder}/new.pdf: the folder {folder.resolve()} is write-protected"):
                output.write(NEW, folder / "new.pdf", inputs=[])
        finally:
            if root:
                os.setresuid(0, 0, 0)
            folder.chmod(0o755)
        assert _names(folder) == ["x.pdf"]
        assert (folder / "x.pdf").read_bytes() == OLD


@pytest.mark.parametrize("step", ["os.fsync", "pathlib.Path.chmod", "pathlib.Path.replace"])
@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "x.pdf: cannot write: the disk is full"),
        (OSError(errno.EIO, "Input/output error"), "x.pdf: cannot write: Input/output error"),
        (KeyboardInterrupt("ctrl-c"), "ctrl-c"),
        (MemoryError("much"), "much"),
    ],
)
def test_a_failure_leaves_everything_as_it_was(
    folder: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException, message: str
) -> None:
    """Whatever fails at whichever step, the old file is whole and nothing is left beside it."""

    def fail(*_arguments: object) -> None:
        raise error

    (folder / "x.pdf").write_bytes(OLD)
    monkeypatch.setattr(step, fail)
    expected = InputError if isinstance(error, OSError) else type(error)
    with pytest.raises(expected, match=f"^{message}$"):
        output.write(NEW, Path("x.pdf"), inputs=[])
    monkeypatch.undo()
    assert _names(folder) == ["x.pdf"]
    assert (folder / "x.pdf").read_bytes() == OLD


def test_a_failure_on_a_new_file_leaves_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without an old file, there is no file after a failure."""

    def fail(*_arguments: object) -> None:
        raise OSError(errno.EDQUOT, "Disk quota exceeded")

    monkeypatch.setattr(os, "fsync", fail)
    with _refused("x.pdf: cannot write: the disk is full"):
        output.write(NEW, Path("x.pdf"), inputs=[])
    assert _names(folder) == []


def test_a_file_locked_by_a_viewer(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A PDF that a viewer keeps open on Windows is said to be so, and stays."""

    def locked(*_arguments: object) -> None:
        raise PermissionError(errno.EACCES, "The process cannot access the file")

    (folder / "x.pdf").write_bytes(OLD)
    monkeypatch.setattr(Path, "replace", locked)
    with _refused("x.pdf: cannot be replaced, another program has it open"):
        output.write(NEW, Path("x.pdf"), inputs=[])
    assert _names(folder) == ["x.pdf"]


# --- pipes and devices ---


def test_a_named_pipe_is_written_and_stays(folder: Path) -> None:
    """A pipe gets the bytes; it is not replaced by a file."""
    os.mkfifo(folder / "pipe")
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append((folder / "pipe").read_bytes()))
    reader.start()
    output.write(NEW, folder / "pipe", inputs=[])
    reader.join()
    assert got == [NEW]
    assert (folder / "pipe").is_fifo()


def test_a_named_pipe_whose_reader_has_gone(folder: Path) -> None:
    """A reader that stops early is no failure."""
    os.mkfifo(folder / "pipe")
    reader = threading.Thread(target=lambda: (folder / "pipe").open("rb").close())
    reader.start()
    output.write(NEW * 100_000, folder / "pipe", inputs=[])
    reader.join()


def test_devices_are_written_directly() -> None:
    """A character device takes the bytes, or its error is said."""
    output.write(NEW, Path("/dev/null"), inputs=[])
    assert Path("/dev/null").is_char_device()
    with _refused("/dev/full: cannot write: the disk is full"):
        output.write(NEW, Path("/dev/full"), inputs=[])


def test_a_terminal_as_a_file_is_refused() -> None:
    """A terminal is refused also by its name."""
    leader, follower = pty.openpty()
    try:
        name = os.ttyname(follower)
        with _refused(f"{name}: a PDF on a terminal helps nobody, use -o FILE or a pipe"):
            output.write(NEW, Path(name), inputs=[])
    finally:
        os.close(leader)
        os.close(follower)


# --- in a process of its own: stdout, locale, limits ---

SOME = b"%PDF\r\n\0\xff"
STDOUT = "output.write_stdout({data!r} * {times})"
DEVICE = "output.write({data!r} * {times}, Path('/dev/stdout'), inputs=[])"
BUFFERING = pytest.mark.parametrize("options", [(), ("-u",)], ids=["buffered", "unbuffered"])


def _python(code: str, *, times: int = 1, options: tuple[str, ...] = ()) -> list[str]:
    package = str(Path(output.__file__).parents[1])
    start = f"import sys; sys.path.insert(0, {package!r})\n"
    start += "from pathlib import Path; from sheetgen import output\n"
    return [sys.executable, *options, "-c", start + code.format(data=SOME, times=times)]


def test_names_are_utf8_under_an_ascii_locale(folder: Path) -> None:
    """LC_ALL=C does not keep a title with other letters from naming its file."""
    code = f"output.write(b'x', output.default_path({'Řeka → ✓'!a}), inputs=[])"
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    subprocess.run(_python(code), check=True, env=environment, cwd=folder)
    assert _names(folder / "output") == ["Řeka → ✓.pdf"]


def test_a_file_too_large_for_the_system(folder: Path) -> None:
    """A real failure in the middle of writing leaves the old file whole."""
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "output.write(b'x' * 100_000, Path('x.pdf'), inputs=[])"
    )
    (folder / "x.pdf").write_bytes(OLD)
    done = subprocess.run(_python(code), check=False, capture_output=True, text=True, cwd=folder)
    assert done.stderr.endswith("x.pdf: cannot write: File too large\n")
    assert _names(folder) == ["x.pdf"]
    assert (folder / "x.pdf").read_bytes() == OLD


@BUFFERING
@pytest.mark.parametrize("code", [STDOUT, DEVICE], ids=["-", "/dev/stdout"])
@pytest.mark.parametrize("times", [1, 100_000])
def test_stdout_gets_the_bytes(options: tuple[str, ...], code: str, times: int) -> None:
    """Every byte arrives as it is, and nothing else."""
    command = _python(code, times=times, options=options)
    done = subprocess.run(command, check=True, capture_output=True)
    assert done.stdout == SOME * times
    assert done.stderr == b""


def test_stdout_as_a_file_is_appended_to(folder: Path) -> None:
    """/dev/stdout stays what the shell made of it; the file behind is not replaced."""
    log = folder / "log"
    log.write_bytes(OLD)
    with log.open("ab") as stream:
        subprocess.run(_python(DEVICE), check=True, stdout=stream)
    assert log.read_bytes() == OLD + SOME


@BUFFERING
@pytest.mark.parametrize("times", [1, 1_000_000])
@pytest.mark.parametrize("end", ["| :", ">&-", "1</dev/null"])
def test_stdout_that_takes_nothing_ends_quietly(
    options: tuple[str, ...], times: int, end: str
) -> None:
    """A reader that has gone and a closed stdout make no noise, also not when Python ends."""
    code = "import time; time.sleep(0.2)\n" + STDOUT  # until the reader has gone
    command = _python(code, times=times, options=options)
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", f'"$@" {end}', "bash", *command],
        check=False,
        capture_output=True,
    )
    assert (done.returncode, done.stderr) == (0, b"")


@BUFFERING
def test_stdout_on_a_full_disk(options: tuple[str, ...]) -> None:
    """A full disk behind stdout is said once."""
    with Path("/dev/full").open("wb") as full:
        command = _python(STDOUT, options=options)
        done = subprocess.run(command, check=False, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.stderr.endswith("InputError: stdout: cannot write: the disk is full\n")
    assert "Exception ignored" not in done.stderr


def test_stdout_on_a_terminal_is_refused() -> None:
    """No byte of a PDF reaches a terminal."""
    leader, follower = pty.openpty()
    try:
        done = subprocess.run(
            _python(STDOUT), check=False, stdout=follower, stderr=subprocess.PIPE, text=True
        )
        assert "a PDF on a terminal helps nobody, use -o FILE or a pipe\n" in done.stderr
        os.set_blocking(leader, False)
        with pytest.raises(BlockingIOError):
            os.read(leader, 1)
    finally:
        os.close(leader)
        os.close(follower)


# --- the viewer ---


def _viewer(folder: Path, script: str, shell: str = "/bin/sh") -> None:
    for name in ("xdg-open", "open"):
        (folder / name).write_text(f"#!{shell}\n{script}\n")
        (folder / name).chmod(0o755)


def test_the_viewer_gets_the_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The viewer gets the whole path, so that a leading dash is no option to it."""
    _viewer(folder, 'printf %s "$1" > opened')
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    output.open_file(Path("-my pad ü.pdf"))
    assert (folder / "opened").read_text(encoding="utf-8") == f"{Path.cwd()}/-my pad ü.pdf"


@pytest.mark.filterwarnings("ignore:subprocess .* is still running:ResourceWarning")
def test_the_viewer_is_not_waited_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A viewer that stays open does not hold the command line."""
    _viewer(folder, "exec sleep 8")
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    start = time.monotonic()
    output.open_file(Path("x.pdf"))
    assert time.monotonic() - start < 6


def test_without_a_viewer(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing opener, a missing viewer and a broken opener are said."""
    monkeypatch.setenv("PATH", str(folder))
    with pytest.raises(InputError, match=r"^x.pdf: cannot open: the program \S+ is not installed"):
        output.open_file(Path("x.pdf"))
    _viewer(folder, "exit 3")
    with _refused("x.pdf: no program to show it was found, open the file yourself"):
        output.open_file(Path("x.pdf"))
    _viewer(folder, "", shell="/no/such/shell")
    with pytest.raises(InputError, match=r"^x.pdf: cannot open with \S+: No such file"):
        output.open_file(Path("x.pdf"))
