"""The same formulas in JavaScript, for totals that live in a form or on a web page.

Written for old engines: no arrow functions, no sets, no spread.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from sheetgen.model import Variant
from sheetgen.rules.compiled import GREATEST
from sheetgen.rules.formula import Node
from sheetgen.rules.functions import FUNCTIONS
from sheetgen.rules.functions import GREATEST as GREATEST_NUMBER
from sheetgen.rules.rulebook import rulebook


class Script(NamedTuple):
    """Formulas to be worked out one after the other.

    ``prelude`` defines the functions. Every expression reads the sheet from an object ``v`` and
    earlier scores from an object ``r``: ``r[name] = expression``. In ``v`` a track is what
    ``lane([3, "x", 5])`` makes (or ``totals(sum, count, {x: 1})``), a count a number, a flag
    ``true`` or ``false``, a set a list of names; the setup's values and options are there too.
    """

    prelude: str
    formulas: tuple[tuple[str, str], ...]


PRELUDE = f"""\
function bounded(n, most) {{ return Math.max(-most, Math.min(most, n)); }}
function mod(a, b) {{ return ((a % b) + b) % b; }}
function totals(sum, count, marks) {{
  return {{numbers: [], sum: sum, count: count, marks: marks}};
}}
function lane(entries) {{
  var made = totals(0, 0, Object.create(null));
  for (var i = 0; i < entries.length; i++) {{
    var e = entries[i];
    if (typeof e === "number") {{
      e = bounded(e, {GREATEST_NUMBER});
      made.numbers.push(e);
      made.sum += e;
      made.count += 1;
    }} else if (e) {{
      made.marks[e] = (made.marks[e] || 0) + 1;
    }}
  }}
  return made;
}}
function added(list, of) {{
  var n = 0;
  for (var i = 0; i < list.length; i++) {{ n += of(list[i]); }}
  return n;
}}
""" + "".join(f"function f_{name}{one.javascript}\n" for name, one in FUNCTIONS.items())

_SIGNS = {"==": "===", "!=": "!=="}


def script(variant: Variant) -> Script:
    """Return the scores of a sheet as JavaScript, in the order to work them out."""
    book = rulebook(variant)
    return Script(
        PRELUDE,
        tuple(
            (score.name, f"bounded({expression(score.tree)}, {GREATEST})") for score in book.order
        ),
    )


def expression(node: Node) -> str:
    """Return a resolved formula as a JavaScript expression."""
    op = node.op
    if op in ("number", "mark", "lane"):
        return json.dumps(node.value)
    if op == "table":
        return json.dumps(node.value[1])
    if op in ("value", "set"):
        return f"v[{json.dumps(node.value)}]"
    if op == "score":
        return f"r[{json.dumps(node.value)}]"
    if op == "scores":
        return "[" + ", ".join(f"r[{json.dumps(name)}]" for name in node.value) + "]"
    if op == "tracks":
        return "[" + ", ".join(f"v[{json.dumps(name)}]" for name in node.value) + "]"
    parts = [expression(part) for part in node.parts]
    if op == "total":
        return f"added({parts[0]}, Number)"
    if op == "call":
        return f"f_{node.value}({', '.join(parts)})"
    if op == "not":
        return f"(!{parts[0]})"
    if op == "if":
        return f"({parts[0]} ? {parts[1]} : {parts[2]})"
    if op == "compare":
        return _compared(parts, node.value)
    if op == "%":
        return f"mod({parts[0]}, {parts[1]})"
    if len(parts) == 1:
        return f"(-{parts[0]})"
    sign = {"and": "&&", "or": "||"}.get(op, op)
    return f"({parts[0]} {sign} {parts[1]})"


def _compared(parts: list[str], signs: tuple[str, ...]) -> str:
    tests = [_SIGNS.get(sign, sign) for sign in signs]
    if len(parts) == 2:
        return f"({parts[0]} {tests[0]} {parts[1]})"
    # A part in the middle is needed twice, but is written once: nested chains stay short.
    chain = " && ".join(f"c[{n}] {test} c[{n + 1}]" for n, test in enumerate(tests))
    return f"(function (c) {{ return {chain}; }})([{', '.join(parts)}])"
