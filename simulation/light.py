"""What lies under the paper, the light on it, and what a camera's sensor adds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from simulation.camera import Level
    from simulation.warp import View

Image = NDArray[Any]
Floats = NDArray[Any]


def ground(size: tuple[int, int], level: Level, rng: np.random.Generator) -> Image:
    """Return a table, wood or cloth, or the lid of a scanner, ``size`` being width and height."""
    width, height = size
    if level.scanner:
        lid = 250 if rng.random() < 0.7 else int(rng.integers(15, 60))
        return np.full((height, width, 3), lid, np.uint8)
    colours = {
        "oak": (95, 140, 180), "walnut": (50, 75, 110), "white": (215, 220, 225),
        "black": (35, 35, 38), "cloth": (120, 105, 90), "green": (80, 120, 70),
    }  # fmt: skip
    name = str(rng.choice(list(colours)))
    base = np.array(colours[name], np.float32)
    texture = np.zeros((height, width), np.float32)
    if name in ("oak", "walnut"):
        fibres = rng.normal(0, 1, (max(2, height // 5), max(2, width // 90))).astype(np.float32)
        texture += 16 * cv2.resize(fibres, (width, height), interpolation=cv2.INTER_CUBIC)
        boards = np.zeros((max(1, height // 160) + 1, 1), np.float32)
        boards[:, 0] = rng.normal(0, 10, len(boards))
        texture += cv2.resize(boards, (width, height), interpolation=cv2.INTER_NEAREST)
    elif name == "cloth":
        x, y = np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32)
        texture += 9 * np.sin(x * 0.9)[None] * np.sin(y * 0.8)[:, None]
    coarse = rng.normal(0, 1, (height // 40 + 2, width // 40 + 2)).astype(np.float32)
    texture += 5 * cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(base + texture[:, :, None], 0, 255).astype(np.uint8))


def expose(
    image: Image,
    view: View,
    level: Level,
    density: float,
    faults: tuple[str, ...],
    rng: np.random.Generator,
) -> Image:
    """Return what a camera makes of the scene: light, shadows, blur, noise."""
    height, width = image.shape[:2]
    light = _light(width, height, level, faults, rng)
    white = rng.uniform(0.93, 1.0) if level.scanner else rng.uniform(0.78, 0.95)
    tint = rng.normal(0, 0.012 if level.scanner else 0.035, 3)
    lost = rng.uniform(0, 0.06)  # what glass and air add to black
    out = np.empty((height, width, 3), np.float32)
    for channel in range(3):
        scaled = image[:, :, channel].astype(np.float32) * (1 - lost) + 255 * lost
        out[:, :, channel] = scaled * light * np.float32(white * (1 + tint[channel]))
    if "streak" in faults:
        _streak(out, density, rng)
    out = _blurred(out, level, rng)
    noise = rng.uniform(*level.noise)
    if noise > 0:
        # Sensors' noise, then what a phone's own smoothing leaves of it.
        grain = rng.standard_normal((height, width), np.float32)
        blotch = rng.standard_normal((height // 2 + 1, width // 2 + 1, 3), np.float32)
        if not level.scanner:
            grain = np.asarray(cv2.GaussianBlur(grain, (0, 0), 0.5)) * 1.6
        colour = cv2.resize(blotch, (width, height), interpolation=cv2.INTER_LINEAR)
        out += np.float32(noise) * (0.85 * grain[:, :, None] + 0.5 * colour)
    if level.scanner and rng.random() < 0.35:
        grey = out.mean(2, keepdims=True)
        out = np.repeat(grey, 3, axis=2)
    return np.clip(out, 0, 255).astype(np.uint8)


def _light(
    width: int, height: int, level: Level, faults: tuple[str, ...], rng: np.random.Generator
) -> Floats:
    """Return how much light falls where, 1 being full."""
    x = np.linspace(-0.5, 0.5, width, dtype=np.float32)[None]
    y = np.linspace(-0.5, 0.5, height, dtype=np.float32)[:, None]
    angle = rng.uniform(0, 2 * math.pi)
    slope = rng.uniform(*level.gradient)
    along = x * np.float32(math.cos(angle)) + y * np.float32(math.sin(angle))
    light = 1 - np.float32(slope) * (along + 0.5)
    if not level.scanner:
        light = light * (1 - np.float32(rng.uniform(0, 0.25)) * (x * x + y * y))
    if rng.random() < level.shadows:
        light = light * (1 - _shadow(width, height, level, rng))
    if "glare" in faults:
        cx, cy = rng.uniform(-0.3, 0.3, 2)
        spot = np.exp(-(((x - cx) / 0.15) ** 2) - ((y - cy) / 0.2) ** 2)
        light = light + np.float32(rng.uniform(0.3, 0.8)) * spot
    return light.astype(np.float32)


def _shadow(width: int, height: int, level: Level, rng: np.random.Generator) -> Floats:
    """Return the shadow of a phone, a hand or a head: how much light it takes, 0 to 1."""
    shape = np.zeros((height, width), np.uint8)
    if rng.random() < 0.6:
        angle = rng.uniform(0, 2 * math.pi)
        middle = np.array([width, height]) * rng.uniform(0.2, 0.8, 2)
        ahead = np.array([math.cos(angle), math.sin(angle)])
        beside = np.array([-ahead[1], ahead[0]])
        far = 2 * (width + height)
        corners = [
            middle + beside * far, middle - beside * far,
            middle - beside * far + ahead * far, middle + beside * far + ahead * far,
        ]  # fmt: skip
        cv2.fillPoly(shape, [np.array(corners, np.int32)], 255)
    else:
        for _ in range(int(rng.integers(1, 4))):
            at = (int(rng.integers(width)), int(rng.integers(height)))
            reach = (int(width * rng.uniform(0.1, 0.35)), int(height * rng.uniform(0.1, 0.35)))
            cv2.ellipse(shape, at, reach, rng.uniform(0, 180), 0, 360, 255, -1)
    soft = rng.uniform(1.0, 14.0)
    dark = np.float32(rng.uniform(*level.dark))
    return cv2.GaussianBlur(shape, (0, 0), soft).astype(np.float32) * (dark / 255)


def _blurred(image: Floats, level: Level, rng: np.random.Generator) -> Floats:
    sigma = rng.uniform(*level.blur)
    if sigma > 0.15:
        image = cv2.GaussianBlur(image, (0, 0), sigma)
    length = rng.uniform(*level.motion)
    if length > 1:
        reach = math.ceil(length)
        kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
        angle = rng.uniform(0, math.pi)
        dx, dy = math.cos(angle) * length / 2, math.sin(angle) * length / 2
        for t in np.linspace(-1, 1, 41):
            kernel[round(reach + t * dy), round(reach + t * dx)] += 1
        image = cv2.filter2D(image, -1, kernel / kernel.sum())
    return image


def _streak(image: Floats, density: float, rng: np.random.Generator) -> None:
    """Draw the line that dust on a scanner's glass, or a worn drum, leaves along the page."""
    width = image.shape[1]
    at, wide = int(rng.integers(width)), max(1, round(rng.uniform(0.15, 0.6) * density))
    strength = rng.uniform(0.2, 0.8)
    level = 255.0 if rng.random() < 0.3 else 40.0
    part = image[:, at : at + wide]
    part += np.float32(strength) * (np.float32(level) - part)


def finger(
    image: Image,
    corners: tuple[tuple[float, float], ...],
    corner: int,
    scale: float,
    rng: np.random.Generator,
) -> Image:
    """Return a picture in which a thumb holds the paper, over one of the sheet's markers."""
    points = np.array(corners)
    middle = points.mean(0)
    towards = (middle - points[corner]) / np.linalg.norm(middle - points[corner])
    tip = points[corner] + towards * scale * rng.uniform(12, 16)
    mask = np.zeros(image.shape[:2], np.uint8)
    length, thick = 45 * scale, round(17 * scale)
    start = tip - towards * thick / 2
    end = tip - towards * length
    cv2.line(
        mask, tuple(start.round().astype(int).tolist()), tuple(end.round().astype(int).tolist()),
        255, thick, cv2.LINE_AA,
    )  # fmt: skip
    soft = cv2.GaussianBlur(mask, (0, 0), max(0.6, scale * 0.15)).astype(np.float32) / 255
    skin = np.array([150, 175, 215], np.float32) * rng.uniform(0.55, 1.0)
    shade = cv2.GaussianBlur(mask, (0, 0), scale * 3).astype(np.float32) / 255
    lit = skin * (0.7 + 0.3 * shade[:, :, None])
    below = image.astype(np.float32) * (1 - 0.25 * shade[:, :, None])
    return (below * (1 - soft[:, :, None]) + lit * soft[:, :, None]).astype(np.uint8)
