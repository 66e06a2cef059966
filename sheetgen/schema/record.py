"""Records: mappings with fixed keys, and what they are made of: places, names, keys, kinds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple, Protocol, Self, dataclass_transform

from sheetgen.errors import Problem
from sheetgen.nodes import Mapping as MappingNode
from sheetgen.nodes import Node
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
        self.inside: list[tuple[Any, str]] = []  # the structs around the node, with their paths

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
