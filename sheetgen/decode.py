"""From a variant file to a :class:`sheetgen.model.Variant`, and its JSON Schema."""

from __future__ import annotations

from pathlib import Path

from sheetgen.checks import check
from sheetgen.errors import InputError
from sheetgen.model import ELEMENT, PART, VARIANT, Variant
from sheetgen.nodes import Node
from sheetgen.schema import Json, Reader
from sheetgen.source import read


def load(path: Path | str) -> Variant:
    """Read and check a variant file. Raises :class:`InputError` with every problem found."""
    return decode(read(path), str(path))


def decode(node: Node, file: str) -> Variant:
    """Decode and check the top node of a variant file. Raises :class:`InputError`."""
    reader = Reader(file)
    variant = VARIANT.decode(node, reader, "")
    if reader.problems:
        raise InputError(sorted(reader.problems, key=lambda p: (p.line, p.column)))
    assert isinstance(variant, Variant)
    if problems := check(variant):
        raise InputError(problems)
    return variant


def json_schema() -> Json:
    """Return the JSON Schema (draft-07) of a variant file."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "sheetgen variant",
        **VARIANT.schema(),
        "definitions": {kind.noun: kind.definition() for kind in (ELEMENT, PART)},
    }
