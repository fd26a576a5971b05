"""What people give as rows and cells, where it is neither a DataFrame nor a sparse matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import RowsError


def as_array(rows: Any) -> NDArray[Any]:
    """What NumPy makes of rows, but that holes beside text stay holes: it would call them "nan"."""
    try:
        values = np.asarray(rows)
    except ValueError:
        raise RowsError(
            "rows of different lengths", "as many values in each", "Give every row all columns.", "X"
        ) from None
    return values if values.dtype.kind not in "US" or isinstance(rows, np.ndarray) else np.array(rows, dtype=object)


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
            "Give rows: a DataFrame, an array, a sparse matrix, or a list of lists.",
            "X",
        )
    if values.ndim != 2:
        raise RowsError(f"an array of shape {values.shape}", expected, remedy, "X")
    return values


def is_hole(cell: Any) -> bool:
    """Nothing, no number, no time, or an empty text."""
    # pandas.NA is neither equal to itself nor not
    return cell is None or type(cell).__name__ in ("NAType", "NaTType") or cell != cell or cell == ""


def shown(cell: Any) -> str:
    """A cell in a message: without the types that NumPy has of its own."""
    return repr(cell.item() if isinstance(cell, np.generic) else cell)
