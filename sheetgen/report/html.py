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
    from sheetgen.report.picture import Filled
    from sheetgen.scene import Scene

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
    from jinja2 import TemplateError, TemplateSyntaxError
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
    try:
        return str(_environment().get_template(TEMPLATE).render(values))
    except TemplateSyntaxError as error:
        raise InputError(
            Problem(
                f"template: {error.message}",
                file=error.filename or TEMPLATE,
                line=error.lineno,
                column=1,
            )
        ) from None
    except (TemplateError, TypeError, ValueError, ArithmeticError, LookupError) as error:
        words = " ".join(str(error).split())[:200]
        raise InputError(Problem(f"template: {words}", file=TEMPLATE)) from None


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
    from sheetgen.report.picture import Filled, is_shared

    assert checked.match
    assert checked.report
    assert checked.variant
    names = names_of(checked.variant)
    players = list(dict.fromkeys(sheet.player for sheet in checked.match.sheets))
    index = {player: number for number, player in enumerate(players)}
    filled = [
        Filled(sheet, report, index[sheet.player])
        for sheet, report in zip(checked.match.sheets, checked.report.sheets, strict=True)
    ]
    scene = pictures.scene(checked, len(players))
    groups: dict[str, list[Filled]] = {}
    for one in filled:
        group = "" if scene is not None and is_shared(scene) else one.sheet.player
        groups.setdefault(group, []).append(one)
    cards = []
    for several in groups.values():
        picture = pictures.draw(checked, scene, several)
        lying = scene is not None and scene.size.width > scene.size.height
        shape = ("lying" if lying else "standing") if picture else ""
        cards.append(Card(picture, shape, tuple(_sheet(one, names) for one in several)))
    return cards


def _sheet(one: Filled, names: Names) -> dict[str, Any]:
    sheet, report, _ = one
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
        self.scenes: dict[tuple[str, str, int], tuple[Scene, int] | None] = {}
        self.prints: list[str] = []
        self.drawn = 0

    def scene(self, checked: Checked, players: int) -> Scene | None:
        """Return the printed sheet for a match, if it can be laid out and there is room for it."""
        if self.drawn >= MOST_PICTURES:
            return None
        kept = self._kept(checked, players)
        return kept[0] if kept else None

    def _kept(self, checked: Checked, players: int) -> tuple[Scene, int] | None:
        assert checked.variant
        assert checked.match
        setup = (checked.variant.setups or {}).get(checked.match.setup)
        low, high = setup.players if setup else checked.variant.players
        key = (str(checked.variant.place.file), checked.language, min(max(players, low), high))
        if key not in self.scenes:
            from sheetgen.draw.svg import svg
            from sheetgen.prepare import Choices, prepare

            try:
                choices = Choices(language=key[1], players=key[2])
                ready = prepare(checked.variant, choices)
                drawn = svg(ready.front, ready.style.fonts)
            except InputError:  # a sheet that cannot be printed can be checked all the same
                self.scenes[key] = None
            else:
                inside = drawn[drawn.index(">") + 1 : drawn.rindex("</svg>")]
                width, height = ready.front.size
                self.prints.append(
                    f'<symbol id="print{len(self.prints)}" viewBox="0 0 {width} {height}">'
                    f"{inside}</symbol>"
                )
                self.scenes[key] = ready.front, len(self.prints) - 1
        return self.scenes[key]

    def draw(self, checked: Checked, scene: Scene | None, filled: Sequence[Filled]) -> Any:
        """Return the picture of a sheet, or nothing."""
        from markupsafe import Markup

        from sheetgen.report.picture import Look, overlay

        if scene is None or self.drawn >= MOST_PICTURES or not checked.variant:
            return ""
        self.drawn += 1
        (number,) = {kept[1] for kept in self.scenes.values() if kept and kept[0] is scene}
        play = checked.variant.play
        boxes = {str(name): str(one.box) for name, one in ((play and play.sets) or {}).items()}
        look = Look(boxes, names_of(checked.variant).triples)
        findings = checked.report.findings if checked.report else ()
        width, height = scene.size
        title = Markup.escape(f"{scene.title}: {filled[0].sheet.player}")
        return Markup(  # noqa: S704 - texts are escaped where they are put in
            f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{title}" '
            f'class="{"lying" if width > height else "standing"}">'
            f'<rect class="paper" width="{width}" height="{height}"/>'
            f'<use href="#print{number}" width="{width}" height="{height}"/>'
            f"{overlay(scene, filled, look, findings)}</svg>"
        )
