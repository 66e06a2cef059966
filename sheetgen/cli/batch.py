"""Many files at once: what a folder holds, and photos read by several processes."""

from __future__ import annotations

import os
import re
import signal
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sheetgen.cli.files import STDIN
from sheetgen.cli.terminal import progress
from sheetgen.errors import Problem

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

    from sheetgen.checking import Checked, Checker

ENDINGS = frozenset(
    f".{ending}"
    for ending in (
        *("jpg", "jpeg", "png", "tif", "tiff", "heic", "heif", "webp", "bmp", "gif"),
        *("pdf", "yaml", "yml", "json", "csv", "tsv"),
    )
)
USUAL_JOBS = 2
_NUMBER = re.compile(r"([0-9]+)")
_AHEAD = 2  # files for each process that wait to be read or to be told


class How(NamedTuple):
    """How files are checked: what a :class:`Checker` is made of."""

    variant: str
    language: str
    password: str | None
    pictures: bool

    def checker(self) -> Checker:
        """Return a new checker."""
        from sheetgen.checking import Checker

        return Checker(self.variant, self.language, self.password, pictures=self.pictures)


def natural(name: str) -> tuple[Any, ...]:
    """Return what to sort by, so that ``IMG_9`` comes before ``IMG_10``."""
    parts = _NUMBER.split(name.casefold())
    key = tuple((part.isdecimal(), int(part) if part.isdecimal() else part) for part in parts)
    return key, name


def expand(names: Iterable[str]) -> Iterator[str | Checked]:
    """Yield all names, folders replaced by what can be checked in them, in natural order.

    Folders in them and hidden files are left out. A folder with nothing to check is a result.
    """
    for name in names:
        folder = Path(name)
        if name == STDIN or not _is_folder(folder):
            yield name
            continue
        try:
            found = [
                path
                for path in folder.iterdir()
                if path.suffix.lower() in ENDINGS
                and not path.name.startswith(".")
                and path.is_file()
            ]
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            yield _failed(name, f"cannot be opened: {reason}", "")
            continue
        if not found:
            yield _failed(name, "holds nothing to check", "pictures, PDFs and data files are")
        for path in sorted(found, key=lambda path: natural(path.name)):
            yield str(path)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _failed(file: str, found: str, allowed: str) -> Checked:
    from sheetgen.checking import Checked

    return Checked(file, "", None, "", None, None, (Problem(found, allowed, file=file),))


# -- checking -------------------------------------------------------------------------------------


def check(names: Sequence[str | Checked], how: How, jobs: int | None) -> Iterator[Checked]:
    """Yield what each file comes to, in order; pictures and PDFs are read by ``jobs`` processes."""
    slow = {name for name in names if isinstance(name, str) and name != STDIN and _is_slow(name)}
    jobs = USUAL_JOBS if jobs is None else jobs
    start = time.monotonic()
    if min(jobs, len(slow)) > 1:
        results = _by_several(names, slow, how, min(jobs, len(slow)))
    else:
        results = _by_one(names, how)
    total = len(names)
    for number in range(1, total + 1):
        words = f"reading {number} of {total}" if total > 1 else "reading"
        with progress(words, start):
            checked = next(results)
        yield checked


def _is_slow(name: str) -> bool:
    """Tell whether a file is a picture or a PDF, by how it begins."""
    with suppress(OSError, ValueError), Path(name).open("rb") as stream:
        if not Path(name).is_file():
            return False
        head = stream.read(16)
        starts = (b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"II*\0", b"MM\0*", b"RIFF", b"BM", b"GIF8")
        return head.startswith(starts) or head[4:8] == b"ftyp"
    return False


def _by_one(names: Sequence[str | Checked], how: How) -> Iterator[Checked]:
    checker = how.checker()
    for name in names:
        yield _safely(checker, name, alone=len(names) == 1) if isinstance(name, str) else name


def _safely(checker: Checker, name: str, *, alone: bool = False) -> Checked:
    """Return what a file comes to; an error of ours is a problem of that file, unless ``alone``."""
    try:
        (checked,) = checker.check([name])
    except MemoryError:
        return _failed(name, "there is not enough memory for it", "give a smaller file")
    except Exception as error:
        if alone or os.environ.get("SHEETGEN_DEBUG"):
            raise
        found = f"this should not happen: {type(error).__name__}: {str(error)[:200]}"
        return _failed(name, found, "please report it (SHEETGEN_DEBUG=1 shows more)")
    return checked


def _by_several(
    names: Iterable[str | Checked], slow: set[str], how: How, jobs: int
) -> Iterator[Checked]:
    """Check slow files in other processes, some ahead; the rest here, each when its turn comes."""
    checker = how.checker()
    pool = _Pool(how, jobs)
    waiting: deque[tuple[str | Checked, Future[Any] | None]] = deque()
    left = iter(names)
    try:
        while True:
            while len(waiting) < jobs * _AHEAD and (name := next(left, None)) is not None:
                apart = isinstance(name, str) and name in slow
                waiting.append((name, pool.submit(str(name)) if apart else None))
            if not waiting:
                return
            name, future = waiting.popleft()
            if not isinstance(name, str):
                yield name
            elif future is None:
                yield _safely(checker, name)
            else:
                yield pool.result(name, future)
    finally:
        pool.end()


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let processes that are started here never see Ctrl-C, which a terminal sends to all."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Pool:
    """Processes that check files; one that dies takes no other file with it."""

    def __init__(self, how: How, jobs: int) -> None:
        self.how, self.jobs = how, jobs
        self.pools: list[ProcessPoolExecutor] = []
        self.pool = self.new(jobs)

    def new(self, jobs: int) -> ProcessPoolExecutor:
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        # Forking a program with threads may hang; a fresh start costs a tenth of a photo.
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(jobs, context, _start, (self.how,))
        self.pools.append(pool)
        return pool

    def submit(self, name: str) -> Future[Any]:
        from concurrent.futures.process import BrokenProcessPool

        with _undisturbed():
            try:
                return self.pool.submit(_work, name)
            except BrokenProcessPool:
                self.pool = self.new(self.jobs)
                return self.pool.submit(_work, name)

    def result(self, name: str, future: Future[Any]) -> Checked:
        """Return what became of a file; if its process died, of a second try by itself."""
        from concurrent.futures.process import BrokenProcessPool

        from sheetgen.source_text import files_read

        try:
            checked, read = future.result()
        except BrokenProcessPool:
            try:
                with _undisturbed():
                    future = self.new(1).submit(_work, name)
                checked, read = future.result()
            except BrokenProcessPool:
                found = "the process that read it was stopped"
                return _failed(name, found, "there may be too little memory for it")
        files_read.extend(read)
        result: Checked = checked
        return result

    def end(self) -> None:
        """Stop all processes, whatever they are doing."""
        for pool in self.pools:
            processes = list((getattr(pool, "_processes", None) or {}).values())
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                with suppress(OSError, ValueError, AttributeError):
                    process.terminate()


# -- in another process ---------------------------------------------------------------------------

_checkers: list[Checker] = []


def _start(how: How) -> None:
    """Prepare a process: the one that started it decides when it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _checkers[:] = [how.checker()]


def _work(name: str) -> tuple[Checked, list[Path]]:
    """Return what a file comes to, and which files were read for that."""
    from sheetgen.source_text import files_read

    return _safely(_checkers[0], name), list(files_read)
