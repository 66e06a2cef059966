"""A filled-in PDF as a document: opened first, its sheets read once the variant is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sheetgen.errors import InputError
from sheetgen.read.form import FormSheet, NoFieldsError, read_form
from sheetgen.read.form_sheets import FormMatch, form_match
from sheetgen.schema import Place

if TYPE_CHECKING:
    from sheetgen.filled import FilledMatch
    from sheetgen.model import Variant


class FormDocument(NamedTuple):
    """A PDF that was opened; ``variant`` is ``""`` if the file does not tell.

    ``sheets`` is empty for a file without form fields: what is on its pages is read once the
    variant is known, if that can be.
    """

    file: str
    dialect: str
    variant: str
    variant_place: Place
    data: bytes
    password: str | None
    sheets: tuple[FormSheet, ...]

    def match(self, variant: Variant) -> FilledMatch:
        """Return the filled sheets. Raises :class:`InputError` with every problem."""
        found = self.form_match(variant)
        return found.match._replace(totals=found.totals, notes=tuple(found.warnings))

    def form_match(self, variant: Variant) -> FormMatch:
        """Return the filled sheets, match totals as written, and what is odd about the file."""
        sheets = self.sheets
        if not sheets:
            from sheetgen.read.form_flat import layouts_of, read_flat

            sheets = tuple(read_flat(self.data, self.file, layouts_of([variant]), self.password))
        return form_match(variant, sheets, self.file)


def open_form(
    data: bytes, file: str, password: str | None = None, *, flat: bool = False
) -> FormDocument:
    """Open a PDF. Raises :class:`InputError` with every problem.

    With ``flat`` a file whose fields are gone is opened too, for a variant the user names.
    """
    place = Place(file, 0, 0, "")
    try:
        sheets = tuple(read_form(data, file, password))
    except InputError as error:
        if not flat or not isinstance(error, NoFieldsError):
            raise
        return FormDocument(file, "PDF without form fields", "", place, data, password, ())
    names = dict.fromkeys(sheet.identity.variant for sheet in sheets if sheet.identity)
    return FormDocument(file, "PDF form", next(iter(names), ""), place, data, password, sheets)
