"""Variants, themes and symbols are found in the folder, in the user's data and in the package."""

from __future__ import annotations

from pathlib import Path

import pytest

from sheetgen.errors import InputError
from sheetgen.library import find_template, find_variant, folders, variants
from sheetgen.prepare import Choices, load, looks

ROOT = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Work in an empty folder with an empty data folder; return the latter."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "sheetgen"


def put(path: Path, text: str = "") -> Path:
    """Write a file and the folders it needs; return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def refusal(name: str) -> str:
    """Return why there is no such variant."""
    with pytest.raises(InputError) as caught:
        find_variant(name)
    return str(caught.value)


class TestVariants:
    """A variant is given by name or by path."""

    def test_bundled(self) -> None:
        """Without own files there are those of the package, in alphabetical order."""
        bundled = {path.stem: path for path in (ROOT / "variants").glob("*.yaml")}
        assert [*variants().items()] == sorted(bundled.items())
        assert find_variant("lostdice") == ROOT / "variants" / "lostdice.yaml"

    def test_order(self, user: Path) -> None:
        """The folder comes before the user's data, which come before the package."""
        mine = put(user / "variants" / "lostdice.yaml")
        assert find_variant("lostdice") == variants()["lostdice"] == mine
        here = put(Path("variants") / "lostdice.yaml")
        assert find_variant("lostdice") == variants()["lostdice"] == here

    def test_folders(self, user: Path) -> None:
        """The folders are looked through in this order."""
        assert [*folders("variants")] == [Path("variants"), user / "variants", ROOT / "variants"]

    @pytest.mark.parametrize("ending", [".yaml", ".yml"])
    def test_own(self, ending: str) -> None:
        """An own file is known by its name without the ending."""
        path = put(Path("variants") / f"mine{ending}")
        assert find_variant("mine") == variants()["mine"] == path

    def test_no_variants(self) -> None:
        """Hidden files, other endings and folders are no variants."""
        before = [*variants()]
        for name in (".hidden.yaml", "note.txt", "folder.yaml/x.yaml"):
            put(Path("variants") / name)
        assert [*variants()] == before

    @pytest.mark.parametrize("name", ["mine.yaml", "a/b", "x.yml", "a\\b", "./lostdice"])
    def test_path(self, name: str) -> None:
        """A name with an ending or a slash is a path, looked for nowhere else."""
        assert find_variant(name) == Path(name)

    def test_unknown(self) -> None:
        """An unknown name is refused with the known ones and the nearest."""
        text = refusal("lostdise")
        assert text.startswith("unknown variant 'lostdise', known are keldice, lostcities, ")
        assert text.endswith("or give the path of a .yaml file; did you mean lostdice?")

    @pytest.mark.parametrize("name", ["", ".", "..", "a\0b", "x" * 300, "x" * 100_000, "ü" * 200])
    def test_impossible(self, name: str) -> None:
        """A name that no file can have is unknown, in one short line."""
        text = refusal(name)
        assert text.startswith("unknown variant '")
        assert len(text) < 300

    def test_variants_is_a_file(self) -> None:
        """A file in the place of the folder changes nothing."""
        put(Path("variants"))
        assert find_variant("lostdice") == ROOT / "variants" / "lostdice.yaml"
        assert "lostdice" in variants()

    def test_unreadable(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A folder that may not be read is passed over."""
        put(Path("variants") / "mine.yaml")
        real = Path.stat

        def refuse(path: Path, **options: bool) -> object:
            if path.parts[0] == "variants":
                raise PermissionError(13, "Permission denied")
            return real(path, **options)

        monkeypatch.setattr(Path, "stat", refuse)
        assert find_variant("lostdice") == ROOT / "variants" / "lostdice.yaml"
        assert "mine" not in variants()


class TestTemplates:
    """Themes and symbols are found by their path below ``templates``."""

    def test_bundled(self) -> None:
        """Without own files there are those of the package."""
        expected = ROOT / "templates" / "themes" / "expedition.yaml"
        assert find_template("themes/expedition.yaml") == expected
        assert find_template("symbols.yaml") == ROOT / "templates" / "symbols.yaml"

    def test_order(self, user: Path) -> None:
        """The folder comes before the user's data, which come before the package."""
        mine = put(user / "templates" / "symbols.yaml")
        assert find_template("symbols.yaml") == mine
        here = put(Path("templates") / "symbols.yaml")
        assert find_template("symbols.yaml") == here

    def test_own_theme_is_used(self) -> None:
        """A theme in ``./templates`` takes the place of the package's of that name."""
        text = find_template("themes/expedition.yaml").read_text("utf-8")
        put(Path("templates/themes/expedition.yaml"), text.replace("marker: 8", "marker: 9.5"))
        variant, _ = load("lostdice")
        assert looks(variant, Choices())[0].sizes["marker"] == 9.5

    def test_own_theme_is_checked(self) -> None:
        """A theme that lacks a role is refused by name, not by a crash in layout."""
        text = find_template("themes/expedition.yaml").read_text("utf-8")
        put(Path("templates/themes/mine.yaml"), text.replace("  marker: 8\n", ""))
        variant, _ = load("lostdice")
        with pytest.raises(InputError, match="sizes: the key 'marker' is missing"):
            looks(variant, Choices(theme="mine"))

    def test_own_symbols_are_used(self) -> None:
        """An own symbol takes the place of the package's of that name; the others stay."""
        put(Path("templates/symbols.yaml"), "flame: {shape: M1 1 L2 2 L3 1 Z}\n")
        variant, _ = load("lostdice")
        _, known = looks(variant, Choices())
        assert known["flame"].shape == "M1 1 L2 2 L3 1 Z"
        assert known["sun"].lines

    def test_unknown_theme(self) -> None:
        """An unknown theme is refused with the known ones, own ones among them."""
        put(Path("templates/themes/mine.yaml"))
        with pytest.raises(InputError) as caught:
            find_template("themes/expedtion.yaml")
        text = str(caught.value)
        assert text.startswith("unknown theme 'expedtion', known are expedition, mine")
        assert text.endswith("; did you mean expedition?")

    @pytest.mark.parametrize("name", ["x" * 300, "a\0b", "../symbols", "..", "", "/etc/passwd"])
    def test_no_theme(self, name: str) -> None:
        """A name that leads elsewhere, or that no file can have, is no theme."""
        with pytest.raises(InputError, match="unknown theme "):
            find_template(f"themes/{name}.yaml")
