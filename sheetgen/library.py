"""Where variants, themes and symbols are found.

A variant is a path to a YAML file, or a name looked for in ``./variants``, the user's data folder and
the package; themes and symbols likewise in ``./templates``, the user's folder and the package.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from sheetgen.errors import InputError, Problem, nearest

ENDINGS = (".yaml", ".yml")


@cache
def _bundled() -> Path:
    """Return the folder of the bundled data: in the package, or the checkout's root."""
    packed = Path(__file__).parent / "_data"
    return packed if packed.is_dir() else Path(__file__).parent.parent


def folders(kind: str) -> Iterator[Path]:
    """Yield the folders that may hold ``variants`` or ``templates``, the first that has a name wins."""
    from platformdirs import user_data_path

    yield Path(kind)
    yield user_data_path("sheetgen", appauthor=False) / kind
    yield _bundled() / kind


def variants() -> dict[str, Path]:
    """Return all variants that can be used by name, in alphabetical order."""
    found: dict[str, Path] = {}
    for folder in folders("variants"):
        if not folder.is_dir():
            continue
        for path in sorted(folder.iterdir()):
            if path.suffix in ENDINGS and not path.name.startswith("."):
                found.setdefault(path.stem, path)
    return dict(sorted(found.items()))


def find_variant(name: str) -> Path:
    """Return the file of a variant given by name or path. Raises :class:`InputError`."""
    is_path = name.endswith(ENDINGS) or "/" in name or "\\" in name
    if is_path:
        return Path(name)
    for folder in folders("variants"):
        for ending in ENDINGS:
            if (folder / (name + ending)).is_file():
                return folder / (name + ending)
    known = variants()
    allowed = f"known are {', '.join(known)}, or give the path of a .yaml file"
    raise InputError(Problem(f"unknown variant {name!r}", allowed, near=nearest(name, known)))


def find_template(name: str) -> Path:
    """Return a file below ``templates``, e.g. ``themes/expedition.yaml``. Raises :class:`InputError`."""
    for folder in folders("templates"):
        if (folder / name).is_file():
            return folder / name
    kind, _, rest = name.rpartition("/")
    known = sorted({path.stem for f in folders("templates") for path in (f / kind).glob("*.yaml")})
    stem = rest.removesuffix(".yaml")
    found = f"unknown {kind.rstrip('s') or 'template'} {stem!r}"
    raise InputError(Problem(found, f"known are {', '.join(known)}", near=nearest(stem, known)))
