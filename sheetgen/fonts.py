"""Font files: which glyphs they have and how wide those are.

Reading is reportlab's, so that the widths used by layout are the widths the PDF is set with.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

from sheetgen.errors import InputError, Problem
from sheetgen.geometry import PT_PER_MM

if TYPE_CHECKING:
    from reportlab.pdfbase.ttfonts import TTFont


class Font:
    """One TrueType file. ``name`` is what a scene's texts refer to and what the PDF registers."""

    def __init__(self, name: str, path: Path) -> None:
        self.name, self.path = name, path
        self.ttf = _read(name, path)
        self._widths: dict[int, float] = self.ttf.face.charWidths
        self._glyphs: dict[int, int] = self.ttf.face.charToGlyph

    def has(self, character: str) -> bool:
        """Whether the font draws this character."""
        return self._glyphs.get(ord(character), 0) != 0

    def width(self, string: str, size: float, tracking: float = 0.0) -> float:
        """Return the width in mm of ``string`` at ``size`` pt, ``tracking`` em between its glyphs."""
        units = sum(self._widths.get(ord(character), 0.0) for character in string)
        return (units / 1000 + tracking * max(0, len(string) - 1)) * size / PT_PER_MM


class Fonts:
    """The fonts of one job, read on first use. Keys are role-like names (``serif-italic``)."""

    def __init__(self, files: dict[str, Path], fallbacks: tuple[Path, ...] = ()) -> None:
        self._files = files
        self._fallbacks = tuple(f"extra-{i}" for i in range(1, len(fallbacks) + 1))
        self._files = {**files, **dict(zip(self._fallbacks, fallbacks, strict=True))}
        self._loaded: dict[str, Font] = {}
        for name in self._fallbacks:
            self[name]

    def __getitem__(self, name: str) -> Font:
        if name not in self._loaded:
            self._loaded[name] = Font(name, self._files[name])
        return self._loaded[name]

    def runs(self, string: str, name: str) -> list[tuple[str, Font]]:
        """Split ``string`` into runs, each with the first font that has its characters.

        The order is the font ``name``, the user's own fonts, then the theme's other fonts. Raises
        :class:`InputError` for characters that none has, or that cannot be set right yet.
        """
        runs: list[tuple[str, Font]] = []
        for character in string:
            font = self._font_for(character, name)
            if runs and runs[-1][1] is font:
                runs[-1] = (runs[-1][0] + character, font)
            else:
                runs.append((character, font))
        return runs

    def _font_for(self, character: str, name: str) -> Font:
        if self[name].has(character):
            return self[name]
        for other in (*self._fallbacks, *(key for key in self._files if key != name)):
            if self[other].has(character):
                return self[other]
        raise InputError(Problem(missing_glyph(character), "give a font that has it with --font FILE"))


def missing_glyph(character: str) -> str:
    """Say which character has no glyph, with its code point and its Unicode name."""
    title = unicodedata.name(character, "a character without a name")
    shown = character if character.isprintable() else "?"
    return f"no font has {shown!r} (U+{ord(character):04X} {title})"


def unsettable(string: str) -> str:
    """Return why a text cannot be set right yet (writing direction, combining marks), or ``""``."""
    for character in string:
        if unicodedata.bidirectional(character) in ("R", "AL", "AN", "RLE", "RLO", "RLI"):
            return (
                f"{character!r} (U+{ord(character):04X}) is written from right to left, "
                "which cannot be set right yet"
            )
        if unicodedata.category(character) in ("Mn", "Mc", "Me"):
            return (
                f"U+{ord(character):04X} {unicodedata.name(character, '')} combines with the letter "
                "before it, which cannot be set right yet"
            )
    return ""


def _read(name: str, path: Path) -> TTFont:
    from reportlab.pdfbase.ttfonts import TTFError, TTFont

    try:
        head = path.open("rb").read(4)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(Problem(f"cannot read the font: {reason}", file=str(path))) from None
    if head == b"OTTO":
        raise InputError(
            Problem(
                "an OpenType font with CFF outlines",
                "give the same font with TrueType outlines (.ttf)",
                file=str(path),
            )
        )
    try:
        return TTFont(name, str(path))
    except (TTFError, ValueError, KeyError, IndexError, TypeError, AssertionError) as error:
        reason = " ".join(str(error).split())[:80]
        raise InputError(
            Problem(f"not a TrueType font that can be read ({reason})", "give a .ttf file", file=str(path))
        ) from None
