"""Options and arguments that several commands share, and their completion."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from sheetgen.cli.terminal import quoted
from sheetgen.errors import InputError, Problem, nearest

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from sheetgen.model import Variant
    from sheetgen.prepare import Choices


# -- completion -----------------------------------------------------------------------------------


def _starting(words: Any, start: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(str(word)) for word in words if str(word).startswith(start)]


class VariantName(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.4 on only
    """A bundled or own variant, or a path; completes to both."""

    name = "variant"

    def shell_complete(self, ctx: Any, param: Any, incomplete: str) -> list[CompletionItem]:
        """Offer the known names, then files."""
        from click.shell_completion import CompletionItem

        from sheetgen.library import variants

        return _starting(variants(), incomplete) or [CompletionItem(incomplete, type="file")]


def _offer(of_variant: Callable[[Variant], Any]) -> Callable[..., list[CompletionItem]]:
    """Complete an option from the variant that is already typed."""

    def complete(ctx: Any, param: Any, incomplete: str) -> list[CompletionItem]:
        from sheetgen.prepare import load

        # An option that still wants its value stops the parser before it comes to arguments.
        words = (ctx.params.get("variant"), *ctx.args)
        name = next((word for word in words if word and not word.startswith("-")), None)
        if name is None:
            return []
        try:
            variant, _ = load(name)
        except InputError:
            return []
        return _starting(of_variant(variant), incomplete)

    return complete


def _offer_papers(ctx: Any, param: Any, incomplete: str) -> list[CompletionItem]:
    from sheetgen.paper import PAPERS

    return _starting((name.lower() for name in PAPERS), incomplete.lower())


def offer_stocks(ctx: Any, param: Any, incomplete: str) -> list[CompletionItem]:
    """Complete the names of label stocks."""
    from sheetgen.workshop import known_stocks

    return _starting(known_stocks(), incomplete)


# -- kinds of values ------------------------------------------------------------------------------


class Whole(click.ParamType):  # type: ignore[type-arg]
    """A whole number in a range, in plain digits: no sign, no leading zero, no ``1_000``."""

    name = "number"

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        """Return the number, or refuse what was typed."""
        number = value if isinstance(value, int) else whole(value)
        if number is None or not self.low <= number <= self.high:
            allowed = f"allowed is a whole number from {self.low} to {self.high}"
            self.fail(f"found {quoted(value)}, {allowed}", param, ctx)
        return number


class OneOf(click.Choice):  # type: ignore[type-arg]
    """One of a few words; a wrong one is answered with the nearest."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the word, or refuse what was typed."""
        if value not in self.choices:
            words = [str(choice) for choice in self.choices]
            allowed = f"allowed are {', '.join(words)}"
            problem = Problem(f"found {quoted(value)}", allowed, near=nearest(value, words))
            self.fail(str(problem), param, ctx)
        return value


def whole(text: str) -> int | None:
    """Return a whole number in plain digits, or ``None``."""
    return int(text) if re.fullmatch("0|[1-9][0-9]{0,8}", text) else None


# -- options --------------------------------------------------------------------------------------

VARIANT = click.argument("variant", type=VariantName())


def _adding(*options: Any) -> Callable[[Any], Any]:
    def add(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return add


# What the sheet is.
sheet_options = _adding(
    click.option(
        "--sheet",
        default="",
        metavar="NAME",
        help="Which of the variant's sheets; the first if not given.",
        shell_complete=_offer(lambda variant: variant.sheets),
    ),
    click.option(
        "--players",
        type=Whole(1, 999),
        metavar="N",
        help="Number of players; changes tallies and lanes.",
    ),
    click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="NAME=N",
        help="Set an option of the variant, such as rounds=12.",
    ),
    click.option("--no-rules", is_flag=True, help="Leave the rules in short away."),
    click.option(
        "--no-marks",
        is_flag=True,
        help="Leave corner markers and code away: photos of the sheet cannot be read then.",
    ),
)

# What it looks like.
look_options = _adding(
    click.option(
        "--lang",
        default="",
        metavar="L",
        envvar="SHEETGEN_LANG",
        help="Language of every printed word: en, fr, de …",
        shell_complete=_offer(lambda variant: variant.languages),
    ),
    click.option(
        "--ink",
        type=OneOf(["full", "low", "bw"]),
        default="full",
        show_default=True,
        help="Full colour, outlines only, or pure black for copiers.",
    ),
    click.option("--theme", default="", metavar="NAME", help="Another look."),
    click.option(
        "--font",
        "fonts",
        multiple=True,
        type=click.Path(),
        metavar="FILE",
        help="A TrueType font for characters that the theme's fonts lack.",
    ),
)

# Where it goes.
output_options = _adding(
    click.option("-o", "--output", metavar="FILE", help="Where to; - is standard output."),
    click.option("--open", "open_", is_flag=True, help="Show the file when it is done."),
    click.option("--printer", metavar="NAME", help="Send it to this printer instead of a file."),
)


def paper_option(default: str | None, extra: str = "") -> Callable[[Any], Any]:
    """Return the option for the paper."""
    return click.option(
        "--paper",
        default=default,
        show_default=bool(default),
        envvar="SHEETGEN_PAPER" if default else None,
        metavar="SIZE",
        help=f"a4, a5, letter, 'a4 landscape', 210x297mm, 8.5x11in …{extra}",
        shell_complete=_offer_papers,
    )


def make_choices(
    *, fonts: tuple[str, ...] = (), settings: tuple[str, ...] = (), **chosen: Any
) -> Choices:
    """Return the choices; the form of settings such as ``rounds=12`` is checked here."""
    from pathlib import Path

    from sheetgen.prepare import Choices

    values: dict[str, int] = {}
    problems = []
    for setting in settings:
        name, _, value = map(str.strip, setting.partition("="))
        number = whole(value)
        if not name or number is None:
            allowed = "allowed is NAME=N, such as rounds=12"
            problems.append(Problem(f"found {quoted(setting)}", allowed, where="--set"))
        elif name in values:
            problems.append(Problem(f"{name} is set twice", "keep one", where="--set"))
        else:
            values[name] = number
    if problems:
        raise InputError(problems)
    return Choices(values=values, fonts=tuple(map(Path, fonts)), **chosen)
