"""What a variant holds: all that is below a value, its lanes, and the numbers known by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from sheetgen.errors import Problem, nearest
from sheetgen.model import Lanes, Variant
from sheetgen.schema import NOWHERE, Name, Place, Record
from sheetgen.text import Text


def walk(value: Any) -> Iterator[Any]:
    """Yield a value and everything below it."""
    yield value
    if isinstance(value, tuple) and not isinstance(value, Place | Text):
        for item in value:
            yield from walk(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from walk(item)
    elif isinstance(value, Record):
        for name in value.keys:
            yield from walk(getattr(value, name))


def values(variant: Variant, setup: str | None) -> dict[str, int]:
    """Return the numbers that counts and templates know: setup's values, options' defaults."""
    known = {str(name): option.default for name, option in (variant.options or {}).items()}
    if setup and variant.setups:
        known |= {str(name): value for name, value in (variant.setups[setup].values or {}).items()}
    return known


def names_in(variant: Variant, setup: str | None) -> list[str]:
    """Return the names that have a value in a setup."""
    return [*values(variant, setup), "players"]


def possible(variant: Variant, name: str) -> list[tuple[int, str]]:
    """Return the values that a name may have, the least and the most of a range, and where."""
    option = (variant.options or {}).get(name)
    if option:
        return [(option.low, ""), (option.high, "")]
    if name == "players":
        return [(number, "") for number in variant.players]
    return [
        (setup.values[name], f" in the setup {key}")
        for key, setup in (variant.setups or {}).items()
        if name in (setup.values or {})
    ]


def span(variant: Variant, count: int | Name, most: int) -> tuple[int, int]:
    """Return the least and the greatest number a count may stand for, not above ``most``."""
    if not isinstance(count, Name):
        return count, count
    numbers = [number for number, _ in possible(variant, count)] or [most]
    return min(*numbers, most), max(0, min(max(numbers), most))


def lane_names(variant: Variant, group: Lanes) -> list[str]:
    """Return the names by which parts know the lanes of a group."""
    if group.count is None:
        return [str(name) for name in group.lanes]
    _, most = span(variant, group.count, 40)
    return [f"{group.lanes[0]}{number}" for number in range(1, most + 1)]


def place_of(name: str) -> Place:
    """Return where a name was written."""
    return name.place if isinstance(name, Name) else NOWHERE


def unknown(name: Name, noun: str, known: Iterable[str]) -> Problem:
    """Return the problem that a name is not among the known."""
    known = [str(one) for one in known]
    allowed = f"known are {', '.join(known)}" if known else f"the file defines no {noun}s"
    return name.place.problem(f"unknown {noun} {str(name)!r}", allowed, nearest(name, known))
