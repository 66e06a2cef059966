"""The network of signs: its weights, and that NumPy computes what a network is defined to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sheetgen.read.scan import network
from sheetgen.read.scan.network import CLASSES, JUNK, SIGNS, Network
from sheetgen.read.scan.pieces import FIT, SIDE, centred

WEIGHTS = Path(network.__file__).with_name("digits.npz")


def tiny(seed: int = 3) -> Network:
    """Return a network with few random weights."""
    rng = np.random.default_rng(seed)

    def array(*shape: int) -> np.ndarray:
        return rng.normal(0, 0.3, shape).astype(np.float32)

    sizes = [(1, 2), (2, 3), (3, 4), (4, 4)]
    layers = tuple((array(9 * a, b), array(b)) for a, b in sizes)
    return Network(layers, (array(16 * 4, CLASSES), array(CLASSES)))


def slow_convolution(x: np.ndarray, matrix: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """Convolve one image (channels, rows, columns) by the definition, cut at zero."""
    channels, rows, columns = x.shape
    kernel = matrix.reshape(3, 3, channels, -1)
    out = np.zeros((kernel.shape[3], rows, columns))
    for row in range(rows):
        for column in range(columns):
            for i in range(3):
                for j in range(3):
                    r, c = row + i - 1, column + j - 1
                    if 0 <= r < rows and 0 <= c < columns:
                        out[:, row, column] += x[:, r, c] @ kernel[i, j]
            out[:, row, column] += bias
    return np.maximum(out, 0)


def slow_pooling(x: np.ndarray) -> np.ndarray:
    """Return the maximum of each 2x2, missing rows and columns being zero."""
    channels, rows, columns = x.shape
    padded = np.zeros((channels, rows + rows % 2, columns + columns % 2))
    padded[:, :rows, :columns] = x
    parts = padded.reshape(channels, -(-rows // 2), 2, -(-columns // 2), 2)
    return np.asarray(parts.max(axis=(2, 4)))


def test_the_weights_are_small_enough_to_ship() -> None:
    """A wheel carries them, so they stay below 300 KB, and 15 classes come out."""
    assert WEIGHTS.stat().st_size < 300_000
    for net in (network.weights().reader, network.weights().second):
        assert network.logits(np.zeros((2, SIDE, SIDE), np.float32), net).shape == (2, CLASSES)
    assert len(SIGNS) + 1 == CLASSES
    assert JUNK == CLASSES - 1


def test_numpy_computes_what_a_convolutional_network_is() -> None:
    """Three poolings, four convolutions of 3x3 and a linear layer, computed one px at a time."""
    model = tiny()
    image = np.random.default_rng(8).random((SIDE, SIDE)).astype(np.float32)
    x = image[None].astype(float)
    for number, (matrix, bias) in enumerate(model.layers):
        x = slow_convolution(x, matrix, bias)
        if number != 2:
            x = slow_pooling(x)
    matrix, bias = model.last
    expected = x.transpose(1, 2, 0).reshape(-1) @ matrix + bias
    assert network.logits(image[None], model)[0] == pytest.approx(expected, abs=1e-4)


def test_a_batch_is_read_as_its_images_are() -> None:
    """Chunks and their borders change nothing; no image at all is no error."""
    images = np.random.default_rng(4).random((network.CHUNK + 3, SIDE, SIDE)).astype(np.float32)
    net = network.weights().reader
    together = network.logits(images, net)
    alone = np.concatenate([network.logits(image[None], net) for image in images])
    assert together == pytest.approx(alone, abs=1e-3)
    assert network.logits(images[:0], net).shape == (0, CLASSES)


def test_probabilities_sum_to_one_however_large_the_outputs_are() -> None:
    """The exponentials do not overflow."""
    rows = network.probabilities(np.array([[1e4, 0.0, -1e4], [0.0, 0.0, 0.0]]))
    assert rows.sum(axis=1) == pytest.approx([1, 1])
    assert rows[0, 0] == pytest.approx(1)


@pytest.mark.parametrize("shape", [(40, 6), (6, 40), (20, 20), (90, 70), (1, 1)])
def test_signs_are_fitted_as_mnist_was(shape: tuple[int, int]) -> None:
    """The longer side has 20 px, and the middle of the mass is in the middle."""
    page = centred(np.ones(shape, np.float32))
    assert page.shape == (SIDE, SIDE)
    rows, columns = np.nonzero(page > 0.5)
    assert max(np.ptp(rows), np.ptp(columns)) + 1 == FIT
    assert rows.mean() == pytest.approx((SIDE - 1) / 2, abs=0.51)
    assert columns.mean() == pytest.approx((SIDE - 1) / 2, abs=0.51)
