"""Rows in memory as the file that training reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from .arrow_file import write_arrow
from .bit_rows import is_sparse
from .column_type import WHOLE
from .frames import Frame, frame_of, plain_column
from .rows_given import array_of


def write_rows(rows: Any, folder: Path, name: str) -> Path:
    """Numbers of an array as .npy, a sparse matrix as .npz, all else as an Arrow stream."""
    if is_sparse(rows):
        from scipy import sparse

        path = folder / f"{name}.npz"
        sparse.save_npz(path, rows.tocsr())
        return path
    frame = frame_of(rows)
    if frame is None:
        array = array_of(rows, "(rows, columns)", "Reshape it.")
        if array.dtype.kind in "biuf":
            path = folder / f"{name}.npy"
            np.save(
                path, array if array.dtype.itemsize <= 8 and array.dtype != np.float16 else array.astype(np.float64)
            )
            return path
        frame = frame_of_array(array)
    path = folder / f"{name}.arrow"
    kinds = [WHOLE if own.detail == WHOLE else own.kind for own in frame.types]
    write_arrow(path, frame.names, frame.columns, kinds)
    return path


#: Units of moments that Python's own have not.
_FINER_THAN_PYTHON = ("ns", "ps", "fs", "as")


def frame_of_array(array: Any) -> Frame:
    """The columns of an array of objects, called by their numbers from 1 as columns without names are everywhere."""
    names = [f"column {at + 1}" for at in range(array.shape[1])]
    is_too_fine = array.dtype.kind in "Mm" and np.datetime_data(array.dtype)[0] in _FINER_THAN_PYTHON
    # they would be whole numbers
    cells = array.astype(f"{array.dtype.kind}8[us]") if is_too_fine else array
    read = [plain_column(column.tolist(), name) for column, name in zip(cells.T, names, strict=True)]
    return Frame("array", names, [column for column, _ in read], [kind for _, kind in read], array)


def kinds_of(frame: Frame) -> dict[str, str]:
    """What the types of a frame say of its columns: labels are categories, even of numbers."""
    kinds = {}
    for name, column, own in zip(frame.names, frame.columns, frame.types, strict=True):
        if own.kind == "label" and len({cell for cell in column if cell is not None}) > 2:
            kinds[name] = "categorical"
    return kinds
