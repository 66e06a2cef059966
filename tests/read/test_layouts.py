"""Codes find the sheet they were printed on, however it was printed."""

from __future__ import annotations

import pytest

from sheetgen.catalogue import variants_of
from sheetgen.form_names import Identity
from sheetgen.model import Variant
from sheetgen.prepare import Choices, load, prepare
from sheetgen.read.form import code_of
from sheetgen.read.layouts import layouts_of


def code(variant: Variant, choices: Choices) -> str:
    """Return the code on a sheet printed as chosen."""
    ready = prepare(variant, choices)
    return code_of(variant, ready.name, ready.front)


def found(variant: Variant, choices: Choices) -> Identity:
    """Return what the code on a sheet printed as chosen leads to."""
    layout = layouts_of([variant]).find(code(variant, choices))
    assert layout is not None
    assert [box.rect for box in layout.scene.boxes] == [
        box.rect for box in prepare(variant, choices).front.boxes
    ]
    return layout.identity


def test_setups_are_told_apart() -> None:
    """Lost Dice for five players has another tally, so another code, than for two."""
    game = load("lostdice")[0]
    assert found(game, Choices(players=2)).setup == "standard"
    assert found(game, Choices(players=5)).setup == "group"


def test_an_option_is_found_again() -> None:
    """A pad printed with --set rounds=9 is read as such."""
    assert found(load("scorepad")[0], Choices(values={"rounds": 9})).values == (("rounds", 9),)


def test_languages_with_the_same_boxes_are_alike() -> None:
    """Where German and English boxes are the same, so is the code, and both are offered."""
    game = load("lostcities-rollwrite")[0]
    layouts = layouts_of([game])
    one = layouts.find(code(game, Choices(language="de")))
    assert one is not None
    twins = {(twin.identity.language, twin.identity.rules) for twin in layouts.alike(one)}
    assert twins == {("fr", True), ("de", True), ("en", False), ("fr", False), ("de", False)}
    assert layouts.alike(one) is layouts.alike(one)


def test_unknown_codes_find_nothing() -> None:
    """Another version's digest, another variant's letters, nonsense: nothing is guessed."""
    layouts = layouts_of([load("keldice")[0]])
    assert layouts.find("KD-AAAAAA") is None
    assert layouts.find(code(load("lostdice")[0], Choices())) is None
    assert layouts.find("") is None


@pytest.mark.parametrize(
    ("text", "names"),
    [("LD-KQXIN7", ["lostdice"]), ("LCL-ABCDEF", ["lostcities-long"]), ("XX-ABCDEF", [])],
)
def test_codes_name_their_variant(text: str, names: list[str]) -> None:
    """The letters before the dash are a variant's own."""
    assert variants_of(text) == names
