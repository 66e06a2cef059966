"""The frozen test of reading paper: simulated scans and photos, each quantity against its target.

python benchmarks/reading.py --seed 2026 --data FOLDER --save reading.json --table reading.md

``--share 0.05`` takes a twentieth of everything. Results go to a file line by line, so that a run
that was stopped goes on where it ended. ``--mutate`` breaks the reader on purpose: the table must
then be red, and the exit code says so.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from simulation.intervals import exact

Row = dict[str, Any]
MUTATIONS = ("shift", "swap", "marker")
COLD_RUNS = 5
LEVELS = {
    "scan": "scan, 150 to 300 dpi",
    "low": "scan, 100 to 150 dpi",
    "mild": "good photo",
    "medium": "shadowed or tilted photo",
    "hard": "hard photo",
}
TARGETS = "met", "**missed**"
BEGIN, END = "<!-- begin of benchmarks/reading.py -->", "<!-- end of benchmarks/reading.py -->"


class Quantity(NamedTuple):
    """A row of the table: what was counted, of how many, and whether that is enough."""

    name: str
    target: str
    hits: int
    of: int
    met: bool
    shown: str = ""

    def line(self) -> str:
        low, high = exact(self.hits, self.of)
        share = self.shown or f"{self.hits:,} of {self.of:,}: {percent(self.hits, self.of)}"
        between = "" if self.shown else f"{spelt(low)} to {spelt(high)} %"
        return f"| {self.name} | {self.target} | {share} | {between} | {TARGETS[not self.met]} |"


def percent(hits: int, of: int) -> str:
    return f"{spelt(hits / of)} %" if of else "–"


def spelt(share: float) -> str:
    """Return a share in per cent, with as many digits as it takes near both ends."""
    value = 100 * share
    near = min(value, 100 - value)
    digits = 1 if near >= 1 else 2 if near >= 0.1 or near <= 0 else 4
    return f"{value:.{digits}f}" if near > 0 else f"{value:.0f}"


# -- running --------------------------------------------------------------------------------------


def prepare(mutation: str) -> None:
    """Make a process ready: one thread, and the reader broken if that is asked for."""
    import cv2

    cv2.setNumThreads(1)
    if mutation:
        from simulation.mutations import mutate

        mutate(mutation)


def one(trial: Any, seed: int, data: Path | None) -> Row:
    """Run a trial; a reader that crashes is a result, too."""
    from simulation.trials import run

    try:
        return run(trial, seed, data)
    except Exception as error:  # noqa: BLE001
        said = f"{type(error).__name__}: {error}"
        return {"group": trial.group, "number": trial.number, "crash": said}


def measure(options: argparse.Namespace) -> list[Row]:
    """Run what is not in the file of results yet; return all of it."""
    from simulation.trials import COUNTS, trials

    groups = tuple(options.groups.split(",")) if options.groups else tuple(COUNTS)
    if options.data is None:
        groups = tuple(group for group in groups if group != "foreign")
    wanted = trials(options.share, groups)
    rows = []
    if options.rows.exists():
        rows = [json.loads(line) for line in options.rows.read_text().splitlines()]
    known = {(row["group"], row["number"]) for row in rows}
    keys = {(trial.group, trial.number) for trial in wanted}
    rows = [row for row in rows if (row["group"], row["number"]) in keys]
    todo = [trial for trial in wanted if (trial.group, trial.number) not in known]
    end = time.monotonic() + 60 * options.minutes
    run = partial(one, seed=options.seed, data=options.data)
    print(f"{len(todo)} pictures to read, {len(rows)} are done", file=sys.stderr)
    with (
        ProcessPoolExecutor(
            options.processes, initializer=prepare, initargs=(options.mutate,)
        ) as pool,
        options.rows.open("a") as out,
    ):
        queue = iter(todo)
        while time.monotonic() < end and (batch := list(islice(queue, 8 * options.processes))):
            for row in pool.map(run, batch):
                rows.append(row)
                out.write(json.dumps(row) + "\n")
            out.flush()
            if sys.stderr.isatty() or len(rows) % 400 < len(batch):
                print(f"{len(rows)} of {len(wanted)}", file=sys.stderr)
    return rows


def cold(seed: int) -> tuple[float, float]:
    """Return the seconds and the MiB of a whole process that reads one page."""
    from simulation.pages import Look
    from simulation.studio import simulate

    picture = simulate(Look("lostdice"), "scan", seed, alone=False)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / picture.name
        file.write_bytes(picture.data)
        times, most = [], 0.0
        for _ in range(COLD_RUNS):
            start = time.perf_counter()
            words = [sys.executable, "-m", "sheetgen", "check", str(file)]
            quiet = os.open(os.devnull, os.O_WRONLY)
            child = os.posix_spawn(
                words[0], words, os.environ,
                file_actions=[(os.POSIX_SPAWN_DUP2, quiet, 1), (os.POSIX_SPAWN_DUP2, quiet, 2)],
            )  # fmt: skip
            os.close(quiet)
            used = os.wait4(child, 0)[2]
            times.append(time.perf_counter() - start)
            most = max(most, used.ru_maxrss / 1024)
    return sorted(times)[len(times) // 2], most


# -- counting -------------------------------------------------------------------------------------


class Counts:
    """Sums over pictures."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows = [row for row in rows if "crash" not in row]

    def boxes(self, what: str, keep: Callable[[str], bool] = lambda kind: True) -> list[int]:
        """Return boxes, silent errors, flagged ones and wrong ones of a kind."""
        total = [0, 0, 0, 0]
        for row in self.rows:
            for name, counts in row.get("tally", {}).items():
                sort, kind = name.split(" ", 1)
                if sort == what and keep(kind):
                    total = [a + b for a, b in zip(total, counts, strict=True)]
        return total

    def sheets(self) -> tuple[int, int]:
        """Return how many sheets there were and how many were read."""
        return sum(row["sheets"] for row in self.rows), sum(row.get("read", 0) for row in self.rows)


def of(rows: list[Row], *groups: str, level: str = "") -> Counts:
    return Counts(
        row for row in rows if row["group"] in groups and (not level or row.get("level") == level)
    )


def quantities(rows: list[Row]) -> Iterator[Quantity]:
    """Yield the rows of the table of targets."""
    boxes, silent, flagged, _ = of(rows, "good").boxes("mark")
    name = "box marks, scans of 150 dpi and more and good photos"
    least = 60_000
    enough = silent == 0 and boxes >= least
    yield Quantity(f"{name}: wrong and not flagged", "0 in 60,000", silent, boxes, enough)
    yield Quantity(f"{name}: flagged", "≤ 0.3 %", flagged, boxes, flagged <= 0.003 * boxes)
    medium = of(rows, "medium")
    boxes, silent, flagged, _ = medium.boxes("mark")
    name = "box marks, shadowed or tilted photos"
    met = silent <= 0.0005 * boxes
    yield Quantity(f"{name}: wrong and not flagged", "≤ 0.05 %", silent, boxes, met)
    yield Quantity(f"{name}: flagged", "≤ 2 %", flagged, boxes, flagged <= 0.02 * boxes)
    sheets, read = medium.sheets()
    lost = sheets - read
    yield Quantity(f"{name}: sheets refused", "≤ 10 %", lost, sheets, lost <= 0.1 * sheets)
    hard = of(rows, "hard")
    sheets, read = hard.sheets()
    lost = sheets - read
    name = "hard images, under 4 px/mm and blurred"
    yield Quantity(f"{name}: refused", "≥ 95 %", lost, sheets, lost >= 0.95 * sheets)
    boxes, silent, _, _ = hard.boxes("mark")
    met = silent <= 0.005 * boxes
    yield Quantity(f"{name}: wrong and not flagged of the rest", "≤ 0.5 %", silent, boxes, met)
    for level, group, target in (
        ("scan", "good", 1.0), ("mild", "good", 0.99), ("medium", "medium", 0.95),
    ):  # fmt: skip
        sheets, read = of(rows, group, level=level).sheets()
        said = "100 %" if target == 1 else f"≥ {100 * target:.0f} %"
        name = f"registered, any way up: {level}"
        yield Quantity(name, said, read, sheets, read >= target * sheets)
    sheets, read = of(rows, "missing").sheets()
    name = "registered: scans with one corner marker missing"
    yield Quantity(name, "≥ 99 %", read, sheets, read >= 0.99 * sheets)
    strange = of(rows, "strangers").rows
    accepted = sum(row["accepted"] for row in strange)
    accepted += sum(row.get("false", 0) for row in rows)
    name = "wrong sheet or version accepted"
    enough = accepted == 0 and len(strange) >= 10_000
    pictures = len(strange) + sum("tally" in row for row in rows)
    yield Quantity(name, "0 in 10,000", accepted, pictures, enough)
    for group, name, most in (
        ("numbers", "held-out writers", 0.1), ("foreign", "foreign set", 0.25),
    ):  # fmt: skip
        cells, silent, flagged, _ = of(rows, group).boxes("number", lambda kind: kind != "empty")
        if not cells:
            continue
        sure = cells - flagged
        said = f"numbers of one or two digits, {name}"
        right = sure - silent
        met = right >= 0.998 * sure
        yield Quantity(f"{said}: right if not flagged", "≥ 99.8 %", right, sure, met)
        met = flagged <= most * cells
        yield Quantity(f"{said}: flagged", f"≤ {100 * most:.0f} %", flagged, cells, met)
    totals = [0] * 5
    for row in of(rows, "planted").rows:
        totals = [a + b for a, b in zip(totals, row["planted"], strict=True)]
    known = totals[0] - totals[3]
    pictures = sum(row["planted"][3] == 0 for row in of(rows, "planted").rows)
    name = f"broken rules on {pictures:,} sheets that were read: lost without a doubt"
    met = totals[4] == 0 and pictures >= 990
    yield Quantity(name, "0 in 1,000", totals[4], known, met)


def times(rows: list[Row], seed: int) -> Iterator[Quantity]:
    """Yield what it takes."""
    read = sorted(row["seconds"] for row in of(rows, "good", "numbers").rows)
    middle, late = (read[int(len(read) * at)] for at in (0.5, 0.95)) if read else (0.0, 0.0)
    shown = f"median {middle:.2f} s, 95th percentile {late:.2f} s of processor time"
    yield Quantity("time for a page, once started", "≤ 0.5 s", 0, 0, middle <= 0.5, shown)
    seconds, most = cold(seed)
    shown = f"{seconds:.2f} s"
    yield Quantity("time of a whole process", "≤ 1.2 s", 0, 0, seconds <= 1.2, shown)
    yield Quantity("memory of it", "≤ 400 MiB", 0, 0, most <= 400, f"{most:.0f} MiB")


def by_level(rows: list[Row]) -> Iterator[str]:
    """Yield a table of how pictures were taken: sheets and all that stands on them."""
    yield "| picture | sheets | read | marks | not flagged, wrong | flagged | numbers and results "
    yield "| not flagged, wrong | flagged | sheets right and without a flag |\n"
    yield "|---|---|---|---|---|---|---|---|---|---|\n"
    for level in ("scan", "low", "mild", "medium", "hard"):
        some = of(rows, "good", "low", "medium", "hard", "numbers", "planted", level=level)
        sheets, read = some.sheets()
        if not sheets:
            continue
        line = f"| {LEVELS[level]} | {sheets:,} | {read:,} |"
        for whats in (("mark",), ("number", "result")):
            sums = zip(*(some.boxes(what) for what in whats), strict=True)
            boxes, silent, flagged, _ = (sum(parts) for parts in sums)
            line += f" {boxes:,} | {silent} | {percent(flagged, boxes)} |"
        clean = sum(row.get("clean", 0) for row in some.rows)
        yield f"{line} {percent(clean, read)} |\n"


def by_kind(rows: list[Row]) -> Iterator[str]:
    """Yield a table of all kinds of marks and writing, by level."""
    yield "| what | scan and mild: boxes | not flagged, wrong | flagged | medium: boxes | not "
    yield "flagged, wrong | flagged |\n|---|---|---|---|---|---|---|\n"
    names = sorted({name for row in rows for name in row.get("tally", {})})
    for name in names:
        what, kind = name.split(" ", 1)
        line = f"| {what}: {kind} |"
        for groups in (("good", "numbers", "foreign", "planted", "unseen"), ("medium",)):
            boxes, silent, flagged, _ = of(rows, *groups).boxes(what, kind.__eq__)
            line += f" {boxes:,} | {silent} | {percent(flagged, boxes)} |"
        yield line + "\n"


def by_fault(rows: list[Row]) -> Iterator[str]:
    """Yield a table of what happens to paper that was not treated well."""
    yield "| what happened | sheets | read | boxes | not flagged, wrong | flagged |\n"
    yield "|---|---|---|---|---|---|\n"
    faults = sorted({fault for row in of(rows, "faults").rows for fault in row["faults"]})
    for fault in faults:
        some = Counts(row for row in of(rows, "faults").rows if fault in row["faults"])
        sheets, read = some.sheets()
        total = [
            sum(parts)
            for parts in zip(*(some.boxes(w) for w in ("mark", "number", "result")), strict=True)
        ]
        yield f"| {fault} | {sheets} | {read} | {total[0]:,} | {total[1]} | "
        yield f"{percent(total[2], total[0])} |\n"


def reasons(rows: list[Row]) -> Iterator[str]:
    """Yield why sheets were refused, the most frequent reasons first."""
    found: Counter[tuple[str, str]] = Counter()
    for row in rows:
        # What is said about sheets that were read is about their game.
        said = row.get("reasons", ()) if row.get("lost", 1) else ()
        for reason in said:
            words = "".join("0" if letter.isdigit() else letter for letter in reason)
            while "00" in words:
                words = words.replace("00", "0")
            found[row["group"], words.split("the code ")[0] or "the code …"] += 1
    yield "| pictures | reason | times |\n|---|---|---|\n"
    for (group, reason), count in found.most_common(25):
        yield f"| {group} | {reason} | {count:,} |\n"


def report(rows: list[Row], options: argparse.Namespace) -> tuple[str, bool]:
    """Return the tables as Markdown, and whether all targets are met."""
    from sheetgen import __version__

    found = list(quantities(rows))
    found = [quantity for quantity in found if quantity.of]
    if not options.groups:
        found += times(rows, options.seed)
    crashes = [row["crash"] for row in rows if "crash" in row]
    about = f"Seed {options.seed}, version {__version__}, {len(rows):,} simulated pictures. "
    text = [
        about + "Intervals are exact (Clopper-Pearson, 95 %).\n\n",
        "| quantity | target | measured | interval | |\n|---|---|---|---|---|\n",
        *(quantity.line() + "\n" for quantity in found),
        "\nBy how the picture was taken:\n\n",
        *by_level(rows),
        "\nBy kind of mark and writing:\n\n",
        *by_kind(rows),
    ]
    if any(row["group"] == "faults" for row in rows):
        text += ["\nPaper that was not treated well:\n\n", *by_fault(rows)]
    text += ["\nWhy sheets were refused:\n\n", *reasons(rows)]
    if crashes:
        text += [f"\n{len(crashes)} crashes: {Counter(crashes).most_common(5)}\n"]
    return "".join(text), all(quantity.met for quantity in found) and not crashes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--share", type=float, default=1.0, help="of the pictures, 0 to 1")
    parser.add_argument("--groups", default="", help="some groups only, with commas")
    parser.add_argument("--data", type=Path, help="the folder that training/ fills")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=600, help="when to stop")
    parser.add_argument("--rows", type=Path, help="results, one a line; a run goes on with them")
    parser.add_argument("--table", type=Path, help="where to write the tables")
    parser.add_argument("--into", type=Path, help="a document whose tables are to be replaced")
    parser.add_argument("--save", type=Path, help="where to write all counts as JSON")
    parser.add_argument("--mutate", default="", choices=("", *MUTATIONS))
    options = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    if options.rows is None:
        name = f"reading-{options.seed}{options.mutate}.jsonl"
        options.rows = Path(tempfile.gettempdir()) / name
    rows = measure(options)
    text, met = report(rows, options)
    print(text)
    if options.table:
        options.table.write_text(text, encoding="utf-8")
    if options.into:
        document = options.into.read_text(encoding="utf-8")
        before, _, rest = document.partition(BEGIN)
        _, _, after = rest.partition(END)
        options.into.write_text(f"{before}{BEGIN}\n{text}{END}{after}", encoding="utf-8")
    if options.save:
        from sheetgen import __version__

        about = {"seed": options.seed, "version": __version__, "share": options.share}
        counts = [
            {**quantity._asdict(), "interval": exact(quantity.hits, quantity.of)}
            for quantity in quantities(rows)
        ]
        options.save.write_text(json.dumps({**about, "quantities": counts}, indent=1))
    sys.exit(0 if met else 1)


if __name__ == "__main__":
    main()
