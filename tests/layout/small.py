"""Small games for tests of one element at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laid import style, symbols

from sheetgen import decode
from sheetgen.errors import InputError, Problem
from sheetgen.geometry import Rect
from sheetgen.layout import SHAPES, lay_out
from sheetgen.layout.job import Job
from sheetgen.model import Variant
from sheetgen.scene import Scene
from sheetgen.schema import Place
from sheetgen.source import parse

HERE = Place("game.yaml", 3, 5, "sheets.score")
HEAD = """
id: game
code: GM
title: {title}
summary: A game.
languages: [en]
source: None.
players: 1-4
colours:
  red: {{name: red, letter: R, symbol: flame, ink: red}}
  blue: {{name: blue, letter: B, symbol: waves, ink: blue}}
tables:
  worth: [0, -5, -10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110]
sheets:
  score:
    title: Score
    size: {size}
    body:
"""


def game(body: str, *, size: str = "105x148", title: str = "Game") -> Variant:
    """Return a game whose one sheet has these elements, given as YAML lists."""
    lines = "\n".join("      " + line for line in body.strip("\n").split("\n"))
    text = HEAD.format(size=size, title=title) + lines + "\n"
    return decode.decode(parse(text.encode(), "game.yaml"), "game.yaml")


def scene(body: str, *, size: str = "105x148", title: str = "Game", rules: bool = True) -> Scene:
    """Lay a small game's sheet out."""
    found = game(body, size=size, title=title)
    return lay_out(
        found,
        found.sheets["score"],
        style("expedition", "full"),
        symbols(),
        language="en",
        values={"players": 2},
        rules=rules,
    )


def problems(body: str, *, size: str = "105x148", title: str = "Game") -> list[Problem]:
    """Return why a small game cannot be laid out."""
    try:
        scene(body, size=size, title=title)
    except InputError as error:
        return list(error.problems)
    return []


def job(values: Mapping[str, Any] | None = None) -> Job:
    """Return an empty job of a small game."""
    return Job(
        game("- text: Words"),
        style("expedition", "full"),
        SHAPES,
        symbols(),
        language="en",
        values=values or {},
        rules=True,
        content=Rect(7, 7, 91, 134),
    )
