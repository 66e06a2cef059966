"""Nets are folded here anew, by turning faces about their edges, and compared with the solids."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheetgen.geometry import Point
from sheetgen.solids import SOLIDS, Net, Solid, net

Vector = tuple[float, float, float]
KINDS = tuple(SOLIDS)
TAB = 6.0
CLOSE = 1e-6
MM = 0.01

each = pytest.mark.parametrize("kind", KINDS)
sizes = st.floats(10, 60, allow_nan=False)
kinds = st.sampled_from(KINDS)


# -- vectors, independent of the module under test ------------------------------------------------


def _add(a: Vector, b: Vector, share: float = 1.0) -> Vector:
    return (a[0] + share * b[0], a[1] + share * b[1], a[2] + share * b[2])


def _sub(a: Vector, b: Vector) -> Vector:
    return _add(a, b, -1.0)


def _dot(a: Vector, b: Vector) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _cross(a: Vector, b: Vector) -> Vector:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _unit(a: Vector) -> Vector:
    length = math.hypot(*a)
    return (a[0] / length, a[1] / length, a[2] / length)


def _rotated(point: Vector, origin: Vector, axis: Vector, angle: float) -> Vector:
    """Turn a point about an axis through ``origin``, by Rodrigues' formula."""
    v, k = _sub(point, origin), _unit(axis)
    cos, sin = math.cos(angle), math.sin(angle)
    turned = _add((v[0] * cos, v[1] * cos, v[2] * cos), _cross(k, v), sin)
    return _add(origin, _add(turned, k, _dot(k, v) * (1 - cos)))


def _normal(polygon: Sequence[Vector]) -> Vector:
    return _unit(_cross(_sub(polygon[1], polygon[0]), _sub(polygon[2], polygon[1])))


def _middle(polygon: Sequence[Vector]) -> Vector:
    count = len(polygon)
    x, y, z = (sum(p[i] for p in polygon) / count for i in range(3))
    return (x, y, z)


def _corners(solid: Solid, face: int) -> list[Vector]:
    return [solid.corners[corner] for corner in solid.faces[face]]


def _dihedral(solid: Solid, one: int, two: int) -> float:
    """Return the inner angle between two faces that share an edge."""
    cos = _dot(_normal(_corners(solid, one)), _normal(_corners(solid, two)))
    return math.pi - math.acos(max(-1.0, min(1.0, cos)))


def _neighbours(solid: Solid, face: int) -> set[int]:
    mine = set(solid.faces[face])
    return {
        other
        for other, loop in enumerate(solid.faces)
        if other != face and len(mine & set(loop)) == 2
    }


# -- folding --------------------------------------------------------------------------------------


@cache
def _net(kind: str, size: float = 20.0) -> Net:
    return net(kind, size, TAB)


def _hinge(flat: Net, one: int, two: int) -> tuple[Point, Point] | None:
    """Return the edge that two faces share on paper, in the direction of the first."""
    loop = flat.faces[one]
    for a, b in zip(loop, (*loop[1:], loop[0]), strict=True):
        for c, d in zip(flat.faces[two], (*flat.faces[two][1:], flat.faces[two][0]), strict=True):
            if math.dist(a, d) < CLOSE and math.dist(b, c) < CLOSE:
                return a, b
    return None


def _lift(point: Point) -> Vector:
    """Return a place on paper in space: y upwards, the printed side towards positive z."""
    return (point.x, -point.y, 0.0)


def _folded(kind: str, flat: Net) -> tuple[list[list[Vector]], dict[int, int]]:
    """Fold a net backwards along its hinges; return the faces in space and who hangs on whom.

    The tree is found on the paper alone. A face and all that hangs on it turn about the hinge by
    pi minus the dihedral angle of the solid.
    """
    solid = SOLIDS[kind]
    parents = {0: -1}
    queue = [0]
    for face in queue:
        for other in range(len(flat.faces)):
            if other not in parents and _hinge(flat, face, other):
                parents[other] = face
                queue.append(other)
    assert len(parents) == len(flat.faces), "the net falls apart"
    space = [[_lift(point) for point in face] for face in flat.faces]
    for face in reversed(queue[1:]):
        parent = parents[face]
        edge = _hinge(flat, parent, face)
        assert edge is not None
        a, b = (_lift(point) for point in edge)
        # The parent lies left of its edge, seen from the printed side: a turn that lowers what
        # lies right of it is a positive one about the edge's direction.
        angle = math.pi - _dihedral(solid, parent, face)
        for moved in queue:
            above = moved
            while above not in (face, -1):
                above = parents[above]
            if above == face:
                space[moved] = [_rotated(p, a, _sub(b, a), angle) for p in space[moved]]
    return space, parents


def _frame(a: Vector, b: Vector, c: Vector) -> tuple[Vector, Vector, Vector]:
    first = _unit(_sub(b, a))
    third = _unit(_cross(first, _sub(c, a)))
    return first, _cross(third, first), third


@each
def test_net_folds_into_its_solid(kind: str) -> None:
    """Every folded corner lies where the solid has it, printed side outside, not mirrored."""
    solid, flat = SOLIDS[kind], _net(kind)
    space, _ = _folded(kind, flat)
    scale = math.dist(space[0][0], space[0][1]) / math.dist(*_corners(solid, 0)[:2])
    mine = _frame(*space[0][:3])
    theirs = _frame(*_corners(solid, 0)[:3])
    origin = _corners(solid, 0)[0]
    for face, polygon in enumerate(space):
        expected = _corners(solid, face)
        assert len(polygon) == len(expected)
        for folded, corner in zip(polygon, expected, strict=True):
            offset = _sub(corner, origin)
            place = space[0][0]
            for axis, other in zip(mine, theirs, strict=True):
                place = _add(place, axis, scale * _dot(offset, other))
            assert math.dist(folded, place) < CLOSE, (face, folded, place)


@each
def test_printed_side_is_outside(kind: str) -> None:
    """Corners run counterclockwise as printed, and the print looks away from the die's middle."""
    flat = _net(kind)
    space, _ = _folded(kind, flat)
    middle = _middle([corner for polygon in space for corner in polygon])
    for face, polygon in zip(flat.faces, space, strict=True):
        assert _normal([_lift(point) for point in face])[2] > 0.99
        assert _dot(_normal(polygon), _sub(_middle(polygon), middle)) > 0


@each
def test_opposite_faces_are_first_and_last(kind: str) -> None:
    """Faces i and n - 1 - i are parallel and look away from each other; a d4 has none such."""
    space, _ = _folded(kind, _net(kind))
    normals = [_normal(polygon) for polygon in space]
    pairs = {
        (i, j)
        for i, j in combinations(range(len(space)), 2)
        if _dot(normals[i], normals[j]) < -0.99999
    }
    count = len(space)
    assert pairs == (set() if kind == "d4" else {(i, count - 1 - i) for i in range(count // 2)})


@each
def test_glued_edges_meet(kind: str) -> None:
    """The edge of every tab lies on the edge of the face that it is glued under."""
    solid, flat = SOLIDS[kind], _net(kind)
    space, _ = _folded(kind, flat)
    for joint in flat.joints:
        ends = (joint.tab[0], joint.tab[-1])
        places = []
        for end in ends:
            near = [i for i, p in enumerate(flat.faces[joint.face]) if math.dist(p, end) < CLOSE]
            assert len(near) == 1, joint
            places.append(space[joint.face][near[0]])
        for place in places:
            assert min(math.dist(place, corner) for corner in space[joint.other]) < CLOSE, joint
        assert joint.other in _neighbours(solid, joint.face)


@each
def test_every_edge_has_one_hinge_or_one_tab(kind: str) -> None:
    """Each pair of neighbours hangs together once: a fold, or a tab on one of the two."""
    solid, flat = SOLIDS[kind], _net(kind)
    pairs = {(min(a, b), max(a, b)) for a in range(len(solid.faces)) for b in _neighbours(solid, a)}
    hinged = Counter(pair for pair in pairs if _hinge(flat, *pair))
    glued = Counter((min(j.face, j.other), max(j.face, j.other)) for j in flat.joints)
    assert sorted((hinged + glued).elements()) == sorted(pairs)
    assert len(hinged) == len(solid.faces) - 1
    assert len(flat.folds) == len(hinged) + len(glued)
    assert len(flat.cuts) == len(glued)


@each
def test_lines_are_the_edges_of_faces(kind: str) -> None:
    """Every edge of a face is drawn once: as a hinge, under a tab, or cut."""
    flat = _net(kind)

    def key(a: Point, b: Point) -> tuple[tuple[float, float], ...]:
        return tuple(sorted((round(p.x, 4) + 0.0, round(p.y, 4) + 0.0) for p in (a, b)))

    edges = {
        key(a, b) for loop in flat.faces for a, b in zip(loop, (*loop[1:], loop[0]), strict=True)
    }
    drawn = Counter(key(a, b) for a, b in (*flat.folds, *flat.cuts))
    assert set(drawn) == edges
    assert set(drawn.values()) == {1}


# -- on paper -------------------------------------------------------------------------------------


def _clipped(subject: Sequence[Point], clip: Sequence[Point]) -> list[Point]:
    """Cut a polygon with a convex one (Sutherland and Hodgman); y points down."""
    found = list(subject)
    sign = 1 if _area(clip) > 0 else -1
    for a, b in zip(clip, (*clip[1:], clip[0]), strict=True):
        if not found:
            return []

        def side(p: Point, a: Point = a, b: Point = b) -> float:
            return sign * ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x))

        kept = []
        for p, q in zip(found, (*found[1:], found[0]), strict=True):
            first, second = side(p), side(q)
            if first >= 0:
                kept.append(p)
            if first * second < 0:
                share = first / (first - second)
                kept.append(Point(p.x + (q.x - p.x) * share, p.y + (q.y - p.y) * share))
        found = kept
    return found


def _area(polygon: Sequence[Point]) -> float:
    following = (*polygon[1:], *polygon[:1])
    return sum(p.x * q.y - p.y * q.x for p, q in zip(polygon, following, strict=True)) / 2


def test_clipping_finds_an_overlap() -> None:
    """The test of overlaps itself: two squares of 2 mm that share 1 mm2, and two that touch."""
    square = [Point(0, 0), Point(2, 0), Point(2, 2), Point(0, 2)]
    assert abs(_area(_clipped(square, [Point(p.x + 1, p.y + 1) for p in square]))) == 1
    beside = _clipped(square, [Point(p.x + 2, p.y) for p in square])
    assert _area(beside) == 0


@given(kinds, sizes, st.floats(2, 9))
def test_faces_and_tabs_do_not_overlap(kind: str, size: float, tab: float) -> None:
    """No two of all faces and tabs share ground, whatever the size and the depth of the tabs."""
    flat = net(kind, size, tab)
    polygons = [*flat.faces, *(joint.tab for joint in flat.joints)]
    for one, two in combinations(polygons, 2):
        assert abs(_area(_clipped(one, two))) < 1e-4


@given(kinds, sizes)
def test_sizes_are_exact(kind: str, size: float) -> None:
    """The edge (a d10's kite from tip to tip) is what was asked for, on every face."""
    for loop in net(kind, size, TAB).faces:
        if kind == "d10":
            assert math.dist(loop[0], loop[2]) == pytest.approx(size, abs=MM)
        else:
            for a, b in zip(loop, (*loop[1:], loop[0]), strict=True):
                assert math.dist(a, b) == pytest.approx(size, abs=MM)


@given(kinds, sizes)
def test_bounds_are_those_of_the_ink(kind: str, size: float) -> None:
    """The net starts at (0, 0) and reaches to the corner of its bounds."""
    flat = net(kind, size, TAB)
    points = [p for polygon in (*flat.faces, *(j.tab for j in flat.joints)) for p in polygon]
    assert min(p.x for p in points) == pytest.approx(0, abs=1e-9)
    assert min(p.y for p in points) == pytest.approx(0, abs=1e-9)
    assert max(p.x for p in points) == pytest.approx(flat.bounds.right)
    assert max(p.y for p in points) == pytest.approx(flat.bounds.bottom)


@given(kinds, sizes)
def test_tabs_hide_under_the_face_they_are_glued_to(kind: str, size: float) -> None:
    """A tab is at least 1.9 mm deep, and no larger than the face beyond its edge."""
    flat = net(kind, size, TAB)
    for joint in flat.joints:
        a, p, q, b = joint.tab
        along = _unit(_sub(_lift(b), _lift(a)))
        depths = [math.hypot(*_cross(along, _sub(_lift(point), _lift(a)))) for point in (p, q)]
        assert depths[0] == pytest.approx(depths[1])
        assert min(depths) >= min(1.9, size * 0.13), joint
        face = flat.faces[joint.other]
        # Lay the other face over the tab, as it lies once it is glued.
        index = next(
            i
            for i in range(len(face))
            if {
                SOLIDS[kind].faces[joint.other][i],
                SOLIDS[kind].faces[joint.other][(i + 1) % len(face)],
            }
            <= set(SOLIDS[kind].faces[joint.face])
        )
        c, d = face[index], face[(index + 1) % len(face)]
        angle = math.atan2(a.y - b.y, a.x - b.x) - math.atan2(d.y - c.y, d.x - c.x)
        cos, sin = math.cos(angle), math.sin(angle)
        laid = [
            Point(
                b.x + (v.x - c.x) * cos - (v.y - c.y) * sin,
                b.y + (v.x - c.x) * sin + (v.y - c.y) * cos,
            )
            for v in face
        ]
        assert abs(_area(_clipped(joint.tab, laid))) == pytest.approx(
            abs(_area(joint.tab)), rel=1e-3
        )


@each
def test_tabs_are_lettered_in_the_order_of_gluing(kind: str) -> None:
    """Letters run from A; a joint never comes before one that lies nearer to the net's middle.

    The distance is that of the joint's farther face from the first face, in hinges: what is glued
    first folds the middle, what is glued last closes the lid.
    """
    flat = _net(kind)
    assert [j.letter for j in flat.joints] == [chr(65 + i) for i in range(len(flat.joints))]
    first = SOLIDS[kind].hinges[0][0]
    depth = {first: 0}
    queue = [first]
    for face in queue:
        for other in range(len(flat.faces)):
            if other not in depth and _hinge(flat, face, other):
                depth[other] = depth[face] + 1
                queue.append(other)
    ranks = [
        (max(depth[j.face], depth[j.other]), min(depth[j.face], depth[j.other]))
        for j in flat.joints
    ]
    assert ranks == sorted(ranks)


@each
def test_the_last_joint_has_a_free_flap(kind: str) -> None:
    """The face of the last joint closes the die: it has one hinge, and no face hangs on it."""
    flat = _net(kind)
    last = flat.joints[-1]
    hinges = [
        sum(bool(_hinge(flat, face, other)) for other in range(len(flat.faces)) if other != face)
        for face in (last.face, last.other)
    ]
    assert 1 in hinges


# -- facts about single kinds ---------------------------------------------------------------------


def test_d10_is_the_practical_trapezohedron() -> None:
    """All twelve corners lie on a sphere, and kites have 51.83, 90, 128.17 and 90 degrees."""
    solid = SOLIDS["d10"]
    assert {round(math.hypot(*corner), 9) for corner in solid.corners} == {1.0}
    assert len(set(solid.corners)) == 12
    for loop in _net("d10").faces:
        angles = []
        for i, p in enumerate(loop):
            one, two = loop[i - 1], loop[(i + 1) % 4]
            u, v = (one.x - p.x, one.y - p.y), (two.x - p.x, two.y - p.y)
            cos = (u[0] * v[0] + u[1] * v[1]) / (math.hypot(*u) * math.hypot(*v))
            angles.append(math.degrees(math.acos(cos)))
        assert angles == pytest.approx([51.83, 90.0, 128.17, 90.0], abs=0.005)


def test_d10_runs_round_the_die_as_usual() -> None:
    """Neighbours around the equator are 0 7 4 1 6 9 2 5 8 3, and opposite faces add up to 9."""
    solid = SOLIDS["d10"]
    ring = [0, 7, 4, 1, 6, 9, 2, 5, 8, 3]
    assert all(a + b == 9 for a, b in zip(ring[:5], ring[5:], strict=True))
    for a, b in zip(ring, (*ring[1:], ring[0]), strict=True):
        assert b in _neighbours(solid, a)
        assert (a % 2 == 0) == (solid.faces[a][0] == solid.faces[0][0]), "odd and even share a tip"


def test_d10_faces_lie_flat() -> None:
    """The four corners of a kite lie in one plane."""
    solid = SOLIDS["d10"]
    for face in range(10):
        a, b, c, d = _corners(solid, face)
        assert _dot(_normal([a, b, c]), _sub(d, a)) == pytest.approx(0, abs=1e-12)


def test_d20_has_the_usual_neighbours() -> None:
    """20 lies beside 2, 8 and 14, and 1 beside 7, 13 and 19."""
    assert {face + 1 for face in _neighbours(SOLIDS["d20"], 19)} == {2, 8, 14}
    assert {face + 1 for face in _neighbours(SOLIDS["d20"], 0)} == {7, 13, 19}


def test_d6_turns_as_western_dice_do() -> None:
    """Around the corner of 1, 2 and 3 the numbers run counterclockwise."""
    solid = SOLIDS["d6"]
    one, two, three = (_normal(_corners(solid, face)) for face in range(3))
    assert _dot(_cross(one, two), three) == pytest.approx(1)


@each
def test_solids_are_regular(kind: str) -> None:
    """Faces have the number of corners of their kind, edges one length, corners one distance."""
    solid = SOLIDS[kind]
    corners = {"d4": 3, "d6": 4, "d8": 3, "d10": 4, "d12": 5, "d20": 3}[kind]
    assert len(solid.faces) == int(kind[1:])
    assert {len(loop) for loop in solid.faces} == {corners}
    assert len({round(math.hypot(*corner), 9) for corner in solid.corners}) == 1
    edges = {
        round(math.dist(solid.corners[a], solid.corners[b]), 9)
        for loop in solid.faces
        for a, b in zip(loop, (*loop[1:], loop[0]), strict=True)
    }
    assert len(edges) == (2 if kind == "d10" else 1)


@each
def test_a_net_fits_a4_at_its_smallest_turn(kind: str) -> None:
    """Nets lie so that those of 20 mm fit a page of 190 mm x 250 mm upright or turned."""
    bounds = _net(kind).bounds
    assert min(bounds.width, bounds.height) < 190
    assert max(bounds.width, bounds.height) < 250
