"""Dates, times of day and durations as files write them, and back: the rules of Orchard's `libs/core/dataset`."""

from __future__ import annotations

import math
import re
from typing import Any

from .date_words import date_from_text, date_step, write_date
from .written_clock import plain_clock, written_clock
from .written_fraction import FRACTION, units_of_fraction, written_fraction

_TIME = re.compile(rf"(\d\d):(\d\d)(?::(\d\d)(?:{FRACTION})?)?", re.ASCII)
_SECONDS_OF_A_DAY = 86_400
#: As pandas writes durations: "1 days 02:30:00", "-1 days +23:59:30".
_DURATION = re.compile(r"(-?\d{1,9}) days? \+?([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?", re.ASCII)
#: The same without days, which may be more than 23 hours.
_CLOCK = re.compile(r"(-?)(\d{1,9}):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?", re.ASCII)
#: Without seconds.
_SHORT_CLOCK = re.compile(r"(-?)(\d{1,9}):([0-5]\d)()()", re.ASCII)


def moment_from_text(text: str, moment: dict[str, Any]) -> float:
    """The number that a text is in a column of that format, not one of numbers; NaN where it is none."""
    if moment["type"] == "duration":
        return _duration_from_text(text, moment)
    return _time_from_text(text, moment) if moment["type"] == "time" else date_from_text(text, moment)


def write_moment(value: float, moment: dict[str, Any]) -> str:
    """As files write it."""
    if moment["type"] == "duration":
        return _write_duration(value, moment)
    return _write_time(value, moment) if moment["type"] == "time" else write_date(value, moment)


def moment_step(moment: dict[str, Any]) -> int:
    """A day, a minute where no seconds are written, else the least fraction of a second that is."""
    if moment["type"] == "duration":
        return date_step(moment.get("clock"))
    return date_step(moment if moment["type"] == "time" else moment["time"])


def _time_from_text(text: str, moment: dict[str, Any]) -> float:
    digits = moment["digits"]
    plain = plain_clock(text, moment["clock"]) if "clock" in moment else text
    match = None if plain is None else _TIME.fullmatch(plain)
    if match is None:
        return math.nan
    hours, minutes, seconds = (int(part or 0) for part in match.groups()[:3])
    if hours > 23 or minutes > 59 or seconds > 59:
        return math.nan
    scale = 10**digits
    value = (hours * 3600 + minutes * 60 + seconds) * scale + units_of_fraction(match[4], digits)
    # more digits than the column has must not round to the next day
    return float(min(value, _SECONDS_OF_A_DAY * scale - 1))


def _write_time(time: float, moment: dict[str, Any]) -> str:
    """What lies beyond the day as its first or last moment."""
    digits = moment["digits"]
    scale = 10**digits
    value = max(0, min(math.floor(time), _SECONDS_OF_A_DAY * scale - 1))
    whole, rest = divmod(value, scale)
    clock = f"{whole // 3600:02d}:{whole % 3600 // 60:02d}" + (f":{whole % 60:02d}" if moment["seconds"] else "")
    plain = clock + written_fraction(rest, moment)
    return written_clock(plain, moment["clock"]) if "clock" in moment else plain


def duration_of_seconds(seconds: float, moment: dict[str, Any]) -> float:
    """A duration in units of its format, 10^-digits seconds."""
    return math.floor(seconds * 10 ** moment["digits"] + 0.5) if math.isfinite(seconds) else math.nan


def _duration_from_text(text: str, moment: dict[str, Any]) -> float:
    digits = moment["digits"]
    has_seconds = moment.get("clock", {}).get("seconds", True)
    with_days = _DURATION.fullmatch(text)
    match = with_days or (_CLOCK if has_seconds else _SHORT_CLOCK).fullmatch(text)
    if match is None:
        return math.nan
    first, *clock = match.groups()[:4]
    hours, minutes, seconds = (int(part or 0) for part in clock)
    scale = 10**digits
    parts = math.floor(float(f"0.{match[5] or '0'}") * scale + 0.5)
    value = (hours * 3600 + minutes * 60 + seconds) * scale + parts
    if with_days is None:
        return float(-value if first == "-" else value)
    return float(int(first) * _SECONDS_OF_A_DAY * scale + value)


def _write_duration(duration: float, moment: dict[str, Any]) -> str:
    """On a clock that goes on beyond 24 hours, or as pandas does: of a negative one the days are below it, and the time of day is added."""
    digits = moment["digits"]
    if "clock" in moment:
        return _on_clock(math.floor(duration), digits, moment["clock"])
    whole, rest = divmod(math.floor(duration), 10**digits)
    days, clock = divmod(whole, _SECONDS_OF_A_DAY)
    sign = "+" if days < 0 else ""
    text = f"{days} days {sign}{clock // 3600:02d}:{clock % 3600 // 60:02d}:{clock % 60:02d}"
    return f"{text}.{rest:0{digits}d}" if digits > 0 else text


def _on_clock(duration: int, digits: int, clock: dict[str, Any]) -> str:
    whole, rest = divmod(abs(duration), 10**digits)
    hours = f"{whole // 3600:02d}" if clock["padded"] else str(whole // 3600)
    seconds = f":{whole % 60:02d}" if clock["seconds"] else ""
    fraction = f".{rest:0{digits}d}" if digits > 0 else ""
    return f"{'-' if duration < 0 else ''}{hours}:{whole % 3600 // 60:02d}{seconds}{fraction}"
