"""What can be wrong with the input, said so that a person can mend it.

A :class:`Problem` is a value: readers collect as many as they find and raise them together as one
:class:`InputError`. Only the command line prints.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class Problem:
    """One thing that is wrong with an input.

    ``file`` is the path as the user gave it (``""`` when there is no file), ``line`` and ``column``
    count from 1 (0 when there is no place), ``where`` names the element (``sheets.score.body[2]``),
    ``found`` says what stands there, ``allowed`` what may, ``near`` the nearest known name.
    """

    __slots__ = ("allowed", "column", "file", "found", "line", "near", "where")

    def __init__(
        self,
        found: str,
        allowed: str = "",
        *,
        where: str = "",
        near: str = "",
        file: str = "",
        line: int = 0,
        column: int = 0,
    ) -> None:
        self.file, self.line, self.column = file, line, column
        self.where, self.found, self.allowed, self.near = where, found, allowed, near

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Problem) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __repr__(self) -> str:
        return f"Problem({str(self)!r})"

    def __str__(self) -> str:
        place = self.file
        if self.line:
            place += f":{self.line}:{self.column}"
        text = self.found
        if self.allowed:
            text += f", {self.allowed}"
        if self.near:
            text += f"; did you mean {self.near}?"
        return ": ".join(part for part in (place, self.where, text) if part)


class InputError(Exception):
    """The input cannot be used; ``problems`` holds every reason found, in the order of the file."""

    def __init__(self, problems: Problem | Iterable[Problem]) -> None:
        self.problems: Sequence[Problem] = (
            (problems,) if isinstance(problems, Problem) else tuple(problems)
        )
        super().__init__("\n".join(str(problem) for problem in self.problems))


class NoSheetError(InputError):
    """A file can be opened, but what is looked for is not in it; it may be of another kind."""


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the known name that ``name`` most likely meant, or ``""``."""
    import difflib

    folded = {candidate.casefold(): candidate for candidate in known}
    if name.casefold() in folded:
        return folded[name.casefold()]
    found = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    return folded[found[0]] if found else ""
