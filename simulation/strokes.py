"""Signs as people draw them: strokes of a pen, in many styles, for writers that stay themselves.

Coordinates are in heights of a digit: y runs down from 0 (top) to 1 (baseline), x to the right. A
stroke is a list of pieces: smooth curves through their points, that meet in corners.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

SIGNS = "0123456789$wx-"

Points = list[tuple[float, float]]
Stroke = list[Points]


class Style(NamedTuple):
    """One writer's ways. ``variant`` holds a number from 0 to 1 per sign and habit.

    ``slant`` is x per y, ``wide`` stretches, ``pen`` is the stroke's width, ``pressure`` its
    variation, ``wobble`` the spread of the points and ``tremor`` of the line, all in heights.
    """

    variant: dict[str, tuple[float, ...]]
    slant: float
    wide: float
    pen: float
    pressure: float
    wobble: float
    tremor: float


def style(rng: np.random.Generator) -> Style:
    """Return a writer."""
    return Style(
        variant={sign: tuple(float(v) for v in rng.random(6)) for sign in SIGNS},
        slant=float(rng.normal(0.1, 0.14)),
        wide=float(np.clip(rng.normal(1.0, 0.16), 0.65, 1.45)),
        pen=float(np.clip(rng.lognormal(math.log(0.1), 0.35), 0.05, 0.22)),
        pressure=float(rng.uniform(0, 0.25)),
        wobble=float(rng.uniform(0.005, 0.025)),
        tremor=float(rng.choice([0, 0, 0.004, 0.01])),
    )


def habits(sign: str, writer: Style, rng: np.random.Generator) -> list[float]:
    """Return the writer's habits for a sign: nearly always the same, now and then another."""
    own = writer.variant[sign]
    return [
        float(rng.random()) if rng.random() < 0.06 else float(np.clip(rng.normal(v, 0.05), 0, 1))
        for v in own
    ]


def mix(low: float, high: float, share: float) -> float:
    """Return the value at a share of the way from low to high."""
    return low + (high - low) * share


def arc(cx: float, cy: float, rx: float, ry: float, start: float, end: float) -> Points:
    """Return points on an ellipse from one angle to another (degrees, 0 = right, 90 = down)."""
    steps = max(3, round(abs(end - start) / 28))
    angles = np.radians(np.linspace(start, end, steps + 1))
    return [(cx + rx * math.cos(a), cy + ry * math.sin(a)) for a in angles]


def zero(h: list[float]) -> list[Stroke]:
    """Draw a ring, begun somewhere near the top, that closes, overlaps or stays a little open."""
    rx, start = mix(0.17, 0.36, h[0]), mix(-140, -30, h[1])
    turn = mix(338, 395, h[2]) * (-1 if h[3] < 0.8 else 1)
    ring = arc(0.35, 0.5, rx, 0.5, start, start + turn)
    if h[4] > 0.85:  # a curl where the ring closes
        ring.append((0.35 + rx * 0.9, 0.02))
    strokes: list[Stroke] = [[ring]]
    if h[5] > 0.94:
        strokes.append([[(0.35 - rx, 0.95), (0.35 + rx, 0.05)]])
    return strokes


def one(h: list[float]) -> list[Stroke]:
    """Draw a bar, with a flag of any length or none, with a foot or none."""
    x, strokes = 0.35, []
    lean = mix(-0.06, 0.06, h[4])
    bar: Points = [(x + lean, 0), (x + lean / 3, 0.5), (x - lean, 1)]
    if h[0] < 0.4:
        strokes.append([bar])
    else:
        reach, drop = mix(0.1, 0.38, h[1]), mix(0.1, 0.52, h[1] * 0.6 + h[2] * 0.4)
        bend = mix(-0.04, 0.06, h[2])
        mid = (x + lean - reach / 2, drop / 2 + bend)
        strokes.append([[(x + lean - reach, drop), mid, (x + lean, 0)], bar])
    if h[3] > (0.65 if h[0] > 0.4 else 0.93):
        half = mix(0.12, 0.27, h[5])
        strokes.append([[(x - lean - half, 1), (x - lean + half, 1 - 0.03 * h[4])]])
    return strokes


def two(h: list[float]) -> list[Stroke]:
    """Draw an arch that runs down to a corner, a loop or a bend, and a base."""
    r, right = mix(0.2, 0.32, h[0]), mix(0.52, 0.8, h[1])
    top: Points = arc(
        0.33, mix(0.24, 0.32, h[2]), r, mix(0.24, 0.32, h[2]), mix(-205, -160, h[3]), 15
    )
    sag = mix(-0.05, 0.05, h[5])
    if h[4] < 0.55:
        return [
            [[*top, (0.3, 0.72), (0.06, 1.0)], [(0.06, 1.0), (0.35, 1 + sag), (right, 1 - sag)]]
        ]
    if h[4] < 0.82:  # the loop
        loop: Points = [(0.3, 0.72), (0.13, 0.93), (0.04, 0.97), (0.05, 0.86), (0.17, 0.86)]
        return [[[*top, *loop, (0.36, 0.97), (right, 0.97 + sag)]]]
    return [[[*top, (0.38, 0.6), (0.14, 0.86), (0.1, 0.99), (0.3, 1.0), (right, 0.98 + sag)]]]


def three(h: list[float]) -> list[Stroke]:
    """Draw two bowls, or a flat top with a slanted stroke down to the lower bowl."""
    mid, r = mix(0.4, 0.52, h[0]), mix(0.24, 0.34, h[1])
    low = arc(0.3, (mid + 1) / 2, r, (1 - mid) / 2, -90 + mix(0, 25, h[2]), mix(110, 165, h[3]))
    if h[4] > 0.82:
        return [[[(0.06, 0.02), (0.56, 0.0)], [(0.56, 0.0), (mix(0.22, 0.32, h[5]), mid)], low]]
    high = arc(0.29, mid / 2, r * mix(0.8, 1, h[5]), mid / 2, mix(-170, -120, h[3]), 75)
    waist = (mix(0.12, 0.3, h[2]), mid)
    if h[4] > 0.65:  # a small loop at the waist
        loop: Points = [(waist[0] + 0.02, mid + 0.04), (waist[0] - 0.05, mid), waist]
        return [[[*high, *loop, *low[1:]]]]
    return [[[*high, waist], [waist, *low]]]


def four(h: list[float]) -> list[Stroke]:
    """Draw a 4: open or closed, with a stem that crosses the bar, or in one go."""
    bar, x, right = mix(0.52, 0.76, h[0]), mix(0.36, 0.5, h[1]), mix(0.5, 0.78, h[2])
    tilt = mix(-0.05, 0.05, h[5])
    if h[3] < 0.5:  # open
        left = mix(0.05, 0.2, h[4])
        side: Points = [(left, mix(0.0, 0.15, h[5])), (left - 0.05, bar * 0.6), (0.02, bar)]
        across: Points = [(0.02, bar), (right, bar - tilt)]
        stem: Points = [(x + 0.04, mix(0.0, 0.4, h[4])), (x, 1)]
        return [[side, across], [stem]]
    top = x + mix(-0.02, 0.1, h[4])
    down: Points = [(top, 0), (mix(0.14, 0.2, h[5]), bar * 0.62), (0, bar)]
    if h[3] < 0.85:
        stem = [(top if h[5] < 0.6 else x, mix(0.0, 0.3, h[4] * h[5])), (x, 1)]
        return [[down, [(0, bar), (right, bar - tilt)]], [stem]]
    return [
        [
            down,
            [(0, bar), (right, bar - tilt)],
            [(right, bar - tilt), (x, 0.05)],
            [(x, 0.05), (x, 1)],
        ]
    ]


def five(h: list[float]) -> list[Stroke]:
    """Draw a neck, a bowl and a hat: in two strokes, or in one."""
    neck, r = mix(0.36, 0.5, h[0]), mix(0.24, 0.33, h[1])
    left, hat = mix(0.08, 0.16, h[2]), mix(0.44, 0.68, h[3])
    bowl = arc(0.27, (neck + 1) / 2, r, (1 - neck) / 2, mix(-135, -100, h[2]), mix(110, 160, h[5]))
    lean = mix(-0.03, 0.05, h[2])
    if h[4] < 0.25:  # like an S
        return [[[(hat, 0.02), (0.3, 0.0), (left, 0.18), (0.16, 0.4), *bowl[1:]]]]
    stem: Points = [(left + lean, 0.02), (left, neck * 1.04)]
    if h[4] < 0.6:
        return [[[(hat, 0.02 - lean), (left + lean, 0.02)], stem, [(left, neck * 1.04), *bowl]]]
    gap = mix(-0.02, 0.08, h[5])
    start = (left + lean + gap, mix(0.02, -0.04, h[3]))
    return [[stem, [(left, neck * 1.04), *bowl]], [[start, (hat, mix(0.03, -0.05, h[3]))]]]


def six(h: list[float]) -> list[Stroke]:
    """Draw a stem that runs into a loop at the foot; the loop may stay open."""
    r, ry = mix(0.19, 0.3, h[0]), mix(0.19, 0.28, h[1])
    cy, cx = 1 - ry, 0.32
    start = mix(0.28, 0.62, h[2])
    stem: Points = [(start, 0), (mix(0.12, 0.3, h[3]), 0.3), (cx - r, 0.68)]
    loop = arc(cx, cy, r, ry, 165, mix(165 - 280, 165 - 375, h[4]))
    return [[[*stem, *loop[1:]]]]


def seven(h: list[float]) -> list[Stroke]:
    """Draw a top and a slanted stem, with a bar or a hook or neither."""
    right, foot = mix(0.46, 0.66, h[0]), mix(0.1, 0.34, h[1])
    bend = mix(-0.1, 0.05, h[2])
    wave = mix(-0.05, 0.04, h[5])
    top: Points = [(0, 0.03 + wave / 2), (right / 2, 0.02 - wave), (right, 0.0)]
    stem: Points = [(right, 0), ((right + foot) / 2 + bend, 0.5), (foot, 1)]
    pieces: Stroke = [top, stem]
    if h[3] > 0.8:
        pieces.insert(0, [(0.01, mix(0.1, 0.24, h[5])), (0, 0.03 + wave / 2)])
    strokes = [pieces]
    if h[4] > 0.5:
        x, half = (right + foot) / 2 + bend, mix(0.13, 0.25, h[2])
        rise = mix(-0.08, 0.05, h[0])
        strokes.append([[(x - half, 0.5 - rise), (x + half, 0.5 + rise)]])
    return strokes


def eight(h: list[float]) -> list[Stroke]:
    """Draw one crossed line, or two rings, one on the other."""
    mid, top, low = mix(0.4, 0.5, h[0]), mix(0.15, 0.24, h[1]), mix(0.2, 0.3, h[2])
    if h[3] > 0.78:
        end = mix(340, 385, h[4])
        return [
            [arc(0.3, mid / 2, top, mid / 2, -80, -80 - end)],
            [arc(0.3, (1 + mid) / 2, low, (1 - mid) / 2, -90, -90 + end)],
        ]
    open_ = mix(0.0, 0.12, h[5] * h[4])
    line: Points = [
        (0.3 + top * 0.9, 0.1 + open_),
        (0.3, 0.0),
        (0.3 - top, mid * 0.45),
        (0.3 + (low - 0.2) * 0.3, mid),
        (0.3 + low, (1 + mid) / 2 + 0.02),
        (0.3, 1.0),
        (0.3 - low, (1 + mid) / 2 + 0.02),
        (0.3 - low * 0.25, mid + 0.06),
        (0.3 + top, mid * 0.5),
        (0.3 + top * 0.75, 0.08),
    ]
    if h[4] < 0.75:
        line.append((0.3 + top * 0.1, mix(-0.02, 0.04, h[5])))
    if h[3] < 0.25:
        line = [(0.6 - x, y) for x, y in line]
    return [[line]]


def nine(h: list[float]) -> list[Stroke]:
    """Draw a loop and a tail: straight, bent or curled, in one stroke."""
    r, ry = mix(0.17, 0.28, h[0]), mix(0.17, 0.27, h[1])
    cx, right = 0.3, 0.3 + mix(0.17, 0.28, h[0])
    loop = arc(cx, ry, r, ry, mix(-50, 5, h[2]), mix(-350, -385, h[3]))
    if h[4] < 0.5:
        foot = mix(0.1, 0.55, h[5])
        return [[loop, [loop[-1], (right - 0.01, ry), (min(right, foot), 1)]]]
    if h[4] < 0.75:  # bent
        return [[loop, [loop[-1], (right, 0.45), (right - 0.06, 0.78), (mix(0.05, 0.25, h[5]), 1)]]]
    hook: Points = [(right, 0.5), (right - 0.04, 0.86), (0.3, 1), (0.08, mix(0.86, 0.97, h[5]))]
    return [[loop, [loop[-1], *hook]]]


def dollar(h: list[float]) -> list[Stroke]:
    """Draw an S with one bar or two, through all of it or only at its ends."""
    r = mix(0.2, 0.3, h[0])
    spine: Points = [
        (0.3 + r * 0.95, 0.24),
        (0.34, 0.1),
        (0.3 - r * 0.85, 0.27),
        (0.3, mix(0.46, 0.52, h[1])),
        (0.3 + r * 0.95, 0.7),
        (0.28, 0.9),
        (0.3 - r, mix(0.7, 0.82, h[2])),
    ]
    strokes: list[Stroke] = [[spine]]
    over = mix(0.02, 0.14, h[4])
    xs = [0.3] if h[3] < 0.72 else [0.3 - 0.06 - 0.03 * h[5], 0.3 + 0.06 + 0.03 * h[5]]
    for x in xs:
        dx = mix(-0.03, 0.05, h[5])
        if h[2] > 0.72:  # only at the ends
            strokes.append([[(x + dx, 0.06 - over), (x + dx * 0.7, 0.17)]])
            strokes.append([[(x - dx * 0.7, 0.84), (x - dx, 0.96 + over)]])
        else:
            strokes.append([[(x + dx, 0.06 - over), (x - dx, 0.95 + over)]])
    return strokes


def double_u(h: list[float]) -> list[Stroke]:
    """Draw a w, pointed or round, of a small letter's height or a digit's."""
    top = mix(0.45, 0.12, h[0]) if h[0] < 0.8 else 0.0
    wide, peak = mix(0.7, 1.05, h[1]), mix(top, top + 0.35 * (1 - top), h[2])
    if h[3] < 0.5:
        a: Points = [(0, top), (wide * 0.24, 1)]
        b: Points = [(wide * 0.24, 1), (wide * 0.5, peak)]
        c: Points = [(wide * 0.5, peak), (wide * 0.74, 1)]
        return [[a, b, c, [(wide * 0.74, 1), (wide, top)]]]
    low = 1 - (1 - top) * 0.25
    bowl: Points = [(0, top), (wide * 0.02, low), (wide * 0.2, 1), (wide * 0.42, low)]
    right: Points = [(wide * 0.52, low), (wide * 0.74, 1), (wide * 0.95, low - 0.1), (wide, top)]
    if h[4] > 0.6:  # a flick at the end
        right.append((wide + 0.1, top + 0.04))
    return [[[*bowl, (wide * 0.48, peak)], [(wide * 0.48, peak), *right]]]


def ex(h: list[float]) -> list[Stroke]:
    """Draw two strokes that cross, straight or bent."""
    top = mix(0.0, 0.45, h[0])
    wide, bend = (1 - top) * mix(0.6, 1.15, h[1]), mix(-0.1, 0.1, h[2])
    mid = (top + 1) / 2
    shift = mix(-0.1, 0.1, h[3])
    if h[4] > 0.85:  # two bows, back to back
        left = arc(0.0, mid, wide / 2, (1 - top) / 2, -75, 75)
        right = arc(wide, mid, wide / 2, (1 - top) / 2, 255, 105)
        return [[left], [right]]
    return [
        [[(0, top + shift / 3), (wide / 2 + bend / 2, mid + bend), (wide, 1)]],
        [[(wide, top), (wide / 2 - bend / 2 + shift, mid + bend / 2), (0.02, 1 - shift / 3)]],
    ]


def minus(h: list[float]) -> list[Stroke]:
    """Draw a stroke across, at half height."""
    wide, tilt, wave = mix(0.25, 0.75, h[0]), mix(-0.07, 0.07, h[1]), mix(-0.04, 0.04, h[2])
    y = mix(0.42, 0.68, h[3])
    return [[[(0, y - tilt), (wide / 2, y + wave), (wide, y + tilt)]]]


SHAPES: dict[str, Callable[[list[float]], list[Stroke]]] = dict(
    zip(
        SIGNS,
        (zero, one, two, three, four, five, six, seven, eight, nine, dollar, double_u, ex, minus),
        strict=True,
    )
)
