"""Fillable pads to test with."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import cache
from typing import Any

from pypdf import PdfReader, PdfWriter

from sheetgen.cli.printing import _form
from sheetgen.draw.pdf import pdf
from sheetgen.geometry import Rect
from sheetgen.impose import impose
from sheetgen.paper import parse_paper
from sheetgen.prepare import Choices, Prepared, load, prepare


@cache
def prepared(variant: str, sheet: str = "") -> Prepared:
    """Return a laid-out sheet of a bundled variant."""
    return prepare(load(variant)[0], Choices(sheet=sheet))


@cache
def pad(variant: str = "lostdice", copies: int = 1, sheet: str = "") -> bytes:
    """Return a fillable pad on A4."""
    ready, game = prepared(variant, sheet), load(variant)[0]
    scene = ready.front
    places = impose(
        scene.size,
        Rect(0, 0, *scene.size).inset(scene.margin),
        paper=parse_paper("a4"),
        copies=copies,
        duplex="long",
    )
    form = _form(game, Choices(sheet=sheet), ready)
    return pdf(scene, None, places, ready.style.fonts, form)


def filled(values: dict[str, str | bool], data: bytes | None = None) -> bytes:
    """Return a pad filled in with pypdf; ``True`` ticks."""

    def change(writer: PdfWriter) -> None:
        given: Any = {name: "/Yes" if v is True else v for name, v in values.items()}
        for page in writer.pages:
            if "/Annots" in page:
                writer.update_page_form_field_values(page, given, auto_regenerate=False)

    return changed(change, data)


def changed(change: Callable[[PdfWriter], None], data: bytes | None = None) -> bytes:
    """Return a pad as some program might have changed it."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data or pad())))
    change(writer)
    saved = io.BytesIO()
    writer.write(saved)
    return saved.getvalue()


def widget(writer: PdfWriter, name: str, page: int = 0) -> Any:
    """Return the widget of a field."""
    for reference in writer.pages[page]["/Annots"]:  # type: ignore[attr-defined]
        found = reference.get_object()
        if found.get("/T") == name:
            return found
    raise KeyError(name)


def rect(data: bytes, name: str) -> list[float]:
    """Return where a field is: left, lower, right, upper edge in points."""
    for reference in PdfReader(io.BytesIO(data)).pages[0]["/Annots"]:  # type: ignore[attr-defined]
        found = reference.get_object()
        if found["/T"] == name:
            return [float(value) for value in found["/Rect"]]
    raise KeyError(name)
