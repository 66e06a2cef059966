"""The nodes of a YAML file, each with its place."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class Scalar(NamedTuple):
    """A text as it was typed; ``quoted`` when it stood in quotes or in a block (``|``, ``>``)."""

    value: str
    quoted: bool
    line: int
    column: int

    @property
    def is_null(self) -> bool:
        """Whether nothing was given: no text at all, ``~`` or ``null`` without quotes."""
        return not self.quoted and self.value in ("", "~", "null")


class Sequence(NamedTuple):
    """A list."""

    items: tuple[Node, ...]
    line: int
    column: int


class Mapping(NamedTuple):
    """Keys with their values, in the order of the file; no key stands twice."""

    entries: tuple[tuple[Scalar, Node], ...]
    line: int
    column: int

    def get(self, name: str) -> Node | None:
        """Return the value of the key ``name``, or ``None``."""
        return next((value for key, value in self.entries if key.value == name), None)


Node: TypeAlias = Scalar | Sequence | Mapping


def kind(node: Node) -> str:
    """Return what a node is, in the words of a message."""
    if isinstance(node, Scalar):
        return "nothing" if node.is_null else "a text"
    return "a list" if isinstance(node, Sequence) else "a mapping"
