"""Dates and clocks that are whole numbers, as 20250403 and 930: the rules of Orchard's `libs/core/dataset`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_WHOLE = re.compile(r"([0-9]+)(?:\.0*)?")


def digits_of(text: str, count: int) -> str | None:
    """The digits of a whole number, so many with zeros before them; None where it is none, or has more."""
    match = _WHOLE.fullmatch(text)
    return None if match is None or len(match[1]) > count else match[1].rjust(count, "0")


def written_whole(digits: str, padded: bool, whole: str) -> str:
    """Digits as a column of whole numbers has them."""
    return (digits if padded else str(int(digits))) + (".0" if whole == "point" else "")


def is_of_whole_numbers(moment: Mapping[str, Any]) -> bool:
    """Whether dates or times of day are written as whole numbers."""
    return "whole" in moment.get("written", {}) or "whole" in moment.get("clock", {})
