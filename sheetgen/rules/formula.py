"""Formulas: a part of Jinja2's expressions, read to a small tree.

A formula is names, whole numbers, marks in quotes, ``+ - * %``, comparisons, ``and``, ``or``,
``not``, ``a if b else c`` and calls. What it means is what Jinja2 means by it; the tests hold the
two together. It is read here because Jinja2 takes longer to import than a sheet takes to check, and
printing a sheet should not wait for formulas at all.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

LONGEST = 500  # characters
MOST_TOKENS = 200
DEEPEST = 20  # parentheses, calls and operators inside each other
GREATEST = 999_999

_TOKEN = re.compile(
    r"\s*(?:(?P<number>[0-9]+)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|'(?P<text>[^'\\]{1,8})'"
    r"|\"(?P<quoted>[^\"\\]{1,8})\"|(?P<sign>\*\*|//|[=!<>]=|[-+*%<>(),])|(?P<other>\S))"
)
_WORDS = frozenset(("and", "or", "not", "if", "else"))
# Words that Jinja2 does not take for names, and that have no use here.
_WORDS |= frozenset(("in", "is", "true", "false", "none", "True", "False", "None"))
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


class Node(NamedTuple):
    """A part of a formula: ``op`` says what it is, ``value`` names it, ``parts`` it works on.

    After :func:`sheetgen.rules.meaning.resolve`, ``kind`` is what its value is.
    """

    op: str
    parts: tuple[Node, ...] = ()
    value: Any = None
    kind: str = ""


class FormulaError(Exception):
    """A formula cannot be used: what is wrong, what is allowed, and the name that may be meant."""

    def __init__(self, found: str, allowed: str = "", near: str = "") -> None:
        super().__init__(found)
        self.found, self.allowed, self.near = found, allowed, near


def parse(text: str) -> Node:
    """Return the tree of a formula. Raises :class:`FormulaError`."""
    if len(text) > LONGEST:
        raise FormulaError(f"a formula of {len(text)} characters", f"at most {LONGEST}")
    return _Parser(_tokens(text)).whole()


class _Token(NamedTuple):
    kind: str
    text: str


def _tokens(text: str) -> list[_Token]:
    found = []
    for match in _TOKEN.finditer(text):
        kind = str(match.lastgroup)
        word = match[kind]
        if kind == "other":
            raise FormulaError(f"{word!r} is not allowed in a formula")
        if kind == "name" and word in _WORDS:
            kind = "sign"
        found.append(_Token("text" if kind == "quoted" else kind, word))
    if len(found) > MOST_TOKENS:
        raise FormulaError(f"a formula of {len(found)} words and signs", f"at most {MOST_TOKENS}")
    return [*found, _Token("end", "the end")]


class _Parser:
    """Reads one level of binding after the other, the loosest first, as Jinja2 does."""

    def __init__(self, tokens: list[_Token]) -> None:
        self.tokens, self.at, self.depth = tokens, 0, 0

    def whole(self) -> Node:
        node = self.choice()
        if self.tokens[self.at].kind != "end":
            raise self.unexpected()
        return node

    def unexpected(self) -> FormulaError:
        token = self.tokens[self.at]
        found = "the formula ends too soon" if token.kind == "end" else f"unexpected {token.text!r}"
        return FormulaError(found)

    def take(self, *signs: str) -> str:
        """Return the next sign and step over it if it is one of these, else ``""``."""
        kind, text = self.tokens[self.at]
        if kind == "sign" and text in signs:
            self.at += 1
            return text
        return ""

    def need(self, sign: str) -> None:
        if not self.take(sign):
            raise self.unexpected()

    def choice(self) -> Node:
        self.depth += 1
        if self.depth > DEEPEST:
            raise FormulaError("the formula is nested too deep", f"at most {DEEPEST} levels")
        node = self.either()
        while self.take("if"):
            condition = self.either()
            if not self.take("else"):
                raise FormulaError("'if' without 'else'")
            node = Node("if", (condition, node, self.choice()))
        self.depth -= 1
        return node

    def either(self) -> Node:
        node = self.both()
        while self.take("or"):
            node = Node("or", (node, self.both()))
        return node

    def both(self) -> Node:
        node = self.negated()
        while self.take("and"):
            node = Node("and", (node, self.negated()))
        return node

    def negated(self) -> Node:
        count = 0
        while self.take("not"):
            count += 1
        node = self.compared()
        if count > DEEPEST:
            raise FormulaError("the formula is nested too deep", f"at most {DEEPEST} levels")
        for _ in range(count):
            node = Node("not", (node,))
        return node

    def compared(self) -> Node:
        parts, signs = [self.added()], []
        while sign := self.take(*_COMPARISONS):
            signs.append(sign)
            parts.append(self.added())
        return Node("compare", tuple(parts), tuple(signs)) if signs else parts[0]

    def added(self) -> Node:
        node = self.multiplied()
        while sign := self.take("+", "-"):
            node = Node(sign, (node, self.multiplied()))
        return node

    def multiplied(self) -> Node:
        node = self.signed()
        while sign := self.take("*", "%"):
            node = Node(sign, (node, self.signed()))
        return node

    def signed(self) -> Node:
        count = 0
        while self.take("-"):
            count += 1
        if count > 2:
            raise self.unexpected()
        node = self.single()
        for _ in range(count):
            node = Node("-", (node,))
        return node

    def single(self) -> Node:
        kind, text = self.tokens[self.at]
        if self.take("("):
            node = self.choice()
            self.need(")")
            return node
        if kind not in ("number", "name", "text"):
            raise self.unexpected()
        self.at += 1
        if kind == "number":
            if len(text) > 6 or (text[0] == "0" and text != "0"):
                raise FormulaError(f"{text[:12]!r} is no number", f"at most {GREATEST}")
            return Node("number", value=int(text))
        if kind == "name" and self.take("("):
            return Node("call", self.arguments(), text)
        return Node(kind, value=text)

    def arguments(self) -> tuple[Node, ...]:
        if self.take(")"):
            return ()
        found = [self.choice()]
        while self.take(","):
            found.append(self.choice())
        self.need(")")
        return tuple(found)
