"""What the command line shows: lines, counts, progress."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

PATIENCE = 1.0  # seconds before long work shows that it goes on


def say(text: str, *, err: bool = False) -> None:
    """Print one line; what could break it or steer the terminal is printed as its escape."""
    # Under LC_ALL=C the names of files come as bytes in disguise.
    text = text.encode(errors="surrogateescape").decode(errors="backslashreplace")
    shown = (c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    click.echo("".join(shown), err=err)


def quoted(text: object) -> str:
    """Return what was typed in quotes, on one line and not long."""
    words = str(text)
    return repr(words if len(words) <= 40 else words[:39] + "…")


def count(number: int, noun: str) -> str:
    """Return a number of things in words: ``1 sheet``, ``20 sheets``."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


@contextmanager
def progress(words: str, since: float | None = None) -> Iterator[None]:
    """Show on a terminal that work goes on, once it takes longer than a moment.

    ``since`` is when the work began that this is a part of, by ``time.monotonic``.
    """
    if sys.stderr is None or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield
        return
    import threading
    import time

    done = threading.Event()
    start = time.monotonic() if since is None else since

    def tell() -> None:
        if done.wait(max(0.0, start + PATIENCE - time.monotonic())):
            return
        while True:
            click.echo(f"\r{words}, {time.monotonic() - start:.0f} s ", err=True, nl=False)
            if done.wait(0.25):
                break
        click.echo("\r" + " " * (len(words) + 12) + "\r", err=True, nl=False)

    thread = threading.Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def speak_plainly() -> None:
    """Let no character that the terminal lacks raise an error, above all not inside a message."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def hush() -> None:
    """Drop what stdout still holds: it would fail again, noisily, when Python ends."""
    if sys.stdout is not None:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
