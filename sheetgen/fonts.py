"""Font files: which glyphs they have and how wide those are.

Reading is reportlab's, so that the widths used by layout are the widths the PDF is set with.
"""

from __future__ import annotations

import os
import re
import stat
import struct
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Any

from sheetgen.errors import InputError, Problem
from sheetgen.geometry import PT_PER_MM

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from reportlab.pdfbase.ttfonts import TTFont


_MOST_LETTERS = 0x110000  # all of Unicode


class Font:
    """One TrueType file; ``name`` is what a scene's texts refer to."""

    def __init__(self, name: str, path: Path) -> None:
        self.name, self.path = name, path
        self.ttf = _read(name, path)
        self._widths: dict[int, float] = self.ttf.face.charWidths
        self._glyphs: dict[int, int] = self.ttf.face.charToGlyph

    def has(self, character: str) -> bool:
        """Whether the font draws this character."""
        return self._glyphs.get(ord(character), 0) != 0

    def width(self, string: str, size: float, tracking: float = 0.0) -> float:
        """Return the width in mm of ``string`` at ``size`` pt, ``tracking`` em between glyphs."""
        units = sum(self._widths.get(ord(character), 0.0) for character in string)
        return (units / 1000 + tracking * max(0, len(string) - 1)) * size / PT_PER_MM


class Fonts:
    """The fonts of one job, read on first use. Keys are role-like names (``serif-italic``).

    ``fallbacks`` are the user's own fonts, read at once; their keys are ``extra-1``, ``extra-2`` …
    Keys of one file share one :class:`Font`, so that it is embedded once.
    """

    def __init__(self, files: dict[str, Path], fallbacks: tuple[Path, ...] = ()) -> None:
        extra = {f"extra-{i}": path for i, path in enumerate(fallbacks, 1)}
        self._files = {**files, **extra}
        self._fallbacks = tuple(extra)
        self._fonts: dict[str, Font] = {}
        for name in self._fallbacks:
            self[name]

    def __getitem__(self, name: str) -> Font:
        if name not in self._fonts:
            self._fonts[name] = self._load(name)
        return self._fonts[name]

    def _load(self, name: str) -> Font:
        path = os.path.realpath(self._files[name])
        for font in self._fonts.values():
            if os.path.realpath(font.path) == path:
                return font
        font = Font(name, self._files[name])
        faces = {other.ttf.face for other in self._fonts.values()}
        if twins := sum(face.name == font.ttf.face.name for face in faces):
            # Two files may bear one PostScript name; a PDF by reportlab needs them told apart.
            font.ttf.face.subfontNameX = b"-%d" % (twins + 1)
        return font

    def runs(self, string: str, name: str) -> list[tuple[str, Font]]:
        """Split ``string`` into runs, each with the first font that has its characters.

        The order is the font ``name``, the user's own fonts, then the theme's other fonts. Raises
        :class:`InputError` for a character that none has or that cannot be set right yet.
        """
        if reason := unsettable(string):
            raise InputError(Problem(reason, "leave it away or write it in another script"))
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
        raise InputError(Problem(missing_glyph(character), _advice(character)))


def missing_glyph(character: str) -> str:
    """Say which character has no glyph, with its code point and its Unicode name."""
    title = unicodedata.name(character, "a character without a name")
    shown = character if character.isprintable() else "?"
    return f"no font has {shown!r} (U+{ord(character):04X} {title})"


def _advice(character: str) -> str:
    if unicodedata.category(character)[0] in "CZ":
        return "leave it away"
    return "give a font that has it with --font FILE"


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
                f"U+{ord(character):04X} {unicodedata.name(character, '')} combines with the "
                "letter before it, which cannot be set right yet"
            )
    return ""


@cache
def _embedded() -> type[TTFont]:
    """Return reportlab's font, but for letters beyond U+FFFF: those could not be copied or found.

    reportlab tells a reader ``<1F48E>`` of them, a CMap wants UTF-16: ``<D83DDC8E>``.
    """
    from reportlab.pdfbase.ttfonts import TTFont

    def pair(found: re.Match[str]) -> str:
        return f"<{chr(int(found[1], 16)).encode('utf-16-be').hex().upper()}>"

    class Embedded(TTFont):  # type: ignore[misc]
        def addObjects(self, doc: Any) -> None:  # noqa: N802
            super().addObjects(doc)
            for name, item in doc.idToObject.items():
                if name.startswith("toUnicodeCMap:"):
                    item.content = re.sub(r"<((?:10|[1-9A-F])[0-9A-F]{4})>", pair, item.content)

    return Embedded


def _read(name: str, path: Path) -> TTFont:
    from reportlab.pdfbase.ttfonts import TTFError

    try:
        # A pipe or a device could be read without end.
        if not stat.S_ISREG(path.stat().st_mode) and not path.is_dir():
            raise _unreadable(path, "no file")
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(Problem(f"cannot read the font: {reason}", file=str(path))) from None
    if data[:4] == b"OTTO":
        raise InputError(
            Problem(
                "an OpenType font with CFF outlines",
                "give the same font with TrueType outlines (.ttf)",
                file=str(path),
            )
        )
    try:
        letters = _letters(data)
    except struct.error:
        letters = 0  # reportlab says what is wrong
    if letters > _MOST_LETTERS:  # through which it would go one by one
        raise _unreadable(path, "its table of characters is broken")
    try:
        # Without asciiReadable only the letters that are used are embedded, not all of ASCII.
        font = _embedded()(name, str(path), asciiReadable=False)
    except (
        TTFError,
        struct.error,
        AssertionError,
        AttributeError,
        LookupError,
        TypeError,
        ValueError,
    ) as error:
        reason = " ".join(str(error).replace(f'"{path}"', "").split())
        raise _unreadable(path, reason[:80]) from None
    size = path.stat().st_size
    if any(table["offset"] + table["length"] > size for table in font.face.tables):
        raise _unreadable(path, "its end is missing")
    return font


def _letters(data: bytes) -> int:
    """Return how many characters a font's largest table claims to have."""
    start = struct.unpack_from(">L", data, 12)[0] if data[:4] == b"ttcf" else 0
    (count,) = struct.unpack_from(">H", data, start + 4)
    entries = (struct.unpack_from(">4sLLL", data, start + 12 + 16 * i) for i in range(count))
    cmap = next((offset for tag, _, offset, _ in entries if tag == b"cmap"), None)
    if cmap is None:
        return 0
    most = 0
    (count,) = struct.unpack_from(">H", data, cmap + 2)
    for number in range(count):
        at = cmap + struct.unpack_from(">L", data, cmap + 8 + 8 * number)[0]
        (kind,) = struct.unpack_from(">H", data, at)
        spans: Iterable[tuple[int, ...]] = ()
        if kind == 4:
            length = struct.unpack_from(">H", data, at + 6)[0] // 2
            ends = struct.unpack_from(f">{length}H", data, at + 14)
            starts = struct.unpack_from(f">{length}H", data, at + 16 + 2 * length)
            spans = zip(starts, ends, strict=True)
        elif kind in (12, 13):
            (length,) = struct.unpack_from(">L", data, at + 12)
            groups = data[at + 16 : at + 16 + 12 * length]
            spans = struct.iter_unpack(">LLL", groups[: len(groups) // 12 * 12])
        most = max(most, sum(max(0, span[1] - span[0] + 1) for span in spans))
    return most


def _unreadable(path: Path, reason: str) -> InputError:
    found = f"not a TrueType font that can be read ({reason})"
    return InputError(Problem(found, "give a .ttf file", file=str(path)))
