"""Logarithms and powers that are the same bits in every language, so that what a model says here is what it says elsewhere.

NumPy's own differ in the last bit from machine to machine. These are the series of Orchard's `libs/core/numerics`, operation by operation.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

_LN2_HIGH = 0.6931471803691238
_LN2_LOW = 1.9082149292705877e-10
_LOG2_E = 1.4426950408889634
_SQRT2 = 1.4142135623730951
_SMALL = _SQRT2 - 1.0


def _logarithm(f: Floats, e: Floats | float, correction: Floats | float) -> Floats:
    """ln(1 + f) + e ln 2 + correction, for f in [sqrt(1/2) - 1, sqrt(2) - 1]."""
    s = f / (2.0 + f)
    z = s * s
    series = np.full_like(z, 2.0 / 23.0)
    for odd in (21.0, 19.0, 17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0):
        series *= z
        series += 2.0 / odd
    half_square = 0.5 * f * f
    small = s * (half_square + series * z) + (e * _LN2_LOW + correction)
    return e * _LN2_HIGH - (half_square - small - f)


def _mantissa(x: Floats) -> tuple[Floats, Floats]:
    """The m in (sqrt(1/2), sqrt(2)] and the e with x = m 2^e."""
    m, e = np.frexp(x)
    exponent = e.astype(np.float64) - 1.0
    m = m * 2.0
    above = m > _SQRT2
    m[above] *= 0.5
    exponent[above] += 1.0
    return m, exponent


def log(x: ArrayLike) -> Floats:
    """ln x, below 1 ulp: NaN below 0, -inf at 0."""
    values = np.atleast_1d(np.asarray(x, dtype=np.float64))
    usual = (values > 0.0) & (values < np.inf)
    m, e = _mantissa(np.where(usual, values, 1.0))
    result = _logarithm(m - 1.0, e, 0.0)
    if not usual.all():
        result[values == 0.0] = -np.inf
        result[values == np.inf] = np.inf
        result[~(values >= 0.0)] = np.nan
    return result.reshape(np.shape(x))


def log1p(x: Floats) -> Floats:
    """ln(1 + x) for x >= 0 (odds), below 1 ulp also where x is tiny."""
    u = 1.0 + x
    with np.errstate(invalid="ignore"):
        # what the sum lost in rounding comes back as a first-order term
        correction = np.where(x < 1.0, x - (u - 1.0), 1.0 - (u - x)) / u
    m, e = _mantissa(u)
    f = m - 1.0
    small = x < _SMALL
    f[small] = x[small]
    e[small] = 0.0
    correction[small] = 0.0
    result = _logarithm(f, e, correction)
    result[x == np.inf] = np.inf
    return result


def exp(x: ArrayLike) -> Floats:
    """e^x, below 1 ulp: inf above 709.78, 0 below -745.13."""
    given = np.atleast_1d(np.asarray(x, dtype=np.float64))
    usual = (given <= 709.782712893384) & (given >= -745.1332191019412)
    values = np.where(usual, given, 0.0)
    k = np.floor(values * _LOG2_E + 0.5)
    high = values - k * _LN2_HIGH
    low = k * _LN2_LOW
    r = high - low
    rest = high - r - low
    tail = np.full_like(r, 1.0 / 87178291200.0)
    for factorial in (
        6227020800.0, 479001600.0, 39916800.0, 3628800.0, 362880.0, 40320.0, 5040.0, 720.0, 120.0, 24.0, 6.0,
    ):  # fmt: skip
        tail *= r
        tail += 1.0 / factorial
    square = r * r
    y = 1.0 + (r + (0.5 * square + (tail * r * square + rest)))
    # below 2^-1022 the result is rounded once: the first product is exact
    result = np.where(
        k > 1023.0,
        np.ldexp(y, np.minimum(k, 1024.0).astype(np.int64) - 1) * 2.0,
        np.where(
            k < -1000.0,
            np.ldexp(y, np.minimum(k, -1000.0).astype(np.int64) + 1000) * 2.0**-1000,
            np.ldexp(y, np.minimum(k, 1023.0).astype(np.int64)),
        ),
    )
    if not usual.all():
        result[given > 709.0] = np.where(given > 709.782712893384, np.inf, result)[given > 709.0]
        result[given < -745.1332191019412] = 0.0
        result[np.isnan(given)] = np.nan
    return result.reshape(np.shape(x))


def sums_of_rows(rows: Floats) -> Floats:
    """The sum of each row, column after column, as loops elsewhere add; NumPy's own adds eight at a time."""
    total = np.zeros(len(rows))
    for column in rows.T:
        total += column
    return total


def log_sum_exp(terms: Sequence[Floats] | Floats) -> Floats:
    """log of the sum of exp, element by element; the terms are added in their order. -inf where all are."""
    values = np.asarray(terms)
    highest = np.maximum.reduce(values)
    at = np.where(highest == -np.inf, 0.0, highest)
    total = np.zeros_like(highest)
    for term in exp(values - at):
        total += term
    with np.errstate(divide="ignore"):
        return np.where(highest == -np.inf, -np.inf, at + log(total))
