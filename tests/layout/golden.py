"""Golden geometry: what a sheet's layout is, as text that a person can compare.

``python tests/layout/golden.py`` writes ``tests/golden`` anew. Do that on purpose only, and read
the difference before it is committed.
"""

from __future__ import annotations

from pathlib import Path as File

from laid import TESTS, Case, around, files, lay, texts, variant

from sheetgen.errors import InputError
from sheetgen.geometry import Rect

FOLDER = TESTS / "golden"
REGOLD = "python tests/layout/golden.py"
LANGUAGE = "en"


def _mm(value: float) -> str:
    return f"{round(value, 2) + 0.0:.2f}"


def _rect(rect: Rect) -> str:
    return " ".join(f"{_mm(value):>7}" for value in rect)


def golden_cases() -> dict[str, Case]:
    """Return the cases by the name of their file: each sheet, and setups with other boxes."""
    found: dict[str, Case] = {}
    for name in files():
        game = variant(name)
        usual = game.usual or game.players[0]
        counts = [usual, *(s.players[0] for s in (game.setups or {}).values())]
        if not game.setups:
            counts += game.players
        for which in [*map(str, game.sheets), *(["back"] if game.rules else [])]:
            seen: list[object] = []
            for players in dict.fromkeys(counts):
                case = Case(name, which, LANGUAGE, players, (), "full")
                try:
                    boxes = lay(case).boxes
                except InputError:
                    continue  # the invariants say why
                if boxes not in seen:
                    setup = "" if players == usual else f"-{players}-players"
                    found[f"{name}-{which}{setup}"] = case
                    seen.append(boxes)
    return found


def describe(case: Case) -> str:
    """Return a sheet's size, its boxes, and the rectangle around the ink of every role."""
    scene = lay(case)
    roles: dict[str, tuple[int, Rect]] = {}
    for item in scene.items:
        count, rect = roles.get(item.role, (0, around(item)))
        roles[item.role] = count + 1, rect.union(around(item))
    wide = max((len(box.id) for box in scene.boxes), default=1)
    lines = [
        f"sheet {_mm(scene.size.width)} x {_mm(scene.size.height)}, margin {_mm(scene.margin)}",
        "",
        "boxes: id, kind, x, y, width, height, label",
        *(f"{b.id:<{wide}} {b.kind:<6} {_rect(b.rect)}  {b.label}" for b in scene.boxes),
        "",
        "ink: role, how much of it, the rectangle around it",
        *(f"{role:<12} {count:>4} {_rect(rect)}" for role, (count, rect) in sorted(roles.items())),
        "",
        "type: role, sizes in pt",
        *(f"{role:<12} {sizes}" for role, sizes in sorted(_sizes(case).items())),
    ]
    return "\n".join(lines) + "\n"


def _sizes(case: Case) -> dict[str, str]:
    sizes: dict[str, set[float]] = {}
    for text in texts(lay(case)):
        sizes.setdefault(text.role, set()).add(round(text.size, 2))
    return {role: ", ".join(f"{size:g}" for size in sorted(s)) for role, s in sizes.items()}


def write(folder: File = FOLDER) -> None:
    """Write every golden file, and remove those of sheets that are gone."""
    folder.mkdir(exist_ok=True)
    found = golden_cases()
    for path in folder.glob("*.txt"):
        if path.stem not in found:
            path.unlink()
    for name, case in found.items():
        (folder / f"{name}.txt").write_text(describe(case), encoding="utf-8")


if __name__ == "__main__":
    write()
