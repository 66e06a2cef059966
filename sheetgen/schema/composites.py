"""Kinds of values that hold values: lists, maps, records, and one of several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sheetgen.errors import nearest
from sheetgen.nodes import Mapping as MappingNode
from sheetgen.nodes import Node, Scalar
from sheetgen.nodes import Sequence as SequenceNode
from sheetgen.schema.record import REQUIRED, Json, Kind, Reader, Record, describe, shorten
from sheetgen.schema.scalars import IDENTIFIER


class ListOf:
    """A list of one kind; a single value stands for a list of one if ``lone`` is set."""

    def __init__(self, kind: Kind, low: int = 1, high: int = 200, *, lone: bool = False) -> None:
        self.kind, self.low, self.high, self.lone = kind, low, high, lone

    @property
    def wanted(self) -> str:
        """Say what the items are."""
        return f"a list, each item {self.kind.wanted}"

    def decode(self, node: Node, reader: Reader, where: str) -> Any:
        """Return a tuple."""
        if self.lone and not isinstance(node, SequenceNode):
            return (self.kind.decode(node, reader, where),)
        if not isinstance(node, SequenceNode):
            return reader.fail(node, where, describe(node), f"allowed is {self.wanted}")
        if not self.low <= len(node.items) <= self.high:
            found = f"found a list of {len(node.items)}"
            return reader.fail(node, where, found, f"allowed are {self.low} to {self.high} items")
        return tuple(
            self.kind.decode(item, reader, f"{where}[{index}]")
            for index, item in enumerate(node.items, 1)
        )

    def schema(self) -> Json:
        """Return an array schema."""
        array = {
            "type": "array",
            "items": self.kind.schema(),
            "minItems": self.low,
            "maxItems": self.high,
        }
        return {"anyOf": [array, self.kind.schema()]} if self.lone else array


class MapOf:
    """Keys of the author's choosing, each with a value of one kind."""

    def __init__(self, kind: Kind, names: Kind | None = None, low: int = 1) -> None:
        self.kind, self.low = kind, low
        self.names = names or IDENTIFIER

    @property
    def wanted(self) -> str:
        """Say what the values are."""
        return f"names, each with {self.kind.wanted}"

    def decode(self, node: Node, reader: Reader, where: str) -> Any:
        """Return a dict of :class:`Name` to value."""
        if not isinstance(node, MappingNode) or len(node.entries) < self.low:
            return reader.fail(node, where, describe(node), f"allowed are {self.wanted}")
        values = {}
        for name, value in node.entries:
            here = _join(where, name.value)
            decoded = self.names.decode(name, reader, here)
            values[decoded] = self.kind.decode(value, reader, here)
        return values

    def schema(self) -> Json:
        """Return an object schema."""
        schema: Json = {
            "type": "object",
            "additionalProperties": self.kind.schema(),
            "minProperties": self.low,
        }
        if pattern := self.names.schema().get("pattern"):
            schema["propertyNames"] = {"pattern": pattern}
        return schema


class Struct:
    """A mapping with fixed keys, decoded to a :class:`Record`.

    ``short`` names the key that a lone value stands for: ``text: −20`` is ``text: {text: −20}``.
    """

    def __init__(self, cls: type[Record], short: str = "") -> None:
        self.cls, self.short = cls, short
        self.keys = cls.keys
        self.about = (cls.__doc__ or "").partition("\n")[0]

    @property
    def wanted(self) -> str:
        """List the keys."""
        return f"the keys {', '.join(self.keys)}"

    def decode(self, node: Node, reader: Reader, where: str) -> Any:
        """Return an instance of the record; unknown and missing keys are problems."""
        before = len(reader.problems)
        values: dict[str, Any] = {"place": reader.place(node, where)}
        if isinstance(node, Scalar) and node.is_null and not self._required():
            return self.cls(**values)
        if not isinstance(node, MappingNode):
            if not self.short:
                return reader.fail(node, where, describe(node), f"allowed are {self.wanted}")
            values[self.short] = self.keys[self.short].kind.decode(node, reader, where)
        else:
            reader.inside.append((self, where))
            self._decode_keys(node, reader, where, values)
            reader.inside.pop()
        return self.cls(**values) if len(reader.problems) == before else None

    def _decode_keys(
        self, node: MappingNode, reader: Reader, where: str, values: dict[str, Any]
    ) -> None:
        places = values["places"] = {}
        meant = set()
        for written, value in node.entries:
            name = written.value
            here = _join(where, name)
            spec = self.keys.get(name)
            if spec is None:
                found = f"unknown key {shorten(name)!r}"
                near = _home(name, reader) or nearest(name, self.keys)
                reader.fail(written, here, found, f"allowed are {', '.join(self.keys)}", near)
                meant.add(near)
                continue
            places[name] = reader.place(value, here)
            values[name] = spec.kind.decode(value, reader, here)
        for name in self._required():
            if name not in places and name not in meant:
                wanted = self.keys[name].kind.wanted
                reader.fail(node, where, f"the key {name!r} is missing", f"give it {wanted}")

    def _required(self) -> list[str]:
        return [name for name, spec in self.keys.items() if spec.default is REQUIRED]

    def schema(self) -> Json:
        """Return an object schema with a description on every key."""
        properties = {
            name: _described(spec.kind.schema(), spec.description)
            for name, spec in self.keys.items()
        }
        record: Json = {
            "type": "object",
            "properties": properties,
            "additionalProperties": False,
        }
        if required := self._required():
            record["required"] = required
        if self.short:
            return {"anyOf": [self.keys[self.short].kind.schema(), record]}
        return record if required else {"anyOf": [record, {"type": "null"}]}

    @property
    def may_be_bare(self) -> bool:
        """Whether nothing needs to be said: all keys have a default."""
        return not self._required()


def _described(schema: Json, description: str) -> Json:
    """Add a description; beside a reference, draft-07 would not see it."""
    if "$ref" in schema:
        schema = {"allOf": [schema]}
    return {**schema, "description": description}


def _join(where: str, name: str) -> str:
    """Return the path of a key on one line, however the key is written."""
    name = shorten(" ".join(name.split()), 80)
    return f"{where}.{name}" if where else name


def _home(name: str, reader: Reader) -> str:
    """Return where a key belongs that stands too deep or not deep enough, or ``""``."""
    *around, (here, _) = reader.inside
    for record, where in reversed(around):
        if name in record.keys:
            return _join(where, name)
    level = [("", here)]
    for _ in range(2):
        level = [
            (_join(where, path), inner)
            for where, record in level
            for key_, spec in record.keys.items()
            for path, inner in _records(spec.kind, key_)
        ]
        homes = [where for where, record in level if name in record.keys]
        if homes:
            return _join(homes[0], name) if len(homes) <= 3 else ""  # of many, which is meant?
    return ""


def _records(kind: Kind, path: str) -> list[tuple[str, Struct]]:
    """Return the records that a value of ``kind`` may hold, without those inside them."""
    if isinstance(kind, ListOf):
        return _records(kind.kind, path)
    if isinstance(kind, MapOf):
        return _records(kind.kind, f"{path}.*")
    if isinstance(kind, Tagged):
        inner = [_records(one, f"{path}.{name}") for name, one in kind.kinds.items()]
        return [record for records in inner for record in records]
    return [(path, kind)] if isinstance(kind, Struct) else []


class Tagged:
    """A mapping with exactly one key, which says what the value is; a bare word is a key alone."""

    def __init__(self, noun: str, kinds: Mapping[str, Kind] | None = None) -> None:
        self.noun = noun
        self.kinds: dict[str, Kind] = dict(kinds or {})

    @property
    def wanted(self) -> str:
        """List the keys."""
        return f"one of {', '.join(self.kinds)}"

    def decode(self, node: Node, reader: Reader, where: str) -> Any:
        """Return what the key's kind decodes."""
        if isinstance(node, Scalar) and not node.is_null:
            name = node
            value: Node = Scalar("", quoted=False, line=node.line, column=node.column)
        elif isinstance(node, MappingNode) and len(node.entries) == 1:
            ((name, value),) = node.entries
        else:
            found = describe(node)
            if isinstance(node, MappingNode):
                found = f"found {len(node.entries)} keys"
            return reader.fail(node, where, found, f"allowed is {self.wanted}")
        if name.value not in self.kinds:
            found = f"unknown {self.noun} {shorten(name.value)!r}"
            near = self._home(name.value) or nearest(name.value, self.kinds)
            return reader.fail(name, where, found, f"allowed are {', '.join(self.kinds)}", near)
        return self.kinds[name.value].decode(value, reader, f"{where}.{name.value}")

    def _home(self, name: str) -> str:
        """Return where a name is known that is not known here, or ``""``."""
        for outer, kind in self.kinds.items():
            for key_, spec in kind.keys.items() if isinstance(kind, Struct) else ():
                inner = spec.kind.kind if isinstance(spec.kind, ListOf) else spec.kind
                if isinstance(inner, Tagged) and name in inner.kinds:
                    return f"{outer}.{key_}.{name}"
        return ""

    def schema(self) -> Json:
        """Refer to the definition, since elements hold elements."""
        return {"$ref": f"#/definitions/{self.noun}"}

    def definition(self) -> Json:
        """Return the schema that :meth:`schema` refers to."""
        options: list[Json] = []
        bare: list[str] = []
        for name, kind in self.kinds.items():
            value = kind.schema()
            if isinstance(kind, Struct):
                value = _described(value, kind.about)
                if kind.may_be_bare:
                    bare.append(name)
            options.append(
                {
                    "type": "object",
                    "properties": {name: value},
                    "required": [name],
                    "additionalProperties": False,
                }
            )
        return {"anyOf": [*options, {"enum": bare}] if bare else options}
