"""The report as one HTML file with pictures; it needs nothing beside itself."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from sheetgen.checking import Checked, wrong
from sheetgen.errors import InputError, Problem
from sheetgen.library import folders
from sheetgen.read.names import Names, names_of
from sheetgen.report.words import counted, entries, listed, rows, who

if TYPE_CHECKING:
    from sheetgen.filled import FilledSheet
    from sheetgen.report.picture import Filled, Print
    from sheetgen.rules.findings import MatchReport, SheetReport

TEMPLATE = "report/check.html.j2"
MOST_PICTURES = 60  # each of some kilobytes; beyond, tables say it all


class Row(NamedTuple):
    """A line of a sheet's table."""

    name: str
    entries: str
    score: str
    written: str
    wrong: bool


class Card(NamedTuple):
    """Sheets that share a picture: one player's, or all of a match on one sheet."""

    picture: str  # an SVG element, "" for none
    shape: str  # of the paper: standing, lying, or "" without a picture
    sheets: tuple[dict[str, Any], ...]


def page(results: Sequence[Checked]) -> str:
    """Return the HTML page. Raises :class:`InputError` for a template that cannot be used."""
    from markupsafe import Markup

    pictures = _Pictures()
    files = [_file(checked, pictures) for checked in results]
    codes = [checked.code(strict=False) for checked in results]
    values = {
        "files": files,
        "right": codes.count(0),
        "wrong": codes.count(1),
        "unreadable": codes.count(2),
        "prints": [Markup(one) for one in pictures.prints],  # noqa: S704 - drawn by ourselves
        "counted": counted,
        "listed": listed,
    }
    return render(TEMPLATE, values)


def render(template: str, values: dict[str, Any]) -> str:
    """Return a page made of a template. Raises :class:`InputError` for one that cannot be used."""
    from jinja2 import TemplateError, TemplateSyntaxError

    try:
        return str(_environment().get_template(template).render(values))
    except TemplateSyntaxError as error:
        raise InputError(
            Problem(
                f"template: {error.message}",
                file=error.filename or template,
                line=error.lineno,
                column=1,
            )
        ) from None
    except (TemplateError, TypeError, ValueError, ArithmeticError, LookupError) as error:
        words = " ".join(str(error).split())[:200]
        raise InputError(Problem(f"template: {words}", file=template)) from None


@cache
def _environment() -> Any:
    """Return where templates come from: a user's own, which are not trusted, or the bundled."""
    from jinja2 import FileSystemLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    return ImmutableSandboxedEnvironment(
        loader=FileSystemLoader([str(folder) for folder in folders("templates")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _file(checked: Checked, pictures: _Pictures) -> dict[str, Any]:
    """Return what the template says about a file."""
    said: dict[str, Any] = {
        "name": checked.file,
        "dialect": checked.dialect,
        "problems": [str(problem) for problem in checked.problems],
        "status": ("right", "wrong", "unreadable")[checked.code(strict=False)],
    }
    if checked.report is None or checked.match is None or checked.variant is None:
        return said
    report = checked.report
    return said | {
        "language": checked.language,
        "title": checked.variant.title.plain(checked.language),
        "count": counted(len(report.sheets), "sheet"),
        "cards": _cards(checked, pictures),
        "totals": dict(report.totals) if len(report.sheets) > 1 else {},
        "winners": report.winners,
        "findings": report.findings,
    }


def _cards(checked: Checked, pictures: _Pictures) -> list[Card]:
    """Return the sheets, those on one picture together."""
    from sheetgen.report.picture import Filled

    assert checked.match
    assert checked.report
    assert checked.variant
    names = names_of(checked.variant)
    players = list(dict.fromkeys(sheet.player for sheet in checked.match.sheets))
    index = {player: number for number, player in enumerate(players)}
    printed = pictures.print_of(checked, len(players))
    groups: dict[str, list[Filled]] = {}
    for sheet, report in zip(checked.match.sheets, checked.report.sheets, strict=True):
        group = sheet.player if printed is None or len(printed[0].owners) == 1 else ""
        groups.setdefault(group, []).append(Filled(sheet, report, index[sheet.player]))
    cards = []
    for several in groups.values():
        picture, shape = pictures.draw(printed, several, checked.report)
        tables = tuple(sheet_table(one.sheet, one.report, names) for one in several)
        cards.append(Card(picture, shape, tables))
    return cards


def sheet_table(sheet: FilledSheet, report: SheetReport, names: Names) -> dict[str, Any]:
    """Return what templates say about a sheet: its rows, findings, and the arithmetic."""
    mistaken = set(wrong(report))

    def shown(numbers: Any, name: str) -> str:
        return str(numbers[name]).replace("-", "−") if name in numbers else ""

    return {
        "who": who(sheet.player, sheet.round),
        "written": bool(report.written),
        "findings": report.findings,
        "steps": {name: step for name, step in report.steps.items() if "=" in step},
        "rows": [
            Row(
                name,
                entries(sheet, name).replace("-", "−"),
                shown(report.scores, name),
                shown(report.written, name),
                name in mistaken,
            )
            for name in rows(sheet, names, (*report.scores, *report.written))
        ],
    }


class _Pictures:
    """Draws pictures; what is printed on sheets of one kind is in the page once."""

    def __init__(self) -> None:
        self.known: dict[tuple[str, str, int], tuple[Print, int] | None] = {}
        self.prints: list[str] = []
        self.drawn = 0

    def print_of(self, checked: Checked, players: int) -> tuple[Print, int] | None:
        """Return the printed sheet of a match and its number in the page.

        There is none for a sheet that cannot be laid out, and where no picture follows.
        """
        assert checked.variant
        assert checked.match
        if self.drawn >= MOST_PICTURES:
            return None
        setup = (checked.variant.setups or {}).get(checked.match.setup)
        low, high = setup.players if setup else checked.variant.players
        players = min(max(players, low), high)
        key = (str(checked.variant.place.file), checked.language, players)
        if key not in self.known:
            from sheetgen.draw.svg import svg
            from sheetgen.prepare import Choices, prepare
            from sheetgen.read.boxes import boxes_of
            from sheetgen.report.picture import Print

            try:
                choices = Choices(language=checked.language, players=players)
                ready = prepare(checked.variant, choices)
                drawn = svg(ready.front, ready.style.fonts)
                boxes = boxes_of(checked.variant, ready.name, ready.front.boxes)
            except InputError:  # a sheet that cannot be printed can be checked all the same
                self.known[key] = None
            else:
                number = len(self.prints)
                self.known[key] = Print(ready.front, boxes), number
                width, height = ready.front.size
                start = f'<symbol id="print{number}" viewBox="0 0 {width} {height}">'
                inside = drawn[drawn.index(">") + 1 : drawn.rindex("</svg>")]
                self.prints.append(f"{start}{inside}</symbol>")
        return self.known[key]

    def draw(
        self, printed: tuple[Print, int] | None, filled: Sequence[Filled], report: MatchReport
    ) -> tuple[str, str]:
        """Return the picture of a sheet and its shape, or nothing."""
        from markupsafe import Markup

        from sheetgen.report.picture import overlay

        if printed is None or self.drawn >= MOST_PICTURES:
            return "", ""
        self.drawn += 1
        sheet, number = printed
        width, height = sheet.scene.size
        shape = "lying" if width > height else "standing"
        title = Markup.escape(f"{sheet.scene.title}: {filled[0].sheet.player}")
        picture = Markup(  # noqa: S704 - texts are escaped where they are put in
            f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{title}" class="{shape}">'
            f'<rect class="paper" width="{width}" height="{height}"/>'
            f'<use href="#print{number}" width="{width}" height="{height}"/>'
            f"{overlay(sheet, filled, report)}</svg>"
        )
        return picture, shape
