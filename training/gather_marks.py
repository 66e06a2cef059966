"""Gather boxes to tick from simulated sheets: what the reader sees of them, and the truth.

``python training/gather_marks.py FILE --seeds 0 400`` writes an .npz file for ``train_marks.py``.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from sheetgen.errors import InputError
from sheetgen.prepare import load
from sheetgen.read.layouts import layouts_of
from sheetgen.read.scan import codes, markers, marks, pictures, register, strokes
from sheetgen.read.scan.sheet import lay_straight
from simulation import pages as simulated
from simulation.pages import Look
from simulation.studio import simulate
from simulation.truth import KINDS

GAMES = ("lostdice", "keldice", "lostcities", "lostcities-long", "lostcities-rollwrite")
LEVELS = ("scan", "low", "mild", "mild", "medium", "medium")
SHAPES = ("jpeg", "jpeg", "jpeg", "jpeg", "jpeg", "jpeg", "one-bit", "dither")
FAULTS = ((), (), (), ("fold",), ("crumple",), ("toner",), ("faded",), ("photocopy",), ("scaled",))
MORE = 8  # times as often as people do them: oddities


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--seeds", nargs=2, type=int, default=(0, 400))
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    for name in ("GHOSTS", "STRAYS", "REACHES", "CROSSED_OUT"):
        setattr(simulated, name, getattr(simulated, name) * MORE)
    known = {name: load(name)[0] for name in GAMES}
    looks = [Look(name, str(sheet)) for name, one in known.items() for sheet in one.sheets]
    known_layouts = layouts_of(known.values())
    inputs, sizes, kinds, values, seeds = [], [], [], [], []
    started = time.time()
    for seed in range(*chosen.seeds):
        rng = np.random.default_rng(seed + 10_000_000)
        look = looks[seed % len(looks)]._replace(ink=str(rng.choice(["full", "full", "low", "bw"])))
        level = str(rng.choice(LEVELS))
        shape = str(rng.choice(SHAPES)) if level in ("scan", "low") else "jpeg"
        faults = FAULTS[int(rng.integers(len(FAULTS)))]
        try:
            picture = simulate(look, level, seed + 10_000_000, faults=faults, shape=shape)
        except ValueError:
            continue
        for page in pictures.pages(picture.data, picture.name):
            grey = cv2.cvtColor(page, cv2.COLOR_BGR2GRAY)
            for found in markers.sheets(markers.find_markers(grey)):
                rough = codes.roughly(found)
                layout = known_layouts.find(codes.read_code(grey, rough)) if rough else None
                if layout is None:
                    continue
                try:
                    layout, straight, blank = lay_straight(page, grey, found, layout, known_layouts)
                except InputError:
                    continue
                scene = layout.scene
                middle = np.array([[scene.size.width / 2, scene.size.height / 2]])
                at = register.project(straight.placement.homography, middle)[0]
                truth = min(
                    picture.sheets,
                    key=lambda sheet: float(np.hypot(*(np.mean(sheet.corners, axis=0) - at))),
                )
                rects = [box.rect for box in scene.boxes]
                boxmap = strokes.map_boxes(rects, straight.seen.shape)
                ink = strokes.strokes_of(straight.seen, blank, straight.tone, boxmap, len(rects))
                images = marks.inputs_of(ink)
                for box in scene.boxes:
                    written = truth.boxes.get(box.id)
                    if written and isinstance(written.value, bool):
                        cut = marks.patch(images, box.rect)
                        inputs.append(np.clip(cut * 200, 0, 255).astype(np.uint8))
                        sizes.append(marks.size_of(box.rect))
                        kinds.append(KINDS.index(written.kind))
                        values.append(bool(written.value))
                        seeds.append(seed)
        if seed % 50 == 0:
            print(seed, len(inputs), f"{time.time() - started:.0f} s", flush=True)
            _save(chosen.file, inputs, sizes, kinds, values, seeds)
    _save(chosen.file, inputs, sizes, kinds, values, seeds)


def _save(file: str, inputs: list, sizes: list, kinds: list, values: list, seeds: list) -> None:
    np.savez(file, x=np.array(inputs), size=sizes, kind=kinds, value=values, seed=seeds)


if __name__ == "__main__":
    main()
