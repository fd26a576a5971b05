"""Days that are not written as 2025-04-03 but as 03/04/2025, 3.4.2025, 3 Apr 2025: the rules of Orchard's `libs/core/dataset`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from .whole_number import digits_of, written_whole

# Python's own depend on the language of the machine
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_PLACES = {
    cased: place + 1
    for place, month in enumerate(_MONTHS)
    for name in (month, month[:3])
    for cased in (name, name.upper(), name.lower())
}


def is_of_months(date: Mapping[str, Any]) -> bool:
    """Whether dates of a format have no day: they are months."""
    return "written" in date and "d" not in date["written"]["order"]


def iso_of_written(text: str, written: Mapping[str, Any]) -> str | None:
    """
    The day of a text as 2025-04-03, with what follows it, the first of its month where it is a month; None where it is
    not written so. Zeros before days and months do not count, nor do capitals.
    """
    if "whole" in written:
        return _iso_of_whole(text, written["order"])
    is_short = "shortYear" in written
    match = _pattern(written["order"], written["separator"], written["month"] == "number", is_short).match(text)
    if match is None:
        return None
    month = int(match["m"]) if match["m"].isdigit() else _PLACES.get(match["m"], 0)
    parts = match.groupdict()
    day = int(parts.get("d", "1"))
    if not 1 <= month <= 12 or day > 31:
        return None
    year = parts["y"] if not is_short else ("20" if parts["y"] < "69" else "19") + parts["y"]
    return f"{year}-{month:02d}-{day:02d}{text[match.end() :]}"


def _iso_of_whole(text: str, order: str) -> str | None:
    digits = digits_of(text, 6 if order == "ym" else 8)
    return None if digits is None else f"{digits[:4]}-{digits[4:6]}-{digits[6:] or '01'}"


@cache
def _pattern(order: str, separator: str, is_number: bool, is_short: bool) -> re.Pattern[str]:
    has_two_digits = "d" not in order or (is_short and separator == "-")
    month = ("[0-9]{2}" if has_two_digits else "[0-9]{1,2}") if is_number else "[A-Za-z]{3,9}"
    day_digits = "{2}" if has_two_digits and is_number else "{1,2}"
    parts = {"d": f"(?P<d>[0-9]{day_digits})", "m": f"(?P<m>{month})", "y": f"(?P<y>[0-9]{{{2 if is_short else 4}}})"}
    comma = order == "mdy" and not is_number
    day = (
        f"{parts['m']} {parts['d']}, {parts['y']}" if comma else re.escape(separator).join(parts[one] for one in order)
    )
    return re.compile(day + (r"(?=\Z|[T ])" if "d" in order else r"\Z"))


def written_day(iso: str, written: Mapping[str, Any]) -> str:
    """The text of a date, as 2025-04-03 and perhaps a time behind it, in the form of its column."""
    year, number, day, rest = iso[2 if "shortYear" in written else 0 : 4], iso[5:7], iso[8:10], iso[10:]
    separator, order, kind = written["separator"], written["order"], written["month"]
    day = day if written["padded"] else str(int(day))
    if kind == "number":
        month = number if written["padded"] else str(int(number))
    else:
        name = _MONTHS[int(number) - 1]
        month = _CASES[written.get("letters", "")](name[:3] if kind == "short" else name)
        if order == "mdy":
            return f"{month} {day}, {year}{rest}"
    parts = {"d": day, "m": month, "y": year}
    text = separator.join(parts[part] for part in order) + rest
    return written_whole(text, True, written["whole"]) if "whole" in written else text


_CASES: Mapping[str, Callable[[str], str]] = {"": str, "upper": str.upper, "lower": str.lower}
