"""Texts that are numbers and may be names, and marks of missing values among numbers: the rules of Orchard's `libs/core/dataset`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any

from .number_words import number_from_text

#: What marks a missing value in a text file, unless it is a label of its column.
MISSING_MARKS = frozenset(("", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "null", "NULL", "None"))
_MARKS_AMONG_NUMBERS = MISSING_MARKS | frozenset(
    (
        *("\\N", "N.A.", "N.A", "n.a.", "n.a", "na", "Na", "N/a", "none", "NONE", "Null", "nil", "NIL", "(null)", "NAN"),
        *("#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!"),
        *("1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN", "-nan"),
        *("inf", "-inf", "+inf", "Inf", "-Inf", "INF", "-INF", "1.#INF", "-1.#INF"),
        *("Infinity", "-Infinity", "+Infinity", "\u221e", "-\u221e"),
        *("-", "--", "---", "\u2013", "\u2014", "\u2212", ".", "..", "...", "\u2026", "*", "**", "-.-", "/"),
    )
)
# as wells of a plate are called: 1E5
_EXPONENT = re.compile(r"[0-9]+[eE][0-9]+")
# of spaces that are not those of a keyboard, as web pages have them
_LONGEST_BLANK = 9


def is_mark_among_numbers(cell: Any) -> bool:
    """Whether a cell marks a missing value where numbers, dates or times are."""
    if not isinstance(cell, str):
        return False
    return cell in _MARKS_AMONG_NUMBERS or (len(cell) <= _LONGEST_BLANK and cell.isspace())


def stand_for_numbers(labels: Iterable[str]) -> bool:
    """Whether labels that are numbers stand for them, however these are spelled: not where two are one number, as 1.1 and 1.10."""
    texts = list(dict.fromkeys(labels))
    numbers = [number for number in map(number_from_text, texts) if not math.isnan(number)]
    are_names = len(texts) > 0 and all(_EXPONENT.fullmatch(text) for text in texts)
    return len(set(numbers)) == len(numbers) and not are_names
