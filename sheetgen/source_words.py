"""What is wrong with a YAML text, in plain words: the parser's own are for programmers."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from typing import Any

from sheetgen.source_text import char_name

MAX_DEPTH = 60

QUOTE = "put the text in quotes"

# A tab, or a wide or no-break space, where a line is indented or after its key. These are all that
# "\s" knows, besides the plain space and the line end, once the unprintable ones are refused.
_BAD_SPACE = re.compile(
    r"^(?: *(?:- +)*-?(\t(?![ \t]*(?:#|$))|[^\S\n \t])|[\w -]*:([^\S\n \t]))", re.MULTILINE
)
# The parser's own words (of libyaml and of its Python twin), and ours. "<" puts the message where
# the broken element began; "{char}" is the character there.
_SYNTAX = (
    ("hexa?decimal|escape c", "", "this '\\' starts no known escape", "write '\\\\' or '/'"),
    ("quoted scalar", "<", "the quote opened here is never closed", "close it"),
    ("alias|anchor|tag|directive|block scalar", "<", "a value cannot start with '{char}'", QUOTE),
    ("cannot start any token", "", "a value cannot start with '{char}'", QUOTE),
    ("simple key", "<", "a ':' is missing in this line", "write 'key: value'"),
    ("sequence entries", "", "'-' does not fit here", f"start a list on a new line or {QUOTE}"),
    ("mapping keys|unexpected ':'", "", "'{char}' does not fit here", QUOTE),
    ("nesting depth", "", "nested too deep", f"at most {MAX_DEPTH} levels are read"),
    ("content.* at [],}]", "", "a value is missing before '{char}'", "or a ',' is too many"),
    ("content", "", "a value cannot start with '{char}'", QUOTE),
)


_CLOSER = {"[": "]", "{": "}"}


def short(text: str) -> str:
    """Return ``text`` in quotes, on one line and not long."""
    line = " ".join(text[:200].split())
    return f"'{line[:40]}…'" if len(line) > 40 else f"'{line}'"


def bad_space(char: str) -> tuple[str, str]:
    """Say that a tab, or a space that is none, stands in a place for spaces."""
    return ("a tab" if char == "\t" else char_name(char)) + " stands here", "use spaces"


def first_bad_space(
    text: str, last: int, verbatim: Container[int]
) -> tuple[int, int, str, str] | None:
    """Return place and words of the first line up to ``last`` indented with something else.

    The lines ``verbatim`` are inside quotes and blocks.
    """
    line, counted = 1, 0
    for match in _BAD_SPACE.finditer(text):
        line += text.count("\n", counted, match.start())
        counted = match.start()
        if line > last:
            break
        if line not in verbatim:
            group = match.lastindex or 0
            return line, match.start(group) - match.start() + 1, *bad_space(match[group])
    return None


def extra(char: str) -> tuple[str, str]:
    """Say that more follows where a value has ended."""
    if char in "]}":
        return f"'{char}' closes nothing", f"remove it or {QUOTE}"
    return "more text follows the value", "put the whole value in quotes"


def explain(error: Any, text: str, around: Sequence[Any]) -> tuple[int, int, str, str]:
    """Return the place of a syntax error and a message in plain words.

    ``around`` is where the lists and mappings begin that are open there, the innermost last.
    """
    mark = error.problem_mark
    start = error.context_mark or mark  # of the element that broke
    char = text[mark.index : mark.index + 1]
    words = f"{error.context}: {error.problem} at {char}"
    before = text[text.rfind("\n", 0, mark.index) + 1 : mark.index]
    brackets = [one for one in around if text[one.index : one.index + 1] in _CLOSER]
    found, allowed = f"this cannot be read ({error.problem})", QUOTE
    if char.isspace() and char not in " \n":
        found, allowed = bad_space(char)
    elif not char and brackets and "quoted" not in words:
        mark, opener = brackets[-1], text[brackets[-1].index]
        found, allowed = f"'{opener}' opened here is never closed", f"add '{_CLOSER[opener]}'"
    elif "mapping values" in words:
        if re.search(r":\s", before):
            found, allowed = "a second ': ' in one line", QUOTE
        else:
            found, allowed = "this ':' does not fit the line above", "check the indentation"
    elif "expected ',' or" in words:
        opener = text[start.index]
        closer = _CLOSER[opener]
        if closer not in text[mark.index :] or (char == ":" and mark.line > start.line):
            mark = start
            found, allowed = f"'{opener}' opened here is never closed", f"add '{closer}'"
        else:
            found, allowed = f"',' or '{closer}' is missing here", f"separate with ',' or {QUOTE}"
    elif re.search("expected (key|<block end>|'-' indicator)", words):
        found, allowed = extra(char)
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
