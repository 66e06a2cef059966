"""Data files to fill in: every name of a variant with nothing under it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from sheetgen.read.names import Names, names_of, setup_of

if TYPE_CHECKING:
    from sheetgen.model import Variant

FORMATS = ("yaml", "json", "csv")
_PLAIN = re.compile(r"[a-z][a-z0-9_-]*")
_NOTES = 26  # where the comments begin, if the value leaves room


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
    yield f"variant: {file.variant if _PLAIN.fullmatch(file.variant) else json.dumps(file.variant)}"
    if file.setup:
        known = ", ".join(names.setups)
        yield _noted(f"setup: {file.setup}", f"known are {known}")
    yield "sheets:"
    said: set[str] = set()
    for number, (player, round_) in enumerate(file.sheets):
        first = number == 0
        yield _noted(f"  - player: {player}", "the name" if first else "")
        if round_:
            yield f"    round: {round_}"
        yield "    entries:"
        for name, value in _empty(names).items():
            shown = "" if value is None else " " + json.dumps(value)
            hint = _hint(name, names) if first else ""
            yield _noted(f"      {name}:{shown}", "" if hint in said else hint)
            said.add(hint)
        if first:
            for name, parts in list(names.triples.items())[:1]:
                example = ", ".join(f"{part}: 1" for part in parts)
                yield f"      # or by totals alone, {name}: {{{example}}}"
        yield _noted("    written:", "what stands on the paper as results" if first else "")
        for name in names.results:
            yield f"      {name}:"


def _noted(line: str, note: str) -> str:
    return f"{line:{_NOTES}} # {note}" if note else line


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
