"""The solids that dice are: their faces in space and their nets on paper.

Results are numbered so that face i lies opposite face n - 1 - i: faces listed from 1 to 6 add up
to 7 across a d6, faces 0 to 9 to 9 across a d10. A d4 has no opposite faces.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from sheetgen.geometry import Point, Rect

Vector = tuple[float, float, float]
Loop = tuple[int, ...]

GOLDEN = (1 + math.sqrt(5)) / 2

# How far a tab's ends draw in per mm of depth: about 45 degrees, less where a notch is narrow.
SLANTS = (1.05, 1.45, 1.9, 2.6)

# A practical d10 has all twelve corners on one sphere: the ring's corners then stand this far
# above and below the equator, as a share of the height of the tips. Its kites have angles of
# 51.83, 90, 90 and 128.17 degrees.
D10_RING = math.tan(math.radians(18)) ** 2


class Solid(NamedTuple):
    """A solid in space, in units of its own.

    ``faces[i]`` are the corners of result i, counterclockwise as seen from outside; the top of what
    is printed on it points to the first of them (on a d6: to the edge between the first two).
    ``hinges`` says how the net hangs together: (face, the face it hangs on), parents first, -1 for
    the first. ``turn`` lays the net flat on the page, in degrees.
    """

    corners: tuple[Vector, ...]
    faces: tuple[Loop, ...]
    hinges: tuple[tuple[int, int], ...]
    turn: float


class Joint(NamedTuple):
    """Two edges that meet when the net is folded: ``tab`` on ``face`` is glued under ``other``."""

    letter: str
    face: int
    other: int
    tab: tuple[Point, ...]


class Net(NamedTuple):
    """A net on paper in mm, its bounding box starting at (0, 0).

    ``faces[i]`` are the corners of result i in the order of the solid's; ``folds`` are the edges
    between faces; ``joints`` stand in the order of gluing.
    """

    faces: tuple[tuple[Point, ...], ...]
    folds: tuple[tuple[Point, Point], ...]
    cuts: tuple[tuple[Point, Point], ...]
    joints: tuple[Joint, ...]
    bounds: Rect


def _signs(first: float, second: float) -> list[tuple[float, float]]:
    """Return two values with all their signs, minus first."""
    return [(a, b) for a in (-first, first) for b in (-second, second)]


_CUBE: tuple[Vector, ...] = tuple((x, y, z) for x, y in _signs(1, 1) for z in (-1.0, 1.0))


def _d10_corners() -> tuple[Vector, ...]:
    radius = math.sqrt(1 - D10_RING**2)
    ring = [
        (
            radius * math.cos(math.radians(36 * k)),
            radius * math.sin(math.radians(36 * k)),
            D10_RING if k % 2 == 0 else -D10_RING,
        )
        for k in range(10)
    ]
    return ((0.0, 0.0, 1.0), (0.0, 0.0, -1.0), *ring)


_P = GOLDEN
SOLIDS: dict[str, Solid] = {
    "d4": Solid(
        ((1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)),
        ((1, 2, 0), (3, 1, 0), (3, 0, 2), (1, 3, 2)),
        ((0, -1), (1, 0), (2, 1), (3, 2)),
        240.0,
    ),
    # Around their common corner 1, 2 and 3 run counterclockwise, as on western dice.
    "d6": Solid(
        _CUBE,
        ((1, 3, 2, 0), (2, 3, 7, 6), (0, 2, 6, 4), (5, 7, 3, 1), (1, 0, 4, 5), (4, 6, 7, 5)),
        ((2, -1), (0, 2), (1, 2), (4, 2), (5, 2), (3, 5)),
        180.0,
    ),
    "d8": Solid(
        ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)),
        ((2, 4, 0), (0, 5, 2), (4, 3, 0), (0, 3, 5), (2, 1, 4), (2, 5, 1), (1, 3, 4), (1, 5, 3)),
        ((1, -1), (3, 1), (2, 3), (6, 2), (4, 6), (5, 4), (0, 2), (7, 6)),
        120.0,
    ),
    # Around the die: 0 7 4 1 6 9 2 5 8 3, as usual on ten-sided dice.
    "d10": Solid(
        _d10_corners(),
        (
            (1, 3, 2, 11),
            (0, 4, 5, 6),
            (1, 9, 8, 7),
            (0, 10, 11, 2),
            (1, 5, 4, 3),
            (0, 8, 9, 10),
            (1, 7, 6, 5),
            (0, 2, 3, 4),
            (1, 11, 10, 9),
            (0, 6, 7, 8),
        ),
        ((9, -1), (1, 9), (7, 1), (5, 9), (3, 5), (6, 9), (4, 6), (0, 4), (2, 6), (8, 2)),
        193.6546,
    ),
    "d12": Solid(
        (
            *_CUBE,
            *((0.0, a, b) for a, b in _signs(1 / _P, _P)),
            *((a, b, 0.0) for a, b in _signs(1 / _P, _P)),
            *((a, 0.0, b) for a, b in _signs(_P, 1 / _P)),
        ),
        (
            (17, 16, 0, 12, 1),
            (2, 10, 8, 0, 16),
            (3, 11, 7, 15, 13),
            (1, 12, 14, 5, 9),
            (10, 6, 18, 4, 8),
            (13, 2, 16, 17, 3),
            (18, 19, 5, 14, 4),
            (3, 17, 1, 9, 11),
            (2, 13, 15, 6, 10),
            (0, 8, 4, 14, 12),
            (7, 11, 9, 5, 19),
            (15, 7, 19, 18, 6),
        ),
        (
            *((0, -1), (1, 0), (3, 0), (5, 0), (7, 0), (9, 0)),
            *((4, 1), (11, 4), (2, 11), (6, 11), (8, 11), (10, 11)),
        ),
        36.0,
    ),
    # Neighbours as usual on twenty-sided dice: 20 beside 2, 8 and 14.
    "d20": Solid(
        (
            *((0.0, a, b) for a, b in _signs(1, _P)),
            *((a, b, 0.0) for a, b in _signs(1, _P)),
            *((a, 0.0, b) for a, b in _signs(_P, 1)),
        ),
        (
            *((0, 8, 2), (6, 11, 1), (2, 5, 7), (4, 1, 9), (0, 6, 4)),
            *((5, 9, 3), (0, 2, 10), (11, 7, 3), (8, 9, 5), (10, 7, 11)),
            *((4, 9, 8), (6, 10, 11), (0, 4, 8), (1, 3, 9), (0, 10, 6)),
            *((7, 5, 3), (10, 2, 7), (4, 6, 1), (2, 8, 5), (1, 11, 3)),
        ),
        (
            *((1, -1), (11, 1), (9, 11), (16, 9), (2, 16), (18, 2), (8, 18), (10, 8), (3, 10)),
            *((17, 3), (0, 18), (4, 17), (6, 16), (12, 10), (14, 11), (5, 8), (7, 9), (13, 3)),
            *((15, 2), (19, 1)),
        ),
        120.0,
    ),
}


# -- in space -------------------------------------------------------------------------------------


def _minus(a: Vector, b: Vector) -> Vector:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def _dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: Vector, b: Vector) -> Vector:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _unit(a: Vector) -> Vector:
    length = math.sqrt(_dot(a, a))
    return (a[0] / length, a[1] / length, a[2] / length)


def flat_face(solid: Solid, face: int) -> list[Point]:
    """Return a face's corners in its own plane as seen from outside, y downwards, solid's units."""
    loop = solid.faces[face]
    origin = solid.corners[loop[0]]
    x_axis = _unit(_minus(solid.corners[loop[1]], origin))
    normal = _unit(_cross(x_axis, _minus(solid.corners[loop[2]], origin)))
    y_axis = _cross(normal, x_axis)
    offsets = [_minus(solid.corners[corner], origin) for corner in loop]
    return [Point(_dot(offset, x_axis), -_dot(offset, y_axis)) for offset in offsets]


def unit_size(kind: str) -> float:
    """Return what ``size`` means for a die, in the solid's units: its edge, or a d10's kite."""
    solid = SOLIDS[kind]
    first, second, third, *_ = (solid.corners[corner] for corner in solid.faces[0])
    span = _minus(third, first) if kind == "d10" else _minus(second, first)
    return math.sqrt(_dot(span, span))


# -- on paper -------------------------------------------------------------------------------------


def net(kind: str, size: float, tab: float) -> Net:
    """Return the net of a die: ``size`` is its edge (a d10's kite from tip to tip) in mm.

    ``tab`` is the depth of the glue tabs in mm where the angles beside them leave room.
    """
    solid = SOLIDS[kind]
    scale = size / unit_size(kind)
    placed = _unfold(solid, scale)
    folds, free = _edges(solid, placed)
    joints = _joints(solid, placed, free, tab)
    polygons = [list(face.values()) for face in placed] + [list(joint.tab) for joint in joints]
    xs = [point.x for polygon in polygons for point in polygon]
    ys = [point.y for polygon in polygons for point in polygon]

    def move(point: Point) -> Point:
        return Point(point.x - min(xs), point.y - min(ys))

    moved = [joint._replace(tab=tuple(move(p) for p in joint.tab)) for joint in joints]
    tabbed = {(joint.face, joint.other) for joint in joints}
    cuts = [(a, b) for (face, other), (a, b) in free.items() if (face, other) not in tabbed]
    return Net(
        tuple(
            tuple(move(face[corner]) for corner in loop)
            for face, loop in zip(placed, solid.faces, strict=True)
        ),
        tuple((move(a), move(b)) for a, b in [*folds, *(free[pair] for pair in sorted(tabbed))]),
        tuple((move(a), move(b)) for a, b in cuts),
        tuple(moved),
        Rect(0, 0, max(xs) - min(xs), max(ys) - min(ys)),
    )


Placed = list[dict[int, Point]]


def _unfold(solid: Solid, scale: float) -> Placed:
    """Lay the faces flat, each beside the face it hangs on; corners by their number, in mm."""
    placed: Placed = [{} for _ in solid.faces]
    for face, parent in solid.hinges:
        flat = [Point(x * scale, y * scale) for x, y in flat_face(solid, face)]
        mine = dict(zip(solid.faces[face], flat, strict=True))
        if parent < 0:
            angle = math.radians(solid.turn)
            shift = Point(0, 0)
            pivot = Point(0, 0)
        else:
            a, b = [corner for corner in solid.faces[parent] if corner in mine]
            target_a, target_b = placed[parent][a], placed[parent][b]
            angle = _direction(target_a, target_b) - _direction(mine[a], mine[b])
            pivot, shift = mine[a], target_a
        placed[face] = {corner: _turned(p, pivot, angle, shift) for corner, p in mine.items()}
    return placed


def _direction(a: Point, b: Point) -> float:
    return math.atan2(b.y - a.y, b.x - a.x)


def _turned(point: Point, pivot: Point, angle: float, shift: Point) -> Point:
    x, y = point.x - pivot.x, point.y - pivot.y
    cos, sin = math.cos(angle), math.sin(angle)
    return Point(shift.x + x * cos - y * sin, shift.y + x * sin + y * cos)


def _edges(
    solid: Solid, placed: Placed
) -> tuple[list[tuple[Point, Point]], dict[tuple[int, int], tuple[Point, Point]]]:
    """Return the folds, and the free edges by (face, the face beyond)."""
    hinged = {(face, parent) for face, parent in solid.hinges}
    owner = {
        (a, b): face
        for face, loop in enumerate(solid.faces)
        for a, b in zip(loop, (*loop[1:], loop[0]), strict=True)
    }
    folds, free = [], {}
    for (a, b), face in owner.items():
        other = owner[b, a]
        edge = (placed[face][a], placed[face][b])
        if (face, other) in hinged:
            folds.append(edge)
        elif (other, face) not in hinged:
            free[face, other] = edge
    return folds, free


def _joints(
    solid: Solid, placed: Placed, free: dict[tuple[int, int], tuple[Point, Point]], depth: float
) -> list[Joint]:
    """Give every pair of free edges one tab, the joints nearest the first face first."""
    generation: dict[int, int] = {}
    for face, parent in solid.hinges:
        generation[face] = generation[parent] + 1 if parent >= 0 else 0

    def age(pair: tuple[int, int]) -> tuple[int, int, int, int]:
        a, b = pair
        return (
            max(generation[a], generation[b]),
            min(generation[a], generation[b]),
            min(a, b),
            max(a, b),
        )

    taken: list[Sequence[Point]] = [list(face.values()) for face in placed]
    joints: list[Joint] = []
    for a, b in sorted({(min(pair), max(pair)) for pair in free}, key=age):
        sides = sorted(((a, b), (b, a)), key=lambda side: -generation[side[0]])
        fitting = (
            (side, polygon)
            for slant in SLANTS
            for side in sides
            if not any(_overlap(polygon := _tab(*free[side], depth, slant), o) for o in taken)
        )
        (face, other), polygon = next(fitting)
        taken.append(polygon)
        joints.append(Joint(chr(ord("A") + len(joints)), face, other, polygon))
    return joints


def _tab(a: Point, b: Point, depth: float, slant: float) -> tuple[Point, ...]:
    """Return a trapezium right of the edge a to b: a face's corners run counterclockwise."""
    length = math.dist(a, b)
    along = Point((b.x - a.x) / length, (b.y - a.y) / length)
    out = Point(-along.y, along.x)
    depth = min(depth, length * 0.3, length * 0.4 / slant)
    end = depth * slant
    return (
        a,
        Point(a.x + along.x * end + out.x * depth, a.y + along.y * end + out.y * depth),
        Point(b.x - along.x * end + out.x * depth, b.y - along.y * end + out.y * depth),
        b,
    )


def _overlap(one: Sequence[Point], two: Sequence[Point]) -> bool:
    """Whether two convex polygons share more than a border, by the separating axis theorem."""
    for polygon in (one, two):
        for a, b in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
            axis = (a.y - b.y, b.x - a.x)
            spans = [[p.x * axis[0] + p.y * axis[1] for p in points] for points in (one, two)]
            slack = 1e-6 * math.hypot(*axis)
            if max(spans[0]) <= min(spans[1]) + slack or max(spans[1]) <= min(spans[0]) + slack:
                return False
    return True
