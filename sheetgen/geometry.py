"""Plane geometry in millimetres, origin at the top left, y growing downwards."""

from __future__ import annotations

from typing import NamedTuple

MM_PER_INCH = 25.4
PT_PER_MM = 72 / MM_PER_INCH


class Point(NamedTuple):
    """A place in mm."""

    x: float
    y: float


class Size(NamedTuple):
    """A width and a height in mm."""

    width: float
    height: float

    @property
    def turned(self) -> Size:
        """The size after a quarter turn."""
        return Size(self.height, self.width)


class Rect(NamedTuple):
    """An upright rectangle in mm: its top left corner, its width and its height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x of the right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The y of the lower edge."""
        return self.y + self.height

    @property
    def center(self) -> Point:
        """The middle."""
        return Point(self.x + self.width / 2, self.y + self.height / 2)

    def inset(self, dx: float, dy: float | None = None) -> Rect:
        """Return the rectangle made smaller by ``dx`` at the sides and ``dy`` above and below."""
        dy = dx if dy is None else dy
        return Rect(self.x + dx, self.y + dy, self.width - 2 * dx, self.height - 2 * dy)

    def contains(self, other: Rect, tolerance: float = 1e-6) -> bool:
        """Whether ``other`` lies inside, up to ``tolerance`` mm."""
        return (
            other.x >= self.x - tolerance
            and other.y >= self.y - tolerance
            and other.right <= self.right + tolerance
            and other.bottom <= self.bottom + tolerance
        )

    def overlaps(self, other: Rect, tolerance: float = 1e-6) -> bool:
        """Whether the two share more than ``tolerance`` mm in both directions."""
        return (
            min(self.right, other.right) - max(self.x, other.x) > tolerance
            and min(self.bottom, other.bottom) - max(self.y, other.y) > tolerance
        )

    def union(self, other: Rect) -> Rect:
        """Return the smallest rectangle around both."""
        x, y = min(self.x, other.x), min(self.y, other.y)
        return Rect(x, y, max(self.right, other.right) - x, max(self.bottom, other.bottom) - y)


class Affine(NamedTuple):
    """The map (x, y) -> (a x + c y + e, b x + d y + f), in mm with y downwards."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    @staticmethod
    def shift(x: float, y: float) -> Affine:
        """Move by (x, y) mm."""
        return Affine(1, 0, 0, 1, x, y)

    @staticmethod
    def half_turn(x: float, y: float, size: Size) -> Affine:
        """Turn something of ``size`` by 180 degrees so that it fills the same size at (x, y)."""
        return Affine(-1, 0, 0, -1, x + size.width, y + size.height)

    def point(self, point: Point) -> Point:
        """Map a point."""
        x, y = point
        return Point(self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f)

    def rect(self, rect: Rect) -> Rect:
        """Map a rectangle to the upright rectangle around its image."""
        p = self.point(Point(rect.x, rect.y))
        q = self.point(Point(rect.right, rect.bottom))
        return Rect(min(p.x, q.x), min(p.y, q.y), abs(p.x - q.x), abs(p.y - q.y))
