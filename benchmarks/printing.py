"""How long the tool takes, beside a bare reportlab script and beside an empty Python.

python benchmarks/printing.py [--pairs N] [--variant NAME]

Seconds mean nothing on a machine that others use as well, so two programs run in turn, A B A B, as
whole processes, and what counts is the median of the pairs' ratios of CPU time, user and system.
The exit code is 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import NamedTuple

YARDSTICK = [sys.executable, str(Path(__file__).with_name("yardstick.py"))]
NOTHING = [sys.executable, "-c", "pass"]
TOOL = [sys.executable, "-c", "from sheetgen.cli import main; main()"]
MANY = 10_000
MOST_MEMORY, MOST_BYTES = 64.0, 500_000  # MiB and bytes, of 10,000 sheets


class Cost(NamedTuple):
    """What a process took: seconds of CPU, and MiB of memory at its peak."""

    cpu: float
    memory: float


class Race(NamedTuple):
    """Two programs side by side, and how often the CPU time of the second the first may take."""

    name: str
    ours: list[str]
    theirs: list[str]
    target: float
    pairs: int


def cost(command: list[str], cache: Path) -> Cost:
    """Run a program to its end; it must succeed. Its bytecode is kept in ``cache``."""
    # Compiled, as what pip installs is, wherever and with whichever settings this is run.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(cache)
    environment["PYTHONPATH"] = str(Path(__file__).parent.parent)
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    said = process.stderr.read()
    process.stderr.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)} failed: {said.decode()}")
    scale = 1 if sys.platform == "darwin" else 1024
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * scale / 2**20)


def races(variant: str, folder: Path, pairs: int) -> list[Race]:
    """Return what is compared."""

    def prints(copies: int, *options: str) -> list[str]:
        out = str(folder / f"{copies}.pdf")
        return [*TOOL, "print", variant, "--copies", str(copies), "-o", out, *options]

    def draws(copies: int) -> list[str]:
        return [*YARDSTICK, str(copies), str(folder / "yardstick.pdf")]

    few = max(3, pairs // 3)
    return [
        Race("20 sheets : yardstick", prints(20), draws(20), 3.0, pairs),
        Race("1,000 sheets : 20 sheets", prints(1000), prints(20), 1.2, pairs),
        Race("10,000 sheets : yardstick", prints(MANY, "--per-page", "2"), draws(MANY), 0.45, few),
        Race("--help : empty Python", [*TOOL, "--help"], NOTHING, 6.0, pairs),
        Race("list : empty Python", [*TOOL, "list"], NOTHING, 10.0, pairs),
    ]


def row(name: str, value: str, target: str, ok: bool, more: str = "") -> bool:
    """Print a line of the table; return whether the target is met."""
    print(f"{name:28} {value:>10} {target:>10}  {'ok' if ok else 'MISSED':8} {more}")
    return ok


def main() -> int:
    """Run all races and print the table."""
    parser = argparse.ArgumentParser(description="Time the tool beside a yardstick.")
    parser.add_argument("--pairs", type=int, default=7, metavar="N", help="runs of each (7)")
    parser.add_argument("--variant", default="lostdice", help="what is printed (lostdice)")
    chosen = parser.parse_args()
    print(f"{'':28} {'ratio':>10} {'at most':>10}  {'':8} median ms, pairs, quartiles")
    met = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for race in races(chosen.variant, folder, max(1, chosen.pairs)):
            cost(race.ours, folder)  # once unmeasured, for the bytecode
            cost(race.theirs, folder)
            runs = [(cost(race.ours, folder), cost(race.theirs, folder)) for _ in range(race.pairs)]
            ratios = sorted(ours.cpu / theirs.cpu for ours, theirs in runs)
            ours, theirs = (median(costs[i].cpu for costs in runs) * 1000 for i in (0, 1))
            low, high = ratios[len(ratios) // 4], ratios[-1 - len(ratios) // 4]
            more = f"{ours:.0f} : {theirs:.0f}, {race.pairs}, {low:.2f} to {high:.2f}"
            ratio = median(ratios)
            met.append(
                row(race.name, f"{ratio:.2f}", f"{race.target:g}", ratio <= race.target, more)
            )
            if str(MANY) in race.ours:
                memory = max(ours.memory for ours, _ in runs)
                size = (folder / f"{MANY}.pdf").stat().st_size
        met.append(
            row("10,000 sheets, memory", f"{memory:.0f} MiB", "64 MiB", memory <= MOST_MEMORY)
        )
        met.append(
            row("10,000 sheets, file", f"{size / 1000:.0f} KB", "500 KB", size <= MOST_BYTES)
        )
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
