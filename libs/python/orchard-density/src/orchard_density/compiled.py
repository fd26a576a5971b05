"""The factors of an ensemble's trees by a compiled loop, where numba is installed: the same products, in the same order."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Factors looked up by then, one for each row and tree: loading the loop takes about a second, and some more once on a machine.
_LOOKUPS_BEFORE = 2**25

#: Of the lowest set bit of a word, its number: by the upper six bits of its product with this (a de Bruijn sequence).
_SEQUENCE = 0x03F79D71B4CB0A89
_NUMBER_OF_BIT = np.zeros(64, np.int64)
for _bit in range(64):
    _NUMBER_OF_BIT[((_SEQUENCE << _bit) % 2**64) >> 58] = _bit


_looked_up = 0


def loop_for(lookups: int) -> Callable[..., None] | None:
    """The compiled loop, once so much has been asked in this process that it pays off; None before, and where there is no numba."""
    global _looked_up
    _looked_up += lookups
    return compiled() if _looked_up >= _LOOKUPS_BEFORE else None


@cache
def compiled() -> Callable[..., None] | None:
    """
    `multiply(leaf_counts, split_leaf, split_predictor, leaf_factor, columns, odds, limit)`: multiplies odds of 64 rows a word by the
    factors of all trees. None where there is no numba.
    """
    try:
        import numba
    except ImportError:
        return None
    multiply: Callable[..., None] = numba.njit(cache=True)(_multiply)
    return multiply


def _multiply(
    leaf_counts: NDArray[np.int64],
    split_leaf: NDArray[np.int64],
    split_predictor: NDArray[np.int64],
    leaf_factor: NDArray[np.float64],
    columns: NDArray[np.uint64],
    odds: NDArray[np.float64],
    limit: float,
) -> None:
    inside = np.zeros(leaf_counts.max(), np.uint64)
    one: Any = np.uint64(1)
    for word in range(len(odds) // 64):
        first_split = 0
        first_leaf = 0
        for leaves in leaf_counts:
            inside[0] = np.uint64(0xFFFFFFFFFFFFFFFF)
            for split in range(leaves - 1):
                leaf = split_leaf[first_split + split]
                moved = inside[leaf] & columns[split_predictor[first_split + split], word]
                inside[leaf] ^= moved
                inside[split + 1] = moved
            for leaf in range(leaves):
                factor = leaf_factor[first_leaf + leaf]
                rows = inside[leaf]
                while rows != np.uint64(0):
                    others = rows & (rows - one)
                    number = _NUMBER_OF_BIT[((rows ^ others) * np.uint64(_SEQUENCE)) >> np.uint64(58)]
                    product = odds[64 * word + number] * factor
                    odds[64 * word + number] = min(max(product, 1.0 / limit), limit)
                    rows = others
            first_split += leaves - 1
            first_leaf += leaves
