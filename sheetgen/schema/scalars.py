"""Kinds of single values: words, choices, numbers and ranges."""

from __future__ import annotations

import re
from typing import Any

from sheetgen.errors import nearest
from sheetgen.nodes import Node, Scalar
from sheetgen.schema.record import Json, Name, Reader, describe

_OTHERS = {"number": ("1", "12", "-1", "1.5"), "boolean": ("true", "false")}


def _whole(pattern: str) -> str:
    """Return a pattern that fits a whole text: JSON Schema is content with a part."""
    return f"^(?:{pattern})$"


class Words:
    """Text exactly as typed, not empty."""

    wanted = "a text"

    def __init__(self, pattern: str = "", wanted: str = "", longest: int = 2000) -> None:
        self.pattern = pattern  # compiled by re when first used
        self.wanted = wanted or self.wanted
        self.longest = longest

    def decode(self, node: Node, reader: Reader, where: str) -> Any:
        """Return a :class:`Name`."""
        if not isinstance(node, Scalar) or node.is_null or not node.value.strip():
            return reader.fail(node, where, describe(node), f"allowed is {self.wanted}")
        if self.pattern and not re.fullmatch(self.pattern, node.value):
            return reader.fail(node, where, describe(node), f"allowed is {self.wanted}")
        if len(node.value) > self.longest:
            found = f"found a text of {len(node.value)} letters"
            return reader.fail(node, where, found, f"allowed are at most {self.longest}")
        return Name(node.value, reader.place(node, where))

    def schema(self) -> Json:
        """Return a schema of a text, which an editor may take for a number or a truth value."""
        if not self.pattern:
            return {"type": ["string", *_OTHERS], "minLength": 1}
        others = [
            name
            for name, texts in _OTHERS.items()
            if any(re.fullmatch(self.pattern, text) for text in texts)
        ]
        return {"type": ["string", *others], "pattern": _whole(self.pattern)}


class Choice:
    """One of a few words."""

    def __init__(self, *options: str) -> None:
        self.options = options

    @property
    def wanted(self) -> str:
        """List the words."""
        return "one of " + ", ".join(self.options)

    def decode(self, node: Node, reader: Reader, where: str) -> Any:
        """Return the word."""
        if isinstance(node, Scalar) and node.value in self.options:
            return node.value
        near = nearest(node.value, self.options) if isinstance(node, Scalar) else ""
        return reader.fail(node, where, describe(node), f"allowed is {self.wanted}", near)

    def schema(self) -> Json:
        """Return an enumeration."""
        return {"enum": list(self.options)}


class Flag(Choice):
    """``true`` or ``false``."""

    def __init__(self) -> None:
        super().__init__("true", "false")

    def decode(self, node: Node, reader: Reader, where: str) -> Any:
        """Return a bool."""
        word = super().decode(node, reader, where)
        return None if word is None else word == "true"

    def schema(self) -> Json:
        """Return a boolean schema."""
        return {"type": "boolean"}


class Number:
    """A decimal number in a range, with its unit for messages. No exponent, no leading zero."""

    pattern = re.compile(r"[-−+]?(0|[1-9][0-9]*)(\.[0-9]+)?")
    noun = "a number"

    def __init__(self, low: float, high: float, unit: str = "") -> None:
        self.low, self.high, self.unit = low, high, unit

    @property
    def wanted(self) -> str:
        """Say the range."""
        unit = f" {self.unit}" if self.unit else ""
        return f"{self.noun} from {self.low:g} to {self.high:g}{unit}"

    def decode(self, node: Node, reader: Reader, where: str) -> Any:
        """Return the number."""
        if isinstance(node, Scalar) and self.pattern.fullmatch(node.value) and len(node.value) < 20:
            value = float(node.value.replace("−", "-"))
            if self.low <= value <= self.high:
                return self.convert(value)
        return reader.fail(node, where, describe(node), f"allowed is {self.wanted}")

    def convert(self, value: float) -> float:
        """Return the value as it is kept."""
        return value

    def schema(self) -> Json:
        """Return a number schema."""
        return {"type": "number", "minimum": self.low, "maximum": self.high}


class Integer(Number):
    """A whole number in a range."""

    pattern = re.compile(r"[-−+]?(0|[1-9][0-9]*)")
    noun = "a whole number"

    def convert(self, value: float) -> float:
        """Return an int."""
        return int(value)

    def schema(self) -> Json:
        """Return an integer schema."""
        return {**super().schema(), "type": "integer"}


class Count(Integer):
    """A whole number, or the name of a value from the setups or options."""

    name = re.compile(r"(?!(?:true|false)$)[a-z][a-z0-9_]{0,39}")

    @property
    def wanted(self) -> str:
        """Say the range and that names are allowed."""
        return super().wanted + " or the name of a setup's value or an option"

    def decode(self, node: Node, reader: Reader, where: str) -> Any:
        """Return an int or a :class:`Name`."""
        if isinstance(node, Scalar) and self.name.fullmatch(node.value):
            return Name(node.value, reader.place(node, where))
        return super().decode(node, reader, where)

    def schema(self) -> Json:
        """Return a schema of both."""
        name = {"type": "string", "pattern": _whole(self.name.pattern)}
        return {"anyOf": [super().schema(), name]}


class Pair:
    """A range such as ``2`` or ``3-8``."""

    pattern = re.compile(r"([1-9][0-9]{0,2})(?:-([1-9][0-9]{0,2}))?")
    wanted = "a number of players such as 2 or 3-8"

    def decode(self, node: Node, reader: Reader, where: str) -> Any:
        """Return (lowest, highest)."""
        found = self.pattern.fullmatch(node.value) if isinstance(node, Scalar) else None
        if not found or int(found[1]) > int(found[2] or found[1]):
            return reader.fail(node, where, describe(node), f"allowed is {self.wanted}")
        return int(found[1]), int(found[2] or found[1])

    def schema(self) -> Json:
        """Return a schema of both ways to write it."""
        text = {"type": "string", "pattern": _whole(self.pattern.pattern)}
        return {"anyOf": [{"type": "integer", "minimum": 1, "maximum": 999}, text]}


IDENTIFIER = Words(
    r"[a-z][a-z0-9_-]{0,39}", "a name of small letters, digits, - and _, starting with a letter"
)
