"""Clocks that are not written as 08:30: the rules of Orchard's `libs/core/dataset`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .whole_number import digits_of, written_whole
from .written_fraction import FRACTION

#: A clock at the end of a text, alone or behind a day.
_CLOCK = re.compile(
    rf"(?:\A|(?<=[T ]))(?P<hours>\d{{1,2}})(?P<rest>:\d\d(?::\d\d(?:{FRACTION})?)?)(?: ?(?P<half>[AP]M|[ap]m))?\Z",
    re.ASCII,
)


def plain_clock(text: str, clock: Mapping[str, Any]) -> str | None:
    """The text with its clock as 20:30, where it is written as in its column; None otherwise."""
    if "whole" in clock:
        digits = digits_of(text, 4)
        return None if digits is None else f"{digits[:2]}:{digits[2:]}"
    match = _CLOCK.search(text)
    if match is None:
        return text
    hour, half = int(match["hours"]), match["half"]
    if (half is None) != (clock["morning"] == ""):
        return None
    if half is not None:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half in ("PM", "pm") else 0)
    return f"{text[: match.start()]}{hour:02d}{match['rest']}"


def written_clock(plain: str, clock: Mapping[str, Any]) -> str:
    """A clock, as 20:30:15, in the way of its column."""
    if "whole" in clock:
        return written_whole(plain.replace(":", ""), clock["padded"], clock["whole"])
    of_day, morning = int(plain[:2]), clock["morning"]
    hour = of_day if morning == "" else of_day % 12 or 12
    half = morning if of_day < 12 else morning.translate(_AFTERNOON)
    return (f"{hour:02d}" if clock["padded"] else str(hour)) + plain[2:] + half


_AFTERNOON = str.maketrans("Aa", "Pp")
