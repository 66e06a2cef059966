"""Markers and codes as a camera finds them, and as their definitions say."""

from __future__ import annotations

from typing import Any

import pytest
from laid import Case, cases, codes, files, lay, lay_anew, markers, texts
from seen import part, picture, seen, usual

from sheetgen.geometry import MM_PER_INCH, Rect, Size
from sheetgen.layout.identity import DIGEST_LENGTH, digest, outlines
from sheetgen.scene import Box

FRONTS = [c for c in cases(inks=("full",)) if c.language == "en" and c.sheet != "back"]
FRONTS = list({(c.variant, c.sheet): c for c in FRONTS}.values())
# DICT_4X4_50 as OpenCV defines it: the dark border and the sixteen bits of ids 0 to 3.
PATTERNS = (
    "000000 010110 001010 000110 000100 000000",
    "000000 000000 011110 010010 010100 000000",
    "000000 000110 000110 000100 011010 000000",
    "000000 010010 010010 001000 001100 000000",
)

each = pytest.mark.parametrize("case", FRONTS, ids=str)


def _modules(case: Case, place: Rect, count: int, dpi: float = 150) -> list[str]:
    """Read a square of modules off the picture: the middle of each, 1 for white."""
    image = seen(case, dpi).convert("L")
    step = place.width / count * dpi / MM_PER_INCH
    x, y = place.x * dpi / MM_PER_INCH, place.y * dpi / MM_PER_INCH
    rows = []
    for row in range(count):
        at = [(int(x + (c + 0.5) * step), int(y + (row + 0.5) * step)) for c in range(count)]
        values = [image.getpixel(point) for point in at]
        rows.append("".join("1" if isinstance(v, int) and v > 128 else "0" for v in values))
    return rows


@each
def test_markers_have_the_patterns_of_their_dictionary(case: Case) -> None:
    """The printed corners are ids 0, 1, 2, 3: top left, top right, bottom left, bottom right."""
    for place, pattern in zip(markers(lay(case)), PATTERNS, strict=True):
        assert " ".join(_modules(case, place, 6)) == pattern


@each
@pytest.mark.parametrize("ink", ["full", "low", "bw"])
def test_codes_are_the_code_of_the_letters(case: Case, ink: str) -> None:
    """The printed modules are those of a version 1 code, level Q, of the letters beside it."""
    import segno

    case = case._replace(ink=ink)
    scene = lay(case)
    (letters,), (place,) = texts(scene, "code"), codes(scene)
    code = segno.make(letters.string, version=1, error="q", mode="alphanumeric", boost_error=False)
    expected = ["".join("01"[not module] for module in row) for row in code.matrix]
    assert _modules(case, place, len(expected)) == expected


@each
def test_opencv_finds_the_markers(case: Case) -> None:
    """At 100, 150 and 300 dpi OpenCV finds the four markers within half a millimetre."""
    cv2: Any = pytest.importorskip("cv2")
    numpy: Any = pytest.importorskip("numpy")
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    detector = cv2.aruco.ArucoDetector(dictionary, cv2.aruco.DetectorParameters())
    for dpi in (100, 150, 300):
        grey = numpy.array(seen(case, dpi).convert("L"))
        corners, ids, _ = detector.detectMarkers(grey)
        assert sorted(ids.flatten().tolist()) == [0, 1, 2, 3], dpi
        for corner, number in zip(corners, ids.flatten().tolist(), strict=True):
            x, y = corner[0].mean(axis=0) * MM_PER_INCH / dpi
            center = markers(lay(case))[number].center
            assert abs(x - center.x) < 0.5, (dpi, number)
            assert abs(y - center.y) < 0.5, (dpi, number)


@each
def test_zxing_reads_the_code(case: Case) -> None:
    """At 150 and 300 dpi the code is read off the whole sheet, and says what the letters say."""
    zxing: Any = pytest.importorskip("zxingcpp")
    (letters,) = texts(lay(case), "code")
    for dpi in (150, 300):
        found = zxing.read_barcodes(seen(case, dpi).convert("L"))
        assert [code.text for code in found] == [letters.string], dpi


@pytest.mark.parametrize("case", [c for c in cases() if c.sheet != "back"], ids=str)
def test_without_marks_all_else_stays(case: Case) -> None:
    """Only markers, code and its letters go: boxes, so the digest, and every other ink stay."""
    marked, bare = lay(case), lay_anew(case, marks=False)
    assert bare.boxes == marked.boxes
    left = [item for item in marked.items if item.role not in ("fiducial", "code")]
    assert list(bare.items) == left
    assert len(marked.items) - len(left) == 6


def test_without_marks_nothing_is_found() -> None:
    """No reader finds a marker or a code on the picture, which is white where they were."""
    cv2: Any = pytest.importorskip("cv2")
    numpy: Any = pytest.importorskip("numpy")
    zxing: Any = pytest.importorskip("zxingcpp")
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    detector = cv2.aruco.ArucoDetector(dictionary, cv2.aruco.DetectorParameters())
    for case in FRONTS:
        image = picture(lay_anew(case, marks=False), case, 150).convert("L")
        assert detector.detectMarkers(numpy.array(image))[1] is None, case
        assert zxing.read_barcodes(image) == [], case
        for place in (*markers(lay(case)), *codes(lay(case))):
            assert part(image, place, 150).getextrema() == (255, 255), case


def test_codes_differ_between_sheets() -> None:
    """Sheets with other boxes have other letters, so that a scan says which sheet it is of."""
    letters = [texts(lay(case), "code")[0].string for case in FRONTS]
    assert len(set(letters)) == len(letters) >= len(files())


BOXES = [Box("a", Rect(1, 2, 7, 8), "number", "A"), Box("b", Rect(9, 2, 7, 8), "tick", "B")]


@pytest.mark.parametrize(
    ("owner", "size", "boxes"),
    [
        ("game/other", Size(90, 90), BOXES),
        ("game/sheet", Size(91, 90), BOXES),
        ("game/sheet", Size(90, 91), BOXES),
        ("game/sheet", Size(90, 90), BOXES[::-1]),
        ("game/sheet", Size(90, 90), [BOXES[0]._replace(id="c"), BOXES[1]]),
        ("game/sheet", Size(90, 90), [BOXES[0]._replace(kind="score"), BOXES[1]]),
        ("game/sheet", Size(90, 90), [BOXES[0]._replace(rect=Rect(1, 2, 7, 8.01)), BOXES[1]]),
    ],
)
def test_the_digest_follows_from_all_that_a_reader_needs(
    owner: str, size: Size, boxes: list[Box]
) -> None:
    """Another sheet, size, id, kind, order or place gives another digest."""
    first = digest("game/sheet", Size(90, 90), BOXES)
    assert len(first) == DIGEST_LENGTH
    assert digest(owner, size, boxes) != first


def test_the_digest_is_not_about_words() -> None:
    """Labels, which differ between languages, and a thousandth of a millimetre do not count."""
    other = [BOXES[0]._replace(label="Z", rect=Rect(1.001, 2, 7, 8)), BOXES[1]]
    assert digest("g", Size(9, 9), other) == digest("g", Size(9, 9), BOXES)


def test_outlines_go_around_regions_and_holes() -> None:
    """A ring of modules is two loops, two that touch at a corner are two, an empty one none."""
    ring = [[True, True, True], [True, False, True], [True, True, True]]
    assert sorted(len(loop) for loop in outlines(ring)) == [4, 4]
    assert sorted(len(loop) for loop in outlines([[True, False], [False, True]])) in ([4, 4], [8])
    assert outlines([[False]]) == []


def test_a_code_is_one_region_per_run_of_modules() -> None:
    """Modules side by side show no seam: a marker's border is one even dark."""
    case = usual("lostdice")
    for place in markers(lay(case)):
        border = part(
            seen(case, 300), Rect(place.x + 0.2, place.y + 0.2, place.width - 0.4, 0.9), 300
        )
        colours = border.getcolors()
        assert colours is not None
        assert len(colours) == 1
