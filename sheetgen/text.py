"""Words in several languages, and the words that are templates.

A text is written once for all languages, or as ``{en: …, fr: …, de: …}``. Only keys whose description
says so are templates: there ``{{ name }}`` inserts a value. Everything else prints as typed.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from sheetgen.errors import InputError
from sheetgen.schema import Json, MapOf, Place, Reader, Words
from sheetgen.source import Mapping, Node

INSERTION = re.compile(r"\{\{ ?([a-z_]+) ?\}\}")
LANGUAGE = Words(r"[a-z]{2,3}(-[A-Za-z]{2,4})?", "a language code such as en")


class Text(NamedTuple):
    """Words by language; ``""`` is the language of words that are the same in all."""

    words: dict[str, str]
    place: Place
    template: bool = False

    def plain(self, language: str) -> str:
        """Return the words in ``language`` as they were typed."""
        return self.words.get(language) or self.words.get("") or next(iter(self.words.values()))

    def render(self, language: str, values: dict[str, Any]) -> str:
        """Return the words with ``{{ name }}`` replaced, if this text is a template.

        Raises :class:`InputError` for a name that is not among ``values`` or a broken template.
        """
        words = self.plain(language)
        if not self.template or "{" not in words:
            return words
        inserted = INSERTION.sub(lambda found: str(values.get(found[1], found[0])), words)
        if "{" not in inserted:
            return inserted  # the common case, without the 30 ms that Jinja2 takes to start
        from jinja2 import StrictUndefined, TemplateError
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined, cache_size=0)
        environment.globals.clear()
        try:
            return environment.from_string(words).render(values)
        except TemplateError as error:
            known = "allowed are " + (
                ", ".join(f"{{{{ {name} }}}}" for name in values) or "no names"
            )
            raise InputError(self.place.problem(f"template: {error}", known)) from None


class TextKind:
    """Words, or words by language."""

    wanted = "a text, or texts by language {en: …}"

    def __init__(self, *, template: bool) -> None:
        self.template = template
        self._one, self._many = Words(), MapOf(Words(), LANGUAGE)

    def decode(self, node: Node, reader: Reader, where: str) -> Any:
        """Return a :class:`Text`."""
        if isinstance(node, Mapping):
            words = self._many.decode(node, reader, where)
        else:
            words = {"": self._one.decode(node, reader, where)}
        return Text(words, reader.place(node, where), self.template)

    def schema(self) -> Json:
        """Return a schema of both ways to write it."""
        return {"anyOf": [self._one.schema(), self._many.schema()]}


TEXT = TextKind(template=False)
TEMPLATE = TextKind(template=True)
