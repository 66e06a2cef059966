"""Which reader a finished sheet's file is for."""

from __future__ import annotations

import sys
from typing import Protocol

from sheetgen.errors import InputError, Problem
from sheetgen.filled import FilledMatch
from sheetgen.model import Variant
from sheetgen.read.limits import DATA, PDF_BYTES
from sheetgen.schema import Place
from sheetgen.source_text import load

STDIN = "-"
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"II*\0", b"MM\0*", b"GIF8")


class Document(Protocol):
    """A file that was opened: it knows its variant, and its sheets once that is loaded."""

    @property
    def file(self) -> str:
        """The file's name, as the user gave it."""

    @property
    def dialect(self) -> str:
        """What the file turned out to be, in words."""

    @property
    def variant(self) -> str:
        """The name of the variant, ``""`` if the file names none."""

    @property
    def variant_place(self) -> Place:
        """Where it is named."""

    def match(self, variant: Variant) -> FilledMatch:
        """Return the filled sheets. Raises :class:`InputError` with every problem."""


def read_bytes(name: str) -> tuple[bytes, str]:
    """Return a file's bytes and its name in messages; ``-`` is standard input."""
    if name != STDIN:
        data = load(name, DATA.bytes, "a file with sheets")
        if len(data) > DATA.bytes and _is_pdf(data):
            data = load(name, PDF_BYTES, "a file with sheets")
        return data, name
    # Never more than can be used, whatever streams in.
    return (sys.stdin.buffer.read(DATA.bytes + 1) if sys.stdin else b""), "stdin"


def _is_pdf(data: bytes) -> bool:
    return b"%PDF-" in data[:1024]


def open_document(
    data: bytes, file: str, password: str | None = None, *, flat: bool = False
) -> Document:
    """Open a file by what it is; with ``flat`` also a PDF whose form fields are gone.

    Raises :class:`InputError` with every problem.
    """
    if _is_pdf(data):
        from sheetgen.read.form_file import open_form

        return open_form(data, file, password, flat=flat)
    if data.startswith(_PICTURES):
        expected = "give a data file (YAML, JSON, CSV) or a filled-in PDF"
        raise InputError(Problem("is a picture, which cannot be read yet", expected, file=file))
    from sheetgen.read.data import open_data

    return open_data(data, file)
