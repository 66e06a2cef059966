"""Words in several languages, and the words that are templates.

A text is written once for all languages, or as ``{en: …, fr: …, de: …}``. Only keys whose
description says so are templates: there ``{{ name }}`` inserts a value. All else prints as typed.

Templates are Jinja2, narrowed to what ends at once and needs no memory: names, whole numbers,
``+``, ``-``, comparisons, ``and``, ``or``, ``not``, ``{{ a if b else c }}`` and ``{% if %}``.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sheetgen.errors import InputError, Problem, nearest
from sheetgen.nodes import Mapping as MappingNode
from sheetgen.nodes import Node
from sheetgen.schema import Json, MapOf, Name, Place, Reader, Words, shorten
from sheetgen.source import read

if TYPE_CHECKING:
    from jinja2 import Environment, nodes

INSERTION = re.compile(r"\{\{ ?([a-z][a-z0-9_]*) ?\}\}")
MARKS = re.compile(r"\{[{%]")
LANGUAGE = Words(r"[a-z]{2,3}(-[A-Za-z]{2,4})?", "a language code such as en")
DEEPEST = 20  # levels of a template's parse tree; sums and nested ifs need few

_ALLOWED = frozenset(
    ("Template", "Output", "TemplateData", "If", "CondExpr", "Name", "Const")
) | frozenset(("Compare", "Operand", "Add", "Sub", "Neg", "Pos", "And", "Or", "Not"))
_COMPARISONS = ("eq", "ne", "lt", "lteq", "gt", "gteq")
_SAID = {
    "Call": "a call '(…)'",
    "Filter": "a filter '|'",
    "Test": "a test 'is'",
    "Getattr": "'.'",
    "Getitem": "'[…]'",
    "Concat": "'~'",
}


class Text(NamedTuple):
    """Words by language; ``""`` is the language of words that are the same in all."""

    words: dict[str, str]
    place: Place
    template: bool = False

    def plain(self, language: str) -> str:
        """Return the words in ``language`` as they were typed."""
        return self.words.get(language) or self.words.get("") or next(iter(self.words.values()))

    def render(self, language: str, values: Mapping[str, Any]) -> str:
        """Return the words with ``{{ name }}`` replaced, if this text is a template.

        Raises :class:`InputError` for a name that is not among ``values`` or a broken template.
        """
        words = self.plain(language)
        if not self.template or not MARKS.search(words):
            return words
        if _is_simple(words) and all(name in values for name in INSERTION.findall(words)):
            return INSERTION.sub(lambda found: str(values[found[1]]), words)
        if problem := self._problem(words, values):
            raise InputError(problem)
        return _environment().from_string(words).render(values)

    def problems(self, names: Iterable[str]) -> list[Problem]:
        """Return what is wrong with the words as templates that may insert ``names``."""
        known = list(names)
        found = [self._problem(words, known) for words in self.words.values()]
        return [problem for problem in found if problem] if self.template else []

    def _problem(self, words: str, names: Iterable[str]) -> Problem | None:
        known = [str(name) for name in names]
        mistake = _mistake(words, known)
        if not mistake:
            return None
        place = words.place if isinstance(words, Name) else self.place
        shown = ", ".join(f"{{{{ {name} }}}}" for name in known) or "no names"
        return place.problem(f"template: {mistake[0]}", f"allowed are {shown}", mistake[1])


def _is_simple(words: str) -> bool:
    """Tell whether words are only ``{{ name }}`` and plain text, as nearly all are.

    They need no Jinja2, which takes 30 ms to start.
    """
    return not MARKS.search(INSERTION.sub("", words))


@cache
def _environment() -> Environment:
    from jinja2 import StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined,
        cache_size=0,
        keep_trailing_newline=True,
        comment_start_string="\0",  # no text holds one: "{#" prints as typed
        comment_end_string="\0\0",
    )
    for names in (environment.globals, environment.filters, environment.tests):
        names.clear()
    return environment


def _mistake(words: str, known: Container[str]) -> tuple[str, str] | None:
    """Return what is wrong with a template, and the name that may be meant; nothing is run."""
    if not MARKS.search(words):
        return None
    if _is_simple(words):
        return _unknown(INSERTION.findall(words), known)
    from jinja2 import TemplateSyntaxError

    try:
        tree = _environment().parse(words)
    except TemplateSyntaxError as error:
        return " ".join((error.message or "cannot be read").split()).rstrip("."), ""
    except RecursionError:
        return "nested too deep", ""
    names = []
    open_: list[tuple[nodes.Node, int]] = [(tree, 0)]
    while open_:
        node, depth = open_.pop()
        if depth > DEEPEST:
            return "nested too deep", ""
        if refused := _refused(node):
            return f"{refused} is not allowed", ""
        if type(node).__name__ == "Name":
            names.append(node.name)  # type: ignore[attr-defined]
        open_ += [(child, depth + 1) for child in node.iter_child_nodes()]
    return _unknown(names, known)


def _unknown(names: Iterable[str], known: Container[str]) -> tuple[str, str] | None:
    for name in names:
        if name not in known:
            near = nearest(name, known) if isinstance(known, Iterable) else ""
            return f"unknown name {shorten(name)!r}", near
    return None


def _refused(node: Any) -> str:
    """Return what a node is if templates may not hold it, or ``""``."""
    kind = type(node).__name__
    if kind not in _ALLOWED:
        if operator := getattr(node, "operator", ""):
            return f"the operator '{operator}'"
        return _SAID.get(kind, f"'{kind.lower()}'")
    if kind == "Const" and type(node.value) is not int:
        return f"{shorten(repr(node.value))}, which is no whole number,"
    if kind == "Operand" and node.op not in _COMPARISONS:
        return f"'{node.op}'"
    return "'if' without 'else'" if kind == "CondExpr" and node.expr2 is None else ""


class TextKind:
    """Words, or words by language."""

    wanted = "a text, or texts by language {en: …}"

    def __init__(self, *, template: bool) -> None:
        self.template = template
        self._one, self._many = Words(), MapOf(Words(), LANGUAGE)

    def decode(self, node: Node, reader: Reader, where: str) -> Any:
        """Return a :class:`Text`."""
        if isinstance(node, MappingNode):
            words = self._many.decode(node, reader, where)
        else:
            words = {"": self._one.decode(node, reader, where)}
        return Text(words, reader.place(node, where), self.template)

    def schema(self) -> Json:
        """Return a schema of both ways to write it."""
        return {"anyOf": [self._one.schema(), self._many.schema()]}


TEXT = TextKind(template=False)
TEMPLATE = TextKind(template=True)


def load(path: Path) -> dict[str, Text]:
    """Read a file of texts by name. Raises :class:`InputError` with every problem."""
    reader = Reader(str(path))
    texts = MapOf(TEXT).decode(read(path), reader, "")
    if reader.problems:
        raise InputError(reader.problems)
    assert isinstance(texts, dict)
    return texts
