"""Writers: whose hand the simulated ink is in.

Four kinds, split so that nothing that is learned from is tested with: our own drawn strokes (by the
writer's seed), handwriting fonts (by family), MNIST's images (by their place in the package), and
``optdigits``, which nothing may be learned from or tuned with (``foreign``).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, Protocol

import cv2
import numpy as np

from simulation.families import FAMILIES
from simulation.pencil import HEIGHT, crop, drawn
from simulation.strokes import SIGNS, Style, style

Split = Literal["train", "dev", "test", "foreign"]

DRAWN = {"train": (0, 400), "dev": (10_000, 40), "test": (20_000, 80), "foreign": (30_000, 0)}
GROUPS = {"train": 24, "dev": 6, "test": 10, "foreign": 10}  # hands that share the images
SHARES = {"train": (0.0, 0.72), "dev": (0.72, 0.8), "test": (0.8, 1.0), "foreign": (0.0, 1.0)}


class Hand(Protocol):
    """One writer."""

    name: str

    def write(self, text: str, rng: np.random.Generator) -> np.ndarray:
        """Return the ink of a text of 0-9 $ w x -, float32, 0 to 1, cropped; digits 96 px high."""


def hands(split: Split, data: Path | None) -> list[Hand]:
    """Return all writers of a split; without ``data`` (see ``training/``) only drawn strokes."""
    first, count = DRAWN[split]
    everyone: list[Hand] = [DrawnHand(first + number) for number in range(count)]
    if data is None:
        return everyone
    seed = {"train": 1, "dev": 2, "test": 3, "foreign": 4}[split] * 1000
    source = "optdigits" if split == "foreign" else "mnist"
    images = _images(data / f"{source}.npz", SHARES[split])
    everyone += [ImageHand(f"{source}-{n}", images, seed + n) for n in range(GROUPS[split])]
    for family in FAMILIES.get(split, ()):
        for file in sorted((data / "fonts").glob(f"{family}-latin-*.woff")):
            everyone += [FontHand(file, seed + 500 + len(everyone) + n) for n in range(3)]
    return everyone


class Writer:
    """What all writers share: signs are set side by side, never quite alike."""

    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        rng = np.random.default_rng([seed, 7])
        self.strokes: Style = style(rng)
        self._gap = float(rng.uniform(8, 26))  # px between signs
        self._loose = float(rng.uniform(1, 6))
        self._uneven = float(rng.uniform(0.01, 0.07))  # of a sign's height: size and baseline
        self._by_box = bool(rng.random() < 0.5)  # spaced by their extents, or by the ink row by row

    def sign(self, sign: str, rng: np.random.Generator) -> tuple[np.ndarray, int]:
        """Return one sign's ink, cropped, and how many px below the top of digits it begins."""
        return drawn(sign, self.strokes, rng)

    def write(self, text: str, rng: np.random.Generator) -> np.ndarray:
        """Return the ink of a text."""
        return crop(self.signs(text, rng).max(axis=0))[0]

    def signs(self, text: str, rng: np.random.Generator) -> np.ndarray:
        """Return each sign's ink on a page of its own, float32 (signs, height, width)."""
        pages = np.zeros((1, 1, 1), np.float32)
        above = 0  # the pages' first row, in px below the top of digits
        for index, each in enumerate(text):
            image, top = self.sign(each, rng)
            if len(text) > 1:
                image, top = self._vary(image, top, rng)
            if index == 0:
                pages, above = image[None], top
                continue
            gap = max(-6.0, rng.normal(self._gap, self._loose))
            if rng.random() < 0.03:  # now and then they touch
                gap = rng.uniform(-8, 2)
            pages, above = _beside(pages, above, image, top, round(gap), by_box=self._by_box)
        return pages

    def _vary(
        self, image: np.ndarray, top: int, rng: np.random.Generator
    ) -> tuple[np.ndarray, int]:
        scale = float(np.clip(rng.normal(1, self._uneven), 0.75, 1.3))
        height, width = image.shape
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        shift = rng.normal(0, self._uneven * HEIGHT * 0.7)
        return cv2.resize(image, size, interpolation=cv2.INTER_AREA), round(top * scale + shift)


class DrawnHand(Writer):
    """A writer of our own: strokes of a pen."""

    def __init__(self, seed: int) -> None:
        super().__init__(f"drawn-{seed}", seed)


class ImageHand(Writer):
    """Images of digits that people wrote; the other signs are drawn with a like pen."""

    def __init__(self, name: str, images: dict[str, np.ndarray], seed: int) -> None:
        super().__init__(name, seed)
        self._images = images
        self.strokes = self.strokes._replace(pen=float(np.clip(self.strokes.pen, 0.08, 0.16)))

    def sign(self, sign: str, rng: np.random.Generator) -> tuple[np.ndarray, int]:
        """Return an image, smoothly enlarged, or a drawn sign."""
        if sign not in self._images:
            return super().sign(sign, rng)
        several = self._images[sign]
        image = several[int(rng.integers(len(several)))]
        return _height(_enlarged(image), HEIGHT), 0


class FontHand(Writer):
    """A handwriting font, unsteady: slanted, stretched, bent, its strokes thinner or thicker."""

    def __init__(self, file: Path, seed: int) -> None:
        super().__init__(f"font-{file.stem}-{seed}", seed)
        from PIL import ImageFont

        self._font = ImageFont.truetype(str(file), 160)
        self._has = {sign: _ink_of(self._font, sign) for sign in SIGNS}
        boxes = [self._font.getbbox(digit) for digit in "0123456789"]
        self._top = float(np.median([box[1] for box in boxes]))
        self._scale = HEIGHT / float(np.median([box[3] - box[1] for box in boxes]))
        rng = np.random.default_rng([seed, 8])
        self._slant, self._wide = float(rng.normal(0, 0.08)), float(rng.uniform(0.85, 1.2))
        self._thicker = float(rng.uniform(-1.5, 3))

    def sign(self, sign: str, rng: np.random.Generator) -> tuple[np.ndarray, int]:
        """Return the font's glyph, bent a little; signs that it lacks are drawn."""
        if not self._has.get(sign, True) or sign == "-":  # hyphens are too short for a minus
            return super().sign(sign, rng)
        left, top, right, bottom = self._font.getbbox(sign)
        from PIL import Image, ImageDraw

        page = Image.new("L", (round(right - left) + 80, round(bottom - top) + 80), 0)
        ImageDraw.Draw(page).text((40 - left, 40 - top), sign, fill=255, font=self._font)
        image = np.asarray(page, np.float32) / 255
        height, width = image.shape
        slant = self._slant + rng.normal(0, 0.03)
        wide = self._wide * rng.normal(1, 0.04)
        scale = self._scale
        matrix = np.array([[scale * wide, -slant * scale, slant * height / 2], [0, scale, 0]])
        size = (round(width * scale * wide) + 24, round(height * scale))
        image = bent(np.asarray(cv2.warpAffine(image, matrix, size)), rng, 2.5)
        image, cut, _ = crop(thickened(image, self._thicker + float(rng.normal(0, 0.5))))
        return image, round((top - 40 - self._top) * scale) + cut


def bent(image: np.ndarray, rng: np.random.Generator, size: float) -> np.ndarray:
    """Return an image whose points are smoothly displaced by about ``size`` px."""
    height, width = image.shape
    coarse = rng.normal(0, size, (2, 4, 4)).astype(np.float32)
    dx = cv2.resize(coarse[0], (width, height), interpolation=cv2.INTER_CUBIC)
    dy = cv2.resize(coarse[1], (width, height), interpolation=cv2.INTER_CUBIC)
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    return np.asarray(cv2.remap(image, x + dx, y + dy, cv2.INTER_LINEAR))


def thickened(image: np.ndarray, by: float) -> np.ndarray:
    """Return strokes that are ``by`` px wider (thinner if negative)."""
    if abs(by) < 0.5:
        return image
    size = 2 * round(abs(by)) // 2 + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    if by < 0:
        thin = cv2.erode(image, kernel)
        return thin if thin.max() > 0.8 else image
    return np.asarray(cv2.dilate(cv2.copyMakeBorder(image, 6, 6, 6, 6, 0), kernel))


def _beside(
    pages: np.ndarray, above: int, image: np.ndarray, top: int, gap: int, *, by_box: bool
) -> tuple[np.ndarray, int]:
    """Set an image to the right of all pages; they begin so many px below the top of digits."""
    first = min(above, top)
    rows = max(above + pages.shape[1], top + image.shape[0]) - first
    over = above - first
    right = np.zeros((rows, image.shape[1]), np.float32)
    right[top - first : top - first + image.shape[0]] = image
    at = pages.shape[2] + gap
    if not by_box:  # the least distance of ink to ink in bands of rows is the gap
        left = np.zeros((rows, pages.shape[2]), np.float32)
        left[over : over + pages.shape[1]] = pages.max(axis=0)
        reach = np.where(left > 0.3, np.arange(left.shape[1]), -10_000).max(axis=1)
        begin = np.where(right > 0.3, np.arange(right.shape[1]), 10_000).min(axis=1)
        reach = cv2.dilate(reach.astype(np.float32)[:, None], np.ones((13, 1), np.uint8))[:, 0]
        at = min(at, max(int(np.max(reach - begin)) + 1 + gap, at - 30))
    at = max(0, at)
    size = (pages.shape[0] + 1, rows, max(pages.shape[2], at + image.shape[1]))
    wide = np.zeros(size, np.float32)
    wide[:-1, over : over + pages.shape[1], : pages.shape[2]] = pages
    wide[-1, :, at : at + image.shape[1]] = right
    return wide, first


def _height(image: np.ndarray, height: int) -> np.ndarray:
    """Return an image, cropped, in its own proportions; very wide ones get less high."""
    image = crop(image)[0]
    scale = min(height / image.shape[0], 1.4 * height / image.shape[1])
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    return np.asarray(np.clip(cv2.resize(image, size, interpolation=cv2.INTER_AREA), 0, 1))


def _enlarged(image: np.ndarray) -> np.ndarray:
    """Return a small grey image (values 0 to 16 or 255) enlarged, with edges as a pen's."""
    values = image.astype(np.float32) / (16 if image.shape[0] == 8 else 255)
    factor = 24 if image.shape[0] == 8 else 7
    side = values.shape[0] + 4
    padded = cv2.copyMakeBorder(values, 2, 2, 2, 2, cv2.BORDER_CONSTANT, value=0)
    large = cv2.resize(padded, (side * factor, side * factor), interpolation=cv2.INTER_CUBIC)
    large = cv2.GaussianBlur(large, (0, 0), factor * (0.35 if image.shape[0] == 8 else 0.5))
    kept = 0.75 if image.shape[0] == 8 else 1.0  # eight pixels a side close the loops otherwise
    level = float(np.quantile(large, 1 - kept * values.sum() / side**2))
    return np.asarray(np.clip((large - max(level, 0.15)) / 0.2 + 0.5, 0, 1), np.float32)


def _images(file: Path, share: tuple[float, float]) -> dict[str, np.ndarray]:
    """Return each digit's images, of the given share of them, in the package's order."""
    with np.load(file) as archive:
        everything = {name: np.asarray(archive[name]) for name in archive.files}
    return {
        name: each[round(share[0] * len(each)) : round(share[1] * len(each))]
        for name, each in everything.items()
    }


def _ink_of(font: object, sign: str) -> bool:
    """Say whether a font draws a sign as a handwriting would."""
    box: Sequence[float] = font.getbbox(sign)  # type: ignore[attr-defined]
    return box[2] - box[0] > 5 and box[3] - box[1] > 5
