"""Formulas: what they mean is what Jinja2 means, what may run away is refused, all in no time."""

from __future__ import annotations

import time
from typing import Any

import jinja2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import nodes
from played import ROOT, VARIANTS, one, problems, small

from sheetgen import decode
from sheetgen.rules.compiled import evaluator
from sheetgen.rules.examples import wrong
from sheetgen.rules.formula import FormulaError, Node, parse
from sheetgen.rules.functions import FUNCTIONS
from sheetgen.rules.javascript import script
from sheetgen.rules.meaning import Names, resolve

SIGNS = {"Add": "+", "Sub": "-", "Mul": "*", "Mod": "%", "And": "and", "Or": "or"}
COMPARED = {"eq": "==", "ne": "!=", "lt": "<", "lteq": "<=", "gt": ">", "gteq": ">="}


def of_jinja(node: Any) -> Node:
    """Return a tree of Jinja2 as a tree of ours."""
    if isinstance(node, nodes.Name):
        return Node("name", value=node.name)
    if isinstance(node, nodes.Const):
        return Node("text" if isinstance(node.value, str) else "number", value=node.value)
    if isinstance(node, nodes.CondExpr):
        return Node("if", tuple(map(of_jinja, (node.test, node.expr1, node.expr2))))
    if isinstance(node, nodes.Compare):
        parts = (node.expr, *(one.expr for one in node.ops))
        return Node("compare", tuple(map(of_jinja, parts)), tuple(COMPARED[o.op] for o in node.ops))
    if isinstance(node, nodes.Call):
        assert isinstance(node.node, nodes.Name)
        assert not node.kwargs
        return Node("call", tuple(map(of_jinja, node.args)), node.node.name)
    if isinstance(node, nodes.Not | nodes.Neg):
        return Node("not" if isinstance(node, nodes.Not) else "-", (of_jinja(node.node),))
    assert isinstance(node, nodes.BinExpr)
    return Node(SIGNS[type(node).__name__], (of_jinja(node.left), of_jinja(node.right)))


def jinja(text: str) -> Node:
    """Return what Jinja2 reads."""
    (output,) = jinja2.Environment().parse("{{ " + text + " }}").body
    assert isinstance(output, nodes.Output)
    return of_jinja(output.nodes[0])


def formulas() -> list[str]:
    """Return all formulas of the bundled variants."""
    found = []
    for path in VARIANTS:
        game = decode.load(path)
        found += [score.formula for score in (game.score or {}).values()]
        asserts = (
            *(game.play.asserts if game.play else ()),
            *(game.match.asserts if game.match else ()),
        )
        found += [one.that for one in asserts]
    return sorted({*map(str, found)})


@pytest.mark.parametrize("text", formulas())
def test_bundled_formulas_are_jinja(text: str) -> None:
    """Every formula of the bundled variants is read as Jinja2 reads it."""
    assert parse(text) == jinja(text)


ATOMS = st.sampled_from(["0", "7", "20", "x", "lane", "marks(lane, '$')", 'f("w")', "g()"])
FORMULAS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(
            inner,
            st.sampled_from(["+", "-", "*", "%", "==", "!=", "<", "<=", ">", ">=", "and", "or"]),
            inner,
        ).map(" ".join),
        st.tuples(inner, inner, inner).map(lambda p: f"{p[0]} if {p[1]} else {p[2]}"),
        st.tuples(st.sampled_from(["not {}", "- {}", "({})", "max({}, 1)"]), inner).map(
            lambda p: p[0].format(p[1])
        ),
    ),
    max_leaves=12,
)


@given(FORMULAS)
def test_any_formula_is_jinja(text: str) -> None:
    """What binds tighter, and what is read first, is what it is in Jinja2."""
    try:
        tree = parse(text)
    except FormulaError as error:
        refused = "too deep", "unexpected", "without 'else'", "characters", "words and signs"
        assert any(word in error.found for word in refused)  # noqa: PT017
        return
    assert tree == jinja(text)


@given(
    st.text(st.characters(codec="utf-8"), max_size=60)
    | st.text("()+-*%<>=!,'\" x1ifelsnotad", max_size=60)
)
def test_no_traceback(text: str) -> None:
    """Any text is read or refused, and what is read is what Jinja2 reads."""
    try:
        tree = parse(text)
    except FormulaError:
        return
    assert tree == jinja(text)


@given(FORMULAS, st.integers(-50, 50), st.integers(-50, 50))
def test_values(text: str, x: int, lane: int) -> None:
    """A formula's value is that of the same formula in Python."""
    names = {name: Node("value", value=name, kind="number") for name in ("x", "lane")}
    try:
        tree = resolve(parse(text), Names(names, {}, ()))
    except FormulaError:
        return
    value = evaluator(tree)({"x": x, "lane": lane})
    assert value == eval(text, {"x": x, "lane": lane, "max": max})


# -- what is refused ------------------------------------------------------------------------------

HOSTILE = {
    "9**9**9": "unexpected '**'",
    "9 // 2": "unexpected '//'",
    "9 / 2": "'/' is not allowed",
    "red.__class__": "'.' is not allowed",
    "red['x']": "'[' is not allowed",
    "[1, 2]": "'[' is not allowed",
    "red|list": "'|' is not allowed",
    "red ~ 1": "'~' is not allowed",
    "red is defined": "unexpected 'is'",
    "1 in red": "unexpected 'in'",
    "true": "unexpected 'true'",
    "lambda: 1": "':' is not allowed",
    "'x' * 999999": "found a mark in quotes",
    "1.5": "'.' is not allowed",
    "1234567": "'1234567' is no number",
    "007": "'007' is no number",
    "1 if 2 > 1": "'if' without 'else'",
    "1 +": "ends too soon",
    "sum(red": "ends too soon",
    "()": "unexpected ')'",
    "1 2": "unexpected '2'",
    "(" * 400 + "1" + ")": "words and signs",
    "(" * 90 + "1" + ")" * 90: "nested too deep",
    "sum(" * 60 + "red" + ")" * 60: "nested too deep",
    "not " * 60 + "1": "nested too deep",
    "1 if 1 else " * 30 + "1": "nested too deep",
    "-" * 30 + "1": "unexpected",
    "1+" * 240 + "1": "words and signs",
    "max(" + "1," * 110 + "1)": "words and signs",
    "x" * 600: "formula of 600 letters|allowed are at most 500",
    "5 % x0": "unknown name 'x0'",
    "5 % 0": "'%' without a number",
    "red + 1": "'+': found a track",
    "red": "found a track, wanted is a number",
    "1 < 2": "found a condition",
    "1 and 2": "'and': found a number",
    "(1 if red else 2)": "'if': found a track",
    "1 if 1 < 2 else 2 < 3": "give different things",
    "sum(1)": "sum(): found a number",
    "sum()": "takes 1",
    "marks(red, 'q')": "unknown mark 'q'",
    "top(red, red)": "takes 1",
    "lookup(nope, 1)": "unknown table 'nope'",
    "sheets(red == 1)": "unknown function 'sheets'",
    "summ(red)": "did you mean sum?",
    "sum(rde)": "did you mean red?",
    "exec('x')": "unknown function 'exec'",
    "__import__('os')": "unknown function '__import__'",
}


@pytest.mark.parametrize(("formula", "message"), HOSTILE.items(), ids=lambda text: text[:30])
def test_refused(formula: str, message: str) -> None:
    """What is no formula is a problem with its line, and takes no time."""
    quoted = '"' + formula.replace('"', '\\"') + '"'
    start = time.process_time()
    found = problems(
        "play: {tracks: {red: {numbers: 1..9, marks: {x: {}}}}}\n" + f"score:\n  total: {quoted}\n"
    )
    assert time.process_time() - start < 1
    assert found
    assert any(part in found[0] for part in message.split("|")), found
    assert found[0].startswith("small.yaml:11:10: ")


def test_numbers_cannot_run_away() -> None:
    """Scores of scores of scores stay bounded, however often they are multiplied."""
    lines = ["  s0: " + " * ".join(["sum(red)"] * 20)]
    lines += [f"  s{n}: " + " * ".join([f"s{n - 1}"] * 60) for n in range(1, 60)]
    lines.append("  total: s59")
    game = small("play: {tracks: {red: {numbers: 1..9}}}\nscore:\n" + "\n".join(lines) + "\n")
    start = time.process_time()
    judged = one(game, red=(10**4000, 9, -(10**4000), 7))
    assert time.process_time() - start < 1
    assert judged.scores["total"] == 10**12
    assert all(len(one.message) < 200 for one in judged.findings)
    assert len(judged.steps["total"]) < 2000


def test_long_sums() -> None:
    """A sum as long as a formula may be is worked out, and said, without trouble."""
    formula = "+".join(["1"] * 100)
    game = small(f"play: {{tracks: {{red: {{numbers: 1..9}}}}}}\nscore: {{total: {formula}}}\n")
    assert one(game).steps["total"] == "100"


def test_too_many_scores_and_rules() -> None:
    """Scores and rules of many lanes are bounded: a small file cannot ask for millions."""
    kinds = [
        f"k{k}: {{names: [{', '.join(f'l{k}_{n}' for n in range(60))}], numbers: 1}}"
        for k in range(60)
    ]
    each = ", ".join(f"k{k}" for k in range(60))
    rule = f"{{rule: x, each: [{each}], that: sum(lane) < 9, box: x, text: '{{sum(lane)}}'}}"
    text = (
        f"play: {{tracks: {{{', '.join(kinds)}}}, asserts: [{', '.join([rule] * 60)}]}}\nscore:\n"
    )
    text += "".join(
        f"  s{n}: {{each: [{each}], named: '{{lane}}_s{n}', formula: sum(lane)}}\n"
        for n in range(60)
    )
    start = time.process_time()
    found = problems(text)
    assert time.process_time() - start < 4
    assert any("more than 1000 scores" in problem for problem in found)
    assert any("more than 1000 rules" in problem for problem in found)


def test_chains_do_not_double() -> None:
    """A comparison with several signs inside another does not grow the JavaScript."""
    formula = "1"
    for _ in range(15):
        formula = f"1 if 0 < ({formula}) < 2 else 0"
    game = small(f"play: {{tracks: {{red: {{numbers: 1..9}}}}}}\nscore:\n  total: '{formula}'\n")
    assert len(script(game).formulas[0][1]) < 2500


def test_the_manuals_example() -> None:
    """The example of the manual is a variant's, and comes out as it says."""
    text = (ROOT / "docs" / "formulas.md").read_text().split("```")[1].removeprefix("yaml\n")
    setups = "setups: {standard: {title: Standard, players: 1-4, values: {rolls: 25}}}\n"
    assert not [*wrong(small(setups + text))]


def test_every_function_is_documented() -> None:
    """The manual lists every function."""
    manual = (ROOT / "docs" / "formulas.md").read_text()
    for name, function in FUNCTIONS.items():
        assert f"| `{name}(" in manual
        assert function.about in manual
