"""What there is: the list of variants and the description of one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sheetgen.errors import InputError
from sheetgen.library import variants
from sheetgen.nodes import Mapping, Node, Scalar, Sequence
from sheetgen.source_text import decode, load

if TYPE_CHECKING:
    from sheetgen.model import Variant


def catalogue() -> list[dict[str, Any]]:
    """Return what ``sheetgen list`` says of every variant.

    Files are only skimmed, so that the list is quick: one that is no YAML, or has no title or no
    sheets, has an ``error``; what else is wrong with one is said when it is used.
    """
    return [_entry(name, path) for name, path in variants().items()]


def variants_of(code: str) -> list[str]:
    """Return the names of the variants whose sheets bear a code such as ``LD-A2B3C4``."""
    prefix = code.partition("-")[0]
    names = []
    for name, path in variants().items():
        try:
            if _text(_at(_skim(path), "code")) == prefix:
                names.append(name)
        except InputError:
            continue
    return names


def _entry(name: str, path: Path) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": name, "path": str(path), "error": None}
    try:
        top: Node | None = _skim(path)
    except InputError as error:
        top = None
        entry["error"] = str(error.problems[0])
    entry["title"] = _text(_at(top, "title"))
    entry["summary"] = _text(_at(top, "summary"))
    entry["players"] = _text(_at(top, "players"))
    entry["languages"] = _words(_at(top, "languages"))
    for key in ("sheets", "setups", "dice", "options"):
        entry[key] = _names(_at(top, key))
    if top and not (entry["title"] and entry["sheets"]):
        entry["error"] = f"{path}: not a whole variant, see sheetgen validate"
    return entry


def _skim(path: Path) -> Mapping:
    """Return the two upper levels of a file's tree; a stand-in is left of what lies below.

    Raises :class:`InputError` for what is not YAML or no mapping.
    """
    import yaml

    below = Scalar("", quoted=True, line=0, column=0)
    depth = 0
    levels: list[list[Node]] = [[]]  # the nodes found so far, in what is open of the upper levels
    anchors: dict[str, Node] = {}
    try:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        event: Any
        for event in yaml.parse(decode(load(path), str(path)), Loader=loader):
            kind = type(event)
            node: Node = below
            if kind is yaml.ScalarEvent:
                node = Scalar(event.value, quoted=True, line=0, column=0) if depth < 3 else below
            elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
                depth += 1
                if depth < 3:
                    levels.append([])
                continue
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                depth -= 1
                if depth < 2:
                    found = levels.pop()
                    pairs = zip(found[::2], found[1::2], strict=False)
                    node = (
                        Mapping(tuple((k, v) for k, v in pairs if isinstance(k, Scalar)), 0, 0)
                        if kind is yaml.MappingEndEvent
                        else Sequence(tuple(found), 0, 0)
                    )
            elif kind is yaml.AliasEvent:
                node = anchors.get(event.anchor, below)
            else:
                continue
            if depth < 3:
                levels[-1].append(node)
                if getattr(event, "anchor", None) and kind is yaml.ScalarEvent:
                    anchors[event.anchor] = node
    except (yaml.YAMLError, ValueError, OverflowError):
        levels = []
    if levels and levels[0] and isinstance(levels[0][0], Mapping):
        return levels[0][0]
    from sheetgen.source import read

    return read(path)  # which says in our words what is wrong


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
            noun = "player" if players == "1" else "players"
            lines.append(f"  {name:10} {players} {noun}: {values}")
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
