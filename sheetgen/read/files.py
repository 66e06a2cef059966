"""Which reader a finished sheet's file is for."""

from __future__ import annotations

import sys
from typing import Protocol

from sheetgen.errors import InputError, NoSheetError, Problem
from sheetgen.filled import FilledMatch
from sheetgen.model import Variant
from sheetgen.read.layouts import Layouts
from sheetgen.read.limits import DATA, PICTURE_BYTES
from sheetgen.schema import Place
from sheetgen.source_text import load

STDIN = "-"
_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"II*\0", b"MM\0*", b"GIF8", b"BM")
_EXTRA = ("cv2", "numpy", "zxingcpp")  # what the extra installs
_INSTALL = "pip install 'sheetgen[scan]'"


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
        if len(data) > DATA.bytes and (_is_pdf(data) or _is_picture(data)):
            data = load(name, PICTURE_BYTES, "a file with sheets")
        return data, name
    # Never more than can be used, whatever streams in.
    if not sys.stdin:
        return b"", "stdin"
    data = sys.stdin.buffer.read(DATA.bytes + 1)
    if len(data) > DATA.bytes and (_is_pdf(data) or _is_picture(data)):
        data += sys.stdin.buffer.read(PICTURE_BYTES - len(data))
    return data, "stdin"


def _is_pdf(data: bytes) -> bool:
    return b"%PDF-" in data[:1024]


def _is_picture(data: bytes) -> bool:
    heif = data[4:8] == b"ftyp"  # HEIC and AVIF
    return data.startswith(_PICTURES) or heif or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")


def open_document(
    data: bytes,
    file: str,
    password: str | None = None,
    *,
    layouts: Layouts | None = None,
    pictures: bool = False,
) -> Document:
    """Open a file by what it is; ``layouts`` find the sheets of files that hold nothing but ink.

    With ``pictures`` those of the sheets are kept. Raises :class:`InputError` with every problem.
    """
    if _is_pdf(data):
        return _open_pdf(data, file, password, layouts, pictures=pictures)
    if _is_picture(data):
        return _open_scan(data, file, None, layouts, pictures=pictures)
    from sheetgen.read.data import open_data

    return open_data(data, file)


def _open_pdf(
    data: bytes, file: str, password: str | None, layouts: Layouts | None, *, pictures: bool
) -> Document:
    """Open a form, else what was printed from one, else a scan."""
    from sheetgen.read.form import NoFieldsError
    from sheetgen.read.form_file import open_flat, open_form

    try:
        return open_form(data, file, password)
    except NoFieldsError as error:
        if layouts is None:
            raise
        stranger = error
    try:
        return open_flat(data, file, layouts, password)
    except NoSheetError:
        pass
    try:
        return _open_scan(data, file, password, layouts, pictures=pictures)
    except NoSheetError:
        raise stranger from None


def _open_scan(
    data: bytes, file: str, password: str | None, layouts: Layouts | None, *, pictures: bool
) -> Document:
    try:
        from sheetgen.read.scan.reader import open_scan
    except ImportError as error:
        if not any(name in str(error) for name in _EXTRA):
            raise
        what = "a PDF of pictures" if _is_pdf(data) else "a picture"
        found = f"is {what}: reading it needs the extra sheetgen[scan]"
        raise InputError(Problem(found, f"run {_INSTALL}", file=file)) from None
    if layouts is None:
        layouts = Layouts(lambda code: (), _none)
    return open_scan(data, file, layouts, password, pictures=pictures)


def _none(name: str) -> Variant:
    raise LookupError(name)
