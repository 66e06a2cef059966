from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import click
import pytest

from sheetgen.cli.run import COMMANDS, cli
from sheetgen.stocks import load

ROOT = Path(__file__).parent.parent


def test_the_manual_of_keys_is_up_to_date() -> None:
    """docs/variants.md is what docs/make.py makes of the definitions."""
    spec = importlib.util.spec_from_file_location("make", ROOT / "docs" / "make.py")
    assert spec
    assert spec.loader
    make = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make)
    assert (ROOT / "docs" / "variants.md").read_text("utf-8") == make.manual()


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "docs/architecture.md"])
def test_links_lead_somewhere(page: str) -> None:
    """Every relative link and picture of a page is a file."""
    text = (ROOT / page).read_text("utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link]
    missing = [link for link in links if not ((ROOT / page).parent / link).is_file()]
    assert not missing


def test_the_readme_names_commands_and_options_that_exist() -> None:
    """Every command and long option in the README's examples is one of the tool's."""
    text = (ROOT / "README.md").read_text("utf-8")
    lines = re.findall(r"^    (?:\$ )?sheetgen (.*)$", text, re.MULTILINE)
    assert len(lines) > 15
    for line in lines:
        name, *words = line.split("#")[0].split()
        assert name in COMMANDS, line
        command = cli.get_command(click.Context(cli), name)
        assert command
        options = {option for param in command.params for option in param.opts}
        options |= {option for param in command.params for option in param.secondary_opts}
        assert {word for word in words if word.startswith("--")} <= options, line


def test_every_module_has_a_room_in_the_picture() -> None:
    """docs/architecture.md names every module and package of sheetgen."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    modules = {path.stem for path in (ROOT / "sheetgen").glob("*.py")} | {
        path.name for path in (ROOT / "sheetgen").iterdir() if (path / "__init__.py").is_file()
    }
    missing = {name for name in modules if not name.startswith("_") and name not in text}
    assert not missing


def test_the_changelog_counts_the_stocks() -> None:
    """The number of label stocks in the changelog is the number of bundled ones."""
    count = len(load([ROOT / "templates" / "stocks.yaml"]))
    assert f"{count} label stocks" in (ROOT / "CHANGELOG.md").read_text("utf-8")
