"""Numbers as files write them, and back: the rules of Orchard's `libs/core/dataset`."""

from __future__ import annotations

import math
import re
from decimal import ROUND_HALF_UP, Context, Decimal

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
# as 00501: digits that are a name, and would not survive being a number
_LEADING_ZERO = re.compile(r"[+-]?0\d", re.ASCII)
# what stands for a minus in texts that were set for readers
_MINUS = re.compile("[\u2212\u2013\ufe63\uff0d]")
GREATEST_NUMBER = 1e300
#: Where a format has as many places, all digits count.
MOST_DECIMALS = 20
EXACT = Context(prec=400, rounding=ROUND_HALF_UP)


def bounded(value: float) -> float:
    """The same number, NaN where it is infinite or as good as that."""
    return value if abs(value) <= GREATEST_NUMBER else math.nan


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
