"""A filled-in PDF as a document: opened first, its sheets read once the variant is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sheetgen.read.form import FormSheet, read_form
from sheetgen.read.form_sheets import form_match
from sheetgen.schema import Place

if TYPE_CHECKING:
    from sheetgen.filled import FilledMatch
    from sheetgen.model import Variant
    from sheetgen.read.layouts import Layout, Layouts


class FormDocument(NamedTuple):
    """A PDF that was opened; ``variant`` is ``""`` if the file does not tell."""

    file: str
    dialect: str
    variant: str
    variant_place: Place
    sheets: tuple[FormSheet, ...]

    def match(self, variant: Variant) -> FilledMatch:
        """Return the filled sheets. Raises :class:`InputError` with every problem."""
        found = form_match(variant, self.sheets, self.file)
        return found.match._replace(totals=found.totals, notes=tuple(found.warnings))


def open_form(data: bytes, file: str, password: str | None = None) -> FormDocument:
    """Open a PDF with form fields. Raises :class:`InputError` with every problem."""
    sheets = tuple(read_form(data, file, password))
    names = dict.fromkeys(sheet.identity.variant for sheet in sheets if sheet.identity)
    return FormDocument(file, "PDF form", next(iter(names), ""), Place(file, 0, 0, ""), sheets)


def open_flat(
    data: bytes, file: str, layouts: Layouts, password: str | None = None
) -> FormDocument:
    """Open a PDF that was printed to a file, so that its fields are gone and only ink is left.

    Raises :class:`InputError` if it cannot be read, or none of its pages bears a known code in
    letters.
    """
    from sheetgen.read.form_flat import read_flat

    names: dict[str, None] = {}

    def find(code: str) -> Layout | None:
        layout = layouts.find(code)
        if layout:
            names[layout.name] = None
        return layout

    sheets = tuple(read_flat(data, file, find, password))
    place = Place(file, 0, 0, "")
    return FormDocument(file, "PDF without form fields", next(iter(names), ""), place, sheets)
