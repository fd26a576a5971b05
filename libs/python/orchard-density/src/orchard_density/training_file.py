"""Rows in memory as the file that training reads."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .bit_rows import is_frame, is_sparse
from .rows_given import array_of, is_hole

#: What marks a hole beside nothing at all: what no cell says, so that "NA" and "None" are labels as any other.
_NO_MARK = "\u2205orchard"


@dataclass(frozen=True)
class TrainingFile:
    """A file, and what has to be said so that it is read as the rows were meant."""

    path: Path
    options: list[str]


def write_rows(rows: Any, folder: Path, name: str) -> TrainingFile:
    """
    Numbers of an array as .npy, a sparse matrix as .npz, all else as .csv. Nothing is a hole but NaN, None, NaT and pandas.NA,
    and text of no length.
    """
    if is_frame(rows):
        return _write_frame(rows, folder / f"{name}.csv")
    if is_sparse(rows):
        from scipy import sparse

        path = folder / f"{name}.npz"
        sparse.save_npz(path, rows.tocsr())
        return TrainingFile(path, [])
    array = array_of(rows, "(rows, columns)", "Reshape it.")
    if array.dtype.kind in "biuf":
        path = folder / f"{name}.npy"
        np.save(path, array if array.dtype.itemsize <= 8 and array.dtype != np.float16 else array.astype(np.float64))
        return TrainingFile(path, [])
    path = folder / f"{name}.csv"
    with path.open("w", newline="", encoding="utf8") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC)
        writer.writerows([["" if is_hole(cell) else cell for cell in row] for row in array.tolist()])
    return TrainingFile(path, ["--delimiter", "comma", "--header", "no", "--missing", _NO_MARK])


def kinds_of(rows: Any) -> dict[str, str]:
    """What the types of a DataFrame say of its columns: categories are categories, even of numbers."""
    if not is_frame(rows):
        return {}
    return {
        str(name): "categorical"
        for name, dtype in rows.dtypes.items()
        if str(dtype) == "category" and rows[name].nunique() > 2
    }


def _write_frame(frame: Any, path: Path) -> TrainingFile:
    names = [str(name) for name in frame.columns]
    written = frame.set_axis(names, axis=1)
    # digits of a float32 are not those of the double that it is
    short = [name for name in names if str(written[name].dtype) in ("float32", "float16")]
    written = written.astype(dict.fromkeys(short, "float64"))
    written.to_csv(path, index=False, quoting=csv.QUOTE_NONNUMERIC, na_rep="")
    return TrainingFile(path, ["--delimiter", "comma", "--header", "yes", "--missing", _NO_MARK])
