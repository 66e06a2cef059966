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
SERIF_REGULAR = SERIF / "SourceSerifPro-Regular.ttf"


def refusal(path: Path) -> str:
    """Return the one line that says why a font is refused."""
    with pytest.raises(InputError) as caught:
        Font("x", path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_width_is_the_sum_of_advances() -> None:
    """A width is the advances at that size, in mm, with tracking between letters only."""
    font = Font("sans", REGULAR)
    # H is 652 units wide: 2 × 0.652 × 10 pt = 13.04 pt
    assert font.width("HH", 10) * PT_PER_MM == pytest.approx(13.04)
    # and one gap of 0.1 × 10 pt
    assert font.width("HH", 10, 0.1) * PT_PER_MM == pytest.approx(14.04)
    assert font.width("", 10, 0.1) == 0


def test_fonts_know_their_letters() -> None:
    """A font has the letters it draws and no others."""
    font = Font("sans", REGULAR)
    assert all(font.has(letter) for letter in "AřЖΩ→")
    assert not any(font.has(letter) for letter in "黄💎\n")


def test_runs_take_the_first_font_that_has_the_letter() -> None:
    """The asked font comes first, then the user's own, then the theme's others."""
    # Source Serif has no eng (Ŋ), Source Sans no arrow to the upper left (↖)
    theme = {"serif": SERIF_REGULAR, "sans": REGULAR}
    split = [(run, font.name) for run, font in Fonts(theme).runs("aŊŊb↖", "serif")]
    assert split == [("a", "serif"), ("ŊŊ", "sans"), ("b↖", "serif")]
    own = Fonts(theme, (BOLD,)).runs("aŊ", "serif")
    assert [(run, font.name) for run, font in own] == [("a", "serif"), ("Ŋ", "extra-1")]
    assert Fonts(theme).runs("", "serif") == []


def test_a_letter_that_no_font_has_is_named() -> None:
    """A missing letter is refused with its code point and its name, not drawn as a box."""
    with pytest.raises(InputError) as caught:
        Fonts({"sans": REGULAR}).runs("a黄", "sans")
    assert str(caught.value) == (
        "no font has '黄' (U+9EC4 CJK UNIFIED IDEOGRAPH-9EC4), "
        "give a font that has it with --font FILE"
    )
    assert missing_glyph("\x1b") == "no font has '?' (U+001B a character without a name)"


def test_scripts_that_cannot_be_set_are_said() -> None:
    """Right-to-left letters and combining marks are named; other texts pass."""
    assert "right to left" in unsettable("a שלום")
    assert "U+0301 COMBINING ACUTE ACCENT" in unsettable("e\u0301")
    assert unsettable("Řeka Ελλάδα $ → 1") == ""


def test_fonts_are_read_when_used() -> None:
    """A theme font that no text needs may be missing; the user's own fonts may not."""
    missing = Path("nowhere.ttf")
    used = Fonts({"sans": REGULAR, "other": missing})
    assert used["sans"] is used["sans"]
    with pytest.raises(InputError, match=r"nowhere\.ttf: cannot read the font: No such file"):
        used["other"]
    with pytest.raises(InputError, match=r"nowhere\.ttf"):
        Fonts({"sans": REGULAR}, (missing,))


def test_one_file_is_one_font(tmp_path: Path) -> None:
    """Two names for a file, also by way of a link, share what was read."""
    link = tmp_path / "link.ttf"
    link.symlink_to(REGULAR)
    used = Fonts({"sans": REGULAR, "body": REGULAR, "link": link, "bold": BOLD})
    assert used["sans"] is used["body"] is used["link"]
    assert used["bold"] is not used["sans"]


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.ttf", b"", "can't read version"),
        ("pic.ttf", b"\x89PNG\r\n\x1a\n" + bytes(99), "not a TrueType font"),
        ("a.ttf", b"OTTO" + bytes(99), "CFF outlines, give the same font with TrueType outlines"),
    ],
)
def test_files_that_are_no_fonts_are_refused(
    tmp_path: Path, name: str, data: bytes, said: str
) -> None:
    """What is not a TrueType font gets one line of advice with the file's name."""
    path = tmp_path / name
    path.write_bytes(data)
    message = refusal(path)
    assert message.startswith(f"{path}: ")
    assert said in message


@pytest.mark.parametrize("size", [3, 100, 1000, 20_000, 200_000, -1])
def test_fonts_that_are_cut_short_are_refused(tmp_path: Path, size: int) -> None:
    """A font whose end is missing is refused when it is read, not when it is drawn."""
    path = tmp_path / "cut.ttf"
    path.write_bytes(REGULAR.read_bytes()[:size])
    assert "give a .ttf file" in refusal(path)


def test_a_real_cff_font_and_a_folder_are_refused(tmp_path: Path) -> None:
    """The .otf beside the .ttf, and a folder, are refused in their own words."""
    assert "CFF outlines" in refusal(REGULAR.with_suffix(".otf"))
    assert "Is a directory" in refusal(tmp_path)
