"""Pages that carry something other than score sheets: head, foot, and the scene of the paper."""

from __future__ import annotations

from collections.abc import Mapping

from sheetgen.errors import InputError
from sheetgen.geometry import Rect, Size
from sheetgen.layout.job import Job
from sheetgen.paper import PRINTABLE_INSET
from sheetgen.scene import Paint, Scene, line
from sheetgen.text import Text

BORDER = PRINTABLE_INSET + 0.6  # mm of white around everything, lines' widths included
HEAD, FOOT = 12.0, 15.0  # mm
ROW = 4.6  # mm from row to row in the foot of a narrow page
WIDE = 150.0  # mm: from here on the foot has room for two columns
SAMPLE = 12.0  # mm of a line in the foot's key
TITLE = 0.62  # of the size of a score sheet's title

# What a page's foot explains: a phrase and its line role.
Lines = tuple[tuple[str, str], ...]


def body(paper: Size, lines: Lines) -> Rect:
    """Return the room between the head and a foot that explains ``lines``, in mm."""
    page = Rect(0, 0, *paper).inset(BORDER)
    foot = FOOT if page.width >= WIDE else FOOT + ROW * (len(lines) + 2)
    return Rect(page.x, page.y + HEAD, page.width, page.height - HEAD - foot)


def place_head(job: Job, paper: Size) -> None:
    """Ink the variant's title."""
    band = Rect(0, 0, *paper).inset(BORDER)._replace(height=7.0)
    title = job.fit(job.words(job.variant.title), "title", band.width / TITLE, job.variant.place)
    small = title._replace(size=title.size * TITLE, width=title.width * TITLE)
    job.put_in(small, band, "left")


def place_foot(job: Job, paper: Size, phrases: Mapping[str, Text], lines: Lines) -> None:
    """Ink the key of ``lines``, a rule of 50 mm and what else to know before the page is cut."""
    page = Rect(0, 0, *paper).inset(BORDER)
    notes = [phrases["glue"]] if any(phrase == "tab" for phrase, _ in lines) else []
    notes.append(phrases["real_size"])
    if page.width < WIDE:
        _place_narrow_foot(job, page, phrases, lines, notes)
        return
    x, y = page.x, page.bottom - 8.5
    for phrase, role in lines:
        x = _place_sample(job, phrases[phrase], role, x, y) + 7
    for text, bottom in zip(reversed(notes), (page.bottom - 0.6, y + 0.8), strict=False):
        words = job.fit(job.words(text), "hint", page.right - x, text.place)
        job.put(words, page.right - words.width, bottom)
    _place_labelled_rule(job, page)


def _place_narrow_foot(
    job: Job, page: Rect, phrases: Mapping[str, Text], lines: Lines, notes: list[Text]
) -> None:
    """Ink one thing below the other; a note may take two rows."""
    y = page.bottom - FOOT - ROW * (len(lines) + 2) + 6
    for phrase, role in lines:
        _place_sample(job, phrases[phrase], role, page.x, y)
        y += ROW
    for text in notes:
        for words in job.wrap(job.words(text), "hint", page.width, text.place):
            job.put(words, page.x, y + job.cap(words) / 2)
            y += job.style.type("hint").leading
        y += ROW - job.style.type("hint").leading
    _place_labelled_rule(job, page)


def _place_sample(job: Job, words: Text, role: str, x: float, y: float) -> float:
    """Ink a piece of a line and what it means; return the x behind it."""
    job.draw(line(x, y, x + SAMPLE, y), stroke(job, role), role)
    label = job.fit(job.words(words), "hint", 60, words.place)
    job.put(label, x + SAMPLE + 2, y + job.cap(label) / 2)
    return x + SAMPLE + 2 + label.width


def _place_labelled_rule(job: Job, page: Rect) -> None:
    """Ink a rule with its length, 50 mm unless the page is too narrow for that."""
    for length in (50, 20):
        label = job.fit(f"{length} mm", "hint", 20, job.variant.place)
        if length + 2 + label.width <= page.width:
            place_rule(job, page.x, page.bottom - 0.6, length)
            job.put(label, page.x + length + 2, page.bottom - 0.6)
            return


def stroke(job: Job, role: str) -> Paint:
    """Return the paint of a line role, its corners rounded."""
    paint = job.style.stroke(role)
    return paint if paint.dash else paint._replace(round=True)


def place_rule(job: Job, x: float, y: float, length: int) -> None:
    """Ink a rule of ``length`` mm to the right of (x, y), its ticks upwards."""
    paint = job.style.stroke("key")
    job.draw(line(x, y, x + length, y), paint, "rule")
    for step in range(0, length + 1, 5):
        height = 2.4 if step % 10 == 0 else 1.2
        job.draw(line(x + step, y, x + step, y - height), paint, "rule")


def scene(job: Job, paper: Size) -> Scene:
    """Return what the job has drawn as a page. Raises :class:`InputError` for what did not fit."""
    if job.problems:
        raise InputError(job.problems)
    title = job.words(job.variant.title)
    return Scene(title, job.language, paper, PRINTABLE_INSET, tuple(job.items), ())
