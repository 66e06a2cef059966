"""Data files to fill in: they name everything and hold nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from sheetgen import decode, library
from sheetgen.errors import InputError
from sheetgen.read.blank import FORMATS, blank
from sheetgen.read.data import read_data
from sheetgen.read.names import names_of

TRAIL = decode.load(Path(__file__).parent / "trail.yaml")
BUNDLED = [path.stem for path in Path("variants").glob("*.yaml")]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_variants(name: str, form: str) -> None:
    """What is written for a variant reads back as empty, for its fewest and most players."""
    variant = decode.load(library.find_variant(name))
    rounds = names_of(variant).rounds if names_of(variant).needs_round else 1
    for players in variant.players:
        text = blank(variant, players=players, form=form)
        match = read_data(text.encode(), f"f.{form}")
        assert match.variant == name
        assert len(match.sheets) == players * rounds
        for sheet in match.sheets:
            assert not any(sheet[2:-1])
        setups = variant.setups or {}
        assert not setups or setups[match.setup].players[0] <= players


def test_yaml_explains_itself() -> None:
    """Each kind of name is explained once, in the first sheet."""
    lines = blank(TRAIL, name="my trail.yaml", players=1, form="yaml").splitlines()
    assert lines[3:19] == [
        'variant: "my trail.yaml"',
        "setup: few                 # known are few, many",
        "sheets:",
        "  - player: A              # the name",
        "    round: 1",
        "    entries:",
        "      red: []              # numbers and $ in the order of writing: [$, 3, 5, 8]",
        "      blue: []",
        "      six:                 # a number",
        "      stones: 0            # how many",
        "      red_double: false    # true if it is marked",
        "      blue_double: false",
        "      last: false",
        "      bridges: []          # which of red, blue",
        "      # or by totals alone, red: {sum: 1, wagers: 1, cards: 1}",
        "    written:               # what stands on the paper as results",
    ]
    assert not any("#" in line for line in lines[22:])


def test_names_of_many_players() -> None:
    """Players have letters for names, and it says so if a game is not for so many."""
    text = blank(TRAIL, players=4, form="csv")
    assert [line for line in text.splitlines() if ",six," in line][3] == "D,1,six,,"
    with pytest.raises(InputError) as caught:
        blank(TRAIL, players=5, form="csv")
    assert str(caught.value) == "--players: found 5, trail is for 1 to 4"


def test_a_variant_without_play() -> None:
    """A variant that does not say how it is played has no data files."""
    variant = decode.load(Path(__file__).parent.parent / "cases" / "plain.yaml")
    with pytest.raises(InputError) as caught:
        blank(variant, form="yaml")
    assert "plain does not say how it is played, so its sheets cannot be read" in str(caught.value)
