"""The command line: it parses, calls, prints. Nothing else prints."""

from __future__ import annotations

import errno
import gc
import os
import signal
import sys
from importlib import import_module

import click

from sheetgen import __version__
from sheetgen.cli.terminal import hush, quoted, say, speak_plainly
from sheetgen.errors import InputError, Problem, nearest

# Where each command is; a module is loaded when its command is asked for.
COMMANDS = {
    "blank": "checking:blank",
    "calibrate": "dice:calibrate",
    "check": "checking:check",
    "dice": "dice:dice",
    "list": "looking:list_command",
    "preview": "printing:preview",
    "print": "printing:print_command",
    "schema": "looking:schema",
    "score": "checking:score",
    "show": "looking:show",
    "stocks": "dice:stocks",
    "validate": "looking:validate",
}


class _Commands(click.Group):
    """A group that loads its commands on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(f"sheetgen.cli.{module}"), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = nearest(args[0], COMMANDS)
            raise InputError(
                Problem(f"unknown command {quoted(args[0])}", "see sheetgen --help", near=near)
            )
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="sheetgen")
def cli() -> None:
    """Print score pads, Roll & Write sheets and dice from one YAML file per game, and check them.

    sheetgen list shows the games, sheetgen print GAME --copies 20 prints a pad.
    """


def _usage(error: click.ClickException) -> Problem:
    """Return what click has to say about the command line, in our words."""
    context = getattr(error, "ctx", None)
    advice = f"see {context.command_path} --help" if context else ""
    if hasattr(error, "possibilities"):
        found = f"unknown option {quoted(getattr(error, 'option_name', ''))}"
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
        if _Stop.signal:
            raise
        for problem in error.problems:
            say(str(problem) if problem.file else f"sheetgen: {problem}", err=True)
        return 2
    except SystemExit as end:  # from click, for a reader that has gone and after completion
        return int(end.code or 0) if "_SHEETGEN_COMPLETE" in os.environ else 0
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # from click 8.2 on
            error.show()
        else:
            say(f"sheetgen: {_usage(error)}", err=True)
        return 2
    except (click.Abort, KeyboardInterrupt):
        say("sheetgen: stopped", err=True)
        return 128 + (_Stop.signal or signal.SIGINT)
    except OSError as error:
        if error.filename is not None:
            raise
        if error.errno == errno.ENOENT:
            say("sheetgen: the current folder does not exist any more, change to another", err=True)
            return 2
        # Without the name of a file it is the output: its reader has gone, or the disk is full.
        hush()
        if error.errno in (errno.EPIPE, errno.EINVAL):
            return 0
        say(f"stdout: cannot write: {error.strerror or error}", err=True)
        return 2
    return code if isinstance(code, int) else 0


class _Stop:
    """Remembers that a signal asked to stop: libraries may swallow the exception that says so."""

    signal = 0

    @classmethod
    def listen(cls) -> None:
        """Turn the signals that end a program into an orderly end, with nothing left behind."""
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            # A signal that is ignored, as by nohup, stays so.
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, cls._stop)

    @classmethod
    def _stop(cls, number: int, _frame: object) -> None:
        cls.signal = number
        raise KeyboardInterrupt


def main() -> None:
    """Run the command line; never ends with a traceback."""
    # A twentieth of a short run would go into looking for garbage, and there is next to none.
    gc.disable()
    speak_plainly()
    _Stop.listen()
    try:
        code = _run()
    except MemoryError:
        say("sheetgen: not enough memory, ask for less", err=True)
        code = 2
    except Exception as error:
        if _Stop.signal:
            say("sheetgen: stopped", err=True)
            sys.exit(128 + _Stop.signal)
        if os.environ.get("SHEETGEN_DEBUG"):
            raise
        say(
            f"sheetgen: this should not happen: {type(error).__name__}: {str(error)[:200]}; "
            "please report it (SHEETGEN_DEBUG=1 shows more)",
            err=True,
        )
        code = 70
    sys.exit(code)
