"""Write what in docs/ follows from the code: the manual of all keys, and the sheets' pictures.

usage: python docs/make.py
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image

from sheetgen import library, model, symbols, theme, workshop
from sheetgen.draw.pdf import pdf
from sheetgen.draw.png import png
from sheetgen.geometry import Size
from sheetgen.impose import alone
from sheetgen.paper import Paper
from sheetgen.prepare import Choices, load, prepare
from sheetgen.schema import REQUIRED, ListOf, MapOf, Record, Struct, Tagged

DOCS = Path(__file__).parent
PICTURES = {
    "lostdice": ("lostdice", ""),
    "lostdice-tick": ("lostdice", "tick"),
    "keldice": ("keldice", ""),
    "lostcities-rollwrite": ("lostcities-rollwrite", ""),
    "lostcities": ("lostcities", ""),
    "lostcities-tick": ("lostcities", "tick"),
    "lostcities-long": ("lostcities-long", ""),
    "yacht": ("yacht", ""),
    "scorepad": ("scorepad", ""),
}
DPI = 75
A4 = workshop.DEFAULT_PAPER
CARD = Size(148, 105)
PHOTO_SEED = 64
PHOTO_WIDTH = 620  # px

HEAD = """\
# The keys of a variant file

Made from the definitions in `sheetgen/model/` by `python docs/make.py`; `sheetgen schema` prints
the same as JSON Schema. Keys in bold must be there. A text is written once for all languages, or as
`{en: …, fr: …, de: …}`; in a template, `{{ name }}` inserts a setup's value, an option or the
number of players.
"""


def manual() -> str:
    """Return docs/variants.md."""
    parts = [HEAD]
    queue: list[tuple[str, type[Record]]] = [("The file", model.Variant)]
    seen: set[type[Record]] = set()
    tags = {
        struct.cls: (tagged.noun, name)
        for tagged in (model.ELEMENT, model.PART)
        for name, struct in tagged.kinds.items()
        if isinstance(struct, Struct)
    }
    while queue:
        title, cls = queue.pop(0)
        if cls in seen:
            continue
        seen.add(cls)
        parts.append(_section(title, cls))
        for spec in cls.keys.values():
            queue += [(f"{inner.__name__}", inner) for inner in _inner(spec.kind)]
    for cls, (noun, name) in tags.items():
        if cls not in seen:
            seen.add(cls)
            parts.append(_section(f"`{name}`, a kind of {noun}", cls))
            extra = [inner for spec in cls.keys.values() for inner in _inner(spec.kind)]
            for inner in extra:
                if inner not in seen and inner not in tags:
                    seen.add(inner)
                    parts.append(_section(inner.__name__, inner))
    parts.append(_names())
    return "\n".join(parts)


def _names() -> str:
    """Return the names that a file may choose from."""
    look = theme.load(library.find_template("themes/expedition.yaml"))
    known = symbols.load(library.find_template("symbols.yaml"))
    lines = [
        "\n## Names to choose from\n",
        f"- `ink` of a colour, in the theme `expedition`: {', '.join(look.colours)}",
        f"- `symbol`: {', '.join(known)}; a variant's `symbols` add to them",
    ]
    return "\n".join(lines) + "\n"


def _inner(kind: object) -> list[type[Record]]:
    if isinstance(kind, ListOf | MapOf):
        return _inner(kind.kind)
    return [kind.cls] if isinstance(kind, Struct) else []


def _section(title: str, cls: type[Record]) -> str:
    about = (cls.__doc__ or "").strip().split("\n\n")[0].replace("\n    ", " ")
    lines = [f"\n## {title}\n", f"{about}\n", "| key | is | what it says |", "|---|---|---|"]
    for name, spec in cls.keys.items():
        shown = f"**{name}**" if spec.default is REQUIRED else name
        wanted = _wanted(spec.kind).replace("|", "\\|")
        lines.append(f"| {shown} | {wanted} | {spec.description} |")
    return "\n".join(lines) + "\n"


def _wanted(kind: object) -> str:
    if isinstance(kind, Struct):
        return f"see {kind.cls.__name__}"
    if isinstance(kind, ListOf):
        return f"a list: {_wanted(kind.kind)}"
    if isinstance(kind, MapOf):
        return f"names, each: {_wanted(kind.kind)}"
    if isinstance(kind, Tagged):
        return f"one {kind.noun}"
    return str(getattr(kind, "wanted", ""))


def pictures() -> None:
    """Write the README's pictures."""
    (DOCS / "pictures").mkdir(exist_ok=True)
    pages = {
        "dice-nets": workshop.nets(load("lostcities-rollwrite")[0], Choices(), 1, None, A4),
        "dice-labels": workshop.labels(
            load("lostdice")[0], Choices(), 2, workshop.LabelChoices(), Paper("", CARD, None)
        ),
    }
    for name, dice in pages.items():
        page = dice.pages[0]
        data = pdf(page, None, alone(page.size), dice.style.fonts)
        (DOCS / "pictures" / f"{name}.png").write_bytes(png(data, DPI))
    for name, (variant, sheet) in PICTURES.items():
        ready = prepare(load(variant)[0], Choices(sheet=sheet))
        data = pdf(ready.front, None, alone(ready.front.size), ready.style.fonts)
        (DOCS / "pictures" / f"{name}.png").write_bytes(png(data, DPI))


def photo() -> None:
    """Write the README's photo with its scores: simulated, with a mistake, read as any other."""
    import numpy as np

    from sheetgen.checking import Checker
    from sheetgen.report.annotate import annotated
    from simulation.pages import Look
    from simulation.play import legal
    from simulation.studio import simulate, someone

    rng = np.random.default_rng(PHOTO_SEED)
    look = Look("lostdice")
    sheet = legal(look, rng) | {"yellow_score": "-12"}  # where -21 belongs
    shot = simulate(look, "mild", PHOTO_SEED, wanted=sheet, hand=someone(rng), alone=True)
    checked = Checker(pictures=True).check_bytes(shot.data, "photo.jpg")
    with Image.open(io.BytesIO(next(annotated(checked)))) as picture:
        picture.thumbnail((PHOTO_WIDTH, 10 * PHOTO_WIDTH))
        picture.convert("RGB").save(DOCS / "pictures" / "photo.jpg", quality=85)


if __name__ == "__main__":
    (DOCS / "variants.md").write_text(manual(), encoding="utf-8")
    pictures()
    photo()
    sys.stdout.write("docs/variants.md and docs/pictures are written\n")
