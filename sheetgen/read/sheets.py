"""The nodes of a data file to filled sheets; every value that cannot be read is a problem."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from sheetgen.errors import InputError, Problem, nearest
from sheetgen.filled import Entry, FilledSheet
from sheetgen.nodes import Mapping, Node, Scalar, Sequence
from sheetgen.read.cells import Cell, pairs, single, truth
from sheetgen.read.limits import LARGEST, WHOLE
from sheetgen.read.names import Names
from sheetgen.schema import Place, describe, shorten
from sheetgen.source_text import MAX_PROBLEMS

LONGEST_NAME = 60
MOST_ENTRIES = 200
_KEYS = ("player", "round", "entries", "written")
_A_WHOLE = "allowed is a whole number"
_NOTHING: Any = {}  # shared by the many sheets that have none of something


class Decoder:
    """Makes sheets of nodes and collects what is wrong with them."""

    def __init__(self, file: str, names: Names) -> None:
        self.file, self.names = file, names
        self.problems: list[Problem] = []
        self.seen: dict[tuple[str, int], Node] = {}
        self.numbers: dict[str, int] = {}
        self.groups: dict[str, tuple[int, Callable[[Node, str], Any]]] = {}
        takers = (self.track, self.count, self.flag, self.choice)
        kinds: tuple[Iterable[str], ...] = names[0], names.counts, names.flags, names.sets
        for group, (known, take) in enumerate(zip(kinds, takers, strict=True)):
            self.groups |= dict.fromkeys(known, (group, take))

    def say(self, node: Node, where: str, found: str, allowed: str = "", near: str = "") -> None:
        """Note a problem; too many end the reading."""
        place = Place(self.file, node.line, node.column, where)
        self.problems.append(place.problem(found, allowed, near))
        if len(self.problems) >= MAX_PROBLEMS:
            raise self.failure()

    def failure(self) -> InputError:
        """Return all problems in the order of the file."""
        return InputError(sorted(self.problems, key=lambda one: (one.line, one.column)))

    # -- a sheet ----------------------------------------------------------------------------------

    def sheet(self, node: Node) -> FilledSheet:
        """Return a sheet; what could not be read is empty in it, and a problem."""
        parts = dict.fromkeys(_KEYS, node)
        given: dict[str, Node] = {}
        for key, value in self.members(node, "sheets", "keys such as player and entries"):
            if key.value in parts:
                given[key.value] = value
            else:
                self.unknown(key, "sheets", _KEYS)
        player = self.player(given.get("player", node), node) if isinstance(node, Mapping) else ""
        number = self.round(given.get("round"), node) if isinstance(node, Mapping) else 0
        first = self.seen.setdefault((player, number), node)
        if first is not node and player:
            found = f"{shorten(player)!r} has two sheets" + (
                f" in round {number}" if number else ""
            )
            lines = f"in lines {first.line} and {node.line}"
            self.say(given["player"], "player", f"{found}, {lines}", "keep one")
        places: dict[str, Place] = {}
        held = self.entries(given.get("entries"), places)
        written = self.written(given.get("written"), places)
        return FilledSheet(player, number, *held, written, places)

    def player(self, node: Node, sheet: Node) -> str:
        """Return the player's name."""
        node = single(node)
        if node is sheet or (isinstance(node, Scalar) and (node.is_null or not node.value.strip())):
            self.say(node, "player", "the player is missing", "give a name such as North")
        elif not isinstance(node, Scalar):
            self.say(node, "player", describe(node), "allowed is a name")
        elif len(node.value) > LONGEST_NAME or "\n" in node.value or "\t" in node.value:
            allowed = f"allowed is a name in one line of at most {LONGEST_NAME} letters"
            self.say(node, "player", describe(node), allowed)
        else:
            return node.value.strip()
        return ""

    def round(self, node: Node | None, sheet: Node) -> int:
        """Return the number of the round, 0 in a game without."""
        most = self.names.rounds
        if node is None or (isinstance(node, Scalar) and node.is_null):
            if self.names.needs_round:
                self.say(node or sheet, "round", "the round is missing", f"write 1 to {most}")
            return 0
        number = self.whole(node, "round", 1, max(most, 1))
        return (number or 0) if most else 0

    def entries(
        self, node: Node | None, places: dict[str, Place]
    ) -> tuple[Any, Any, Any, Any, Any]:
        """Return tracks, counts, flags, sets and triples; what is empty is left away."""
        held: list[dict[str, Any]] = [{}, {}, {}, {}, {}]
        if node is None:
            return (_NOTHING,) * 5
        for key, value in self.members(node, "entries", "names with their entries"):
            name = key.value
            known = self.groups.get(name)
            if known is None:
                if isinstance(value, Cell) and not value.items and name in self.names.scores:
                    continue  # in a table also scores have a cell for entries
                self.unknown(key, "entries", self.names.entries)
                continue
            group, take = known
            content = take(value, name)
            places[name] = Place(self.file, value.line, value.column, name)
            if isinstance(content, dict):
                group = 4
            if content:
                held[group][name] = content
        tracks, counts, flags, sets, triples = (one or _NOTHING for one in held)
        return tracks, counts, flags, sets, triples

    def written(self, node: Node | None, places: dict[str, Place]) -> Any:
        """Return the results on the paper."""
        results: dict[str, int] = {}
        if node is None:
            return _NOTHING
        for key, value in self.members(node, "written", "names with what stands on the paper"):
            name = key.value
            if name not in self.names.scores:
                self.unknown(key, "written", self.names.scores)
            elif not (isinstance(value, Scalar) and value.is_null):
                number = self.whole(value, name, -LARGEST, LARGEST)
                if number is not None:
                    results[name] = number
                    places.setdefault(name, Place(self.file, value.line, value.column, name))
        return results or _NOTHING

    # -- what stands under a name -----------------------------------------------------------------

    def track(self, node: Node, name: str) -> Any:
        """Return the entries of a track, or its totals as a dict."""
        marks = self.names.tracks[name]
        node = pairs(node)
        if isinstance(node, Scalar) and node.is_null:
            return ()
        if name in self.names.singles:
            node = single(node)
            if isinstance(node, Scalar) and node.is_null:
                return ()
            entry = self.entry(node, name, marks)
            return () if entry is None else (entry,)
        parts = self.names.triples.get(name)
        if parts and isinstance(node, Mapping):
            return self.totals(node, name, parts)
        if not isinstance(node, Sequence):
            allowed = "allowed is a list such as [3, 5, 8]"
            if parts:
                allowed += f", or {{{', '.join(f'{part}: 1' for part in parts)}}}"
            self.say(node, name, describe(node), allowed)
            return ()
        if len(node.items) > MOST_ENTRIES:
            self.say(node, name, f"found {len(node.items)} entries", f"allowed are {MOST_ENTRIES}")
            return ()
        numbers = self.numbers
        try:  # nearly all entries were seen before
            return tuple(
                [
                    numbers[item.value]  # type: ignore[union-attr]
                    if not item.quoted  # type: ignore[union-attr]
                    else numbers[""]  # which is none
                    for item in node.items
                ]
            )
        except (KeyError, AttributeError):
            entries = [self.entry(item, name, marks) for item in node.items]
            while entries and entries[-1] == "":
                entries.pop()
            return tuple(entry for entry in entries if entry is not None)

    def entry(self, node: Node, name: str, marks: tuple[str, ...]) -> Entry | None:
        """Return a number or a mark."""
        if isinstance(node, Scalar):
            if node.value in marks or (node.quoted and not node.value):
                return node.value  # an empty text is an empty box before filled ones
            if not node.quoted and WHOLE.fullmatch(node.value):
                number = int(node.value.replace("−", "-"))
                self.numbers[node.value] = number
                return number
        allowed = "allowed is a whole number" + "".join(f" or {mark}" for mark in marks)
        self.say(node, name, _found(node), allowed)
        return None

    def totals(self, node: Mapping, name: str, parts: Iterable[str]) -> dict[str, int]:
        """Return a track that is given by its totals."""
        parts = tuple(parts)
        totals: dict[str, int] = {}
        for key, value in node.entries:
            if key.value not in parts:
                self.unknown(key, name, parts)
            elif key.value in totals:
                self.say(key, name, f"{key.value} stands twice", "keep one")
            else:
                totals[key.value] = self.whole(value, f"{name}.{key.value}", 0, LARGEST) or 0
        if totals and (missing := [part for part in parts if part not in totals]):
            found = f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
            self.say(node, name, found, f"needed are {', '.join(parts)}")
        return totals

    def count(self, node: Node, name: str) -> int:
        """Return how many ticks there are."""
        node = single(node)
        if isinstance(node, Scalar) and node.is_null:
            return 0
        return self.whole(node, name, 0, LARGEST) or 0

    def flag(self, node: Node, name: str) -> bool:
        """Return whether a mark was made."""
        node = truth(node)
        if isinstance(node, Scalar) and not node.quoted:
            if node.is_null:
                return False
            if node.value in ("true", "false"):
                return node.value == "true"
        self.say(node, name, _found(node), "allowed is true or false")
        return False

    def choice(self, node: Node, name: str) -> tuple[str, ...]:
        """Return the chosen names, in the order of the variant."""
        known = self.names.sets[name]
        if isinstance(node, Scalar) and node.is_null:
            return ()
        if not isinstance(node, Sequence):
            self.say(
                node, name, describe(node), f"allowed is a list such as [{', '.join(known[:2])}]"
            )
            return ()
        chosen: dict[str, Node] = {}
        for item in node.items:
            if not isinstance(item, Scalar) or item.value not in known:
                near = nearest(item.value[:40], known) if isinstance(item, Scalar) else ""
                self.say(item, name, describe(item), f"allowed are {', '.join(known)}", near)
            elif item.value in chosen:
                self.say(item, name, f"{item.value} stands twice", "keep one")
            else:
                chosen[item.value] = item
        return tuple(one for one in known if one in chosen)

    # -- small things -----------------------------------------------------------------------------

    def members(self, node: Node, where: str, wanted: str) -> Iterator[tuple[Scalar, Node]]:
        """Yield the keys and values of a mapping; nothing is an empty one."""
        if isinstance(node, Mapping):
            yield from node.entries
        elif not (isinstance(node, Scalar) and node.is_null):
            self.say(node, where, describe(node), f"allowed are {wanted}")

    def whole(self, node: Node, where: str, low: int, high: int) -> int | None:
        """Return a whole number, or note a problem."""
        node = single(node)
        if isinstance(node, Scalar) and not node.quoted:
            number = self.numbers.get(node.value)
            if number is None and WHOLE.fullmatch(node.value):
                number = self.numbers[node.value] = int(node.value.replace("−", "-"))
            if number is not None and low <= number <= high:
                return number
        self.say(node, where, _found(node), f"{_A_WHOLE} from {low} to {high}")
        return None

    def unknown(self, key: Scalar, where: str, known: tuple[str, ...]) -> None:
        """Note a name that is not known, with the nearest that is."""
        near = nearest(key.value[:60], known)
        found = f"unknown name {shorten(key.value)!r}"
        self.say(key, where, found, f"known are {', '.join(known)}", near)


def _found(node: Node) -> str:
    """Say what stands in a node; a number in quotes is a text, a cell is what stands in it."""
    if isinstance(node, Cell):
        words = " ".join(item.value for item in node.items if isinstance(item, Scalar))
        return f"found {shorten(words)!r}"
    if isinstance(node, Scalar) and node.quoted and WHOLE.fullmatch(node.value):
        return f"found the text {shorten(node.value)!r} in quotes"
    return describe(node)
