"""The list of variants, the description of one, and the faces of the shipped dice."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest

from sheetgen import library
from sheetgen.catalogue import catalogue, describe
from sheetgen.decode import load
from sheetgen.nodes import Mapping, Node, Scalar, Sequence
from sheetgen.source import read

VARIANTS = Path(__file__).parent.parent / "variants"


def described(name: str) -> list[str]:
    """Return the description of a bundled variant."""
    path = VARIANTS / f"{name}.yaml"
    return describe(load(path), path)


class TestCatalogue:
    """The list says of every variant what is needed to print it."""

    def test_bundled(self) -> None:
        """Every bundled variant is listed with all that it offers, as its file says it."""
        entries = {entry["name"]: entry for entry in catalogue()}
        for path in VARIANTS.glob("*.yaml"):
            variant, entry = load(path), entries[path.stem]
            first = variant.languages[0]
            assert entry["error"] is None
            assert Path(entry["path"]).samefile(path)
            assert entry["title"] == variant.title.plain(first)
            assert entry["summary"] == variant.summary.plain(first)
            assert entry["languages"] == [*variant.languages]
            for key in ("sheets", "setups", "dice", "options"):
                assert entry[key] == [*(getattr(variant, key) or {})]

    def test_broken(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        """A file that cannot be read is listed with its first problem; others are not harmed."""
        monkeypatch.chdir(tmp_path)
        (tmp_path / "variants").mkdir()
        (tmp_path / "variants" / "mine.yaml").write_text("title: [\n", "utf-8")
        entries = {entry["name"]: entry for entry in catalogue()}
        assert entries["mine"]["error"].startswith("variants/mine.yaml:1:8: '['")
        assert entries["mine"]["title"] == ""
        assert entries["lostdice"]["error"] is None

    @pytest.mark.parametrize(
        "text",
        ["title: [a]\nsheets: x\nlanguages: en\n", "title: {}\nplayers: {a: b}\n", "x: y\n"],
    )
    def test_odd(self, text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        """A file with other contents than a variant's is listed with what can be told."""
        path = tmp_path / "odd.yaml"
        path.write_text(text, "utf-8")
        monkeypatch.setattr("sheetgen.catalogue.variants", lambda: {"odd": path})
        (entry,) = catalogue()
        assert (entry["name"], entry["title"], entry["sheets"]) == ("odd", "", [])
        assert entry["languages"] == []


class TestDescribe:
    """The description names what the options of the command line choose from."""

    def test_lostdice(self) -> None:
        """Setups, dice and sources are told, faces with the letters of their colours."""
        lines = described("lostdice")
        assert lines[0] == "Lost Dice (lostdice)"
        assert "  players    1 to 8" in lines
        assert "  languages  en, fr, de" in lines
        assert "  group      3 to 8 players: rolls 20" in lines
        assert "  one        d6: $ 5W 4G 1R 3B 2Y" in lines
        assert "  back       rules, with --duplex" in lines

    def test_options(self) -> None:
        """Options are told with their range and what they usually are."""
        assert any("1 to 18, usually 15" in line for line in described("scorepad"))

    @pytest.mark.parametrize("name", library.variants())
    def test_every_sheet(self, name: str) -> None:
        """Every sheet is told with its size."""
        variant = load(VARIANTS / f"{name}.yaml")
        lines = described(name)
        for sheet in variant.sheets:
            assert any(line.split()[:1] == [sheet] and line.endswith(" mm") for line in lines)


# -- the dice that are shipped, read as data ------------------------------------------------------


class Face(NamedTuple):
    """What a file says of a face, as typed; nothing where it says nothing."""

    value: str
    colour: str
    bonus: str

    def __str__(self) -> str:
        """Return the value, the colour's letter (K for the black face) and the bonus."""
        return f"{self.value}{self.colour[:1].upper() or 'K'} {self.bonus}".strip()


def dice(name: str) -> list[list[Face]]:
    """Return the faces of a variant's dice."""
    top = read(VARIANTS / f"{name}.yaml").get("dice")
    assert isinstance(top, Mapping)
    found = []
    for _, die in top.entries:
        assert isinstance(die, Mapping)
        assert text(die, "kind") == "d6"
        faces = die.get("faces")
        assert isinstance(faces, Sequence)
        found.append([Face(*(text(face, key) for key in Face._fields)) for face in faces.items])
    return found


def text(node: Node, key: str) -> str:
    """Return the text of a key, nothing if it is not given."""
    value = node.get(key) if isinstance(node, Mapping) else None
    return value.value if isinstance(value, Scalar) else ""


def readings(throw: tuple[Face, ...]) -> set[tuple[str, int, str]]:
    """Return what a throw may be read as: colour, number (0 for an investment) and bonus.

    One die names the colour, the values of the others add up; a bonus is won if both show it. A
    black face and a ``$`` are any colour, and a ``$`` among the values is an investment.
    """
    results = set()
    for colour in throw:
        one, two = (face for face in throw if face is not colour)
        number = 0 if "$" in (one.value, two.value) else int(one.value) + int(two.value)
        bonus = one.bonus if one.bonus == two.bonus else ""
        results.add((colour.colour or "any", number, bonus))
    return results


def may_be(name: str, values: str, wanted: set[tuple[str, int, str]]) -> bool:
    """Tell whether some throw with these values, one of each die, reads exactly as wanted."""
    return any(
        readings(throw) == wanted
        for throw in product(*dice(name))
        if sorted(face.value for face in throw) == sorted(values.split())
    )


class TestLostDice:
    """The faces of Lost Dice are the source's, and satisfy its examples."""

    def test_faces(self) -> None:
        """Each die has the source's values in its order, each in its colour, and a black face."""
        assert [" ".join(map(str, die)) for die in dice("lostdice")] == [
            "$K 5W 4G 1R 3B 2Y",
            "5K 4G 3B 2Y 1R 5W",
            "1K 1R 2Y 5W 4G 3B",
        ]

    @pytest.mark.parametrize(
        ("values", "wanted"),
        [
            ("2 4 5", {("yellow", 9, ""), ("green", 7, ""), ("white", 6, "")}),
            ("1 3 5", {("red", 8, ""), ("blue", 6, ""), ("any", 4, "")}),
            ("2 3 $", {("yellow", 0, ""), ("blue", 0, ""), ("any", 5, "")}),
        ],
    )
    def test_example(self, values: str, wanted: set[tuple[str, int, str]]) -> None:
        """Each worked example is a possible throw, and reads as the source reads it."""
        assert may_be("lostdice", values, wanted)

    @pytest.mark.parametrize(
        ("values", "wanted"),
        [
            ("2 4 5", {("yellow", 9, ""), ("white", 7, ""), ("green", 6, "")}),
            ("2 4 3", {("any", 7, ""), ("green", 5, ""), ("blue", 6, "")}),
        ],
    )
    def test_no_example(self, values: str, wanted: set[tuple[str, int, str]]) -> None:
        """Other readings are not possible, so that the examples prove something."""
        assert not may_be("lostdice", values, wanted)


class TestKeldice:
    """The faces of Keldice are the table's, and satisfy its example."""

    def test_faces(self) -> None:
        """Each die has the five colours and a black face, with the bonuses of the table."""
        assert [", ".join(map(str, die)) for die in dice("keldice")] == [
            "1Y star, 2G again, 3W again, 4R spiral, 5B star, 2K spiral",
            "1Y star, 2G spiral, 3W again, 4R spiral, 5B star, 3K again",
            "1Y star, 2G spiral, 3W again, 4R spiral, 5B star, 4K again",
        ]

    def test_example(self) -> None:
        """The throw 4 5 2 may be red 7, blue 6 with a wishing stone, or any colour 9."""
        assert may_be("keldice", "4 5 2", {("red", 7, ""), ("blue", 6, "spiral"), ("any", 9, "")})
