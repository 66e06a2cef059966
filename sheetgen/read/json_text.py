"""JSON text to the nodes that YAML gives, each with its place.

The standard library's parser forgets places and lets a key stand twice; this one is strict.
"""

from __future__ import annotations

import re

from sheetgen.errors import InputError, Problem
from sheetgen.nodes import Mapping, Node, Scalar, Sequence, kind
from sheetgen.read.limits import DATA
from sheetgen.source_text import MAX_PROBLEMS, UNPRINTABLE, char_name, decode
from sheetgen.source_words import MAX_DEPTH, short

_SPACE = re.compile(r"[ \t\n\r]*")
_TOKEN = re.compile(
    r"""[ \t\n\r]*(?:
    (?P<mark>[][{}:,])
    | "(?P<text>[^"\\\x00-\x1f]*+)"
    | "(?P<escaped>(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*+)"
    | (?P<plain>[^][{}:,"\s]++)
    )""",
    re.VERBOSE,
)
_GOOD = re.compile(r'(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*+')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_WORDS = ("true", "false", "null")
_CLOSER = {"[": "]", "{": "}"}


def parse(data: bytes, file: str) -> Mapping:
    """Return the tree of a JSON text. Raises :class:`InputError` at what breaks it first."""
    parser = _Parser(decode(data, file, DATA.bytes), file)
    top = parser.value(*parser.next(), 1)
    parser.end()
    if parser.problems:
        raise InputError(parser.problems)
    if not isinstance(top, Mapping):
        found = f"must be an object '{{…}}', found {kind(top)}"
        raise parser.failure(found, "", (top.line, top.column))
    return top


class _Parser:
    """Walks along the tokens. A key that stands twice is noted; all else ends the reading."""

    def __init__(self, text: str, file: str) -> None:
        self.text, self.file = text, file
        self.at = 0
        self.line, self.line_start = 1, 0  # of the last token
        self.nodes = 0
        self.values: dict[str, str] = {}
        self.problems: list[Problem] = []

    def next(self) -> tuple[str, str]:
        """Return the kind and the text of the next token and step over it."""
        found = _TOKEN.match(self.text, self.at)
        start = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]
        if lines := self.text.count("\n", self.at, start):
            self.line += lines
            self.line_start = self.text.rfind("\n", 0, start) + 1
        self.start = start
        if found:
            self.at = found.end()
            name = found.lastgroup or ""
            return name, found[name]
        if start == len(self.text):
            return "end", ""
        raise self.broken_text(start)

    @property
    def place(self) -> tuple[int, int]:
        """Return line and column of the last token."""
        return self.line, self.start - self.line_start + 1

    def failure(self, found: str, allowed: str, place: tuple[int, int] | None = None) -> InputError:
        """Return what ends the reading, after what was noted before."""
        line, column = place or self.place
        last = Problem(found, allowed, file=self.file, line=line, column=column)
        return InputError([*self.problems, last])

    def broken_text(self, start: int) -> InputError:
        """Say why a text in quotes cannot be read."""
        char = self.text[start]
        if char != '"':
            return self.failure(f"{char_name(char)} stands here", "use spaces")
        good = _GOOD.match(self.text, start + 1)
        end = good.end() if good else start + 1
        bad = self.text[end : end + 1]
        place = (self.line, end - self.line_start + 1)
        if bad == "\\":
            advice = "write '\\\\' for a backslash"
            return self.failure("this '\\' starts no known escape", advice, place)
        if bad and bad not in "\r\n":
            return self.failure(f"{char_name(bad)} in a text", "write its escape", place)
        return self.failure("the quote opened here is never closed", "close it in the same line")

    def value(self, name: str, text: str, depth: int) -> Node:
        """Return the value that begins with a token."""
        line, column = self.place
        self.nodes += 1
        if self.nodes > DATA.nodes:
            raise self.failure("too many values", f"at most {DATA.nodes} are read")
        if name == "text":
            return Scalar(self.values.setdefault(text, text), True, line, column)
        if name == "plain":
            if text not in _WORDS and not _NUMBER.fullmatch(text):
                raise self.failure(f"{short(text)} is no JSON value", "put texts in quotes")
            return Scalar(self.values.setdefault(text, text), False, line, column)
        if name == "escaped":
            return Scalar(self.unescaped(text), True, line, column)
        if text in _CLOSER:
            if depth > MAX_DEPTH:
                raise self.failure("nested too deep", f"at most {MAX_DEPTH} levels are read")
            inside = self.mapping if text == "{" else self.sequence
            return inside(line, column, depth)
        if name == "end":
            raise self.failure("the file ends where a value should stand", "")
        raise self.failure(f"a value is missing before '{text}'", "or a ',' is too many")

    def unescaped(self, text: str) -> str:
        """Return a text with its escapes resolved; it must be printable still."""
        import json

        value: str = json.loads(f'"{text}"')
        if bad := UNPRINTABLE.search(value):
            raise self.failure(f"{char_name(bad[0])} cannot be printed", "remove its escape")
        return value

    def sequence(self, line: int, column: int, depth: int) -> Node:
        """Return the list whose bracket was just read."""
        items: list[Node] = []
        token = self.next()
        while token != ("mark", "]"):
            items.append(self.value(*token, depth + 1))
            if not self.more("[", (line, column)):
                break
            token = self.next()
            if token == ("mark", "]"):
                raise self.failure("a value is missing before ']'", "or a ',' is too many")
        return Sequence(tuple(items), line, column)

    def mapping(self, line: int, column: int, depth: int) -> Node:
        """Return the object whose brace was just read."""
        entries: dict[str, tuple[Scalar, Node]] = {}
        token = self.next()
        while token != ("mark", "}"):
            if token[0] not in ("text", "escaped"):
                if token[0] == "end":
                    raise self.never_closed("{", (line, column))
                raise self.failure("a key must be a text in quotes", 'write "key": value')
            key = self.value(*token, depth)
            assert isinstance(key, Scalar)
            if self.next() != ("mark", ":"):
                raise self.failure(f"a ':' is missing after {short(key.value)}", "")
            value = self.value(*self.next(), depth + 1)
            first = entries.setdefault(key.value, (key, value))[0]
            if first is not key:
                lines = f"in lines {first.line} and {key.line}" if first.line < key.line else ""
                twice = f"the key {short(key.value)} stands twice" + (f", {lines}" if lines else "")
                self.problems += self.failure(twice, "keep one", key[2:]).problems[-1:]
                if len(self.problems) >= MAX_PROBLEMS:
                    raise InputError(self.problems)
            if not self.more("{", (line, column)):
                break
            token = self.next()
            if token == ("mark", "}"):
                raise self.failure("a key is missing before '}'", "or a ',' is too many")
        return Mapping(tuple(entries.values()), line, column)

    def more(self, opener: str, opened: tuple[int, int]) -> bool:
        """Tell whether another member follows; ``opener`` was read at ``opened``."""
        name, text = self.next()
        closer = _CLOSER[opener]
        if name == "end":
            raise self.never_closed(opener, opened)
        if text not in (",", closer) or name != "mark":
            raise self.failure(f"',' or '{closer}' is missing here", "")
        return text == ","

    def never_closed(self, opener: str, opened: tuple[int, int]) -> InputError:
        """Say that the file ends too early."""
        return self.failure(
            f"'{opener}' opened here is never closed", f"add '{_CLOSER[opener]}'", opened
        )

    def end(self) -> None:
        """Refuse what follows the value."""
        if self.next()[0] != "end":
            raise self.failure("more text follows the value", "one value is allowed")
