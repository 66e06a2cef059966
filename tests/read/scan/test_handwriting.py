"""Numbers in boxes: right, or doubtful; never silently wrong, and ink is never nothing."""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[3]))

from sheetgen.read.scan.lattice import groupings
from sheetgen.read.scan.numbers import PAD, Cell, Number, read_numbers
from sheetgen.read.scan.pieces import cut, written
from sheetgen.read.scan.readings import RESOLUTION
from simulation.cells import composed, inked, spoilt
from simulation.hands import DrawnHand, hands

DIGITS = "0123456789"
TRACK = DIGITS + "$w"
RESULT = DIGITS + "-"
Line = list[tuple[float, float]]

EDGE = round(PAD * RESOLUTION)


def paper(wide: float = 9.0, high: float = 9.0) -> np.ndarray:
    """Return an empty map of a box of so many mm."""
    size = (round((high + 2 * PAD) * RESOLUTION), round((wide + 2 * PAD) * RESOLUTION))
    return np.zeros(size, np.float32)


def drawn(*strokes: Line, pen: float = 0.5, ink: float = 1.0) -> np.ndarray:
    """Return a map with strokes through points in mm from the box's corner."""
    page = np.zeros(paper().shape, np.uint8)
    for stroke in strokes:
        points = np.rint((np.array(stroke) + PAD) * RESOLUTION).astype(np.int32)
        cv2.polylines(page, [points], False, 255, round(pen * RESOLUTION), cv2.LINE_AA)
    return cv2.GaussianBlur(page, (0, 0), 0.8).astype(np.float32) / 255 * ink


def read(ink: np.ndarray, alphabet: str = DIGITS) -> Number:
    """Read one box."""
    return read_numbers([Cell(ink, alphabet)])[0]


def ring(x: float, y: float, rx: float, ry: float, count: int = 24) -> Line:
    """Return points of an ellipse, closed."""
    angles = np.linspace(0, 2 * np.pi, count)
    return [(x + rx * np.cos(a), y + ry * np.sin(a)) for a in angles]


SEVEN: Line = [(3, 2.5), (6, 2.5), (4, 7)]
ONE: Line = [(3.4, 3.6), (4.6, 2.3), (4.6, 7)]
ZERO = ring(4.5, 4.6, 1.5, 2.3)


def test_nothing_is_nothing() -> None:
    """An empty box, dust below 0.4 mm and faint rests of print have no reading and no doubt."""
    rests = paper()
    cv2.rectangle(rests, (EDGE, EDGE), (paper().shape[1] - EDGE, paper().shape[0] - EDGE), 0.28, 2)
    speck = paper()
    speck[40:42, 40:42] = 1
    assert read_numbers([]) == []
    for number in read_numbers([Cell(each, RESULT) for each in (paper(), rests, speck)]):
        assert number == ((), "")


@pytest.mark.parametrize(
    ("strokes", "text"), [((SEVEN,), "7"), ((ONE,), "1"), ((ZERO,), "0")], ids="710"
)
@pytest.mark.parametrize("ink", [1.0, 0.6], ids=["pen", "pencil"])
def test_plain_digits_are_read_without_a_doubt(strokes: tuple[Line], text: str, ink: float) -> None:
    """A digit that a child would read is sure, in pen and in pencil."""
    number = read(drawn(*strokes, ink=ink))
    assert number.doubt == ""
    assert number.likeliest[0][0] == text


def test_a_printed_line_may_run_through_a_digit() -> None:
    """A gap of 0.3 mm where print was taken away divides the strokes, not the number."""
    ink = drawn(SEVEN)
    ink[48:51] = 0
    number = read(ink)
    text, chance = number.likeliest[0]
    assert (text, number.doubt) in {("7", ""), ("7", "hard to read")}
    assert chance > 0.9


def test_probabilities_are_probabilities() -> None:
    """At most three texts, best first, their sum no more than one."""
    rng = np.random.default_rng(2)
    writer = DrawnHand(20_001)
    cells = [Cell(composed(writer, text, rng).ink, RESULT) for text in ("4", "17", "-3", "250")]
    for number in read_numbers(cells):
        chances = [chance for _, chance in number.likeliest]
        assert 1 <= len(chances) <= 3
        assert chances == sorted(chances, reverse=True)
        assert sum(chances) <= 1 + 1e-6


def test_a_cross_is_no_digit() -> None:
    """An x is doubtful where no x may stand, not an 8 or a 4."""
    number = read(drawn([(2.5, 2.5), (6.5, 6.5)], [(6.5, 2.5), (2.5, 6.5)]))
    assert number.doubt == "a cross"


def test_signs_that_may_not_stand_there_are_doubtful() -> None:
    """A dollar is not silently a 5 where only digits may stand, nor a minus nothing."""
    rng = np.random.default_rng(5)
    writer = DrawnHand(20_003)
    dollar = composed(writer, "$", rng, clean=True).ink
    assert read(dollar, DIGITS).doubt
    minus = read(drawn([(2.5, 4.5), (6, 4.5)]), DIGITS)
    assert minus.doubt
    assert minus.likeliest


def test_a_dash_alone_is_asked_about() -> None:
    """A dash may mean zero, nothing, or a beginning."""
    assert read(drawn([(2.5, 4.5), (6, 4.5)]), RESULT).doubt


def test_crossed_out_ink_is_doubtful() -> None:
    """A digit under a zigzag is flagged, as is ink that runs out of the map."""
    zigzag: Line = [(2.6 + n * 0.45, 2.2 if n % 2 else 7) for n in range(9)]
    assert read(drawn(SEVEN, zigzag)).doubt
    assert read(drawn([(1, 4.5), (12, 4.5)], [(4, -3), (4, 7)])).doubt


def test_faint_large_ink_is_not_empty() -> None:
    """What is darker than printed rests, however faint, is asked about or read."""
    number = read(drawn(ZERO, ink=0.3) + drawn(SEVEN, ink=0.26))
    assert number.likeliest
    assert number.doubt


def test_digits_that_touch_are_doubtful_or_right() -> None:
    """A line that joins two digits does not make another number of them."""
    two: list[Line] = [[(1.2, 2.3), (1.2, 7)], ring(4.4, 4.6, 1.4, 2.3), [(1.2, 4.6), (3.0, 4.6)]]
    number = read(drawn(*two))
    assert number.doubt or number.likeliest[0][0] == "10"


def test_pieces_can_be_cut_where_they_are_thin() -> None:
    """Two rings and the line that joins them become two pieces of about the same size."""
    what = written(drawn(ring(2.5, 4.5, 1.2, 2), ring(6.3, 4.5, 1.2, 2), [(3.6, 4.5), (5.2, 4.5)]))
    assert len(what.pieces) == 1
    parts = cut(what, 0)
    assert parts is not None
    first, second = parts.pieces
    assert first.area == pytest.approx(second.area, rel=0.15)
    assert first.right <= second.left + 2


def test_pieces_are_grouped_in_every_way() -> None:
    """Three pieces are one sign, two or three; more than four signs are no number."""
    assert set(groupings(3)) == {
        ((0, 3),),
        ((0, 1), (1, 3)),
        ((0, 2), (2, 3)),
        ((0, 1), (1, 2), (2, 3)),
    }
    assert all(len(way) <= 4 for way in groupings(6))


def test_writers_that_were_held_out_are_read_right_or_flagged() -> None:
    """Of 500 boxes by writers nothing was learned from none is silently wrong; most are sure."""
    rng = np.random.default_rng(11)
    writers = [inked(hand) for hand in hands("test", None)]
    texts, cells = [], []
    for number in range(500):
        text = str(rng.choice(["$", "w"])) if number % 8 == 0 else str(rng.integers(0, 100))
        texts.append(text)
        writer = writers[int(rng.integers(len(writers)))]
        cells.append(Cell(composed(writer, text, rng).ink, TRACK))
    numbers = read_numbers(cells)
    silent = [
        (text, number)
        for text, number in zip(texts, numbers, strict=True)
        if not number.doubt and (not number.likeliest or number.likeliest[0][0] != text)
    ]
    assert silent == []
    assert sum(bool(number.doubt) for number in numbers) <= 125


def test_spoilt_boxes_are_not_read_as_numbers() -> None:
    """Scribbles and numbers that were crossed out are flagged; at most a trace slips through."""
    rng = np.random.default_rng(13)
    writers = [inked(hand) for hand in hands("test", None)]
    cells = [
        Cell(spoilt(writers[n % len(writers)], str(rng.integers(10)), rng).ink, DIGITS)
        for n in range(200)
    ]
    silent = [n for n in read_numbers(cells) if not n.doubt and n.likeliest]
    assert len(silent) <= 4


def test_faint_writing_is_not_taken_for_rests_of_print() -> None:
    """A thin 1 that is hardly darker than rests is asked about; a faint minus is not dropped."""
    assert read(drawn(ONE, pen=0.3, ink=0.27)).doubt
    faint = np.maximum(drawn(SEVEN, ink=0.5), drawn([(0.9, 4.6), (2.2, 4.6)], ink=0.27))
    number = read(faint, RESULT)
    assert number.doubt or number.likeliest[0][0] == "-7"


def test_a_stroke_far_from_a_sign_is_not_swallowed() -> None:
    """A short bit of a minus, a mm beside a digit, is doubtful or read, not part of the digit."""
    number = read(drawn(SEVEN, [(0.9, 4.6), (1.5, 4.6)]), RESULT)
    assert number.doubt or number.likeliest[0][0] == "-7"


def test_a_one_beside_the_box_is_not_dropped() -> None:
    """A high stroke in the margin may be the first digit, though a neighbour may have written."""
    number = read(drawn([(-0.7, 2.3), (-0.7, 7)], ZERO))
    assert number.doubt or number.likeliest[0][0] == "10"
