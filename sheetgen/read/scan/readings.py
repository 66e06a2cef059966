"""What a reader of paper says about a sheet, box by box, and how sure it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from sheetgen.form_names import Identity
from sheetgen.scene import Scene

RESOLUTION = 8.0  # px per mm of straightened sheets, and of all ink that is read

State = Literal["empty", "marked", "cancelled", "written", "unsure"]
Homography = tuple[float, ...]  # nine numbers, row by row: mm on the sheet to px of the photo


class Reading(NamedTuple):
    """What stands in one box.

    ``value`` is the best reading: a tick's truth, else a text, ``""`` for an empty box. ``ink`` is
    the share of the box that new ink covers, 0 to 1. ``likeliest`` are up to three readings with
    their probabilities, best first. ``doubt`` says in words why a person should look, ``""`` where
    there is no doubt.
    """

    box: str
    value: str | bool
    state: State
    ink: float
    confidence: float
    likeliest: tuple[tuple[str, float], ...]
    doubt: str


class ScannedSheet(NamedTuple):
    """One sheet that was found in a picture.

    ``page`` of the file and ``copy`` in the file count from 1. ``readings`` are by box id, in the
    order of ``scene.boxes``. ``scale`` is the picture's resolution in px per mm of the sheet.
    ``straight`` is the straightened sheet as a JPEG of :data:`RESOLUTION`, ``photo`` the page it
    was found on, as a JPEG that ``homography`` fits; both are empty unless asked for. ``notes`` say
    what is odd about it, in words.
    """

    file: str
    page: int
    copy: int
    identity: Identity
    scene: Scene
    readings: Mapping[str, Reading]
    scale: float
    homography: Homography
    straight: bytes
    photo: bytes
    notes: tuple[str, ...]


class Doubt(NamedTuple):
    """A reading that a person should look at.

    ``copy`` is the index of its sheet among the scanned ones, ``sheet`` that among the match's
    filled sheets (-1 for what belongs to the whole match). ``name`` is the box's name in data
    files, ``line`` the line of such a file to paste and to correct (``red: [$, 3, 17]``).
    """

    copy: int
    sheet: int
    box: str
    name: str
    why: str
    likeliest: tuple[tuple[str, float], ...]
    line: str
