"""Dates and times of day as files write them, and back: the rules of Orchard's `libs/core/dataset`."""

from __future__ import annotations

import math
import re
from typing import Any

from .number_words import date_from_text, date_step, write_date

_TIME = re.compile(r"(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?", re.ASCII)
_SECONDS_OF_A_DAY = 86_400


def moment_from_text(text: str, moment: dict[str, Any]) -> float:
    """The number that a text is in a column of that format of dates or of times of day, NaN where it is none."""
    return _time_from_text(text, moment["digits"]) if moment["type"] == "time" else date_from_text(text, moment["time"])


def write_moment(value: float, moment: dict[str, Any]) -> str:
    """As files write it."""
    return _write_time(value, moment) if moment["type"] == "time" else write_date(value, moment["time"])


def moment_step(moment: dict[str, Any]) -> int:
    """A day, a minute where no seconds are written, else the least fraction of a second that is."""
    return date_step(moment if moment["type"] == "time" else moment["time"])


def _time_from_text(text: str, digits: int) -> float:
    match = _TIME.fullmatch(text)
    if match is None:
        return math.nan
    hours, minutes, seconds = (int(part or 0) for part in match.groups()[:3])
    if hours > 23 or minutes > 59 or seconds > 59:
        return math.nan
    scale = 10**digits
    value = (hours * 3600 + minutes * 60 + seconds) * scale + math.floor(float(f"0.{match[4] or '0'}") * scale + 0.5)
    # more digits than the column has must not round to the next day
    return float(min(value, _SECONDS_OF_A_DAY * scale - 1))


def _write_time(time: float, moment: dict[str, Any]) -> str:
    """What lies beyond the day as its first or last moment."""
    digits = moment["digits"]
    scale = 10**digits
    value = max(0, min(math.floor(time), _SECONDS_OF_A_DAY * scale - 1))
    whole, rest = divmod(value, scale)
    clock = f"{whole // 3600:02d}:{whole % 3600 // 60:02d}" + (f":{whole % 60:02d}" if moment["seconds"] else "")
    return f"{clock}.{rest:0{digits}d}" if digits > 0 else clock
