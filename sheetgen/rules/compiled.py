"""From a formula's tree to a Python function of what stands on a sheet."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from sheetgen.rules.formula import Node
from sheetgen.rules.functions import FUNCTIONS, SHEETS

# What is known of a sheet by name: lanes, counts, flags, sets; a score of the name n is at "=n",
# the sheets of a round are at SHEETS.
State = Mapping[str, Any]
Evaluator = Callable[[State], Any]

GREATEST = 10**12  # no score is greater: sums of sums of sums cannot run away

_SIGNS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "%": operator.mod,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def evaluator(node: Node) -> Evaluator:
    """Return a function that works a resolved formula out."""
    if node.op in ("number", "mark", "lane"):
        value = node.value
        return lambda state: value
    if node.op == "table":
        points = node.value[1]
        return lambda state: points
    if node.op in ("value", "set"):
        return operator.itemgetter(node.value)
    if node.op == "score":
        return operator.itemgetter(f"={node.value}")
    if node.op == "scores":
        names = tuple(f"={name}" for name in node.value)
        return lambda state: [state[name] for name in names]
    if node.op == "tracks":
        tracks = node.value
        return lambda state: [state[name] for name in tracks]
    parts = [evaluator(part) for part in node.parts]
    first = parts[0]
    if node.op == "total":
        return lambda state: sum(first(state))
    if node.op == SHEETS:
        return lambda state: sum(map(first, state[SHEETS]))
    if node.op == "call":
        return _call(FUNCTIONS[node.value].run, parts)
    if node.op == "not":
        return lambda state: not first(state)
    if node.op == "-" and len(parts) == 1:
        return lambda state: -first(state)
    second = parts[1]
    if node.op == "and":
        return lambda state: first(state) and second(state)
    if node.op == "or":
        return lambda state: first(state) or second(state)
    if node.op == "if":
        third = parts[2]
        return lambda state: second(state) if first(state) else third(state)
    if node.op == "compare":
        return _compared(parts, node.value)
    sign = _SIGNS[node.op]
    return lambda state: sign(first(state), second(state))


def _call(run: Callable[..., int], parts: list[Evaluator]) -> Evaluator:
    if len(parts) == 1:
        (first,) = parts
        return lambda state: run(first(state))
    if len(parts) == 2:
        first, second = parts
        return lambda state: run(first(state), second(state))
    return lambda state: run(*[part(state) for part in parts])


def _compared(parts: list[Evaluator], signs: tuple[str, ...]) -> Evaluator:
    tests = [_SIGNS[sign] for sign in signs]
    if len(tests) == 1:
        (test,) = tests
        first, second = parts
        return lambda state: test(first(state), second(state))

    def chain(state: State) -> bool:
        values = [part(state) for part in parts]
        return all(map(lambda test, a, b: test(a, b), tests, values, values[1:]))

    return chain


def bounded(score: int) -> int:
    """Return a score that is not beyond all bounds."""
    return max(-GREATEST, min(GREATEST, score))
