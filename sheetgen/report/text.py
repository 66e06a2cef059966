"""The report for people at a terminal: plain lines, aligned, without colour."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from sheetgen.checking import Checked, wrong
from sheetgen.filled import FilledSheet
from sheetgen.read.names import Names, names_of
from sheetgen.read.save import shown
from sheetgen.report.words import counted, entries, listed, rows, who
from sheetgen.rules.findings import Finding, MatchReport, SheetReport

if TYPE_CHECKING:
    from sheetgen.read.scan.readings import Doubt

UNSURE = "unsure"  # the rule of findings that are doubts about a reading
_ASCII = str.maketrans({"−": "-", "–": "-", "×": "x", "…": "...", "’": "'", "·": "-", "→": "->"})


def plain(text: str, encoding: str | None) -> str:
    """Return ``text`` in signs that the terminal has, as far as there are some."""
    try:
        text.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return text.translate(_ASCII)
    return text


def report(checked: Checked, *, explain: bool = False) -> Iterator[str]:
    """Yield the lines about a file that was read."""
    if checked.report is None or checked.match is None or checked.variant is None:
        return
    title = checked.variant.title.plain(checked.language)
    sheets = counted(len(checked.report.sheets), "sheet")
    yield f"{checked.file}: {title}, {sheets} ({checked.dialect})"
    yield from _notes(checked)
    names = names_of(checked.variant)
    pairs = zip(checked.match.sheets, checked.report.sheets, strict=True)
    for index, (filled, sheet) in enumerate(pairs):
        yield ""
        mine = [doubt for doubt in checked.doubts if doubt.sheet == index]
        yield from sheet_lines(filled, without_doubts(sheet, mine), names, explain=explain)
        yield from _doubts(mine)
    rest = [doubt for doubt in checked.doubts if doubt.sheet < 0]
    yield from _match(checked.report._replace(findings=_others(checked.report.findings, rest)))
    yield from _doubts(rest)
    if not any(True for _ in checked.findings):
        yield "No findings."


def sheet_lines(
    filled: FilledSheet, sheet: SheetReport, names: Names, *, explain: bool = False
) -> Iterator[str]:
    """Yield the table of one sheet, its findings, and the arithmetic if asked."""
    mistaken = set(wrong(sheet))
    table = [(who(sheet.player, sheet.round), "entries", "score", "written", "")]
    for name in rows(filled, names, (*sheet.scores, *sheet.written)):
        score = sheet.scores.get(name)
        written = sheet.written.get(name)
        table.append(
            (
                f"  {name}",
                entries(filled, name),
                "" if score is None else str(score),
                "" if written is None else str(written),
                "wrong" if name in mistaken else "",
            )
        )
    columns = [0, 1, 2, 3, 4] if sheet.written else [0, 1, 2]
    yield from _aligned(([row[column] for column in columns] for row in table), right={2, 3})
    for finding in sheet.findings:
        yield f"  {_finding(finding)}"
    if explain:
        for name, step in sheet.steps.items():
            yield f"  {step}" if step.startswith(f"{name}:") else f"  {name}: {step}"


def _notes(checked: Checked) -> Iterator[str]:
    """Yield what is odd about the pictures of sheets, unless the match's findings say it."""
    said = checked.match.notes if checked.match else ()
    for scan in checked.scans:
        for note in scan.notes:
            if not any(note in one for one in said):
                yield f"  sheet {scan.copy}: {note}"


def _others(findings: tuple[Finding, ...], doubts: Sequence[Doubt]) -> tuple[Finding, ...]:
    """Return the findings that no doubt says already."""
    return tuple(one for one in findings if not doubts or one.rule != UNSURE)


def without_doubts(sheet: SheetReport, doubts: Sequence[Doubt]) -> SheetReport:
    """Return a sheet's report without the findings that its doubts say already."""
    return sheet._replace(findings=_others(sheet.findings, doubts))


def _doubts(doubts: Sequence[Doubt]) -> Iterator[str]:
    """Yield what is unsure, and below the boxes of a line that line, to be pasted."""
    lines: dict[str, list[Doubt]] = {}
    for doubt in doubts:
        lines.setdefault(doubt.line, []).append(doubt)
    for line, several in lines.items():
        for doubt in several:
            guesses = [f"{shown(text)} ({share:.0%})" for text, share in doubt.likeliest]
            said = ": ".join(part for part in (", or ".join(guesses), doubt.why) if part)
            yield f"  unsure: {doubt.box}: {said.replace('%', ' %')}"
        if line:
            yield f"          {line}"


def _match(report: MatchReport) -> Iterator[str]:
    """Yield totals and winners of a match of several sheets, and what is wrong across them."""
    if len(report.totals) > 1 or len(report.sheets) > len(report.totals) > 0:
        yield ""
        table = [["Totals", ""], *([f"  {name}", str(n)] for name, n in report.totals.items())]
        yield from _aligned(table, right={1})
        if report.winners:
            noun = "Winner" if len(report.winners) == 1 else "Winners"
            yield f"{noun}: {listed(report.winners)}"
    for finding in report.findings:
        yield _finding(finding)


def advice(doubts: int) -> tuple[str, str]:
    """Return what to do about readings that are unsure."""
    verb = "is" if doubts == 1 else "are"
    return (
        f"{counted(doubts, 'reading')} {verb} unsure: compare with the paper.",
        "--review FILE.html shows them, --save FILE.yaml writes what was read, to be corrected.",
    )


def summary(results: Sequence[int]) -> str:
    """Return one line about several files, given their exit codes."""
    said = ("right", "with findings", "unreadable")
    parts = [f"{results.count(code)} {said[code]}" for code in range(3) if code in results]
    return f"{counted(len(results), 'file')}: {', '.join(parts)}"


def _finding(finding: Finding) -> str:
    box = f"{finding.box}: " if finding.box else ""
    return f"{finding.severity}: {box}{finding.message} [{finding.rule}]"


def _aligned(table: Iterable[Sequence[str]], right: set[int]) -> Iterator[str]:
    """Yield the rows of a table with columns of equal width."""
    lines = list(table)
    widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = []
        for column, (cell, width) in enumerate(zip(line, widths, strict=True)):
            gap = " " * (width - _width(cell))
            cells.append(gap + cell if column in right else cell + gap)
        yield "  ".join(cells).rstrip()


def _width(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    return len(text) + sum(
        (unicodedata.east_asian_width(c) in "WF") - (unicodedata.combining(c) > 0)
        for c in text
        if c > "\u02ff"
    )
