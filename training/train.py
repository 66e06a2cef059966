"""Trains the network that reads handwriting: ``python training/train.py --data FOLDER``.

Everything random is seeded. ``training/README.md`` says what FOLDER holds and what is installed.
"""

from __future__ import annotations

import argparse
import sys
import time
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import nn
from torch.nn import functional

sys.path.insert(0, str(Path(__file__).parent.parent))

from sheetgen.read.scan.network import CLASSES, unpacked
from training.judge import WEIGHTS, fitted
from training.samples import samples

CHANNELS = (16, 32, 64, 64)


class Net(nn.Module):  # type: ignore[misc, unused-ignore]
    """The network of :mod:`sheetgen.read.scan.network`, in torch."""

    def __init__(self) -> None:
        super().__init__()
        sizes = (1, *CHANNELS)
        self.convs = nn.ModuleList(nn.Conv2d(a, b, 3, padding=1) for a, b in pairwise(sizes))
        self.norms = nn.ModuleList(nn.BatchNorm2d(count) for count in CHANNELS)
        self.last = nn.Linear(16 * CHANNELS[-1], CLASSES)
        self.drop = nn.Dropout(0.3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the outputs for images (n, 1, 28, 28)."""
        for number, (conv, norm) in enumerate(zip(self.convs, self.norms, strict=True)):
            x = conv(x)
            if number != 2:
                x = functional.max_pool2d(x, 2, ceil_mode=True)
            x = functional.relu(norm(x))
        return self.last(self.drop(x.permute(0, 2, 3, 1).flatten(1)))


def augmented(x: torch.Tensor, make: torch.Generator, much: float) -> torch.Tensor:
    """Return images turned, sheared, stretched, bent, thickened or thinned, so much each."""
    n = len(x)

    def normal(size: float, *shape: int) -> torch.Tensor:
        return torch.randn(n, *shape, generator=make) * size * much

    turn, shear = normal(0.12), normal(0.14)
    wide = torch.exp(normal(0.13)).clamp(0.75, 1.5)
    high = torch.exp(normal(0.07)).clamp(0.85, 1.25)
    cos, sin = torch.cos(turn), torch.sin(turn)
    matrix = torch.stack(
        [
            torch.stack([wide * cos, -sin + shear, normal(0.05)], 1),
            torch.stack([sin, high * cos, normal(0.05)], 1),
        ],
        1,
    )
    grid = functional.affine_grid(matrix, [n, 1, 28, 28], align_corners=False)
    coarse = normal(0.05, 2, 5, 5)
    bend = functional.interpolate(coarse, (28, 28), mode="bicubic", align_corners=False)
    x = functional.grid_sample(x, grid + bend.permute(0, 2, 3, 1), align_corners=False)
    soft = functional.avg_pool2d(x, 3, 1, 1)
    pen = torch.rand(n, 1, 1, 1, generator=make)
    thick, thin = (soft * 1.9).clamp(0, 1), (soft * 1.8 - 0.5).clamp(0, 1)
    x = torch.where(pen < 0.2 * much, thick, torch.where(pen > 1 - 0.15 * much, thin, x))
    strength = 0.7 + 0.45 * torch.rand(n, 1, 1, 1, generator=make)
    return (x * strength).clamp(0, 1)


class Stage(NamedTuple):
    """A part of the training: so many epochs, images varied so much, the highest rate."""

    epochs: int
    much: float
    rate: float


# First from much varied images, then from what is really seen
STAGES = (Stage(9, 1.0, 4e-3), Stage(6, 0.5, 3e-3))


def trained(net: Net, images: np.ndarray, classes: np.ndarray, stage: Stage, seed: int) -> None:
    """Train a network for one stage."""
    torch.manual_seed(seed)
    make = torch.Generator().manual_seed(seed)
    net.train()
    net.to(memory_format=torch.channels_last)
    counts = np.bincount(classes, minlength=CLASSES)
    weight = torch.tensor((counts.sum() / CLASSES / np.maximum(counts, 1)) ** 0.3).float()
    weight[-1] = weight[-1] * 1.2
    x = torch.from_numpy(images)
    y = torch.from_numpy(classes)
    size = 256
    steps = stage.epochs * (len(x) // size)
    optimiser = torch.optim.AdamW(net.parameters(), stage.rate, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, stage.rate, total_steps=steps + 1)
    for epoch in range(stage.epochs):
        start, total = time.monotonic(), 0.0
        order = torch.randperm(len(x), generator=make)
        for at in range(0, len(x) - size + 1, size):
            those = order[at : at + size]
            batch = augmented(x[those].float()[:, None] / 255, make, stage.much)
            batch = batch.contiguous(memory_format=torch.channels_last)
            loss = functional.cross_entropy(net(batch), y[those], weight)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 2.0)
            optimiser.step()
            with torch.no_grad():  # a norm after a maximum folds into what is before it if it grows
                for norm in net.norms:
                    norm.weight.clamp_(min=0.02)
            schedule.step()
            total += float(loss.detach())
        mean = total / max(1, len(x) // size)
        print(f"epoch {epoch + 1}: loss {mean:.4f}, {time.monotonic() - start:.0f} s", flush=True)
    net.eval()


def packed(net: Net, name: str) -> dict[str, np.ndarray]:
    """Return the weights as the NumPy network wants them, in half precision."""
    arrays = {}
    for number, (conv, norm) in enumerate(zip(net.convs, net.norms, strict=True)):
        scale = (norm.weight / torch.sqrt(norm.running_var + norm.eps)).detach()
        kernel = (conv.weight.detach() * scale[:, None, None, None]).numpy()  # out, in, 3, 3
        bias = (conv.bias.detach() - norm.running_mean) * scale + norm.bias.detach()
        arrays[f"{name}_conv{number}"] = kernel.transpose(2, 3, 1, 0).reshape(-1, kernel.shape[0])
        arrays[f"{name}_bias{number}"] = bias.numpy()
    arrays[f"{name}_last"] = net.last.weight.detach().numpy().T
    arrays[f"{name}_last_bias"] = net.last.bias.detach().numpy()
    return {key: array.astype(np.float16) for key, array in arrays.items()}


def main() -> None:
    """Make the samples, train, judge and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cells", type=int, default=130_000)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--save", type=Path, default=WEIGHTS)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    start = time.monotonic()
    images, classes = samples("train", options.data, options.cells, options.seed)
    counts = np.bincount(classes, minlength=CLASSES)
    print(f"{len(images)} samples, {time.monotonic() - start:.0f} s; {counts.tolist()}", flush=True)
    first = round(len(images) * 0.6)  # the first stage takes a part of the samples
    arrays: dict[str, np.ndarray] = {}
    for number, name in enumerate(("a", "b")):
        seed = options.seed + 100 * number
        torch.manual_seed(seed)
        net = Net()
        trained(net, images[:first], classes[:first], STAGES[0], seed)
        trained(net, images, classes, STAGES[1], seed + 1)
        arrays |= packed(net, name)
    arrays["judge"] = np.zeros(5, np.float32)
    file = BytesIO()
    np.savez(file, allow_pickle=False, **arrays)
    arrays["judge"] = fitted(unpacked(BytesIO(file.getvalue())), options.data).astype(np.float32)
    print("judge", arrays["judge"].tolist())
    np.savez_compressed(options.save, allow_pickle=False, **arrays)


if __name__ == "__main__":
    main()
