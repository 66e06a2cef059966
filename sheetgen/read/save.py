"""Matches as the YAML data files that ``sheetgen check`` reads, to be corrected by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from sheetgen.filled import FilledMatch, FilledSheet
from sheetgen.read.names import Names, names_of
from sheetgen.source_text import UNPRINTABLE

if TYPE_CHECKING:
    from sheetgen.model import Variant
    from sheetgen.read.scan.readings import Doubt

WRITTEN = "written."  # before the name of a result, where entries may bear the same name
_NOTES = 26  # where the comments begin, if the value leaves room
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_-]*|\$")
_RESULT = re.compile(r"_(?:score|points)(?:_|$)")  # in the id of a box for a result
_WORDS = {"": "empty", "True": "marked", "False": "not marked"}


def save(
    match: FilledMatch, variant: Variant, doubts: Iterable[Doubt] = (), *, name: str = ""
) -> str:
    """Return a data file that reads back as the same match; lines in doubt say so.

    ``name`` is what the file calls the variant, if not its id. Notes of the match are not kept.
    """
    names = names_of(variant)
    notes = _notes(doubts, match, names)
    title = " ".join(variant.title.plain(variant.languages[0]).split())
    lines = [f"# {title}: what was read in {_line(match.file) or 'a file'}. Correct it, then run"]
    lines.append("#   sheetgen check THIS-FILE")
    if any(notes.values()):
        lines.append("# Compare the lines that say unsure with the paper.")
    if any("" in track for sheet in match.sheets for track in sheet.tracks.values()):
        lines.append('# "" is an empty box before filled ones.')
    lines += top_lines(name or str(variant.id), match.setup)
    whole = notes.get(-1, {})
    for key, given in (("options", match.values), ("totals", match.totals)):
        if given:
            text = f"{key}: {_pairs(given)}"
            lines.append(noted(text, whole.pop(key, "")))
    lines += [f"# {_line(about)}: {note}" for about, note in whole.items()]
    lines.append("sheets:")
    for number, sheet in enumerate(match.sheets):
        lines += sheet_lines(sheet, names, notes.get(number, {}))
    return "\n".join(lines) + "\n"


def line_of(name: str, sheet: FilledSheet, names: Names) -> str:
    """Return the line for one name of a sheet: ``red: [$, 3, 17]``.

    ``written.red`` is the result of that name; a name that only results bear is one by itself.
    """
    if name.startswith(WRITTEN) or name not in names.entries:
        name = name.removeprefix(WRITTEN)
        return f"{_key(name)}: {sheet.written.get(name, '')}".rstrip()
    return f"{_key(name)}: {_value(name, sheet, names)}".rstrip()


# -- what blank files are made of, too ------------------------------------------------------------


def top_lines(variant: str, setup: str, note: str = "") -> Iterator[str]:
    """Yield the first lines of a file; ``note`` is about the setup."""
    yield f"variant: {plain(variant)}"
    if setup:
        yield noted(f"setup: {plain(setup)}", note)


def sheet_lines(
    sheet: FilledSheet, names: Names, notes: Mapping[str, str], aside: Sequence[str] = ()
) -> Iterator[str]:
    """Yield a sheet: every name, also those without entries.

    ``notes`` are comments by name (``player``, ``red``, ``written``, ``written.red``), ``aside``
    lines between entries and results.
    """
    yield noted(f"  - player: {_player(sheet.player)}", notes.get("player", ""))
    if sheet.round:
        yield noted(f"    round: {sheet.round}", notes.get("round", ""))
    yield "    entries:"
    for name in names.entries:
        yield noted(f"      {line_of(name, sheet, names)}", notes.get(name, ""))
    yield from aside
    yield noted("    written:", notes.get("written", ""))
    for name in dict.fromkeys((*names.results, *sheet.written)):
        line = line_of(WRITTEN + name, sheet, names)
        yield noted(f"      {line}", notes.get(WRITTEN + name, ""))


def noted(line: str, note: str) -> str:
    """Return a line with a comment, if there is one."""
    return f"{line:{_NOTES}} # {note}" if note else line


def plain(text: str) -> str:
    """Return a text as YAML reads it back, without quotes where it needs none."""
    if _PLAIN.fullmatch(text) and text != "null":
        return text
    return json.dumps(text, ensure_ascii=False)


# -- values ---------------------------------------------------------------------------------------


def _value(name: str, sheet: FilledSheet, names: Names) -> str:
    """Return what stands under a name of entries."""
    if name in names.tracks:
        track = sheet.tracks.get(name, ())
        if not track and (totals := sheet.triples.get(name)):
            return _pairs(totals)
        entries = [entry if isinstance(entry, int) else plain(entry) for entry in track]
        if name in names.singles:
            return str(entries[0]) if entries else ""
        return _list(entries)
    if name in names.counts:
        return str(sheet.counts.get(name, 0))
    if name in names.flags:
        return json.dumps(bool(sheet.flags.get(name)))
    return _list(map(plain, sheet.sets.get(name, ())))


def _key(name: str) -> str:
    return name if re.fullmatch(r"[a-z][a-z0-9_]*", name) and name != "null" else plain(name)


def _list(items: Iterable[object]) -> str:
    return f"[{', '.join(map(str, items))}]"


def _pairs(values: Mapping[str, int]) -> str:
    return f"{{{', '.join(f'{plain(_line(name))}: {n}' for name, n in values.items())}}}"


def _player(name: str) -> str:
    return plain(_line(name) or "?")


def _line(text: str) -> str:
    """Return a text on one line, without what no data file may hold."""
    return " ".join(UNPRINTABLE.sub(" ", text).split())


# -- doubts ---------------------------------------------------------------------------------------


def line_in_doubt(doubt: Doubt, names: Names) -> str:
    """Return the name of the line that a doubt is about, for :func:`line_of`.

    Where entries and a result share a name, the box tells which is meant.
    """
    if doubt.name.startswith(WRITTEN) or doubt.name not in names.scores:
        return doubt.name
    if doubt.name in names.entries and not _RESULT.search(doubt.box):
        return doubt.name
    return WRITTEN + doubt.name


def shown(reading: str) -> str:
    """Return what a reading of a box is called: a text, or that it is empty or marked."""
    return _WORDS.get(reading, _line(reading))


def _notes(doubts: Iterable[Doubt], match: FilledMatch, names: Names) -> dict[int, dict[str, str]]:
    """Return the comments by sheet (-1 for the match) and name, those of one line together."""
    found: dict[int, dict[str, list[Doubt]]] = {}
    for doubt in doubts:
        at = doubt.sheet if 0 <= doubt.sheet < len(match.sheets) else -1
        name = line_in_doubt(doubt, names)
        if at < 0 and name in match.totals:
            name = "totals"
        found.setdefault(at, {}).setdefault(name, []).append(doubt)
    return {
        at: {name: _note(several) for name, several in named.items()} for at, named in found.items()
    }


def _note(doubts: Sequence[Doubt]) -> str:
    """Return the comment for a line: ``unsure: 17, or 11``."""
    said = []
    for doubt in doubts:
        words = ", or ".join(shown(text) for text, _ in doubt.likeliest) or _line(doubt.why)
        said.append(words if len(doubts) == 1 else f"{doubt.box} {words}")
    return f"unsure: {'; '.join(said)}"
