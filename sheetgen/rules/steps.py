"""A score's arithmetic as a person writes it: ``(3 + 5 + 8 − 20) × 2 = −8``.

Sums of numbers are written out, counts of things are not; what is added to nothing, and what is
taken once, is left away; of a choice only the side that was taken is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sheetgen.rules.compiled import State, evaluator
from sheetgen.rules.formula import Node
from sheetgen.rules.tracks import minus

SUM, PRODUCT, ATOM = range(3)  # how tight an expression holds together


class _Said(NamedTuple):
    """An expression; its ``value`` if it is a plain number that a sum may swallow."""

    text: str
    holds: int
    value: int | None = None


_Sayer = Callable[[State], _Said]
Teller = Callable[[State], str]


class Steps(Mapping[str, str]):
    """The arithmetic of a sheet's scores by name, put into words when it is asked for."""

    def __init__(
        self, names: Sequence[str], teller_of: Callable[[str], Teller], state: State
    ) -> None:
        self._names, self._teller_of, self._state = names, teller_of, state

    def __getitem__(self, name: str) -> str:
        if name not in self._names:
            raise KeyError(name)
        return self._teller_of(name)(self._state)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return repr(dict(self))

    def __reduce__(self) -> tuple[type[dict[str, str]], tuple[dict[str, str]]]:
        """Travel between processes as words: what makes them cannot."""
        return dict, (dict(self),)


def teller(name: str, tree: Node) -> Teller:
    """Return a function that says how the score ``name`` of a sheet comes about."""
    say = _sayer(tree)

    def tell(state: State) -> str:
        text, result = say(state).text, minus(state[f"={name}"])
        return result if text == result else f"{text} = {result}"

    return tell


def _sayer(node: Node) -> _Sayer:
    if node.op == "if":
        condition = evaluator(node.parts[0])
        yes, no = map(_sayer, node.parts[1:])
        return lambda state: yes(state) if condition(state) else no(state)
    if node.op in _SIGNS:
        say = _SIGNS[node.op]
        # A sign before a number is said as taking it from nothing.
        left, right = map(_sayer, node.parts if len(node.parts) == 2 else (_NOTHING, *node.parts))
        return lambda state: say(left(state), right(state))
    if node.op == "total":
        scores = evaluator(node.parts[0])
        return lambda state: _listed([number for number in scores(state) if number])
    if node.op == "call" and node.value == "sum":
        return _sum(node)
    if node.op == "call" and node.value == "lookup":
        table = node.parts[0].value[0]
        number = evaluator(node.parts[1])
        return lambda state: _Said(f"{table}[{minus(number(state))}]", ATOM)
    run = evaluator(node)
    if node.op == "score":
        return lambda state: _Said(minus(run(state)), ATOM)
    return lambda state: _plain(run(state))


_NOTHING = Node("number", value=0, kind="number")


def _plain(value: int) -> _Said:
    return _Said(minus(value), ATOM, value)


def _sum(node: Node) -> _Sayer:
    tracks = evaluator(node.parts[0])

    def say(state: State) -> _Said:
        numbers: list[int] = []
        for lane in tracks(state):
            # Of a track given by totals only the sum is known.
            numbers += lane.numbers or [lane.sum] * (lane.count > 0)
        return _listed(numbers) if numbers else _plain(0)

    return say


def _listed(numbers: list[int]) -> _Said:
    text = " + ".join(map(minus, numbers)).replace("+ −", "− ") or "0"
    return _Said(text, SUM if len(numbers) > 1 else ATOM)


def _plus(left: _Said, right: _Said) -> _Said:
    if left.value is not None and right.value is not None:
        return _plain(left.value + right.value)
    if right.text == "0":
        return left
    if left.text == "0":
        return right
    return _Said(f"{left.text} + {right.text}".replace("+ −", "− "), SUM)


def _less(left: _Said, right: _Said) -> _Said:
    if left.value is not None and right.value is not None:
        return _plain(left.value - right.value)
    if right.text == "0":
        return left
    taken = _grouped(right, PRODUCT)
    return _Said(f"−{taken}", PRODUCT) if left.text == "0" else _Said(f"{left.text} − {taken}", SUM)


def _times(left: _Said, right: _Said) -> _Said:
    if left.text == "1":
        return right
    if right.text == "1":
        return left
    if "0" in (left.text, right.text):
        return _plain(0)
    return _Said(f"{_grouped(left, PRODUCT)} × {_grouped(right, PRODUCT)}", PRODUCT)


def _rest(left: _Said, right: _Said) -> _Said:
    return _Said(f"{_grouped(left, ATOM)} mod {_grouped(right, ATOM)}", PRODUCT)


_SIGNS: Mapping[str, Callable[[_Said, _Said], _Said]] = {
    "+": _plus,
    "-": _less,
    "*": _times,
    "%": _rest,
}


def _grouped(said: _Said, least: int) -> str:
    """Return an expression in parentheses if it holds less tight than what is around it."""
    return f"({said.text})" if said.holds < least or said.text.startswith("−") else said.text
