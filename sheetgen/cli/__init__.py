"""The command line."""

from sheetgen.cli.run import cli, main

__all__ = ["cli", "main"]
