"""The fields of a fillable PDF: names, order, looks, and what calculates itself."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from PIL import ImageChops
from pypdf import PdfReader

sys.path.insert(0, str(Path(__file__).parents[1] / "forms"))
import pads

from sheetgen.cli.printing import _form
from sheetgen.draw.form import Calculations, _labels, _string
from sheetgen.draw.pdf import pdf
from sheetgen.errors import InputError
from sheetgen.form_names import decode, encode, field_name, parse_name
from sheetgen.geometry import PT_PER_MM, Rect
from sheetgen.impose import alone, impose
from sheetgen.paper import parse_paper
from sheetgen.prepare import Choices, load
from sheetgen.scene import Text


def widgets(data: bytes, page: int = 0) -> list[Any]:
    """Return the widgets of a page."""
    reader = PdfReader(io.BytesIO(data))
    return [reference.get_object() for reference in reader.pages[page]["/Annots"]]  # type: ignore[attr-defined]


def test_every_box_of_every_copy_is_a_field_in_the_order_of_the_sheet() -> None:
    """Every box of every copy is a field in the order of the sheet."""
    boxes = [box.id for box in pads.prepared("lostdice").front.boxes]
    names = [w["/T"] for w in widgets(pads.pad(copies=3))]
    assert names == [field_name(box, copy) for copy in (1, 2, 3) for box in ("sheetgen", *boxes)]
    assert all(re.fullmatch(r"[A-Za-z0-9_]+", name) for name in names)


def test_tab_order_is_that_of_the_fields_and_backs_have_none() -> None:
    """Tab order is that of the fields and backs have none."""
    pages = PdfReader(io.BytesIO(pads.pad(copies=4))).pages
    assert [page.get("/Tabs") for page in pages] == ["/S", None, "/S", None]
    assert ["/Annots" in page for page in pages] == [True, False, True, False]


def test_all_fields_are_listed_and_no_viewer_is_asked_to_draw_them_anew() -> None:
    """All fields are listed and no viewer is asked to draw them anew."""
    reader = PdfReader(io.BytesIO(pads.pad(copies=3)))
    form: Any = reader.trailer["/Root"]["/AcroForm"]  # type: ignore[index]
    assert len(form["/Fields"]) == len(widgets(pads.pad(copies=3)))
    assert "/NeedAppearances" not in form


@pytest.mark.parametrize(
    "variant", ["lostdice", "keldice", "lostcities", "lostcities-rollwrite", "yacht", "scorepad"]
)
def test_every_visible_field_has_an_appearance_and_a_tooltip_of_its_own(variant: str) -> None:
    """Every visible field has an appearance and a tooltip of its own."""
    seen = [w for w in widgets(pads.pad(variant)) if w["/F"] == 4]
    assert all("/N" in w["/AP"] for w in seen)
    assert len({w["/TU"] for w in seen}) == len(seen)
    for w in seen:
        if w["/FT"] == "/Btn":
            assert set(w["/AP"]["/N"]) == {"/Yes", "/Off"}
            assert (w["/AS"], w["/V"]) == ("/Off", "/Off")


def test_tooltips_say_which_copy_if_there_are_several() -> None:
    """Tooltips say which copy if there are several."""
    assert [w["/TU"] for w in widgets(pads.pad()) if w["/T"] == "red_3__1"] == ["red 3"]
    assert [w["/TU"] for w in widgets(pads.pad(copies=2)) if w["/T"] == "red_3__2"] == ["red 3 (2)"]


def test_labels_that_several_boxes_share_are_told_apart_by_their_ids() -> None:
    """Labels that several boxes share are told apart by their ids."""
    labels = _labels(pads.prepared("lostcities").front.boxes)
    assert labels["red_b_sum_round2"] == "red Sum · b · 2"
    assert labels["match_a"] == "Match A"


def test_a_field_lies_on_its_box() -> None:
    """A field lies on its box."""
    box = next(b for b in pads.prepared("lostdice").front.boxes if b.id == "red_3")
    scene = pads.prepared("lostdice").front
    form = _form(load("lostdice")[0], Choices(), pads.prepared("lostdice"))
    data = pdf(scene, None, alone(scene.size), pads.prepared("lostdice").style.fonts, form)
    rect = next(w["/Rect"] for w in widgets(data) if w["/T"] == "red_3__1")
    # x and width as on the sheet; y is measured from below.
    low = scene.size.height - box.rect.bottom
    wanted = (box.rect.x, low, box.rect.right, low + box.rect.height)
    assert [float(v) / PT_PER_MM for v in rect] == pytest.approx(wanted, abs=0.01)


def test_writing_in_a_result_leaves_room_for_the_label_above() -> None:
    """Writing in a result leaves room for the label above."""
    total = next(w for w in widgets(pads.pad()) if w["/T"] == "total__1")
    height = float(total["/Rect"][3]) - float(total["/Rect"][1])
    assert height == pytest.approx(0.78 * 12 * PT_PER_MM, abs=0.1)  # the box is 12 mm high


def test_numbers_are_centred_and_names_are_not() -> None:
    """Numbers are centred and names are not."""
    found = {w["/T"]: w for w in widgets(pads.pad())}
    assert found["red_3__1"]["/Q"] == 1
    assert found["player__1"]["/Q"] == 0
    assert re.fullmatch(r"/Helv 1[0-4](\.5)? Tf 0\.1 g", found["red_3__1"]["/DA"])


def test_an_empty_form_looks_exactly_like_the_printed_sheet() -> None:
    """An empty form looks exactly like the printed sheet."""
    ready = pads.prepared("lostdice")
    plain = pdf(ready.front, None, alone(ready.front.size), ready.style.fonts)
    form = _form(load("lostdice")[0], Choices(), ready)
    fillable = pdf(ready.front, None, alone(ready.front.size), ready.style.fonts, form)
    pictures = []
    for data in (plain, fillable):
        document = pypdfium2.PdfDocument(data)
        document.init_forms()
        pictures.append(document[0].render(scale=150 / 72, may_draw_forms=True).to_pil())
    assert ImageChops.difference(*(p.convert("RGB") for p in pictures)).getbbox() is None


def test_pages_are_those_of_the_plain_pad_and_the_bytes_are_always_the_same() -> None:
    """Pages are those of the plain pad and the bytes are always the same."""
    ready = pads.prepared("lostdice")
    scene = ready.front
    places = impose(
        scene.size, Rect(0, 0, *scene.size).inset(scene.margin), paper=parse_paper("a4"), copies=4
    )
    form = _form(load("lostdice")[0], Choices(), ready)
    plain = PdfReader(io.BytesIO(pdf(scene, None, places, ready.style.fonts)))
    once = pdf(scene, None, places, ready.style.fonts, form)
    assert pdf(scene, None, places, ready.style.fonts, form) == once
    for page, before in zip(PdfReader(io.BytesIO(once)).pages, plain.pages, strict=True):
        assert page.mediabox == before.mediabox
        assert page.trimbox == before.trimbox
        assert page.get_contents().get_data() == before.get_contents().get_data()  # type: ignore[union-attr]


def test_the_file_says_which_sheet_it_is() -> None:
    """The file says which sheet it is."""
    hidden = next(w for w in widgets(pads.pad(copies=2)) if w["/T"] == "sheetgen__2")
    identity = decode(hidden["/V"])
    assert identity is not None
    assert identity.variant == "lostdice"
    assert identity.sheet == "score"
    assert identity.setup == "standard"
    assert re.fullmatch("LD-[A-Z2-7]{6}", identity.code)
    assert (hidden["/F"], hidden["/Ff"]) == (2, 1)
    info: Any = PdfReader(io.BytesIO(pads.pad(copies=2))).metadata
    assert decode(info["/SheetgenSheet"]) == identity


def test_the_code_in_the_form_is_the_printed_one() -> None:
    """The code in the form is the printed one."""
    items = pads.prepared("yacht").front.items
    printed = {item.string for item in items if isinstance(item, Text)}
    hidden = next(w for w in widgets(pads.pad("yacht")) if w["/T"] == "sheetgen__1")
    identity = decode(hidden["/V"])
    assert identity is not None
    assert identity.code in printed


def test_too_many_copies_are_refused_with_the_number_that_is_not() -> None:
    """Too many copies are refused with the number that is not."""
    with pytest.raises(InputError, match=r"--copies: 100 copies, a form may have 83 of this sheet"):
        pads.pad(copies=100)


def test_results_calculate_in_order_and_cannot_be_typed_over() -> None:
    """Results calculate in order and cannot be typed over."""
    data = pads.pad(copies=2)
    found = {w["/T"]: w for w in widgets(data)}
    calculated = [name for name, w in found.items() if "/AA" in w]
    assert {"red_score__1", "total__1", "total__2", "red_sum__2"} <= set(calculated)
    assert all(found[name]["/Ff"] & 1 for name in calculated)
    assert not any(w["/Ff"] & 1 for n, w in found.items() if n in ("red_1__1", "player__1"))
    form: Any = PdfReader(io.BytesIO(data)).trailer["/Root"]["/AcroForm"]  # type: ignore[index]
    order = [reference.get_object()["/T"] for reference in form["/CO"]]
    assert sorted(order) == sorted(calculated)
    assert order.index("red_score__2") < order.index("total__1")


def test_a_box_the_sheet_lacks_is_not_calculated() -> None:
    """A box the sheet lacks is not calculated."""
    ready = pads.prepared("lostdice")
    form = _form(load("lostdice")[0], Choices(), ready)
    form = form._replace(calculations=Calculations({"nothing": "1", "total": "number('red_1')"}))
    data = pdf(ready.front, None, alone(ready.front.size), ready.style.fonts, form)
    assert [w["/T"] for w in widgets(data) if "/AA" in w] == ["total__1"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("a(b)\\", rb"(a\(b\)\\)"), ("rot 3", b"(rot 3)"), ("weiß", b"<feff00770065006900df>")],
)
def test_strings_are_plain_where_they_can_be(text: str, wanted: bytes) -> None:
    """Strings are plain where they can be."""
    assert _string(text) == wanted


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("red_3__1", ("red_3", 1)),
        ("total__12", ("total", 12)),
        ("red_3__1-2", ("red_3", 1)),  # merged by name
        ("pad2.red_3__1", ("red_3", 1)),  # put below another field
        ("red_3", None),
        ("red_3__0", None),
        ("Text1", None),
        ("", None),
    ],
)
def test_names_of_fields_are_read_back(name: str, wanted: object) -> None:
    """Names of fields are read back."""
    assert parse_name(name) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "null",
        "{" * 2000,
        '{"sheetgen":1}',
        '{"sheetgen":1,"variant":["x"]}',
        "1" * 5000,
    ],
)
def test_what_is_no_identity_is_none(text: str) -> None:
    """What is no identity is none."""
    assert decode(text) is None


def test_an_identity_survives_being_written() -> None:
    """An identity survives being written."""
    identity = _form(load("yacht")[0], Choices(values={}), pads.prepared("yacht")).identity
    identity = identity._replace(values=(("rounds", 3),))
    assert decode(encode(identity)) == identity


def test_the_command_line_makes_forms_and_says_how_many_are_too_many(tmp_path: Path) -> None:
    """The command line makes forms and says how many are too many."""
    program = [sys.executable, "-m", "sheetgen", "print", "lostdice", "--fillable"]
    file = tmp_path / "pad.pdf"
    done = subprocess.run([*program, "-o", file], capture_output=True, text=True, check=True)
    assert "1 sheet on 1 page" in done.stdout + done.stderr
    assert len(widgets(file.read_bytes())) == 144
    many = subprocess.run(
        [*program, "--copies", "500", "-o", file], capture_output=True, text=True, check=False
    )
    assert (many.returncode, "a form may have 83" in many.stderr) == (2, True)
    assert "Traceback" not in many.stderr
