"""Train the network that tells empty, marked and cancelled boxes apart.

``python training/train_marks.py GATHERED.npz`` writes ``sheetgen/read/scan/marks.npz`` and prints
what it gets wrong on sheets it was not trained on. It needs torch, which nothing else does.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import torch
from torch import nn

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from simulation.truth import KINDS

OUT = Path(__file__).resolve().parent.parent / "sheetgen" / "read" / "scan" / "marks.npz"
WIDTHS = (12, 24, 32)
HIDDEN = 32
BATCH = 256
EPOCHS = 18
HELD_OUT = 10  # every tenth seed is for looking at errors
SURE = 0.97


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="+")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(7)
    parts = []
    for number, name in enumerate(chosen.file):
        with np.load(name) as stored:
            one = [stored[key] for key in ("x", "size", "kind", "value")]
            parts.append([*one, stored["seed"] + number])
    x8, size, kind, value, seed = (np.concatenate(one) for one in zip(*parts, strict=True))
    x, sizes = torch.from_numpy(x8).permute(0, 3, 1, 2), torch.from_numpy(size)
    target = np.where(kind == KINDS.index("cancelled"), 2, value.astype(int))
    y = torch.from_numpy(target)
    held = torch.from_numpy(seed % HELD_OUT == 0)
    net = Net()
    rest = torch.nonzero(~held).ravel()
    optimiser = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=2e-3)
    steps = chosen.epochs * (len(rest) // BATCH + 1)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, total_steps=steps)
    loss_of = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 1.0, 3.0]))
    for epoch in range(chosen.epochs):
        net.train()
        order = rest[torch.randperm(len(rest))]
        total = 0.0
        for start in range(0, len(order), BATCH):
            index = order[start : start + BATCH]
            optimiser.zero_grad()
            loss = loss_of(net(_varied(x[index]), sizes[index]), y[index])
            loss.backward()
            optimiser.step()
            plan.step()
            total += float(loss.detach()) * len(index)
        print(f"epoch {epoch + 1}: loss {total / len(order):.4f}", flush=True)
    net.eval()
    with torch.no_grad():
        outputs = [
            torch.softmax(net(part.float() / 200, size), 1)
            for part, size in zip(x[held].split(2000), sizes[held].split(2000), strict=True)
        ]
    chances = torch.cat(outputs).numpy()
    _say(chances, target[held.numpy()], kind[held.numpy()])
    np.savez_compressed(OUT, **net.arrays())
    print(f"{OUT.name}: {OUT.stat().st_size / 1000:.0f} KB")


class Net(nn.Module):
    """Three convolutions, a hidden layer that also knows the box's size, three classes."""

    def __init__(self) -> None:
        super().__init__()
        self.convolutions = nn.ModuleList(
            [nn.Conv2d(a, b, 3, padding=1) for a, b in zip((3, *WIDTHS), WIDTHS, strict=False)]
        )
        self.drop = nn.Dropout(0.15)
        self.hidden = nn.Linear(WIDTHS[-1] * 36 + 3, HIDDEN)
        self.last = nn.Linear(HIDDEN, 3)

    def forward(self, x: torch.Tensor, sizes: torch.Tensor) -> torch.Tensor:
        """Return the outputs for patches of n x 3 x 24 x 24."""
        for number, convolution in enumerate(self.convolutions):
            x = torch.relu(convolution(x))
            if number < 2:
                x = nn.functional.max_pool2d(x, 2)
        # As NumPy lays it out: places first, channels last.
        flat = torch.cat([x.permute(0, 2, 3, 1).flatten(1), sizes], 1)
        return self.last(self.drop(torch.relu(self.hidden(flat))))

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the weights as the reader takes them."""
        half = {}
        for number, convolution in enumerate(self.convolutions):
            weight = convolution.weight.detach().numpy()  # out, in, 3, 3
            half[f"conv{number}"] = weight.transpose(2, 3, 1, 0).reshape(-1, weight.shape[0])
            half[f"bias{number}"] = convolution.bias.detach().numpy()
        for name in ("hidden", "last"):
            layer = getattr(self, name)
            half[name] = layer.weight.detach().numpy().T
            half[f"{name}_bias"] = layer.bias.detach().numpy()
        return {name: array.astype(np.float16) for name, array in half.items()}


def _varied(patches: torch.Tensor) -> torch.Tensor:
    """Return patches turned over at random, with pens lighter or darker, moved, and some noise."""
    x = patches.float() / 200
    count = len(x)
    for axis in (2, 3):
        turned = torch.rand(count) < 0.5
        x = torch.where(turned[:, None, None, None], x.flip(axis), x)
    force = (1 + 0.12 * torch.randn(count, 1, 1, 1)).clamp(0.6, 1.4)
    x = x * torch.cat([force, force, torch.ones_like(force)], 1)
    shift = torch.randint(-1, 2, (2,)).tolist()
    if torch.rand(1) < 0.5:
        x = torch.roll(x, shift, (2, 3))
    noise = 0.015 * torch.randn(count, 2, *x.shape[2:])
    return (x + torch.cat([noise, torch.zeros_like(noise[:, :1])], 1)).clamp(0, 1.25)


def _say(chances: np.ndarray, target: np.ndarray, kind: np.ndarray) -> None:
    best = chances.argmax(1)
    for sure in (0.9, SURE, 0.99, 0.995):
        flagged = chances.max(1) < sure
        # Marks and no marks are told apart; a cancelled box is one without a mark.
        silent = ~flagged & ((best == 1) != (target == 1))
        shares = f"flagged {flagged.mean():.3%}, silent {silent.sum()} of {len(target)}"
        print(f"sure {sure}: {shares}")
        if sure == SURE:
            for number, name in enumerate(KINDS):
                here = kind == number
                if here.any():
                    wrong = int((silent & here).sum())
                    share = f"{(flagged & here).sum() / here.sum():7.2%} flagged"
                    print(f"   {name:10} {here.sum():6} {share}  {wrong} silent")


if __name__ == "__main__":
    main()
