"""A picture of finished sheets as a document: its sheets are read already, and become a match."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sheetgen.errors import InputError, Problem
from sheetgen.filled import FilledMatch
from sheetgen.read.scan.readings import Doubt, ScannedSheet
from sheetgen.schema import Place

if TYPE_CHECKING:
    from sheetgen.model import Variant
    from sheetgen.read.boxes import Part


class Settled(NamedTuple):
    """What the sheets of a picture come to.

    ``sheets`` have their doubtful readings as the rules like them best, ``doubts`` list these;
    ``origins`` say for each filled sheet which of them it is from, and in which boxes it stands.
    ``problems`` are about sheets that could not be read, and entries that mean nothing.
    """

    match: FilledMatch
    sheets: tuple[ScannedSheet, ...]
    doubts: tuple[Doubt, ...]
    origins: tuple[tuple[int, Part], ...]
    problems: tuple[Problem, ...]


class ScanDocument(NamedTuple):
    """A picture or a scanned PDF whose sheets were read.

    ``notes`` say what is odd about the file, ``problems`` are about sheets in it that could not be
    read beside others that were.
    """

    file: str
    dialect: str
    variant: str
    variant_place: Place
    sheets: tuple[ScannedSheet, ...]
    notes: tuple[str, ...]
    problems: tuple[Problem, ...]

    def match(self, variant: Variant) -> FilledMatch:
        """Return the filled sheets. Raises :class:`InputError` if nothing can be read."""
        return self.settled(variant).match

    def settled(self, variant: Variant) -> Settled:
        """Return the match with what is doubtful about it.

        Raises :class:`InputError` if nothing can be read, or nothing is written.
        """
        from sheetgen.read.scan.doubts import doubts_of, settle

        sheets, found = settle(variant, self.sheets, self.file)
        problems = (*self.problems, *found.problems)
        doubts = doubts_of(variant, sheets, found)
        if not found.match.sheets and not doubts:
            empty = Problem("no sheet is filled in", "write on it first", file=self.file)
            raise InputError(problems or [empty])
        notes = (*self.notes, *found.warnings)
        match = found.match._replace(totals=found.totals, notes=notes)
        return Settled(match, tuple(sheets), doubts, found.origins, problems)
