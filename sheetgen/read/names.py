"""The names that a variant's data files may use, and what each of them holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from sheetgen.errors import InputError, Problem
from sheetgen.model_play import lanes

if TYPE_CHECKING:
    from sheetgen.model import Variant


class Names(NamedTuple):
    """What the variant's sheets hold, by name.

    ``tracks`` give the marks that may stand beside numbers; ``singles`` are those that hold one
    number and no list, ``triples`` those that may be given by totals: what each total is of, by
    its name (``sum``, ``entries`` or a mark). ``sets`` give the names to choose from, ``scores``
    all that may be written as a result, ``results`` those of a report. ``rounds`` is 0 for a game
    without; in some games they may be left away.
    """

    tracks: Mapping[str, tuple[str, ...]]
    singles: frozenset[str]
    triples: Mapping[str, Mapping[str, str]]
    counts: tuple[str, ...]
    flags: tuple[str, ...]
    sets: Mapping[str, tuple[str, ...]]
    scores: tuple[str, ...]
    results: tuple[str, ...]
    setups: tuple[str, ...]
    rounds: int
    needs_round: bool

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
                triples[name] = {str(part): str(what) for part, what in track.totals.items()}
    flags = []
    for name, flag in (play.flags or {}).items():
        flags += [f"{lane}_{name}" for lane in lanes(play, flag.lanes)] or [str(name)]
    scores: dict[str, bool] = {}  # whether a report shows it
    for name, score in (variant.score or {}).items():
        pattern = str(score.named or ("{lane}" if score.each else name))
        for lane in tuple(lanes(play, score.each)) or ("",):
            scores[pattern.replace("{lane}", lane)] = not score.working
    rounds = variant.match.rounds if variant.match else (1,)
    most = max(rounds)
    return Names(
        tracks,
        frozenset(singles),
        triples,
        tuple(map(str, play.counts or ())),
        tuple(flags),
        {name: tuple(lanes(play, one.of)) for name, one in (play.sets or {}).items()},
        tuple(scores),
        tuple(name for name, shown in scores.items() if shown),
        tuple(variant.setups or ()),
        most if most > 1 else 0,
        1 not in rounds,
    )


def setup_of(variant: Variant, players: int) -> str:
    """Return the setup for a number of players, ``""`` if the variant has none.

    Raises :class:`InputError` for a number that the variant is not for.
    """
    low, high = variant.players
    if not low <= players <= high:
        allowed = f"{variant.id} is for {low}" + (f" to {high}" if high > low else "")
        raise InputError(Problem(f"found {players}", allowed, where="--players"))
    for name, setup in (variant.setups or {}).items():
        if setup.players[0] <= players <= setup.players[1]:
            return str(name)
    return ""
