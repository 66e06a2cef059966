"""What the names of a formula mean, and whether its parts fit together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
        for name, table in (variant.tables or {}).items():
            known[str(name)] = Node("table", value=(str(name), tuple(table)), kind="table")
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
        self.scores: dict[str, dict[str, str]] = {}  # key → lane → name
        for formula in formulas(variant):
            self.scores.setdefault(formula.key, {})[formula.lane] = formula.name

    def names(self, lane: str = "", *, scores: bool = True) -> Mapping[str, Node]:
        """Return what every name means, for a lane if one is given."""
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
            found["lane"] = self.played.get(lane, Node("lane"))._replace(parts=(Node("lane", value=lane),))
        return found


def resolve(
    node: Node, names: Mapping[str, Node], marks: set[str], sheets: Mapping[str, Node] | None = None
) -> Node:
    """Return a formula's tree with its names replaced by what they mean.

    ``sheets`` are the names inside ``sheets(…)``, if it is known here. Raises
    :class:`FormulaError` for what is unknown or does not fit.
    """
    if node.op == "number":
        return node._replace(kind="number")
    if node.op == "text":
        if node.value not in marks:
            known = ", ".join(sorted(marks)) or "none"
            raise FormulaError(f"unknown mark {node.value!r}", f"known are {known}")
        return Node("mark", value=node.value, kind="mark")
    if node.op == "name":
        if node.value not in names:
            known = ", ".join(names)
            near = nearest(node.value, names)
            raise FormulaError(f"unknown name {node.value!r}", f"known are {known}", near)
        return names[node.value]
    if node.op == "call":
        return _call(node, names, marks, sheets)
    parts = tuple(resolve(part, names, marks, sheets) for part in node.parts)
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


def _all(parts: tuple[Node, ...], kind: str, what: str) -> None:
    for part in parts:
        if part.kind != kind:
            raise FormulaError(f"{what} with {_said(part)}", f"it needs {_SAID[kind]}")


def _said(node: Node) -> str:
    return _SAID.get(node.kind, "a lane")


def _call(
    node: Node, names: Mapping[str, Node], marks: set[str], sheets: Mapping[str, Node] | None
) -> Node:
    if node.value == SHEETS and sheets is not None:
        if len(node.parts) != 1:
            raise FormulaError(f"{SHEETS}() with {len(node.parts)} values", "it takes a condition")
        inner = resolve(node.parts[0], sheets, marks)
        _all((inner,), "truth", f"{SHEETS}()")
        return Node(SHEETS, (inner,), kind="number")
    if node.value not in FUNCTIONS:
        known = ", ".join([*FUNCTIONS, *([SHEETS] if sheets is not None else [])])
        near = nearest(node.value, FUNCTIONS)
        raise FormulaError(f"unknown function {node.value!r}", f"known are {known}", near)
    takes = list(FUNCTIONS[node.value].takes)
    if takes[-1].endswith("…"):
        takes[-1] = takes[-1][:-1]
        takes += takes[-1:] * (len(node.parts) - len(takes))
    if len(takes) != len(node.parts):
        found = f"{node.value}() with {len(node.parts)} values"
        raise FormulaError(found, f"it takes {len(takes)}")
    parts = [resolve(part, names, marks, sheets) for part in node.parts]
    for index, (part, kind) in enumerate(zip(parts, takes, strict=True)):
        if kind == "tracks" and part.kind == "scores" and node.value == "sum":
            return Node("total", (part,), kind="number")
        if kind == "lane" and part.parts and part.parts[0].op == "lane":
            parts[index] = part.parts[0]._replace(kind="lane")
        elif kind == "lane" and node.parts[index].op == "name" and part.op in ("tracks", "value"):
            parts[index] = Node("lane", value=node.parts[index].value, kind="lane")
        elif part.kind != kind:
            raise FormulaError(f"{node.value}() with {_said(part)}", f"it needs {_SAID[kind]}")
    return Node("call", tuple(parts), node.value, "number")


def uses(node: Node) -> Iterator[str]:
    """Yield the scores that a resolved formula refers to."""
    if node.op == "score":
        yield node.value
    elif node.op == "scores":
        yield from node.value
    for part in node.parts:
        yield from uses(part)
