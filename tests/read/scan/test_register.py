"""A sheet is found where it lies, flat, bent or dented."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sheetgen.geometry import Size
from sheetgen.prepare import Choices, load, prepare
from sheetgen.read.scan import register
from sheetgen.read.scan.arrays import Matrix, Points
from sheetgen.read.scan.blank import Blank, blank_of
from sheetgen.read.scan.ink import ink_of
from sheetgen.read.scan.markers import Corners
from sheetgen.read.scan.readings import RESOLUTION
from sheetgen.read.scan.register import Placement

SIZE = Size(87, 197)


@pytest.fixture(scope="module")
def blank() -> Blank:
    """Return a sheet as it is printed."""
    ready = prepare(load("lostdice")[0], Choices())
    return blank_of(ready.front, ready.style)


def matrix(tilt: float, turn: float) -> Matrix:
    """Return a homography from mm to px of about 10 px per mm."""
    cos, sin = 10 * np.cos(turn), 10 * np.sin(turn)
    return np.array([[cos, -sin, 300.0], [sin, cos, 200.0], [tilt, tilt / 2, 1.0]])


def seen_through(placement: Placement, blank: Blank) -> Corners:
    """Return where the printed corners are in a picture."""
    return {number: placement.points(corners) for number, corners in blank.corners.items()}


@settings(max_examples=25, deadline=None)
@given(st.floats(-0.001, 0.001), st.floats(-3, 3), st.integers(-1, 3))
def test_three_markers_give_the_homography(tilt: float, turn: float, missing: int) -> None:
    """Exact corners give the exact placement, whichever marker is missing and any way up."""
    printed = {
        n: np.array([(x, y), (x + 8, y), (x + 8, y + 8), (x, y + 8)], float)
        for n, (x, y) in enumerate([(6, 6), (73, 6), (6, 183), (73, 183)])
    }
    wanted = matrix(tilt, turn)
    found = {n: register.project(wanted, quad) for n, quad in printed.items() if n != missing}
    placement = register.from_markers(found, printed, SIZE)
    mm = np.array([(0.0, 0.0), (40.0, 100.0), (SIZE.width, SIZE.height)])
    assert placement.points(mm) == pytest.approx(register.project(wanted, mm), abs=0.02)


def test_scales_are_px_per_mm_in_the_worse_direction() -> None:
    """A picture that is 10 px per mm wide and 5 high has 5 px per mm."""
    placement = register.from_markers(
        {0: np.array([(0, 0), (80, 0), (80, 40), (0, 40)], float)},
        {0: np.array([(0, 0), (8, 0), (8, 8), (0, 8)], float)},
        SIZE,
    )
    assert register.scales(placement) == pytest.approx(np.full(25, 5.0))


def shifted(blank: Blank, x: float, y: float) -> Points:
    """Return the blank sheet's coarse ink moved by whole and half px."""
    rows, columns = blank.coarse.shape
    at_y, at_x = np.mgrid[0:rows, 0:columns].astype(np.float32)
    import cv2

    return np.asarray(
        cv2.remap(
            blank.coarse,
            at_x - np.float32(x * register.COARSE),
            at_y - np.float32(y * register.COARSE),
            cv2.INTER_LINEAR,
        )
    )


def test_pieces_are_found_where_they_went(blank: Blank) -> None:
    """Print that lies 0.5 mm to the right and 0.25 mm higher is found there, to 0.05 mm."""
    seen = shifted(blank, 0.5, -0.25)
    _, offsets, likeness = register.displacements(seen, blank.coarse, list(blank.pieces), 1.0)
    assert np.median(likeness) > 0.9
    assert np.median(offsets, axis=0) == pytest.approx([0.5, -0.25], abs=0.05)


def some(count: int = 200) -> Points:
    """Return places all over a sheet."""
    rng = np.random.default_rng(3)
    return np.asarray(rng.uniform((2, 2), (SIZE.width - 2, SIZE.height - 2), (count, 2)))


def flat() -> Placement:
    """Return the placement of a sheet that lies at ten px per mm."""
    corners = np.array([(0, 0), (8, 0), (8, 8), (0, 8)], float)
    return register.from_markers({0: corners * 10}, {0: corners}, SIZE)


def test_a_curl_is_followed_although_some_pieces_lie() -> None:
    """A bend of two millimetres is recovered to a tenth, with a fifth of the pieces far off."""
    places = some()
    curl = np.column_stack([np.zeros(len(places)), 2 * (places[:, 0] / SIZE.width) ** 2])
    lying = curl + np.where(np.arange(len(places))[:, None] % 5 == 0, 0.6, 0.0)
    placement = flat()
    for _ in range(3):
        known = (placement.points(places) / 10) - places
        placement = register.bent(placement, places, lying - known, np.ones(len(places)))
    # The lying pieces all say the same, so the rest is not free of them.
    assert np.abs(placement.points(places) / 10 - places - curl).max() < 0.15


def test_a_dent_is_followed_where_it_is() -> None:
    """A bump in one place moves what is near and leaves the rest."""
    places = some(600)
    bump = np.exp(-np.square(places - (40, 60)).sum(axis=1) / (2 * 12**2))[:, None] * (0.5, 0)
    placement = register.dented(flat(), places, bump, np.ones(len(places)))
    here, far = placement.points(np.array([(40.0, 60.0), (60.0, 170.0)])) / 10
    assert 0.25 < here[0] - 40 <= 0.5
    assert far == pytest.approx([60, 170], abs=0.02)


def test_few_pieces_change_nothing() -> None:
    """What only a handful of pieces say is not believed."""
    places = some(6)
    offsets = np.full((6, 2), 0.5)
    for change in (register.moved, register.bent, register.dented):
        changed = change(flat(), places, offsets, np.ones(6))
        assert changed.points(places) == pytest.approx(flat().points(places))


def test_print_is_recognised_under_writing(blank: Blank) -> None:
    """Writing beside print leaves the likeness high; print that is missing makes it low."""
    pieces = list(blank.pieces)
    written = blank.coarse.copy()
    written[200:420:9, 40:300] = 0.8
    alike = register.print_likeness(written, blank.coarse, pieces)
    missing = register.print_likeness(np.zeros_like(blank.coarse), blank.coarse, pieces)
    assert np.percentile(alike, 10) > 0.5
    assert np.abs(missing).max() < 0.3


def test_straightening_gives_the_sheet_in_its_size(blank: Blank) -> None:
    """A sheet straightened from a picture of itself is itself, ink for ink."""
    picture = np.round(255 * (1 - blank.ink)).astype(np.uint8)
    corners = {n: quad * RESOLUTION - 0.5 for n, quad in blank.corners.items()}
    placement = register.from_markers(corners, blank.corners, blank.scene.size)
    straight = register.straighten(picture, placement)
    assert straight.shape == blank.ink.shape
    assert np.abs(ink_of(straight) - blank.ink).mean() < 0.01
    assert seen_through(placement, blank)[0] == pytest.approx(corners[0], abs=0.01)
