from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheetgen.errors import InputError
from sheetgen.geometry import Size
from sheetgen.paper import (
    PAPERS,
    Paper,
    describe,
    parse_length,
    parse_paper,
    parse_size,
)


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("16mm", 16),
        ("1.6cm", 16),
        ("1,6 cm", 16),
        ("0.5in", 12.7),
        ('.5"', 12.7),
        ("12", 12),
        (" 12 MM ", 12),
        ("0", 0),
        ("2000", 2000),
    ],
)
def test_lengths_are_read_in_their_units(text: str, length: float) -> None:
    """A length may be typed in mm, cm or inches, and means mm without a unit."""
    assert parse_length(text) == pytest.approx(length)


@pytest.mark.parametrize(
    "text", ["", "mm", "nan", "inf", "-1", "+1", "1e3", "1,000", "1_0", "٣", "5pt", "1 2", "5\n6"]
)
def test_other_lengths_are_refused(text: str) -> None:
    """Whatever is not a plain number with a known unit is refused with an example."""
    with pytest.raises(InputError, match="is not a length, expected one such as 16mm"):
        parse_length(text)


@pytest.mark.parametrize("text", ["2001", "200.1cm", "9" * 400])
def test_too_long_a_length_is_refused(text: str) -> None:
    """A length beyond two metres is refused on one short line."""
    with pytest.raises(InputError, match="is too long, at most 2000 mm") as caught:
        parse_length(text)
    assert len(str(caught.value)) < 100


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("210x297mm", Size(210, 297)),
        ("210x297", Size(210, 297)),
        ("210 × 297 mm", Size(210, 297)),
        ("21X29.7cm", Size(210, 297)),
        ("21,0x29,7cm", Size(210, 297)),
        ("8.5x11in", Size(215.9, 279.4)),
        ("8.5 x 11 in", Size(215.9, 279.4)),
        ('8.5" x 11"', Size(215.9, 279.4)),
        ("8.5inx279.4mm", Size(215.9, 279.4)),
        ("10cm x 20", Size(100, 200)),
        ("1x1", Size(1, 1)),
    ],
)
def test_sizes_are_read(text: str, size: Size) -> None:
    """A size is two lengths with an x, a unit given once holding for both."""
    assert parse_size(text) == pytest.approx(size)


@pytest.mark.parametrize("text", ["", "210", "x297", "210x", "nanxinf", "-1x5", "1x2x3", "a4"])
def test_other_sizes_are_refused(text: str) -> None:
    """Whatever is not two lengths is refused with an example."""
    with pytest.raises(InputError, match="is not a size, expected one such as 210x297mm"):
        parse_size(text)


@pytest.mark.parametrize("text", ["0x5", "5x0.0", "5x2001", "9x" + "9" * 400])
def test_sizes_out_of_range_are_refused(text: str) -> None:
    """A side of nothing and one beyond two metres are refused with the range."""
    with pytest.raises(InputError, match="more than 0 and at most 2000 mm"):
        parse_size(text)


@pytest.mark.parametrize(
    ("text", "paper"),
    [
        ("A4", Paper("A4", Size(210, 297), None)),
        ("a4", Paper("A4", Size(210, 297), None)),
        ("A4 landscape", Paper("A4", Size(210, 297), "landscape")),
        ("a4-landscape", Paper("A4", Size(210, 297), "landscape")),
        ("Landscape A4", Paper("A4", Size(210, 297), "landscape")),
        ("LETTER_portrait", Paper("Letter", PAPERS["Letter"], "portrait")),
        ("half letter", Paper("Half-letter", PAPERS["Half-letter"], None)),
        ("halfletter", Paper("Half-letter", PAPERS["Half-letter"], None)),
        ("210x297mm", Paper("210 x 297 mm", Size(210, 297), "portrait")),
        ("297×210", Paper("297 x 210 mm", Size(210, 297), "landscape")),
        ("297x210 portrait", Paper("210 x 297 mm", Size(210, 297), "portrait")),
        ("20x20cm", Paper("200 x 200 mm", Size(200, 200), "portrait")),
        ("50x2000", Paper("50 x 2000 mm", Size(50, 2000), "portrait")),
    ],
)
def test_papers_are_read(text: str, paper: Paper) -> None:
    """A paper is a name or a size, with an orientation before or after it."""
    assert parse_paper(text) == paper


@given(st.sampled_from(sorted(PAPERS)), st.sampled_from([str.upper, str.lower, str.title]))
def test_every_known_paper_is_found_by_its_name_in_any_case(name: str, case: object) -> None:
    """Each name listed in a message is accepted in any case."""
    assert callable(case)
    assert parse_paper(case(name)).name == name


def test_metric_and_american_papers_have_their_official_sizes() -> None:
    """A4 and Letter have the sizes of ISO 216 and ANSI, and every known paper is upright."""
    assert parse_paper("a4").size == (210, 297)
    assert parse_paper("letter").size == pytest.approx((215.9, 279.4))
    assert all(size.width < size.height for size in PAPERS.values())


def test_an_unknown_paper_lists_the_known_ones() -> None:
    """The message for an unknown name has all known names and the nearest one."""
    with pytest.raises(InputError) as caught:
        parse_paper("leter landscape")
    message = str(caught.value)
    assert "unknown paper 'leter landscape'" in message
    assert all(name in message for name in PAPERS)
    assert message.endswith("did you mean Letter?")


@pytest.mark.parametrize(
    "text", ["", "a99", "landscape", "landscape a4 portrait", "nanxnan", "-210x297", "x" * 5000]
)
def test_what_is_no_paper_is_refused_shortly(text: str) -> None:
    """Nonsense is refused with the range of sizes, on a line of bearable length."""
    with pytest.raises(InputError, match=r"unknown paper .* from 50 to 2000 mm") as caught:
        parse_paper(text)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("text", ["0x297", "49.9x100", "100x2001", "1000000000x100", "0.0001x500"])
def test_absurd_papers_are_refused_with_the_range(text: str) -> None:
    """A paper no printer takes is refused with what is allowed."""
    with pytest.raises(InputError, match="out of range, a side must be from 50 to 2000 mm"):
        parse_paper(text)


def test_a_control_character_does_not_reach_the_terminal() -> None:
    """A message shows an escape byte as such."""
    with pytest.raises(InputError) as caught:
        parse_paper("a4\x1b[31m")
    assert "\x1b" not in str(caught.value)


def test_a_paper_knows_how_it_may_lie() -> None:
    """Both ways unless one was said or there is no difference."""
    assert parse_paper("a6").sizes == ((105, 148), (148, 105))
    assert parse_paper("a6 landscape").sizes == ((148, 105),)
    assert parse_paper("a6 portrait").sizes == ((105, 148),)
    assert parse_paper("100x100").sizes == ((100, 100),)


def test_sizes_are_described_without_needless_digits() -> None:
    """A size reads as people write it."""
    assert describe(Size(210, 139.5)) == "210 x 139.5 mm"
    assert describe(Size(215.9, 25.4 * 11)) == "215.9 x 279.4 mm"


@given(st.text(max_size=60))
def test_any_text_gives_a_value_or_an_input_error(text: str) -> None:
    """No text whatsoever raises anything but an input error."""
    for parse in (parse_length, parse_size, parse_paper):
        with contextlib.suppress(InputError):
            parse(text)
