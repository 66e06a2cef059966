"""A theme has every role that layout asks for, and inks that can be read."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from sheetgen.errors import InputError
from sheetgen.theme import NEUTRAL, ROLES, Style, Theme, load

ROOT = Path(__file__).parent.parent
THEMES = sorted((ROOT / "templates" / "themes").glob("*.yaml"))
EXPEDITION = ROOT / "templates" / "themes" / "expedition.yaml"
MODULES = ROOT / "sheetgen"
LAYOUT = [ast.parse(path.read_text("utf-8")) for path in (MODULES / "layout").glob("*.py")]
LOOKS = [ast.parse((MODULES / f"{name}.py").read_text("utf-8")) for name in ("theme", "icons")]
WORDS = {"fit": 1, "measure": 1, "say": 1, "wrap": 1, "Set": 1, "type": 0, "stroke": 0}


def strings(node: ast.AST) -> Iterator[str]:
    """Yield the texts an expression may come to; what it compares is none of them."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    if not isinstance(node, ast.Compare):
        for child in ast.iter_child_nodes(node):
            yield from strings(child)


def subscripts(trees: list[ast.Module], name: str) -> set[str]:
    """Return the texts by which ``….name[…]`` is asked for something."""
    return {
        text
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript)
        and (getattr(node.value, "attr", "") or getattr(node.value, "id", "")) == name
        for text in strings(node.slice)
    }


def arguments(name: str) -> set[str]:
    """Return the texts that layout gives a function as the name of a role."""
    return {
        text
        for tree in LAYOUT
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and (getattr(node.func, "attr", "") or getattr(node.func, "id", "")) == name
        for argument in node.args[WORDS[name] : WORDS[name] + 1]
        for text in strings(argument)
    }


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour as WCAG 2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.fixture(params=THEMES, ids=lambda path: path.stem)
def theme(request: pytest.FixtureRequest) -> Theme:
    """Return a bundled theme."""
    return load(request.param)


def changed(tmp_path: Path, *changes: tuple[str, str]) -> list[str]:
    """Return what is wrong with the theme after changes, without the file's name."""
    text = EXPEDITION.read_text("utf-8")
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path = tmp_path / "mine.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError) as caught:
        load(path)
    assert all(problem.file == str(path) and problem.line for problem in caught.value.problems)
    return [str(problem).split(": ", 1)[1] for problem in caught.value.problems]


class TestRoles:
    """The roles that layout names are those that a theme must have."""

    @pytest.mark.parametrize("group", ["sizes", "space", "radii"])
    def test_lengths(self, group: str) -> None:
        """Every length that layout asks for is demanded, and no other."""
        assert subscripts(LAYOUT, group) == set(ROLES[group])

    def test_neutral(self) -> None:
        """So is every neutral colour: those a role may have, and those asked for by name."""
        assert subscripts(LOOKS, "neutral") | {*NEUTRAL.options} - {"lane"} == set(ROLES["neutral"])

    @pytest.mark.parametrize("name", ["fit", "measure", "say", "wrap", "Set", "type"])
    def test_type(self, name: str) -> None:
        """Every type role that layout sets words in is demanded."""
        assert arguments(name) - {""} <= set(ROLES["type"])

    def test_lines(self) -> None:
        """Every line role that layout draws is demanded."""
        assert len(arguments("stroke")) > 8
        assert arguments("stroke") <= set(ROLES["lines"])

    def test_roles_by_variable(self) -> None:
        """A role that layout keeps in a variable first is demanded too."""
        roles = {
            text
            for tree in LAYOUT
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "role"
            for text in strings(node.value)
        }
        assert roles
        assert roles <= {*ROLES["type"], *ROLES["lines"]}

    @pytest.mark.parametrize("group", ["type", "lines"])
    def test_named_roles(self, group: str, theme: Theme) -> None:
        """Exactly those of a theme's roles are demanded that layout or a variant file can name."""
        models = [ast.parse(path.read_text("utf-8")) for path in (MODULES / "model").glob("*.py")]
        named = {text for tree in [*LAYOUT, *models] for text in strings(tree)}
        assert named & set(getattr(theme, group)) == set(ROLES[group])

    def test_missing_roles(self, tmp_path: Path) -> None:
        """A theme is told every role that it lacks, at once and in the file's order."""
        assert changed(
            tmp_path,
            ("  marker: 8\n", ""),
            ("  rail: {width: 0.9, colour: lane}\n", ""),
            ("  low: {tints: false, symbols: outlined}\n", ""),
            ("  code: {font: sans, size: 7, floor: 7, tracking: 0.03, colour: secondary}\n", ""),
            (", wash: '#E6EFF6'", ""),
            ("radii: {box: 1.2, check: 0.5}", "radii: {box: 1.2}"),
            ("  zone: 5 ", "  zones: 5 "),
        ) == [
            f"{group}: the key '{role}' is missing, every theme needs it"
            for group, role in [
                *(("type", "code"), ("lines", "rail"), ("radii", "check"), ("space", "zone")),
                *(("sizes", "marker"), ("neutral", "wash"), ("inks", "low")),
            ]
        ]

    @pytest.mark.parametrize(
        ("old", "new", "expected"),
        [
            ("hint: {font: sans, size: 7", "hint: {font: sens, size: 7", "did you mean sans?"),
            ("size: 23.7", "size: 9", "type.title.floor: floor 13, at most the size, 9"),
            ("  marker: 8\n", "  marker: 0\n", "allowed is a number from 0.5 to 100 mm"),
            ("ink: '#A8281F'", "ink: '#A82'", "allowed is a colour such as '#1B2733', in quotes"),
            ("outline: true}\n  yellow", "outlines: true}\n  yellow", "did you mean outline?"),
            ("symbols: solid", "symbols: solids", "did you mean solid?"),
        ],
    )
    def test_wrong(self, tmp_path: Path, old: str, new: str, expected: str) -> None:
        """What a role may not be is one problem."""
        (text,) = changed(tmp_path, (old, new))
        assert expected in text

    def test_missing_group(self, tmp_path: Path) -> None:
        """A whole group that is left away is one missing key."""
        (text,) = changed(tmp_path, ("radii: {box: 1.2, check: 0.5}\n", ""))
        assert text.startswith("the key 'radii' is missing")


class TestContrast:
    """Type and lines stand out from the paper and from the tints."""

    def test_lanes(self, theme: Theme) -> None:
        """Every colour's ink has a contrast of 4.5 on white and on its own tint."""
        for name, colour in theme.colours.items():
            assert contrast(colour.ink, "#ffffff") >= 4.5, name
            assert contrast(colour.ink, colour.tint) >= 4.5, name

    def test_neutral(self, theme: Theme) -> None:
        """So have the colours of type that belongs to no lane, on every light ground."""
        for role in ("ink", "secondary"):
            for ground in ("#ffffff", theme.neutral["tint"], theme.neutral["wash"]):
                assert contrast(theme.neutral[role], ground) >= 4.5, role

    def test_hairlines(self, theme: Theme) -> None:
        """Lines of no lane have a contrast of 3 on white."""
        for role in ("hairline", "river"):
            assert contrast(theme.neutral[role], "#ffffff") >= 3, role

    def test_symbols(self, theme: Theme) -> None:
        """A symbol's fill has a contrast of 3 on white, or an outline in ink."""
        for name, colour in theme.colours.items():
            assert colour.outline or contrast(colour.fill, "#ffffff") >= 3, name

    def test_contrast(self) -> None:
        """The measure itself is right at its ends and for a known pair."""
        assert contrast("#000000", "#ffffff") == pytest.approx(21)
        assert contrast("#ffffff", "#ffffff") == pytest.approx(1)
        assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)


class TestStyle:
    """A style answers for one ink mode."""

    def test_full(self, theme: Theme) -> None:
        """In full colour a lane has its ink and its tint."""
        style = Style(theme, "full")
        assert style.colour("lane", "red") == theme.colours["red"].ink
        assert style.tint("red") == theme.colours["red"].tint
        assert style.tint(None) == theme.neutral["tint"]
        assert style.stroke("box", "red").stroke == theme.colours["red"].ink

    def test_no_lane(self, theme: Theme) -> None:
        """What belongs to no lane is secondary."""
        assert Style(theme, "full").colour("lane") == theme.neutral["secondary"]

    def test_low(self, theme: Theme) -> None:
        """With low ink there are no tints, but the colours stay."""
        style = Style(theme, "low")
        assert (style.tint("red"), style.wash()) == (None, None)
        assert style.colour("lane", "red") == theme.colours["red"].ink

    def test_black_and_white(self, theme: Theme) -> None:
        """In black and white everything is black, and hairlines are thinner."""
        style, full = Style(theme, "bw"), Style(theme, "full")
        colours = {style.colour(role, "red") for role in NEUTRAL.options}
        assert colours == {"#000000"}
        assert style.stroke("field").width < full.stroke("field").width
        assert style.stroke("box").width == full.stroke("box").width

    def test_unknown_role(self, theme: Theme) -> None:
        """A role that a theme lacks is named with the nearest."""
        with pytest.raises(InputError, match=r"unknown line role 'rali', .*did you mean rail"):
            Style(theme, "full").stroke("rali")

    @pytest.mark.parametrize("package", ["no_such_package", "sys", "__main__"])
    def test_font_package(self, tmp_path: Path, package: str) -> None:
        """A font package that is not installed is said at its place."""
        text = EXPEDITION.read_text("utf-8")
        path = tmp_path / "mine.yaml"
        old = "sans: {package: font_source_sans_pro"
        path.write_text(text.replace(old, f"sans: {{package: {package}"), "utf-8")
        expected = f"fonts.sans.package: the font package {package} is not installed"
        with pytest.raises(InputError, match=expected):
            Style(load(path), "full")
