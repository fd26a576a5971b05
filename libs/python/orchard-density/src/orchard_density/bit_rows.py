"""Rows of 0 and 1 as people have them: a frame, an array, a sparse matrix; to be put in a model's order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import RowsError
from .frames import Frame
from .labels import is_missing, shown
from .rows_given import array_of

#: What stands for a value that is not known.
UNKNOWN = 2


def is_sparse(rows: Any) -> bool:
    return hasattr(rows, "tocsr") and hasattr(rows, "nnz")


def columns_of_frame(given: Sequence[str], names: Sequence[str], ignored: Sequence[str] = ()) -> list[int]:
    """The place among the given names of each column of the model; others are refused but for the ignored ones."""
    missing = [name for name in names if name not in given]
    known = {*names, *ignored}
    unknown = [name for name in given if name not in known]
    if missing:
        also = f" (and {_listed(unknown)}, which the model does not know)" if unknown else ""
        raise RowsError(
            f"no column {_listed(missing)}{also}",
            f"the {len(names)} columns of the model",
            "Give them all, in any order: model.variables lists them.",
            "X",
        )
    if unknown:
        raise RowsError(
            f"a column that the model does not know: {_listed(unknown)}",
            f"its {len(names)} columns",
            "Leave it out: X[model.variables].",
            "X",
        )
    return [given.index(name) for name in names]


def bits_of(rows: Any, dimensions: int, names: Sequence[str] | None, may_be_unknown: bool = False) -> NDArray[np.uint8]:
    """
    Rows of a model's columns as 0 and 1, shape (rows, dimensions).

    may_be_unknown: NaN, None and pandas.NA become `UNKNOWN`; refused otherwise.
    """
    if isinstance(rows, Frame):
        places = range(len(rows.names)) if names is None else columns_of_frame(rows.names, names)
        columns = [rows.columns[place] for place in places]
        is_plain = all(column.dtype.kind in "biuf" for column in columns)
        values = np.column_stack(columns if is_plain else [column.astype(object) for column in columns])
    elif is_sparse(rows):
        values = rows.toarray()
    else:
        values = array_of(rows, f"(rows, {dimensions})", "Reshape it: X.reshape(1, -1) is one row.")
    if values.shape[1] != dimensions:
        raise RowsError(
            f"{values.shape[1]} columns",
            f"{dimensions}, as the model has",
            "Give all columns of the model, in the order of model.variables.",
            "X",
        )
    return _as_bits(values, may_be_unknown)


def _as_bits(values: NDArray[Any], may_be_unknown: bool) -> NDArray[np.uint8]:
    if values.dtype == np.bool_:
        return values.astype(np.uint8)
    if values.dtype.kind in "iu":
        bits = values.astype(np.uint8)
        refused = (values != 0) & (values != 1)
    else:
        if values.dtype.kind == "f":
            number, missing = values, np.isnan(values)
        else:
            missing = np.array([[is_missing(value) for value in row] for row in values], bool).reshape(values.shape)
            number = np.array([[_number(value) for value in row] for row in values]).reshape(values.shape)
        bits = (number == 1).astype(np.uint8)
        bits[missing] = UNKNOWN
        refused = (number != 0) & (number != 1) & ~missing
        if not may_be_unknown and missing.any():
            row, column = np.argwhere(missing)[0]
            raise RowsError(
                "a missing value", "0 or 1", "complete(X) fills missing values in.", f"X, row {row}, column {column}"
            )
    if refused.any():
        row, column = np.argwhere(refused)[0]
        raise RowsError(
            shown(values[row, column]),
            "0 or 1",
            "Make the values binary first.",
            f"X, row {row}, column {column}",
        )
    return bits


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        return np.nan if is_missing(value) else -1.0


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(repr(name) for name in names[:5])
    return shown if len(names) <= 5 else f"{shown} and {len(names) - 5} more"
