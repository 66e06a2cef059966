"""YAML text to a tree of nodes that know their line and column.

Nothing is interpreted: ``No``, ``010`` and ``1:30`` stay the texts that were typed. What could mean
two things (a key given twice, a tag, a cycle) is refused, every such place at once.
"""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sheetgen.errors import InputError, Problem, nearest
from sheetgen.nodes import Mapping, Node, Scalar, Sequence, kind
from sheetgen.source_text import (
    MAX_PROBLEMS,
    UNPRINTABLE,
    VARIANT,
    Limits,
    char_name,
    decode,
    end_of_idle,
    load,
    place_after,
)
from sheetgen.source_words import (
    MAX_DEPTH,
    QUOTE,
    bad_space,
    explain,
    extra,
    first_bad_space,
    short,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    import yaml

_ESCAPED = re.compile(f"\r|{UNPRINTABLE.pattern}")  # a carriage return comes by an escape only
_DECIMAL = re.compile(r"[-+]?[0-9]+\.[0-9]*")


def read(path: str | Path) -> Mapping:
    """Return the tree of the YAML file at ``path``."""
    return parse(load(path), str(path))


def parse(data: bytes, file: str, limits: Limits = VARIANT) -> Mapping:
    """Return the tree of the YAML text ``data``; ``file`` names it in messages."""
    text = decode(data, file, limits.bytes)
    builder = _Builder(text.replace("\r\n", "\n").replace("\r", "\n"), file, limits.nodes)
    return builder.build()


class _Open:
    """A list or mapping whose end has not come yet."""

    __slots__ = ("before", "children", "height", "is_mapping", "keys", "seen", "start", "wants_key")

    def __init__(self, start: Any, before: int, *, is_mapping: bool) -> None:
        self.start, self.before = start, before
        self.is_mapping = self.wants_key = is_mapping
        self.keys: list[Scalar] = []
        self.children: list[Node] = []
        self.seen: dict[str, Scalar] = {}
        self.height = 1

    def close(self) -> Node:
        """Return the finished node."""
        line, column = _at(self.start)
        if self.is_mapping:
            return Mapping(tuple(zip(self.keys, self.children, strict=True)), line, column)
        return Sequence(tuple(self.children), line, column)


class _Finished(NamedTuple):
    """An anchor's node, and how many nodes and levels an alias to it adds."""

    node: Node
    nodes: int
    height: int


class _Builder:
    """Builds the tree from the parser's events without recursion, gathering problems."""

    def __init__(self, text: str, file: str, most: int) -> None:
        self.text, self.file, self.most = text, file, most
        self.problems: list[Problem] = []
        self.open: list[_Open] = []
        self.anchors: dict[str, _Finished | None] = {}  # None while the node is not finished
        self.verbatim: set[int] = set()  # lines inside quotes and blocks: their spaces are text
        self.values: dict[str, str] = {}  # a large file repeats few: each is kept once
        self.nodes = 0  # as if every alias were written out
        self.root: Node | None = None

    def build(self) -> Mapping:
        """Return the tree, or raise all problems."""
        import yaml

        self.check_start()
        error: Any = None
        takers: dict[type[yaml.Event], Callable[[Any], None]] = {
            yaml.ScalarEvent: self.scalar,
            yaml.SequenceStartEvent: self.sequence,
            yaml.SequenceEndEvent: self.close,
            yaml.MappingStartEvent: self.mapping,
            yaml.MappingEndEvent: self.close,
            yaml.AliasEvent: self.alias,
        }
        try:
            loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
            for event in yaml.parse(self.text, Loader=loader):
                if take := takers.get(type(event)):
                    take(event)
                elif isinstance(event, yaml.DocumentEndEvent):
                    self.check_end(event)
                    break
        except yaml.MarkedYAMLError as caught:
            error = caught
        except (ValueError, OverflowError):  # libyaml's Python twin, at "\UFFFFFFFF"
            self.say(0, 0, "an escape '\\U…' names no character")
        # A syntax error below a bad space is most likely its echo.
        last = error.problem_mark.line + 1 if error else len(self.text)
        if space := first_bad_space(self.text, last, self.verbatim):
            self.say(*space)
        elif error:
            around = [one.start.start_mark for one in self.open]
            self.say(*explain(error, self.text, around))
        if self.problems:
            raise self.failure()
        assert self.root is not None
        if not isinstance(self.root, Mapping):
            found = f"must be a mapping, found {kind(self.root)}"
            self.say(self.root.line, self.root.column, found, "write lines like 'title: …'")
            raise self.failure()
        return self.root

    def say(self, line: int, column: int, found: str, allowed: str = "", near: str = "") -> None:
        """Note a problem; too many end the reading."""
        self.problems.append(
            Problem(found, allowed, near=near, file=self.file, line=line, column=column)
        )
        if len(self.problems) >= MAX_PROBLEMS:
            raise self.failure()

    def failure(self) -> InputError:
        """Return all problems in the order of the file."""
        once = dict.fromkeys(self.problems)
        return InputError(sorted(once, key=lambda one: (one.line, one.column)))

    def scalar(self, event: Any) -> None:
        """Take a text."""
        value, anchor, (line, column) = event.value, event.anchor, _at(event)
        if event.style:
            if event.end_mark.line >= line:
                self.verbatim.update(range(line + 1, event.end_mark.line + 2))
            for char in dict.fromkeys(_ESCAPED.findall(value)):
                self.say(line, column, f"{char_name(char)} cannot be printed", "remove its escape")
        elif value != value.strip():  # the parser took the plain spaces
            if value[0].isspace():
                self.say(line, column, *bad_space(value[0]))
            else:
                end = event.end_mark
                self.say(end.line + 1, end.column, *bad_space(value[-1]))
        elif anchor and not value:
            self.say(line, column, f"{short('&' + anchor)} names nothing", QUOTE)
        if event.tag:
            self.refuse_tag(event)
        before = self.grow(line, column, 1, 0)
        value = self.values.setdefault(value, value)
        self.add(Scalar(value, bool(event.style), line, column), before, 0, anchor)

    def sequence(self, event: Any, *, is_mapping: bool = False) -> None:
        """Open a list (or mapping)."""
        if event.tag:
            self.refuse_tag(event)
        if event.anchor:
            self.anchors[event.anchor] = None
        before = self.grow(*_at(event), 1, 1)
        self.open.append(_Open(event, before, is_mapping=is_mapping))

    def mapping(self, event: Any) -> None:
        """Open a mapping."""
        self.sequence(event, is_mapping=True)

    def close(self, _event: Any) -> None:
        """Finish the innermost list or mapping."""
        done = self.open.pop()
        anchor = done.start.anchor
        if anchor and self.anchors[anchor]:  # something inside took the name
            anchor = None
        self.add(done.close(), done.before, done.height, anchor)

    def alias(self, event: Any) -> None:
        """Take the node an alias stands for."""
        (line, column), name = _at(event), event.anchor or ""
        shown = short(f"*{name}")
        missing = _Finished(Scalar("", True, line, column), 1, 0)
        target = self.anchors.get(name, missing)
        if self.open and self.open[-1].wants_key:
            self.say(line, column, f"a key cannot be an alias, found {shown}", QUOTE)
            target = missing
        elif target is None:
            self.say(line, column, f"{shown} refers to itself", "remove it")
        elif target is missing:
            known = (other for other in self.anchors if len(other) <= 40)  # comparing is slow
            near = nearest(name[:40], islice(known, 200))
            self.say(line, column, f"{shown} refers to nothing above", QUOTE, near and f"*{near}")
        target = target or missing
        before = self.grow(line, column, target.nodes, target.height)
        self.add(target.node, before, target.height, None)

    def refuse_tag(self, event: Any) -> None:
        """Refuse a tag: a value's type follows from its place, never from the file."""
        tag = short(event.tag.replace("tag:yaml.org,2002:", "!!"))
        self.say(*_at(event), f"the tag {tag} is not allowed", f"remove it or {QUOTE}")

    def grow(self, line: int, column: int, nodes: int, levels: int) -> int:
        """Count what a node brings, up to the limits, and return the count before it."""
        self.nodes += nodes
        if self.nodes > self.most:
            self.say(
                line, column, "too many values, aliases included", f"at most {self.most} are read"
            )
            raise self.failure()
        if len(self.open) + levels > MAX_DEPTH:
            self.say(line, column, "nested too deep", f"at most {MAX_DEPTH} levels are read")
            raise self.failure()
        return self.nodes - nodes

    def add(self, node: Node, before: int, height: int, anchor: str | None) -> None:
        """Hang a finished node where it belongs."""
        if anchor:
            self.anchors[anchor] = _Finished(node, self.nodes - before, height)
        if not self.open:
            self.root = node
            return
        parent = self.open[-1]
        if height >= parent.height:
            parent.height = height + 1
        if parent.wants_key:
            parent.keys.append(self.key(parent.seen, node))
            parent.wants_key = False
        else:
            parent.children.append(node)
            parent.wants_key = parent.is_mapping

    def key(self, seen: dict[str, Scalar], node: Node) -> Scalar:
        """Return the key ``node``; ``seen`` holds the keys before it."""
        line, column = node.line, node.column
        if not isinstance(node, Scalar):
            self.say(line, column, f"a key must be a text, found {kind(node)}", QUOTE)
            return Scalar("", True, line, column)
        name = node.value
        if not node.quoted:
            if name == "<<":
                self.say(line, column, "merging with '<<' is not supported", "write the keys out")
            elif not name:
                self.say(line, column, "a key is missing before ':'", "write 'key: value'")
            elif _DECIMAL.fullmatch(name):  # 1 and 1.0 are one number, so one of them would be lost
                name = name.rstrip("0").rstrip(".")
        first = seen.setdefault(name, node)
        if first is not node:
            found = f"the key {short(node.value)} stands twice"
            if node.value != first.value:
                found = f"the keys {short(first.value)} and {short(node.value)} are one number"
            self.say(line, column, f"{found}, in lines {first.line} and {line}", "keep one")
        return node

    def check_start(self) -> None:
        """Refuse a text without content and one that begins with directives."""
        start = end_of_idle(self.text, 0)
        if start == len(self.text):
            found = "only comments" if "#" in self.text else "the file is empty"
            self.say(1, 1, found, "must be a mapping")
        elif self.text[start] == "%":
            self.say(*place_after(self.text[:start]), "lines that start with '%' are not supported")
        if self.problems:
            raise self.failure()

    def check_end(self, event: Any) -> None:
        """Refuse what follows the document; the parser never sees it."""
        rest = end_of_idle(self.text, event.end_mark.index)
        if rest == len(self.text):
            return
        line, column = place_after(self.text[:rest])
        if event.explicit or self.text.startswith("---", rest):
            self.say(line, column, "two documents", "one is allowed")
        else:
            self.say(line, column, *extra(self.text[rest]))


def _at(event: Any) -> tuple[int, int]:
    """Return the line and column where a node begins, from 1."""
    mark = event.start_mark
    return mark.line + 1, mark.column + 1
