"""The command line: it parses, calls, prints. Nothing else prints."""

from __future__ import annotations

import errno
import gc
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from sheetgen import __version__
from sheetgen.errors import InputError, Problem, nearest

if TYPE_CHECKING:
    from pathlib import Path

    from click.shell_completion import CompletionItem

    from sheetgen.model import Variant
    from sheetgen.prepare import Choices

STDIN = STDOUT = "-"
MOST_COPIES = 100_000
MOST_A_PAGE = 9999
PATIENCE = 1.0  # seconds before long work shows that it goes on


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


# -- options --------------------------------------------------------------------------------------


class Whole(click.ParamType):  # type: ignore[type-arg]
    """A whole number in a range, in plain digits: no sign, no leading zero, no ``1_000``."""

    name = "number"

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        """Return the number, or refuse what was typed."""
        number = value if isinstance(value, int) else _whole(value)
        if number is None or not self.low <= number <= self.high:
            allowed = f"allowed is a whole number from {self.low} to {self.high}"
            self.fail(f"found {_quoted(value)}, {allowed}", param, ctx)
        return number


class OneOf(click.Choice):  # type: ignore[type-arg]
    """One of a few words; a wrong one is answered with the nearest."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the word, or refuse what was typed."""
        if value not in self.choices:
            words = [str(choice) for choice in self.choices]
            allowed = f"allowed are {', '.join(words)}"
            problem = Problem(f"found {_quoted(value)}", allowed, near=nearest(value, words))
            self.fail(str(problem), param, ctx)
        return value


def _whole(text: str) -> int | None:
    return int(text) if re.fullmatch("0|[1-9][0-9]{0,8}", text) else None


def _quoted(text: object) -> str:
    """Return what was typed in quotes, on one line and not long."""
    words = str(text)
    return repr(words if len(words) <= 40 else words[:39] + "…")


VARIANT = click.argument("variant", type=VariantName())


def _sheet_options(command: Any) -> Any:
    """Add the options that say what the sheet is."""
    options = [
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
            "--lang",
            default="",
            metavar="L",
            envvar="SHEETGEN_LANG",
            help="Language of every printed word: en, fr, de …",
            shell_complete=_offer(lambda variant: variant.languages),
        ),
        click.option(
            "--set",
            "settings",
            multiple=True,
            metavar="NAME=N",
            help="Set an option of the variant, such as rounds=12.",
        ),
        click.option(
            "--ink",
            type=OneOf(["full", "low", "bw"]),
            default="full",
            show_default=True,
            help="Full colour, outlines only, or pure black for copiers.",
        ),
        click.option("--no-rules", is_flag=True, help="Leave the rules in short away."),
        click.option("--theme", default="", metavar="NAME", help="Another look."),
        click.option(
            "--font",
            "fonts",
            multiple=True,
            type=click.Path(),
            metavar="FILE",
            help="A TrueType font for characters that the theme's fonts lack.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def _choices(settings: tuple[str, ...], **chosen: Any) -> Choices:
    from sheetgen.prepare import Choices

    values: dict[str, int] = {}
    problems = []
    for setting in settings:
        name, _, value = map(str.strip, setting.partition("="))
        number = _whole(value)
        if not name or number is None:
            allowed = "allowed is NAME=N, such as rounds=12"
            problems.append(Problem(f"found {_quoted(setting)}", allowed, where="--set"))
        elif name in values:
            problems.append(Problem(f"{name} is set twice", "keep one", where="--set"))
        else:
            values[name] = number
    if problems:
        raise InputError(problems)
    return Choices(values=values, **chosen)


# -- commands -------------------------------------------------------------------------------------


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="sheetgen")
def cli() -> None:
    """Print score pads and Roll & Write sheets from one YAML file per game.

    sheetgen list shows the games, sheetgen print GAME --copies 20 prints a pad.
    """


@cli.command("list")
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
            _say(f"{entry['name']:{width}}  cannot be used: {entry['error']}")
        else:
            languages = ", ".join(entry["languages"])
            _say(f"{entry['name']:{width}}  {entry['title']}: {entry['summary']}")
            click.echo(f"{'':{width}}  sheets: {sheets} · languages: {languages}")


@cli.command()
@VARIANT
def show(variant: str) -> None:
    """Show what a variant offers: sheets, setups, dice, languages, sources."""
    from sheetgen.catalogue import describe

    loaded, path = _load(variant)
    for line in describe(loaded, path):
        _say(line)


@cli.command("print")
@VARIANT
@click.option(
    "--copies",
    type=Whole(1, MOST_COPIES),
    default=1,
    show_default=True,
    metavar="N",
    help="Number of sheets: 20 at four to a page are five pages.",
)
@_sheet_options
@click.option(
    "--paper",
    default="a4",
    show_default=True,
    envvar="SHEETGEN_PAPER",
    metavar="SIZE",
    help="a4, a5, letter, 'a4 landscape', 210x297mm, 8.5x11in …",
    shell_complete=_offer_papers,
)
@click.option(
    "--per-page", default="auto", show_default=True, metavar="N", help="Sheets on a page."
)
@click.option(
    "--order",
    type=OneOf(["sequence", "stack"]),
    default="sequence",
    show_default=True,
    help="Page by page, or so that cut stacks lie in order.",
)
@click.option(
    "--duplex",
    type=OneOf(["none", "long", "short"]),
    default="none",
    show_default=True,
    help="Print the rules on the backs, for paper turned about its long or short edge.",
)
@click.option(
    "--crop-marks/--no-crop-marks",
    default=None,
    help="Marks where to cut; without either, where they fit.",
)
@click.option("-o", "--output", metavar="FILE", help="Where to; - is standard output.")
@click.option("--open", "open_", is_flag=True, help="Show the file when it is done.")
@click.option("--printer", metavar="NAME", help="Send it to this printer instead of a file.")
def print_command(
    *,
    variant: str,
    copies: int,
    sheet: str,
    players: int | None,
    lang: str,
    settings: tuple[str, ...],
    ink: str,
    no_rules: bool,
    theme: str,
    fonts: tuple[str, ...],
    paper: str,
    per_page: str,
    order: Any,
    duplex: Any,
    crop_marks: bool | None,
    output: str | None,
    open_: bool,
    printer: str | None,
) -> None:
    """Print sheets to a PDF, exactly in their size.

    VARIANT is a name from sheetgen list, the path of a YAML file, or - for standard input.
    """
    from pathlib import Path

    from sheetgen.geometry import Rect
    from sheetgen.impose import impose
    from sheetgen.paper import parse_paper
    from sheetgen.prepare import prepare

    if printer is not None and (output is not None or open_):
        raise InputError(Problem("found --printer with -o or --open", "give one of them"))
    onto = _place("--paper", lambda: parse_paper(paper))
    number = _per_page(per_page)
    loaded, source = _load(variant)
    choices = _choices(
        settings,
        sheet=sheet,
        language=lang,
        players=players,
        ink=ink,
        rules=not no_rules,
        back=duplex != "none",
        theme=theme,
        fonts=tuple(map(Path, fonts)),
    )
    inputs = [source, *choices.fonts]
    with _progress(f"preparing {_count(copies, 'sheet')}"):
        ready = prepare(loaded, choices)
        scene = ready.front
        pad = impose(
            scene.size,
            Rect(0, 0, *scene.size).inset(scene.margin),
            paper=onto,
            copies=copies,
            per_page=number,
            order=order,
            duplex=duplex,
            crop_marks=crop_marks,
        )
        target = _target(loaded, ready.name, ".pdf", output) if printer is None else None
        if isinstance(target, Path):
            from sheetgen.output import check_target

            check_target(target, inputs=inputs)
        from sheetgen.draw.pdf import pdf

        data = pdf(scene, ready.back, pad, ready.style.fonts)
    pages = len(pad.pages)
    turned = pad.paper.width > pad.paper.height
    fact = (
        f"{_count(copies, 'sheet')} on {_count(pages, 'page')}, "
        f"{onto.name}{' landscape' if turned else ''}, {len(pad.front)} to a page"
    )
    if printer is not None:
        from sheetgen.printer import print_pdf

        request = print_pdf(data, printer, title=scene.title, duplex=duplex, paper=pad.paper)
        _say(f"{request}: {fact}")
        return
    _deliver(data, target, fact, inputs, open_=open_)


@cli.command()
@VARIANT
@_sheet_options
@click.option("--back", is_flag=True, help="The side with the rules.")
@click.option("-o", "--output", metavar="FILE", help="sheet.png or sheet.svg.")
@click.option("--dpi", type=float, default=150, show_default=True, help="Dots per inch of a PNG.")
@click.option("--open", "open_", is_flag=True, help="Show the file when it is done.")
def preview(
    *,
    variant: str,
    sheet: str,
    players: int | None,
    lang: str,
    settings: tuple[str, ...],
    ink: str,
    no_rules: bool,
    theme: str,
    fonts: tuple[str, ...],
    back: bool,
    output: str | None,
    dpi: float,
    open_: bool,
) -> None:
    """Draw one sheet as a picture, PNG or SVG.

    VARIANT is a name from sheetgen list, the path of a YAML file, or - for standard input.
    """
    from pathlib import Path

    from sheetgen.output import check_target
    from sheetgen.prepare import prepare

    suffix = ".png" if output in (None, STDOUT) else Path(str(output)).suffix.lower()
    if suffix not in (".png", ".svg"):
        found = f"found {_quoted(output)}"
        raise InputError(Problem(found, "allowed are .png and .svg", where="-o"))
    loaded, source = _load(variant)
    choices = _choices(
        settings,
        sheet=sheet,
        language=lang,
        players=players,
        ink=ink,
        rules=not no_rules,
        back=back,
        theme=theme,
        fonts=tuple(map(Path, fonts)),
    )
    inputs = [source, *choices.fonts]
    with _progress("drawing"):
        ready = prepare(loaded, choices)
        target = _target(loaded, ready.name, suffix, output)
        if isinstance(target, Path):
            check_target(target, inputs=inputs)
        scene = ready.back or ready.front
        if suffix == ".svg":
            from sheetgen.draw.svg import svg

            data = svg(scene, ready.style.fonts).encode()
        else:
            from sheetgen.draw.pdf import pdf
            from sheetgen.draw.png import png
            from sheetgen.impose import alone

            file = pdf(scene, None, alone(scene.size), ready.style.fonts)
            data = _place("--dpi", lambda: png(file, dpi))
    from sheetgen.paper import describe

    _deliver(data, target, describe(scene.size), inputs, open_=open_)


@cli.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(), metavar="FILE…")
def validate(files: tuple[str, ...]) -> None:
    """Check variant files: every problem at once, each with its place."""
    from sheetgen.prepare import every_problem

    problems: list[Problem] = []
    for file in files:
        try:
            loaded, path = _load(file)
            found = every_problem(loaded)
        except InputError as error:
            found = list(error.problems)
        if not found:
            sheets = _count(len(loaded.sheets), "sheet")
            languages = _count(len(loaded.languages), "language")
            _say(f"{path}: {loaded.id} is right, {sheets} in {languages}")
        problems += found
    if problems:
        raise InputError(problems)


# -- helpers --------------------------------------------------------------------------------------


def _load(name: str) -> tuple[Variant, Path]:
    """Read a variant by name or path, or from standard input."""
    from pathlib import Path

    from sheetgen.prepare import load

    if name != STDIN:
        return load(name)
    from sheetgen.decode import decode
    from sheetgen.source import parse
    from sheetgen.source_text import MAX_BYTES

    # Never more than can be used, whatever streams in.
    data = sys.stdin.buffer.read(MAX_BYTES + 1) if sys.stdin else b""
    return decode(parse(data, "stdin"), "stdin"), Path("/dev/stdin")


def _target(variant: Variant, sheet: str, suffix: str, output: str | None) -> Path | str:
    """Return where the result goes: the path asked for, stdout, or the default folder."""
    from pathlib import Path

    from sheetgen.output import STDOUT_NAMES

    if output == STDOUT or output in STDOUT_NAMES:
        return STDOUT
    if output is not None:
        return Path(output)
    from sheetgen.output import default_path

    first = next(iter(variant.sheets))
    return default_path(variant.id if sheet == first else f"{variant.id}-{sheet}", suffix)


def _deliver(
    data: bytes, target: Path | str | None, fact: str, inputs: list[Path], *, open_: bool
) -> None:
    from sheetgen.output import open_file, write, write_stdout

    if target is None or isinstance(target, str):
        if open_:
            raise InputError(Problem("found --open with -o -", "give the name of a file"))
        write_stdout(data)
        _say(fact, err=True)
        return
    write(data, target, inputs=inputs)
    _say(f"{target}: {fact}")
    if open_:
        open_file(target)


def _per_page(text: str) -> int | None:
    if text == "auto":
        return None
    number = _whole(text)
    if number is not None and 1 <= number <= MOST_A_PAGE:
        return number
    allowed = f"allowed is auto or a whole number from 1 to {MOST_A_PAGE}"
    raise InputError(Problem(f"found {_quoted(text)}", allowed, where="--per-page"))


def _place(option: str, call: Callable[[], Any]) -> Any:
    """Return what ``call`` returns; problems it raises name the option."""
    try:
        return call()
    except InputError as error:
        for problem in error.problems:
            problem.where = problem.where or option
        raise


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


@contextmanager
def _progress(words: str) -> Iterator[None]:
    """Show on a terminal that work goes on, once it takes longer than a moment."""
    if sys.stderr is None or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield
        return
    import threading
    import time

    done = threading.Event()

    def tell() -> None:
        start = time.monotonic()
        if done.wait(PATIENCE):
            return
        while not done.wait(0.25):
            click.echo(f"\r{words}, {time.monotonic() - start:.0f} s ", err=True, nl=False)
        click.echo("\r" + " " * (len(words) + 12) + "\r", err=True, nl=False)

    thread = threading.Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _say(text: str, *, err: bool = False) -> None:
    """Print one line; what could break it or steer the terminal is printed as its escape."""
    # Under LC_ALL=C the names of files come as bytes in disguise.
    text = text.encode(errors="surrogateescape").decode(errors="backslashreplace")
    shown = (c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    click.echo("".join(shown), err=err)


def _speak_plainly() -> None:
    """Let no character that the terminal lacks raise an error, above all not inside a message."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _hush() -> None:
    """Drop what stdout still holds: it would fail again, noisily, when Python ends."""
    if sys.stdout is not None:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)


def _usage(error: click.ClickException) -> Problem:
    """Return what click has to say about the command line, in our words."""
    context = getattr(error, "ctx", None)
    advice = f"see {context.command_path} --help" if context else ""
    if hasattr(error, "possibilities"):
        noun = "option" if hasattr(error, "option_name") else "command"
        found = f"unknown {noun} {_quoted(getattr(error, f'{noun}_name'))}"
        return Problem(found, advice, near=next(iter(error.possibilities or ()), ""))
    if isinstance(error, click.BadParameter) and not isinstance(error, click.MissingParameter):
        option = max(error.param.opts, key=len) if error.param else ""
        return Problem(error.message.rstrip("."), where=option)
    message = error.format_message().rstrip(".")
    return Problem(message[:1].lower() + message[1:], advice)


def _run() -> int:
    """Run the command line; return the exit code, having said what went wrong."""
    try:
        code = cli.main(prog_name="sheetgen", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except InputError as error:
        for problem in error.problems:
            _say(str(problem) if problem.file else f"sheetgen: {problem}", err=True)
        return 2
    except SystemExit as end:  # from click, for a reader that has gone and after completion
        return int(end.code or 0) if "_SHEETGEN_COMPLETE" in os.environ else 0
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # from click 8.2 on
            error.show()
        else:
            _say(f"sheetgen: {_usage(error)}", err=True)
        return 2
    except (click.Abort, KeyboardInterrupt):
        _say("sheetgen: stopped", err=True)
        return 130
    except OSError as error:
        if error.filename is not None:
            raise
        if error.errno == errno.ENOENT:
            _say(
                "sheetgen: the current folder does not exist any more, change to another", err=True
            )
            return 2
        # Without the name of a file it is the output: its reader has gone, or the disk is full.
        _hush()
        if error.errno in (errno.EPIPE, errno.EINVAL):
            return 0
        _say(f"stdout: cannot write: {error.strerror or error}", err=True)
        return 2
    return code if isinstance(code, int) else 0


def main() -> None:
    """Run the command line; never ends with a traceback."""
    # A twentieth of a short run would go into looking for garbage, and there is next to none.
    gc.disable()
    _speak_plainly()
    try:
        code = _run()
    except Exception as error:
        if os.environ.get("SHEETGEN_DEBUG"):
            raise
        _say(
            f"sheetgen: this should not happen: {type(error).__name__}: {str(error)[:200]}; "
            "please report it (SHEETGEN_DEBUG=1 shows more)",
            err=True,
        )
        code = 70
    sys.exit(code)
