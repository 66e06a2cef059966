"""Symbols are path data on a grid, and are inked as the theme and its mode say."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sheetgen.errors import InputError
from sheetgen.geometry import Rect
from sheetgen.icons import GRID, draw, parse
from sheetgen.scene import Path as Ink
from sheetgen.scene import Segment
from sheetgen.symbols import Symbol, load
from sheetgen.theme import PAPER, Style
from sheetgen.theme import load as load_theme

TEMPLATES = Path(__file__).parent.parent / "templates"
SYMBOLS = load(TEMPLATES / "symbols.yaml")
THEME = load_theme(TEMPLATES / "themes" / "expedition.yaml")
PLACE = Rect(10, 20, 12, 12)


def points(segments: tuple[Segment, ...]) -> Iterator[tuple[float, float]]:
    """Yield points along a path, ten to a curve."""
    at = (0.0, 0.0)
    for _letter, *values in segments:
        numbers = [float(value) for value in values]
        pairs = [(numbers[i], numbers[i + 1]) for i in range(0, len(numbers), 2)]
        if len(pairs) == 3:
            a, (b, c, d) = at, pairs
            for step in range(11):
                t, s = step / 10, 1 - step / 10
                weights = (s**3, 3 * s * s * t, 3 * s * t * t, t**3)
                four = (a, b, c, d)
                yield (
                    sum(w * p[0] for w, p in zip(weights, four, strict=True)),
                    sum(w * p[1] for w, p in zip(weights, four, strict=True)),
                )
        yield from pairs[-1:]
        at = pairs[-1] if pairs else at


def broken(tmp_path: Path, text: str) -> str:
    """Return the one problem of a file of symbols, without the file's name."""
    path = tmp_path / "symbols.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError) as caught:
        load(path)
    (problem,) = caught.value.problems
    return str(problem).removeprefix(f"{path}:")


def inked(name: str, mode: str, lane: str | None = "red") -> list[Ink]:
    """Return the paths of a symbol."""
    return draw(SYMBOLS[name], PLACE, Style(THEME, mode), lane, PAPER)


class TestBundled:
    """Every bundled symbol can be drawn."""

    @pytest.mark.parametrize("name", SYMBOLS)
    def test_stays_on_the_grid(self, name: str) -> None:
        """What is inked stays within the grid, half a stroke and a rounding allowed."""
        symbol = SYMBOLS[name]
        paths = [(path, 0.0) for path in (symbol.shape, symbol.hole) if path]
        paths += [(line.path, line.width) for line in (*symbol.lines, *symbol.cuts)]
        found = [(x, y, width) for path, width in paths for x, y in points(parse(path))]
        assert len(found) > 3
        for x, y, width in found:
            assert -width / 2 <= x <= GRID + width / 2
            assert -width / 2 <= y <= GRID + width / 2
        assert max(y for _, y, _ in found) - min(y for _, y, _ in found) > GRID / 2

    @pytest.mark.parametrize("name", SYMBOLS)
    @pytest.mark.parametrize("mode", THEME.inks)
    def test_inked_in_place(self, name: str, mode: str) -> None:
        """In every mode it is inked into its place, with something to see."""
        paths = inked(name, mode)
        assert any(path.paint.fill or path.paint.stroke for path in paths)
        for path in paths:
            for x, y in points(path.segments):
                assert 9 <= x <= 23
                assert 19 <= y <= 33


class TestPaths:
    """Path data is M, L, C and Z with absolute numbers."""

    @pytest.mark.parametrize(
        ("data", "segments"),
        [
            ("M1 2 L3 4 Z", (("M", 1, 2), ("L", 3, 4), ("Z",))),
            ("M1,2L3-4", (("M", 1, 2), ("L", 3, -4))),
            ("M0 0 1 2", (("M", 0, 0), ("M", 1, 2))),
            ("M0 0C1 2 3 4 5 6", (("M", 0, 0), ("C", 1, 2, 3, 4, 5, 6))),
            ("M.5 -.5", (("M", 0.5, -0.5),)),
        ],
    )
    def test_parse(self, data: str, segments: tuple[Segment, ...]) -> None:
        """Letters may be left out, and so may spaces before a minus."""
        assert parse(data) == segments

    def test_scaled_and_moved(self) -> None:
        """Numbers are scaled first, then moved."""
        assert parse("M1 2 L3 4", x=10, y=20, scale=2) == (("M", 12, 24), ("L", 16, 28))

    @pytest.mark.parametrize(
        "data",
        [
            *("x", "L1 2", "M1", "M1 2 L3", "M1 2 C1 2 3 4 5", "m1 2", "M1 2 A1 1 0 0 0 2 2"),
            *("M1e3 2", "M1 2 L3 4 5", "M12345 1", "M1.5.5", "M1 2 L1..2", "M" + "1" * 60 + " x"),
            "M1 1 L" + "1 " * 1500 + "x",
        ],
    )
    def test_no_path(self, tmp_path: Path, data: str) -> None:
        """Anything else is refused, and quickly."""
        start = time.perf_counter()
        text = broken(tmp_path, f"a: {{shape: '{data}'}}\n")
        assert text.startswith("1:12: a.shape: found ")
        assert "allowed is path data of M, L, C and Z, with absolute numbers" in text
        assert time.perf_counter() - start < 1

    NUMBERS = st.decimals(-999, 999, places=2).map(str)
    PIECES = st.one_of(
        st.just("Z"),
        st.tuples(st.sampled_from("ML"), NUMBERS, NUMBERS).map(" ".join),
        st.tuples(st.just("C"), *[NUMBERS] * 6).map(" ".join),
    )

    @given(st.lists(PIECES, max_size=8))
    @settings(deadline=None)
    def test_any_path(self, pieces: list[str]) -> None:
        """Every number of right path data is found again."""
        data = " ".join(["M0 0", *pieces])
        numbers = [float(word) for word in data[1:].split() if word not in "MLCZ"]
        assert [number for _, *rest in parse(data) for number in rest] == numbers


class TestFile:
    """A file of symbols is checked as a whole."""

    def test_unknown_key(self, tmp_path: Path) -> None:
        """An unknown key is reported with the nearest."""
        assert broken(tmp_path, "a: {shapes: M1 1}\n").endswith("; did you mean shape?")

    @pytest.mark.parametrize("text", ["a: {}", "a: {hole: M1 1}", "a:"])
    def test_nothing_to_draw(self, tmp_path: Path, text: str) -> None:
        """A symbol has a shape or lines."""
        assert ": a: nothing to draw, give it a shape or lines" in broken(tmp_path, text + "\n")

    def test_width(self, tmp_path: Path) -> None:
        """A stroke's width has a range."""
        text = broken(tmp_path, "a: {lines: [{path: M1 1 L2 2, width: 0}]}\n")
        assert text.endswith("a.lines[1].width: found '0', allowed is a number from 0.2 to 8")


class TestInk:
    """A symbol is filled, outlined or black, as the mode says."""

    def test_filled(self) -> None:
        """In full colour the shape has the colour's fill, and its cuts show the ground."""
        shape, cut = inked("spiral", "full")
        assert (shape.paint.fill, shape.paint.stroke) == (THEME.colours["red"].fill, None)
        assert cut.paint.stroke == PAPER

    def test_filled_with_outline(self) -> None:
        """A fill that is too light to be seen has an outline in ink."""
        shape, cut = inked("spiral", "full", "yellow")
        ink = THEME.colours["yellow"].ink
        assert (shape.paint.fill, shape.paint.stroke) == (THEME.colours["yellow"].fill, ink)
        assert cut.paint.stroke == ink

    @pytest.mark.parametrize("mode", ["full", "low", "bw"])
    def test_white(self, mode: str) -> None:
        """A white symbol is an outline everywhere: white on white would not be seen."""
        for path in inked("peak", mode, "white"):
            assert path.paint.fill is None
            assert path.paint.stroke not in (None, PAPER, "#FFFFFF")

    def test_low(self) -> None:
        """With low ink nothing is filled."""
        assert all(path.paint.fill is None for path in inked("flame", "low"))

    def test_black(self) -> None:
        """In black and white the shape is black and has no outline."""
        (shape,) = inked("flame", "bw")
        assert (shape.paint.fill, shape.paint.stroke) == ("#000000", None)

    def test_no_lane(self) -> None:
        """A symbol of no lane has the neutral fill."""
        assert inked("flame", "full", None)[0].paint.fill == THEME.neutral["solid"]

    def test_size(self) -> None:
        """Strokes grow with the symbol."""
        symbol: Symbol = SYMBOLS["ring"]
        style = Style(THEME, "full")
        small, large = (
            draw(symbol, Rect(0, 0, side, side), style, "red", PAPER)[0].paint.width
            for side in (6, 12)
        )
        assert large == pytest.approx(2 * small)
