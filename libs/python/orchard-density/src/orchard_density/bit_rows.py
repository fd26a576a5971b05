"""Rows of 0 and 1 as people have them: a DataFrame, an array, a sparse matrix; to be put in a model's order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import RowsError
from .rows_given import array_of, is_hole, shown

#: What stands for a value that is not known.
UNKNOWN = 2


def is_frame(rows: Any) -> bool:
    """Whether it has named columns, as a DataFrame of pandas."""
    return hasattr(rows, "columns") and hasattr(rows, "iloc")


def is_sparse(rows: Any) -> bool:
    return hasattr(rows, "tocsr") and hasattr(rows, "nnz")


def columns_of_frame(frame: Any, names: Sequence[str], ignored: Sequence[str] = ()) -> list[int]:
    """The place in the frame of each column of the model; others are refused but for the ignored ones."""
    given = [str(name) for name in frame.columns]
    twice = sorted({name for name in given if given.count(name) > 1})
    if twice:
        raise RowsError(
            f"{len(twice)} names twice ({_listed(twice)})", "columns of different names", "Rename them.", "X"
        )
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
    if is_frame(rows):
        if names is not None:
            rows = rows.iloc[:, columns_of_frame(rows, names)]
        values = rows.to_numpy()
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
            number, hole = values, np.isnan(values)
        else:
            hole = np.array([[is_hole(value) for value in row] for row in values], bool).reshape(values.shape)
            number = np.array([[_number(value) for value in row] for row in values]).reshape(values.shape)
        bits = (number == 1).astype(np.uint8)
        bits[hole] = UNKNOWN
        refused = (number != 0) & (number != 1) & ~hole
        if not may_be_unknown and hole.any():
            row, column = np.argwhere(hole)[0]
            raise RowsError("a hole", "0 or 1", "complete(X) fills holes.", f"X, row {row}, column {column}")
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
        return np.nan if is_hole(value) else -1.0


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(repr(name) for name in names[:5])
    return shown if len(names) <= 5 else f"{shown} and {len(names) - 5} more"
