from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from sheetgen.errors import InputError
from sheetgen.fonts import Font, Fonts, missing_glyph, unsettable
from sheetgen.geometry import PT_PER_MM

SANS = Path(str(files("font_source_sans_pro"))) / "files"
SERIF = Path(str(files("font_source_serif_pro"))) / "files"
REGULAR, BOLD = SANS / "SourceSansPro-Regular.ttf", SANS / "SourceSansPro-Bold.ttf"
# Source Serif has no Thai baht sign … each theme font here lacks letters that another has.
SERIF_REGULAR = SERIF / "SourceSerifPro-Regular.ttf"


def refusal(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        Font("x", path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_width_is_the_sum_of_advances():
    """A width is the advances at that size, in mm, with tracking between letters only."""
    font = Font("sans", REGULAR)
    # H is 652 units wide: 2 × 0.652 × 10 pt = 13.04 pt
    assert font.width("HH", 10) * PT_PER_MM == pytest.approx(13.04)
    # and one gap of 0.1 × 10 pt
    assert font.width("HH", 10, 0.1) * PT_PER_MM == pytest.approx(14.04)
    assert font.width("", 10, 0.1) == 0


def test_fonts_know_their_letters():
    """A font has the letters it draws and no others."""
    font = Font("sans", REGULAR)
    assert all(font.has(letter) for letter in "AřЖΩ→")
    assert not any(font.has(letter) for letter in "黄💎\n")
