"""Data files to fill in: every name of a variant with nothing under it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from sheetgen.filled import FilledSheet
from sheetgen.read.names import Names, names_of, setup_of
from sheetgen.read.save import sheet_lines, top_lines

if TYPE_CHECKING:
    from sheetgen.model import Variant

FORMATS = ("yaml", "json", "csv")


class _Blank(NamedTuple):
    """What the file begins with, and the sheets in it."""

    title: str
    variant: str
    setup: str
    sheets: tuple[tuple[str, int], ...]
    names: Names


def blank(variant: Variant, *, name: str = "", players: int | None = None, form: str) -> str:
    """Return a data file without entries, for as many players as asked or usual.

    ``name`` is what the file calls the variant, if not its id. Raises :class:`InputError` for a
    number of players that the variant is not for.
    """
    if players is None:
        players = variant.usual or variant.players[0]
    setup = setup_of(variant, players)
    names = names_of(variant)
    who = [chr(ord("A") + i) if i < 26 else f"P{i + 1}" for i in range(players)]
    rounds = range(1, names.rounds + 1) if names.needs_round else (0,)
    sheets = tuple((player, number) for number in rounds for player in who)
    title = variant.title.plain(variant.languages[0])
    file = _Blank(title, name or str(variant.id), setup, sheets, names)
    return {"yaml": _yaml, "json": _json, "csv": _csv}[form](file)


def _empty(names: Names) -> dict[str, Any]:
    """Return an empty value for every name."""
    return {
        **{name: None if name in names.singles else [] for name in names.tracks},
        **dict.fromkeys(names.counts, 0),
        **dict.fromkeys(names.flags, False),
        **{name: [] for name in names.sets},
    }


def _hint(name: str, names: Names) -> str:
    """Say what to write under a name."""
    if name in names.singles:
        return "a number"
    if name in names.tracks:
        marks = names.tracks[name]
        first = ", ".join([*marks[:1], "3", "5", "8"])
        return f"numbers {''.join(f'and {m} ' for m in marks)}in the order of writing: [{first}]"
    if name in names.counts:
        return "how many"
    if name in names.flags:
        return "true if it is marked"
    chosen = names.sets[name]
    return f"which of {', '.join(chosen)}"


def _yaml(file: _Blank) -> str:
    return "\n".join(_lines(file)) + "\n"


def _lines(file: _Blank) -> Iterator[str]:
    names = file.names
    yield f"# {' '.join(file.title.split())}: write what stands on the sheets, then run"
    yield "#   sheetgen check THIS-FILE"
    yield "# What is left empty is an empty box; lines that are not needed may go."
    yield from top_lines(file.variant, file.setup, f"known are {', '.join(names.setups)}")
    yield "sheets:"
    notes, aside = _hints(names), list(_example(names))
    for player, number in file.sheets:
        yield from sheet_lines(FilledSheet(player, number, *_NOTHING), names, notes, aside)
        notes, aside = {}, []  # the first sheet explains all


_NOTHING: Any = ({},) * 7


def _hints(names: Names) -> dict[str, str]:
    """Return comments by name, each once."""
    hints = {"player": "the name", "written": "what stands on the paper as results"}
    said: set[str] = set()
    for name in names.entries:
        hint = _hint(name, names)
        if hint not in said:
            hints[name] = hint
        said.add(hint)
    return hints


def _example(names: Names) -> Iterator[str]:
    """Yield what explains totals in place of entries."""
    for name, parts in list(names.triples.items())[:1]:
        example = ", ".join(f"{part}: 1" for part in parts)
        yield f"      # or by totals alone, {name}: {{{example}}}"


def _json(file: _Blank) -> str:
    top: dict[str, Any] = {"variant": file.variant}
    if file.setup:
        top["setup"] = file.setup
    top["sheets"] = [
        {
            "player": player,
            **({"round": number} if number else {}),
            "entries": _empty(file.names),
            "written": dict.fromkeys(file.names.results),
        }
        for player, number in file.sheets
    ]
    return json.dumps(top, indent=2) + "\n"


def _csv(file: _Blank) -> str:
    import csv
    import io

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("player", "round", "box", "entries", "written"))
    writer.writerow(("", "", "variant", file.variant, ""))
    if file.setup:
        writer.writerow(("", "", "setup", file.setup, ""))
    boxes = dict.fromkeys((*file.names.entries, *file.names.results))
    for player, number in file.sheets:
        for box in boxes:
            writer.writerow((player, number or "", box, "", ""))
    return out.getvalue()
