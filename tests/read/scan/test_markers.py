"""Markers are found, and those of one sheet belong together."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from sheetgen.prepare import Choices, load, prepare
from sheetgen.read.scan import markers
from sheetgen.read.scan.arrays import Pixels
from sheetgen.read.scan.blank import blank_of
from sheetgen.read.scan.markers import Marker

BESIDE = np.array([900.0, 0.0])


@pytest.fixture(scope="module")
def sheet() -> Pixels:
    """Return a printed sheet of 8 px per mm."""
    ready = prepare(load("lostdice")[0], Choices())
    ink = blank_of(ready.front, ready.style).ink
    return np.round(255 * (1 - ink)).astype(np.uint8)


def test_two_sheets_that_touch_are_two(sheet: Pixels) -> None:
    """Each marker goes to its own sheet, although the neighbour's is nearer."""
    found = markers.sheets(markers.find_markers(np.hstack([sheet, sheet])))
    assert [sorted(one) for one in found] == [[0, 1, 2, 3], [0, 1, 2, 3]]
    left, right = sorted(found, key=lambda one: float(one[0][0, 0]))
    assert right[0] - left[0] == pytest.approx(np.full((4, 2), (sheet.shape[1], 0)), abs=0.5)


@pytest.mark.parametrize("quarter", range(4))
def test_sheets_are_found_any_way_up(sheet: Pixels, quarter: int) -> None:
    """Ids say which corner is which, however the paper lay."""
    (one,) = markers.sheets(markers.find_markers(np.ascontiguousarray(np.rot90(sheet, quarter))))
    along, down = one[1][0] - one[0][0], one[2][0] - one[0][0]
    turned = np.linalg.det(np.array([along, down]))
    assert sorted(one) == [0, 1, 2, 3]
    assert turned > 0


def test_a_covered_marker_leaves_three(sheet: Pixels) -> None:
    """What is left of a sheet is still one sheet."""
    covered = sheet.copy()
    covered[:200, :200] = 255
    (one,) = markers.sheets(markers.find_markers(covered))
    assert sorted(one) == [1, 2, 3]


def test_a_mirrored_sheet_is_known_as_one(sheet: Pixels) -> None:
    """A mirror hides the markers; looking into it again shows them."""
    flipped = np.ascontiguousarray(sheet[:, ::-1])
    assert not markers.find_markers(flipped)
    assert markers.mirrored(flipped)
    assert not markers.mirrored(sheet)


def test_uneven_light_hides_no_marker(sheet: Pixels) -> None:
    """A corner in deep shadow is found at the second look."""
    fall = (
        np.linspace(1, 0.12, sheet.shape[1])[None, :] * np.linspace(1, 0.5, sheet.shape[0])[:, None]
    )
    dark = cv2.GaussianBlur(sheet, (0, 0), 1.5) * fall
    assert {one.id for one in markers.find_markers(dark.astype(np.uint8))} == {0, 1, 2, 3}


def test_markers_of_other_sizes_or_turns_are_no_partners() -> None:
    """A marker twice as large, or standing askew, belongs to something else."""
    square = np.array([(0, 0), (80, 0), (80, 80), (0, 80)], float)
    spin = np.array([[0.0, 1.0], [-1.0, 0.0]])
    small, big = Marker(0, square), Marker(1, square * 3 + BESIDE)
    askew = Marker(1, square @ spin + BESIDE)
    alone = Marker(1, square + BESIDE)
    assert markers.sheets([small, big]) == []
    assert markers.sheets([small, askew]) == []
    assert [sorted(one) for one in markers.sheets([small, alone])] == [[0, 1]]
