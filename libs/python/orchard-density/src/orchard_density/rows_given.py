"""What people give as rows and cells, where it is neither a frame nor a sparse matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import RowsError
from .frames import Frame


def as_array(rows: Any) -> NDArray[Any]:
    """What NumPy makes of rows, but that missing values beside text stay so: it would call them "nan". What is masked is missing."""
    if isinstance(rows, np.ma.MaskedArray):
        return _without_masks(rows)
    try:
        values = np.asarray(rows)
    except ValueError:
        raise RowsError(
            "rows of different lengths", "as many values in each", "Give every row all columns.", "X"
        ) from None
    return values if values.dtype.kind not in "US" or isinstance(rows, np.ndarray) else np.array(rows, dtype=object)


def _without_masks(rows: Any) -> NDArray[Any]:
    if not np.ma.getmaskarray(rows).any():
        return np.asarray(rows.data)
    if rows.dtype.kind in "Mm":
        return np.asarray(rows.filled(np.array("NaT", rows.dtype)))
    if rows.dtype.kind == "f":
        return np.asarray(rows.filled(np.nan))
    if rows.dtype.kind in "iu" and rows.dtype.itemsize < 8:
        return np.asarray(rows.astype(np.float64).filled(np.nan))
    values = rows.data.astype(object)
    values[np.ma.getmaskarray(rows)] = None
    return values


def array_of(rows: Any, expected: str, remedy: str) -> NDArray[Any]:
    """
    Rows as an array of two dimensions.

    expected, remedy: of the refusal of what has another shape.
    """
    values = as_array(rows)
    if values.ndim == 0:
        raise RowsError(
            f"a value of the type {type(rows).__name__}",
            expected,
            "Give rows: a frame, an array, a sparse matrix, or a list of lists.",
            "X",
        )
    if values.ndim != 2:
        raise RowsError(f"an array of shape {values.shape}", expected, remedy, "X")
    return values


def rows_at(rows: Any, places: NDArray[np.int64]) -> Any:
    """Some of the rows of a Frame, an array or a sparse matrix, by place."""
    if not isinstance(rows, Frame):
        return rows.tocsr()[places] if hasattr(rows, "tocsr") else rows[places]
    columns = [column[places] for column in rows.columns]
    return Frame(rows.kind, rows.names, columns, rows.types, None)
