"""A score's arithmetic as a person writes it: ``(3 + 5 + 8 − 20) × 2 = −8``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from sheetgen.rules.compiled import Evaluator, State, evaluator
from sheetgen.rules.formula import Node
from sheetgen.rules.tracks import minus

SUM, PRODUCT, ATOM = range(3)  # how tight an expression holds together


class _Said(NamedTuple):
    """An expression: ``plain`` if it is just a number that a sum may swallow."""

    text: str
    holds: int
    value: int
    plain: bool = False


class Steps(Mapping[str, str]):
    """The arithmetic of a sheet's scores, put into words when it is asked for."""

    def __init__(self, trees: Mapping[str, Node], state: State, names: tuple[str, ...]) -> None:
        self._trees, self._state, self._names = trees, state, names

    def __getitem__(self, name: str) -> str:
        if name not in self._names:
            raise KeyError(name)
        said = _say(self._trees[name], self._state)
        result = minus(self._state[f"={name}"])
        return result if said.text == result else f"{said.text} = {result}"

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return repr(dict(self))


def _say(node: Node, state: State) -> _Said:
    if node.op == "if":
        condition, yes, no = node.parts
        return _say(yes if _run(condition)(state) else no, state)
    value = _run(node)(state)
    if node.op == "total":
        return _list([number for number in _run(node.parts[0])(state) if number], value)
    if node.op == "score":
        return _Said(minus(value), ATOM, value)
    if node.op == "call":
        if node.value == "sum":
            return _sum(node, state, value)
        if node.value == "lookup":
            table, number = node.parts
            return _Said(f"{table.value[0]}[{minus(_run(number)(state))}]", ATOM, value)
    sign = _SIGNS.get(node.op)
    if sign and len(node.parts) == 2:
        return sign(_say(node.parts[0], state), _say(node.parts[1], state), value)
    if node.op == "-":
        inner = _say(node.parts[0], state)
        if not inner.plain:
            return _Said(f"−{_grouped(inner, ATOM)}", PRODUCT, value)
    return _Said(minus(value), ATOM, value, plain=True)


def _run(node: Node) -> Evaluator:
    return evaluator(node)


def _sum(node: Node, state: State, value: int) -> _Said:
    lanes = _run(node.parts[0])(state)
    known = all(lane.sum == sum(lane.numbers) for lane in lanes)
    numbers = [number for lane in lanes for number in lane.numbers]
    if not known or not numbers:
        return _Said(minus(value), ATOM, value, plain=not lanes[0].count)
    return _list(numbers, value)


def _list(numbers: list[int], value: int) -> _Said:
    text = " + ".join(map(minus, numbers)).replace("+ −", "− ") or "0"
    return _Said(text, SUM if len(numbers) > 1 else ATOM, value)


def _plus(left: _Said, right: _Said, value: int) -> _Said:
    if left.plain and right.plain:
        return _Said(minus(value), ATOM, value, plain=True)
    if right.text == "0":
        return left
    if left.text == "0":
        return right
    text = f"{left.text} + {right.text}".replace("+ −", "− ")
    return _Said(text, SUM, value)


def _less(left: _Said, right: _Said, value: int) -> _Said:
    if left.plain and right.plain:
        return _Said(minus(value), ATOM, value, plain=True)
    if right.text == "0":
        return left
    return _Said(f"{left.text} − {_grouped(right, PRODUCT)}", SUM, value)


def _times(left: _Said, right: _Said, value: int) -> _Said:
    if left.text == "1":
        return right
    if right.text == "1":
        return left
    if "0" in (left.text, right.text):
        return _Said("0", ATOM, 0, plain=True)
    return _Said(f"{_grouped(left, PRODUCT)} × {_grouped(right, PRODUCT)}", PRODUCT, value)


def _rest(left: _Said, right: _Said, value: int) -> _Said:
    return _Said(f"{_grouped(left, ATOM)} mod {_grouped(right, ATOM)}", PRODUCT, value)


_SIGNS: Mapping[str, Callable[[_Said, _Said, int], _Said]] = {
    "+": _plus,
    "-": _less,
    "*": _times,
    "%": _rest,
}


def _grouped(said: _Said, least: int) -> str:
    """Return an expression in parentheses if it holds less tight than what is around it."""
    loose = said.holds < least or (said.text.startswith("−") and said.holds == ATOM)
    return f"({said.text})" if loose else said.text
