"""The names that a variant's data files may use, and what each of them holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from sheetgen.errors import InputError
from sheetgen.model_play import lanes

if TYPE_CHECKING:
    from sheetgen.model import Variant


class Names(NamedTuple):
    """What the variant's sheets hold, by name.

    ``tracks`` give the marks that may stand beside numbers; ``singles`` are those that hold one
    number and no list, ``triples`` those that may be given by totals, with the totals' names.
    ``sets`` give the names to choose from. ``rounds`` is 0 for a game without.
    """

    tracks: Mapping[str, tuple[str, ...]]
    singles: frozenset[str]
    triples: Mapping[str, tuple[str, ...]]
    counts: tuple[str, ...]
    flags: tuple[str, ...]
    sets: Mapping[str, tuple[str, ...]]
    scores: tuple[str, ...]
    setups: tuple[str, ...]
    rounds: int

    @property
    def entries(self) -> tuple[str, ...]:
        """Return all names of entries, in the order of the variant."""
        return (*self.tracks, *self.counts, *self.flags, *self.sets)


def names_of(variant: Variant) -> Names:
    """Return what a variant's sheets hold.

    Raises :class:`InputError` for a variant that does not say how it is played.
    """
    play = variant.play
    if play is None:
        found = f"{variant.id} does not say how it is played, so its sheets cannot be read"
        raise InputError(variant.place.problem(found, "add the key play"))
    tracks, singles, triples = {}, set(), {}
    for kind, track in (play.tracks or {}).items():
        for name in map(str, track.names or (kind,)):
            tracks[name] = tuple(track.marks or ())
            if track.single:
                singles.add(name)
            if track.totals:
                triples[name] = tuple(track.totals)
    flags = []
    for name, flag in (play.flags or {}).items():
        flags += [f"{lane}_{name}" for lane in lanes(play, flag.lanes)] or [str(name)]
    scores: dict[str, None] = {}
    for name, score in (variant.score or {}).items():
        pattern = str(score.named or ("{lane}" if score.each else name))
        for lane in tuple(lanes(play, score.each)) or ("",):
            scores[pattern.replace("{lane}", lane)] = None
    rounds = max(variant.match.rounds) if variant.match else 1
    return Names(
        tracks,
        frozenset(singles),
        triples,
        tuple(map(str, play.counts or ())),
        tuple(flags),
        {name: tuple(lanes(play, one.of)) for name, one in (play.sets or {}).items()},
        tuple(scores),
        tuple(variant.setups or ()),
        rounds if rounds > 1 else 0,
    )
