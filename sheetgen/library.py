"""Where variants, themes and symbols are found.

A variant is a path to a YAML file, or a name looked for in ``./variants``, the user's data folder
and the package; themes and symbols likewise in ``./templates``, the user's folder and the package.
"""

from __future__ import annotations

import os
import re
import sys
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


def _own() -> Path:
    """Return the user's data folder."""
    if sys.platform.startswith("linux"):
        # As platformdirs does there; importing it takes half as long as starting Python.
        home = os.environ.get("XDG_DATA_HOME", "").strip()
        return Path(os.path.expanduser(home or "~/.local/share")) / "sheetgen"  # noqa: PTH111
    from platformdirs import user_data_path

    return user_data_path("sheetgen", appauthor=False)


def folders(kind: str) -> Iterator[Path]:
    """Yield the folders that may hold ``variants`` or ``templates``; the first with a name wins."""
    yield Path(kind)
    yield _own() / kind
    yield _bundled() / kind


def variants() -> dict[str, Path]:
    """Return all variants that can be used by name, in alphabetical order."""
    found: dict[str, Path] = {}
    for folder in folders("variants"):
        for path in _files(folder):
            if path.suffix in ENDINGS and not path.name.startswith("."):
                found.setdefault(path.stem, path)
    return dict(sorted(found.items()))


def _files(folder: Path) -> list[Path]:
    """Return the files in a folder, none if there is no such folder or it may not be read."""
    try:
        return [path for path in sorted(folder.iterdir()) if path.is_file()]
    except OSError:
        return []


def _short(name: str) -> str:
    return name if len(name) <= 40 else name[:39] + "…"


def _is_file(path: Path) -> bool:
    """Tell whether there is such a file; a name that no file can have is none."""
    try:
        return path.is_file()
    except OSError:
        return False


def find_variant(name: str) -> Path:
    """Return the file of a variant given by name or path. Raises :class:`InputError`."""
    if name.endswith(ENDINGS) or "/" in name or "\\" in name:
        return Path(name)
    for folder in folders("variants"):
        for ending in ENDINGS:
            if _is_file(folder / (name + ending)):
                return folder / (name + ending)
    known = variants()
    allowed = f"known are {', '.join(known)}, or give the path of a .yaml file"
    found = f"unknown variant {_short(name)!r}"
    raise InputError(Problem(found, allowed, near=nearest(name[:80], known)))


def find_all(name: str) -> list[Path]:
    """Return every file of this name below ``templates``, the one that wins first."""
    return [folder / name for folder in folders("templates") if _is_file(folder / name)]


def find_template(name: str) -> Path:
    """Return a file below ``templates``: ``themes/expedition.yaml``. Raises :class:`InputError`."""
    kind, slash, rest = name.partition("/")
    if not slash:
        kind, rest = "", name
    if not re.search(r"[/\\]", rest):  # a name, not a way out of the folders
        for folder in folders("templates"):
            if _is_file(folder / name):
                return folder / name
    files = [path for folder in folders("templates") for path in _files(folder / kind)]
    known = sorted({path.stem for path in files if path.suffix == ".yaml"})
    stem = rest.removesuffix(".yaml")
    found = f"unknown {kind.rstrip('s') or 'template'} {_short(stem)!r}"
    near = nearest(stem[:80], known)
    raise InputError(Problem(found, f"known are {', '.join(known)}", near=near))
