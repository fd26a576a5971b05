"""Dates as files write them, and back: the rules of Orchard's `libs/core/dataset`."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Mapping
from typing import Any

from .written_clock import plain_clock, written_clock
from .written_day import is_of_months, iso_of_written, written_day
from .written_fraction import FRACTION, units_of_fraction, written_fraction

_OFFSET = r" ?(?:Z|UTC|GMT|[+-]\d\d(?::?\d\d)?(?: UTC)?)"
_DATE = re.compile(
    rf"(\d{{4}})-(\d\d)-(\d\d)(?:([T ])(\d\d):(\d\d)(?::(\d\d)(?:{FRACTION})?)?({_OFFSET})?)?", re.ASCII
)
#: Behind a day, as programs write midnight.
_MIDNIGHT = re.compile(
    rf"[T ](?:0?0:00(?::00(?:[.,]0{{1,9}})?)?|12:00(?::00)? ?(?:AM|am))(?:{_OFFSET})?\Z", re.ASCII
)
_SIGNED_OFFSET = re.compile(r"([+-])(\d\d):?(\d\d)?", re.ASCII)
# January of the year 100, and the month behind December 9999
_FIRST_MONTH, _END_MONTH = (100 - 1970) * 12, (10_000 - 1970) * 12
_FIRST_DAY, _END_DAY = -683_003, 2_932_897
# 1969-01-01, and the day behind 2068-12-31: what years of two digits can say
_FIRST_DAY_OF_SHORT_YEARS, _END_DAY_OF_SHORT_YEARS = -365, 36_160
_EPOCH = datetime.date(1970, 1, 1).toordinal()


def date_from_text(text: str, date: Mapping[str, Any]) -> float:
    """The number that a date is in a column of that format: days, months, or 10^-digits seconds; NaN where it is none."""
    time: Mapping[str, Any] | None = date["time"]
    if "midnight" in date:
        text = _MIDNIGHT.sub("", text)
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
        if separator is not None:
            return math.nan
        return float((int(year) - 1970) * 12 + int(month) - 1 if is_of_months(date) else days)
    zone = zone or ""
    if separator is None or (zone == "") != (time["zone"] == ""):
        return math.nan
    clock = (int(hours), int(minutes), int(seconds or 0))
    if clock[0] > 23 or clock[1] > 59 or clock[2] > 59:
        return math.nan
    scale = 10 ** time["digits"]
    whole = days * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2] - _offset_of(zone) + _offset_of(time["zone"])
    return float(whole * scale + units_of_fraction(fraction, time["digits"]))


def write_date(value: float, date: Mapping[str, Any]) -> str:
    """As files write it; what lies beyond the years 100 to 9999, or 1969 to 2068 where they have two digits, as their first or last moment."""
    time = date["time"]
    if is_of_months(date):
        return written_day(_iso_month(value), date["written"])
    if "shortYear" in date.get("written", {}):
        unit = 1 if time is None else 86_400 * 10 ** time["digits"]
        value = max(_FIRST_DAY_OF_SHORT_YEARS * unit, min(value, _END_DAY_OF_SHORT_YEARS * unit - 1))
    iso = _iso_day(value) if time is None else _iso_moment(value, time, time)
    if time is not None and "clock" in time:
        start = len("2025-04-03T")
        iso = iso[:start] + written_clock(iso[start:], time["clock"])
    day = written_day(iso, date["written"]) if "written" in date else iso
    return day + str(date.get("midnight", ""))


def iso_date(value: float, date: Mapping[str, Any]) -> str:
    """The same as ISO has it, as 2025-04-03 20:30+00:00, however its column writes it; of a month its first day."""
    time = date["time"]
    if is_of_months(date):
        return _iso_month(value)
    if time is None:
        return _iso_day(value)
    offset = _offset_of(time["zone"])
    hours, minutes = divmod(abs(offset) // 60, 60)
    zone = "" if time["zone"] == "" else f"{'-' if offset < 0 else '+'}{hours:02d}:{minutes:02d}"
    return _iso_moment(value, {**time, "zone": zone}, {"digits": time["digits"]})


def _iso_day(day: float) -> str:
    return _day_text(max(float(_FIRST_DAY), min(day, float(_END_DAY) - 1)))


def _iso_month(month: float) -> str:
    whole = max(_FIRST_MONTH, min(math.floor(month), _END_MONTH - 1))
    return f"{1970 + whole // 12:04d}-{whole % 12 + 1:02d}-01"


def _iso_moment(date: float, time: Mapping[str, Any], fraction: Mapping[str, Any]) -> str:
    """With parts of seconds as `fraction` says."""
    scale = 10 ** time["digits"]
    unit = 86_400 * scale
    end = float(_END_DAY * unit)
    value = max(float(_FIRST_DAY * unit), min(date, end - max(1.0, end * 2.0**-52)))
    seconds = math.floor(value / scale)
    days = seconds // 86_400
    of_day = seconds - days * 86_400
    clock = f"{of_day // 3600:02d}:{of_day % 3600 // 60:02d}" + (f":{of_day % 60:02d}" if time["seconds"] else "")
    parts = written_fraction(math.floor(value - seconds * scale + 0.5), fraction)
    return f"{_day_text(days)}{time['separator']}{clock}{parts}{time['zone']}"


def date_step(time: Mapping[str, Any] | None) -> int:
    """A day, a minute where no seconds are written, else the least fraction of a second that is."""
    return 1 if time is None or time["seconds"] else 60


def _day_text(days: float) -> str:
    return datetime.date.fromordinal(math.floor(days) + _EPOCH).isoformat()


def _offset_of(zone: str) -> int:
    """Seconds that a zone is ahead of UTC."""
    match = _SIGNED_OFFSET.search(zone)
    if match is None:
        return 0
    seconds = int(match[2]) * 3600 + int(match[3] or 0) * 60
    return -seconds if match[1] == "-" else seconds
