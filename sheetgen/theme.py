"""The look: a theme's roles, and what they come to in one ink mode.

Sheets and layout speak in roles. :class:`Style` answers with paint, type and mm.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from sheetgen.errors import InputError, Problem, nearest
from sheetgen.fonts import Fonts
from sheetgen.scene import Paint
from sheetgen.schema import (
    Choice,
    Flag,
    ListOf,
    MapOf,
    Name,
    Number,
    Reader,
    Record,
    Struct,
    Words,
    key,
)
from sheetgen.source import read

COLOUR = Words(r"#[0-9A-Fa-f]{6}", "a colour such as '#1B2733', in quotes")
MM = Number(0, 100, "mm")
PT = Number(0, 100, "pt")
SIZE = Number(3, 100, "pt")
LEAST_MM = Number(0.5, 100, "mm")
NEUTRAL = Choice("ink", "secondary", "hairline", "river", "lane")
PAPER = "#ffffff"

# What layout asks of every theme.
ROLES = {
    "type": (
        *("box_label", "code", "constant", "die", "entry", "entry_small", "face_letter"),
        *("gutter", "heading", "hint", "label", "ladder", "ladder_gain", "letter"),
        *("letter_small", "note", "number"),
        *("numeral", "option", "reading", "ring", "rules", "subtitle", "threshold", "title"),
        *("title_row", "total_label", "value", "words"),
    ),
    "lines": (
        *("box", "check", "contour", "cut", "field", "fold", "key", "milestone", "option"),
        *("plain", "rail", "ring", "river", "rule", "score", "tick", "total", "trail"),
        "waypoint",
    ),
    "radii": ("box", "check"),
    "space": ("clear", "group", "gutter", "label", "lane", "margin", "within", "write", "zone"),
    "sizes": (
        *("box", "bridge", "check", "code", "effect", "head", "marker", "option", "ring"),
        *("key", "score", "small", "symbol", "tick", "waypoint"),
    ),
    "neutral": ("hairline", "ink", "river", "secondary", "solid", "tint", "wash"),
    "inks": ("full", "low", "bw"),
}


class FontFile(Record):
    """A font file inside a Python package, or beside the theme."""

    file: Name = key(Words(), "File name.")
    package: Name | None = key(Words(r"[a-z0-9_]+", "a package name"), "The package.", default=None)


class Type(Record):
    """A type role."""

    font: Name = key(Words(), "A font of the theme.")
    size: float = key(SIZE, "Size in pt.")
    floor: float = key(SIZE, "Size in pt to which a text may shrink.")
    tracking: float = key(Number(-0.2, 1, "em"), "Room after each letter in em.", default=0.0)
    upper: bool = key(Flag(), "Set in capitals.", default=False)
    colour: str = key(NEUTRAL, "Its colour.")
    leading: float = key(MM, "From line to line in mm.", default=3.4)


class Stroke(Record):
    """A line role."""

    width: float = key(PT, "Width in pt.")
    colour: str = key(NEUTRAL, "Its colour.")
    dash: tuple[float, ...] = key(ListOf(MM, 2, 6), "On and off in mm.", default=())
    round: bool = key(Flag(), "Round ends.", default=False)
    hairline: bool = key(Flag(), "Drawn thinner in black and white.", default=False)


class Ink(Record):
    """A game colour's three tones."""

    ink: Name = key(COLOUR, "Text and lines.")
    fill: Name = key(COLOUR, "Symbols.")
    tint: Name = key(COLOUR, "Boxes that mean something.")
    outline: bool = key(Flag(), "Symbols need an outline in ink.", default=False)


class Mode(Record):
    """An ink mode."""

    tints: bool = key(Flag(), "Whether tints are printed.")
    symbols: str = key(Choice("filled", "outlined", "solid"), "How symbols are drawn.")
    only: Name | None = key(COLOUR, "The one colour of everything.", default=None)
    hairlines: float = key(Number(0.1, 2), "Factor on the width of hairlines.", default=1.0)


class Theme(Record):
    """A theme file."""

    title: Name = key(Words(), "Its name.")
    fonts: dict[str, FontFile] = key(MapOf(Struct(FontFile)), "Font files.")
    type: dict[str, Type] = key(MapOf(Struct(Type)), "Type roles.")
    lines: dict[str, Stroke] = key(MapOf(Struct(Stroke)), "Line roles.")
    radii: dict[str, float] = key(MapOf(MM), "Corner radii in mm.")
    space: dict[str, float] = key(MapOf(MM), "Room in mm.")
    sizes: dict[str, float] = key(MapOf(LEAST_MM), "Sizes in mm.")
    neutral: dict[str, Name] = key(MapOf(COLOUR), "Colours that belong to no lane.")
    colours: dict[str, Ink] = key(MapOf(Struct(Ink)), "Colours of lanes.")
    inks: dict[str, Mode] = key(MapOf(Struct(Mode)), "Ink modes.")


def load(path: Path) -> Theme:
    """Read a theme file. Raises :class:`InputError` with every problem."""
    reader = Reader(str(path))
    theme = Struct(Theme).decode(read(path), reader, "")
    problems = reader.problems or check(theme)
    if problems:
        raise InputError(sorted(problems, key=lambda problem: (problem.line, problem.column)))
    assert isinstance(theme, Theme)
    return theme


def check(theme: Theme) -> list[Problem]:
    """Return every role that a theme lacks, and what in it does not fit together."""
    problems = []
    for group, roles in ROLES.items():
        for role in roles:
            if role not in getattr(theme, group):
                found = f"the key {role!r} is missing"
                problems.append(theme.at(group).problem(found, "every theme needs it"))
    for kind in theme.type.values():
        if kind.font not in theme.fonts:
            known = f"known are {', '.join(theme.fonts)}"
            near = nearest(kind.font, theme.fonts)
            problems.append(
                kind.font.place.problem(f"unknown font {str(kind.font)!r}", known, near)
            )
        if kind.floor > kind.size:
            found = f"floor {kind.floor:g}"
            problems.append(kind.at("floor").problem(found, f"at most the size, {kind.size:g}"))
    return problems


class Style:
    """A theme in one ink mode."""

    def __init__(self, theme: Theme, ink: str, extra_fonts: tuple[Path, ...] = ()) -> None:
        self.theme = theme
        self.mode = theme.inks[ink]
        self.space, self.sizes, self.radii = theme.space, theme.sizes, theme.radii
        self.fonts = Fonts(
            {str(n): _font_path(theme, f) for n, f in theme.fonts.items()}, extra_fonts
        )

    def type(self, role: str) -> Type:
        """Return a type role."""
        found: Type = self._role(self.theme.type, role, "type role")
        return found

    def colour(self, role: str, lane: str | None = None) -> str:
        """Return the colour of a role; ``lane`` is the lane's colour in the theme, if any."""
        if self.mode.only:
            return self.mode.only
        if role == "lane":
            return self.inks(lane).ink if lane else self.theme.neutral["secondary"]
        return self.theme.neutral[role]

    def inks(self, lane: str) -> Ink:
        """Return a lane's three tones."""
        found: Ink = self._role(self.theme.colours, lane, "colour")
        return found

    def tint(self, lane: str | None) -> str | None:
        """Return a lane's tint, or ``None`` where tints are not printed."""
        if not self.mode.tints:
            return None
        return self.inks(lane).tint if lane else self.theme.neutral["tint"]

    def wash(self) -> str | None:
        """Return the river's tint, or ``None`` where tints are not printed."""
        return self.theme.neutral["wash"] if self.mode.tints else None

    def stroke(self, role: str, lane: str | None = None, fill: str | None = None) -> Paint:
        """Return the paint of a line role."""
        line: Stroke = self._role(self.theme.lines, role, "line role")
        width = line.width * (self.mode.hairlines if line.hairline else 1)
        return Paint(fill, self.colour(line.colour, lane), width, line.dash, line.round)

    def _role(self, roles: dict[str, Any], name: str, noun: str) -> Any:
        if name in roles:
            return roles[name]
        known = f"the theme has {', '.join(roles)}"
        raise InputError(
            self.theme.place.problem(f"unknown {noun} {name!r}", known, nearest(name, roles))
        )


def _font_path(theme: Theme, font: FontFile) -> Path:
    if not font.package:
        return Path(theme.place.file).parent / font.file
    try:
        spec = importlib.util.find_spec(font.package)
    except (ImportError, ValueError):  # of a module that is no package
        spec = None
    if spec is None or not spec.submodule_search_locations:
        found = f"the font package {font.package} is not installed"
        raise InputError(font.package.place.problem(found, "install it with pip"))
    return Path(spec.submodule_search_locations[0]) / "files" / font.file
