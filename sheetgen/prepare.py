"""From a variant and the user's choices to laid-out sheets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from sheetgen import checks, decode, library, symbols, theme
from sheetgen.errors import InputError, Problem, nearest
from sheetgen.layout import lay_out
from sheetgen.model import Sheet, Variant
from sheetgen.scene import Scene
from sheetgen.schema import shorten
from sheetgen.symbols import Symbol
from sheetgen.theme import Style

INKS = ("full", "low", "bw")


class Choices(NamedTuple):
    """What the user may choose about a sheet; ``None`` and ``""`` are the variant's default."""

    sheet: str = ""
    language: str = ""
    players: int | None = None
    ink: str = "full"
    rules: bool = True
    marks: bool = True
    back: bool = False
    theme: str = ""
    fonts: tuple[Path, ...] = ()
    values: Mapping[str, int] = {}


class Prepared(NamedTuple):
    """A sheet's two sides, ready to be placed and drawn."""

    name: str
    front: Scene
    back: Scene | None
    style: Style


def load(name: str) -> tuple[Variant, Path]:
    """Read a variant given by name or path. Raises :class:`InputError` with every problem."""
    path = library.find_variant(name)
    return decode.load(path), path


def prepare(variant: Variant, choices: Choices) -> Prepared:
    """Lay a sheet out as chosen. Raises :class:`InputError` with every problem found."""
    problems: list[Problem] = []
    name = _one_of(choices.sheet, list(variant.sheets), "sheet", problems)
    language = _one_of(choices.language, list(variant.languages), "language", problems)
    values = _values(variant, choices, problems)
    if problems:
        raise InputError(problems)
    style, known = looks(variant, choices)
    options: dict[str, Any] = {"language": language, "values": values}
    options |= {"rules": choices.rules, "marks": choices.marks}
    front = _lay_out(variant, variant.sheets[name], style, known, **options)
    back = None
    if choices.back:
        if variant.rules is None:
            found = f"{variant.id} has no rules for the back"
            raise InputError(variant.place.problem(found, "leave --duplex or --back away"))
        back = _lay_out(variant, variant.rules, style, known, **options)
    return Prepared(name, front, back, style)


def _lay_out(variant: Variant, sheet: Sheet, *looks: Any, **options: Any) -> Scene:
    """Lay a sheet out; a problem that knows no place of its own gets the sheet's."""
    try:
        return lay_out(variant, sheet, *looks, **options)
    except InputError as error:
        for problem in error.problems:
            if not problem.file:
                problem.file, problem.line, problem.column, problem.where = sheet.place
        raise


def looks(variant: Variant, choices: Choices) -> tuple[Style, dict[str, Symbol]]:
    """Return the style and the symbols. Raises :class:`InputError` for names that do not exist."""
    try:
        file = library.find_template(f"themes/{choices.theme or variant.theme}.yaml")
    except InputError as error:
        for problem in error.problems:
            if choices.theme:
                problem.where = "--theme"
            else:
                problem.file, problem.line, problem.column, problem.where = variant.theme.place
        raise
    look = theme.load(file)
    known = dict(variant.symbols or {})
    for path in library.find_all("symbols.yaml"):
        known = symbols.load(path) | known
    problems = checks.symbols(variant, known) + checks.inks(variant, look.colours)
    if problems:
        raise InputError(sorted(problems, key=lambda problem: (problem.line, problem.column)))
    return Style(look, choices.ink, choices.fonts), known


def setup_for(variant: Variant, players: int) -> str | None:
    """Return the name of the setup for a number of players."""
    for name, setup in (variant.setups or {}).items():
        if setup.players[0] <= players <= setup.players[1]:
            return name
    return None


def every_problem(variant: Variant) -> list[Problem]:
    """Lay out every sheet in every language and setup; return what does not fit."""
    problems: dict[Problem, None] = {}
    sheets: list[Sheet] = [*variant.sheets.values()]
    if variant.rules:
        sheets.append(variant.rules)
    try:
        style, known = looks(variant, Choices())
    except InputError as error:
        return list(error.problems)
    counts = {setup.players[0] for setup in (variant.setups or {}).values()} or {variant.players[0]}
    for players in sorted(counts | {variant.usual or variant.players[0]}):
        values = _values(variant, Choices(players=players), [])
        for language in variant.languages:
            for sheet in sheets:
                try:
                    _lay_out(variant, sheet, style, known, language=language, values=values)
                except InputError as error:
                    problems |= dict.fromkeys(error.problems)
    return sorted(problems, key=lambda problem: (problem.line, problem.column))


def _values(variant: Variant, choices: Choices, problems: list[Problem]) -> dict[str, int]:
    """Return the numbers that counts and templates know."""
    low, high = variant.players
    players = (variant.usual or low) if choices.players is None else choices.players
    if not low <= players <= high:
        allowed = f"{variant.id} is for {low}" + (f" to {high}" if high > low else "")
        problems.append(Problem(f"found {players}", allowed, where="--players"))
        return {}
    values = checks.values(variant, setup_for(variant, players))
    values["players"] = players
    options = variant.options or {}
    for name, value in choices.values.items():
        if name not in options:
            known = f"{variant.id} has {', '.join(options) or 'no options'}"
            near = nearest(name, options)
            found = f"unknown option {shorten(name)!r}"
            problems.append(Problem(found, known, where="--set", near=near))
        elif not options[name].low <= value <= options[name].high:
            allowed = f"{name} may be {options[name].low} to {options[name].high}"
            problems.append(Problem(f"found {value}", allowed, where="--set"))
        else:
            values[name] = value
    return values


def language_of(variant: Variant, choices: Choices) -> str:
    """Return the language to print in. Raises :class:`InputError` for one the variant lacks."""
    problems: list[Problem] = []
    language = _one_of(choices.language, list(variant.languages), "language", problems)
    if problems:
        raise InputError(problems)
    return language


def _one_of(wanted: str, known: Iterable[str], noun: str, problems: list[Problem]) -> str:
    names = [str(name) for name in known]
    if wanted and wanted not in names:
        found = f"unknown {noun} {shorten(wanted)!r}"
        option = {"sheet": "--sheet", "language": "--lang"}[noun]
        allowed = f"known are {', '.join(names)}"
        problems.append(Problem(found, allowed, where=option, near=nearest(wanted, names)))
    return wanted or names[0]
