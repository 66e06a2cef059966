"""Pictures of what is no sheet of ours, or not the one it says it is: all are to be refused."""

from __future__ import annotations

import string
from collections.abc import Callable

import cv2
import numpy as np

from sheetgen.draw.pdf import pdf
from sheetgen.geometry import Rect, Size
from sheetgen.impose import alone
from sheetgen.layout.identity import digest, marker, modules
from sheetgen.prepare import Choices, prepare
from sheetgen.scene import Item, Path, Scene, Text, bounds, shifted
from simulation.pages import DENSITY, Image, Look, blank, printed, raster


def other_version(look: Look, rng: np.random.Generator, *, code: str = "") -> Image:
    """Return a sheet of another version of a variant: its boxes lie a millimetre elsewhere.

    It bears the code that this version would bear, or ``code``.
    """
    sheet = printed(look)
    variant = sheet.variant
    scene = sheet.scene
    dx, dy = rng.choice([-1.0, 1.0], 2) * rng.uniform(0.7, 1.6, 2)
    half = scene.size.height * rng.uniform(0.3, 0.6)

    def moved(y: float) -> tuple[float, float]:
        return (dx, dy) if y > half else (-dx, 0.0)

    boxes = []
    for box in scene.boxes:
        shift = moved(box.rect.center.y)
        rect = Rect(box.rect.x + shift[0], box.rect.y + shift[1], box.rect.width, box.rect.height)
        boxes.append(box._replace(rect=rect))
    items: list[Item] = []
    for item in scene.items:
        if isinstance(item, Path) and item.role == "fiducial":
            items.append(item)
            continue
        y = item.y if isinstance(item, Text) else bounds(item.segments).center.y
        items.append(shifted(item, *moved(y)))
    if not code:
        made = digest(f"{variant.id}/{sheet.sheet}", scene.size, boxes)
        code = f"{variant.code}-{made}"
    return draw(look, recoded(scene._replace(items=tuple(items), boxes=tuple(boxes)), code))


def recoded(scene: Scene, code: str) -> Scene:
    """Return a scene with another code on it, in modules and in letters."""
    import segno

    made = segno.make(code, version=1, error="q", mode="alphanumeric", boost_error=False)
    dark = [[bool(module) for module in row] for row in made.matrix]
    items: list[Item] = []
    for item in scene.items:
        if isinstance(item, Path) and item.role == "fiducial":
            place = bounds(item.segments)
            # Markers are six modules wide: they have far fewer corners than a code.
            if len(item.segments) > 60:
                items.append(modules(dark, place, str(item.paint.fill)))
                continue
        if isinstance(item, Text) and item.role == "code":
            items.append(item._replace(string=code))
            continue
        items.append(item)
    return scene._replace(items=tuple(items))


def draw(look: Look, scene: Scene) -> Image:
    """Return a scene as it is printed, with the fonts of a look."""
    ready = prepare(printed(look).variant, Choices(sheet=look.sheet, language=look.language))
    return raster(pdf(scene, None, alone(scene.size), ready.style.fonts))


def swapped(look: Look, other: Look) -> Image:
    """Return one sheet that bears the code of another."""
    sheet = printed(other)
    code = f"{sheet.variant.code}-" + digest(
        f"{sheet.variant.id}/{sheet.sheet}", sheet.scene.size, sheet.scene.boxes
    )
    return draw(look, recoded(printed(look).scene, code))


def back(look: Look) -> Image:
    """Return the back of a sheet, which has the rules and no markers."""
    variant = printed(look).variant
    ready = prepare(variant, Choices(sheet=look.sheet, language=look.language, back=True))
    assert ready.back is not None
    return raster(pdf(ready.back, None, alone(ready.back.size), ready.style.fonts))


def white(rng: np.random.Generator) -> Image:
    """Return a blank page."""
    sizes = (Size(87, 197), Size(210, 148.5), Size(210, 297))
    return blank(sizes[int(rng.integers(3))])


def cat(rng: np.random.Generator) -> Image:
    """Return a drawing of a cat."""
    page = blank(Size(148, 148))
    grey = int(rng.integers(20, 160))
    fur = (grey, int(grey * 1.1), min(255, int(grey * 1.4)))
    middle = np.array(page.shape[1::-1]) // 2 + rng.integers(-80, 80, 2)
    size = int(rng.integers(300, 480))

    def at(x: float, y: float) -> tuple[int, int]:
        return (int(middle[0] + x * size), int(middle[1] + y * size))

    reach = (int(size * 0.75), int(size * 0.95))
    cv2.ellipse(page, at(0.1, 1.1), reach, 0, 0, 360, fur, -1, cv2.LINE_AA)
    cv2.ellipse(page, at(0, 0), (size, int(size * 0.85)), 0, 0, 360, fur, -1, cv2.LINE_AA)
    for side in (-1, 1):
        ear = [at(side * 0.9, -0.3), at(side * 0.95, -1.25), at(side * 0.25, -0.75)]
        cv2.fillPoly(page, [np.array(ear, np.int32)], fur, cv2.LINE_AA)
        eye = at(side * 0.4, -0.12)
        cv2.ellipse(page, eye, (size // 6, size // 9), 0, 0, 360, (90, 220, 180), -1, cv2.LINE_AA)
        cv2.ellipse(page, eye, (size // 28, size // 10), 0, 0, 360, (0, 0, 0), -1, cv2.LINE_AA)
        for n in range(3):
            ends = at(side * 0.2, 0.3 + n * 0.06), at(side * 1.3, 0.15 + n * 0.2)
            cv2.line(page, *ends, (230, 230, 230), 4, cv2.LINE_AA)
    nose = [at(-0.1, 0.2), at(0.1, 0.2), at(0, 0.32)]
    cv2.fillPoly(page, [np.array(nose, np.int32)], (130, 120, 220), cv2.LINE_AA)
    return page


def letter(rng: np.random.Generator) -> Image:
    """Return a page of text, with a table and somebody's QR code."""
    import segno

    page = blank(Size(210, 297))
    letters = np.array(list(string.ascii_letters + "    "))
    y = 300
    while y < 2300:
        words = "".join(rng.choice(letters, int(rng.integers(30, 62))))
        scale = float(rng.choice([1.2, 1.2, 1.2, 2.0]))
        cv2.putText(page, words, (240, y), cv2.FONT_HERSHEY_DUPLEX, scale, (30, 30, 30), 2)
        y += int(rng.integers(60, 110))
    for n in range(int(rng.integers(3, 9))):
        for m in range(6):
            corner = (300 + m * 240, 2380 + n * 90)
            cv2.rectangle(page, corner, (corner[0] + 240, corner[1] + 90), (60, 60, 60), 3)
    words = "".join(rng.choice(letters[:52], 12)).upper()
    dark = np.array([list(row) for row in segno.make(words).matrix], np.uint8)
    code = cv2.resize((1 - dark) * 255, None, fx=14, fy=14, interpolation=cv2.INTER_NEAREST)
    page[2900 : 2900 + len(code), 1700 : 1700 + len(code)] = code[:, :, None]
    return page


def board(rng: np.random.Generator) -> Image:
    """Return a sheet by another program that bears the same four markers, and no code of ours."""
    size = Size(*rng.uniform([80, 90], [210, 290]))
    items: list[Item] = []
    edge, far = 6.0, 8.0
    corners = [
        (edge, edge), (size.width - edge - far, edge),
        (edge, size.height - edge - far), (size.width - edge - far, size.height - edge - far),
    ]  # fmt: skip
    for number, (x, y) in enumerate(corners):
        items.append(marker(number, Rect(x, y, far, far), "#000000"))
    scene = Scene("", "en", size, edge, tuple(items), ())
    page = draw(Look("lostdice"), scene)
    for _ in range(int(rng.integers(5, 60))):
        x, y = (rng.uniform(0.12, 0.85, 2) * page.shape[1::-1]).astype(int)
        wide, high = rng.integers(30, 120, 2)
        cv2.rectangle(page, (int(x), int(y)), (int(x + wide), int(y + high)), (60, 60, 60), 3)
    return page


def chess(rng: np.random.Generator) -> Image:
    """Return a chessboard: dark squares that might be taken for markers."""
    count = int(rng.integers(6, 14))
    squares = np.indices((count, count)).sum(0) % 2 * 255
    side = int(160 * DENSITY / count)
    board_of = cv2.resize(
        squares.astype(np.uint8), None, fx=side, fy=side, interpolation=cv2.INTER_NEAREST
    )
    page = blank(Size(200, 200))
    page[200 : 200 + len(board_of), 200 : 200 + len(board_of)] = board_of[:, :, None]
    return page


DRAWN: dict[str, Callable[[np.random.Generator], Image]] = {
    "blank page": white,
    "cat": cat,
    "letter": letter,
    "board": board,
    "chessboard": chess,
}
