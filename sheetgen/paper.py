"""Lengths, sizes and papers as people type them."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from sheetgen.errors import InputError, Problem, nearest
from sheetgen.geometry import MM_PER_INCH, Size

# Ink closer than this to the paper's edge may be lost: a quarter of an inch, the border that print
# and play guides advise (bgd.lariennalibrary.com). It covers the 4 to 5.1 mm of common laser
# printers (HP LaserJet, Konica Minolta 2490MF), though not every ink-jet's wider lower border.
PRINTABLE_INSET = 6.4

# From below the smallest paper of a desktop printer to beyond the widest roll of a plotter, in mm.
SHORTEST_SIDE, LONGEST_SIDE = 50.0, 2000.0

Orientation = Literal["portrait", "landscape"]


def _inches(width: float, height: float) -> Size:
    return Size(width * MM_PER_INCH, height * MM_PER_INCH)


# The A and B series are ISO 216 (the Japanese B4 and B5 are larger), Letter and Tabloid are A and B
# of ANSI/ASME Y14.1, the others American office sizes. DL is left out: it means an envelope to some
# and a third of an A4 to others.
PAPERS = {
    "A2": Size(420, 594),
    "A3": Size(297, 420),
    "A4": Size(210, 297),
    "A5": Size(148, 210),
    "A6": Size(105, 148),
    "A7": Size(74, 105),
    "B4": Size(250, 353),
    "B5": Size(176, 250),
    "Letter": _inches(8.5, 11),
    "Legal": _inches(8.5, 14),
    "Tabloid": _inches(11, 17),
    "Ledger": _inches(11, 17),
    "Half-letter": _inches(5.5, 8.5),
    "Executive": _inches(7.25, 10.5),
}

_UNITS = {"": 1.0, "mm": 1.0, "cm": 10.0, "in": MM_PER_INCH, '"': MM_PER_INCH}
# Three digits after a comma are more likely thousands than thousandths: they are refused.
_LENGTH = r'([0-9]+(?:\.[0-9]*|,[0-9]{1,2})?|\.[0-9]+)\s*(mm|cm|in|"|)'


class Paper(NamedTuple):
    """A paper: its ``name`` for people, its upright ``size`` in mm and how it must lie, if said."""

    name: str
    size: Size
    orientation: Orientation | None

    @property
    def sizes(self) -> tuple[Size, ...]:
        """The ways the paper may lie, in mm, upright before turned."""
        if self.orientation == "portrait" or self.size.width == self.size.height:
            return (self.size,)
        if self.orientation == "landscape":
            return (self.size.turned,)
        return (self.size, self.size.turned)


def describe(size: Size) -> str:
    """Return a size in mm as people read it: ``210 x 139.5 mm``."""
    return f"{round(size.width, 2):g} x {round(size.height, 2):g} mm"


def parse_length(text: str) -> float:
    """Return a length in mm: ``16mm``, ``1.6cm``, ``1,6 cm``, ``0.5in``, ``0.5"`` or ``12`` (mm).

    Raises :class:`InputError` for anything else and for more than 2000 mm.
    """
    match = re.fullmatch(_LENGTH, text.strip().casefold())
    if not match:
        raise InputError(
            Problem(f"{_quoted(text)} is not a length", "expected one such as 16mm, 1.6cm or 0.5in")
        )
    length = _millimetres(*match.groups())
    if length > LONGEST_SIDE:
        raise InputError(Problem(f"{_quoted(text)} is too long", "at most 2000 mm are allowed"))
    return length


def parse_size(text: str) -> Size:
    """Return a width and a height in mm: ``210x297mm``, ``8.5 x 11 in``, ``21×29,7cm``.

    Without a unit mm are meant, a unit given once holds for both sides. Raises
    :class:`InputError` for anything else and for a side of 0 or more than 2000 mm.
    """
    size = _read_size(text)
    if size is None:
        raise InputError(
            Problem(f"{_quoted(text)} is not a size", "expected one such as 210x297mm or 8.5x11in")
        )
    if min(size) <= 0 or max(size) > LONGEST_SIDE:
        raise InputError(
            Problem(
                f"{_quoted(text)} is out of range",
                "a side must be more than 0 and at most 2000 mm",
            )
        )
    return size


def parse_paper(text: str) -> Paper:
    """Return the paper meant by ``A4``, ``letter landscape``, ``a5-portrait``, ``8.5x11in`` ….

    A width and height lie as typed unless the orientation is said as well. Raises
    :class:`InputError` for an unknown name and for a side outside 50 to 2000 mm.
    """
    words = text.strip().casefold()
    orientation: Orientation | None = None
    for candidate in ("portrait", "landscape"):
        rest = re.sub(rf"^{candidate}[\s_-]+|[\s_-]+{candidate}$", "", words, count=1)
        if rest != words:
            words, orientation = rest, candidate
            break
    for name, known in PAPERS.items():
        if _folded(name) == _folded(words):
            return Paper(name, known, orientation)
    size = _read_size(words)
    if size is None:
        raise InputError(
            Problem(
                f"unknown paper {_quoted(text)}",
                f"known are {', '.join(PAPERS)} and sizes such as 210x297mm or 8.5x11in with sides"
                " from 50 to 2000 mm",
                near=nearest(words, PAPERS),
            )
        )
    if min(size) < SHORTEST_SIDE or max(size) > LONGEST_SIDE:
        raise InputError(
            Problem(
                f"the paper {_quoted(text)} is out of range", "a side must be from 50 to 2000 mm"
            )
        )
    orientation = orientation or ("landscape" if size.width > size.height else "portrait")
    upright = Size(min(size), max(size))
    return Paper(
        describe(upright.turned if orientation == "landscape" else upright), upright, orientation
    )


def _read_size(text: str) -> Size | None:
    match = re.fullmatch(rf"{_LENGTH}\s*[x×]\s*{_LENGTH}", text.strip().casefold())
    if not match:
        return None
    width, width_unit, height, height_unit = match.groups()
    return Size(
        _millimetres(width, width_unit or height_unit),
        _millimetres(height, height_unit or width_unit),
    )


def _millimetres(number: str, unit: str) -> float:
    # A number of hundreds of digits becomes infinite here and fails the range.
    return float(number.replace(",", ".")) * _UNITS[unit]


def _folded(name: str) -> str:
    return re.sub(r"[\s_-]", "", name.casefold())


def _quoted(text: str) -> str:
    """Return what was typed on one short line, control characters escaped."""
    return repr(text if len(text) <= 40 else text[:39] + "…")
