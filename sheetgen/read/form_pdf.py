"""The fields of a PDF, whoever saved it and however broken: names, values, the pages they are on.

Programs lose all kinds of links between fields, their widgets and the form, so both the pages and
the form's tree are walked and put together. Everything a file may do to pypdf ends in an
:class:`InputError`: errors, endless loops, floods of objects.
"""

from __future__ import annotations

import io
import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from sheetgen.errors import InputError, Problem
from sheetgen.form_names import INFO_KEY, MOST_FIELDS
from sheetgen.read.limits import PDF_BYTES

SECONDS = 4.0  # of reading: every file that sheetgen makes takes less than two
MOST_UNPACKED = 20_000_000  # bytes of one stream
MOST_PAGES = 5_000
DEEPEST = 20  # fields inside each other
LONGEST = 8000  # characters of a value that are kept
LONGEST_NAME = 300
NOWHERE = -1  # the page of a field that is on none

_NOT_A_PDF = "a PDF that sheetgen print --fillable made is needed"


class RawField(NamedTuple):
    """One field as it stands on a page, or one that is in the form's tree alone.

    ``value`` is whether a checkbox is ticked, else the text. ``doubt`` says what is odd about it.
    """

    name: str
    page: int
    value: str | bool
    doubt: str


class RawForm(NamedTuple):
    """What was found in a file; ``note`` is what its information holds of the sheet.

    ``xfa`` is whether the file has a form of the other kind, ``widgets`` how many widgets and
    fields there are, named or not.
    """

    fields: tuple[RawField, ...]
    pages: int
    widgets: int
    note: str
    xfa: bool


DEEPEST = 12  # drawings inside drawings; a flattened form has two or three
MOST_DRAWINGS = 100_000


def read_fields(data: bytes, file: str, password: str | None = None) -> RawForm:
    """Return the fields of a PDF. Raises :class:`InputError` for one that cannot be read."""
    if len(data) > PDF_BYTES:
        size = f"{len(data) // 1_000_000} MB"
        raise InputError(
            Problem(f"a file of {size}", f"allowed are {PDF_BYTES // 10**6}", file=file)
        )
    if b"%PDF-" not in data[:1024]:
        raise InputError(Problem("not a PDF", _NOT_A_PDF, file=file))
    with guarded(file):
        from pypdf import apply_configuration

        data = _decrypted(data, file, password)
        with apply_configuration(**_LIMITS):
            return _Reading(data, file).form()


def drawings(data: bytes, file: str, password: str | None = None) -> int:
    """Return how many drawings the pages come to, those drawn inside others counted each time.

    A few hundred bytes can ask for more than any program ends drawing: ask before one tries.
    Raises :class:`InputError` for a file that cannot be read.
    """
    with guarded(file):
        from pypdf import PdfReader, apply_configuration

        data = _decrypted(data, file, password)
        with apply_configuration(**_LIMITS):
            known: dict[int, int] = {}
            return sum(_drawn(page, known, 0) for page in PdfReader(_Watched(data)).pages)


def _drawn(holder: Any, known: dict[int, int], depth: int) -> int:
    """Return how many drawings a page or a form comes to, itself included."""
    if depth > DEEPEST:
        return MOST_DRAWINGS
    resources = holder.get("/Resources")
    resources = resources.get_object() if resources is not None else {}
    forms = resources.get("/XObject", {}) if hasattr(resources, "get") else {}
    count = 1
    for name, form in dict(forms.get_object() if hasattr(forms, "get_object") else forms).items():
        key = getattr(form, "idnum", id(form))
        if key not in known:
            known[key] = MOST_DRAWINGS  # a form that draws itself never ends
            inner = form.get_object()
            is_form = hasattr(inner, "get") and inner.get("/Subtype") == "/Form"
            known[key] = _drawn(inner, known, depth + 1) if is_form else 1
        count += known[key] * _content(holder).count(str(name).encode() + b" Do")
    return min(count, MOST_DRAWINGS)


def _content(holder: Any) -> bytes:
    content = holder.get_contents() if hasattr(holder, "get_contents") else holder
    return bytes(content.get_data()) if hasattr(content, "get_data") else b""


class TooSlowError(Exception):
    """Reading takes too long; :func:`guarded` says so."""


class _Watched(io.BytesIO):
    """A file that may be read for some seconds, whatever loop its reader is in."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self.end = time.monotonic() + SECONDS

    def seek(self, *where: int) -> int:
        if time.monotonic() > self.end:
            raise TooSlowError
        return super().seek(*where)


@contextmanager
def guarded(file: str) -> Iterator[None]:
    """Turn whatever a broken file does to its reader into an :class:`InputError`."""
    logger = logging.getLogger("pypdf")
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    except InputError:
        raise
    except TooSlowError:
        found = f"a PDF that takes more than {SECONDS:.0f} s to read"
        raise InputError(Problem(found, _NOT_A_PDF, file=file)) from None
    except (Exception, RecursionError, MemoryError) as error:  # noqa: BLE001 - pypdf raises all kinds
        found = "a PDF with much more in it than a form"
        if type(error).__name__ != "LimitReachedError":
            reason = " ".join(str(error).split())[:100] or type(error).__name__
            found = f"a broken PDF ({reason})"
        raise InputError(Problem(found, _NOT_A_PDF, file=file)) from None
    finally:
        logger.setLevel(before)


def _decrypted(data: bytes, file: str, password: str | None) -> bytes:
    """Return the file without its encryption, which pdfium takes off; most files have none."""
    if b"/Encrypt" not in data:
        return data
    import pypdfium2
    import pypdfium2.raw as pdfium

    try:
        document = pypdfium2.PdfDocument(data, password=password)
    except pypdfium2.PdfiumError as error:
        if "password" not in str(error).lower():
            raise
        found = "the password is wrong" if password else "the file is encrypted"
        raise InputError(Problem(found, "give its password with --password", file=file)) from None
    try:
        plain = io.BytesIO()
        document.save(plain, flags=pdfium.FPDF_REMOVE_SECURITY)
    finally:
        document.close()
    return plain.getvalue()


class _Reading:
    """Reads one file."""

    def __init__(self, data: bytes, file: str) -> None:
        from pypdf import PdfReader

        self.file = file
        self.stream = _Watched(data)
        self.reader = PdfReader(self.stream, strict=False)
        self.root = _dict(self.reader.trailer.get("/Root"))
        self.acroform = _dict(self.root.get("/AcroForm"))
        self.redrawn = self.acroform.get("/NeedAppearances") == True  # noqa: E712 - pypdf's own type
        self.count = 0
        self.parents: dict[Any, Mapping[str, Any]] = {}

    def form(self) -> RawForm:
        tree = self.tree()
        pages = 0
        found: list[RawField | None] = []
        seen: set[Any] = set()
        for page in self.reader.pages:
            for reference, widget in self.widgets(page):
                seen.add(reference)
                found.append(self.field(widget, self.chain(widget, reference), pages))
            pages += 1
            if pages > MOST_PAGES:
                raise self.too_many(f"more than {MOST_PAGES} pages")
        for reference, widget in tree:
            if reference not in seen and "/Kids" not in widget:
                found.append(self.field(widget, self.chain(widget, reference), NOWHERE))
        note = _text(_dict(self.reader.trailer.get("/Info")).get(f"/{INFO_KEY}"))
        fields = tuple(field for field in found if field)
        return RawForm(fields, pages, self.count, note, "/XFA" in self.acroform)

    def too_many(self, found: str) -> InputError:
        return InputError(
            Problem(found, "give the pages you need in a file of their own", file=self.file)
        )

    def counted(self, more: int) -> None:
        """Count fields before they are looked at."""
        self.count += more
        if self.count > 2 * MOST_FIELDS:  # which stand in the tree and on pages
            raise self.too_many(f"more than {MOST_FIELDS} form fields")

    def tree(self) -> list[tuple[Any, Mapping[str, Any]]]:
        """Return what the form lists, fields and widgets below them, and note their parents."""
        found: list[tuple[Any, Mapping[str, Any]]] = []
        fields = _list(self.acroform.get("/Fields"))
        self.counted(len(fields))
        level = [(item, None) for item in fields]
        seen: set[Any] = set()
        for _ in range(DEEPEST):
            below: list[tuple[Any, Any]] = []
            for item, parent in level:
                reference = _identity(item)
                if reference in seen:
                    continue
                seen.add(reference)
                field = _dict(item)
                if parent is not None:
                    self.parents[reference] = parent
                found.append((reference, field))
                kids = _list(field.get("/Kids"))
                self.counted(len(kids))
                below += [(kid, field) for kid in kids]
            level = below
        return found

    def widgets(self, page: Mapping[str, Any]) -> Iterator[tuple[Any, Mapping[str, Any]]]:
        annotations = _list(page.get("/Annots"))
        self.counted(len(annotations))
        for item in annotations:
            widget = _dict(item)
            if _plain(widget.get("/Subtype")) == "/Widget" or "/FT" in widget or "/T" in widget:
                yield _identity(item), widget

    def chain(self, widget: Mapping[str, Any], reference: Any) -> list[Mapping[str, Any]]:
        """Return a widget and the fields above it, by its own word or by the tree's."""
        chain = [widget]
        known = self.parents.get(reference)
        for _ in range(DEEPEST):
            parent = _dict(chain[-1].get("/Parent")) or (known if len(chain) == 1 else None)
            if not parent or any(parent is one for one in chain):
                break
            chain.append(parent)
        return chain

    def field(
        self, widget: Mapping[str, Any], chain: list[Mapping[str, Any]], page: int
    ) -> RawField | None:
        names = [_text(one["/T"])[:LONGEST_NAME] for one in reversed(chain) if "/T" in one]
        if not names:
            return None
        kind = next((one["/FT"] for one in chain if "/FT" in one), None)
        # A field keeps its value in itself, and its widgets may be objects of their own.
        own = next((i for i, one in enumerate(chain) if "/T" in one), 0)
        values = [_plain(one.get("/V")) for one in (*chain[own:], *chain[:own]) if "/V" in one]
        value = values[0] if values else None
        state = _plain(widget.get("/AS"))
        if kind == "/Btn" or (kind is None and state is not None):
            ticked, doubt = self.ticked(widget, state, value)
            return RawField(".".join(names), page, ticked, doubt)
        return RawField(".".join(names), page, _text(value), "")

    def ticked(self, widget: Mapping[str, Any], state: Any, value: Any) -> tuple[bool, str]:
        """Tell whether a checkbox shows a tick, and what speaks against it."""
        known = {str(name).lstrip("/") for name in _dict(_dict(widget.get("/AP")).get("/N"))} - {
            "Off"
        }

        def on(word: Any) -> bool:
            name = _text(word).lstrip("/")
            return name not in ("", "Off") and (not known or name in known)

        if state is None or self.redrawn:
            return on(value), ""
        doubt = "" if value is None or on(value) == on(state) else "its value says otherwise"
        return on(state), doubt


# What pypdf may unpack and list: more than a form needs, less than hurts.
_LIMITS: Any = {
    "zlib_maximum_output_length": MOST_UNPACKED,
    "lzw_maximum_output_length": MOST_UNPACKED,
    "run_length_maximum_output_length": MOST_UNPACKED,
    "array_based_stream_maximum_output_length": MOST_UNPACKED,
    "array_maximum_element_count": 4 * MOST_FIELDS,
    "dictionary_maximum_element_count": MOST_FIELDS,
    "page_tree_maximum_entries": 2 * MOST_PAGES,
}


def _plain(item: Any) -> Any:
    """Return what a reference refers to."""
    get = getattr(item, "get_object", None)
    return get() if get else item


def _dict(item: Any) -> Mapping[str, Any]:
    found = _plain(item)
    return found if isinstance(found, dict) else {}


def _list(item: Any) -> list[Any]:
    found = _plain(item)
    return found if isinstance(found, list) else []


def _identity(item: Any) -> Any:
    """Return what tells objects apart: the number of one, or the object if it has none."""
    number = getattr(item, "idnum", None)
    return id(item) if number is None else (number, getattr(item, "generation", 0))


def _text(item: Any) -> str:
    """Return a value as text: strings in any encoding, names, numbers, the first of many."""
    from pypdf.generic import StreamObject

    found = _plain(item)
    if isinstance(found, list):
        found = _plain(found[0]) if found else None
    if isinstance(found, StreamObject):
        found = found.get_data()
    if isinstance(found, bytes):
        for mark, encoding in (
            (b"\xfe\xff", "utf-16-be"),
            (b"\xff\xfe", "utf-16-le"),
            (b"\xef\xbb\xbf", "utf-8"),
        ):
            if found.startswith(mark):
                return found[len(mark) :].decode(encoding, "replace")[:LONGEST]
        return found.decode("latin-1")[:LONGEST]
    if found is None or isinstance(found, dict) or type(found).__name__ == "NullObject":
        return ""
    return str(found)[:LONGEST]
