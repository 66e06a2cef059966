"""Every sheet that is tested, laid out once, and how to measure what is on it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path as File
from typing import Any, NamedTuple

from sheetgen import decode, prepare, theme
from sheetgen.errors import InputError
from sheetgen.geometry import PT_PER_MM, Point, Rect
from sheetgen.layout import lay_out
from sheetgen.model import Sheet, Variant
from sheetgen.prepare import INKS, Choices
from sheetgen.scene import Item, Path, Scene, Text, bounds
from sheetgen.symbols import Symbol, load
from sheetgen.theme import Style

TESTS = File(__file__).parents[1]
BUNDLED = sorted((TESTS.parent / "variants").glob("*.yaml"))
OWN = sorted(path for path in (TESTS / "variants").glob("*.yaml") if path.stem != "symbols")

CAP = 0.66  # of the type size: the height of capitals and digits
DESCENDER = 0.21
HANGING = frozenset("gjpqyçQÇ(),;/$")  # what reaches below the baseline
MODULES = 21  # of a version 1 QR code, along a side


class Case(NamedTuple):
    """A sheet as somebody may print it; ``rules`` is the back."""

    variant: str
    sheet: str
    language: str
    players: int
    options: tuple[tuple[str, int], ...]
    ink: str

    def __str__(self) -> str:
        """Name the case in a test's name."""
        options = "".join(f"-{name}{value}" for name, value in self.options)
        parts = (self.variant, self.sheet, self.language, f"p{self.players}{options}", self.ink)
        return "-".join(parts)


@cache
def files() -> dict[str, File]:
    """Return the variants by name: the bundled ones and the tests' own."""
    return {path.stem: path for path in (*BUNDLED, *OWN)}


@cache
def variant(name: str) -> Variant:
    """Read a variant once."""
    return decode.load(files()[name])


@cache
def style(name: str, ink: str) -> Style:
    """Return a style; fonts are read once."""
    path = TESTS.parent / "templates" / "themes" / f"{name}.yaml"
    return Style(theme.load(path), ink)


@cache
def symbols() -> dict[str, Symbol]:
    """Return the bundled symbols."""
    return load(TESTS.parent / "templates" / "symbols.yaml")


def _setups(game: Variant) -> Iterator[tuple[int, dict[str, int]]]:
    """Yield numbers of players and options: every setup, the extremes, every option's extremes."""
    usual = game.usual or game.players[0]
    counts = {usual, *game.players} | {s.players[0] for s in (game.setups or {}).values()}
    for players in sorted(counts):
        yield players, {}
    for name, option in (game.options or {}).items():
        for value in (option.low, option.high):
            yield usual, {str(name): value}
    if game.options:
        yield game.players[1], {str(name): option.high for name, option in game.options.items()}


def sheet(case: Case) -> Sheet:
    """Return what the variant says about a case's sheet."""
    game = variant(case.variant)
    if case.sheet == "back":
        assert game.rules is not None
        return game.rules
    return game.sheets[case.sheet]


REFUSED: dict[Case, InputError] = {}  # what cases() could not lay out; a test asks that it is empty


@cache
def cases(*, inks: tuple[str, ...] = INKS, backs: bool = True) -> tuple[Case, ...]:
    """Return every variant x sheet x language x setup x ink mode; setups that are alike once."""
    found = []
    for name in files():
        game = variant(name)
        sheets = [*map(str, game.sheets), *(["back"] if backs and game.rules else [])]
        for which in sheets:
            for language in map(str, game.languages):
                seen = []
                for players, options in _setups(game):
                    case = Case(name, which, language, players, tuple(options.items()), inks[0])
                    try:
                        scene = lay(case)
                    except InputError as error:
                        REFUSED[case] = error
                        continue
                    if scene in seen:
                        continue
                    seen.append(scene)
                    found += [case._replace(ink=ink) for ink in inks]
    return tuple(found)


def values(case: Case) -> dict[str, Any]:
    """Return the numbers that counts and templates know."""
    choices = Choices(players=case.players, values=dict(case.options))
    problems: list[Any] = []
    found = prepare._values(variant(case.variant), choices, problems)
    assert not problems
    return dict(found)


@cache
def lay(case: Case, *, rules: bool = True) -> Scene:
    """Lay a case out once."""
    return lay_anew(case, rules=rules)


def lay_anew(case: Case, *, rules: bool = True, marks: bool = True) -> Scene:
    """Lay a case out."""
    game = variant(case.variant)
    return lay_out(
        game,
        sheet(case),
        style(str(game.theme), case.ink),
        symbols() | (game.symbols or {}),
        language=case.language,
        values=values(case),
        rules=rules,
        marks=marks,
    )


# -- measuring ------------------------------------------------------------------------------------


def content(scene: Scene) -> Rect:
    """Return the sheet without its margin."""
    return Rect(0, 0, *scene.size).inset(scene.margin)


def texts(scene: Scene, *roles: str) -> list[Text]:
    """Return the texts, or those of some roles."""
    return [i for i in scene.items if isinstance(i, Text) and (not roles or i.role in roles)]


def paths(scene: Scene, *roles: str) -> list[Path]:
    """Return the paths, or those of some roles."""
    return [i for i in scene.items if isinstance(i, Path) and (not roles or i.role in roles)]


def extent(text: Text, *, descent: bool = True) -> Rect:
    """Return the rectangle around a text: its width, its capitals, and descenders if it has any."""
    size = text.size / PT_PER_MM
    hangs = descent and not HANGING.isdisjoint(text.string)
    up, down = CAP * size, DESCENDER * size if hangs else 0.0
    if text.angle:
        return Rect(text.x - up, text.y - text.width, up + down, text.width)
    return Rect(text.x, text.y - up, text.width, up + down)


def around(item: Item, *, stroke: bool = False) -> Rect:
    """Return the rectangle around an item; a path's without its line's width unless ``stroke``."""
    if isinstance(item, Text):
        return extent(item)
    half = item.paint.width / PT_PER_MM / 2 if stroke and item.paint.stroke else 0.0
    return bounds(item.segments).inset(-half)


def markers(scene: Scene) -> list[Rect]:
    """Return the places of the corner markers: top left, top right, bottom left, bottom right."""
    return [around(path) for path in paths(scene, "fiducial")[:4]]


def codes(scene: Scene) -> list[Rect]:
    """Return the places of the codes."""
    return [around(path) for path in paths(scene, "fiducial")[4:]]


def distance(a: Rect, b: Rect) -> float:
    """Return the larger of the horizontal and the vertical gap between two rectangles, in mm."""
    across = max(a.x, b.x) - min(a.right, b.right)
    along = max(a.y, b.y) - min(a.bottom, b.bottom)
    return max(across, along)


def inside(rect: Rect, point: Point) -> bool:
    """Whether a point lies in a rectangle."""
    return rect.x <= point.x <= rect.right and rect.y <= point.y <= rect.bottom
