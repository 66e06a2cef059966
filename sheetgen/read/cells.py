"""Entries written in one line, as in a table's cell and on the command line: ``$ 3 5 8``."""

from __future__ import annotations

import re

from sheetgen.nodes import Mapping, Node, Scalar, Sequence

_WORD = re.compile(r"[^\s,]+")


class Cell(Sequence):
    """What stood in a cell, word by word; what it means follows from the name it is for."""

    __slots__ = ()


def cell(text: str, line: int, column: int) -> Cell:
    """Return the words of a cell, which are separated by blanks or commas."""
    items = (Scalar(word[0], False, line, column + word.start()) for word in _WORD.finditer(text))
    return Cell(tuple(items), line, column)


def single(node: Node) -> Node:
    """Return the only word of a cell, or nothing for an empty one; other nodes as they are."""
    if isinstance(node, Cell) and len(node.items) < 2:
        return node.items[0] if node.items else Scalar("", False, node.line, node.column)
    return node


def truth(node: Node) -> Node:
    """Return a cell's ``TRUE``, which spreadsheets make of ``true``, in small letters."""
    node = single(node)
    if isinstance(node, Scalar) and node.value in ("TRUE", "FALSE"):
        return node._replace(value=node.value.lower())
    return node


def pairs(node: Node) -> Node:
    """Return a cell ``sum=36 wagers=1 cards=6`` as a mapping; other nodes as they are."""
    if not isinstance(node, Cell) or not any("=" in _value(item) for item in node.items):
        return node
    entries = []
    for item in node.items:
        name, _, value = _value(item).partition("=")
        at = item.column + len(name) + 1
        entries.append(
            (Scalar(name, False, item.line, item.column), Scalar(value, False, item.line, at))
        )
    return Mapping(tuple(entries), node.line, node.column)


def _value(node: Node) -> str:
    return node.value if isinstance(node, Scalar) else ""
