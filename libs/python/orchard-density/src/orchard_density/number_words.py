"""Numbers and dates as files write them, and back: the rules of Orchard's `libs/core/dataset`."""

from __future__ import annotations

import datetime
import math
import re
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
# as 00501: digits that are a name, and would not survive being a number
_LEADING_ZERO = re.compile(r"[+-]?0\d", re.ASCII)
_DATE = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:([T ])(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?(Z|[+-]\d\d:?\d\d)?)?", re.ASCII
)
GREATEST_NUMBER = 1e300
#: Where a format has as many places, all digits count.
MOST_DECIMALS = 20
_FIRST_DAY, _END_DAY = -683_003, 2_932_897
_EPOCH = datetime.date(1970, 1, 1).toordinal()
_EXACT = Context(prec=400, rounding=ROUND_HALF_UP)


def bounded(value: float) -> float:
    """The same number, NaN where it is infinite or as good as that."""
    return value if abs(value) <= GREATEST_NUMBER else math.nan


def number_from_text(text: str) -> float:
    """The number that a text is, NaN where it is none."""
    if not _NUMBER.fullmatch(text) or _LEADING_ZERO.match(text):
        return math.nan
    return bounded(float(text))


def rounded(value: float, places: int) -> float:
    """To so many digits behind the point; halves away from 0, as JavaScript's toFixed does."""
    if abs(value) >= 1e21:
        return value
    scaled = abs(value) * 10.0**places
    if abs(scaled - math.floor(scaled) - 0.5) > 1e-6 and scaled < 1e15:
        return float(f"{value:.{places}f}") + 0.0
    return float(_EXACT.quantize(Decimal(value), Decimal(1).scaleb(-places))) + 0.0


def date_from_text(text: str, time: dict[str, Any] | None) -> float:
    """The number that a date is in a column of that format: days, or 10^-digits seconds; NaN where it is none."""
    match = _DATE.fullmatch(text)
    if match is None:
        return math.nan
    year, month, day, separator, hours, minutes, seconds, fraction, zone = match.groups()
    if int(year) < 100:
        return math.nan
    try:
        days = datetime.date(int(year), int(month), int(day)).toordinal() - _EPOCH
    except ValueError:
        return math.nan
    if time is None:
        return float(days) if separator is None else math.nan
    if separator is None or (zone or "") != time["zone"]:
        return math.nan
    clock = (int(hours), int(minutes), int(seconds or 0))
    if clock[0] > 23 or clock[1] > 59 or clock[2] > 59:
        return math.nan
    scale = 10 ** time["digits"]
    whole = days * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    return float(whole * scale + math.floor(float(f"0.{fraction or '0'}") * scale + 0.5))


def write_date(date: float, time: dict[str, Any] | None) -> str:
    """As files write it; what lies beyond the years 100 to 9999 as their first or last moment."""
    scale = 10 ** (0 if time is None else time["digits"])
    unit = 1 if time is None else 86_400 * scale
    end = float(_END_DAY * unit)
    value = max(float(_FIRST_DAY * unit), min(date, end - max(1.0, end * 2.0**-52)))
    if time is None:
        return _day_text(value)
    seconds = math.floor(value / scale)
    days = seconds // 86_400
    of_day = seconds - days * 86_400
    clock = f"{of_day // 3600:02d}:{of_day % 3600 // 60:02d}" + (f":{of_day % 60:02d}" if time["seconds"] else "")
    fraction = ""
    if time["digits"] > 0:
        fraction = f".{math.floor(value - seconds * scale + 0.5):0{time['digits']}d}"
    return f"{_day_text(days)}{time['separator']}{clock}{fraction}{time['zone']}"


def date_step(time: dict[str, Any] | None) -> int:
    """A day, a minute where no seconds are written, else the least fraction of a second that is."""
    return 1 if time is None or time["seconds"] else 60


def _day_text(days: float) -> str:
    return datetime.date.fromordinal(math.floor(days) + _EPOCH).isoformat()
