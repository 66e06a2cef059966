"""Commands about finished sheets: blank, score, check."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from sheetgen.cli.options import VARIANT, OneOf, VariantName, Whole
from sheetgen.cli.terminal import count, progress, quoted, say
from sheetgen.errors import InputError, Problem

if TYPE_CHECKING:
    from pathlib import Path

    from sheetgen.checking import Checked
    from sheetgen.model import Variant

_CHUNK = 50_000  # characters written at once
_LANGUAGE = click.option(
    "--lang", default="", metavar="L", envvar="SHEETGEN_LANG", help="Language of the report."
)


@click.command()
@VARIANT
@click.option("--players", type=Whole(1, 999), metavar="N", help="Number of players.")
@click.option(
    "--format",
    "form",
    type=OneOf(["yaml", "json", "csv"]),
    default="yaml",
    show_default=True,
    help="YAML explains itself, CSV opens in a spreadsheet.",
)
@click.option("-o", "--output", metavar="FILE", help="Where to, instead of standard output.")
@click.option("--force", is_flag=True, help="Replace a file that exists.")
def blank(*, variant: str, players: int | None, form: Any, output: str | None, force: bool) -> None:
    """Write a data file to fill in with what stands on the sheets."""
    from pathlib import Path

    from sheetgen.read.blank import blank as write

    loaded = _load(variant)
    name = "" if variant == "-" else variant
    text = write(loaded, name=name, players=players, form=form)
    if output in (None, "-"):
        click.echo(text, nl=False)
        return
    from sheetgen.cli.files import Destination

    inputs = [Path(loaded.place.file)]
    destination = Destination(output, "", f".{form}", inputs=inputs, open_=False)
    if not force and destination.path and destination.path.is_file():
        found = f"{output} exists, and may be filled in"
        raise InputError(Problem(found, "choose another name or add --force"))
    destination.deliver(text.encode(), f"fill it in, then run sheetgen check {output}")


@click.command()
@VARIANT
@click.argument("values", nargs=-1, required=True, metavar="NAME=VALUES…")
@click.option("--players", type=Whole(1, 999), metavar="N", help="Number of players.")
@click.option("--explain", is_flag=True, help="Show the arithmetic.")
@_LANGUAGE
def score(
    *, variant: str, values: tuple[str, ...], players: int | None, explain: bool, lang: str
) -> int:
    """Say what one sheet scores: sheetgen score lostdice red='$ 3 5 8' discards=18.

    Values are separated by blanks or commas; sheetgen blank shows the names.
    """
    from sheetgen.checking import Checker
    from sheetgen.read.data import sheet_of_words
    from sheetgen.read.names import names_of
    from sheetgen.report.text import sheet_lines

    words = _words(values)
    loaded = _load(variant)
    checker = Checker(language=lang)
    language = checker.language_of(loaded)
    match = sheet_of_words(words, loaded, loaded.title.plain(language), players or loaded.usual)
    checked = checker.judged(loaded, language, match)
    assert checked.report is not None
    report = checked.report.sheets[0]
    _page(sheet_lines(match.sheets[0], report, names_of(loaded), explain=explain))
    return int(any(finding.severity == "error" for finding in report.findings))


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(), metavar="FILE…")
@click.option(
    "--variant",
    default="",
    type=VariantName(),
    metavar="V",
    help="The variant, whatever the files say.",
)
@click.option("--json", "as_json", is_flag=True, help="Machine readable.")
@click.option("--csv", "as_csv", is_flag=True, help="For spreadsheets.")
@click.option("--html", metavar="FILE", help="Write a page with pictures; - is standard output.")
@click.option("--review", metavar="FILE", help="Write a page to look over what was read in photos.")
@click.option(
    "--annotate", metavar="FILE", help="Draw scores into the photos: FILE.png, or FILE-1.png …"
)
@click.option(
    "--save",
    metavar="FILE",
    help="Write what was read to a data file; with several files, to a folder.",
)
@click.option("--force", is_flag=True, help="Let --save and --annotate replace files.")
@click.option(
    "--jobs",
    type=Whole(1, 64),
    metavar="N",
    help="Processes that read pictures; 2 if there are several.",
)
@click.option("--password", metavar="WORD", help="Opens an encrypted PDF.")
@click.option("--strict", is_flag=True, help="Let warnings alone end with exit code 1, too.")
@_LANGUAGE
def check(
    *,
    files: tuple[str, ...],
    variant: str,
    as_json: bool,
    as_csv: bool,
    html: str | None,
    review: str | None,
    annotate: str | None,
    save: str | None,
    force: bool,
    jobs: int | None,
    password: str | None,
    strict: bool,
    lang: str,
) -> int:
    """Check finished sheets: scores, totals, and what the rules do not allow.

    FILE is a photo or a scan of sheets that were filled in by hand, a data file (YAML, JSON or
    CSV, see sheetgen blank), a pad that was filled in as a PDF (sheetgen print --fillable), a
    folder with such files, or - for standard input. The exit code is 0 if all is right, 1 if
    something is wrong or unsure, 2 if a file cannot be read.
    """
    from sheetgen.cli import batch
    from sheetgen.cli.results import Results

    if as_json + as_csv + (html is not None) > 1:
        found = "found more than one of --json, --csv and --html"
        raise InputError(Problem(found, "give one of them"))
    if files.count("-") > 1:
        raise InputError(Problem("'-' stands twice", "standard input can be read once"))
    how = batch.How(variant, lang, password, review is not None or annotate is not None)
    if variant:
        checker = how.checker()
        checker.language_of(checker.load(variant))
    names = list(batch.expand(files))
    inputs = [name if isinstance(name, str) else name.file for name in names]
    written = Results(inputs, save=save, review=review, annotate=annotate, force=force)
    codes: list[int] = []
    doubts: list[int] = []

    def results() -> Iterable[Checked]:
        for checked in batch.check(names, how, jobs):
            codes.append(max(checked.code(strict=strict), int(bool(checked.doubts))))
            doubts.append(len(checked.doubts))
            for problem in checked.problems:
                say(str(problem) if problem.file else f"{checked.file}: {problem}", err=True)
            written.take(checked)
            yield checked

    if as_json or as_csv:
        from sheetgen.report.machine import csv_parts, json_parts

        _write((json_parts if as_json else csv_parts)(results()))
    elif html is not None:
        _html(html, results(), [name for name in inputs if name != "-"])
    else:
        _text(results(), codes)
        if any(doubts) and review is None and save is None:
            from sheetgen.report.text import advice

            _page(["", *advice(sum(doubts))])
    problems = list(written.end())
    for line in written.said:
        say(line, err=True)
    for problem in problems:
        say(str(problem) if problem.file else f"sheetgen: {problem}", err=True)
        codes.append(2)
    return max(codes)


def _text(results: Iterable[Checked], codes: list[int]) -> None:
    from sheetgen.report.text import report, summary

    blank = False
    for checked in results:
        if checked.report is not None:
            _page([""] if blank else [])
            _page(report(checked))
            blank = True
    if len(codes) > 1:
        _page(["", summary(codes)] if blank else [summary(codes)])


def _html(output: str, results: Iterable[Checked], names: list[str]) -> None:
    from pathlib import Path

    from sheetgen.cli.files import Destination
    from sheetgen.report.html import page

    inputs: list[Path] = [Path(name) for name in names]
    destination = Destination(output, "", ".html", inputs=inputs, open_=False)
    checked = list(results)
    with progress("drawing"):
        data = page(checked).encode()
    destination.deliver(data, f"a report on {count(len(checked), 'file')}")


def _load(name: str) -> Variant:
    """Read a variant by name or path, or from standard input."""
    if name == "-":
        from sheetgen.cli.files import load

        return load(name)[0]
    from sheetgen.checking import load as load_to_check

    return load_to_check(name)


def _words(values: tuple[str, ...]) -> dict[str, str]:
    """Return the values by name. Raises :class:`InputError` with every problem."""
    words: dict[str, str] = {}
    problems = []
    last = ""
    for value in values:
        name, equals, text = value.partition("=")
        name = name.strip()
        if not equals or not name:
            example = f"{last}='{words[last]} {value}'" if last else "red='3 5 8'"
            allowed = f"allowed is NAME=VALUES, several in quotes: {example}"
            problems.append(Problem(f"found {quoted(value)}", allowed))
        elif name in words:
            problems.append(Problem("is given twice", "keep one", where=name))
        else:
            words[name] = text
            last = name
    if problems:
        raise InputError(problems)
    return words


def _page(lines: Iterable[str]) -> None:
    """Print lines as :func:`say` does, many at once."""
    from sheetgen.report.text import plain

    encoding = getattr(sys.stdout, "encoding", None)
    _write(plain(_printable(line), encoding) + "\n" for line in lines)


def _printable(line: str) -> str:
    if line.isprintable():
        return line
    line = line.encode(errors="surrogateescape").decode(errors="backslashreplace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)


def _write(parts: Iterable[str]) -> None:
    """Print a text that comes in pieces, without keeping more of it than a chunk."""
    # Left to itself, click takes ASCII for a mistake and writes UTF-8.
    held: list[str] = []
    size = 0
    for part in parts:
        held.append(part)
        size += len(part)
        if size > _CHUNK:
            click.echo("".join(held), sys.stdout, nl=False)
            held, size = [], 0
    click.echo("".join(held), sys.stdout, nl=False)
