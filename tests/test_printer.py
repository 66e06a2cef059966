"""Printing through ``lp``: with a stand-in for it, and on a real CUPS server when there is one."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from sheetgen import printer
from sheetgen.errors import InputError
from sheetgen.geometry import PT_PER_MM, Size
from sheetgen.paper import PAPERS

if TYPE_CHECKING:
    from sheetgen.impose import Duplex

DATA = b"%PDF-1.7\n\x00\xff\r\n" * 20_000  # more than a pipe holds
A4 = PAPERS["A4"]


class Fake:
    """Stand-ins for ``lp`` and ``lpstat`` that keep what they are given."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.script("lpstat", 'case $1 in -r) echo "scheduler is running";; -e) echo PDF;; esac')
        self.script("lp", 'cat >stdin; echo "request id is PDF-12 (0 file(s))"')

    def script(self, name: str, lines: str) -> None:
        """Make ``name`` a script that notes its arguments and its locale, then does ``lines``."""
        path = self.folder / name
        path.write_text(
            f"""#!/bin/sh
cd "{self.folder}"
printf '%s\\n' "$@" >{name}.arguments
printf %s "$LC_ALL" >{name}.locale
{lines}
"""
        )
        path.chmod(0o755)

    def fail(self, text: str) -> None:
        """Let ``lp`` fail with this text, without reading what it is sent."""
        self.script("lp", f"echo '{text}' >&2; exit 1")

    def got(self, name: str) -> bytes:
        """Return what was kept."""
        return (self.folder / name).read_bytes()


@pytest.fixture(name="fake")
def _fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    return Fake(tmp_path)


def _message(data: bytes = DATA, queue: str = "PDF", copies: int = 1) -> str:
    with pytest.raises(InputError) as caught:
        printer.print_pdf(data, queue, title="Pad", copies=copies)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("duplex", "sides"),
    [("none", "one-sided"), ("long", "two-sided-long-edge"), ("short", "two-sided-short-edge")],
)
def test_lp_gets_the_job(fake: Fake, duplex: Duplex, sides: str) -> None:
    """The whole PDF goes to lp, unscaled, one page on a page, with its sides and its paper."""
    request = printer.print_pdf(DATA, "PDF", title="Pad", copies=3, duplex=duplex, paper=A4)
    assert request == "PDF-12"
    assert fake.got("stdin") == DATA
    assert fake.got("lp.locale") == b"C"
    assert fake.got("lp.arguments").decode().splitlines() == [
        *("-d", "PDF", "-t", "Pad", "-n", "3"),
        *("-o", "print-scaling=none", "-o", "number-up=1", "-o", f"sides={sides}"),
        *("-o", "media=A4"),
    ]


def test_the_paper_can_be_left_to_the_queue(fake: Fake) -> None:
    """Without a paper none is asked for."""
    printer.print_pdf(DATA, "PDF", title="Pad")
    assert b"media" not in fake.got("lp.arguments")


@pytest.mark.parametrize(
    ("size", "name"),
    [
        (A4, "A4"),
        (A4.turned, "A4"),
        (Size(209.97, 297.04), "A4"),
        (PAPERS["Letter"], "Letter"),
        (PAPERS["Half-letter"], "Custom.139.7x215.9mm"),
        (Size(180, 120), "Custom.120x180mm"),
        (Size(1000, 2000), "Custom.1000x2000mm"),
    ],
)
def test_papers_have_the_names_of_cups(size: Size, name: str) -> None:
    """Known sizes go by their name, others by their size, upright."""
    assert printer.media(size) == name


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Řeka → ✓", "Řeka → ✓"),
        ("-rf; $(date) `x`", "-rf; $(date) `x`"),
        ("two\nlines\x1b[0m\x00", "two lines [0m"),
        ("ü" * 300, "ü" * 127),
        ("\udcff", "sheetgen"),
        ("", "sheetgen"),
    ],
)
def test_titles_are_one_plain_line(fake: Fake, title: str, name: str) -> None:
    """A job's name is shown by others: no control characters, and not too long."""
    printer.print_pdf(DATA, "PDF", title=title)
    assert fake.got("lp.arguments").decode().split("\n")[3] == name


def test_an_ascii_locale_does_not_matter(fake: Fake) -> None:
    """LC_ALL=C does not keep a title with other letters from being sent, in UTF-8."""
    package = str(Path(printer.__file__).parents[1])
    code = f"import sys; sys.path.insert(0, {package!r}); from sheetgen import printer\n"
    code += f"printer.print_pdf(b'%PDF', 'PDF', title={'Řeka → ✓'!a})"
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0"}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)
    assert "\nŘeka → ✓\n" in fake.got("lp.arguments").decode()


def test_another_lp_may_say_something_else(fake: Fake) -> None:
    """When the request has no known form, what lp said is handed on."""
    fake.script("lp", "cat >stdin; echo 'job 7'; echo 'queued'")
    assert printer.print_pdf(DATA, "PDF", title="Pad") == "job 7 queued"


@pytest.mark.parametrize("name", ["-d", "", "a b", "a/b", "a#b", "a\nb", "a\x00b", "$'x'"])
def test_odd_queue_names_are_refused(fake: Fake, name: str) -> None:
    """What cannot be a queue's name never reaches lp."""
    assert _message(queue=name) == f"{name!r} cannot be the name of a print queue, known are PDF"
    assert not (fake.folder / "lp.arguments").exists()


@pytest.mark.parametrize("copies", [0, -1, 10_000])
def test_odd_numbers_of_copies_are_refused(fake: Fake, copies: int) -> None:
    """Copies are refused before lp sees them."""
    assert _message(copies=copies) == f"{copies} copies, 1 to 9999 can be printed"
    assert not (fake.folder / "lp.arguments").exists()


def test_an_unknown_queue(fake: Fake) -> None:
    """The known queues are listed, the nearest is proposed."""
    fake.fail("lp: Error - The printer or class does not exist.")
    fake.script("lpstat", 'if [ "$1" = -r ]; then echo up; else echo Office; echo Kitchen; fi')
    assert _message(queue="ofice") == (
        "no print queue is named 'ofice', known are Office, Kitchen; did you mean Office?"
    )
    fake.script("lpstat", '[ "$1" = -e ] || echo "scheduler is running"')
    assert _message() == "no print queue is named 'PDF', there is none on this computer"


def test_no_scheduler(fake: Fake) -> None:
    """A stopped CUPS is told from an unknown queue, though lp's text is the same."""
    fake.fail("lp: Error - The printer or class does not exist.")
    fake.script("lpstat", 'echo "scheduler is not running"')
    assert _message().startswith("printing is not running on this computer, start CUPS")


def test_lp_s_own_reason(fake: Fake) -> None:
    """Another failure is said in lp's words, on one line."""
    fake.fail('lp: Destination "PDF" is not\n   accepting jobs.')
    reason = 'Destination "PDF" is not accepting jobs.'
    assert _message() == f"printing on PDF failed: {reason}"
    (fake.folder / "lpstat").write_text("#!/no/such/shell\n")
    assert _message() == f"printing on PDF failed: {reason}"
    fake.fail("")
    assert _message() == "printing on PDF failed: lp gives no reason"


def test_lp_cannot_be_run(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing lp is said with the package that has it, a broken one with the system's reason."""
    (fake.folder / "lp").write_text("#!/no/such/shell\n")
    assert _message() == "cannot run lp: No such file or directory"
    (fake.folder / "lp").unlink()
    monkeypatch.setenv("PATH", str(fake.folder))
    assert _message().startswith("cannot print: the program lp is not installed, install CUPS (on")
    assert "cups-client" in _message()


def test_lp_that_does_not_answer(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for ever."""
    monkeypatch.setattr(printer, "_LP_SECONDS", 0.3)
    fake.script("lp", "exec sleep 20")
    assert _message().startswith("the print queue did not answer within 0.3 seconds, look with")


# --- on a real CUPS server, made by .ci/cups ---

cups = pytest.mark.skipif(
    os.environ.get("SHEETGEN_CUPS") != "1",
    reason="prints on a CUPS server: run .ci/cups as root, then set SHEETGEN_CUPS=1",
)
RESULTS = {  # by queue
    "SheetgenPDF": Path("/var/spool/cups-pdf/SheetgenPDF"),
    "SheetgenKeep": Path("/var/spool/sheetgen-keep"),
}
FRAME = Size(100, 40)  # mm


def _pdf(size: Size, pages: int) -> bytes:
    """Return a PDF with the frame, measured over its line, in the middle of each page."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(size.width * PT_PER_MM, size.height * PT_PER_MM))
    width, height = FRAME.width * PT_PER_MM, FRAME.height * PT_PER_MM
    for _ in range(pages):
        left = (size.width * PT_PER_MM - width) / 2
        bottom = (size.height * PT_PER_MM - height) / 2
        canvas.setLineWidth(2)
        canvas.rect(left + 1, bottom + 1, width - 2, height - 2)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def _printed(request: str) -> Path:
    """Wait until the job is through and return the file that it became."""
    queue, number = request.rsplit("-", 1)
    end = time.monotonic() + 60
    while request in subprocess.check_output(["lpstat", "-o", queue], text=True):
        assert time.monotonic() < end, f"{request} is not printed after a minute"
        time.sleep(0.1)
    pattern = f"*job_{number}.pdf" if queue == "SheetgenPDF" else f"{number}.pdf"
    (path,) = RESULTS[queue].glob(pattern)
    return path


def _measure(path: Path) -> list[tuple[Size, Size]]:
    """Return for each page its size and the size of what is drawn on it, in mm."""
    found = []
    with pypdfium2.PdfDocument(path) as document:
        for page in document:
            image = page.render(scale=300 / 72, grayscale=True).to_pil()
            box = image.point(lambda level: 255 * (level < 128)).getbbox()
            assert box is not None
            left, top, right, bottom = (pixels * 25.4 / 300 for pixels in box)
            width, height = (points / PT_PER_MM for points in page.get_size())
            found.append((Size(width, height), Size(right - left, bottom - top)))
    return found


@cups
@pytest.mark.parametrize("queue", RESULTS)
@pytest.mark.parametrize(
    ("size", "pages"),
    [(A4, 3), (A4.turned, 2), (PAPERS["Letter"], 1), (Size(120, 180), 2)],
    ids=["A4", "A4 landscape", "Letter", "120x180 mm"],
)
def test_a_real_queue_prints_at_the_true_size(queue: str, size: Size, pages: int) -> None:
    """As many pages as sent, on the right paper, and 100 mm are 100 mm."""
    request = printer.print_pdf(_pdf(size, pages), queue, title="-Řeka → ✓", paper=size)
    printed = _measure(_printed(request))
    assert len(printed) == pages
    for paper, frame in printed:
        # Drivers may turn a page to lie upright, and round papers to whole points.
        assert sorted(paper) == pytest.approx(sorted(size), abs=0.2)
        assert sorted(frame) == pytest.approx(sorted(FRAME), abs=0.2)


@cups
def test_a_real_queue_gets_the_options(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Title, copies, sides and paper arrive; the user's saved defaults do not shrink the pages."""
    (tmp_path / ".cups").mkdir()
    (tmp_path / ".cups" / "lpoptions").write_text(
        "Default SheetgenKeep number-up=2 fit-to-page=true scaling=80 copies=4 sides=one-sided\n"
    )
    monkeypatch.setenv("HOME", str(tmp_path))
    request = printer.print_pdf(
        _pdf(A4, 3), "SheetgenKeep", title="Řeka → ✓", copies=2, duplex="short", paper=A4
    )
    path = _printed(request)
    title, copies, options = path.with_suffix(".job").read_text(encoding="utf-8").splitlines()
    assert (title, copies) == ("Řeka → ✓", "2")
    for option in ("media=A4", "number-up=1", "print-scaling=none", "sides=two-sided-short-edge"):
        assert option in options.split()
    printed = _measure(path)
    assert len(printed) % 3 == 0  # the filters may repeat the pages for the copies
    for _, frame in printed:
        assert list(frame) == pytest.approx(list(FRAME), abs=0.2)


@cups
def test_a_real_server_s_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    """The messages of the stand-ins are those of the real programs."""
    assert _message(queue="SheetgenKep").endswith("did you mean SheetgenKeep?")
    subprocess.run(["cupsreject", "SheetgenKeep"], check=True)
    try:
        reason = 'Destination "SheetgenKeep" is not accepting jobs.'
        assert _message(queue="SheetgenKeep") == f"printing on SheetgenKeep failed: {reason}"
    finally:
        subprocess.run(["cupsaccept", "SheetgenKeep"], check=True)
    monkeypatch.setenv("CUPS_SERVER", "/no/such/socket")
    assert _message(queue="SheetgenKeep").startswith("printing is not running on this computer")
