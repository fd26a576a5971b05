"""Parts of seconds that are not written as .123: the rules of Orchard's `libs/core/dataset`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

#: Behind the seconds, with its digits in a group of their own.
FRACTION = r"[.,]([0-9]{1,9})"


def units_of_fraction(written: str | None, digits: int) -> int:
    """The parts of a second, in units of 10^-digits, that so many digits behind a point are."""
    return math.floor(float(f"0.{written or '0'}") * 10**digits + 0.5)


def written_fraction(units: int, moment: Mapping[str, Any]) -> str:
    """So many parts of a second as they stand behind it."""
    if moment["digits"] == 0:
        return ""
    fraction = moment.get("fraction", {})
    sign = "," if "comma" in fraction else "."
    return f"{sign}{units:0{moment['digits']}d}{'0' * fraction.get('zeros', 0)}"
