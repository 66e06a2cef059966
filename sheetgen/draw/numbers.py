"""How every written format spells a number."""

from __future__ import annotations


def number(value: float, decimals: int = 3) -> str:
    """Return ``value`` rounded to ``decimals`` places (at least 1), as short as it can be said."""
    text = f"{value:.{decimals}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
