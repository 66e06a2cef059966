"""One layout job: what elements need to know, and the ink and boxes they leave behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from sheetgen import icons
from sheetgen.errors import InputError, Problem
from sheetgen.fonts import unsettable
from sheetgen.geometry import PT_PER_MM, Rect
from sheetgen.model import Variant
from sheetgen.scene import Box, BoxKind, Item, Paint, Path, Segment, Text
from sheetgen.schema import Name, Place
from sheetgen.symbols import Symbol
from sheetgen.text import Text as Words
from sheetgen.theme import PAPER, Style

CAP_HEIGHT = 0.66  # of the type size: Source Sans 0.66, Source Serif 0.67
LEAST = 0.005  # mm; sums of lengths are compared with this tolerance


class Shape(NamedTuple):
    """How a kind of element is laid out. All lengths in mm."""

    least_width: Callable[[Job, Any], float]
    height: Callable[[Job, Any, float], float]  # at a given width
    place: Callable[[Job, Any, Rect], None]
    grows: Callable[[Job, Any], float] = lambda job, element: 0.0  # share of spare height


class Set(NamedTuple):
    """A line of words at the size it fits in; ``width`` in mm."""

    words: str
    role: str
    size: float
    width: float


def _words(line: str) -> list[str]:
    """Return the words of a line; a no-break space parts none."""
    return [word for word in line.split(" ") if word]


class Job:
    """Shared by all elements of one sheet; ``content`` is the sheet without its margin.

    ``lane``, ``lane_gap`` and ``gutter`` are those of the sheet's main table in mm, ``codes`` the
    places that the layout keeps for the sheet's code.
    """

    def __init__(
        self,
        variant: Variant,
        style: Style,
        shapes: Mapping[type, Shape],
        symbols: Mapping[str, Symbol],
        *,
        language: str,
        values: Mapping[str, Any],
        rules: bool,
        content: Rect,
    ) -> None:
        self.variant, self.style, self.shapes, self.symbols = variant, style, shapes, symbols
        self.language, self.values, self.rules, self.content = language, values, rules, content
        self.items: list[Item] = []
        self.boxes: list[Box] = []
        self.problems: list[Problem] = []
        self.codes: list[tuple[Rect, bool]] = []
        self.suffix = ""
        self.lane = self.lane_gap = self.gutter = 0.0

    # -- elements -----------------------------------------------------------------------------

    def least_width(self, element: Any) -> float:
        """Return the least width of an element in mm."""
        if element.width is not None:
            return float(element.width)
        if element.lanes_wide is not None:
            return float(element.lanes_wide * (self.lane + self.lane_gap) - self.lane_gap)
        return self.shapes[type(element)].least_width(self, element)

    def height(self, element: Any, width: float) -> float:
        """Return the natural height of an element in mm at a width."""
        return self.shapes[type(element)].height(self, element, width)

    def grows(self, element: Any) -> float:
        """Return the share of spare height that an element takes."""
        return self.shapes[type(element)].grows(self, element)

    def place(self, element: Any, rect: Rect) -> None:
        """Lay an element out in ``rect``."""
        self.shapes[type(element)].place(self, element, rect)

    # -- values and words -------------------------------------------------------------------------

    def count(self, number: int | Name) -> int:
        """Return a number, looked up if it is given by name."""
        if isinstance(number, Name):
            return int(self.values[number])
        return number

    def words(self, text: Words | None, **more: Any) -> str:
        """Return words in the job's language; templates see the job's values and ``more``."""
        if text is None:
            return ""
        string = text.render(self.language, {**self.values, **more})
        if reason := unsettable(string):
            self.fail(text.place, reason, "leave it away or write it in another script")
            return ""
        try:
            # Every role falls back on every font, so that one role's answer is that of all.
            self.style.fonts.runs("".join(string.split()), self.style.type("title").font)
        except InputError as error:
            self.missing(error, text.place)
            return ""
        return string

    def fail(self, place: Place, found: str, allowed: str = "") -> None:
        """Note what is wrong at ``place``, once."""
        problem = place.problem(found, allowed)
        if problem not in self.problems:
            self.problems.append(problem)

    def too_small(self, place: Place, what: str, needed: float, available: float) -> None:
        """Note that something does not fit, with the millimetres that are missing."""
        missing = needed - available
        digits = 1 if missing >= 0.1 else 2
        self.fail(
            place,
            f"{what} needs {needed:.{digits}f} mm and has {max(available, 0):.{digits}f} mm",
            f"{missing:.{digits}f} mm are missing",
        )

    @contextmanager
    def numbered(self, name: Name | None, number: int) -> Iterator[None]:
        """Within, templates know ``name`` as ``number``, and ids carry it as a suffix."""
        if name is None:
            yield
            return
        values, suffix = self.values, self.suffix
        self.values = {**values, str(name): number}
        self.suffix = f"{suffix}_{name}{number}"
        yield
        self.values, self.suffix = values, suffix

    # -- type ---------------------------------------------------------------------------------

    def measure(self, words: str, role: str, size: float | None = None) -> float:
        """Return the width in mm of a line in a type role, at its full size unless one is given."""
        kind = self.style.type(role)
        shown = words.upper() if kind.upper else words
        size = size or kind.size
        runs = self.style.fonts.runs(shown, kind.font)
        width = sum(font.width(run, size, kind.tracking) for run, font in runs)
        return width + (len(runs) - 1) * kind.tracking * size / PT_PER_MM

    def fit(self, words: str, role: str, width: float, place: Place) -> Set:
        """Return a line shrunk to ``width`` mm, but not below the role's floor: then a problem."""
        kind = self.style.type(role)
        if "\n" in words:
            self.fail(place, f"a line break in {words!r}", "this text stands on one line")
            words = " ".join(words.split())
        try:
            full = self.measure(words, role)
        except InputError as error:
            self.missing(error, place)
            return Set("", role, kind.size, 0)
        if full <= width + LEAST:
            return Set(words, role, kind.size, full)
        size = max(kind.size * width / full, kind.floor)
        least = full * kind.floor / kind.size
        if least > width + LEAST:
            shown = words if len(words) <= 24 else words[:23] + "…"
            self.too_small(place, f"{shown!r} at {kind.floor:g} pt", least, width)
        return Set(words, role, size, full * size / kind.size)

    def sized(self, words: str, role: str, cap: float, least: float = 0.0) -> Set:
        """Return a line whose capitals are ``cap`` mm high, but not below ``least`` pt."""
        kind = self.style.type(role)
        size = max(cap * PT_PER_MM / CAP_HEIGHT, least)
        try:
            return Set(words, role, size, self.measure(words, role, size))
        except InputError as error:
            self.missing(error, self.variant.place)
            return Set("", role, kind.size, 0)

    def missing(self, error: InputError, place: Place) -> None:
        """Note a character that no font has, at the words' place."""
        for problem in error.problems:
            self.fail(place, problem.found, problem.allowed)

    def wrap(self, words: str, role: str, width: float, place: Place) -> list[Set]:
        """Return the lines of a paragraph ``width`` mm wide; line breaks in the words are kept.

        Words with line breaks shrink together, down to the role's floor, before they wrap: their
        author chose the lines.
        """
        try:
            if "\n" in words and (set_ := self._shrunk(words.split("\n"), role, width)):
                return set_
            space = self.measure(" ", role)
            tracking = self.style.type(role).tracking * self.style.type(role).size / PT_PER_MM
            lines: list[str] = []
            for paragraph in words.split("\n"):
                line, length = "", 0.0
                for word in _words(paragraph):
                    long = self.measure(word, role) + tracking
                    if line and length + space + long > width + LEAST:
                        lines.append(line)
                        line, length = word, long
                    else:
                        length += long + (space + tracking if line else 0)
                        line = f"{line} {word}" if line else word
                lines.append(line)
        except InputError as error:
            self.missing(error, place)
            return []
        return [self.fit(line, role, width, place) for line in lines]

    def _shrunk(self, lines: list[str], role: str, width: float) -> list[Set]:
        """Return the lines at the largest size at which all fit, or none if that is too small."""
        kind = self.style.type(role)
        lines = [" ".join(_words(line)) for line in lines]
        lengths = [self.measure(line, role) for line in lines]
        longest = max(lengths)
        scale = 1.0 if longest <= width + LEAST else width / longest
        if kind.size * scale < kind.floor:
            return []
        return [
            Set(line, role, kind.size * scale, length * scale)
            for line, length in zip(lines, lengths, strict=True)
        ]

    def put(
        self,
        line: Set,
        x: float,
        y: float,
        lane: str | None = None,
        *,
        angle: int = 0,
        role: str = "",
        colour: str = "",
    ) -> None:
        """Ink a line whose baseline starts at (x, y), in its role's colour unless one is given."""
        kind = self.style.type(line.role)
        shown = line.words.upper() if kind.upper else line.words
        colour = colour or self.style.colour(kind.colour, lane)
        for run, font in self.style.fonts.runs(shown, kind.font):
            width = font.width(run, line.size, kind.tracking)
            item = Text(
                x,
                y,
                run,
                font.name,
                line.size,
                colour,
                kind.tracking,
                width,
                angle,
                role or line.role,
            )
            self.items.append(item)
            step = width + kind.tracking * line.size / PT_PER_MM
            x, y = (x, y - step) if angle else (x + step, y)

    def put_in(
        self, line: Set, rect: Rect, align: str = "center", lane: str | None = None, role: str = ""
    ) -> None:
        """Ink a line in the middle of ``rect``'s height, at its left, center or right."""
        slack = rect.width - line.width
        x = rect.x + {"left": 0.0, "center": slack / 2, "right": slack}[align]
        self.put(line, x, rect.center.y + self.cap(line) / 2, lane, role=role)

    def cap(self, line: Set) -> float:
        """Return the height of the line's capitals in mm."""
        return CAP_HEIGHT * line.size / PT_PER_MM

    def say(
        self,
        words: str,
        role: str,
        rect: Rect,
        place: Place,
        align: str = "center",
        lane: str | None = None,
    ) -> None:
        """Fit words into ``rect`` and ink them."""
        if words:
            self.put_in(self.fit(words, role, rect.width, place), rect, align, lane)

    # -- ink ----------------------------------------------------------------------------------

    def draw(self, segments: tuple[Segment, ...], paint: Paint, role: str) -> None:
        """Ink a path."""
        self.items.append(Path(segments, paint, role))

    def symbol(
        self,
        name: str,
        place: Rect,
        lane: str | None = None,
        ground: str = PAPER,
        *,
        inverse: bool = False,
    ) -> None:
        """Ink a symbol in the middle of ``place``, as large as fits; ``inverse`` on black."""
        side = min(place.width, place.height)
        square = Rect(place.center.x - side / 2, place.center.y - side / 2, side, side)
        symbol = self.symbols[name]
        self.items += icons.draw(symbol, square, self.style, lane, ground, inverse=inverse)

    def box(self, name: str, rect: Rect, kind: BoxKind, label: str) -> None:
        """Note a place that is written in."""
        self.boxes.append(Box(name + self.suffix, rect, kind, label))
