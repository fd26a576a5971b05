"""Numbers as files write them, and back: the rules of Orchard's `libs/core/dataset`."""

from __future__ import annotations

import math
import re
from decimal import ROUND_HALF_UP, Context, Decimal

import numpy as np
from numpy.typing import NDArray

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
# as 00501: digits that are a name, and would not survive being a number
_LEADING_ZERO = re.compile(r"[+-]?0\d", re.ASCII)
# what stands for a minus in texts that were set for readers
_MINUS = re.compile("[\u2212\u2013\ufe63\uff0d]")
GREATEST_NUMBER = 1e300
#: Where a format has as many places, all digits count.
MOST_DECIMALS = 20
EXACT = Context(prec=400, rounding=ROUND_HALF_UP)


#: Up to a size, on which grid sums and products of written numbers lie.
_GRIDS = ((1e4, 1e6), (1e6, 1e4), (1e8, 1e2))
_MOST_NOISE = 2.0**-48


def bounded(value: float) -> float:
    """The same number without the noise of binary fractions, NaN where it is infinite or as good as that."""
    return float(all_bounded(np.array([value]))[0])


def all_bounded(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """
    The same numbers, NaN where one is infinite or as good as that; of 59.699999999999996, as 3 * 19.9 is in binary fractions, 59.7 is the
    number.
    """
    with np.errstate(invalid="ignore"):
        size = np.abs(values)
        result = np.where(size <= GREATEST_NUMBER, values, np.nan)
        least = 0.0
        for below, in_one in _GRIDS:
            own = np.where((size >= least) & (size < below), values, 0.0)
            near = np.floor(own * in_one + 0.5) / in_one
            is_noise = (own != np.rint(own)) & (np.abs(near - own) <= size * _MOST_NOISE)
            result = np.where(is_noise, near, result)
            least = below
    return result


def number_from_text(text: str) -> float:
    """The number that a text is, NaN where it is none."""
    text = with_plain_minus(text)
    if not _NUMBER.fullmatch(text) or _LEADING_ZERO.match(text):
        return math.nan
    return bounded(float(text))


def with_plain_minus(text: str) -> str:
    """The same text with the minus of a keyboard where it has one of typography."""
    return _MINUS.sub("-", text, count=1)


def rounded(value: float, places: int) -> float:
    """To so many digits behind the point; halves away from 0, as JavaScript's toFixed does."""
    if abs(value) >= 1e21:
        return value
    scaled = abs(value) * 10.0**places
    if abs(scaled - math.floor(scaled) - 0.5) > 1e-6 and scaled < 1e15:
        return float(f"{value:.{places}f}") + 0.0
    return float(EXACT.quantize(Decimal(value), Decimal(1).scaleb(-places))) + 0.0
