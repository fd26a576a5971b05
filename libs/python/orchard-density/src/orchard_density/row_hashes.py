"""Rows recognised by what is in them: which rows a model was trained on."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .bit_rows import is_sparse
from .frames import Frame
from .labels import is_missing, label_of

Hashes = NDArray[np.uint64]

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_MISSING = np.uint64(0x5851F42D4C957F2D)


def row_hashes(rows: Any) -> Hashes:
    """A number of 64 bits for each row of a Frame, an array or a sparse matrix: the same for equal cells, however they are held."""
    if isinstance(rows, Frame):
        columns = rows.columns
    else:
        array = rows.toarray() if is_sparse(rows) else np.asarray(rows)
        columns = [array[:, at] for at in range(array.shape[1])]
    hashes = np.zeros(len(columns[0]) if columns else 0, np.uint64)
    for column in columns:
        hashes = (hashes ^ _hashed(column)) * _MULTIPLIER
        hashes ^= hashes >> np.uint64(29)
    return hashes


def _hashed(column: NDArray[Any]) -> Hashes:
    if column.dtype.kind in "biuf":
        # 0.0 and -0.0 are one value, all NaN one missing value
        numbers = column.astype(np.float64) + 0.0
        return np.where(np.isnan(numbers), _MISSING, numbers.view(np.uint64))
    if column.dtype.kind == "M":
        return np.where(np.isnat(column), _MISSING, column.astype("M8[us]").view(np.uint64))
    known: dict[Any, int] = {}
    return np.array([_of_cell(cell, known) for cell in column.tolist()], np.uint64)


def _of_cell(cell: Any, known: dict[Any, int]) -> int:
    if is_missing(cell):
        return int(_MISSING)
    key = (type(cell), cell)
    found = known.get(key)
    if found is None:
        if isinstance(cell, (int, float)):
            found = int(np.float64(cell).view(np.uint64))
        else:
            found = int.from_bytes(hashlib.blake2b(label_of(cell).encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
        known[key] = found
    return found
