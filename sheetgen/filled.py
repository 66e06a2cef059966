"""What stands on a finished sheet, however it was read: from a data file, a form, or paper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sheetgen.schema import Place

# A number that was written, or a mark such as ``$``.
Entry = int | str


class FilledSheet(NamedTuple):
    """One sheet: one player's, in one round where the game has rounds (else ``round`` is 0).

    Names are those of the variant's ``play``. ``tracks`` hold entries in the order of writing,
    ``""`` for an empty box before filled ones; a single number is a track of one entry. ``counts``
    are ticks, ``flags`` single marks, ``sets`` names of lanes (``bridges: [red, dice]``),
    ``triples`` an expedition given by totals alone (``{sum, wagers, cards}``). What is missing is
    empty, zero, false. ``written`` is what the player wrote as results. ``places`` says where a
    name stands in the file, for messages.
    """

    player: str
    round: int
    tracks: Mapping[str, tuple[Entry, ...]]
    counts: Mapping[str, int]
    flags: Mapping[str, bool]
    sets: Mapping[str, tuple[str, ...]]
    triples: Mapping[str, Mapping[str, int]]
    written: Mapping[str, int]
    places: Mapping[str, Place]


class FilledMatch(NamedTuple):
    """All sheets of one match, from one file; ``setup`` is ``""`` if the file does not name it.

    ``totals`` are the match totals by player as they stand on paper, ``values`` the options the
    sheets were printed with, ``notes`` what is odd about the file, in words.
    """

    file: str
    variant: str
    setup: str
    sheets: tuple[FilledSheet, ...]
    totals: Mapping[str, int] = {}
    values: Mapping[str, int] = {}
    notes: tuple[str, ...] = ()
