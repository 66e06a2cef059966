"""Tune the network that reads handwriting on boxes that the whole reader cut out, and its judge.

``python training/tune.py --train ctr1.npz ctr2.npz --dev cdev.npz`` takes what
``train.py`` wrote a little further: the same networks on ink from simulated photos, mixed with
composed samples, and then the judge on boxes of ``dev`` writers.
"""

from __future__ import annotations

import argparse
import sys
import time
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

sys.path.insert(0, str(Path(__file__).parent.parent))

from sheetgen.read.scan.lattice import spans
from sheetgen.read.scan.network import CLASSES, JUNK, SIGNS, unpacked
from sheetgen.read.scan.numbers import Reading, judged, readings_of
from sheetgen.read.scan.pieces import picture, written
from training.gather_cells import Gathered, load
from training.judge import WEIGHTS, regression
from training.train import CHANNELS, augmented

EPOCHS = 5
RATE = 1.2e-3
BATCH = 256
REAL = 2  # times real samples are shown for once that composed ones are
COMPOSED = 80_000


class Folded(nn.Module):  # type: ignore[misc, unused-ignore]
    """The network as it is packed: norms are folded into convolutions and biases."""

    def __init__(self, arrays: dict[str, np.ndarray], name: str) -> None:
        super().__init__()
        sizes = (1, *CHANNELS)
        self.convs = nn.ModuleList()
        for number, (a, b) in enumerate(pairwise(sizes)):
            conv = nn.Conv2d(a, b, 3, padding=1)
            kernel = arrays[f"{name}_conv{number}"].astype(np.float32)
            shaped = kernel.reshape(3, 3, a, b).transpose(3, 2, 0, 1).copy()
            conv.weight.data = torch.from_numpy(shaped)
            conv.bias.data = torch.from_numpy(arrays[f"{name}_bias{number}"].astype(np.float32))
            self.convs.append(conv)
        self.last = nn.Linear(16 * CHANNELS[-1], CLASSES)
        self.last.weight.data = torch.from_numpy(arrays[f"{name}_last"].astype(np.float32).T.copy())
        self.last.bias.data = torch.from_numpy(arrays[f"{name}_last_bias"].astype(np.float32))
        self.drop = nn.Dropout(0.25)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the outputs for images (n, 1, 28, 28)."""
        for number, conv in enumerate(self.convs):
            x = conv(x)
            if number != 2:
                x = functional.max_pool2d(x, 2, ceil_mode=True)
            x = functional.relu(x)
        return self.last(self.drop(x.permute(0, 2, 3, 1).flatten(1)))

    def packed(self, name: str) -> dict[str, np.ndarray]:
        """Return the weights as the NumPy network wants them, in half precision."""
        arrays = {}
        for number, conv in enumerate(self.convs):
            kernel = conv.weight.detach().numpy()
            flat = kernel.transpose(2, 3, 1, 0).reshape(-1, kernel.shape[0])
            arrays[f"{name}_conv{number}"] = flat
            arrays[f"{name}_bias{number}"] = conv.bias.detach().numpy()
        arrays[f"{name}_last"] = self.last.weight.detach().numpy().T
        arrays[f"{name}_last_bias"] = self.last.bias.detach().numpy()
        return {key: array.astype(np.float16) for key, array in arrays.items()}


def samples_of(found: list[Gathered], seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return images and classes of what is certain about boxes: pieces one by one, and no others.

    Where there are as many pieces as signs, each is a sign and every two are junk; where there is
    one sign, all pieces together are it; where there is none, everything is junk.
    """
    rng = np.random.default_rng(seed)
    images, classes = [], []
    for one in found:
        what = written(one.cell.ink)
        count = len(what.pieces)
        if not count or any(sign not in SIGNS for sign in one.text):
            continue
        for first, end in spans(what.pieces):
            if not one.text:
                sign = JUNK
            elif count == len(one.text):
                sign = SIGNS.index(one.text[first]) if end - first == 1 else JUNK
                if sign == JUNK and rng.random() < 0.6:
                    continue
            elif len(one.text) == 1 and end - first == count:
                sign = SIGNS.index(one.text)
            else:
                continue
            image = picture(what, what.pieces[first:end])
            images.append(np.rint(image * 255).astype(np.uint8))
            classes.append(sign)
    return np.stack(images), np.array(classes)


def tuned(net: Folded, images: np.ndarray, classes: np.ndarray, seed: int) -> None:
    """Train a network a little further."""
    torch.manual_seed(seed)
    make = torch.Generator().manual_seed(seed)
    net.train()
    x, y = torch.from_numpy(images), torch.from_numpy(classes)
    steps = EPOCHS * (len(x) // BATCH)
    optimiser = torch.optim.AdamW(net.parameters(), RATE, weight_decay=1e-4)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=steps + 1)
    for epoch in range(EPOCHS):
        start, total = time.monotonic(), 0.0
        order = torch.randperm(len(x), generator=make)
        for at in range(0, len(x) - BATCH + 1, BATCH):
            those = order[at : at + BATCH]
            batch = augmented(x[those].float()[:, None] / 255, make, 0.45)
            loss = functional.cross_entropy(net(batch), y[those])
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 2.0)
            optimiser.step()
            plan.step()
            total += float(loss.detach())
        spent = time.monotonic() - start
        print(f"epoch {epoch + 1}: loss {total * BATCH / len(x):.4f}, {spent:.0f} s", flush=True)
    net.eval()


def plain_doubt(reading: Reading) -> bool:
    """Tell whether a reading would be doubtful even if it were certain."""
    return bool(judged(reading, np.array([30.0, 0.0, 0.0, 0.0, 0.0])).doubt)


def judge_of(arrays: dict[str, np.ndarray], found: list[Gathered]) -> np.ndarray:
    """Return the judge's weights by logistic regression on boxes that no plain doubt is about."""
    file = BytesIO()
    np.savez(file, allow_pickle=False, **arrays)
    model = unpacked(BytesIO(file.getvalue()))
    facts, right = [], []
    for at in range(0, len(found), 200):
        part = found[at : at + 200]
        for one, reading in zip(part, readings_of([o.cell for o in part], model), strict=True):
            if reading is not None and reading.texts and not plain_doubt(reading):
                facts.append(reading.facts)
                right.append(reading.texts[0].text == one.text)
    x, y = np.array(facts), np.array(right, np.float64)
    print(f"judge: {len(y)} boxes, {y.mean():.2%} right", flush=True)
    return regression(x, y)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--train", nargs="+", required=True)
    parser.add_argument("--dev", nargs="+", required=True)
    parser.add_argument("--composed", nargs="*", default=[], help=".npz files of im and cl")
    parser.add_argument("--start", default=str(WEIGHTS))
    parser.add_argument("--only", default="", help="one of the networks, to share the work")
    parser.add_argument("--save", default=str(WEIGHTS))
    options = parser.parse_args()
    torch.set_num_threads(1)
    with np.load(options.start) as stored:
        arrays = {name: stored[name] for name in stored.files}
    real = [one for name in options.train for one in load(name)]
    images, classes = samples_of(real, 1)
    print(f"{len(real)} boxes, {len(images)} samples: {np.bincount(classes).tolist()}", flush=True)
    for number, name in enumerate(("a", "b")):
        if options.only not in ("", name):
            continue
        parts = [(images, classes)] * REAL
        for file in options.composed:
            with np.load(file) as stored:
                count = len(stored["im"])
                rng = np.random.default_rng(number)
                some = rng.permutation(count)[: COMPOSED // len(options.composed)]
                parts.append((stored["im"][some], stored["cl"][some]))
        net = Folded(arrays, name)
        both = [np.concatenate(one) for one in zip(*parts, strict=True)]
        tuned(net, both[0], both[1], 500 + number)
        arrays |= net.packed(name)
    if not options.only:
        dev = [one for name in options.dev for one in load(name)]
        arrays["judge"] = judge_of(arrays, dev).astype(np.float32)
    np.savez_compressed(options.save, allow_pickle=False, **arrays)


if __name__ == "__main__":
    main()
