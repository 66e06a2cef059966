"""Filled-in forms, whoever saved them: which sheets they hold and what stands in the boxes."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from sheetgen.errors import InputError, NoSheetError, Problem
from sheetgen.form_names import IDENTITY, Identity, decode, parse_name
from sheetgen.read.form_pdf import NOWHERE, RawField, RawForm, read_fields

if TYPE_CHECKING:
    from sheetgen.model import Variant
    from sheetgen.prepare import Prepared
    from sheetgen.scene import Scene

_FILLABLE = "a PDF that sheetgen print --fillable made is needed"


class NoFieldsError(NoSheetError):
    """A PDF has no form fields at all; its pages may still show a sheet."""


class FormSheet(NamedTuple):
    """One copy of a sheet as it stands in a PDF.

    ``page`` counts from 1 (0 if its fields are on none), ``values`` are texts and ticks by box id,
    of every box the file has, ``identity`` says which sheet it is unless the file has lost that.
    ``warnings`` say for people what is odd about it.
    """

    file: str
    page: int
    copy: int
    identity: Identity | None
    values: Mapping[str, str | bool]
    warnings: tuple[str, ...]

    @property
    def blank(self) -> bool:
        """Whether nothing is filled in."""
        return not any(self.values.values())


def read_form(data: bytes, file: str, password: str | None = None) -> list[FormSheet]:
    """Return all copies of sheets in a PDF, in the order of its pages.

    Raises :class:`InputError` if the file cannot be read, is encrypted, or has no fields of ours.
    """
    form = read_fields(data, file, password)
    groups = _groups(form)
    if not groups:
        stranger = _stranger(form, file)
        raise InputError(stranger) if form.fields or form.xfa else NoFieldsError(stranger)
    known = {sheet.identity for sheet in groups if sheet.identity}
    note = decode(form.note)
    rest = next(iter(known)) if len(known) == 1 else (note if not known else None)
    return [group.sheet(file, rest) for group in groups]


def clean(text: str) -> str:
    """Return a text as it was meant: full-width digits, odd blanks and minus signs made plain."""
    plain = unicodedata.normalize("NFKC", text).replace("−", "-").replace("–", "-")
    return " ".join("".join(c for c in plain if unicodedata.category(c) != "Cf").split())


def prepared_of(variant: Variant, identity: Identity, ink: str = "full") -> Prepared:
    """Lay the sheet out again that a form is of. Raises :class:`InputError` if that cannot be."""
    from sheetgen.prepare import Choices, prepare

    choices = Choices(
        sheet=identity.sheet,
        language=identity.language,
        players=identity.players,
        ink=ink,
        rules=identity.rules,
        theme=identity.theme,
        values=dict(identity.values),
    )
    return prepare(variant, choices)


def scene_of(variant: Variant, identity: Identity) -> Scene:
    """Return the side to fill in. Raises :class:`InputError` as :func:`prepared_of` does."""
    return prepared_of(variant, identity).front


def code_of(variant: Variant, sheet: str, scene: Scene) -> str:
    """Return the code that is printed on a sheet."""
    from sheetgen.layout.identity import digest

    return f"{variant.code}-{digest(f'{variant.id}/{sheet}', scene.size, scene.boxes)}"


class _Group:
    """The fields of one copy on one page."""

    def __init__(self, page: int, copy: int) -> None:
        self.page, self.copy = page, copy
        self.identity: Identity | None = None
        self.values: dict[str, str | bool] = {}
        self.warnings: dict[str, None] = {}

    def add(self, box: str, field: RawField) -> None:
        """Take a value; where a box has two, that which is filled in."""
        value = clean(field.value) if isinstance(field.value, str) else field.value
        if box == IDENTITY:
            self.identity = self.identity or decode(str(field.value))
            return
        if field.doubt:
            self.warnings[f"{box}: {field.doubt}"] = None
        before = self.values.get(box, "")
        if before and value and before != value:
            say = f"{box} stands twice in the file, as {_shown(before)} and as {_shown(value)}"
            self.warnings[f"{say}; the first is taken"] = None
        elif not before:
            self.values[box] = value

    def sheet(self, file: str, rest: Identity | None) -> FormSheet:
        warnings = list(self.warnings)
        if self.page == NOWHERE:
            warnings.append("its fields are on no page of the file")
        return FormSheet(
            file, self.page + 1, self.copy, self.identity or rest, self.values, tuple(warnings)
        )


def _groups(form: RawForm) -> list[_Group]:
    """Return the copies with their values; what is on no page joins the page it is missing on."""
    groups: dict[tuple[int, int], _Group] = {}
    lost = []
    for field in form.fields:
        parsed = parse_name(field.name)
        if parsed is None:
            continue
        box, copy = parsed
        if field.page == NOWHERE:
            lost.append((box, copy, field))
            continue
        groups.setdefault((field.page, copy), _Group(field.page, copy)).add(box, field)
    placed = list(groups.values())
    for box, copy, field in lost:
        homes = [group for group in placed if group.copy == copy]
        if len(homes) != 1:
            homes = [groups.setdefault((NOWHERE, copy), _Group(NOWHERE, copy))]
        homes[0].add(box, field)
    found = [group for group in groups.values() if group.values]
    return sorted(found, key=lambda group: (group.page == NOWHERE, group.page))


def _stranger(form: RawForm, file: str) -> Problem:
    """Say why a file holds no sheets."""
    if form.xfa:
        found = "an XFA form, whose entries only the program that made it can show"
        return Problem(found, f"fill in the file as sheetgen printed it: {_FILLABLE}", file=file)
    if form.fields:
        found = f"a form of {len(form.fields)} fields, none of which is a box of a sheet"
    elif decode(form.note):
        found = "a pad whose form fields are gone: it was printed to a file, or flattened"
        return Problem(found, "save the form instead of printing it", file=file)
    else:
        found = "a PDF without form fields"
    return Problem(found, _FILLABLE, file=file)


def _shown(value: str | bool) -> str:
    return repr(value) if isinstance(value, str) else ("ticked" if value else "not ticked")


def missing(sheet: FormSheet, boxes: Iterable[str]) -> list[str]:
    """Return the boxes that a sheet should have and the file has lost."""
    return [box for box in boxes if box not in sheet.values]
