"""The pictures that each quantity of the frozen test takes, one trial each, and what came of them.

A trial follows from its group, its number and the seed alone, so that a run may be interrupted,
shared among processes, or repeated in part.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np

from sheetgen.checking import Checked, Checker
from simulation import play, strangers
from simulation.camera import FAULTS
from simulation.hands import Split
from simulation.pages import (
    DENSITY,
    Filled,
    Leaf,
    Look,
    Person,
    Printed,
    capacity,
    cut,
    page,
    printed,
)
from simulation.studio import someone, take, together, values
from simulation.truth import Picture
from simulation.verdict import Compared, compare

COUNTS = {
    "good": 480, "medium": 260, "hard": 160, "missing": 200, "numbers": 260, "foreign": 200,
    "planted": 1000, "faults": 240, "unseen": 100, "low": 100, "strangers": 10_000,
}  # fmt: skip
# Sheets with boxes to tick, the ones with many of them more often.
TICKED = (
    Look("lostdice"), Look("lostdice", "tick"), Look("lostdice", "tick"), Look("keldice"),
    Look("lostcities"), Look("lostcities", "tick"), Look("lostcities", "tick"),
    Look("lostcities-long"), Look("lostcities-rollwrite"),
)  # fmt: skip
EVERY = (
    Look("lostdice"), Look("lostdice", "tick"), Look("keldice"), Look("lostcities"),
    Look("lostcities", "tick"), Look("lostcities-long"), Look("lostcities-rollwrite"),
    Look("scorepad"), Look("yacht"),
)  # fmt: skip
WRITTEN = (
    Look("lostdice"), Look("keldice"), Look("lostcities"), Look("lostcities-long"),
    Look("lostcities-rollwrite"), Look("scorepad"), Look("yacht"),
)  # fmt: skip
HARMLESS = {  # how often it happens to paper that people expect to be read
    "scaled": 0.25, "letter": 0.05, "fold": 0.03, "toner": 0.03, "streak": 0.03, "photocopy": 0.04,
}  # fmt: skip
ON_SCANS = ("streak", "photocopy")

Row = dict[str, Any]


class Trial(NamedTuple):
    """One picture of a group, by number."""

    group: str
    number: int


def trials(share: float, groups: tuple[str, ...] = tuple(COUNTS)) -> list[Trial]:
    """Return a share of all trials, groups mixed so that a run cut short has some of each."""
    found = []
    for group in groups:
        count = max(1, round(COUNTS[group] * share))
        found += [(n / count, Trial(group, n)) for n in range(count)]
    return [trial for _, trial in sorted(found)]


def run(trial: Trial, seed: int, data: Path | None) -> Row:
    """Make the picture of a trial, read it, and say what came of it, in plain numbers."""
    groups = list(COUNTS)
    rng = np.random.default_rng([seed, groups.index(trial.group), trial.number])
    picture, faults = _MAKERS[trial.group](trial.number, rng, data)
    start = time.process_time()
    checked = _checker().check_bytes(picture.data, picture.name)
    took = time.process_time() - start
    row: Row = {
        "group": trial.group,
        "number": trial.number,
        "level": picture.level,
        "faults": list(picture.faults),
        "sheets": len(picture.sheets),
        "seconds": round(took, 4),
        "reasons": [problem.found for problem in checked.problems],
    }
    if trial.group == "strangers":
        row["accepted"] = bool(checked.scans)
        return row
    result = compare(picture, checked)
    row |= {"read": result.read, "lost": result.lost, "false": result.false}
    row["clean"] = result.clean
    row["look"] = f"{picture.sheets[0].variant} {picture.sheets[0].sheet}"
    row["tally"] = _tally(result)
    row["wrong"] = [
        [one.box, one.truth.kind, str(one.truth.value), str(one.read)]
        for one in result.verdicts
        if one.silent
    ]
    if trial.group == "planted":
        row["planted"] = planted(faults, checked)
    return row


def _tally(result: Compared) -> dict[str, list[int]]:
    """Return boxes, silent errors, flagged ones, and wrong ones in all, by what and kind."""
    found: dict[str, list[int]] = {}
    for one in result.verdicts:
        counts = found.setdefault(f"{one.what} {one.truth.kind}", [0, 0, 0, 0])
        counts[0] += 1
        counts[1] += one.silent
        counts[2] += bool(one.doubt)
        counts[3] += not one.right
    return found


@lru_cache(maxsize=1)
def _checker() -> Checker:
    return Checker()


# -- what is photographed -------------------------------------------------------------------------

Made = tuple[Picture, frozenset[play.Fault]]


def _look(looks: tuple[Look, ...], rng: np.random.Generator) -> Look:
    """Return a sheet as somebody prints it."""
    look = looks[int(rng.integers(len(looks)))]
    ink = str(rng.choice(["full", "low", "bw"], p=[0.6, 0.2, 0.2]))
    language = str(rng.choice(["en", "fr", "de"], p=[0.6, 0.2, 0.2]))
    return look._replace(ink=ink, language=language)


def _faded(sheet: Printed, faults: tuple[str, ...], rng: np.random.Generator) -> Printed:
    from simulation.camera import fade

    return sheet._replace(image=fade(sheet.image, rng)) if "toner" in faults else sheet


def _random(
    looks: tuple[Look, ...],
    level: str,
    rng: np.random.Generator,
    data: Path | None,
    faults: tuple[str, ...] = (),
    *,
    single: bool = False,
    unseen: float = 0.0,
) -> Picture:
    """Return sheets filled in without regard to rules, by one person each or by two."""
    look = _look(looks, rng)
    sheet = _faded(printed(look), faults, rng)
    alone = single or rng.random() < 0.5
    count = 1 if alone else int(rng.integers(1, capacity(sheet) + 1))
    filled = []
    for _ in range(count):
        people = [Person(someone(rng, "test", data), rng, unseen) for _ in range(2)]
        filled.append(together(sheet, values(sheet, rng), people, rng))
    leaf = cut(filled[0], rng) if alone else page(filled)
    # A PDF's page is drawn anew, in a resolution that is the reader's choice.
    shapes = ["jpeg", "png", "pdf" if alone else "jpeg"]
    shape = str(rng.choice(shapes, p=[0.8, 0.1, 0.1])) if level == "scan" else "jpeg"
    return take(leaf, level, rng, faults=faults, shape=shape)


def _harmless(level: str, rng: np.random.Generator) -> tuple[str, ...]:
    return tuple(
        fault
        for fault, chance in HARMLESS.items()
        if rng.random() < chance and (level == "scan" or fault not in ON_SCANS)
    )


def _good(number: int, rng: np.random.Generator, data: Path | None) -> Made:
    level = ("scan", "mild")[number % 2]
    return _random(TICKED, level, rng, data, _harmless(level, rng)), frozenset()


def _medium(number: int, rng: np.random.Generator, data: Path | None) -> Made:
    return _random(TICKED, "medium", rng, data, _harmless("medium", rng)), frozenset()


def _hard(number: int, rng: np.random.Generator, data: Path | None) -> Made:
    return _random(TICKED, "hard", rng, data), frozenset()


def _low(number: int, rng: np.random.Generator, data: Path | None) -> Made:
    return _random(EVERY, "low", rng, data, _harmless("scan", rng)), frozenset()


def _missing(number: int, rng: np.random.Generator, data: Path | None) -> Made:
    fault = ("ear1", "cover1")[number % 2]
    return _random(EVERY, "scan", rng, data, (fault,), single=True), frozenset()


def _unseen(number: int, rng: np.random.Generator, data: Path | None) -> Made:
    return _random(TICKED, ("scan", "mild")[number % 2], rng, data, unseen=0.4), frozenset()


def _each_fault(number: int, rng: np.random.Generator, data: Path | None) -> Made:
    fault = FAULTS[number % len(FAULTS)]
    level = "scan" if fault in ON_SCANS else "mild"
    return _random(EVERY, level, rng, data, (fault,), single=True), frozenset()


def _by_rules(split: Split) -> Callable[[int, np.random.Generator, Path | None], Made]:
    """Return what makes a picture of a legal sheet by one of a split's writers."""

    def make(number: int, rng: np.random.Generator, data: Path | None) -> Made:
        if split == "foreign" and data is None:
            raise ValueError("the foreign writers are in the data alone")
        look = _look(WRITTEN, rng)
        people = [Person(someone(rng, split, data), rng) for _ in range(2)]
        filled = together(printed(look), play.legal(look, rng), people, rng)
        level = ("scan", "mild")[number % 2]
        return take(cut(filled, rng), level, rng), frozenset()

    return make


def _planted(number: int, rng: np.random.Generator, data: Path | None) -> Made:
    look = _look(EVERY, rng)._replace(language="")
    wrong = play.planted(look, rng)
    people = [Person(someone(rng, "test", data), rng) for _ in range(2)]
    filled = together(printed(look), wrong.values, people, rng)
    level = ("scan", "mild")[number % 2]
    # What is scribbled out or crossed out again is another sheet than the one that was planned.
    stands = {box: one.value for box, one in filled.boxes.items() if one.value}
    return take(cut(filled, rng), level, rng), play.faults(play.report_of(look, [stands]))


def planted(faults: frozenset[play.Fault], checked: Checked) -> list[int]:
    """Return how many faults there were, and how many were reported, doubted, refused, lost."""
    if checked.report is None or not checked.scans:
        return [len(faults), 0, 0, len(faults), 0]
    found = play.faults(checked.report)
    doubted = {_base(doubt.name.removeprefix("written.")) for doubt in checked.doubts}
    doubted |= {_base(doubt.box) for doubt in checked.doubts}
    reported = unsure = lost = 0
    for fault in faults:
        _, box, rule = fault
        if fault in found or any((box, rule) == one[1:] for one in found):
            reported += 1
        elif _base(box) in doubted or (rule == "written" and checked.doubts):
            # What a result should be depends on every box: a doubt about one is one about it.
            unsure += 1
        else:
            lost += 1
    return [len(faults), reported, unsure, 0, lost]


def _base(box: str) -> str:
    return box.rstrip("0123456789").rstrip("_.")


# -- strangers ------------------------------------------------------------------------------------

BASES = 72  # drawings of strangers, each photographed many times
SMALL = 8.0  # px per mm: thousands of pictures must be quick to make


@lru_cache(maxsize=BASES)
def _stranger(number: int) -> tuple[str, Any]:
    """Return what it is, and its picture of :data:`SMALL`."""
    rng = np.random.default_rng([77, number])
    look = EVERY[number % len(EVERY)]
    kinds = [*["version"] * 4, *["swapped"] * 2, "back", *strangers.DRAWN]
    kind = kinds[number % len(kinds)]
    if kind in ("version", "swapped"):
        if kind == "version":
            image = strangers.other_version(look, rng)
        else:
            others = [one for one in EVERY if one != look]
            near = [one for one in others if one.variant == look.variant]
            # The other sheet of the same game is the most alike, if there is one.
            others = near if near and rng.random() < 0.7 else others
            image = strangers.swapped(look, others[int(rng.integers(len(others)))])
        sheet = printed(look)._replace(image=image)
        image = Person(someone(rng), rng).fill(sheet, values(sheet, rng), rng).image
    elif kind == "back":
        image = strangers.back(look)
    else:
        image = strangers.DRAWN[kind](rng)
    share = SMALL / DENSITY
    return kind, cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)


def _strangers(number: int, rng: np.random.Generator, data: Path | None) -> Made:
    kind, image = _stranger(int(rng.integers(BASES)))
    # Where on the paper a sheet lies does not matter: none must be found.
    nobody = Filled(printed(EVERY[0]), image, {})
    level = str(rng.choice(["coarse", "mild", "low"], p=[0.5, 0.4, 0.1]))
    picture = take(Leaf(image, ((nobody, 0.0, 0.0),), SMALL), level, rng)
    return picture._replace(sheets=(), faults=(kind,)), frozenset()


_MAKERS: dict[str, Callable[[int, np.random.Generator, Path | None], Made]] = {
    "good": _good,
    "medium": _medium,
    "hard": _hard,
    "low": _low,
    "missing": _missing,
    "numbers": _by_rules("test"),
    "foreign": _by_rules("foreign"),
    "planted": _planted,
    "faults": _each_fault,
    "unseen": _unseen,
    "strangers": _strangers,
}
