"""Scanners and phones: what they make of paper, from clean to hopeless.

The levels are those of the protocol of honest tests. Resolution is given in px per mm of paper: a
"mild" photo of an A4 page has 1800 to 2400 px along its long side.
"""

from __future__ import annotations

import io
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from simulation import light, warp
from simulation.pages import DENSITY, Image, Leaf
from simulation.truth import SheetTruth

Range = tuple[float, float]
A4 = 297.0  # mm, the long side
LEAST = 4.35  # px per mm; 4.1 of print at 94 %: under 4, pictures are hard


class Level(NamedTuple):
    """How pictures are taken.

    ``density`` in px per mm; ``turn`` degrees either way beside any quarter turn, ``tilt`` degrees
    out of the camera's plane; ``blur`` sigma in px, ``motion`` px, ``noise`` in 255ths, ``dark``
    how much light a hard shadow takes, ``curl`` how far paper lies from a plane in mm. What has
    fewer px per mm than ``least`` at any corner is taken from nearer.
    """

    scanner: bool
    density: Range
    turn: float
    tilt: float
    blur: Range
    motion: Range
    noise: Range
    jpeg: Range
    gradient: Range
    dark: Range
    shadows: float
    curl: Range
    least: float = 0.0


LEVELS = {
    "scan": Level(
        True, (150 / 25.4, 300 / 25.4), 3, 0, (0, 0.5), (0, 0), (0, 3), (85, 85),
        (0, 0.04), (0, 0), 0.0, (0, 0.15),
    ),
    "coarse": Level(
        True, (150 / 25.4, 190 / 25.4), 3, 0, (0, 0.3), (0, 0), (0, 3), (85, 85),
        (0, 0.04), (0, 0), 0.0, (0, 0.1),
    ),
    "low": Level(
        True, (100 / 25.4, 150 / 25.4), 3, 0, (0, 0.4), (0, 0), (0, 3), (85, 85),
        (0, 0.04), (0, 0), 0.0, (0, 0.15),
    ),
    "mild": Level(
        False, (1800 / A4, 2400 / A4), 8, 8, (0.2, 0.6), (0, 0), (1, 4), (80, 92),
        (0.05, 0.3), (0, 0), 0.0, (0, 0.4), LEAST,
    ),
    "medium": Level(
        False, (1300 / A4, 1800 / A4), 180, 18, (0.7, 1.15), (0, 3.5), (6, 9), (60, 65),
        (0.1, 0.4), (0.25, 0.55), 0.9, (0, 0.8), LEAST,
    ),
    "hard": Level(
        False, (700 / A4, 1150 / A4), 180, 25, (1.2, 1.9), (0, 6), (9, 14), (40, 50),
        (0.2, 0.5), (0.3, 0.6), 0.9, (0, 1.2),
    ),
}  # fmt: skip

FAULTS = (
    "fold", "crumple", "streak", "toner", "scaled", "letter", "photocopy", "glare",
    "ear1", "ear2", "cover1", "cover2", "crop2", "mirror",
)  # fmt: skip


class Shot(NamedTuple):
    """A picture, BGR, and where the sheets are in it."""

    image: Image
    sheets: tuple[SheetTruth, ...]


def shoot(
    leaf: Leaf,
    level: Level,
    rng: np.random.Generator,
    faults: tuple[str, ...] = (),
    quarter: int | None = None,
) -> Shot:
    """Take a picture of a piece of paper; ``quarter`` turns of 90 degrees are as it happens."""
    density = rng.uniform(*level.density)
    paper = print_faults(leaf.image, faults, rng)
    if ears := [fault for fault in faults if fault.startswith("ear")]:
        paper = _dog_ears(paper, leaf, int(ears[0][-1]), rng)
    # What is photographed need not be finer than what the photograph shows.
    shrink = min(1.0, 1.6 * density / leaf.density)
    if shrink < 1:
        paper = cv2.resize(paper, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    fine = leaf.density * shrink
    height, width = paper.shape[0] / fine, paper.shape[1] / fine
    field = warp.Field(width, height)
    field.curl(rng.uniform(*level.curl), rng)
    if "crumple" in faults:
        field.crumple(rng.uniform(1.0, 2.0), rng)
    if "fold" in faults:
        field.fold(rng)
    if "scaled" in faults or "letter" in faults:
        field.stretch(rng, 0.94 if "letter" in faults else None)
    quarter = int(rng.integers(4)) if quarter is None else quarter
    view = warp.view(width, height, level, density, quarter, rng)
    view = _cropped(view, leaf, faults, rng)
    image = warp.project(paper, fine, field, view, light.ground(view.size, level, rng))
    sheets = tuple(
        SheetTruth(
            str(filled.printed.variant.id),
            filled.printed.sheet,
            filled.boxes,
            *warp.corners(filled.printed.scene.size, x, y, field, view),
        )
        for filled, x, y in leaf.sheets
    )
    shot = light.expose(image, view, level, density, faults, rng)
    if covered := [f for f in faults if f.startswith("cover")]:
        count = int(covered[0][-1])
        for corner in rng.permutation(4)[:count]:
            shot = light.finger(shot, sheets[0].corners, int(corner), sheets[0].scale, rng)
    if "mirror" in faults:
        shot = shot[:, ::-1].copy()
    return Shot(shot, sheets)


def print_faults(image: Image, faults: tuple[str, ...], rng: np.random.Generator) -> Image:
    """Return a page as a bad printer or a photocopier makes it."""
    if "photocopy" in faults:
        kernel = np.ones((2, 2), np.uint8)
        image = cv2.erode(image, kernel) if rng.random() < 0.5 else cv2.dilate(image, kernel)
        grey = cv2.cvtColor(cv2.GaussianBlur(image, (0, 0), 1.2), cv2.COLOR_BGR2GRAY)
        steep = np.clip((grey.astype(np.float32) - 90) * 1.5, 0, 255).astype(np.uint8)
        image = cv2.cvtColor(steep, cv2.COLOR_GRAY2BGR)
    return image


def fade(image: Image, rng: np.random.Generator) -> Image:
    """Return a print whose toner runs out towards one side; to be done before writing on it."""
    least = rng.uniform(0.35, 0.6)
    ramp = np.linspace(1, least, image.shape[1], dtype=np.float32)
    if rng.random() < 0.5:
        ramp = ramp[::-1]
    # cv2 works on one channel after the other without a copy of everything as float.
    faded = np.empty_like(image)
    for channel in range(3):
        faded[:, :, channel] = 255 - (255 - image[:, :, channel]) * ramp
    return faded


def _cropped(
    view: warp.View, leaf: Leaf, faults: tuple[str, ...], rng: np.random.Generator
) -> warp.View:
    """Return a view that misses two corners of the first sheet."""
    if "crop2" not in faults:
        return view
    filled, x, y = leaf.sheets[0]
    size, margin = filled.printed.scene.size, filled.printed.scene.margin
    # The markers are on the margin: the edge of the picture goes through the middle of theirs.
    inner = margin + rng.uniform(2.0, 6.0)
    left, right, top, bottom = x + inner, x + size.width - inner, y + inner, y + size.height - inner
    mm = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    corner = int(rng.integers(4))
    return warp.cut_off(view, warp.transform(view.matrix, mm), (corner, (corner + 1) % 4))


def _dog_ears(paper: Image, leaf: Leaf, count: int, rng: np.random.Generator) -> Image:
    """Return paper with corners of the first sheet folded over: white, with a shadow beside it."""
    filled, x, y = leaf.sheets[0]
    width, height = filled.printed.scene.size
    paper = np.array(paper, order="C")  # a turned one is not laid out as OpenCV wants it
    for corner in rng.permutation(4)[:count]:
        right, below = corner in (1, 2), corner in (2, 3)
        px, py = x + width * right, y + height * below
        reach = (filled.printed.scene.margin + 8) * rng.uniform(1.35, 1.7)
        sx, sy = (-1 if right else 1), (-1 if below else 1)
        for spare, grey in ((0.6, 190), (0.0, 248)):
            # Where the sheet is not cut out, its corner is covered rather than folded.
            ends = [
                (px - 3 * sx, py - 3 * sy),
                (px + sx * (reach + spare), py - 3 * sy),
                (px - 3 * sx, py + sy * (reach + spare)),
            ]
            points = (np.array(ends) * DENSITY).round().astype(np.int32)
            cv2.fillPoly(paper, [points], (grey, grey, grey), cv2.LINE_AA)
    return paper


# -- files ----------------------------------------------------------------------------------------


def jpeg(image: Image, level: Level, rng: np.random.Generator) -> bytes:
    """Return a JPEG of the level's quality."""
    quality = round(rng.uniform(*level.jpeg))
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def png(image: NDArray[Any]) -> bytes:
    """Return a PNG."""
    return cv2.imencode(".png", image)[1].tobytes()


def one_bit(image: Image, rng: np.random.Generator, *, dither: bool) -> bytes:
    """Return a picture of black and white alone, as fax machines and some scanners make them."""
    from PIL import Image as Pillow

    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    if not dither:
        black = cv2.threshold(grey, rng.uniform(150, 190), 255, cv2.THRESH_BINARY)[1]
        return png(black)
    out = io.BytesIO()
    Pillow.fromarray(grey).convert("1").save(out, "PNG")
    return out.getvalue()


def pdf_of(pictures: list[bytes], density: float) -> bytes:
    """Return JPEGs as a PDF, as scanners make it."""
    from PIL import Image as Pillow

    pages = [Pillow.open(io.BytesIO(picture)).convert("RGB") for picture in pictures]
    out = io.BytesIO()
    dpi = density * 25.4
    pages[0].save(out, "PDF", save_all=True, append_images=pages[1:], resolution=dpi, quality=85)
    return out.getvalue()
