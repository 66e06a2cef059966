"""From a variant and the user's choices to laid-out sheets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from sheetgen import checks, decode, icons, library, theme
from sheetgen.errors import InputError, Problem, nearest
from sheetgen.layout import lay_out
from sheetgen.model import Sheet, Variant
from sheetgen.scene import Scene
from sheetgen.theme import Style

INKS = ("full", "low", "bw")


class Choices(NamedTuple):
    """What the user may choose about a sheet; ``None`` and ``""`` stand for the variant's default."""

    sheet: str = ""
    language: str = ""
    players: int | None = None
    ink: str = "full"
    rules: bool = True
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
    style, symbols = looks(variant, choices)
    options = {"language": language, "values": values, "rules": choices.rules}
    front = lay_out(variant, variant.sheets[name], style, symbols, **options)  # type: ignore[arg-type]
    back = None
    if choices.back:
        if variant.rules is None:
            found = f"{variant.id} has no rules for the back"
            raise InputError(variant.place.problem(found, "print it without --duplex"))
        back = lay_out(variant, variant.rules, style, symbols, **options)  # type: ignore[arg-type]
    return Prepared(name, front, back, style)


def looks(variant: Variant, choices: Choices) -> tuple[Style, dict[str, icons.Symbol]]:
    """Return the style and the symbols. Raises :class:`InputError` for names that do not exist."""
    look = theme.load(library.find_template(f"themes/{choices.theme or variant.theme}.yaml"))
    symbols = icons.load(library.find_template("symbols.yaml"))
    problems = checks.symbols(variant, symbols) + checks.inks(variant, look.colours)
    if problems:
        raise InputError(problems)
    return Style(look, choices.ink, choices.fonts), symbols


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
        style, symbols = looks(variant, Choices())
    except InputError as error:
        return list(error.problems)
    counts = {setup.players[0] for setup in (variant.setups or {}).values()} or {variant.players[0]}
    for players in sorted(counts | {variant.usual or variant.players[0]}):
        values = _values(variant, Choices(players=players), [])
        for language in variant.languages:
            for sheet in sheets:
                try:
                    lay_out(variant, sheet, style, symbols, language=language, values=values)
                except InputError as error:
                    problems |= dict.fromkeys(error.problems)
    return sorted(problems, key=lambda problem: (problem.line, problem.column))


def _values(variant: Variant, choices: Choices, problems: list[Problem]) -> dict[str, int]:
    """Return the numbers that counts and templates know."""
    low, high = variant.players
    players = choices.players or variant.usual or low
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
            problems.append(Problem(f"unknown option {name!r}", known, where="--set", near=near))
        elif not options[name].low <= value <= options[name].high:
            allowed = f"{name} may be {options[name].low} to {options[name].high}"
            problems.append(Problem(f"found {value}", allowed, where="--set"))
        else:
            values[name] = value
    return values


def _one_of(wanted: str, known: Iterable[str], noun: str, problems: list[Problem]) -> str:
    names = [str(name) for name in known]
    if wanted and wanted not in names:
        found = f"unknown {noun} {wanted!r}"
        option = {"sheet": "--sheet", "language": "--lang"}[noun]
        allowed = f"known are {', '.join(names)}"
        problems.append(Problem(found, allowed, where=option, near=nearest(wanted, names)))
    return wanted or names[0]
