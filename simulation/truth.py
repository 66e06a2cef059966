"""What stands on simulated paper, and what a reader of it should say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

Value = str | bool

ORDINARY = ("cross", "tick", "slash", "fill")  # nearly everybody's marks
UNUSUAL = ("circled", "dot")  # meant as a mark all the same
UNSEEN = ("plus", "bar", "star", "double")  # marks that nothing may be learned from or tuned with
EMPTY = ("empty", "ghost", "neighbour", "outside")  # of a box that nothing was meant for
KINDS = (*EMPTY, *ORDINARY, *UNUSUAL, "cancelled")  # all that may be learned from


class Written(NamedTuple):
    """What a box holds: a tick's truth or a text, ``""`` if it is empty.

    ``kind`` says how it came about: for ticks one of the words above, or ``cancelled`` for a mark
    that was scribbled out again (its value is false); for numbers ``empty``, ``written`` or
    ``rewritten``, where a first number was crossed out.
    """

    value: Value
    kind: str


class SheetTruth(NamedTuple):
    """One sheet in a picture.

    ``boxes`` are by id, those for free text left out. ``corners`` are its top left, top right,
    bottom right and bottom left corner in the picture in px, ``scale`` the least px per mm there.
    """

    variant: str
    sheet: str
    boxes: Mapping[str, Written]
    corners: tuple[tuple[float, float], ...] = ()
    scale: float = 0.0


class Picture(NamedTuple):
    """A file as a phone or a scanner makes it, what it shows, and how it was made."""

    data: bytes
    name: str
    level: str
    sheets: tuple[SheetTruth, ...]
    faults: tuple[str, ...] = ()
