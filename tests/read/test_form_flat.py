"""Forms printed to a file: what was written is read from the page."""

from __future__ import annotations

import io
import shutil
import sys
from pathlib import Path

import pypdfium2
import pypdfium2.raw as pdfium
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "forms"))
import engines
import pads

from sheetgen.errors import InputError
from sheetgen.prepare import load
from sheetgen.read.form import read_form
from sheetgen.read.form_file import open_flat, open_form
from sheetgen.read.form_flat import read_flat
from sheetgen.read.layouts import layouts_of

GIVEN: dict[str, dict[str, str | bool]] = {
    "lostdice": {
        "player__1": "North W", "red_1__1": "$", "red_2__1": "3", "red_3__1": "10",
        "roll_1__1": True, "roll_7__1": True, "discards_1__1": True, "white_bonus__1": True,
        "red_factor_2__1": True, "yellow_12__2": "9",
    },
    "lostcities": {
        "player_a__1": "Ann", "red_a_sum_round1__1": "36", "red_a_wagers_2_round1__1": True,
    },
    "lostcities-rollwrite": {"red_1__1": "1", "red_double__1": True, "dice_bridge__1": True},
    "yacht": {"g1_aces__1": "3", "g6_yacht__2": "50"},
}  # fmt: skip


def chrome(data: bytes, folder: Path) -> bytes:
    """Flatten as Chrome does for printing."""
    document = pypdfium2.PdfDocument(data)
    document.init_forms()
    for page in document:
        assert pdfium.FPDFPage_Flatten(page, pdfium.FLAT_PRINT) != pdfium.FLATTEN_FAIL
    saved = io.BytesIO()
    document.save(saved)
    return saved.getvalue()


def evince(data: bytes, folder: Path) -> bytes:
    """Print to a file as Evince does, with poppler and cairo."""
    if not shutil.which("pdftocairo"):
        pytest.skip("poppler-utils is not installed")
    (folder / "in.pdf").write_bytes(data)
    engines.run("pdftocairo", "-pdf", folder / "in.pdf", folder / "out.pdf")
    return (folder / "out.pdf").read_bytes()


@pytest.mark.parametrize("variant", GIVEN)
@pytest.mark.parametrize("flatten", [chrome, evince])
def test_what_was_written_is_read_from_the_page(
    flatten: object, variant: str, tmp_path: Path
) -> None:
    """Texts and ticks come back as they were given, and nothing that is printed does."""
    assert callable(flatten)
    filled = engines.chrome(pads.pad(variant, 2), GIVEN[variant], tmp_path)
    flat = flatten(filled, tmp_path)
    with pytest.raises(InputError):
        read_form(flat, "x.pdf")
    sheets = read_flat(flat, "x.pdf", layouts_of([load(variant)[0]]).find)
    found = {
        f"{box}__{sheet.copy}": value
        for sheet in sheets
        for box, value in sheet.values.items()
        if value
    }
    assert found == GIVEN[variant]


def test_a_page_without_a_code_is_no_sheet() -> None:
    """A page without a code is no sheet."""
    document = pypdfium2.PdfDocument.new()
    document.new_page(100, 100)
    saved = io.BytesIO()
    document.save(saved)
    with pytest.raises(InputError, match="neither form fields nor the code of a sheet"):
        read_flat(saved.getvalue(), "x.pdf", layouts_of([]).find)


def test_a_code_that_nobody_knows_is_named(tmp_path: Path) -> None:
    """A code that nobody knows is named."""
    flat = chrome(pads.pad("lostdice"), tmp_path)
    with pytest.raises(InputError, match=r"the code LD-[A-Z2-7]{6}, which no known sheet has"):
        read_flat(flat, "x.pdf", layouts_of([load("keldice")[0]]).find)


def test_garbage_is_refused() -> None:
    """Garbage is refused."""
    with pytest.raises(InputError):
        read_flat(b"%PDF-1.7 nothing", "x.pdf", layouts_of([]).find)


def test_a_file_is_opened_with_its_fields_or_without(tmp_path: Path) -> None:
    """A document names its variant, with its fields by these and without by its codes."""
    filled = engines.chrome(
        pads.pad("lostdice"), GIVEN["lostdice"] | {"yellow_12__2": ""}, tmp_path
    )
    game = load("lostdice")[0]
    document = open_form(filled, "x.pdf")
    assert (document.variant, document.dialect) == ("lostdice", "PDF form")
    flat = chrome(filled, tmp_path)
    with pytest.raises(InputError, match="flattened"):
        open_form(flat, "x.pdf")
    printed = open_flat(flat, "x.pdf", layouts_of([game]))
    assert (printed.variant, printed.dialect) == ("lostdice", "PDF without form fields")
    (one,), (other,) = document.match(game).sheets, printed.match(game).sheets
    assert one == other
    with pytest.raises(InputError, match="not a PDF"):
        open_form(b"", "x.pdf")
