"""Days that are not written as 2025-04-03 but as 03/04/2025, 3.4.2025, 3 Apr 2025: the rules of Orchard's `libs/core/dataset`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

# Python's own depend on the language of the machine
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_PLACES = {name: place + 1 for place, month in enumerate(_MONTHS) for name in (month, month[:3])}


def iso_of_written(text: str, written: Mapping[str, Any]) -> str | None:
    """The day of a text as 2025-04-03, with what follows it; None where it is not written so. Zeros before days and months do not count."""
    is_short = "shortYear" in written
    match = _pattern(written["order"], written["separator"], written["month"] == "number", is_short).match(text)
    if match is None:
        return None
    month = int(match["m"]) if match["m"].isdigit() else _PLACES.get(match["m"], 0)
    if not 1 <= month <= 12 or int(match["d"]) > 31:
        return None
    year = match["y"] if not is_short else ("20" if match["y"] < "69" else "19") + match["y"]
    return f"{year}-{month:02d}-{int(match['d']):02d}{text[match.end() :]}"


@cache
def _pattern(order: str, separator: str, is_number: bool, is_short: bool) -> re.Pattern[str]:
    month = "[0-9]{1,2}" if is_number else "[A-Za-z]{3,9}"
    parts = {"d": "(?P<d>[0-9]{1,2})", "m": f"(?P<m>{month})", "y": f"(?P<y>[0-9]{{{2 if is_short else 4}}})"}
    comma = order == "mdy" and not is_number
    day = (
        f"{parts['m']} {parts['d']}, {parts['y']}" if comma else re.escape(separator).join(parts[one] for one in order)
    )
    return re.compile(day + r"(?=\Z|[T ])")


def written_day(iso: str, written: Mapping[str, Any]) -> str:
    """The text of a date, as 2025-04-03 and perhaps a time behind it, in the form of its column."""
    year, number, day, rest = iso[2 if "shortYear" in written else 0 : 4], iso[5:7], iso[8:10], iso[10:]
    separator, order = written["separator"], written["order"]
    day = day if written["padded"] else str(int(day))
    if written["month"] == "number":
        parts = {"d": day, "m": number if written["padded"] else str(int(number)), "y": year}
        return separator.join(parts[part] for part in order) + rest
    month = _MONTHS[int(number) - 1]
    word = month[:3] if written["month"] == "short" else month
    return (f"{word} {day}, {year}" if order == "mdy" else separator.join([day, word, year])) + rest
