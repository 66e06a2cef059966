"""From the code printed on a sheet to the sheet itself, laid out again."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from sheetgen.errors import InputError
from sheetgen.form_names import Identity
from sheetgen.read.form import code_of, prepared_of

if TYPE_CHECKING:
    from sheetgen.model import Variant
    from sheetgen.prepare import Prepared
    from sheetgen.scene import Scene

CODE = re.compile(r"[A-Z0-9]{2,5}-[A-Z2-7]{6}(?![A-Z0-9])")
INKS = ("full", "low", "bw")
MOST_TRIED = 150  # ways to print a variant


class Layout(NamedTuple):
    """A sheet that a code stands for, in an ink mode; ``name`` is what loaded its variant."""

    identity: Identity
    prepared: Prepared
    variant: Variant
    name: str
    ink: str = "full"

    def __hash__(self) -> int:
        return hash((self.identity, self.ink))

    def __eq__(self, other: object) -> bool:
        # The identity holds the digest of the boxes; the rest follows from both.
        return isinstance(other, Layout) and self[:1] + self[4:] == other[:1] + other[4:]

    @property
    def scene(self) -> Scene:
        """The side to fill in."""
        return self.prepared.front


class Layouts:
    """Finds the sheets that codes stand for; each is laid out once.

    ``named`` returns the names of the variants that a code may be of, ``load`` a variant by name.
    """

    def __init__(
        self, named: Callable[[str], Iterable[str]], load: Callable[[str], Variant]
    ) -> None:
        self.named, self.load = named, load
        self.found: dict[str, Layout | None] = {}
        self.twins: dict[Identity, list[Layout]] = {}
        self.siblings: dict[Identity, list[Layout]] = {}
        self.inks: dict[Identity, list[Layout]] = {}

    def find(self, code: str) -> Layout | None:
        """Return the sheet that a code stands for. Raises :class:`InputError` for a broken file."""
        if code not in self.found:
            ways = (way for name in self.named(code) for way in self._ways(name))
            self.found[code] = next((way for way in ways if way.identity.code == code), None)
        return self.found[code]

    def alike(self, layout: Layout) -> list[Layout]:
        """Return sheets with the same boxes that have other words: languages, or no rules."""
        one = layout.identity
        if one not in self.twins:
            others = [
                one._replace(language=language, rules=rules)
                for rules in (one.rules, not one.rules)
                for language in map(str, layout.variant.languages)
            ]
            ways = [
                self._laid_out(layout.variant, layout.name, other)
                for other in others
                if other != one
            ]
            self.twins[one] = [way for way in ways if way and way.identity.code == one.code]
        return self.twins[one]

    def inked(self, layout: Layout) -> list[Layout]:
        """Return the sheet in the other ink modes."""
        one = layout.identity
        if one not in self.inks:
            self.inks[one] = [
                layout._replace(prepared=prepared_of(layout.variant, one, ink), ink=ink)
                for ink in INKS
                if ink != layout.ink
            ]
        return self.inks[one]

    def others(self, layout: Layout) -> list[Layout]:
        """Return the other sheets of the variant that are as large, printed the same way."""
        one = layout.identity
        if one not in self.siblings:
            names = [str(name) for name in layout.variant.sheets if str(name) != one.sheet]
            ways = [
                self._laid_out(layout.variant, layout.name, one._replace(sheet=name))
                for name in names
            ]
            size = layout.scene.size
            self.siblings[one] = [way for way in ways if way and way.scene.size == size]
        return self.siblings[one]

    def _ways(self, name: str) -> Iterator[Layout]:
        """Yield every sheet in the ways it may be printed, usual ones first."""
        variant = self.load(name)
        for plain in itertools.islice(_identities(variant), MOST_TRIED):
            way = self._laid_out(variant, name, plain)
            if way:
                yield way

    def _laid_out(self, variant: Variant, name: str, plain: Identity) -> Layout | None:
        try:
            ready = prepared_of(variant, plain)
        except InputError:
            return None  # what cannot be printed was not
        code = code_of(variant, plain.sheet, ready.front)
        return Layout(plain._replace(code=code), ready, variant, name)


def layouts_of(variants: Iterable[Variant]) -> Layouts:
    """Return what finds sheets among some variants alone."""
    known = {str(one.id): one for one in variants}
    return Layouts(lambda code: _with(known, code), known.__getitem__)


def _with(known: dict[str, Variant], code: str) -> list[str]:
    return [name for name, one in known.items() if code.startswith(f"{one.code}-")]


def _identities(variant: Variant) -> Iterator[Identity]:
    """Yield what a variant's sheets may be printed as, changing one thing at a time."""
    from sheetgen.prepare import setup_for

    usual = variant.usual or variant.players[0]
    counts = dict.fromkeys((usual, *(one.players[0] for one in (variant.setups or {}).values())))
    sheets, languages = [str(name) for name in variant.sheets], [*map(str, variant.languages)]
    options = (variant.options or {}).items()
    single = [((str(name), n),) for name, one in options for n in range(one.low, one.high + 1)]

    def identity(
        sheet: str, language: str, players: int, values: tuple[tuple[str, int], ...], rules: bool
    ) -> Identity:
        setup, theme = setup_for(variant, players) or "", str(variant.theme)
        return Identity(str(variant.id), sheet, language, players, setup, values, rules, theme, "")

    for sheet in sheets:
        for players in counts:
            for language in languages:
                yield identity(sheet, language, players, (), rules=True)
    for sheet in sheets:
        for values in single:
            yield identity(sheet, languages[0], usual, values, rules=True)
    for sheet in sheets:
        for players in counts:
            yield identity(sheet, languages[0], players, (), rules=False)
