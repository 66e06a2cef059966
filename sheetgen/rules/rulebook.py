"""The rules and scores of a variant, read once and ready to be asked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from itertools import islice
from typing import Any, NamedTuple

from sheetgen.errors import Problem
from sheetgen.model import Variant
from sheetgen.model_play import Assert, Play, kinds, lanes
from sheetgen.rules.compiled import Evaluator, State, evaluator
from sheetgen.rules.findings import Finding
from sheetgen.rules.formula import FormulaError, Node, parse
from sheetgen.rules.meaning import Formula, Names, Scope, formulas, resolve, uses, wanted
from sheetgen.rules.steps import Teller, teller
from sheetgen.rules.tracks import TrackRule
from sheetgen.schema import Name
from sheetgen.survey import place_of

_INSERTION = re.compile(r"\{([^{}]*)\}")
TOTAL = "total"
MOST = 1000  # scores of a sheet, and rules of a sheet or of a round


class Score(NamedTuple):
    """A score and how it is worked out."""

    name: str
    working: bool
    tree: Node
    run: Evaluator


class Rule(NamedTuple):
    """Something that must hold, for one lane or for none, with its words by language."""

    rule: str
    severity: Any
    boxes: tuple[str, ...]
    holds: Evaluator
    words: Mapping[str, Sequence[str | Evaluator]]

    def findings(self, state: State, language: str) -> Iterator[Finding]:
        """Yield a finding for every box if the rule does not hold."""
        if self.holds(state):
            return
        words = self.words.get(language) or self.words.get("") or next(iter(self.words.values()))
        said = "".join(
            one if isinstance(one, str) else str(one(state)).replace("-", "−") for one in words
        )
        for box in self.boxes:
            yield Finding(box, self.rule, self.severity, said)


class Rulebook:
    """What a variant allows and what it scores; ``problems`` says what is wrong with its file."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.problems: list[Problem] = []
        play = variant.play or Play()
        self.kinds = kinds(play)
        self.tracks = {
            str(name): TrackRule.of(str(name), track)
            for kind, track in (play.tracks or {}).items()
            for name in track.names or (kind,)
        }
        self.counts = {str(name): one.most for name, one in (play.counts or {}).items()}
        self.flags = [name for name, kind in self.kinds.items() if kind == "flag"]
        self.sets = {
            str(name): (frozenset(lanes(play, one.of)), str(one.box))
            for name, one in (play.sets or {}).items()
        }
        self.scope = Scope(variant)
        self.order: list[Score] = []  # as they depend on each other
        self.names: list[str] = []  # as they are reported
        self.shown: set[str] = set()
        self._found: dict[str, Score] = {}
        self._tellers: dict[str, Teller] = {}
        self._asserted: list[Node] = []
        self._scores()
        self.asserts = [*self._rules(play.asserts, whole=False)]
        match = variant.match
        self.unique = [*lanes(play, match.unique)] if match else []
        self.round_asserts = [*self._rules(match.asserts if match else (), whole=True)]
        self.needed = self._needed()

    # -- scores -----------------------------------------------------------------------------------

    def _scores(self) -> None:
        found: dict[str, Score] = {}
        for formula in islice(formulas(self.variant), MOST + 1):
            if len(found) == MOST:
                self._wrong(formula, f"more than {MOST} scores", "each lane has its own")
                break
            if formula.name in found:
                self._wrong(formula, f"two scores of the name {formula.name!r}", "use named:")
                continue
            score = (self.variant.score or {})[formula.key]
            tree = self._tree(score.formula, formula.lane, "number")
            found[formula.name] = Score(formula.name, score.working, tree, evaluator(tree))
        graph = {name: dict.fromkeys(uses(score.tree)) for name, score in found.items()}
        try:
            self.order = [found[name] for name in TopologicalSorter(graph).static_order()]
        except CycleError as error:
            names = " → ".join(error.args[1])
            place = self.variant.at("score")
            self.problems.append(place.problem(f"scores that need each other: {names}"))
        self.names = sorted(found, key=lambda name: name == TOTAL)
        self.shown = {name for name, score in found.items() if not score.working}
        self._found = found

    def teller(self, name: str) -> Teller:
        """Return what says how a score comes about, made when it is first asked for."""
        if name not in self._tellers:
            self._tellers[name] = teller(name, self._found[name].tree)
        return self._tellers[name]

    def _needed(self) -> list[Score]:
        """Return the scores that every sheet needs; others are worked out for what is written."""
        needed = set(self.shown)
        for one in self._asserted:
            needed |= set(uses(one))
        for score in reversed(self.order):
            if score.name in needed:
                needed |= set(uses(score.tree))
        return [score for score in self.order if score.name in needed]

    def _wrong(self, formula: Formula, found: str, allowed: str) -> None:
        (key,) = (key for key in self.variant.score or {} if key == formula.key)
        self.problems.append(place_of(key).problem(found, allowed))

    def _tree(self, text: Name | str, lane: str, kind: str, *, whole: bool = False) -> Node:
        """Return the resolved tree of a formula, or of 0 if something is wrong with it."""
        scope = self.scope
        sheet = scope.names(lane)
        names = scope.names(lane, scores=False) if whole else sheet
        known = Names(names, scope.tables, scope.marks, sheet if whole else None)
        try:
            return wanted(kind, resolve(parse(text), known))
        except FormulaError as error:
            found = f"formula: {error.found}"
            self.problems.append(place_of(text).problem(found, error.allowed, error.near))
            return Node("number", value=0, kind=kind)

    # -- rules ------------------------------------------------------------------------------------

    def _rules(self, asserts: Sequence[Assert], *, whole: bool) -> Iterator[Rule]:
        rules = 0
        for one in asserts:
            for lane in lanes(self.variant.play or Play(), one.each) if one.each else ("",):
                rules += 1
                if rules > MOST:
                    found = f"more than {MOST} rules"
                    self.problems.append(one.place.problem(found, "each lane has its own"))
                    return
                words = {code: self._words(one, code, lane, whole=whole) for code in one.text.words}
                boxes = tuple(str(box).replace("{lane}", lane) for box in one.box)
                tree = self._tree(one.that, lane, "truth", whole=whole)
                self._asserted.append(tree)
                yield Rule(str(one.rule), one.severity, boxes, evaluator(tree), words)

    def _words(
        self, one: Assert, code: str, lane: str, *, whole: bool
    ) -> Sequence[str | Evaluator]:
        """Return a text as words and formulas."""
        text = one.text.words[code]
        parts: list[str | Evaluator] = []
        for index, part in enumerate(_INSERTION.split(text)):
            if index % 2 == 0:
                parts.append(part)
            elif part == "lane":
                colour = (self.variant.colours or {}).get(lane)
                parts.append(colour.name.plain(code) if colour else lane)
            else:
                formula = Name(part, place_of(text))
                tree = self._tree(formula, lane, "number", whole=whole)
                self._asserted.append(tree)
                parts.append(evaluator(tree))
        return parts


@lru_cache(maxsize=16)
def rulebook(variant: Variant) -> Rulebook:
    """Return the rulebook of a variant, made once."""
    return Rulebook(variant)
