"""Kinds of values a YAML file may hold: each decodes a node and describes itself as JSON Schema.

A :class:`Record`'s attribute made with :func:`key` carries its kind and its description, so that
one definition serves the decoder, the type checker, the messages and the emitted schema.
"""

from sheetgen.schema.composites import ListOf, MapOf, Struct, Tagged
from sheetgen.schema.record import (
    NOWHERE,
    REQUIRED,
    Json,
    Key,
    Kind,
    Name,
    Place,
    Reader,
    Record,
    describe,
    key,
    shorten,
)
from sheetgen.schema.scalars import (
    IDENTIFIER,
    Choice,
    Count,
    Flag,
    Integer,
    Number,
    Pair,
    Words,
)

__all__ = [
    "IDENTIFIER",
    "NOWHERE",
    "REQUIRED",
    "Choice",
    "Count",
    "Flag",
    "Integer",
    "Json",
    "Key",
    "Kind",
    "ListOf",
    "MapOf",
    "Name",
    "Number",
    "Pair",
    "Place",
    "Reader",
    "Record",
    "Struct",
    "Tagged",
    "Words",
    "describe",
    "key",
    "shorten",
]
