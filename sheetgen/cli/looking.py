"""Commands that look: list, show, validate, schema."""

from __future__ import annotations

import click

from sheetgen.cli.options import VARIANT
from sheetgen.cli.terminal import count, say
from sheetgen.errors import InputError, Problem


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="Machine readable.")
def list_command(*, as_json: bool) -> None:
    """List the variants that can be used by name."""
    from sheetgen.catalogue import catalogue

    entries = catalogue()
    if as_json:
        import json

        click.echo(json.dumps(entries, indent=2))  # in ASCII, so right in any encoding
        return
    width = max(len(entry["name"]) for entry in entries)
    for entry in entries:
        sheets = ", ".join(entry["sheets"])
        if entry["error"]:
            say(f"{entry['name']:{width}}  cannot be used: {entry['error']}")
        else:
            languages = ", ".join(entry["languages"])
            say(f"{entry['name']:{width}}  {entry['title']}: {entry['summary']}")
            click.echo(f"{'':{width}}  sheets: {sheets} · languages: {languages}")


@click.command()
@VARIANT
def show(variant: str) -> None:
    """Show what a variant offers: sheets, setups, dice, languages, sources."""
    from sheetgen.catalogue import describe
    from sheetgen.cli.files import load

    loaded, path = load(variant)
    for line in describe(loaded, path):
        say(line)


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(), metavar="FILE…")
def validate(files: tuple[str, ...]) -> None:
    """Check variant files: every problem at once, each with its place."""
    from sheetgen import prepare, workshop
    from sheetgen.cli.files import load

    problems: list[Problem] = []
    for file in files:
        try:
            loaded, path = load(file)
            found = prepare.every_problem(loaded) or workshop.every_problem(loaded)
        except InputError as error:
            found = list(error.problems)
        if not found:
            sheets = count(len(loaded.sheets), "sheet")
            languages = count(len(loaded.languages), "language")
            say(f"{path}: {loaded.id} is right, {sheets} in {languages}")
        problems += found
    if problems:
        raise InputError(problems)


@click.command()
def schema() -> None:
    """Print the JSON Schema of variant files, for editors."""
    import json

    from sheetgen.decode import json_schema

    click.echo(json.dumps(json_schema(), indent=2))
