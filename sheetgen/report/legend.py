"""The strip below an annotated photo: the totals, large, and what the signs in it mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PIL import Image

from sheetgen.checking import Checked
from sheetgen.geometry import Rect, Size
from sheetgen.report.marking import (
    AMBER,
    BLUE,
    BROWN,
    GREEN,
    INK,
    QUIET,
    RED,
    WHITE,
    Canvas,
    Colour,
)
from sheetgen.report.words import counted, listed, who

PAPER: Colour = (255, 253, 249)
LINE: Colour = (224, 219, 208)
_PHONE, _DESK = 390.0, 640.0  # units across: of a standing picture, of a lying one
_EDGE = 18.0  # units left and right
_COLUMN = 84.0  # units, the least for a total


class _Total(NamedTuple):
    """A number to show large, whose it is, and in what colour."""

    whose: str
    number: str
    colour: Colour


def legend(photo: Image.Image, checked: Checked, indices: Sequence[int]) -> Image.Image:
    """Return the photo with the strip below it; all sizes in it are shares of its width."""
    units = _PHONE if photo.height > 1.2 * photo.width else _DESK
    strip = _strip(units, photo.width / units, checked, indices)
    whole = Image.new("RGB", (photo.width, photo.height + strip.height), PAPER)
    whole.paste(photo, (0, 0))
    whole.paste(strip, (0, photo.height), strip)
    return whole


def _strip(units: float, scale: float, checked: Checked, indices: Sequence[int]) -> Image.Image:
    assert checked.variant
    totals = _totals(checked, indices)
    beside = 1 if len(totals) == 1 else 0
    room = units - 2 * _EDGE
    columns = max(1, min(len(totals), int(room / _COLUMN)))
    rows = 0 if beside else -(-len(totals) // columns)
    doubts = [doubt for doubt in checked.doubts if doubt.copy in indices]
    note = _note(checked, len(doubts))
    high = 62 + rows * 52 + (22 if note else 0) + 30
    canvas = Canvas(Size(units, high), scale)
    title = checked.variant.title.plain(checked.language)
    canvas.words(_EDGE, 30, title, 21, INK, "ls", face="serif")
    sheets = counted(len(indices), "sheet")
    canvas.words(_EDGE, 48, f"{_short(checked.file)} · {sheets}", 11.5, QUIET, "ls", face="sans")
    if beside:
        _put(canvas, totals[0], units - _EDGE, 20, right=True)
    y = 62.0
    for index, total in enumerate(totals if rows else ()):
        _put(canvas, total, _EDGE + index % columns * room / columns, y + index // columns * 52 + 8)
    y += rows * 52
    if note:
        canvas.words(_EDGE, y + 12, note, 12.5, BROWN if doubts else INK, "ls")
        y += 22
    canvas.line(_EDGE, y, units - _EDGE, LINE)
    _signs(canvas, y + 16, doubts=bool(doubts))
    return canvas.finished()


def _short(file: str) -> str:
    name = file.replace("\\", "/").rpartition("/")[2]
    return name if len(name) <= 32 else f"{name[:15]}…{name[-16:]}"


def _totals(checked: Checked, indices: Sequence[int]) -> list[_Total]:
    """Return the totals of the match if all of it is in the photo, else those of its sheets."""
    assert checked.match
    assert checked.report
    reports, totals = checked.report.sheets, checked.report.totals
    unsure = {reports[d.sheet].player for d in checked.doubts if 0 <= d.sheet < len(reports)}
    here = [index for index, (copy, _) in enumerate(checked.origins) if copy in indices]
    if len(here) == len(reports) > len(totals) > 0:
        shown = []
        for player, total in totals.items():
            written = checked.match.totals.get(player)
            shown.append(_total(player, total, written, ask=player in unsure))
        return shown
    asked = {doubt.sheet for doubt in checked.doubts}
    return [
        _total(
            f"Sheet {index + 1}" if one.player == str(index + 1) else who(one.player, one.round),
            one.scores["total"],
            one.written.get("total"),
            ask=index in asked,
        )
        for index, one in enumerate(reports)
        if index in here and "total" in one.scores
    ]


def _total(whose: str, right: int, written: int | None, *, ask: bool) -> _Total:
    colour = BLUE if written is None else GREEN if written == right else RED
    number = str(right).replace("-", "−")
    return _Total(whose, f"{number}?" if ask else number, BROWN if ask else colour)


def _note(checked: Checked, doubts: int) -> str:
    """Return what else to say: that scores may change, or who won."""
    assert checked.report
    if doubts:
        verb = "is" if doubts == 1 else "are"
        return f"{counted(doubts, 'reading')} {verb} unsure: scores may change"
    if checked.report.winners and len(checked.report.totals) > 1:
        best = {checked.report.totals[one] for one in checked.report.winners}
        noun = "Winner" if len(checked.report.winners) == 1 else "Winners"
        return f"{noun}: {listed(checked.report.winners)}, {best.pop()}".replace("-", "−")
    return ""


def _put(canvas: Canvas, total: _Total, x: float, y: float, *, right: bool = False) -> None:
    side = "r" if right else "l"
    canvas.words(x, y, total.whose[:24], 11.5, QUIET, f"{side}s", face="sans")
    canvas.words(x, y + 32, total.number, 36, total.colour, f"{side}s")


def _signs(canvas: Canvas, y: float, *, doubts: bool) -> None:
    """Draw what the signs mean, in one line."""
    x = _EDGE
    size = 11.0

    def say(words: str) -> None:
        nonlocal x
        canvas.words(x, y, words, size, QUIET, "lm", face="sans")
        x += canvas.width(words, size, "sans") + 15

    canvas.frame(Rect(x, y - 6, 14, 12), BLUE, 0, 255)
    canvas.text(x + 7, y - 0.2, "7", 10, WHITE)
    x += 19
    say("read, or added up")
    canvas.tick(x + 6, y, 6)
    x += 17
    say("right")
    canvas.words(x, y, "23", size, INK, "lm")
    canvas.line(x - 2, y, x + 14, RED, 1.4)
    canvas.frame(Rect(x + 17, y - 6, 17, 12), RED, 0, 255)
    canvas.text(x + 25.5, y - 0.2, "47", 10, WHITE)
    x += 39
    say("wrong")
    if doubts:
        canvas.frame(Rect(x, y - 6, 16, 12), AMBER, 0, 255)
        canvas.text(x + 8, y - 0.2, "7?", 10, BROWN)
        x += 21
        say("unsure")
