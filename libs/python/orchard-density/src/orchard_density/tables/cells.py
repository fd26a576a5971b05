"""The cells of a column as codes: numbers, text, dates, times and truth values as a DataFrame or an array has them."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import RowsError, RowsWarning
from ..labels import is_missing, label_of, shown
from ..moment_words import duration_of_seconds, moment_from_text
from ..names_of_numbers import MISSING_MARKS, is_mark_among_numbers, stand_for_numbers
from ..number_words import GREATEST_NUMBER, all_bounded, bounded, number_from_text
from ..remarks import warn_caller
from ..whole_number import is_of_whole_numbers
from ..written_day import is_of_months
from ..written_number import number_written
from .variable import Variable

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Truth values in the words of databases and of spreadsheets.
_TRUTHS = frozenset(
    (
        *("true", "false", "t", "f", "yes", "no", "wahr", "falsch"),
        *("vrai", "faux", "verdadero", "falso", "vero", "verdadeiro", "waar", "onwaar"),
        *("sant", "falskt", "sand", "falsk", "sann", "usann", "prawda", "fałsz", "pravda", "nepravda"),
    )
)
#: The code of what is not known.
UNKNOWN = -1
#: A single cell is a mistake or another value, and says nothing of how a column is written.
_LEAST_OF_A_FORM = 2
#: So many cells without one label of the model, and so many distinct ones, are no new value but another form.
_LEAST_CELLS = 10
_LEAST_LABELS = 2


@dataclass(frozen=True)
class Cells:
    """Of each row: the code, UNKNOWN where it is not known, and the number that an ordered value is."""

    codes: Integers
    values: Floats


def encode(variable: Variable, column: Any, missing_are_values: bool, may_be_new: bool = False) -> Cells:
    """
    column: a one-dimensional array.
    may_be_new: whether a column of labels may have none but such as training never had.
    missing_are_values: whether a missing value is a value, where training had some; it is unknown otherwise.
    """
    array = np.asarray(column)
    if variable.is_ordered and array.dtype.kind in "biuf" and variable.format["type"] == "number":
        values = array.astype(np.float64)
        missing = np.isnan(values)
        values = all_bounded(values)
    elif variable.is_ordered and array.dtype.kind == "M" and variable.format["type"] == "date":
        missing = np.isnat(array)
        values = dates_of(array, variable.format)
    elif variable.is_ordered and array.dtype.kind in "iuf" and variable.format["type"] == "duration":
        # frames have durations as seconds
        missing = np.isnan(array)
        values = np.floor(array.astype(np.float64) * 10 ** variable.format["digits"] + 0.5)
    else:
        return _encode_distinct(variable, array, missing_are_values, may_be_new)
    values[np.abs(values) > GREATEST_NUMBER] = np.nan
    is_value = np.isfinite(values)
    misfits = np.flatnonzero(~missing & ~is_value)
    if len(misfits) > 0:
        _say_misfits(variable, array, misfits.tolist())
    values[~is_value] = np.nan
    codes = np.full(len(values), _missing(variable, missing_are_values), np.int64)
    codes[is_value] = _codes_of_numbers(variable, values[is_value])
    return Cells(codes, values)


def is_read_as_it_stands(variable: Variable, column: Any) -> bool:
    """
    Whether each cell is a value of the variable's own form, or missing. Another cell may be the same value in another
    form, as `$86.91` for 86.91 and `TRUE` for `True`: the command line finds that out.
    """
    array = np.asarray(column)
    if _is_in_per_cents(variable) and _has_bare_numbers(array):
        return False
    if variable.is_ordered and array.dtype.kind == "M" and variable.format["type"] == "date":
        return bool((np.isnan(dates_of(array, variable.format)) == np.isnat(array)).all())
    if variable.is_ordered and array.dtype.kind in "biuf" and variable.format["type"] in ("number", "duration"):
        return True
    encoder = _Encoder(variable)
    labels = set(variable.labels)
    for cell in set(array.tolist() if array.dtype.kind in "biuf" else array.astype(object)):
        if is_missing(cell) or is_mark(variable, cell):
            continue
        if variable.is_ordered:
            if math.isnan(encoder.code(cell)[1]):
                return False
        elif label_of(cell) not in labels and _may_be_a_label(label_of(cell)):
            return False
    return True


def is_mark(variable: Variable, cell: Any) -> bool:
    """Whether a text is a missing value, as it is in a CSV."""
    if variable.is_ordered:
        return is_mark_among_numbers(cell)
    return isinstance(cell, str) and cell in MISSING_MARKS and cell not in variable.labels


def _is_in_per_cents(variable: Variable) -> bool:
    return variable.is_ordered and variable.format.get("written", {}).get("suffix", "").strip() in ("%", "‰")


def _has_bare_numbers(array: NDArray[Any]) -> bool:
    """Whether some cells are numbers without a sign: 0.23 may be 23 %."""
    if array.dtype.kind in "biuf":
        return True
    return any(not is_missing(cell) and not str(cell).rstrip().endswith(("%", "‰")) for cell in array)


def _may_be_a_label(text: str) -> bool:
    """Whether a text that is no label may be one in another form: truth values, numbers and moments may, words do not."""
    return text.casefold() in _TRUTHS or any(character.isdigit() for character in text)


def _missing(variable: Variable, missing_are_values: bool) -> int:
    return UNKNOWN if variable.hole_code is None or not missing_are_values else variable.hole_code


def _encode_distinct(variable: Variable, array: NDArray[Any], missing_are_values: bool, may_be_new: bool) -> Cells:
    """Cell by cell, what repeats looked at once."""
    cells = array.tolist() if array.dtype.kind in "biuf" else list(array.astype(object))
    encoder = _Encoder(variable)
    missing = _missing(variable, missing_are_values)
    known: dict[Any, tuple[int, float]] = {}
    codes = np.empty(len(cells), np.int64)
    values = np.full(len(cells), np.nan)
    misfits: list[int] = []
    marked: list[int] = []
    new: list[int] = []
    for row, cell in enumerate(cells):
        if is_missing(cell) or is_mark(variable, cell):
            codes[row] = missing
            if not variable.is_ordered and not is_missing(cell):
                marked.append(row)
            continue
        # True == 1 == 1.0, whose labels differ
        key = (type(cell), cell)
        found = known.get(key)
        if found is None:
            code, value = encoder.code(cell)
            # a third label of a binary variable of an older file: there is no code for it
            without = missing if variable.is_ordered else UNKNOWN
            found = known[key] = (without if code is None else code, value)
        codes[row], values[row] = found
        if variable.is_ordered and math.isnan(found[1]):
            misfits.append(row)
        if not variable.is_ordered and not 0 <= found[0] < len(variable.labels):
            new.append(row)
    if misfits:
        _say_misfits(variable, cells, misfits)
    if marked:
        warn_of_marks(variable, cells, marked)
    if not variable.is_ordered and not may_be_new:
        _require_labels(variable, [cell for _, cell in known], codes)
        if new and tells_new_labels(variable):
            warn_of_new_labels(variable, len(new), f", as {shown(cells[new[0]])} in row {new[0]}")
    return Cells(codes, values)


def warn_of_marks(variable: Variable, cells: Sequence[Any] | NDArray[Any], marked: list[int]) -> None:
    """Texts that mark missing values among labels may as well be labels: which they are not is said."""
    counts = "1 cell counts" if len(marked) == 1 else f"{len(marked)} cells count"
    warn_caller(
        f"{counts} as missing in the column {variable.name!r}, as {shown(cells[marked[0]])} in row {marked[0]}, which is not a "
        "label of the training rows",
        RowsWarning,
    )


def tells_new_labels(variable: Variable) -> bool:
    """Whether a label that is none of the model's is new: rare ones of the training rows are not listed."""
    return not variable.is_ordered and not variable.others


def warn_of_new_labels(variable: Variable, count: int, example: str = "") -> None:
    """What the command line notes of them: to the model all of them are one label."""
    are = "1 cell is a label" if count == 1 else f"{count} cells are labels"
    warn_caller(f"{are} that training never saw in the column {variable.name!r}{example}", RowsWarning)


def _say_misfits(variable: Variable, cells: Sequence[Any] | NDArray[Any], misfits: list[int]) -> None:
    """
    Cells that are not values of their column count as missing, as everywhere in Orchard, and are never filled in.

    Raises RowsError where several are, and more than half of the column: its cells are written in another form.
    """
    first = misfits[0]
    values = sum(not is_missing(cell) and not is_mark_among_numbers(cell) for cell in cells)
    if len(misfits) >= _LEAST_OF_A_FORM and 2 * len(misfits) > values:
        raise _no_such_value(variable, cells[first], first)
    are = "cell that does" if len(misfits) == 1 else "cells that do"
    warn_caller(
        f"{len(misfits)} {are} not fit the column {variable.name!r}, counted as missing: {shown(cells[first])} in row {first}",
        RowsWarning,
    )


def _require_labels(variable: Variable, distinct: Sequence[Any], codes: Integers) -> None:
    """
    Labels that training never had are "(other)": a new shop. Where a column has none but such, as `M`, `F` for `male`, `female`, it is written
    otherwise.

    Raises RowsError where several rows have labels, and none of them is one of the training rows.
    """
    if (variable.others or 0) > 0 or len(distinct) < _LEAST_LABELS:
        return
    there = codes[(codes != UNKNOWN) & (codes != _missing(variable, True))]
    if len(there) < _LEAST_CELLS or (there < len(variable.labels)).any():
        return
    first, second = (shown(cell) for cell in distinct[:2])
    own = ", ".join(map(repr, variable.labels[:3])) + (", …" if len(variable.labels) > 3 else "")
    raise RowsError(
        f"{first} and {second} (none of {len(there)} cells is a label of the training rows)",
        f"labels as in the training rows: {own}",
        f"Write the cells as the training rows do, or, if they are new labels, say so: model.kinds = {{{variable.name!r}: 'categorical'}} "
        "(model_.kinds of an estimator).",
        f"X, column {variable.name!r}",
    )


class _Encoder:
    """The code of a single cell."""

    def __init__(self, variable: Variable) -> None:
        self._variable = variable
        self._labels = {label: code for code, label in enumerate(variable.labels)}
        # the same number spelled otherwise: 1 for 1.0; the first label counts
        self._numbers: dict[float, int] = {}
        for code, label in enumerate(variable.labels if stand_for_numbers(variable.labels) else []):
            number = number_from_text(label)
            if not math.isnan(number):
                self._numbers.setdefault(number, code)

    def code(self, cell: Any) -> tuple[int | None, float]:
        variable = self._variable
        if variable.is_ordered:
            value = self._value(cell)
            if math.isnan(value):
                return None, value
            return int(_codes_of_numbers(variable, np.array([value]))[0]), value
        text = label_of(cell)
        code = self._labels.get(text)
        if code is None:
            number = number_from_text(text) if isinstance(cell, str) else _float(cell)
            code = self._numbers.get(number)
        return (variable.other_code if code is None else code), math.nan

    def _value(self, cell: Any) -> float:
        if self._variable.is_of_moments:
            if isinstance(cell, str):
                return moment_from_text(cell, self._variable.format)
            if is_of_whole_numbers(self._variable.format) and not hasattr(cell, "isoformat"):
                number = _float(cell)
                return moment_from_text(str(int(number)), self._variable.format) if number.is_integer() else math.nan
            if self._variable.format["type"] == "duration":
                seconds = cell.total_seconds() if isinstance(cell, datetime.timedelta) else _float(cell)
                return duration_of_seconds(seconds, self._variable.format)
            if self._variable.format["type"] == "time":
                # one of another zone is none of the column's
                is_time = isinstance(cell, datetime.time) and cell.tzinfo is None
                return moment_from_text(cell.isoformat(), self._variable.format) if is_time else math.nan
            moment = np.array([cell], "M8[us]") if hasattr(cell, "isoformat") else None
            return math.nan if moment is None else float(dates_of(moment, self._variable.format)[0])
        if isinstance(cell, str):
            written = self._variable.format.get("written")
            return number_from_text(cell) if written is None else number_written(cell, written)
        return bounded(_float(cell))


def _float(cell: Any) -> float:
    try:
        return float(cell)
    except (TypeError, ValueError):
        return math.nan


def _codes_of_numbers(variable: Variable, values: Floats) -> Integers:
    if variable.is_density:
        codes = np.searchsorted(variable.edges, values, side="right").astype(np.int64)
        for at, atom in enumerate(variable.atoms):
            codes[values == atom] = len(variable.values) + at
        return codes
    known = np.array(variable.values, np.float64)
    order = np.argsort(known)
    place = np.minimum(np.searchsorted(known[order], values), len(known) - 1)
    code = order[place]
    if variable.beyond is not None:
        # a number that training never had is read as the nearest that it had
        return np.where(known[code] == values, code, np.searchsorted(variable.edges, values, side="right"))
    assert variable.other_code is not None
    return np.where(known[code] == values, code, variable.other_code)


def dates_of(moments: NDArray[Any], date: dict[str, Any]) -> Floats:
    """
    NaN where missing; else days, months, or 10^-digits seconds, since 1970. Midnight is the day, and the first day of a
    month the month: a later moment is neither, and NaN.
    """
    time: dict[str, Any] | None = date["time"]
    if time is None:
        unit = "M8[M]" if is_of_months(date) else "M8[D]"
        whole = moments.astype(unit)
        values = whole.astype(np.int64).astype(np.float64)
        values[whole.astype("M8[us]") != moments.astype("M8[us]")] = np.nan
    else:
        microseconds = moments.astype("M8[us]").astype(np.int64)
        values = (microseconds // 10 ** (6 - time["digits"])).astype(np.float64)
    values[np.isnat(moments)] = np.nan
    return values


def _no_such_value(variable: Variable, cell: Any, row: int) -> RowsError:
    expected = {
        "number": "a number",
        "date": "a date in the format of the training rows",
        "time": "a time of day in the format of the training rows",
        "duration": "a duration",
    }[variable.format["type"]]
    return RowsError(
        shown(cell), expected, "Correct the cell, or leave it empty.", f"X, row {row}, column {variable.name!r}"
    )
