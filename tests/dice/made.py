"""Pages of dice made for tests, and where their ink lies."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from functools import cache
from pathlib import Path as File

from PIL import Image

from sheetgen import decode, workshop
from sheetgen.draw.pdf import Sheaf, bind
from sheetgen.draw.png import png
from sheetgen.geometry import PT_PER_MM, Point, Rect
from sheetgen.impose import alone
from sheetgen.model import Variant
from sheetgen.paper import parse_paper
from sheetgen.prepare import Choices
from sheetgen.scene import Item, Path, Scene, Text
from sheetgen.workshop import Dice, LabelChoices

TESTS = File(__file__).parents[1]
SOLIDS = TESTS / "dice" / "solids.yaml"
NAMES = ("keldice", "lostcities-rollwrite", "lostdice", "solids", "yacht")
STOCKS = workshop.known_stocks()
CAP = 0.67  # of the type size: the height of digits
DESCENT = 0.12  # of the type size: how far a dollar sign hangs below the baseline


@cache
def variant(name: str) -> Variant:
    """Read a variant with dice once."""
    return decode.load(SOLIDS if name == "solids" else TESTS.parent / "variants" / f"{name}.yaml")


@cache
def only(kind: str) -> Variant:
    """Return a game whose one die, named like its kind, is that of the test's game."""
    game = variant("solids")
    (die,) = (die for die in game.dice.values() if die.kind == kind)
    return Variant(
        id=game.id,
        code=game.code,
        title=game.title,
        summary=game.summary,
        languages=game.languages,
        source=game.source,
        players=game.players,
        colours=game.colours,
        dice={kind: die},
        sheets=game.sheets,
    )


@cache
def nets(
    name: str,
    *,
    sets: int = 1,
    size: float | None = None,
    paper: str = "A4",
    ink: str = "full",
    language: str = "",
) -> Dice:
    """Make pages of nets once."""
    choices = Choices(ink=ink, language=language)
    return workshop.nets(variant(name), choices, sets, size, parse_paper(paper))


@cache
def labels(
    name: str,
    wanted: LabelChoices,
    *,
    sets: int = 1,
    paper: str = "",
    ink: str = "full",
    language: str = "",
) -> Dice:
    """Make pages of labels once."""
    choices = Choices(ink=ink, language=language)
    given = parse_paper(paper) if paper else None
    return workshop.labels(variant(name), choices, sets, wanted, given)


def file(dice: Dice) -> bytes:
    """Return the pages as a PDF file."""
    sheaves = [Sheaf(page, None, alone(page.size)) for page in dice.pages]
    return bind(sheaves, dice.style.fonts)


def picture(dice: Dice, page: int = 0, dpi: float = 150) -> Image.Image:
    """Return a page as a colour picture."""
    return Image.open(io.BytesIO(png(file(dice), dpi, page))).convert("RGB")


def texts(page: Scene, *roles: str) -> list[Text]:
    """Return the texts of some roles."""
    return [i for i in page.items if isinstance(i, Text) and i.role in roles]


def paths(page: Scene, *roles: str) -> list[Path]:
    """Return the paths of some roles."""
    return [i for i in page.items if isinstance(i, Path) and i.role in roles]


def _along(path: Path) -> Iterator[Point]:
    """Yield points of an outline, eight for each curve."""
    at = Point(0, 0)
    for command, *values in path.segments:
        if command == "Z":
            continue
        numbers = [float(value) for value in values]
        points = [Point(*pair) for pair in zip(numbers[0::2], numbers[1::2], strict=True)]
        if command == "C":
            control = (at, *points)
            for step in range(1, 8):
                t = step / 8
                weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
                yield Point(
                    sum(w * p.x for w, p in zip(weights, control, strict=True)),
                    sum(w * p.y for w, p in zip(weights, control, strict=True)),
                )
        at = points[-1]
        yield at


def outline(item: Item) -> list[Point]:
    """Return points around all ink of an item, its line's width left out."""
    if isinstance(item, Path):
        return list(_along(item))
    size = item.size / PT_PER_MM
    down = DESCENT * size if set(item.string) & set("$,;()QJ") else 0.0
    cos, sin = math.cos(math.radians(item.angle)), math.sin(math.radians(item.angle))
    corners = [(0, -CAP * size), (item.width, -CAP * size), (item.width, down), (0, down)]
    return [Point(item.x + x * cos + y * sin, item.y - x * sin + y * cos) for x, y in corners]


def half_width(item: Item) -> float:
    """Return half the width of an item's line in mm."""
    inked = isinstance(item, Path) and item.paint.stroke
    return item.paint.width / PT_PER_MM / 2 if isinstance(item, Path) and inked else 0.0


def around(item: Item) -> Rect:
    """Return the upright rectangle around all ink of an item."""
    points = outline(item)
    xs, ys = [p.x for p in points], [p.y for p in points]
    rect = Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
    return rect.inset(-half_width(item))


def middle(item: Item) -> Point:
    """Return the middle of an item's outline."""
    return around(item).center


def centroid(item: Item) -> Point:
    """Return the middle of the points of an item's outline."""
    points = outline(item)
    return Point(sum(p.x for p in points) / len(points), sum(p.y for p in points) / len(points))


def depth(polygon: tuple[Point, ...], point: Point) -> float:
    """Return how far inside a convex polygon a point lies; less than 0 outside."""
    center = Point(
        sum(p.x for p in polygon) / len(polygon), sum(p.y for p in polygon) / len(polygon)
    )

    def off(a: Point, b: Point, p: Point) -> float:
        return ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)) / math.dist(a, b)

    sides = zip(polygon, (*polygon[1:], polygon[0]), strict=True)
    return min(off(a, b, point) * math.copysign(1, off(a, b, center)) for a, b in sides)
