"""Pages that carry something other than score sheets: head, foot, and the scene of the paper."""

from __future__ import annotations

from collections.abc import Mapping

from sheetgen.errors import InputError
from sheetgen.geometry import Rect, Size
from sheetgen.layout.job import Job
from sheetgen.paper import PRINTABLE_INSET
from sheetgen.scene import Scene, line
from sheetgen.text import Text

BORDER = PRINTABLE_INSET + 0.6  # mm of white around everything, lines' widths included
HEAD, FOOT = 12.0, 15.0  # mm
TITLE = 0.62  # of the size of a score sheet's title


def body(paper: Size) -> Rect:
    """Return the room between head and foot in mm."""
    page = Rect(0, 0, *paper).inset(BORDER)
    return Rect(page.x, page.y + HEAD, page.width, page.height - HEAD - FOOT)


def place_head(job: Job, paper: Size, note: str) -> None:
    """Ink the variant's title and a short note at the right."""
    band = Rect(0, 0, *paper).inset(BORDER)._replace(height=7.0)
    title = job.fit(
        job.words(job.variant.title), "title", band.width / TITLE - 70, job.variant.place
    )
    small = title._replace(size=title.size * TITLE, width=title.width * TITLE)
    job.put_in(small, band, "left")
    job.say(note, "hint", band, job.variant.place, "right")


def place_foot(job: Job, paper: Size, phrases: Mapping[str, Text], lines: tuple[str, ...]) -> None:
    """Ink the key of ``lines`` (line roles that are also phrases) and a rule of 50 mm."""
    page = Rect(0, 0, *paper).inset(BORDER)
    x, y, place = page.x, page.bottom - 8.5, job.variant.place
    for role in lines:
        job.draw(line(x, y, x + 12, y), job.style.stroke(role), role)
        label = job.fit(job.words(phrases[role]), "hint", 60, place)
        job.put(label, x + 14, y + job.cap(label) / 2)
        x += 14 + label.width + 7
    if "fold" in lines:
        glue = job.fit(job.words(phrases["glue"]), "hint", page.right - x, place)
        job.put(glue, page.right - glue.width, y + job.cap(glue) / 2)
    y = page.bottom - 0.6
    place_rule(job, page.x, y, 50)
    label = job.fit("50 mm", "hint", 20, place)
    job.put(label, page.x + 52, y)
    note = job.fit(job.words(phrases["real_size"]), "hint", 60, place)
    job.put(note, page.right - note.width, y)


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
