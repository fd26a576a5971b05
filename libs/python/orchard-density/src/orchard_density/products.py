"""Products of columns of 0 and 1, thousands of them at once (libs/families/mixture/src/product-logs.ts)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .bits_model import Bits
from .density_model import Floats
from .forest import Known, move_to_evidence
from .numerics import log

#: Products whose tables of 256 sums are looked up in together: as much as stays in a core's cache.
_TOGETHER = 64


class Products:
    """
    rates: P(1) of each column under each product, shape (products, columns).

    Raises ValueError where a rate is none.
    """

    def __init__(self, rates: Floats) -> None:
        if not ((rates > 0) & (rates < 1)).all():
            raise ValueError("a rate that is not between 0 and 1")
        self.rates = rates
        self._zeros, self._ones = log(1.0 - rates), log(rates)

    def joint_logs(self, log_weights: Floats, rows: Bits) -> Floats:
        """log of weight times P of each product and row. Eight columns at a time: a row costs columns / 8 additions a product."""
        joint = np.empty((len(self.rates), len(rows)))
        in_bytes = np.packbits(rows, axis=1).astype(np.intp)
        for first in range(0, len(self.rates), _TOGETHER):
            part = slice(first, first + _TOGETHER)
            sums = np.repeat(log_weights[np.newaxis, part], len(rows), axis=0)
            for byte in range(in_bytes.shape[1]):
                columns = slice(8 * byte, 8 * byte + 8)
                sums += _sums_of_bytes(self._zeros[part, columns], self._ones[part, columns])[in_bytes[:, byte]]
            joint[part] = sums.T
        return joint

    def mean_cells(self, shares: Floats, rows: Bits) -> Floats:
        return np.where(rows == 1, shares.T @ self._ones, shares.T @ self._zeros)

    def log_evidence(self, rows: Bits, known: Known) -> Floats:
        """log P(known values) of each product and row, with the roundings of a forest without edges; of one row where nothing is known."""
        if not known.any():
            rows, known = rows[:1], known[:1]
        evidence = np.zeros((len(self.rates), len(rows)))
        pending = np.ones(evidence.shape)
        for column in reversed(range(rows.shape[1])):
            rate = self.rates[:, column : column + 1]
            zero = np.where(known[:, column] & (rows[:, column] == 1), 0.0, 1.0)
            one = np.where(known[:, column] & (rows[:, column] == 0), 0.0, 1.0)
            pending *= (1.0 - rate) * zero + rate * one
            move_to_evidence(pending, evidence)
        return evidence + log(pending)

    def draw(self, chosen: NDArray[np.int64], rows: Bits, known: Known, uniforms: Floats) -> None:
        rates = self.rates[chosen]
        rows[:] = np.where(known, rows, rates / (rates + (1.0 - rates)) > uniforms[: rows.shape[1]].T)


def _sums_of_bytes(zeros: Floats, ones: Floats) -> Floats:
    """
    log P of each value of up to eight columns under each product, shape (256, products): that of the value without its highest 1, and
    that one's log-odds.
    """
    sums = np.empty((256, len(zeros)))
    total = np.zeros(len(zeros))
    for column in zeros.T:
        total += column
    sums[0] = total
    odds = ones - zeros
    for bit in range(8):
        half, column = 1 << bit, 7 - bit
        sums[half : 2 * half] = sums[:half] + odds[:, column] if column < odds.shape[1] else sums[:half]
    return sums
