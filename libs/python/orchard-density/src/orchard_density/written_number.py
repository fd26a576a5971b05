"""Numbers that are more than digits and a point, as `$1,046.75`, `1.046,75 €`, `4.8%`: the rules of Orchard's `libs/core/dataset`."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from typing import Any

from .number_words import EXACT, MOST_DECIMALS, bounded, with_plain_minus

# as 00501, a name, and 0.500, which has no thousands
_LEADING_ZERO = re.compile(r"0.")
_LONGEST = 40
#: From here on JavaScript writes an exponent.
_MOST_DIGITS = 1e21


def number_written(text: str, written: Mapping[str, Any]) -> float:
    """The number that a text of a column is whose numbers are written so, with or without what stands around them; NaN where it is none."""
    if len(text) > _LONGEST:
        return math.nan
    text = with_plain_minus(text)
    around = (written["prefix"], written["suffix"])
    in_brackets = "bracketed" in written and text.startswith("(") and text.endswith(")")
    text = text[1:-1] if in_brackets else text
    for prefix, suffix in dict.fromkeys([around, ("", "")]):
        match = _pattern(prefix, suffix, written["thousands"], written["point"]).fullmatch(text)
        if match is None:
            continue
        sign, inner, digits, fraction = match.groups()
        signs = sign + inner + ("-" if in_brackets else "")
        if len(signs) > 1 or _LEADING_ZERO.match(digits):
            return math.nan
        plain = digits.replace(written["thousands"], "")
        return bounded(float(f"{signs}{plain}.{fraction or 0}"))
    return math.nan


@cache
def _pattern(prefix: str, suffix: str, thousands: str, point: str) -> re.Pattern[str]:
    grouped = "" if thousands == "" else rf"[0-9]{{1,3}}(?:{re.escape(thousands)}[0-9]{{3}})+|"
    end = re.escape(suffix) or r"\s?"
    return re.compile(
        rf"([-+]?){re.escape(prefix)}([-+]?)({grouped}[0-9]+)(?:{re.escape(point)}([0-9]+))?{end}",
    )


def write_number(value: float, number: Mapping[str, Any]) -> str:
    """A number as the file of its column writes it."""
    decimals = number["decimals"]
    text = _fixed(value, decimals) if number["padded"] and decimals < MOST_DECIMALS else _shortest(value, decimals)
    if re.fullmatch(r"-0(?:\.0*)?", text):
        text = text[1:]
    written = number.get("written")
    match = re.fullmatch(r"(-?)([0-9]+)(?:\.([0-9]+))?", text)
    if written is None or match is None:
        return text
    sign, digits, fraction = match.groups()
    grouped = f"{int(digits):,}".replace(",", written["thousands"])
    unsigned = (
        f"{written['prefix']}{grouped}{'' if fraction is None else written['point'] + fraction}{written['suffix']}"
    )
    return f"({unsigned})" if sign and "bracketed" in written else sign + unsigned


def _fixed(value: float, places: int) -> str:
    """JavaScript's toFixed: halves away from 0."""
    if abs(value) >= _MOST_DIGITS:
        return repr(value)
    return format(EXACT.quantize(Decimal(value), Decimal(1).scaleb(-places)), "f")


def _shortest(value: float, decimals: int) -> str:
    if value == int(value) and abs(value) < _MOST_DIGITS:
        return f"{int(value)}.0" if decimals > 0 else str(int(value))
    text = repr(float(value))
    if decimals >= MOST_DECIMALS or ("e" not in text and len(text.partition(".")[2]) <= decimals):
        return text
    return re.sub(r"(\.[0-9]+?)0+$", r"\1", _fixed(value, decimals))
