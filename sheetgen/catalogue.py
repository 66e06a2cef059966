"""What there is: the list of variants and the description of one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sheetgen.errors import InputError
from sheetgen.library import variants
from sheetgen.source import Mapping, Node, Scalar, Sequence, read

if TYPE_CHECKING:
    from sheetgen.model import Variant


def catalogue() -> list[dict[str, Any]]:
    """Return what ``sheetgen list`` says of every variant.

    Files are only parsed, not decoded and checked, so that the list is quick; one that cannot be
    read has an ``error``.
    """
    return [_entry(name, path) for name, path in variants().items()]


def _entry(name: str, path: Path) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": name, "path": str(path), "error": None}
    try:
        top: Node | None = read(path)
    except InputError as error:
        top = None
        entry["error"] = str(error.problems[0])
    entry["title"] = _text(_at(top, "title"))
    entry["summary"] = _text(_at(top, "summary"))
    entry["players"] = _text(_at(top, "players"))
    entry["languages"] = _words(_at(top, "languages"))
    for key in ("sheets", "setups", "dice", "options"):
        entry[key] = _names(_at(top, key))
    return entry


def _at(node: Node | None, name: str) -> Node | None:
    return node.get(name) if isinstance(node, Mapping) else None


def _text(node: Node | None) -> str:
    """Return a text, in its first language if it has several."""
    if isinstance(node, Mapping) and node.entries:
        node = node.entries[0][1]
    return node.value if isinstance(node, Scalar) else ""


def _words(node: Node | None) -> list[str]:
    items = node.items if isinstance(node, Sequence) else ()
    return [item.value for item in items if isinstance(item, Scalar)]


def _names(node: Node | None) -> list[str]:
    return [name.value for name, _ in node.entries] if isinstance(node, Mapping) else []


def describe(variant: Variant, path: Path) -> list[str]:
    """Return the lines of ``sheetgen show``."""
    language = variant.languages[0]
    low, high = variant.players
    lines = [
        f"{variant.title.plain(language)} ({variant.id})",
        f"  {variant.summary.plain(language)}",
        "",
        f"  file       {path}",
        f"  players    {low}" + (f" to {high}" if high > low else ""),
        f"  languages  {', '.join(variant.languages)}",
    ]
    if variant.designer:
        lines.append(f"  designer   {variant.designer}")
    lines += ["", "Sheets"]
    for name, sheet in variant.sheets.items():
        size = f"{str(sheet.size).replace('x', ' x ')} mm"
        lines.append(f"  {name:10} {sheet.title.plain(language)}, {size}")
    if variant.rules:
        lines.append("  back       rules, with --duplex")
    if variant.setups:
        lines += ["", "Setups, by --players"]
        for name, setup in variant.setups.items():
            few, many = setup.players
            values = ", ".join(f"{key} {value}" for key, value in (setup.values or {}).items())
            players = f"{few}" if few == many else f"{few} to {many}"
            lines.append(f"  {name:10} {players} players: {values}")
    if variant.options:
        lines += ["", "Options, by --set"]
        for name, option in variant.options.items():
            span = f"{option.low} to {option.high}, usually {option.default}"
            lines.append(f"  {name:10} {option.title.plain(language)}: {span}")
    if variant.dice:
        lines += ["", "Dice"]
        for name, die in variant.dice.items():
            faces = " ".join(_face(variant, face, language) for face in die.faces)
            count = f"{die.count} x " if die.count > 1 else ""
            lines.append(f"  {name:10} {count}{die.kind}: {faces}")
    lines += ["", "Source", *(f"  {source}" for source in variant.source)]
    if variant.own:
        lines += ["", "Chosen by this project", *(f"  {own}" for own in variant.own)]
    return lines


def _face(variant: Variant, face: Any, language: str) -> str:
    letter = ""
    if variant.colours and face.colour:
        letter = variant.colours[face.colour].letter.plain(language)
    value = str(face.value)
    return value if value == letter else value + letter
