from __future__ import annotations

import hashlib
import io
import os
import shutil
import subprocess
import sys
from pathlib import Path as File
from typing import Any

import pypdfium2
import pytest
from drawn import SANS, SHEET, alone, block, fonts, ink, look, pairs, picture, sheet, words
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PageObject, PdfReader

from sheetgen.draw.pdf import pdf
from sheetgen.geometry import Affine, Rect, Size
from sheetgen.impose import Duplex, Imposition, Page
from sheetgen.scene import Item, Paint, Path, line, rectangle

PX_PER_MM = 150 / 25.4


def read(file: bytes) -> PdfReader:
    """Open a file with a reader that tolerates nothing."""
    return PdfReader(io.BytesIO(file), strict=True)


def resources(page: PageObject) -> Any:
    """Return what a page draws with."""
    return page["/Resources"]


def draw(*items: Item) -> bytes:
    """Return a sheet with these items, without paper around it."""
    return pdf(sheet(*items), None, alone(), fonts())


def operators(file: bytes) -> str:
    """Return how the sheet is drawn."""
    return str(resources(read(file).pages[0])["/XObject"]["/front"].get_data().decode())


def streams(file: bytes) -> int:
    """Count the streams of a file."""
    return file.count(b"\nendstream")


def font_objects(file: bytes) -> dict[str, Any]:
    """Return the fonts by name, each with its descriptor."""
    fonts = resources(read(file).pages[0])["/XObject"]["/front"]["/Resources"]["/Font"]
    return {str(fonts[key]["/BaseFont"]): fonts[key] for key in fonts}


class TestPages:
    """Pages, their boxes and the sheets on them."""

    def test_every_page_has_its_boxes(self) -> None:
        """Media box and trim box are right on every page, in points with y up."""
        reader = read(pdf(sheet(), None, pairs(7), fonts()))
        assert len(reader.pages) == 4
        for page in reader.pages:
            # 120 mm × 140 mm; the trim lies 10 mm inside: 10 mm = 28.346 pt
            assert [float(v) for v in page.mediabox] == [0, 0, 340.157, 396.85]
            assert [float(v) for v in page.trimbox] == [28.346, 28.346, 311.811, 368.504]

    def test_trim_box_is_flipped(self) -> None:
        """A trim nearer to the top of the paper is nearer to the top in the file."""
        pad = alone()._replace(paper=Size(100, 100), trim=Rect(0, 10, 100, 60))
        page = read(pdf(sheet(), None, pad, fonts())).pages[0]
        # 100 mm - 10 mm - 60 mm = 30 mm below, 90 mm to the upper edge
        assert [float(v) for v in page.trimbox] == [0, 85.039, 283.465, 255.118]

    def test_sheet_is_drawn_once(self) -> None:
        """Pages that look alike share one content, and the sheet is one object in all of them."""
        reader = read(pdf(sheet(block(1, 1, 5, 5)), None, pairs(101), fonts()))
        contents = [page.raw_get("/Contents").idnum for page in reader.pages]
        assert len(contents) == 51
        assert len(set(contents)) == 2, "full pages, and the last one with an empty slot"
        forms = {resources(page)["/XObject"].raw_get("/front").idnum for page in reader.pages}
        assert len(forms) == 1
        drawn = [page.get_contents() for page in reader.pages]
        sheets = [
            content.get_data().count(b"/front Do") for content in drawn if content is not None
        ]
        assert sheets == [2] * 50 + [1]

    def test_drawing_does_not_grow_with_pages(self) -> None:
        """More copies add page entries, in packs of 200 objects, and no drawing."""
        few, many = (pdf(sheet(words("A")), None, pairs(n), fonts()) for n in (20, 2000))
        # 990 more pages and 4 more nodes, 200 objects a stream
        assert streams(many) - streams(few) == 5
        assert len(many) - len(few) < 990 * 20

    def test_five_thousand_pages_are_a_small_file(self) -> None:
        """10,000 copies fit into half a megabyte and open with every page in its place."""
        file = pdf(sheet(words("A")), None, pairs(10_000), fonts())
        assert len(file) < 100_000
        reader = read(file)
        assert len(reader.pages) == 5000
        assert [float(v) for v in reader.pages[4999].mediabox] == [0, 0, 340.157, 396.85]
        with pypdfium2.PdfDocument(file) as document:
            assert len(document) == 5000
            assert document[4999].get_textpage().get_text_bounded().split() == ["A", "A"]

    @pytest.mark.parametrize("pages", [1, 199, 200, 201, 400])
    def test_page_tree_is_balanced(self, pages: int) -> None:
        """No node has more than 200 kids, and the counts add up."""
        catalog: Any = read(pdf(sheet(), None, pairs(2 * pages), fonts())).trailer["/Root"]
        root = catalog["/Pages"]
        seen = 0
        waiting = [root]
        while waiting:
            node = waiting.pop()
            if node["/Type"] == "/Page":
                seen += 1
                continue
            kids = [kid.get_object() for kid in node["/Kids"]]
            assert 1 <= len(kids) <= 200
            assert sum(kid.get("/Count", 1) for kid in kids) == node["/Count"]
            assert all(kid["/Parent"] == node for kid in kids)
            waiting += kids
        assert seen == root["/Count"] == pages

    def test_a_third_level_of_the_tree(self) -> None:
        """40,001 pages need one level more than 40,000, and are all found."""
        file = pdf(sheet(), None, pairs(80_002), fonts())
        with pypdfium2.PdfDocument(file) as document:
            assert len(document) == 40_001
            assert document[40_000].get_width() == pytest.approx(340.157)

    def test_back_goes_where_it_is_turned_to(self) -> None:
        """A slot's half turn brings a mark at the sheet's top left to the slot's lower right."""
        pad = alone()._replace(
            paper=Size(120, 80),
            front=(Affine.shift(10, 10),),
            back=(Affine.half_turn(10, 10, SHEET),),
            pages=(Page("front", (1,)), Page("back", (1,))),
            duplex="short",
            trim=Rect(10, 10, 100, 60),
        )
        file = pdf(sheet(block(0, 0, 20, 10)), sheet(block(0, 0, 20, 10)), pad, fonts())
        expected = [(10, 10, 30, 20), (90, 60, 110, 70)]
        for page, box in enumerate(expected):
            assert ink(look(file, page=page)) == pytest.approx(
                [mm * PX_PER_MM for mm in box], abs=1
            )

    def test_missing_back_is_blank(self) -> None:
        """A back page without a back to print is an empty page."""
        pad = alone()._replace(
            back=(Affine.shift(0, 0),), pages=(Page("front", (1,)), Page("back", (1,)))
        )
        file = pdf(sheet(block(0, 0, 20, 10)), None, pad, fonts())
        assert look(file, page=1).getextrema() == (255, 255)

    def test_marks_lie_on_the_fronts(self) -> None:
        """Marks are drawn once for all pages, in the paper's millimetres, on fronts only."""
        mark = Path(rectangle(Rect(2, 3, 4, 5)), Paint(fill="#000000"), "cut")
        pad = pairs(4, (mark,))._replace(back=pairs(4).front)
        pad = pad._replace(pages=(*pad.pages, Page("back", (1, 2))))
        file = pdf(sheet(), sheet(), pad, fonts())
        assert ink(look(file)) == pytest.approx([mm * PX_PER_MM for mm in (2, 3, 6, 8)], abs=1)
        assert look(file, page=2).getextrema() == (255, 255)

    def test_ink_outside_the_sheet_is_cut_off(self) -> None:
        """A sheet does not reach into its neighbour."""
        file = pdf(sheet(block(90, 50, 50, 50)), None, pairs(1), fonts())
        # the sheet ends at 10 + 100 = 110 mm and 10 + 60 = 70 mm
        assert ink(look(file)) == pytest.approx(
            [mm * PX_PER_MM for mm in (100, 60, 110, 70)], abs=1
        )


class TestDocument:
    """What concerns the file as a whole."""

    @pytest.mark.parametrize(
        ("duplex", "name"),
        [
            ("none", "/Simplex"),
            ("long", "/DuplexFlipLongEdge"),
            ("short", "/DuplexFlipShortEdge"),
        ],
    )
    def test_printer_is_told(self, duplex: Duplex, name: str) -> None:
        """The printer neither scales nor chooses how to flip."""
        root: Any = read(pdf(sheet(), None, alone()._replace(duplex=duplex), fonts())).trailer[
            "/Root"
        ]
        preferences = root["/ViewerPreferences"]
        assert preferences["/PrintScaling"] == "/None"
        assert preferences["/Duplex"] == name
        assert preferences["/DisplayDocTitle"].value is True

    @pytest.mark.parametrize("title", ["Lost Dice", "A (b) \\ <c> & $", "Žlutá 黄 💎", "Ω"])
    def test_title_and_language(self, title: str) -> None:
        """The title reads as typed, whatever is in it."""
        reader = read(pdf(sheet(title=title, language="cs"), None, alone(), fonts()))
        root: Any = reader.trailer["/Root"]
        assert reader.metadata is not None
        assert (reader.metadata.title, root["/Lang"]) == (title, "cs")

    def test_bytes_do_not_depend_on_circumstances(self, tmp_path: File) -> None:
        """Another hash seed, time zone, folder and process give the same bytes."""
        script = (
            f"import sys; sys.path.insert(0, {str(File(__file__).parent)!r})\n"
            "from test_draw_pdf import sample; import hashlib\n"
            "print(hashlib.sha256(sample()).hexdigest())"
        )
        digests = {hashlib.sha256(sample()).hexdigest()}
        for seed, zone in (("1", "Asia/Tokyo"), ("2", "America/Lima")):
            root = str(File(__file__).parents[2])
            environment = os.environ | {"PYTHONHASHSEED": seed, "TZ": zone, "PYTHONPATH": root}
            run = [sys.executable, "-c", script]
            out = subprocess.run(
                run, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True
            )
            digests.add(out.stdout.strip())
        assert len(digests) == 1

    def test_drawing_twice_gives_the_same_bytes(self) -> None:
        """Fonts that were used before are as good as new."""
        used = fonts()
        scene = sheet(words("Abc"))
        first = pdf(scene, None, alone(), used)
        pdf(sheet(words("Xyz")), None, alone(), used)
        assert pdf(scene, None, alone(), used) == first

    def test_identity_follows_content(self) -> None:
        """The file's /ID changes when anything drawn changes."""
        ids = {str(read(draw(words(text))).trailer["/ID"]) for text in ("a", "b")}
        assert len(ids) == 2

    @pytest.mark.skipif(not shutil.which("qpdf"), reason="qpdf is not installed")
    @pytest.mark.parametrize("copies", [1, 401])
    def test_qpdf_has_no_complaint(self, tmp_path: File, copies: int) -> None:
        """A strict reader finds no fault with the file."""
        file = tmp_path / "pad.pdf"
        file.write_bytes(pdf(sheet(words("Řeka")), None, pairs(copies), fonts()))
        subprocess.run(["qpdf", "--check", file], capture_output=True, check=True)


def sample() -> bytes:
    """Return a file with all that could depend on circumstances."""
    pad = pairs(9, (block(2, 2, 3, 1),))
    items = (block(1, 1, 2, 2), words("Řeka"), words("Ελλάδα", angle=90))
    return pdf(sheet(*items, title="Ř"), None, pad, fonts())


class TestFonts:
    """Letters and the fonts they come from."""

    def test_used_fonts_are_embedded_once(self) -> None:
        """Each font in use is one embedded subset; the others and the base fonts are not there."""
        bold = words("B")._replace(font="bold")
        file = draw(words("A"), bold, words("C"), bold)
        found = font_objects(file)
        assert sorted(found) == ["/AAAAAA+SourceSansPro-Bold", "/AAAAAA+SourceSansPro-Regular"]
        for font in found.values():
            assert font["/Subtype"] == "/TrueType"
            data = font["/FontDescriptor"]["/FontFile2"].get_data()
            assert len(data) < 20_000, "the whole font has 290,000 bytes"
        assert b"Helvetica" not in file

    def test_no_text_no_font(self) -> None:
        """A sheet without words carries no font."""
        assert font_objects(draw(block(1, 1, 2, 2))) == {}

    def test_one_file_under_two_names_is_embedded_once(self) -> None:
        """Two roles may share a font file."""
        used = fonts(body=SANS / "SourceSansPro-Regular.ttf")
        items = (words("A"), words("B")._replace(font="body"))
        assert len(font_objects(pdf(sheet(*items), None, alone(), used))) == 1

    def test_two_files_of_one_name_are_told_apart(self, tmp_path: File) -> None:
        """A copy of a font, with the same name inside, does not stand in for the original."""
        copy = tmp_path / "copy.ttf"
        copy.write_bytes((SANS / "SourceSansPro-Regular.ttf").read_bytes())
        items = (words("A"), words("B")._replace(font="other"))
        file = pdf(sheet(*items), None, alone(), fonts(other=copy))
        assert len(font_objects(file)) == 2
        assert read(file).pages[0].extract_text().split() == ["AB"]

    def test_next_job_has_its_own_fonts(self) -> None:
        """A font of an earlier job does not stand in for a later one of the same name."""
        draw(words("A"))
        other = fonts(sans=SANS / "SourceSansPro-Black.ttf")
        file = pdf(sheet(words("A")), None, alone(), other)
        assert list(font_objects(file)) == ["/AAAAAA+SourceSansPro-Black"]

    @pytest.mark.parametrize(
        "string",
        ["Řeka", "Žlutá", "Жёлтый", "Ελλάδα", "a & b", "<i>x</i>", "$5 (x) \\n", "−×–…", "fi ffl"],
    )
    def test_text_is_extracted_as_typed(self, string: str) -> None:
        """What was typed can be searched and copied."""
        file = draw(words(string))
        assert read(file).pages[0].extract_text().strip() == string
        with pypdfium2.PdfDocument(file) as document:
            assert document[0].get_textpage().get_text_bounded() == string

    def test_more_letters_than_one_encoding_holds(self) -> None:
        """300 different letters of one font all come out, through as many subsets as needed."""
        face = fonts()["sans"]
        letters = [chr(code) for code in range(0x21, 0x24F) if face.has(chr(code))][:300]
        assert len(letters) == 300
        lines = ["".join(letters[start : start + 30]) for start in range(0, 300, 30)]
        items = (words(string, y=5 + 5 * row, x=1) for row, string in enumerate(lines))
        file = draw(*items)
        with pypdfium2.PdfDocument(file) as document:
            # a no-break space is a space, and a soft hyphen may be taken out
            text = document[0].get_textpage().get_text_bounded()
        assert set(letters) - set(text) <= {"\xa0", "\xad"}
        assert len(font_objects(file)) == 2

    @given(st.text(st.characters(min_codepoint=0x21, max_codepoint=0x17E), min_size=1, max_size=12))
    @settings(max_examples=60, deadline=None)
    def test_any_word_survives(self, string: str) -> None:
        """Whatever letters of the font a word is made of, it is extracted as typed."""
        face = fonts()["sans"]
        string = "".join(c for c in string if face.has(c) and c not in "\xa0\xad")
        assert read(draw(words(string))).pages[0].extract_text().strip() == string


class TestDrawing:
    """Where ink lands."""

    def test_hundred_millimetres(self) -> None:
        """100 mm in the scene are 283.46 pt in the file."""
        path = Path(line(0, 60, 100, 60), Paint(stroke="#000000", width=0.5), "cut")
        assert "0 0 m 283.465 0 l S" in operators(draw(path))

    @given(st.floats(0, 80), st.floats(0, 50), st.floats(1, 20), st.floats(1, 10))
    @settings(max_examples=25, deadline=None)
    def test_rectangle_lands_where_it_should(
        self, x: float, y: float, width: float, height: float
    ) -> None:
        """A filled rectangle covers its pixels at 150 dpi, give or take one."""
        size = Size(600 / PX_PER_MM, 360 / PX_PER_MM)
        scene = sheet(block(x, y, width, height))._replace(size=size)
        box = [mm * PX_PER_MM for mm in (x, y, x + width, y + height)]
        assert ink(look(pdf(scene, None, alone(size), fonts()))) == pytest.approx(box, abs=1)

    def test_colours(self) -> None:
        """Colours are those of the scene, in fills, lines and letters."""
        path = Path(rectangle(Rect(10, 10, 20, 20)), Paint("#336699", "#ff0000", 2), "box")
        drawn = operators(draw(path, words("A")._replace(colour="#00ff80")))
        # 0x33 / 255 = 0.2, 0x66 / 255 = 0.4, 0x99 / 255 = 0.6, 0x80 / 255 = 0.502
        assert drawn.startswith("0.2 0.4 0.6 rg 1 0 0 RG 2 w 0 J 0 j [] 0 d")
        assert "BT 0 1 0.502 rg" in drawn

    def test_inner_outline_is_a_hole(self) -> None:
        """A ring is filled by the even-odd rule even if both outlines turn the same way."""
        ring = rectangle(Rect(10, 10, 40, 40)) + rectangle(Rect(20, 20, 20, 20))
        image = picture(sheet(Path(ring, Paint(fill="#000000"), "box")))
        place = [round(mm * PX_PER_MM) for mm in (15, 30, 45)]
        assert [image.getpixel((x, place[1])) for x in place] == [0, 255, 0]

    def test_dashes_are_millimetres(self) -> None:
        """A line of 4 mm on, 2 mm off is dark at 2 mm and 8 mm and light at 5 mm and 11 mm."""
        path = Path(line(0, 30, 60, 30), Paint(stroke="#000000", width=3, dash=(4, 2)), "fold")
        image = picture(sheet(path))
        places = [(round(mm * PX_PER_MM), round(30 * PX_PER_MM)) for mm in (2, 5, 8, 11)]
        assert [image.getpixel(place) for place in places] == [0, 255, 0, 255]

    def test_dash_ends_with_its_path(self) -> None:
        """The line after a dashed one is solid again, and its ends are butt."""
        dashed = Paint(stroke="#000000", width=3, dash=(4, 2), round=True)
        solid = Paint(stroke="#000000", width=3)
        paths = (Path(line(0, 9, 60, 9), dashed, "a"), Path(line(20, 30, 60, 30), solid, "b"))
        image = picture(sheet(*paths)).crop((0, 100, 590, 354))
        left, top, right, lower = ink(image)
        assert (left, right) == pytest.approx((20 * PX_PER_MM, 60 * PX_PER_MM), abs=1)
        middle = image.crop((left + 1, top, right - 1, lower - 1))
        assert max(middle.tobytes()) < 255

    def test_round_ends_reach_over(self) -> None:
        """Round caps add half the line's width at both ends."""
        paint = Paint(stroke="#000000", width=72 / 25.4 * 6, round=True)
        box = ink(picture(sheet(Path(line(20, 30, 60, 30), paint, "a"))))
        # 6 mm wide: 3 mm more to each side
        assert box == pytest.approx([mm * PX_PER_MM for mm in (17, 27, 63, 33)], abs=1)

    def test_line_without_width_is_not_drawn(self) -> None:
        """A width of 0 means no line, not the thinnest the printer can do."""
        path = Path(line(0, 30, 60, 30), Paint(stroke="#000000"), "a")
        assert picture(sheet(path)).getextrema() == (255, 255)

    def test_turned_text_reads_upwards(self) -> None:
        """At 90 degrees a text is the level one turned left about the start of its baseline."""
        level = ink(picture(sheet(words("Total", x=50, y=30))))
        turned = ink(picture(sheet(words("Total", x=50, y=30, angle=90))))
        x, y = 50 * PX_PER_MM, 30 * PX_PER_MM
        left, top, right, lower = level
        expected = (x + top - y, y - (right - x), x + lower - y, y - (left - x))
        assert turned == pytest.approx(expected, abs=1.5)

    def test_tracking_widens(self) -> None:
        """Tracking of 0.1 em adds 0.1 em after each letter but the last, as layout measures it."""
        plain, spaced = (
            ink(picture(sheet(words("HHHHH", x=10, tracking=em)))) for em in (0.0, 0.1)
        )
        # 4 gaps of 0.1 × 12 pt = 4.8 pt
        assert spaced[2] - plain[2] == pytest.approx(4.8 / 72 * 150, abs=1)

    def test_text_is_as_wide_as_measured(self) -> None:
        """The ink of a word fills the width that layout reckons with."""
        width = fonts()["sans"].width("HxxxxH", 12)
        left, _, right, _ = ink(picture(sheet(words("HxxxxH", x=10))))
        # the two sides of an H are less than 0.1 em = 0.42 mm
        assert left / PX_PER_MM == pytest.approx(10, abs=0.5)
        assert right / PX_PER_MM == pytest.approx(10 + width, abs=0.5)


def test_imposition_places_any_affine_map() -> None:
    """A quarter turn in a slot is followed, too."""
    size = Size(60, 100)
    # (x, y) -> (60 - y, x)
    pad = Imposition(
        size,
        SHEET,
        (Affine(0, 1, -1, 0, 60, 0),),
        (),
        (Page("front", (1,)),),
        (),
        "none",
        Rect(0, 0, *size),
    )
    file = pdf(sheet(block(10, 20, 30, 5)), None, pad, fonts())
    # corners (10, 20) and (40, 25) become (40, 10) and (35, 40)
    assert ink(look(file)) == pytest.approx([mm * PX_PER_MM for mm in (35, 10, 40, 40)], abs=1)
