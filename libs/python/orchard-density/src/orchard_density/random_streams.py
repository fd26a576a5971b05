"""Counter-based random numbers, Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011): the streams that Orchard draws from everywhere.

A draw is a function of (seed, purpose, index, counter) alone, so that row r of a sample is the same for the same seed in every language.
"""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import RowsError

SAMPLE, COMPLETE, CELL, COMPONENT, MEMBER, FILL = 5, 6, 8, 9, 10, 23

_LOW = np.uint64(0xFFFFFFFF)
_SHIFT = np.uint64(32)
_MULTIPLIER_0 = np.uint64(0xD2511F53)
_MULTIPLIER_1 = np.uint64(0xCD9E8D57)
_WEYL_0, _WEYL_1 = 0x9E3779B9, 0xBB67AE85

Words = NDArray[np.uint64]


def philox(seed: int, purpose: int, index: Any, block: Any, word: int = 0) -> tuple[Words, Words, Words, Words]:
    """Four u32 of each stream `index` at `block`; both may be arrays. `word` distinguishes streams of one row."""
    index, block = np.broadcast_arrays(np.asarray(index, np.uint64), np.asarray(block, np.uint64))
    c0, c1 = block, np.full_like(block, word)
    c2, c3 = index, np.full_like(block, purpose)
    k0, k1 = seed % 2**32, seed // 2**32
    for _ in range(10):
        product0 = c0 * _MULTIPLIER_0
        product1 = c2 * _MULTIPLIER_1
        c0 = (product1 >> _SHIFT) ^ c1 ^ np.uint64(k0)
        c2 = (product0 >> _SHIFT) ^ c3 ^ np.uint64(k1)
        c1 = product1 & _LOW
        c3 = product0 & _LOW
        k0 = (k0 + _WEYL_0) % 2**32
        k1 = (k1 + _WEYL_1) % 2**32
    return c0, c1, c2, c3


def _uniform(high: Words, low: Words) -> NDArray[np.float64]:
    return np.asarray(((high >> np.uint64(5)) * 2.0**26 + (low >> np.uint64(6))) * 2.0**-53, np.float64)


def uniforms(seed: int, purpose: int, index: Any, number: int, word: int = 0) -> NDArray[np.float64]:
    """Number `number` of each stream, a multiple of 2^-53 in [0, 1)."""
    bits = philox(seed, purpose, index, number // 2, word)
    return _uniform(*bits[:2]) if number % 2 == 0 else _uniform(*bits[2:])


class UniformStreams:
    """The numbers of streams `first` to `first + count - 1`, one position after another: a block of bits serves two."""

    def __init__(self, seed: int, purpose: int, first: int, count: int) -> None:
        self._seed, self._purpose = seed, purpose
        self._index = np.arange(first, first + count, dtype=np.uint64)
        self._second: NDArray[np.float64] | None = None
        self._position = 0

    def next(self) -> NDArray[np.float64]:
        position, self._position = self._position, self._position + 1
        if position % 2 == 1 and self._second is not None:
            return self._second
        bits = philox(self._seed, self._purpose, self._index, position // 2)
        self._second = _uniform(*bits[2:])
        return _uniform(*bits[:2])


def seed_of(random_state: Any) -> int:
    """
    The seed that a `random_state` stands for: a whole number itself, as `--seed` of the command line, so that both draw the same
    rows; of a NumPy generator its next number; of None a number that nobody knows before.
    """
    if random_state is None:
        return int(np.random.default_rng().integers(2**53))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**53))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    if isinstance(random_state, numbers.Integral) and 0 <= int(random_state) < 2**53:
        return int(random_state)
    raise RowsError(
        f"random_state={random_state!r}",
        "a whole number from 0 to 2^53 - 1, a NumPy generator, or None",
        "Give one of these.",
    )
