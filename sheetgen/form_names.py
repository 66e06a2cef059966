"""What a fillable PDF calls its fields, and how it says which sheet they belong to.

Printing and reading meet here: a box ``red_3`` of the first copy is the field ``red_3__1``, and the
hidden field ``sheetgen__1`` holds the copy's :class:`Identity`.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

IDENTITY = "sheetgen"  # the box id of the hidden field
INFO_KEY = "SheetgenSheet"  # the same in the document's information
LONGEST = 4000  # characters of an identity
MOST_FIELDS = 12_000  # of one file: what viewers and the reader take in within two seconds

# Whoever merges files may add to names that clash (red_3__1-2) or put others before (pad.red_3__1).
_NAME = re.compile(r"(?:^|[^A-Za-z0-9_])([a-z][a-z0-9_]{0,119}?)__([1-9][0-9]{0,5})(?![0-9])")
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,59}")


class Identity(NamedTuple):
    """Which sheet a form is of: what it takes to lay the sheet out again.

    ``values`` are the options set with their values, ``code`` is what is printed on the sheet
    (``LD-A2B3C4``), and the rest is as chosen for printing; ``rules`` is false for a sheet without
    the rules in short.
    """

    variant: str
    sheet: str
    language: str
    players: int
    setup: str
    values: tuple[tuple[str, int], ...]
    rules: bool
    theme: str
    code: str


def field_name(box: str, copy: int) -> str:
    """Return the name of the field for a box of a copy."""
    return f"{box}__{copy}"


def parse_name(name: str) -> tuple[str, int] | None:
    """Return the box id and the copy that a field's full name tells, or ``None``."""
    parts = _NAME.findall(name)  # the last is the field's own
    return (parts[-1][0], int(parts[-1][1])) if parts else None


def encode(identity: Identity) -> str:
    """Return an identity as one line of JSON in ASCII."""
    data = {IDENTITY: 1, **identity._asdict(), "values": dict(identity.values)}
    return json.dumps(data, separators=(",", ":"))


def decode(text: str) -> Identity | None:
    """Return the identity a text holds, or ``None`` if it does not hold one."""
    if len(text) > LONGEST:
        return None
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or data.pop(IDENTITY, None) != 1:
        return None
    words: dict[str, Any] = {name: data.get(name) for name in Identity._fields}
    for name in ("variant", "sheet", "language", "theme", "code"):
        if not isinstance(words[name], str) or not _WORD.fullmatch(words[name]):
            return None
    values = words["values"]
    if (
        not isinstance(words["setup"], str)
        or len(words["setup"]) > 60
        or not isinstance(values, dict)
        or not all(_is_count(value) for value in (*values.values(), words["players"]))
        or not isinstance(words["rules"], bool)
    ):
        return None
    return Identity(**{**words, "values": tuple(values.items())})


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1_000_000
