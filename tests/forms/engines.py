"""Engines that fill in forms: each takes a file and values by field name; returns a file."""

from __future__ import annotations

import ctypes
import io
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pypdfium2
import pypdfium2.raw as pdfium
import pytest

HERE = Path(__file__).parent
MODULES = Path(os.environ.get("SHEETGEN_NODE", HERE / "node_modules"))
CHROMIUM = shutil.which("chromium")
SYSTEM_PYTHON = "/usr/bin/python3"
SECONDS = 120
OLDEST_NODE = 20

Values = Mapping[str, str | bool]


def run(*command: str | Path) -> str:
    """Run a program; return what it prints."""
    done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def need_node(*modules: str) -> None:
    """Skip a test where Node or what it needs is missing."""
    if not shutil.which("node"):
        pytest.skip("Node is not installed")
    version = run("node", "--version").strip().lstrip("v")
    if int(version.split(".")[0]) < OLDEST_NODE:
        pytest.skip(f"Node {version} is too old for pdf.js, which needs {OLDEST_NODE}")
    for module in modules:
        if not (MODULES / module).is_dir():
            pytest.skip(f"{module} is not installed: npm install in tests/forms")


def need_chromium() -> None:
    """Skip a test where Chromium is missing."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")


def pypdf(data: bytes, values: Values, folder: Path) -> bytes:
    """Fill in as a program with pypdf does."""
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    given = {name: "/Yes" if value is True else value for name, value in values.items()}
    for page in writer.pages:
        writer.update_page_form_field_values(page, given, auto_regenerate=False)  # type: ignore[arg-type]
    saved = io.BytesIO()
    writer.write(saved)
    return saved.getvalue()


def chrome(data: bytes, values: Values, folder: Path) -> bytes:
    """Click and type as in Chrome, whose engine pypdfium2 brings along."""
    document = pypdfium2.PdfDocument(data)
    document.init_forms()
    form = document.formenv
    assert form is not None
    for page in document:
        for widget in range(pdfium.FPDFPage_GetAnnotCount(page)):
            annotation = pdfium.FPDFPage_GetAnnot(page, widget)
            size = pdfium.FPDFAnnot_GetFormFieldName(form, annotation, None, 0)
            name = ctypes.create_string_buffer(size)
            pdfium.FPDFAnnot_GetFormFieldName(
                form, annotation, ctypes.cast(name, ctypes.POINTER(pdfium.FPDF_WCHAR)), size
            )
            value = values.get(name.raw.decode("utf-16-le").rstrip("\0"))
            if value is None:
                continue
            rect = pdfium.FS_RECTF()
            pdfium.FPDFAnnot_GetRect(annotation, rect)
            x, y = (rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2
            pdfium.FORM_OnMouseMove(form, page, 0, x, y)
            pdfium.FORM_OnLButtonDown(form, page, 0, x, y)
            pdfium.FORM_OnLButtonUp(form, page, 0, x, y)
            if isinstance(value, str):
                for letter in value:
                    pdfium.FORM_OnChar(form, page, ord(letter), 0)
            pdfium.FORM_ForceToKillFocus(form)
            pdfium.FPDFPage_CloseAnnot(annotation)
    saved = io.BytesIO()
    document.save(saved)
    return saved.getvalue()


def firefox(data: bytes, values: Values, folder: Path) -> bytes:
    """Fill in as in Firefox, whose engine is pdf.js."""
    need_node("pdfjs-dist")
    (folder / "in.pdf").write_bytes(data)
    script, source, target = HERE / "pdfjs_fill.mjs", folder / "in.pdf", folder / "out.pdf"
    run("node", script, MODULES, source, target, json.dumps(values))
    return target.read_bytes()


def evince(data: bytes, values: Values, folder: Path) -> bytes:
    """Fill in as in Evince and Okular, whose engine is poppler."""
    probe = "import gi; gi.require_version('Poppler', '0.18')"
    if (
        not Path(SYSTEM_PYTHON).exists()
        or subprocess.run([SYSTEM_PYTHON, "-c", probe], capture_output=True, check=False).returncode
    ):
        pytest.skip("poppler is not installed for Python: gir1.2-poppler-0.18 and python3-gi")
    (folder / "in.pdf").write_bytes(data)
    source, target = folder / "in.pdf", folder / "out.pdf"
    run(SYSTEM_PYTHON, HERE / "poppler_fill.py", source, target, json.dumps(values))
    return target.read_bytes()


ENGINES: Mapping[str, Callable[[bytes, Values, Path], bytes]] = {
    "pypdf": pypdf,
    "chrome": chrome,
    "firefox": firefox,
    "evince": evince,
}
