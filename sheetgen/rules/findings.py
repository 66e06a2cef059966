"""What checking a finished match comes to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

Severity = Literal["error", "warning"]


class Finding(NamedTuple):
    """Something the rules do not allow, or a written result that is wrong.

    ``box`` is the box's id (``red.3`` is ``red_3``), or the name of a track, a count or a score;
    ``rule`` a short name of the rule; ``message`` says it to people.
    """

    box: str
    rule: str
    severity: Severity
    message: str


class SheetReport(NamedTuple):
    """One sheet: its scores by name (``total`` last), what was written, what is wrong.

    ``steps`` shows the arithmetic by name: ``red: (3 + 5 + 8 − 20) × 2 = −8``.
    """

    player: str
    round: int
    scores: Mapping[str, int]
    written: Mapping[str, int]
    findings: tuple[Finding, ...]
    steps: Mapping[str, str]


class MatchReport(NamedTuple):
    """The whole match: totals over rounds by player, the winners, findings across sheets."""

    variant: str
    sheets: tuple[SheetReport, ...]
    totals: Mapping[str, int]
    winners: tuple[str, ...]
    findings: tuple[Finding, ...]
