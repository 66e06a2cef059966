"""Forms read back, however other programs left them; nothing is taken for blank that is lost."""

from __future__ import annotations

import io
import sys
import time
import zlib
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    BooleanObject,
    ByteStringObject,
    DictionaryObject,
    NameObject,
    NumberObject,
    TextStringObject,
)

sys.path.insert(0, str(Path(__file__).parents[1] / "forms"))
import pads

from sheetgen.errors import InputError
from sheetgen.filled import FilledSheet
from sheetgen.form_names import MOST_FIELDS
from sheetgen.prepare import load
from sheetgen.read.form import FormSheet, clean, read_form
from sheetgen.read.form_sheets import form_match

SECONDS = 5.0


def one(data: bytes) -> FormSheet:
    """Return the only sheet of a file."""
    (sheet,) = read_form(data, "x.pdf")
    return sheet


def values(sheet: FormSheet) -> dict[str, str | bool]:
    """Return what is filled in."""
    return {box: value for box, value in sheet.values.items() if value}


def refused(data: bytes, password: str | None = None) -> str:
    """Return why a file is refused; it must not take long."""
    start = time.monotonic()
    with pytest.raises(InputError) as error:
        read_form(data, "x.pdf", password)
    assert time.monotonic() - start < SECONDS
    (problem,) = error.value.problems
    assert problem.file == "x.pdf"
    return problem.found


def match(data: bytes, variant: str = "lostdice") -> tuple[FilledSheet, ...]:
    """Return the filled sheets of a file."""
    game = load(variant)[0]
    return form_match(game, read_form(data, "x.pdf"), "x.pdf").match.sheets


# -- what stands in a file ------------------------------------------------------------------------


def test_values_come_back_by_box_and_copy() -> None:
    """Values come back by box and copy."""
    data = pads.filled({"red_1__1": "7", "roll_2__1": True, "red_1__2": "8"}, pads.pad(copies=2))
    first, second = read_form(data, "x.pdf")
    assert (first.page, first.copy, values(first)) == (1, 1, {"red_1": "7", "roll_2": True})
    assert (second.page, second.copy, values(second)) == (1, 2, {"red_1": "8"})
    assert len(first.values) == len(pads.prepared("lostdice").front.boxes)
    assert first.identity is not None
    assert first.identity.variant == "lostdice"
    assert not first.warnings


def test_a_form_nobody_filled_in_is_blank_and_known() -> None:
    """A form nobody filled in is blank and known."""
    sheet = one(pads.pad())
    assert sheet.blank
    assert sheet.identity is not None


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        (TextStringObject("Zoë"), "Zoë"),
        (ByteStringObject(b"\xfe\xff\x00Z\x00o\x00\xeb"), "Zoë"),
        (ByteStringObject(b"\xff\xfeZ\x00o\x00\xeb\x00"), "Zoë"),
        (ByteStringObject(b"\xef\xbb\xbfZo\xc3\xab"), "Zoë"),
        (NameObject("/Zoe"), "Zoe"),
        (NumberObject(42), "42"),
        (ArrayObject([TextStringObject("42")]), "42"),
        (TextStringObject("\u00a0４２ "), "42"),
        (TextStringObject("−8"), "-8"),
        (DictionaryObject(), ""),
    ],
)
def test_texts_come_in_every_encoding(raw: Any, wanted: str) -> None:
    """Texts come in every encoding."""

    def change(writer: PdfWriter) -> None:
        pads.widget(writer, "player__1")[NameObject("/V")] = raw

    assert one(pads.changed(change)).values["player"].lstrip("/") == wanted  # type: ignore[union-attr]


def test_utf_16_survives_a_round_through_a_file() -> None:
    """UTF-16 survives a round through a file."""
    assert one(pads.filled({"player__1": "Łódź 東"})).values["player"] == "Łódź 東"


def _tick(name: str, **entries: Any) -> bytes:
    def change(writer: PdfWriter) -> None:
        box = pads.widget(writer, name)
        for key, value in entries.items():
            if value is None:
                box.pop(f"/{key}", None)
            else:
                box[NameObject(f"/{key}")] = value

    return pads.changed(change)


def _states(*names: str) -> DictionaryObject:
    return DictionaryObject(
        {NameObject("/N"): DictionaryObject({NameObject(n): DictionaryObject() for n in names})}
    )


@pytest.mark.parametrize(
    ("entries", "wanted"),
    [
        ({"AS": NameObject("/Yes"), "V": NameObject("/Yes")}, True),
        ({"AS": NameObject("/1"), "V": NameObject("/1"), "AP": _states("/1", "/Off")}, True),
        ({"AS": NameObject("/S#ed"), "V": None, "AP": _states("/S#ed")}, True),
        ({"AS": NameObject("/Off"), "V": NameObject("/Off")}, False),
        ({"AS": None, "V": NameObject("/Yes")}, True),
        ({"AS": None, "V": TextStringObject("/Yes")}, True),
        ({"AS": None, "V": TextStringObject("Yes")}, True),
        ({"AS": None, "V": None}, False),
        ({"AS": NameObject("/On"), "V": NameObject("/On"), "AP": None}, True),
        ({"AS": None, "V": NameObject("/Nonsense")}, False),
        ({"AS": NameObject("/Yes"), "V": NameObject("/Yes"), "FT": None}, True),
    ],
)
def test_ticks_come_under_every_name(entries: dict[str, Any], wanted: bool) -> None:
    """Ticks come under every name."""
    assert one(_tick("roll_1__1", **entries)).values["roll_1"] is wanted


def test_what_is_seen_counts_and_a_value_that_differs_is_said() -> None:
    """What is seen counts and a value that differs is said."""
    sheet = one(_tick("roll_1__1", AS=NameObject("/Off"), V=NameObject("/Yes")))
    assert sheet.values["roll_1"] is False
    assert sheet.warnings == ("roll_1: its value says otherwise",)


def test_the_value_counts_where_viewers_draw_anew() -> None:
    """The value counts where viewers draw anew."""

    def change(writer: PdfWriter) -> None:
        pads.widget(writer, "roll_1__1")[NameObject("/V")] = NameObject("/Yes")
        form: Any = writer.root_object["/AcroForm"]
        form[NameObject("/NeedAppearances")] = BooleanObject(True)

    assert one(pads.changed(change)).values["roll_1"] is True


def test_a_state_on_a_text_is_no_tick() -> None:
    """A state on a text is no tick."""

    def change(writer: PdfWriter) -> None:
        field = pads.widget(writer, "red_1__1")
        field[NameObject("/AS")] = NameObject("/N")
        field[NameObject("/V")] = TextStringObject("7")

    assert one(pads.changed(change)).values["red_1"] == "7"


# -- links that programs lose ---------------------------------------------------------------------

FILLED: dict[str, str | bool] = {"red_1__1": "7", "red_2__1": "9", "roll_1__1": True}


def test_a_form_that_lists_one_field_has_all_that_are_on_its_pages() -> None:
    """A form that lists one field has all that are on its pages."""

    def change(writer: PdfWriter) -> None:
        form: Any = writer.root_object["/AcroForm"]
        form[NameObject("/Fields")] = ArrayObject(form["/Fields"][:1])

    assert values(one(pads.changed(change, pads.filled(FILLED)))) == {
        "red_1": "7",
        "red_2": "9",
        "roll_1": True,
    }


def test_a_file_that_lost_its_form_still_has_its_widgets() -> None:
    """A file that lost its form still has its widgets."""

    def change(writer: PdfWriter) -> None:
        del writer.root_object["/AcroForm"]

    sheet = one(pads.changed(change, pads.filled(FILLED)))
    assert len(values(sheet)) == 3
    assert sheet.identity is not None


def _split(writer: PdfWriter, *, linked: bool) -> Any:
    """Make a field and its widget two objects."""
    kid = pads.widget(writer, "red_1__1")
    parent = DictionaryObject({NameObject("/Kids"): ArrayObject([kid.indirect_reference])})
    for key in ("/T", "/FT", "/V"):
        parent[NameObject(key)] = kid.pop(key)
    reference = writer._add_object(parent)
    form: Any = writer.root_object["/AcroForm"]
    fields = form["/Fields"]
    fields[fields.index(kid.indirect_reference)] = reference
    if linked:
        kid[NameObject("/Parent")] = reference
    return kid


@pytest.mark.parametrize("linked", [True, False])
def test_a_widget_below_its_field_has_the_fields_value(linked: bool) -> None:
    """A widget below its field has the field's value."""
    data = pads.changed(lambda w: _split(w, linked=linked) and None, pads.filled(FILLED))
    assert values(one(data)) == {"red_1": "7", "red_2": "9", "roll_1": True}


def test_a_detached_widget_with_its_own_name_and_value_counts() -> None:
    """A detached widget with its own name and value counts."""

    def change(writer: PdfWriter) -> None:
        kid = _split(writer, linked=False)
        kid[NameObject("/T")] = TextStringObject("red_1__1")
        kid[NameObject("/FT")] = NameObject("/Tx")
        kid[NameObject("/V")] = TextStringObject("10")

    assert one(pads.changed(change, pads.filled(FILLED))).values["red_1"] == "10"


def test_fields_on_no_page_join_the_sheet_they_are_missing_on() -> None:
    """Fields on no page join the sheet they are missing on."""

    def change(writer: PdfWriter) -> None:
        page = writer.pages[0]
        page[NameObject("/Annots")] = ArrayObject(page["/Annots"][:40])  # type: ignore[index]

    sheet = one(pads.changed(change, pads.filled(FILLED)))
    assert len(values(sheet)) == 3
    assert len(sheet.values) == 143


def test_one_box_twice_with_two_values_is_said() -> None:
    """One box twice with two values is said."""

    def change(writer: PdfWriter) -> None:
        twin = DictionaryObject(pads.widget(writer, "red_1__1"))
        twin[NameObject("/V")] = TextStringObject("8")
        writer.pages[0]["/Annots"].append(writer._add_object(twin))  # type: ignore[attr-defined]

    sheet = one(pads.changed(change, pads.filled(FILLED)))
    assert sheet.values["red_1"] == "7"
    assert sheet.warnings == (
        "red_1 stands twice in the file, as '7' and as '8'; the first is taken",
    )


def test_the_last_of_several_updates_counts() -> None:
    """The last of several updates counts."""
    data = pads.filled(FILLED)
    for value in ("3", "4"):
        writer = PdfWriter(io.BytesIO(data), incremental=True)
        writer.update_page_form_field_values(
            writer.pages[0], {"red_1__1": value}, auto_regenerate=False
        )
        saved = io.BytesIO()
        writer.write(saved)
        assert saved.getvalue().startswith(data[:1000])
        data = saved.getvalue()
    assert data.count(b"%%EOF") > 2
    assert one(data).values["red_1"] == "4"


# -- pads taken apart and put together ------------------------------------------------------------


def test_pages_taken_out_of_a_pad_keep_their_copies() -> None:
    """Pages taken out of a pad keep their copies."""
    pad = pads.filled({"red_1__4": "7"}, pads.pad(copies=6))
    writer = PdfWriter()
    writer.add_page(PdfReader(io.BytesIO(pad)).pages[2])
    saved = io.BytesIO()
    writer.write(saved)
    sheets = read_form(saved.getvalue(), "x.pdf")
    assert [sheet.copy for sheet in sheets] == [4, 5, 6]
    assert values(sheets[0]) == {"red_1": "7"}
    assert all(sheet.identity for sheet in sheets)


def test_pads_put_together_stay_apart_though_their_fields_have_one_name() -> None:
    """Pads put together stay apart though their fields have one name."""
    writer = PdfWriter()
    for variant, value in (("lostdice", "7"), ("lostdice", "8"), ("keldice", "9")):
        writer.append(io.BytesIO(pads.filled({"red_1__1": value}, pads.pad(variant))))
    saved = io.BytesIO()
    writer.write(saved)
    sheets = read_form(saved.getvalue(), "x.pdf")
    # Each pad has a back, so its sheet is on an odd page.
    assert [(s.page, s.values["red_1"]) for s in sheets] == [(1, "7"), (3, "8"), (5, "9")]
    assert [s.identity and s.identity.variant for s in sheets] == [
        "lostdice",
        "lostdice",
        "keldice",
    ]


def test_a_lost_hidden_field_is_made_up_for_by_the_files_information() -> None:
    """A lost hidden field is made up for by the file's information."""

    def change(writer: PdfWriter) -> None:
        page = writer.pages[0]
        page[NameObject("/Annots")] = ArrayObject(page["/Annots"][1:])  # type: ignore[index]
        form: Any = writer.root_object["/AcroForm"]
        form[NameObject("/Fields")] = ArrayObject(form["/Fields"][1:])

    data = pads.changed(change, pads.filled(FILLED))
    identity = one(data).identity
    assert identity is not None
    assert identity.variant == "lostdice"


# -- files that are no forms of ours --------------------------------------------------------------


def _encrypted(user: str, owner: str) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pads.filled(FILLED))))
    writer.encrypt(user, owner, algorithm="RC4-128")
    saved = io.BytesIO()
    writer.write(saved)
    return saved.getvalue()


def test_an_encrypted_file_wants_its_password() -> None:
    """An encrypted file wants its password."""
    data = _encrypted("secret", "owner")
    assert refused(data) == "the file is encrypted"
    assert refused(data, "wrong") == "the password is wrong"
    (sheet,) = read_form(data, "x.pdf", "secret")
    assert len(values(sheet)) == 3


def test_a_file_that_is_only_protected_is_read() -> None:
    """A file that is only protected is read."""
    assert len(values(one(_encrypted("", "owner")))) == 3


def test_a_plain_pdf_is_no_form() -> None:
    """A plain PDF is no form."""
    ready = pads.prepared("lostdice")
    from sheetgen.draw.pdf import pdf
    from sheetgen.impose import alone

    plain = pdf(ready.front, None, alone(ready.front.size), ready.style.fonts)
    assert refused(plain) == "a PDF without form fields"


def test_somebody_elses_form_is_not_ours() -> None:
    """Somebody else's form is not ours."""

    def change(writer: PdfWriter) -> None:
        for reference in writer.pages[0]["/Annots"]:  # type: ignore[attr-defined]
            field = reference.get_object()
            field[NameObject("/T")] = TextStringObject(field["/T"].replace("__", "-"))

    found = "a form of 144 fields, none of which is a box of a sheet"
    assert refused(pads.changed(change)) == found


def test_an_xfa_form_is_explained() -> None:
    """An XFA form is explained."""

    def change(writer: PdfWriter) -> None:
        form: Any = writer.root_object["/AcroForm"]
        form[NameObject("/XFA")] = TextStringObject("<xdp/>")
        form[NameObject("/Fields")] = ArrayObject()
        del writer.pages[0]["/Annots"]

    assert refused(pads.changed(change)).startswith("an XFA form")


def test_a_flattened_file_is_not_blank_but_refused() -> None:
    """A flattened file is not blank but refused."""

    def change(writer: PdfWriter) -> None:
        writer.remove_annotations("/Widget")
        del writer.root_object["/AcroForm"]

    assert "flattened" in refused(pads.changed(change, pads.filled(FILLED)))


def test_sheets_that_lost_boxes_are_refused_rather_than_read_as_empty() -> None:
    """Sheets that lost boxes are refused rather than read as empty."""

    def change(writer: PdfWriter) -> None:
        page = writer.pages[0]
        page[NameObject("/Annots")] = ArrayObject(page["/Annots"][:40])  # type: ignore[index]
        form: Any = writer.root_object["/AcroForm"]
        form[NameObject("/Fields")] = ArrayObject(form["/Fields"][:40])

    with pytest.raises(InputError, match="104 of 143 boxes are missing"):
        match(pads.changed(change, pads.filled(FILLED)))


# -- hostile files --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"%PDF-",
        b"%PDF-1.7\n%%EOF",
        b"PK\x03\x04",
        b"\0" * 5000,
        b"%PDF-1.7\n" + b"<<" * 100_000,
    ],
)
def test_what_is_no_pdf_is_refused(data: bytes) -> None:
    """What is no PDF is refused."""
    refused(data)


def _pdf(*objects: bytes, trailer: bytes = b"/Root 1 0 R") -> bytes:
    out, places = bytearray(b"%PDF-1.7\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    return bytes(
        out + b"trailer<</Size %d%b>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, trailer, start)
    )


CATALOG = b"<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]>>>>"
PAGES = b"<</Type/Pages/Kids[3 0 R]/Count 1>>"
PAGE = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Annots[4 0 R]>>"

HOSTILE = {
    "xref loop": _pdf(CATALOG, PAGES, PAGE, b"<<>>", trailer=b"/Root 1 0 R/Prev 9"),
    "page tree loop": _pdf(CATALOG, b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2>>"),
    "parent loop": _pdf(CATALOG, PAGES, PAGE, b"<</Subtype/Widget/Parent 4 0 R/T(x)>>"),
    "kids loop": _pdf(CATALOG, PAGES, PAGE, b"<</Subtype/Widget/Kids[4 0 R 4 0 R]/T(x)>>"),
    "a reference to itself": _pdf(CATALOG, PAGES, PAGE, b"4 0 R"),
    "deep": _pdf(CATALOG, PAGES, PAGE, b"<</T(x)/V " + b"[" * 50_000 + b"]" * 50_000 + b">>"),
    "no catalog": _pdf(b"[]", PAGES),
    "pages of nothing": _pdf(b"<</Type/Catalog/Pages 7 0 R>>"),
    "many fields": _pdf(
        b"<</Type/Catalog/Pages 2 0 R>>",
        PAGES,
        b"<</Type/Page/Parent 2 0 R/Annots[" + b"4 0 R " * 100_000 + b"]>>",
        b"<</Subtype/Widget/T(red_1__1)/FT/Tx>>",
    ),
    "many different fields": _pdf(
        b"<</Type/Catalog/Pages 2 0 R>>",
        PAGES,
        b"<</Type/Page/Parent 2 0 R/Annots["
        + b"".join(b"<</Subtype/Widget/FT/Tx/T(red_%d__1)>>" % n for n in range(100_000))
        + b"]>>",
    ),
    "many pages": _pdf(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count 90000/Kids[" + b"3 0 R " * 90_000 + b"]>>",
        b"<</Type/Page/Parent 2 0 R>>",
    ),
    "a bomb": _pdf(
        b"<</Type/Catalog/Pages 2 0 R>>",
        PAGES,
        b"<</Type/Page/Parent 2 0 R/Annots[4 0 R]>>",
        b"<</Subtype/Widget/FT/Tx/T(red_1__1)/V 5 0 R>>",
        b"<</Length %d/Filter/FlateDecode>>\nstream\n%b\nendstream"
        % (len(bomb := zlib.compress(b"7" * 300_000_000, 9)), bomb),
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_end_in_an_error_in_time(name: str) -> None:
    """Hostile files end in an error in time."""
    refused(HOSTILE[name])


def test_the_limit_of_fields_is_above_what_is_printed() -> None:
    """The limit of fields is above what is printed."""
    assert MOST_FIELDS >= 83 * 144


def test_a_large_pad_is_read_in_time() -> None:
    """A large pad is read in time."""
    data = pads.pad(copies=83)
    start = time.monotonic()
    assert len(read_form(data, "x.pdf")) == 83
    assert time.monotonic() - start < SECONDS


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_file_damaged_anywhere_is_read_or_refused(data: st.DataObject) -> None:
    """A file damaged anywhere is read or refused."""
    file = bytearray(pads.pad())
    if data.draw(st.booleans()):
        del file[data.draw(st.integers(0, len(file) - 1)) :]
    for _ in range(data.draw(st.integers(1, 20))):
        if file:
            file[data.draw(st.integers(0, len(file) - 1))] = data.draw(st.integers(0, 255))
    start = time.monotonic()
    try:
        sheets = read_form(bytes(file), "x.pdf")
    except InputError:
        sheets = []
    assert all(isinstance(sheet, FormSheet) for sheet in sheets)
    assert time.monotonic() - start < SECONDS


def test_texts_are_cleaned_of_what_is_not_seen() -> None:
    """Texts are cleaned of what is not seen."""
    assert clean(" \u200e１２\u00a0 – ") == "12 -"
    assert pypdfium2.PdfDocument(pads.pad())  # the engine itself takes our files
