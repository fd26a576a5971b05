"""How much each row counts: `sample_weight`, checked, and as the column that training reads it from."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .bit_rows import is_sparse
from .column_type import ColumnType
from .errors import RowsError
from .frames import Frame
from .rows_given import rows_at
from .training_file import frame_of_array

_NAME = "sample_weight"
_EXPECTED = "a number from 0 for each row, and one above 0"


def checked_weights(weights: Any, rows: int) -> NDArray[np.float64]:
    """The weights of so many rows. Raises where they are no numbers from 0, all of them 0, or not one for each row."""
    try:
        given = np.asarray(weights, np.float64)
    except (TypeError, ValueError):
        raise RowsError("weights that are no numbers", _EXPECTED, "Correct them.", _NAME) from None
    if given.shape != (rows,):
        raise RowsError(
            f"weights of shape {given.shape} for {rows} rows", f"shape ({rows},)", "Give one for each row.", _NAME
        )
    wrong = np.flatnonzero(~((given >= 0) & np.isfinite(given)))
    if len(wrong) > 0:
        what = "a missing weight" if np.isnan(given[wrong[0]]) else f"the weight {given[wrong[0]]:g}"
        raise RowsError(f"{what} of row {wrong[0]}", _EXPECTED, "Correct it, or leave out the row.", _NAME)
    if not (given > 0).any():
        raise RowsError(f"weights that are zero in all {rows} rows", _EXPECTED, "Give one row at least a weight.", _NAME)
    return given


def counted_rows(rows: Any, sample_weight: Any) -> tuple[Any, NDArray[np.float64] | None, NDArray[np.int64] | None]:
    """
    Rows whose weight is not 0, as ensembles of scikit-learn leave rows out, their weights, and their places; no places where these are all.
    Weights of 1 say nothing.
    """
    if sample_weight is None:
        return rows, None, None
    given = checked_weights(sample_weight, rows.shape[0])
    places = np.flatnonzero(given > 0)
    weights = None if (given[places] == 1).all() else given[places]
    if len(places) == len(given):
        return rows, weights, None
    return rows_at(rows, places), weights, places


def mean_of(values: NDArray[np.float64], weights: NDArray[np.float64] | None) -> float:
    """The mean of values of rows; whole weights give that of repeated rows, to the bit."""
    if weights is None:
        return float(values.mean())
    if (weights == np.round(weights)).all() and weights.sum() <= 2**24:
        return float(np.repeat(values, weights.astype(np.int64)).mean())
    return float((weights * values).sum() / weights.sum())


def weighed(rows: Any, weights: NDArray[np.float64]) -> tuple[Any, str]:
    """Rows with a column of their weights, and its name."""
    if is_sparse(rows):
        raise RowsError("sparse rows with weights", "a frame or an array", "Give rows.toarray().", _NAME)
    if not isinstance(rows, Frame):
        array = np.asarray(rows)
        if array.dtype.kind in "biuf":
            return np.column_stack([array.astype(np.float64), weights]), f"column {array.shape[1] + 1}"
        rows = frame_of_array(array)
    name = _NAME
    while name in rows.names:
        name += "_"
    kind = ColumnType("number")
    return Frame(rows.kind, [*rows.names, name], [*rows.columns, weights], [*rows.types, kind], None), name
