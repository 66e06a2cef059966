"""Where results go and how they are written: whole or not at all, and never over an input."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
import unicodedata
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from sheetgen.errors import InputError, Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

FOLDER = "output"
"""The folder, below the current one, for results whose place was not chosen."""

STDOUT_NAMES = ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")
"""What systems call standard output where a file is asked for."""

_MAX_NAME = 99  # bytes; file systems allow 255, sync services and archives often less
_ILLEGAL = frozenset('<>:"/\\|?*')
_RESERVED = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.|$)", re.IGNORECASE
)
_TERMINAL = "a PDF on a terminal helps nobody"
_CHOOSE = "use -o FILE or a pipe"


def clean_name(text: str) -> str:
    """Return a file name from ``text`` that is legal on every system, at most 100 bytes (UTF-8).

    What a file name cannot hold becomes a space; a text with nothing left becomes ``sheet``.
    """
    kept = []
    for character in unicodedata.normalize("NFC", text):
        category = unicodedata.category(character)
        if category == "Cf":  # writing direction, soft hyphens: invisible, and they can mislead
            continue
        illegal = character in _ILLEGAL or category.startswith("C")
        kept.append(" " if illegal else character)
    name = unicodedata.normalize("NFC", " ".join("".join(kept).split())).lstrip(" .-")
    name = name.encode()[:_MAX_NAME].decode(errors="ignore").rstrip(" .")
    if _RESERVED.match(name):
        return f"_{name}"
    return name or "sheet"


def default_path(stem: str, suffix: str = ".pdf") -> Path:
    """Return the path for a result whose place was not chosen; makes the folder ``output``.

    Raises :class:`InputError` when the folder cannot be made.
    """
    folder = Path(FOLDER)
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise _failure(folder, error, "cannot make the folder for results") from None
    # Under LC_ALL=C paths are ASCII to Python; this still names the file in UTF-8.
    return folder / os.fsdecode((clean_name(stem) + suffix).encode())


def check_target(target: Path, *, inputs: Sequence[Path]) -> os.stat_result | None:
    """Return the state of the file at ``target``, ``None`` when there is none yet.

    Raises :class:`InputError` when ``target`` cannot or must not be written: a folder, a device
    that is no stream, one of the ``inputs`` (also through links), a write-protected file, or a file
    in a folder that is missing or write-protected.
    """
    try:
        state = target.stat()
    except FileNotFoundError:
        state = None
    except OSError as error:
        raise _failure(target, error, "cannot write") from None
    if state is not None:
        if stat.S_ISDIR(state.st_mode):
            raise _refusal(target, "a folder", "give the name of a file")
        if _is_stream(state):
            return state
        if not stat.S_ISREG(state.st_mode):
            raise _refusal(target, "neither a file nor a pipe", "give the name of a file")
        for source in inputs:
            with suppress(OSError):  # an input that is gone cannot be overwritten
                if target.samefile(source):
                    raise _refusal(
                        target, f"the same file as the input {source}", "choose another name"
                    )
        if not os.access(target, os.W_OK):
            raise _refusal(target, "write-protected", "choose another name")
    folder = target.resolve().parent
    if not folder.is_dir():
        raise _refusal(target, f"the folder {folder} does not exist", "make it first")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise _refusal(target, f"the folder {folder} is write-protected", "choose another folder")
    return state


def write(data: bytes, target: Path, *, inputs: Sequence[Path]) -> None:
    """Write ``data`` to ``target``: whole, or not at all.

    Whatever fails, a file that was there stays as it was and nothing else is left behind. A link is
    followed and stays a link, permissions are kept. Pipes and character devices are written
    directly. Raises :class:`InputError` as :func:`check_target` does, and when writing fails.
    """
    if str(target) in STDOUT_NAMES:
        write_stdout(data)
        return
    state = check_target(target, inputs=inputs)
    if state is not None and _is_stream(state):
        _write_stream(data, target)
        return
    real = target.resolve()
    part = real.with_name(f".sheetgen-{os.urandom(6).hex()}.part")
    try:
        _write_part(data, part, state)
        _replace(part, real, target)
    except OSError as error:
        raise _failure(target, error, "cannot write") from None
    finally:
        with suppress(OSError):  # gone already when all went well
            part.unlink()


def write_stdout(data: bytes) -> None:
    """Write ``data`` to standard output, as it is.

    A reader that has gone, or a closed stdout, ends this quietly. Raises :class:`InputError` when
    stdout is a terminal or cannot take the data (a full disk).
    """
    stream = sys.stdout
    if stream is None or stream.closed:
        return
    if stream.isatty():
        raise InputError(Problem(_TERMINAL, _CHOOSE))
    try:
        stream.flush()
        rest = memoryview(data)
        while rest:  # unbuffered (python -u), one write may take a part only
            rest = rest[stream.buffer.write(rest) or 0 :]
        stream.buffer.flush()
    except OSError as error:
        _silence_stdout()
        # Windows reports a reader that has gone as EINVAL.
        if error.errno not in (errno.EPIPE, errno.EBADF, errno.EINVAL):
            raise _failure(Path("stdout"), error, "cannot write") from None


def open_file(path: Path) -> None:
    """Show a file in the system's viewer, without waiting for the viewer to be closed.

    Raises :class:`InputError` when the system has no way to open it.
    """
    file = path.absolute()  # a name that begins with a dash is no option
    if sys.platform == "win32":
        try:
            os.startfile(file)  # noqa: S606 - the system picks the viewer
        except OSError as error:
            raise _failure(path, error, "cannot open") from None
        return
    import shutil
    import subprocess

    opener = "open" if sys.platform == "darwin" else "xdg-open"
    program = shutil.which(opener)
    if program is None:
        raise _refusal(
            path,
            f"cannot open: the program {opener} is not installed",
            "install xdg-utils or open the file yourself",
        )
    quiet = subprocess.DEVNULL
    try:
        process = subprocess.Popen(  # noqa: S603 - an argument list, no shell
            [program, str(file)], stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
        )
    except OSError as error:
        raise _failure(path, error, f"cannot open with {opener}") from None
    try:
        code = process.wait(timeout=1)  # seconds; without a viewer it fails at once
    except subprocess.TimeoutExpired:
        return  # some openers stay until the viewer is closed
    if code != 0:
        raise _refusal(path, "no program to show it was found", "open the file yourself")


def _is_stream(state: os.stat_result) -> bool:
    return stat.S_ISFIFO(state.st_mode) or stat.S_ISCHR(state.st_mode)


def _write_stream(data: bytes, target: Path) -> None:
    try:
        with target.open("wb") as stream:
            if stream.isatty():
                raise InputError(Problem(_TERMINAL, _CHOOSE, file=str(target)))
            stream.write(data)
    except BrokenPipeError:
        return  # the reader has all it wants
    except OSError as error:
        raise _failure(target, error, "cannot write") from None


def _write_part(data: bytes, part: Path, state: os.stat_result | None) -> None:
    # Made with 0o666 so that the umask (or the folder's default ACL) decides for a new file.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(part, flags, 0o666), "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    if state is not None:
        part.chmod(stat.S_IMODE(state.st_mode))


def _replace(part: Path, real: Path, target: Path) -> None:
    try:
        part.replace(real)
    except PermissionError:  # on Windows: a viewer holds the file
        raise _refusal(
            target,
            "cannot be replaced, another program has it open or it belongs to someone else",
            "close it there or choose another name",
        ) from None


def _silence_stdout() -> None:
    # What is still buffered would fail again, noisily, when Python ends.
    null = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null, sys.stdout.fileno())
    finally:
        os.close(null)


def _refusal(path: Path, found: str, allowed: str) -> InputError:
    return InputError(Problem(found, allowed, file=str(path)))


def _failure(path: Path, error: OSError, doing: str) -> InputError:
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    reason = "the disk is full" if full else error.strerror or str(error)
    return InputError(Problem(f"{doing}: {reason}", file=str(path)))
