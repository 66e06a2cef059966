"""Reading one sheet: laid on its blank twin, gated, and then read box by box."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np

from sheetgen.errors import InputError, Problem
from sheetgen.read.layouts import Layout, Layouts
from sheetgen.read.scan import register
from sheetgen.read.scan.arrays import Array, Ink, Pixels
from sheetgen.read.scan.blank import Blank, alike_words, blank_of
from sheetgen.read.scan.ink import darkest, ink_of, paper
from sheetgen.read.scan.markers import CORNERS, Corners
from sheetgen.read.scan.pictures import dpi
from sheetgen.read.scan.register import Placement
from sheetgen.read.scan.strokes import Tone, print_strength, tone_of

LEAST_SCALE, MOST_SCALE = 4.0, 400.0  # px per mm
SAME_WORDS = 0.78  # likeness from which printed words are those of the language
MOST_BLUR = 0.3  # mm, sigma
LEAST_LIKENESS = 0.6  # of markers and code with what was printed
LEAST_PRINT = 0.3  # how dark black print must be
LIGHTER, DARKER = 0.9, 1.025  # print beside markers and code, as a share of what was expected
CLOSER = 0.02  # by how much another sheet must be liker to what is seen
FOUND = 0.5  # likeness from which a piece of print counts as found
LEAST_FOUND = 0.75  # of the pieces
_CHANGES = (register.moved, register.bent, register.bent, register.dented)
_SIDES = ("left edge", "right edge", "upper edge", "lower edge")


class Straight(NamedTuple):
    """A sheet laid straight: its picture (BGR), its ink, and how well each box can be trusted.

    ``trust`` is by box, from 0 to 1: how alike the print around it is to what was printed.
    """

    placement: Placement
    picture: Pixels
    seen: Ink
    tone: Tone
    scale: float
    trust: Array
    notes: tuple[str, ...]


@lru_cache(maxsize=64)
def blank_for(layout: Layout) -> Blank:
    """Return the blank sheet of a layout, drawn once."""
    return blank_of(layout.scene, layout.prepared.style)


def lay_straight(
    picture: Pixels, grey: Pixels, found: Corners, layout: Layout, layouts: Layouts
) -> tuple[Layout, Straight, Blank]:
    """Lay a sheet straight, and tell in which language it was printed.

    ``layout`` is what its code says, which may not tell languages. Raises :class:`InputError` with
    every reason why it cannot be read.
    """
    blank = blank_for(layout)
    placement, scale, notes = _placed(grey, found, blank)
    straight = register.straighten(picture, placement)
    dark = darkest(straight)
    light = paper(dark)
    seen = ink_of(dark, light)
    words = alike_words(seen, blank)
    if words < SAME_WORDS:
        for other in layouts.alike(layout):
            twin = blank_for(other)
            closer = alike_words(seen, twin)
            if closer > words:
                layout, blank, words = other, twin, closer
    tone = tone_of(seen, blank)
    coarse = register.shrunk(seen)
    if not LIGHTER < print_strength(seen, blank, tone) < DARKER:
        for other in layouts.inked(layout):
            twin = blank_for(other)
            if _alike(coarse, twin.coarse) > _alike(coarse, blank.coarse):
                layout, blank = other, twin
        tone = tone_of(seen, blank)
    pieces = list(blank.pieces)
    soft = cv2.GaussianBlur(blank.coarse, (0, 0), max(0.3, tone.blur * register.COARSE))
    # A pen on top of print does not make the print less like itself.
    under = np.minimum(coarse, 1.2 * tone.print * soft + 0.05)
    likeness = register.print_likeness(under, soft, pieces)
    places = np.array(pieces).reshape(-1, 2)
    _gate(tone, light, likeness >= FOUND, places)
    own = _alike(coarse, soft)
    for other in layouts.others(layout):
        if _alike(coarse, blank_for(other).coarse) > own + CLOSER:
            found_what = f"print of the sheet {other.identity.sheet} with the code of another"
            raise _refusal(found_what, "print it again")
    trust = _trust(blank, places, likeness)
    return layout, Straight(placement, straight, seen, tone, scale, trust, tuple(notes)), blank


def _placed(grey: Pixels, found: Corners, blank: Blank) -> tuple[Placement, float, list[str]]:
    """Return where a sheet lies, its px per mm, and notes about it."""
    notes = []
    missing = [CORNERS[number] for number in blank.corners if number not in found]
    if missing:
        notes.append(f"the corner mark {missing[0]} was not found; the other three were enough")
    placement = register.from_markers(found, blank.corners, blank.scene.size)
    scale = float(np.nan_to_num(register.scales(placement)).min())
    if scale < LEAST_SCALE:
        raise InputError(too_coarse(scale))
    if scale > MOST_SCALE:
        raise _refusal("corner marks that are not those of one sheet", "take the picture again")
    for number, reach in enumerate(register.REACH):
        rough = register.straighten(grey, placement, register.COARSE)
        seen = ink_of(rough, paper(rough, register.COARSE))
        where = register.displacements(seen, blank.coarse, list(blank.pieces), reach)
        placement = _CHANGES[number](placement, *where)
    return placement, scale, notes


def _gate(tone: Tone, light: Array, good: Array, places: Array) -> None:
    """Refuse a sheet that cannot be read. Raises :class:`InputError` with every reason."""
    problems = []
    if tone.blur > MOST_BLUR:
        problems.append(
            Problem("a blurred picture", "hold still, and let the camera focus before you press")
        )
    if tone.print < LEAST_PRINT:
        problems.append(Problem("print that is hardly darker than the paper", "use more light"))
    share = float(good.mean()) if len(good) else 0.0
    if not problems and (share < LEAST_FOUND or tone.likeness < LEAST_LIKENESS):
        where = _where(~good, places, light)
        found = f"{where}" if where else "print that does not lie where this sheet has it"
        problems.append(
            Problem(
                found,
                "lay the sheet flat, in even light, and show all of it",
            )
        )
    if problems:
        raise InputError(problems)


def _where(lost: Array, places: Array, light: Array) -> str:
    """Say at which side most of the print was not found, and whether it is dark there."""
    if not len(places) or not lost.any():
        return ""
    x, y = places[:, 0], places[:, 1]
    halves = [x < np.median(x), x > np.median(x), y < np.median(y), y > np.median(y)]
    shares = [float(lost[half].mean()) if half.any() else 0.0 for half in halves]
    worst = int(np.argmax(shares))
    opposite = shares[worst ^ 1]
    if shares[worst] < 2 * opposite + 0.1:
        return "print that is unclear all over" if min(shares) > 0.3 else ""
    height, width = light.shape
    parts = [
        light[:, : width // 4],
        light[:, -width // 4 :],
        light[: height // 4],
        light[-height // 4 :],
    ]
    dark = float(np.median(parts[worst])) < 0.55 * float(np.percentile(light, 95))
    what = "in shadow" if dark else "unclear, covered, or not flat"
    return f"the {_SIDES[worst]} of the sheet {what}"


def _alike(one: Ink, other: Ink) -> float:
    """Return the correlation of two inks, -1 to 1."""
    a, b = one - one.mean(), other - other.mean()
    return float((a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum() + 1e-9))


def _trust(blank: Blank, places: Array, likeness: Array) -> Array:
    """Return for each box how alike the print around it is, by the nearest pieces."""
    boxes = blank.scene.boxes
    if not len(places):
        return np.zeros(len(boxes))
    middles = np.array([box.rect.center for box in boxes]).reshape(-1, 2)
    away = np.hypot(
        middles[:, None, 0] - places[None, :, 0], middles[:, None, 1] - places[None, :, 1]
    )
    near = np.argsort(away, axis=1)[:, :3]
    return np.asarray(np.median(likeness[near], axis=1))


def too_coarse(scale: float) -> Problem:
    """Return what to say of ``scale`` px per mm, which are too few."""
    wanted = round(dpi(LEAST_SCALE * 1.5) / 50) * 50
    return Problem(f"{dpi(scale)} dpi", f"photograph it closer, or scan it with {wanted} dpi")


def _refusal(found: str, allowed: str) -> InputError:
    return InputError(Problem(found, allowed))
