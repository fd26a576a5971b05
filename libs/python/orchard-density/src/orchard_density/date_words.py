"""Dates as files write them, and back: the rules of Orchard's `libs/core/dataset`."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Mapping
from typing import Any

from .written_clock import plain_clock, written_clock
from .written_day import iso_of_written, written_day

_DATE = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:([T ])(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?(Z|[+-]\d\d:?\d\d)?)?", re.ASCII
)
_FIRST_DAY, _END_DAY = -683_003, 2_932_897
# 1969-01-01, and the day behind 2068-12-31: what years of two digits can say
_FIRST_DAY_OF_SHORT_YEARS, _END_DAY_OF_SHORT_YEARS = -365, 36_160
_EPOCH = datetime.date(1970, 1, 1).toordinal()


def date_from_text(text: str, date: Mapping[str, Any]) -> float:
    """The number that a date is in a column of that format: days, or 10^-digits seconds; NaN where it is none."""
    time: Mapping[str, Any] | None = date["time"]
    iso = iso_of_written(text, date["written"]) if "written" in date else text
    if iso is not None and time is not None and "clock" in time:
        iso = plain_clock(iso, time["clock"])
    match = None if iso is None else _DATE.fullmatch(iso)
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
    zone = zone or ""
    if separator is None or (zone == "") != (time["zone"] == ""):
        return math.nan
    clock = (int(hours), int(minutes), int(seconds or 0))
    if clock[0] > 23 or clock[1] > 59 or clock[2] > 59:
        return math.nan
    scale = 10 ** time["digits"]
    whole = days * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2] - _offset_of(zone) + _offset_of(time["zone"])
    return float(whole * scale + math.floor(float(f"0.{fraction or '0'}") * scale + 0.5))


def write_date(value: float, date: Mapping[str, Any]) -> str:
    """As files write it; what lies beyond the years 100 to 9999, or 1969 to 2068 where they have two digits, as their first or last moment."""
    time = date["time"]
    if "shortYear" in date.get("written", {}):
        unit = 1 if time is None else 86_400 * 10 ** time["digits"]
        value = max(_FIRST_DAY_OF_SHORT_YEARS * unit, min(value, _END_DAY_OF_SHORT_YEARS * unit - 1))
    iso = iso_date(value, time)
    if time is not None and "clock" in time:
        start = len("2025-04-03T")
        iso = iso[:start] + written_clock(iso[start:], time["clock"])
    return written_day(iso, date["written"]) if "written" in date else iso


def iso_date(date: float, time: Mapping[str, Any] | None) -> str:
    """The same, with day and clock as 2025-04-03 20:30, however its column writes them."""
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


def date_step(time: Mapping[str, Any] | None) -> int:
    """A day, a minute where no seconds are written, else the least fraction of a second that is."""
    return 1 if time is None or time["seconds"] else 60


def _day_text(days: float) -> str:
    return datetime.date.fromordinal(math.floor(days) + _EPOCH).isoformat()


def _offset_of(zone: str) -> int:
    """Seconds that a zone is ahead of UTC."""
    if zone in ("", "Z"):
        return 0
    seconds = int(zone[1:3]) * 3600 + int(zone[-2:]) * 60
    return -seconds if zone[0] == "-" else seconds
