"""A picture of filled-in sheets from one seed: printed, written on, photographed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from sheetgen.read.boxes import boxes_of, meanings
from sheetgen.read.names import names_of
from simulation import camera
from simulation.camera import LEVELS
from simulation.hands import Split, hands
from simulation.pages import Filled, Hand, Leaf, Look, Person, Printed, capacity, cut, page, printed
from simulation.truth import Picture, Value, Written

WRITTEN = ("tracks", "totals", "results", "matches")  # what numbers stand for; all else is ticked
SHAPES = ("jpeg", "png", "pdf", "one-bit", "dither")


def values(sheet: Printed, rng: np.random.Generator, share: float = 0.45) -> dict[str, Value]:
    """Return what might stand on a sheet, without regard to rules: a ``share`` of its boxes."""
    found: dict[str, Value] = {}
    play = sheet.variant.play
    known = meanings(boxes_of(sheet.variant, sheet.sheet, sheet.scene.boxes)) if play else {}
    ticked = {box for box, meaning in known.items() if meaning.group not in WRITTEN}
    marks = names_of(sheet.variant).tracks if play else {}
    for box in sheet.scene.boxes:
        if box.kind == "text" or rng.random() >= share:
            continue
        if box.kind == "tick" or box.id in ticked:
            found[box.id] = True
        elif box.kind == "score":
            found[box.id] = str(rng.integers(-60, 130))
        elif (
            (meaning := known.get(box.id))
            and meaning.group == "tracks"
            and marks[meaning.name]
            and rng.random() < 0.2
        ):
            found[box.id] = str(rng.choice(marks[meaning.name]))
        else:
            found[box.id] = str(rng.integers(0, 13 if rng.random() < 0.7 else 100))
    return found


OTHER_PEN = 0.12  # of sheets of one player: taken up again with another pen
TWO_PENS = 0.5  # of sheets that several players share


def together(
    sheet: Printed, wanted: Mapping[str, Value], people: Sequence[Person], rng: np.random.Generator
) -> Filled:
    """Return a sheet filled in by its players, or by one who changes pens, in a share of cases.

    Otherwise the first of the people, two or more, writes everything.
    """
    boxes = [box.id for box in sheet.scene.boxes]
    owners: dict[str, str] = {}
    if sheet.variant.play:
        known = meanings(boxes_of(sheet.variant, sheet.sheet, sheet.scene.boxes))
        owners = {box: one.part.owner for box, one in known.items() if one.part}
    names = list(dict.fromkeys(owners.values()))
    if len(names) > 1 and rng.random() < TWO_PENS:
        parts = [
            {box for box in boxes if owners.get(box, names[0]) in names[n :: len(people)]}
            for n in range(len(people))
        ]
    elif rng.random() < OTHER_PEN:
        at = int(rng.integers(len(boxes)))
        parts = [set(boxes[:at]), set(boxes[at:])]
    else:
        parts = [set(boxes)]
    done: dict[str, Written] = {}
    for person, part in zip(people, parts, strict=False):
        filled = person.fill(sheet, wanted, rng, part)
        sheet = sheet._replace(image=filled.image)
        done |= filled.boxes
    return Filled(sheet, sheet.image, {box: done[box] for box in boxes if box in done})


def write(
    look: Look,
    wanted: Mapping[str, Value] | None,
    hand: Hand,
    rng: np.random.Generator,
    faults: Sequence[str] = (),
) -> Filled:
    """Return a sheet, filled in by a person with this handwriting; at random if not told."""
    sheet = printed(look)
    if "toner" in faults:
        sheet = sheet._replace(image=camera.fade(sheet.image, rng))
    people = [Person(hand, rng), Person(someone(rng), rng)]
    return together(sheet, values(sheet, rng) if wanted is None else wanted, people, rng)


def take(
    leaf: Leaf,
    level: str,
    rng: np.random.Generator,
    *,
    faults: tuple[str, ...] = (),
    shape: str = "jpeg",
    quarter: int | None = None,
    name: str = "photo",
) -> Picture:
    """Photograph or scan a piece of paper, as a file."""
    how = LEVELS[level]
    shot = camera.shoot(leaf, how, rng, faults, quarter)
    ending = "jpg"
    if shape in ("one-bit", "dither"):
        data, ending = camera.one_bit(shot.image, rng, dither=shape == "dither"), "png"
    elif shape == "png":
        data, ending = camera.png(shot.image), "png"
    else:
        data = camera.jpeg(shot.image, how, rng)
        if shape == "pdf":
            data, ending = camera.pdf_of([data], shot.sheets[0].scale), "pdf"
    return Picture(data, f"{name}.{ending}", level, shot.sheets, faults)


def someone(rng: np.random.Generator, split: Split = "dev", data: Path | None = None) -> Hand:
    """Return one of the writers of a split; without ``data`` only drawn strokes are there."""
    writers = everyone(split, data)
    return writers[int(rng.integers(len(writers)))]


@lru_cache(maxsize=8)
def everyone(split: Split, data: Path | None) -> list[Hand]:
    """Return all writers of a split."""
    return list(hands(split, data))


def simulate(
    look: Look,
    level: str,
    seed: int,
    *,
    wanted: Mapping[str, Value] | None = None,
    hand: Hand | None = None,
    alone: bool | None = None,
    faults: tuple[str, ...] = (),
    shape: str = "jpeg",
    quarter: int | None = None,
) -> Picture:
    """Return one picture; all follows from the seed.

    ``alone`` photographs one cut sheet, otherwise a page with as many as it holds (by chance, if
    not told). ``level`` is one of :data:`camera.LEVELS`, ``faults`` of :data:`camera.FAULTS`,
    ``shape`` of :data:`SHAPES`.
    """
    rng = np.random.default_rng(seed)
    alone = bool(rng.random() < 0.5) if alone is None else alone
    hand = hand or someone(rng)
    count = 1 if alone else int(rng.integers(1, capacity(printed(look)) + 1))
    sheets = [write(look, wanted, hand, rng, faults) for _ in range(count)]
    leaf = cut(sheets[0], rng) if alone else page(sheets)
    return take(leaf, level, rng, faults=faults, shape=shape, quarter=quarter)
