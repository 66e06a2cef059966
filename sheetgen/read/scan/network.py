"""A small convolutional network that tells signs apart, in NumPy alone.

``training/`` says how its weights came to be. The images are normalised as MNIST's are: the sign
fitted into 20x20 of 28x28 px, its centre of mass in the middle, ink 1 on paper 0.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import NamedTuple

import numpy as np

SIGNS = "0123456789$wx-"
JUNK = len(SIGNS)  # the class of ink that is no single sign
CLASSES = JUNK + 1

CHUNK = 16  # images that fit into a processor's cache


class Network(NamedTuple):
    """``layers`` are matrices and biases of the convolutions, ``last`` those of the output.

    A convolution's matrix has a row for each of 3x3 places (row by row) and channel.
    """

    layers: tuple[tuple[np.ndarray, np.ndarray], ...]
    last: tuple[np.ndarray, np.ndarray]


class Weights(NamedTuple):
    """Two networks that learned apart: one reads, the other reads again.

    ``judge`` are the numbers that :mod:`sheetgen.read.scan.numbers` calibrates probabilities with.
    """

    reader: Network
    second: Network
    judge: np.ndarray


@cache
def weights() -> Weights:
    """Return the trained weights."""
    data = files("sheetgen.read.scan").joinpath("digits.npz").read_bytes()
    return unpacked(BytesIO(data))


def unpacked(file: BytesIO) -> Weights:
    """Return the weights in an archive that ``training/train.py`` wrote."""
    with np.load(file) as archive:
        arrays = {name: archive[name].astype(np.float32) for name in archive.files}
    return Weights(_network(arrays, "a"), _network(arrays, "b"), arrays["judge"])


def _network(arrays: dict[str, np.ndarray], name: str) -> Network:
    count = sum(key.startswith(f"{name}_conv") for key in arrays)
    layers = tuple((arrays[f"{name}_conv{n}"], arrays[f"{name}_bias{n}"]) for n in range(count))
    return Network(layers, (arrays[f"{name}_last"], arrays[f"{name}_last_bias"]))


def logits(images: np.ndarray, model: Network) -> np.ndarray:
    """Return the network's outputs, float32 (n, classes), for images of (n, 28, 28)."""
    parts = [_logits(images[i : i + CHUNK], model) for i in range(0, len(images), CHUNK)]
    return np.concatenate(parts) if parts else np.zeros((0, CLASSES), np.float32)


def probabilities(outputs: np.ndarray) -> np.ndarray:
    """Return the softmax of outputs."""
    raised = np.exp(outputs - outputs.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def _logits(images: np.ndarray, model: Network) -> np.ndarray:
    x = images[..., None].astype(np.float32)
    for number, (matrix, bias) in enumerate(model.layers):
        x = convolved(x, matrix)
        if number != 2:  # two convolutions stand between the second and the third pooling
            x = pooled(x)
        x += bias  # after the pooling, where there is a quarter of the work left
        np.maximum(x, 0, out=x)
    matrix, bias = model.last
    return np.asarray(x.reshape(len(x), -1) @ matrix + bias)


def convolved(x: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """Convolve with 3x3 places, zeros beyond the edges."""
    n, height, width, channels = x.shape
    padded = np.zeros((n, height + 2, width + 2, channels), np.float32)
    padded[:, 1:-1, 1:-1] = x
    places = [padded[:, i : i + height, j : j + width] for i in range(3) for j in range(3)]
    if channels == 1:  # long rows copy faster than columns of nine
        columns = np.stack(places).reshape(9, -1).T
    else:
        columns = np.concatenate(places, axis=3).reshape(-1, 9 * channels)
    return np.asarray((columns @ matrix).reshape(n, height, width, -1))


def pooled(x: np.ndarray) -> np.ndarray:
    """Halve both sides by the maximum of 2x2, or of what an odd side leaves of it."""
    _, height, width, _ = x.shape
    if height % 2 or width % 2:
        odd = ((0, 0), (0, height % 2), (0, width % 2), (0, 0))
        x = np.pad(x, odd, constant_values=-np.inf)
    across = np.maximum(x[:, :, ::2], x[:, :, 1::2])
    return np.asarray(np.maximum(across[:, ::2], across[:, 1::2]))
