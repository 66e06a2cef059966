"""What makes a sheet findable and identifiable: four corner markers and a small code.

Markers are ArUco DICT_4X4_50, ids 0 to 3 (top left, top right, bottom left, bottom right); the code
is a version 1 QR code with error correction Q, which holds 16 capitals and digits.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence

from sheetgen.geometry import PT_PER_MM, Rect, Size
from sheetgen.layout.job import CAP_HEIGHT, Job, Shape
from sheetgen.model import Code
from sheetgen.scene import Box, Paint, Path, Segment

# The inner 4 x 4 modules of OpenCV's DICT_4X4_50, ids 0 to 3; 1 is white.
ARUCO_4X4 = (
    ("1011", "0101", "0011", "0010"),
    ("0000", "1111", "1001", "1010"),
    ("0011", "0011", "0010", "1101"),
    ("1001", "1001", "0100", "0110"),
)
DIGEST_LENGTH = 6  # base-32 digits: 30 bits
SIDE = 21  # modules along a side of the code
QUIET = 4  # modules around the code that stay white
OVERHANG = 2.8  # mm by which letters beside a code may stand out above it, into the gap there


def digest(owner: str, size: Size, boxes: Iterable[Box]) -> str:
    """Return the layout digest: 6 capitals and digits that follow from the boxes' ids and rects."""
    lines = [f"{owner} {size.width:.2f} {size.height:.2f}"]
    lines += [
        f"{box.id} {box.kind} " + " ".join(f"{value:.2f}" for value in box.rect) for box in boxes
    ]
    data = hashlib.sha256("\n".join(lines).encode()).digest()
    return base64.b32encode(data).decode()[:DIGEST_LENGTH]


def outlines(dark: Sequence[Sequence[bool]]) -> list[list[tuple[int, int]]]:
    """Return closed loops of grid points around the dark modules, for an even-odd fill.

    One outline per region instead of a square per module: neighbouring squares would show seams.
    """
    ahead: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for y, row in enumerate(dark):
        for x, on in enumerate(row):
            if not on:
                continue
            corners = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
            for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
                if a in ahead.get(b, []):
                    ahead[b].remove(a)
                else:
                    ahead.setdefault(a, []).append(b)
    loops = []
    for start in sorted(ahead):
        while ahead[start]:
            loop = [start]
            while (here := ahead[loop[-1]].pop()) != start:
                loop.append(here)
            loops.append(_corners(loop))
    return loops


def _corners(loop: list[tuple[int, int]]) -> list[tuple[int, int]]:
    before = [loop[-1], *loop[:-1]]
    after = [*loop[1:], loop[0]]
    return [
        b
        for a, b, c in zip(before, loop, after, strict=True)
        if (b[0] - a[0]) * (c[1] - b[1]) != (b[1] - a[1]) * (c[0] - b[0])
    ]


def modules(dark: Sequence[Sequence[bool]], place: Rect, colour: str) -> Path:
    """Return a square of modules as one path."""
    step = place.width / len(dark)
    segments: list[Segment] = []
    for loop in outlines(dark):
        points = [(place.x + x * step, place.y + y * step) for x, y in loop]
        segments += [("M", *points[0]), *(("L", *point) for point in points[1:]), ("Z",)]
    return Path(tuple(segments), Paint(fill=colour), "fiducial")


def marker(number: int, place: Rect, colour: str) -> Path:
    """Return a corner marker: the bits within a border of one dark module."""
    bits = ARUCO_4X4[number]
    dark = [[True] * 6, *([True, *(bit == "0" for bit in row), True] for row in bits), [True] * 6]
    return modules(dark, place, colour)


def place_markers(job: Job) -> None:
    """Ink the four corner markers, their outer edges on the sheet's margins."""
    size, content = job.style.sizes["marker"], job.content
    right, bottom = content.right - size, content.bottom - size
    corners = [(content.x, content.y), (right, content.y), (content.x, bottom), (right, bottom)]
    for number, (x, y) in enumerate(corners):
        job.items.append(marker(number, Rect(x, y, size, size), job.style.colour("ink")))


def place_codes(job: Job, text: str) -> None:
    """Ink the code where the layout left room for it, and the same in letters."""
    if not job.codes:
        return
    import segno

    code = segno.make(text, version=1, error="q", mode="alphanumeric", boost_error=False)
    dark = [[bool(module) for module in row] for row in code.matrix]
    size = job.style.sizes["code"]
    for rect, lying in job.codes:
        place = Rect(rect.x, rect.y, size, size)
        job.items.append(modules(dark, place, job.style.colour("ink")))
        line = job.fit(text, "code", 2 * size, job.variant.place)
        quiet = _quiet(job)
        if lying:
            x = place.right + quiet + job.cap(line)
            foot = min(place.center.y + line.width / 2, job.content.bottom)
            job.put(line, x, foot, angle=90)
        else:
            job.put(line, place.x, place.bottom + quiet + job.cap(line))


def _place_code(job: Job, code: Code, rect: Rect) -> None:
    job.codes.append((rect, code.lying))


def _quiet(job: Job) -> float:
    return job.style.sizes["code"] * QUIET / SIDE


def _letters(job: Job) -> float:
    """Return the length in mm that nearly no letters of this variant's codes exceed."""
    return job.measure(f"{job.variant.code}-{'N' * DIGEST_LENGTH}", "code")


def _least_width(job: Job, code: Code) -> float:
    size = job.style.sizes["code"]
    if code.lying:
        return size + _quiet(job) + _line_height(job)
    return max(size, _letters(job))


def _height(job: Job, code: Code, width: float) -> float:
    size = job.style.sizes["code"]
    if code.lying:
        return max(size, _letters(job) - OVERHANG)
    return size + _quiet(job) + _line_height(job)


def _line_height(job: Job) -> float:
    return CAP_HEIGHT * job.style.type("code").size / PT_PER_MM


CODE = Shape(_least_width, _height, _place_code)
