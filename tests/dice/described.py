"""Golden geometry of pages of dice, as text that a person can compare.

``python tests/dice/described.py`` writes the files anew. Do that on purpose only, and read the
difference before it is committed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path as File

from made import around, labels, nets

from sheetgen.scene import Path, Scene
from sheetgen.workshop import LabelChoices

FOLDER = File(__file__).parent / "golden"
PAGES: dict[str, Callable[[], Scene]] = {
    "net-page": lambda: nets("lostcities-rollwrite").pages[0],
    "label-page": lambda: labels("keldice", LabelChoices(stock="OL2050", start=12)).pages[0],
}


def describe(page: Scene) -> str:
    """Return a page's size, and every item's role, place and words or look."""
    lines = [f"page {page.size.width:.2f} x {page.size.height:.2f} mm"]
    for item in page.items:
        place = " ".join(f"{value + 0.0:7.2f}" for value in around(item))
        if isinstance(item, Path):
            paint = item.paint
            look = f"fill {paint.fill} stroke {paint.stroke} {paint.width:.2f} pt {paint.dash}"
        else:
            look = f"{item.string!r} {item.font} {item.size:.2f} pt, {item.angle % 360:.1f} degrees"
        lines.append(f"{item.role:<12} {place}  {look}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, page in PAGES.items():
        (FOLDER / f"{name}.txt").write_text(describe(page()), encoding="utf-8")
