"""The bundled label stocks agree with the published figures, and users may add their own."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path as File
from typing import NamedTuple

import pytest

from sheetgen import stocks, workshop
from sheetgen.errors import InputError
from sheetgen.geometry import Point, Rect
from sheetgen.stocks import Stock

BUNDLED = File(__file__).parents[1] / "templates" / "stocks.yaml"
SLACK = 0.2  # mm: the sources give margins to 0.1 mm


class Row(NamedTuple):
    """A stock as published: margins in mm, ``None`` where no source gives them."""

    name: str
    page: str
    columns: int
    rows: int
    right: float | None
    bottom: float | None


PUBLISHED = [
    Row("OL2050", "Letter", 13, 17, 6.3, 6.3),
    Row("OL32", "Letter", 11, 14, 6.4, 9.5),
    Row("OL1575", "Letter", 11, 14, 13.0, 18.6),
    Row("OL5275", "Letter", 9, 12, 15.8, 16.6),
    Row("OL3008", "Letter", 10, 14, 12.7, 6.3),
    Row("OL28", "Letter", 9, 10, 10.2, 12.7),
    Row("OL5425", "Letter", 8, 10, 6.4, 12.7),
    Row("OL2681", "Letter", 4, 6, 19.8, 12.7),
    Row("OL6300", "Letter", 4, 6, 22.2, 25.4),
    Row("8167", "Letter", 4, 20, 7.1, 12.7),
    Row("5160", "Letter", 3, 10, 4.0, 12.7),
    Row("8195", "Letter", 4, 15, 9.1, 12.1),
    Row("8293", "Letter", 4, 5, 12.7, 19.0),
    Row("5293", "Letter", 4, 6, 10.6, 13.9),
    Row("L4730", "A4", 10, 27, 3.5, 14.0),
    Row("L4731", "A4", 7, 27, 8.2, 13.5),
    Row("L4732", "A4", 5, 16, 11.0, 13.6),
    Row("L7651", "A4", 5, 13, 4.8, 10.5),
    Row("L7654", "A4", 4, 10, 8.8, 21.0),
    Row("L4736", "A4", 4, 12, None, None),
    Row("L7120", "A4", 5, 7, 7.5, 11.0),
    Row("10001", "A4", 7, 27, 7.4, 12.6),
    Row("4201", "A4", 4, 16, None, None),
    Row("4606", "A4", 5, 13, 10.5, 10.9),
    Row("6502020", "A4", 9, 14, 15.0, 8.5),
    Row("6502015", "A4", 8, 15, 14.5, 15.0),
    Row("6500012", "A4", 13, 18, 9.0, 15.0),
    Row("6500020", "A4", 8, 12, 16.2, 14.8),
    Row("6500024", "A4", 7, 10, 12.0, 15.0),
    Row("6503333", "A4", 6, 8, 6.0, 16.5),
    Row("50452", "A4", 6, 11, 16.8, 8.6),
    Row("5003", "A4", 6, 11, 16.0, 8.8),
    Row("1414K", "A4", 13, 19, 5.0, 6.5),
    Row("1818K", "A4", 10, 15, 6.0, 6.5),
    Row("2525K", "A4", 7, 10, 8.5, 10.0),
    Row("OP3017", "A4", 10, 18, 32.5, 16.0),
    Row("OP3016", "A4", 6, 10, 27.0, 20.0),
]
KNOWN = stocks.load([BUNDLED])

each = pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: row.name)


def test_every_stock_is_checked() -> None:
    """The table above names exactly the bundled stocks."""
    assert {row.name for row in PUBLISHED} == set(KNOWN)


@each
def test_counts_are_the_published_ones(row: Row) -> None:
    """Columns, rows and their product are those of the source."""
    stock = KNOWN[row.name]
    assert (stock.columns, stock.rows) == (row.columns, row.rows)
    assert len(stock.labels()) == row.columns * row.rows
    assert str(stock.page) == row.page


@each
def test_margins_are_the_published_ones(row: Row) -> None:
    """What is left at the right and below is what the source says, within its rounding."""
    stock = KNOWN[row.name]
    last = stock.labels()[-1]
    right, bottom = stock.paper.width - last.right, stock.paper.height - last.bottom
    assert right >= -0.01
    assert bottom >= -0.01
    if row.right is not None and row.bottom is not None:
        assert right == pytest.approx(row.right, abs=SLACK)
        assert bottom == pytest.approx(row.bottom, abs=SLACK)


@each
def test_labels_do_not_overlap(row: Row) -> None:
    """No two labels share ground, but for the rounding of the figures."""
    for one, two in combinations(KNOWN[row.name].labels()[: row.columns + 2], 2):
        assert not one.overlaps(two, tolerance=0.011)


@each
def test_labels_run_row_by_row(row: Row) -> None:
    """Label 1 stands at the margins, the next to its right, the first of a row below it."""
    stock = KNOWN[row.name]
    labels = stock.labels()
    assert (labels[0].x, labels[0].y) == (stock.left, stock.top)
    assert labels[1].y == labels[0].y
    assert labels[1].x > labels[0].x
    assert labels[row.columns].x == labels[0].x
    assert labels[row.columns].y > labels[0].y


@each
def test_offset_and_stretch_move_the_labels(row: Row) -> None:
    """An offset moves every label by itself, a stretch multiplies what lies between them."""
    stock = KNOWN[row.name]
    plain, moved = stock.labels(), stock.labels(Point(-1.25, 0.5))
    for one, two in zip(plain, moved, strict=True):
        assert (two.x - one.x, two.y - one.y) == pytest.approx((-1.25, 0.5))
    wide = stock.labels(stretch=1.003)
    for one, two in zip(plain, wide, strict=True):
        assert two.x - stock.left == pytest.approx((one.x - stock.left) * 1.003)
        assert two.y - stock.top == pytest.approx((one.y - stock.top) * 1.003)
        assert two[2:] == one[2:]


# -- the user's own -------------------------------------------------------------------------------

OWN = """
{name}:
  title: Mine
  page: {page}
  label: {label}
  shape: {shape}
  count: 2x3
  left: 10
  top: 10
  pitch: {pitch}
  source: a ruler
"""


def _own(**change: str) -> str:
    given = {"name": "mine", "page": "A4", "label": "20x20", "shape": "square", "pitch": "25x25"}
    return OWN.format(**given | change)


def _write(folder: File, text: str) -> File:
    path = folder / "stocks.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def _refused(folder: File, text: str) -> str:
    with pytest.raises(InputError) as caught:
        stocks.load([_write(folder, text)])
    return str(caught.value)


def test_users_stocks_are_found_and_win(tmp_path: File, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file in ./templates adds stocks and replaces bundled ones, whatever the name's case."""
    (tmp_path / "templates").mkdir()
    _write(tmp_path / "templates", _own() + _own(name="ol2050", label="11x11"))
    monkeypatch.chdir(tmp_path)
    assert workshop.find_stock("Mine").title == "Mine"
    assert workshop.find_stock("OL2050").size == (11, 11)
    assert workshop.find_stock("OL32").size == (12.7, 12.7)
    assert len(workshop.known_stocks()) == len(KNOWN) + 1


@pytest.mark.parametrize("name", ["OL2050", "ol2050", "Ol2050"])
def test_names_are_found_whatever_their_case(name: str) -> None:
    """A stock's name may be typed in small letters."""
    assert stocks.find(KNOWN, name) is KNOWN["OL2050"]


def test_unknown_names_get_a_near_one() -> None:
    """The message names the option, what was typed and the nearest known name."""
    with pytest.raises(InputError) as caught:
        stocks.find(KNOWN, "OL250")
    assert str(caught.value) == (
        "--stock: unknown stock 'OL250', sheetgen stocks lists the known ones; did you mean OL2050?"
    )


def test_long_names_are_cut_in_messages() -> None:
    """A name of thousands of letters does not fill the screen."""
    with pytest.raises(InputError) as caught:
        stocks.find(KNOWN, "x" * 5000)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"page": "A44"}, "'A44' is not a size"),
        ({"page": "0x297"}, "'0x297' is out of range"),
        ({"label": "0x20"}, "'0x20' is out of range"),
        ({"pitch": "0x20"}, "'0x20' is out of range"),
        ({"label": "20"}, "width x height in mm"),
        ({"pitch": "19x25"}, "the labels of mine overlap"),
        ({"pitch": "25x19.9"}, "the labels of mine overlap"),
        ({"pitch": "185x25"}, "ends at 215.00 x 80.00 mm, the page ends at 210.00 x 297.00 mm"),
        ({"pitch": "25x140"}, "ends at 55.00 x 310.00 mm, the page ends at 210.00 x 297.00 mm"),
        ({"shape": "round", "label": "20x15"}, "a round label of 20 x 15 mm"),
        ({"shape": "oval"}, "'oval'"),
        ({"page": "A4\n  colour: red"}, "unknown key 'colour'"),
    ],
)
def test_impossible_stocks_are_refused(
    tmp_path: File, change: dict[str, str], expected: str
) -> None:
    """What is wrong with a stock is said with its file, its line and the figures."""
    message = _refused(tmp_path, _own(**change))
    assert expected in message
    assert message.startswith(f"{tmp_path / 'stocks.yaml'}:")


@pytest.mark.parametrize("key", ["title", "page", "label", "count", "left", "pitch", "source"])
def test_missing_keys_are_named(tmp_path: File, key: str) -> None:
    """A stock without a key that it needs is refused with the key's name."""
    lines = [line for line in _own().splitlines() if not line.startswith(f"  {key}:")]
    assert f"the key '{key}' is missing" in _refused(tmp_path, "\n".join(lines))


def test_every_problem_of_every_stock_is_told(tmp_path: File) -> None:
    """Two bad stocks in a file are both named."""
    text = _own(name="one", pitch="19x25") + _own(name="two", pitch="25x19")
    message = _refused(tmp_path, text)
    assert "labels of one overlap" in message
    assert "labels of two overlap" in message


def test_rounding_of_figures_is_forgiven(tmp_path: File) -> None:
    """A page that ends 0.1 mm before the last label is one, 0.3 mm before it is none."""
    near = _own(page="55x85.1", label="20.1x20")
    assert isinstance(stocks.load([_write(tmp_path, near)])["mine"], Stock)
    assert "ends at" in _refused(tmp_path, _own(page="54.7x85.1"))


def test_papers_are_named_whatever_their_case(tmp_path: File) -> None:
    """A stock's page is a name in any case or a size."""
    loaded = stocks.load([_write(tmp_path, _own(page="letter"))])
    assert loaded["mine"].paper == KNOWN["OL32"].paper
    assert Rect(0, 0, *loaded["mine"].paper).right == pytest.approx(215.9)
