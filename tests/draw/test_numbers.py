from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheetgen.draw.numbers import number


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-0.0001, "0"),
        (100, "100"),
        (-1, "-1"),
        (0.5, "0.5"),
        (283.4645669, "283.465"),
        (1e-9, "0"),
        (123456.7891, "123456.789"),
        (1e16, "10000000000000000"),
    ],
)
def test_numbers_are_short(value: float, text: str) -> None:
    """Numbers have no exponent, no idle zero and no minus before nothing."""
    assert number(value) == text


@given(st.floats(-1e6, 1e6), st.integers(1, 6))
def test_numbers_keep_their_value(value: float, decimals: int) -> None:
    """What is written is the value, rounded."""
    text = number(value, decimals)
    assert re.fullmatch(r"-?\d+(\.\d*[1-9])?", text)
    assert float(text) == pytest.approx(value, abs=0.5001 * 10**-decimals)
