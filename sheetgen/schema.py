"""Kinds of values a YAML file may hold: each decodes a node and describes itself as JSON Schema.

A :class:`Record`'s attribute made with :func:`key` carries its kind and its description, so that
one definition serves the decoder, the type checker, the error messages and the emitted schema.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple, Protocol, Self, dataclass_transform

from sheetgen.errors import Problem, nearest
from sheetgen.nodes import Mapping as MappingNode
from sheetgen.nodes import Node, Scalar
from sheetgen.nodes import Sequence as SequenceNode

Json = dict[str, Any]


class Place(NamedTuple):
    """Where an element stands: file, line and column from 1, and its path (``sheets.score``)."""

    file: str = ""
    line: int = 0
    column: int = 0
    where: str = ""

    def problem(self, found: str, allowed: str = "", near: str = "") -> Problem:
        """Return a problem at this place."""
        return Problem(
            found,
            allowed,
            near=near,
            where=self.where,
            file=self.file,
            line=self.line,
            column=self.column,
        )


class Name(str):
    """A name that remembers where it was written, so that a later check can point at it."""

    __slots__ = ("place",)
    place: Place

    def __new__(cls, value: str, place: Place = Place()) -> Self:  # noqa: B008 (immutable)
        """Make a name that stands at ``place``."""
        self = super().__new__(cls, value)
        self.place = place
        return self


class Reader:
    """Decodes the nodes of one file and collects what is wrong with them."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self.inside: list[tuple[Struct, str]] = []  # the records around the node, with their paths

    def place(self, node: Node, where: str) -> Place:
        """Return the place of a node."""
        return Place(self.file, node.line, node.column, where)

    def fail(self, node: Node, where: str, found: str, allowed: str = "", near: str = "") -> Any:
        """Note a problem at ``node``; the result stands for the value that could not be decoded."""
        self.problems.append(self.place(node, where).problem(found, allowed, near))


class Kind(Protocol):
    """A kind of value."""

    @property
    def wanted(self) -> str:
        """What a person should write, for messages: ``a text``."""
        ...

    def decode(self, node: Node, reader: Reader, where: str) -> Any:
        """Return the value, or note a problem in ``reader``."""
        ...

    def schema(self) -> Json:
        """Return the JSON Schema (draft-07) of the node."""
        ...


REQUIRED: Any = object()


class Key(NamedTuple):
    """What a record's attribute is read from; ``description`` is the manual."""

    kind: Kind
    description: str
    default: Any


def key(kind: Kind, description: str, *, default: Any = REQUIRED) -> Any:
    """Return an attribute of a :class:`Record` that is read from a key of its name."""
    return Key(kind, description, default)


NOWHERE = Place()


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(key,))
class Record:
    """A mapping with fixed keys, as immutable attributes.

    To the type checker a frozen dataclass. Not one at run time: building fifty of them costs a
    third of a whole print of twenty sheets. ``places`` knows where the values of its keys stand.
    """

    keys: ClassVar[dict[str, Key]] = {}
    place: Place = NOWHERE
    places: Mapping[str, Place] = {}

    def __init_subclass__(cls) -> None:
        own = {name: value for name, value in vars(cls).items() if isinstance(value, Key)}
        cls.keys = {**cls.keys, **own}
        for name in own:
            delattr(cls, name)

    def __init__(
        self, *, place: Place = NOWHERE, places: Mapping[str, Place] | None = None, **values: Any
    ) -> None:
        unknown = values.keys() - self.keys.keys()
        if unknown:
            raise TypeError(f"{type(self).__name__} has no {', '.join(sorted(unknown))}")
        mine = self.__dict__
        mine["place"], mine["places"] = place, places or {}
        for name, spec in self.keys.items():
            value = values.get(name, spec.default)
            if value is REQUIRED:
                raise TypeError(f"{type(self).__name__} needs {name}")
            mine[name] = value

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __repr__(self) -> str:
        given = (f"{name}={getattr(self, name)!r}" for name in self.keys)
        return f"{type(self).__name__}({', '.join(given)})"

    def at(self, name: str) -> Place:
        """Return where the value of a key stands, or the record itself if the key is not given."""
        return self.places.get(name, self.place)


def describe(node: Node) -> str:
    """Say what stands in a node, shortly."""
    if isinstance(node, SequenceNode):
        return "found a list"
    if isinstance(node, MappingNode):
        return "found keys and values" if node.entries else "found no keys"
    if node.is_null:
        return "found nothing"
    return f"found {shorten(node.value)!r}"


def shorten(text: str, limit: int = 40) -> str:
    """Return ``text`` cut to ``limit`` characters."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


# What an editor may take a text for, each with a few that look so.
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


IDENTIFIER = Words(
    r"[a-z][a-z0-9_-]{0,39}", "a name of small letters, digits, - and _, starting with a letter"
)
