"""YAML text to a tree of nodes that know their line and column.

Nothing is interpreted: ``No``, ``010`` and ``1:30`` stay the texts that were typed. What could mean
two things (a key given twice, a tag, a cycle) is refused, every such place at once.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sheetgen.errors import InputError, Problem, nearest

if TYPE_CHECKING:
    from collections.abc import Callable

    import yaml

MAX_BYTES = 2_000_000
MAX_DEPTH = 60
MAX_NODES = 100_000
MAX_PROBLEMS = 50  # more would bury the first

_BOM = "\ufeff"
_QUOTE = "put the text in quotes"

# Controls, line ends that only some programs see, marks that turn the reading direction unseen,
# and what is no character at all.
_UNPRINTABLE = re.compile(
    "[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff"
    "\\ufeff\\ufffe\\uffff]"
)
# A tab, or a wide or no-break space, where a line is indented or after its key. These are all that
# "\s" knows, besides the plain space and the line end, once the unprintable ones are refused.
_BAD_SPACE = re.compile(
    r"^(?: *(?:- +)*-?(\t(?![ \t]*(?:#|$))|[^\S\n \t])|[\w -]*:([^\S\n \t]))", re.MULTILINE
)
_IDLE = re.compile(r"(?:[ \t\n]|#[^\n]*)*+")  # blank lines and comments
_ESCAPED = re.compile(f"\r|{_UNPRINTABLE.pattern}")  # a carriage return comes by an escape only
_DECIMAL = re.compile(r"[-+]?[0-9]+\.[0-9]*")

# The parser's own words (of libyaml and of its Python twin), and ours. "<" puts the message where
# the broken element began; "{char}" is the character there.
_SYNTAX = (
    ("hexa?decimal|escape c", "", "this '\\' starts no known escape", "write '\\\\' or '/'"),
    ("quoted scalar", "<", "the quote opened here is never closed", "close it"),
    ("alias|anchor|tag|directive|block scalar", "<", "a value cannot start with '{char}'", _QUOTE),
    ("cannot start any token", "", "a value cannot start with '{char}'", _QUOTE),
    ("simple key", "<", "a ':' is missing in this line", "write 'key: value'"),
    ("sequence entries", "", "'-' does not fit here", f"start a list on a new line or {_QUOTE}"),
    ("mapping keys|unexpected ':'", "", "'{char}' does not fit here", _QUOTE),
    ("nesting depth", "", "nested too deep", f"at most {MAX_DEPTH} levels are read"),
    ("content.* at [],}]", "", "a value is missing before '{char}'", "or a ',' is too many"),
    ("content", "", "a value cannot start with '{char}'", _QUOTE),
)


class Scalar(NamedTuple):
    """A text as it was typed; ``quoted`` when it stood in quotes or in a block (``|``, ``>``)."""

    value: str
    quoted: bool
    line: int
    column: int

    @property
    def is_null(self) -> bool:
        """Whether nothing was given: no text at all, ``~`` or ``null`` without quotes."""
        return not self.quoted and self.value in ("", "~", "null")


class Sequence(NamedTuple):
    """A list."""

    items: tuple[Node, ...]
    line: int
    column: int


class Mapping(NamedTuple):
    """Keys with their values, in the order of the file; no key stands twice."""

    entries: tuple[tuple[Scalar, Node], ...]
    line: int
    column: int

    def get(self, name: str) -> Node | None:
        """Return the value of the key ``name``, or ``None``."""
        return next((value for key, value in self.entries if key.value == name), None)


Node: TypeAlias = Scalar | Sequence | Mapping


def kind(node: Node) -> str:
    """Return what a node is, in the words of a message."""
    if isinstance(node, Scalar):
        return "nothing" if node.is_null else "a text"
    return "a list" if isinstance(node, Sequence) else "a mapping"


def read(path: str | Path) -> Mapping:
    """Return the tree of the YAML file at ``path``."""
    file = str(path)
    try:
        if Path(path).is_dir():
            raise InputError(Problem("is a directory", "a YAML file is expected", file=file))
        with Path(path).open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)  # never more, whatever kind of file this is
    except FileNotFoundError:
        raise InputError(Problem("there is no such file", file=file)) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(Problem(f"cannot be opened: {reason}".lower(), file=file)) from None
    return parse(data, file)


def parse(data: bytes, file: str) -> Mapping:
    """Return the tree of the YAML text ``data``; ``file`` names it in messages."""
    text = _decode(data, file)
    builder = _Builder(text.replace("\r\n", "\n").replace("\r", "\n"), file)
    return builder.build()


def _decode(data: bytes, file: str) -> str:
    """Return the text of ``data`` without its byte order mark, or refuse it."""
    save = "save the file as UTF-8"
    if len(data) > MAX_BYTES:
        size = f"at most {MAX_BYTES // 1_000_000} MB are read"
        raise InputError(Problem("the file is too large", size, file=file))
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:2]:
        found = "not UTF-8: byte 0 begins a UTF-16 text"
        raise InputError(Problem(found, save, file=file, line=1, column=1))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line, column = _place(data[: error.start].decode("utf-8").removeprefix(_BOM))
        found = f"not UTF-8: 0x{data[error.start]:02X} at byte {error.start}"
        raise InputError(Problem(found, save, file=file, line=line, column=column)) from None
    start = text.startswith(_BOM)
    problems = []
    for match in islice(_UNPRINTABLE.finditer(text, start), MAX_PROBLEMS):
        line, column = _place(text[start : match.start()])
        found, allowed = f"{_name(match[0])} cannot be printed", "remove it"
        if match[0] == _BOM:  # two files were joined
            byte = len(text[: match.start()].encode())
            found = f"not UTF-8 in one piece: {_name(_BOM)} at byte {byte}"
        problems.append(Problem(found, allowed, file=file, line=line, column=column))
    if problems:
        raise InputError(problems)
    return text[start:]


def _place(before: str) -> tuple[int, int]:
    """Return the line and column of what follows the text ``before``."""
    lines = before.replace("\r\n", "\n").replace("\r", "\n")
    return lines.count("\n") + 1, len(lines) - lines.rfind("\n")


def _name(char: str) -> str:
    """Return a character that cannot be seen by its name and code point."""
    name = "byte order mark" if char == _BOM else unicodedata.name(char, "control character")
    return f"{name.lower()} (U+{ord(char):04X})"


def _short(text: str) -> str:
    """Return ``text`` in quotes, on one line and not long."""
    line = " ".join(text[:200].split())
    return f"'{line[:40]}…'" if len(line) > 40 else f"'{line}'"


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

    def __init__(self, text: str, file: str) -> None:
        self.text, self.file = text, file
        self.problems: list[Problem] = []
        self.open: list[_Open] = []
        self.anchors: dict[str, _Finished | None] = {}  # None while the node is not finished
        self.verbatim: set[int] = set()  # lines inside quotes and blocks: their spaces are text
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
        if not self.has_bad_space(error) and error:
            self.say(*_explain(error, self.text))
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
                self.say(line, column, f"{_name(char)} cannot be printed", "remove its escape")
        elif value != value.strip():  # the parser took the plain spaces
            if value[0].isspace():
                self.say(line, column, *_bad_space(value[0]))
            else:
                end = event.end_mark
                self.say(end.line + 1, end.column, *_bad_space(value[-1]))
        elif anchor and not value:
            self.say(line, column, f"{_short('&' + anchor)} names nothing", _QUOTE)
        if event.tag:
            self.refuse_tag(event)
        before = self.grow(line, column, 1, 0)
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
        shown = _short(f"*{name}")
        missing = _Finished(Scalar("", True, line, column), 1, 0)
        target = self.anchors.get(name, missing)
        if self.open and self.open[-1].wants_key:
            self.say(line, column, f"a key cannot be an alias, found {shown}", _QUOTE)
            target = missing
        elif target is None:
            self.say(line, column, f"{shown} refers to itself", "remove it")
        elif target is missing:
            known = (other for other in self.anchors if len(other) <= 40)  # comparing is slow
            near = nearest(name[:40], islice(known, 200))
            self.say(line, column, f"{shown} refers to nothing above", _QUOTE, near and f"*{near}")
        target = target or missing
        before = self.grow(line, column, target.nodes, target.height)
        self.add(target.node, before, target.height, None)

    def refuse_tag(self, event: Any) -> None:
        """Refuse a tag: a value's type follows from its place, never from the file."""
        tag = _short(event.tag.replace("tag:yaml.org,2002:", "!!"))
        self.say(*_at(event), f"the tag {tag} is not allowed", f"remove it or {_QUOTE}")

    def grow(self, line: int, column: int, nodes: int, levels: int) -> int:
        """Count what a node brings, up to the limits, and return the count before it."""
        self.nodes += nodes
        if self.nodes > MAX_NODES:
            self.say(
                line, column, "too many values, aliases included", f"at most {MAX_NODES} are read"
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
            self.say(line, column, f"a key must be a text, found {kind(node)}", _QUOTE)
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
            found = f"the key {_short(node.value)} stands twice"
            if node.value != first.value:
                found = f"the keys {_short(first.value)} and {_short(node.value)} are one number"
            self.say(line, column, f"{found}, in lines {first.line} and {line}", "keep one")
        return node

    def check_start(self) -> None:
        """Refuse a text without content and one that begins with directives."""
        start = _end_of_idle(self.text, 0)
        if start == len(self.text):
            found = "only comments" if "#" in self.text else "the file is empty"
            self.say(1, 1, found, "must be a mapping")
        elif self.text[start] == "%":
            self.say(*_place(self.text[:start]), "lines that start with '%' are not supported")
        if self.problems:
            raise self.failure()

    def check_end(self, event: Any) -> None:
        """Refuse what follows the document; the parser never sees it."""
        rest = _end_of_idle(self.text, event.end_mark.index)
        if rest == len(self.text):
            return
        line, column = _place(self.text[:rest])
        if event.explicit or self.text.startswith("---", rest):
            self.say(line, column, "two documents", "one is allowed")
        else:
            self.say(line, column, *_extra(self.text[rest]))

    def has_bad_space(self, error: Any) -> bool:
        """Note the first line indented with something else than spaces, up to a syntax error."""
        last = error.problem_mark.line + 1 if error else len(self.text)
        line, counted = 1, 0
        for match in _BAD_SPACE.finditer(self.text):
            line += self.text.count("\n", counted, match.start())
            counted = match.start()
            if line > last:
                break
            if line not in self.verbatim:
                column = match.start(match.lastindex or 0) - match.start() + 1
                self.say(line, column, *_bad_space(match[match.lastindex or 0]))
                return True
        return False


def _at(event: Any) -> tuple[int, int]:
    """Return the line and column where a node begins, from 1."""
    mark = event.start_mark
    return mark.line + 1, mark.column + 1


def _end_of_idle(text: str, start: int) -> int:
    """Return where the blank lines and comments from ``start`` on end."""
    match = _IDLE.match(text, start)
    return match.end() if match else start


def _bad_space(char: str) -> tuple[str, str]:
    """Say that a tab, or a space that is none, stands in a place for spaces."""
    return ("a tab" if char == "\t" else _name(char)) + " stands here", "use spaces"


def _extra(char: str) -> tuple[str, str]:
    """Say that more follows where a value has ended."""
    if char in "]}":
        return f"'{char}' closes nothing", f"remove it or {_QUOTE}"
    return "more text follows the value", "put the whole value in quotes"


def _explain(error: Any, text: str) -> tuple[int, int, str, str]:
    """Return the place of a syntax error and a message in plain words."""
    mark = error.problem_mark
    start = error.context_mark or mark  # of the element that broke
    char = text[mark.index : mark.index + 1]
    words = f"{error.context}: {error.problem} at {char}"
    before = text[text.rfind("\n", 0, mark.index) + 1 : mark.index]
    found, allowed = f"this cannot be read ({error.problem})", _QUOTE
    if char.isspace() and char not in " \n":
        found, allowed = _bad_space(char)
    elif "mapping values" in words:
        if re.search(r":\s", before):
            found, allowed = "a second ': ' in one line", _QUOTE
        else:
            found, allowed = "this ':' does not fit the line above", "check the indentation"
    elif "expected ',' or" in words:
        opener = text[start.index]
        closer = "]" if opener == "[" else "}"
        if closer not in text[mark.index :] or (char == ":" and mark.line > start.line):
            mark = start
            found, allowed = f"'{opener}' opened here is never closed", f"add '{closer}'"
        else:
            found, allowed = f"',' or '{closer}' is missing here", f"separate with ',' or {_QUOTE}"
    elif re.search("expected (key|<block end>|'-' indicator)", words):
        found, allowed = _extra(char)
        if char == ":":
            found, allowed = "a key is missing before ':'", "write 'key: value'"
        elif not before.strip(" "):
            found = "the indentation of this line fits no line above"
            allowed = "align it with the lines it belongs to"
    else:
        for pattern, at_start, message, advice in _SYNTAX:
            if re.search(pattern, words):
                mark = start if at_start else mark
                char = text[mark.index : mark.index + 1]
                found, allowed = message.format(char=char), advice
                break
    return mark.line + 1, mark.column + 1, found, allowed
