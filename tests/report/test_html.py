"""The report as a page: complete, safe, and with pictures of the sheets."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from sheetgen.checking import Checked, Checker
from sheetgen.errors import InputError
from sheetgen.report import html
from sheetgen.report.html import page

HERE = Path(__file__).parent
TRAIL = str(HERE.parent / "read" / "trail.yaml")
MATCH = (HERE / "match.yaml").read_bytes()
VOID = {"meta", "br", "hr", "img", "input", "link"}


class Outline(HTMLParser):
    """The elements of a page; every one must be closed where it belongs."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take an element's start."""
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take an element without content."""
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        """Take an element's end."""
        assert self.open.pop() == tag


def checked(data: bytes, variant: str = TRAIL, file: str = "match.yaml") -> Checked:
    """Check a file."""
    return Checker(variant).check_bytes(data, file)


def pictures(text: str) -> list[str]:
    """Return the pictures of a page."""
    return re.findall(r"<svg viewBox=.*?</svg>", text, re.DOTALL)


@pytest.fixture(autouse=True)
def _no_templates_kept() -> None:
    html._environment.cache_clear()


def test_page() -> None:
    """Each sheet has a table, findings and a picture; unreadable files say why."""
    text = page([checked(MATCH), checked(b"sheets: 3", file="bad.yaml")])
    outline = Outline(text)
    assert sum(tag == "table" for tag, _ in outline.found) == 5
    assert "Winner: North" in text
    assert "5 is not higher than 8 before it" in text
    assert "bad.yaml:1:9: sheets: found &#39;3&#39;" in text
    assert "2 files · 1 with findings · 1 unreadable" in text
    assert len(pictures(text)) == 2
    assert text.count("<symbol") == 1


def test_picture() -> None:
    """Entries stand in their boxes; boxes in question are framed and say why."""
    north, south = pictures(page([checked(MATCH)]))
    texts = re.findall(r'<text class="([a-z ]+)"[^>]*>([^<]*)<', north)
    assert ("pen", "$") in texts
    assert ("pen", "8") in texts
    assert ("pen struck", "−8") in texts
    assert ("added", "16") in texts
    assert ("pen left", "North") in texts
    assert north.count('class="error"') == 4
    assert "<title>5 is not higher than 8 before it</title>" in north
    assert north.count('class="tick"') == 8 + 1
    assert 'class="error"' not in south
    assert south.count('class="tick"') == 3


def test_self_contained() -> None:
    """Nothing is loaded from elsewhere, and no script runs."""
    text = page([checked(MATCH)])
    outline = Outline(text)
    assert not {"script", "link", "img", "iframe", "object"} & {tag for tag, _ in outline.found}
    for _, attributes in outline.found:
        for name, value in attributes.items():
            assert not name.startswith("on")
            if name in ("href", "src", "xlink:href"):
                assert str(value).startswith("#")
    assert "url(" not in text
    assert "@import" not in text


def test_texts_are_no_markup() -> None:
    """Names, files and problems are shown as they were written."""
    evil = "<script>alert(1)</script>{{ 7 * 7 }}"
    data = f"sheets:\n  - {{player: '{evil}', round: 1}}\n".encode()
    text = page([checked(data, file="<b>.yaml"), checked(f"{evil}: 1".encode(), file="x")])
    Outline(text)
    assert "<script" not in text
    assert "<b>.yaml" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;{{ 7 * 7 }}" in text


@pytest.mark.parametrize("variant", ["lostcities", "scorepad"])
def test_one_sheet_for_all_players(variant: str) -> None:
    """Players who write on one sheet share its picture."""
    rounds = "round: 1, " if variant == "lostcities" else ""
    track = "red" if variant == "lostcities" else "r"
    data = "sheets:\n" + "".join(
        f"  - {{player: {name}, {rounds}entries: {{{track}: [2, 5]}}}}\n" for name in ("Ann", "Ben")
    )
    (picture,) = pictures(page([checked(data.encode(), variant)]))
    assert "Ann" in picture
    assert "Ben" in picture
    assert picture.count(">7<" if variant == "lostcities" else ">5<") >= 2


def test_bundled_examples() -> None:
    """Every bundled variant has its pictures."""
    for path in Path("variants").glob("*.yaml"):
        from sheetgen import library
        from sheetgen.decode import load
        from sheetgen.read.blank import blank

        text = blank(load(library.find_variant(path.stem)), form="json")
        result = checked(text.encode(), path.stem, "f.json")
        assert pictures(page([result])), path.stem


def test_many_sheets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond some pictures there are tables only."""
    monkeypatch.setattr(html, "MOST_PICTURES", 1)
    assert len(pictures(page([checked(MATCH)]))) == 1


def test_own_template(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A template by the same path in ./templates replaces the bundled one."""
    results = [checked(MATCH)]
    monkeypatch.chdir(tmp_path)
    own = tmp_path / "templates" / "report" / "check.html.j2"
    own.parent.mkdir(parents=True)
    own.write_text("{% for file in files %}{{ file.name }}: {{ file.status }}{% endfor %}")
    assert page(results) == "match.yaml: wrong"


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("{% for %}", "check.html.j2:1:1: template: "),
        ("{{ nothing }}", "report/check.html.j2: template: 'nothing' is undefined"),
        ("{{ files.__class__.__mro__ }}", "report/check.html.j2: template: access to attribute"),
        ("{{ 1 / 0 }}", "report/check.html.j2: template: division by zero"),
        ("{{ range(10 ** 9) }}", "report/check.html.j2: template: Range too big"),
    ],
)
def test_broken_template(
    template: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A template that cannot be used, or that reaches for more than it gets, is a problem."""
    results = [checked(MATCH)]
    monkeypatch.chdir(tmp_path)
    own = tmp_path / "templates" / "report" / "check.html.j2"
    own.parent.mkdir(parents=True)
    own.write_text(template)
    with pytest.raises(InputError) as caught:
        page(results)
    assert words in str(caught.value)
