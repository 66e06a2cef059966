"""Variant files as people write them: what prints as typed, and what is refused and where."""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Mapping
from pathlib import Path

import pypdf
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from test_cli import PLAIN, _folder, refused, tool

__all__ = ["_folder"]  # the fixture works here too

WORDS = "- text: Words"


def plain(changes: Mapping[str, str]) -> str:
    """Return the plain variant with parts of it replaced."""
    text = PLAIN
    for old, new in changes.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


def printed(text: str | bytes, *options: str) -> pypdf.PdfReader:
    """Print a variant from stdin, which must work, and return the PDF."""
    data = text.encode() if isinstance(text, str) else text
    answer = tool("print", "-", "-o", "-", *options, stdin=data)
    assert answer.code == 0, answer.err
    return pypdf.PdfReader(io.BytesIO(answer.out), strict=True)


def lines(text: str | bytes, *options: str) -> list[str]:
    """Return the lines that a reader of the first page finds."""
    return printed(text, *options).pages[0].extract_text().splitlines()


def font(path: Path, letters: str) -> None:
    """Write a TrueType font whose glyphs are squares."""
    pen = TTGlyphPen(None)
    pen.moveTo((100, 0))
    for point in ((100, 700), (800, 700), (800, 0)):
        pen.lineTo(point)
    pen.closePath()
    square = pen.glyph()
    names = [".notdef", *(f"square{number}" for number in range(len(letters)))]
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap(dict(zip(map(ord, letters), names[1:], strict=True)))
    builder.setupGlyf(dict.fromkeys(names, square))
    builder.setupHorizontalMetrics(dict.fromkeys(names, (900, 100)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Squares", "styleName": "Regular", "psName": "Squares"})
    builder.setupOS2()
    builder.setupPost()
    builder.save(path)


# -- words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        "Řeka Žlutá šťáva",
        "Жёлтый Україна",
        "Ελλάδα",
        "a & b < c > d; &amp; <b>x</b>",
        "$$ ${HOME} $20 50 % \\n",
        "→ x2 · ½ × − … „quoted“ ﬁ",
        "NO",
        "ON",
        "Off",
        "~ null",
        "1:30",
        "10:00",
        "2024-05-01",
        "1:6",
        "1e1",
        "2_0",
        "010",
        "0510210600",
        "0x1F",
        ".nan",
        "+1.50",
        "true",
        "=cmd",
        "a, b",
        "it''s [ours]",
    ],
)
def test_words_print_as_typed(words: str) -> None:
    """What a reader extracts from the PDF is what stands in the file, quoted or not."""
    found = lines(plain({WORDS: f"- text: {words}", "label: Total": f"label: '{words}'"}))
    assert words in found
    assert words.replace("''", "'").upper() in found


def test_line_breaks_in_words_are_kept() -> None:
    """A line break in a text that may have several lines breaks the line."""
    assert lines(plain({WORDS: '- text: "one\\ntwo"'}))[1:3] == ["one", "two"]


@pytest.mark.parametrize(
    ("place", "at"),
    [(WORDS, "18:15"), ("title: Plain", ""), ("label: Player", ""), ("label: Total", "")],
)
@pytest.mark.parametrize(("letter", "code"), [("黄", "U+9EC4"), ("💎", "U+1F48E"), ("ไ", "U+0E44")])
def test_letters_that_no_font_has_are_named(place: str, at: str, letter: str, code: str) -> None:
    """The line names the file, the place, the character, its code point and what helps."""
    before, _, _ = place.partition(": ")
    text = plain({place: f"{before}: a{letter}"})
    (line,) = set(refused("print", "-", stdin=text.encode()))
    assert re.match(rf"stdin:{at or '[1-9][0-9]*:[0-9]+'}: [a-z]", line)
    assert f"no font has '{letter}' ({code} " in line
    assert "--font FILE" in line


def test_a_font_of_the_users_own_helps() -> None:
    """Chinese and emoji print with a font that has them, embedded once and for all sheets."""
    font(Path("squares.ttf"), "黄💎Q")
    text = plain({WORDS: "- text: 黄 Q 💎"})
    reader = printed(text, "--font", "squares.ttf", "--copies", "100")
    assert "黄 Q 💎" in reader.pages[0].extract_text().splitlines()
    assert len(reader.pages) == 25
    embedded = [
        str(found["/BaseFont"])
        for number in range(1, len(reader.xref_objStm) + 1)
        if isinstance(found := reader.get_object(number), pypdf.generic.DictionaryObject)
        and found.get("/Type") == "/Font"
        and "Squares" in str(found.get("/BaseFont"))
    ]
    assert len(embedded) == 1
    assert re.fullmatch(r"/[A-Z]{6}\+Squares", embedded[0])


def test_a_font_that_claims_too_much_is_refused() -> None:
    """A broken table that counts letters by the billion costs no time and no memory."""
    font(Path("squares.ttf"), "黄💎Q")
    data = Path("squares.ttf").read_bytes()
    group = struct.pack(">LL", ord("💎"), ord("💎"))
    assert data.count(group) == 1
    huge = data.replace(group, struct.pack(">LL", ord("💎"), 0xFFFFFFFF))
    Path("huge.ttf").write_bytes(huge)
    (line,) = refused("print", "my.yaml", "--font", "huge.ttf")
    assert "huge.ttf: not a TrueType font that can be read" in line
    assert "its table of characters is broken" in line


@pytest.mark.parametrize(
    ("words", "code"),
    [("שלום", "U+05E9"), ("مرحبا", "U+0645"), ("x ١", "U+0661"), ("a\u0301", "U+0301")],
)
@pytest.mark.parametrize("place", [WORDS, "title: Plain", "label: Player", "label: Total"])
def test_scripts_that_would_come_out_wrong_are_refused(place: str, words: str, code: str) -> None:
    """Right-to-left words and combining marks are refused with their place, never reversed."""
    text = plain({place: f"{place.partition(': ')[0]}: {words}"})
    found = refused("print", "-", stdin=text.encode())
    assert all(re.match(r"stdin:[0-9]+:[0-9]+: .*cannot be set right yet", line) for line in found)
    assert code in found[0]


@pytest.mark.parametrize(
    "changes",
    [
        {WORDS: f"- text: {'W' * 60}"},
        {"title: Plain": f"title: {'x' * 300}"},
        {"label: Player": f"label: {'W' * 40}"},
        {"label: Total": f"label: {'W' * 80}"},
        {"size: 100x100\n    fields": "size: 25x100\n    fields"},
        {"id: total, label: Total": "id: total, height: 300, label: Total"},
        {WORDS: f"- row: [{', '.join(['{total: {id: t, label: T, width: 12}}'] * 12)}]"},
    ],
)
def test_what_does_not_fit_is_refused(changes: dict[str, str]) -> None:
    """The line says what is needed and how many millimetres are missing; nothing overlaps."""
    text = plain(changes)
    found = refused("print", "-", stdin=text.encode())
    assert all(re.match(r"stdin:[0-9]+:[0-9]+: ", line) for line in found)
    assert any(re.search(r"needs [0-9.]+ mm and has [0-9.]+ mm", line) for line in found)


# -- files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"id: plain": "id: ../../x"}, [":2:5: id: found '../../x'"]),
        ({"id: plain": "id: CON"}, [":2:5: id: found 'CON'"]),
        ({"id: plain": 'id: "x\\n"'}, [":2:5: id: found"]),
        ({"id: plain": f"id: {'a' * 300}"}, [":2:5: id: found 'aaa", "…'"]),
        ({"players: 1-4": "players: 1-4\nplayers: 2"}, ["'players' stands twice", "lines 8 and 9"]),
        ({"  score:": "  1: x\n  1.0: y\n  score:"}, ["'1' and '1.0' are one number"]),
        ({"  score:": "\tscore:"}, [":12:1: a tab stands here, use spaces"]),
        ({"title: Plain": "title: it's: ours"}, [":4:", "quotes"]),
        ({"title: Plain": "title: @"}, [":4:8: ", "quotes"]),
        ({"title: Plain": "title: %"}, [":4:8: ", "quotes"]),
        ({"languages: [en, cs]": "languages: [en, cs"}, [":6:12: '[' opened here is never closed"]),
        ({"title: Plain": "title: &t [*t]"}, [":4:12: '*t' refers to itself"]),
        ({"title: Plain": "title: !!python/object/apply:os.getcwd []"}, [":4:8: the tag "]),
        ({"title: Plain": "title: !Custom x"}, [":4:8: the tag '!Custom' is not allowed"]),
        ({"title: Plain": 'title: "\\e[31m"'}, [":4:8: ", "(U+001B) cannot be printed"]),
        ({"title: Plain": 'title: "\\u202Eabc"'}, [":4:8: ", "(U+202E) cannot be printed"]),
        (
            {"title: Plain": "titel: Plain"},
            [":4:1: titel: unknown key 'titel'", "did you mean title?"],
        ),
        ({"sheets:": "Sheets:"}, ["unknown key 'Sheets'", "did you mean sheets?"]),
        ({"rules:": "body: []\nrules:"}, ["unknown key 'body'"]),
        ({WORDS: "- txet: Words"}, [":18:9: ", "unknown element 'txet'", "did you mean text?"]),
        (
            {"languages: [en, cs]": "languages: {en: x}"},
            [":6:", "languages: found keys and values"],
        ),
        ({"summary: A game for tests.": "summary: [x]"}, [":5:10: summary: found a list"]),
        ({"summary: A game for tests.": "summary:"}, [": summary: found nothing"]),
        ({"default: 3": "default: 0"}, ["allowed are 1 to 5"]),
        ({"default: 3": "default: -1"}, [":10:36: options.rounds.default: found '-1'", "0 to 100"]),
        ({"default: 3": "default: 03"}, ["found '03', allowed is a whole number from 0 to 100"]),
        ({"default: 3": "default: true"}, ["found 'true', allowed is a whole number"]),
        ({"default: 3": "default: .nan"}, ["found '.nan', allowed is a whole number"]),
        ({"default: 3": "default: .inf"}, ["found '.inf', allowed is a whole number"]),
        ({"default: 3": "default: 1000000000"}, ["found '1000000000', allowed is a whole number"]),
        (
            {"label: Total}": "label: Total, height: .inf}"},
            ["height: found '.inf', allowed is a numb"],
        ),
        (
            {"label: Total}": "label: Total, height: 1e9}"},
            ["height: found '1e9', allowed is a number"],
        ),
        (
            {"label: Total}": "label: Total, height: -1}"},
            ["height: found '-1', allowed is a number"],
        ),
        ({WORDS: "- tally: {id: t, count: 1000000000}"}, ["count: found '1000000000'", "1 to 100"]),
        (
            {WORDS: "- tally: {id: t, count: nope}"},
            ["unknown value 'nope', known are rounds, players"],
        ),
        ({WORDS: "- icon: sunn"}, ["unknown symbol 'sunn'", "did you mean sun?"]),
        ({WORDS: "- icon: {symbol: sun, colour: red}"}, ["unknown colour 'red'"]),
        ({WORDS: "- lookup: none"}, ["unknown table 'none', the file defines no tables"]),
        (
            {"players: 1-4": "players: 1-4\ntheme: nope"},
            [":9:8: theme: unknown theme 'nope', known are"],
        ),
        ({"players: 1-4": "players: 1-4\ntheme: ../symbols"}, [":9:8: theme: found '../symbols'"]),
        ({"players: 1-4": "players: 4-1"}, [":8:10: players: found '4-1'"]),
        ({WORDS: "- text: '{{ rouds }}'"}, [":18:15: ", "rouds", "{{ rounds }}"]),
        ({WORDS: "- text: '{{ rounds'"}, [":18:15: "]),
    ],
)
def test_wrong_files_are_refused(changes: dict[str, str], expected: list[str]) -> None:
    """One line names the file, the line, the column and what is wrong; the old file stays."""
    Path("bad.yaml").write_text(plain(changes), encoding="utf-8")
    found = refused("print", "bad.yaml", "-o", "old.pdf")
    assert all(line.startswith("bad.yaml:") for line in found)
    assert any(all(part in line for part in expected) for line in found), found
    assert refused("validate", "bad.yaml")[0] == found[0]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", ":1:1: the file is empty, must be a mapping"),
        (b"# x\n\n#y\n", ":1:1: only comments, must be a mapping"),
        (PLAIN.encode() + b"\n---\n" + PLAIN.encode(), ": two documents, one is allowed"),
        (b"- a\n", ":1:1: must be a mapping, found a list"),
        (b"just text\n", ":1:1: must be a mapping, found a text"),
        (PLAIN[: PLAIN.index("sheets:") + 7].encode(), ":11:8: sheets: found nothing"),
        (b"[" * 2000, ": nested too deep"),
        (b"rows: &r [*r]", ":1:11: '*r' refers to itself"),
        (PLAIN.replace("Words", "café").encode("cp1252"), "not UTF-8: 0xE9 at byte"),
        (PLAIN.encode("utf-16"), "not UTF-8: "),
        (b"---\n\xef\xbb\xbf" + PLAIN.encode(), "not UTF-8"),
        (PLAIN.replace("Words", "a\x1bb").encode(), "(U+001B) cannot be printed"),
        (PLAIN.replace("Words", "a\x00b").encode(), "(U+0000) cannot be printed"),
        (b"x: " + b"y" * 3_000_000, ": the file is too large, at most 2 MB are read"),
        (
            b"a: &a [x]\n"
            + b"".join(
                b"%c: &%c [%s]\n" % (n + 1, n + 1, b",".join([b"*%c" % n] * 9))
                for n in range(97, 117)
            ),
            "too many",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_variant_is_refused(data: bytes, message: str) -> None:
    """Each in one line, at once, without running anything."""
    Path("bad.yaml").write_bytes(data)
    (line,) = refused("print", "bad.yaml", "-o", "old.pdf")
    assert line.startswith("bad.yaml:")
    assert message in line


def test_a_variant_may_be_too_large_for_the_paper() -> None:
    """What is needed and what there is are said."""
    text = plain({"size: 100x100\n    fields": "size: 300x300\n    fields"})
    (line,) = refused("print", "-", stdin=text.encode())
    assert line == (
        "sheetgen: the sheet is 300 x 300 mm, A4 offers 210 x 297 mm or, turned, 297 x 210 mm"
    )


def test_line_ends_and_a_byte_order_mark_change_nothing() -> None:
    """The same file from Windows, an old Mac or with a BOM gives the same bytes."""
    data = PLAIN.encode()
    outputs = {
        tool("print", "-", "-o", "-", stdin=variant).out
        for variant in (
            data,
            data.replace(b"\n", b"\r\n"),
            data.replace(b"\n", b"\r"),
            b"\xef\xbb\xbf" + data,
        )
    }
    assert len(outputs) == 1
    assert outputs.pop().startswith(b"%PDF")


# -- pages ----------------------------------------------------------------------------------------

MM = 72 / 25.4


@pytest.mark.parametrize(
    ("paper", "duplex", "size"),
    [
        ("a4", "none", (210, 297)),
        ("A4 landscape", "long", (297, 210)),
        ("Letter", "short", (215.9, 279.4)),
        ("letter", "none", (215.9, 279.4)),
        ("210x297mm", "none", (210, 297)),
        ("8.5x11in", "long", (215.9, 279.4)),
    ],
)
def test_every_page_has_its_boxes(paper: str, duplex: str, size: tuple[float, float]) -> None:
    """MediaBox is the paper, TrimBox the sheets in its middle; the viewer may not scale."""
    reader = printed(PLAIN, "--paper", paper, "--duplex", duplex, "--copies", "5", "--lang", "cs")
    across, down = (int(length // 100) for length in size)
    pages = -(-5 // (across * down))
    assert len(reader.pages) == pages * (1 if duplex == "none" else 2)
    left, bottom = (size[0] - 100 * across) / 2, (size[1] - 100 * down) / 2
    for page in reader.pages:
        assert [float(v) / MM for v in page.mediabox] == pytest.approx([0, 0, *size], abs=0.01)
        trim = [left, bottom, left + 100 * across, bottom + 100 * down]
        assert [float(v) / MM for v in page.trimbox] == pytest.approx(trim, abs=0.01)
    root = reader.root_object
    assert str(root["/Lang"]) == "cs"
    assert reader.metadata is not None
    assert reader.metadata.title == "Plain"
    flips = {"none": "Simplex", "long": "DuplexFlipLongEdge", "short": "DuplexFlipShortEdge"}
    preferences = root["/ViewerPreferences"]
    assert isinstance(preferences, pypdf.generic.DictionaryObject)
    assert str(preferences["/PrintScaling"]) == "/None"
    assert str(preferences["/Duplex"]) == f"/{flips[duplex]}"
    assert preferences["/DisplayDocTitle"] == pypdf.generic.BooleanObject(value=True)


def test_copies_fill_the_pages() -> None:
    """Five sheets at four to a page: the second page holds one, and its back one too."""
    reader = printed(PLAIN, "--copies", "5", "--duplex", "long")
    counts = [page.extract_text().count("Words") for page in reader.pages]
    assert counts == [4, 0, 1, 0]
    counts = [page.extract_text().count("The rules.") for page in reader.pages]
    assert counts == [0, 4, 0, 1]
