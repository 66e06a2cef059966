"""What the names of a formula mean, and whether its parts fit together."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from sheetgen.errors import nearest
from sheetgen.model import Variant
from sheetgen.model_play import lanes
from sheetgen.rules.formula import FormulaError, Node
from sheetgen.rules.functions import FUNCTIONS, SHEETS
from sheetgen.survey import names_in

_SAID = {
    "number": "a number",
    "truth": "a condition",
    "tracks": "a track",
    "set": "a set of names",
    "table": "a lookup table",
    "mark": "a mark in quotes",
    "lane": "a lane",
    "scores": "a score of several lanes",
}


class Formula(NamedTuple):
    """A score worked out once on a sheet: a named formula, for one lane if it has lanes."""

    key: str
    lane: str
    name: str  # in files and reports


def formulas(variant: Variant) -> Iterator[Formula]:
    """Yield every score of a sheet, lane by lane."""
    for key, score in (variant.score or {}).items():
        if not score.each:
            yield Formula(str(key), "", str(score.named or key))
        for lane in _each(variant, score.each):
            yield Formula(str(key), lane, str(score.named or "{lane}").replace("{lane}", lane))


def _each(variant: Variant, names: tuple[object, ...]) -> list[str]:
    if variant.play is None:
        return [str(name) for name in names]
    return list(lanes(variant.play, names))  # type: ignore[arg-type]


class Scope:
    """The names that formulas of a variant know."""

    def __init__(self, variant: Variant) -> None:
        play = variant.play
        self.marks: set[str] = set()
        self.lanes: dict[str, None] = {}
        known: dict[str, Node] = {}
        setups: list[str | None] = list(variant.setups or {}) or [None]
        for name in names_in(variant, setups[0]):
            if all(name in names_in(variant, setup) for setup in setups):
                known[name] = Node("value", value=name, kind="number")
        self.tables = {
            str(name): Node("table", value=(str(name), tuple(table)), kind="table")
            for name, table in (variant.tables or {}).items()
        }
        for kind, track in ((play and play.tracks) or {}).items():
            names = tuple(str(name) for name in track.names or (kind,))
            known[str(kind)] = Node("tracks", value=names, kind="tracks")
            self.marks |= {str(mark) for mark in track.marks or {}}
            for name in names:
                known[name] = Node("tracks", value=(name,), kind="tracks")
        for name in (play and play.counts) or {}:
            known[str(name)] = Node("value", value=str(name), kind="number")
        for name, flag in ((play and play.flags) or {}).items():
            for full in [f"{lane}_{name}" for lane in _each(variant, flag.lanes)] or [str(name)]:
                known[full] = Node("value", value=full, kind="truth")
        for name in (play and play.sets) or {}:
            known[str(name)] = Node("set", value=str(name), kind="set")
        self.played = known
        self._names: dict[tuple[str, bool], Mapping[str, Node]] = {}
        self.scores: dict[str, dict[str, str]] = {}  # key → lane → name
        for formula in formulas(variant):
            self.scores.setdefault(formula.key, {})[formula.lane] = formula.name

    def names(self, lane: str = "", *, scores: bool = True) -> Mapping[str, Node]:
        """Return what every name means, for a lane if one is given."""
        if (lane, scores) not in self._names:
            self._names[lane, scores] = self._named(lane, scores=scores)
        return self._names[lane, scores]

    def _named(self, lane: str, *, scores: bool) -> Mapping[str, Node]:
        found = dict(self.played)
        for key, by_lane in self.scores.items() if scores else ():
            if "" in by_lane or lane in by_lane:
                name = by_lane.get("", by_lane.get(lane))
                found[key] = Node("score", value=name, kind="number")
            else:
                found[key] = Node("scores", value=tuple(by_lane.values()), kind="scores")
        if lane:
            # ``red_double`` is ``double`` in a formula for red, and ``lane`` is red itself.
            prefix = f"{lane}_"
            for name, node in self.played.items():
                if name.startswith(prefix):
                    found[name.removeprefix(prefix)] = node
            itself = (Node("lane", value=lane, kind="lane"),)
            found["lane"] = self.played.get(lane, Node("lane"))._replace(parts=itself)
        return found


class Names(NamedTuple):
    """What a formula may name; ``sheets`` are the names inside ``sheets(…)`` where that is known.

    Tables are named in ``lookup`` only, so that a table may be called like what it is for.
    """

    names: Mapping[str, Node]
    tables: Mapping[str, Node]
    marks: Collection[str]
    sheets: Mapping[str, Node] | None = None


def resolve(node: Node, known: Names) -> Node:
    """Return a formula's tree with its names replaced by what they mean.

    Raises :class:`FormulaError` for what is unknown or does not fit.
    """
    if node.op == "number":
        return node._replace(kind="number")
    if node.op == "text":
        if node.value not in known.marks:
            allowed = f"known are {', '.join(sorted(known.marks)) or 'none'}"
            raise FormulaError(f"unknown mark {node.value!r}", allowed)
        return Node("mark", value=node.value, kind="mark")
    if node.op == "name":
        return _known("name", node.value, known.names)
    if node.op == "call":
        return _call(node, known)
    parts = tuple(resolve(part, known) for part in node.parts)
    if node.op in ("+", "-", "*", "%"):
        _all(parts, "number", f"'{node.op}'")
        if node.op == "%" and (parts[1].op != "number" or parts[1].value == 0):
            raise FormulaError("'%' without a number after it", "divide by a whole number from 1")
        return node._replace(parts=parts, kind="number")
    if node.op == "compare":
        _all(parts, "number", f"'{node.value[0]}'")
    elif node.op in ("and", "or", "not"):
        _all(parts, "truth", f"'{node.op}'")
    else:
        _all(parts[:1], "truth", "'if'")
        if parts[1].kind != parts[2].kind or parts[1].kind not in ("number", "truth"):
            raise FormulaError("'if' and 'else' give different things", "give numbers in both")
        return node._replace(parts=parts, kind=parts[1].kind)
    return node._replace(parts=parts, kind="truth")


def wanted(kind: str, tree: Node) -> Node:
    """Return a resolved formula if its value is of a kind, else raise :class:`FormulaError`."""
    _all((tree,), kind, "a formula")
    return tree


def _all(parts: tuple[Node, ...], kind: str, what: str) -> None:
    for part in parts:
        if part.kind != kind:
            raise FormulaError(f"{what}: found {_said(part)}", f"wanted is {_SAID[kind]}")


def _said(node: Node) -> str:
    return _SAID.get(node.kind, "a lane")


def _known(noun: str, name: str, known: Mapping[str, Node]) -> Node:
    if name not in known:
        allowed = f"known are {', '.join(known) or 'none'}"
        raise FormulaError(f"unknown {noun} {name[:40]!r}", allowed, nearest(name, known))
    return known[name]


def _call(node: Node, known: Names) -> Node:
    name = node.value
    if name == SHEETS and known.sheets is not None:
        if len(node.parts) != 1:
            raise FormulaError(f"{name}() with {len(node.parts)} values", "it takes a condition")
        inner = resolve(node.parts[0], Names(known.sheets, known.tables, known.marks))
        _all((inner,), "truth", f"{name}()")
        return Node(SHEETS, (inner,), kind="number")
    if name not in FUNCTIONS:
        allowed = ", ".join([*FUNCTIONS, *([SHEETS] if known.sheets is not None else [])])
        near = nearest(name, FUNCTIONS)
        raise FormulaError(f"unknown function {name[:40]!r}", f"known are {allowed}", near)
    takes = list(FUNCTIONS[name].takes)
    if takes[-1].endswith("…"):
        takes[-1] = takes[-1][:-1]
        takes += takes[-1:] * (len(node.parts) - len(takes))
    if len(takes) != len(node.parts):
        raise FormulaError(f"{name}() with {len(node.parts)} values", f"it takes {len(takes)}")
    parts = [
        _argument(part, kind, name, known) for part, kind in zip(node.parts, takes, strict=True)
    ]
    if any(part.kind == "scores" for part in parts):
        if len(parts) > 1:
            raise FormulaError("sum() of several scores", "add the sums up with '+'")
        return Node("total", tuple(parts), kind="number")
    if takes[-1] == "tracks":
        names = tuple(track for part in parts for track in part.value)
        parts = [Node("tracks", value=names, kind="tracks")]
    return Node("call", tuple(parts), name, "number")


def _argument(part: Node, kind: str, function: str, known: Names) -> Node:
    """Return what a function is given, if it is of the kind that it takes."""
    if kind == "table" and part.op == "name":
        return _known("table", part.value, known.tables)
    if kind == "lane" and part.op == "name":
        meant = _known("name", part.value, known.names)
        # ``lane`` brings its own name along; any other name in this place is that of a lane.
        return meant.parts[0] if meant.parts else Node("lane", value=part.value, kind="lane")
    found = resolve(part, known)
    if found.kind != kind and (found.kind, function) != ("scores", "sum"):
        raise FormulaError(f"{function}(): found {_said(found)}", f"wanted is {_SAID[kind]}")
    return found


def uses(node: Node) -> Iterator[str]:
    """Yield the scores that a resolved formula refers to."""
    if node.op == "score":
        yield node.value
    elif node.op == "scores":
        yield from node.value
    for part in node.parts:
        yield from uses(part)
