"""The type that a column of pandas has once its missing cells are filled in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .column_type import ColumnType
from .labels import label_of

#: What pandas makes of whole numbers and of truth values with gaps among them: the type of the rows of `fit` is the one that is meant.
_OF_GAPS = ("float64", "object")


def filled_type(given: ColumnType, fitted: ColumnType, labels: Sequence[str]) -> ColumnType:
    """
    The type that was given, as float32 and category, where it holds all that may be filled in; else that of the rows of `fit`.

    labels: those of the column in the model, none of a column of numbers.
    """
    if str(given.dtype) in _OF_GAPS or not _holds(given, fitted, labels):
        return fitted
    return replace(fitted, dtype=given.dtype)


def _holds(given: ColumnType, fitted: ColumnType, labels: Sequence[str]) -> bool:
    if fitted.kind in ("text", "label"):
        cells = [fitted.labels.get(label, label) for label in labels]
        if given.kind == "text":
            return all(isinstance(cell, str) for cell in cells)
        categories = getattr(given.dtype, "categories", None)
        return categories is not None and all(_is_one_of(cell, categories) for cell in cells)
    if (given.kind, given.detail) != (fitted.kind, fitted.detail) and not given.kind == fitted.kind == "number":
        return False
    if given.kind != "number":
        return True
    own, other = (_plain(kind.dtype) for kind in (given, fitted))
    return own.kind == "f" or (other.kind in "iu" and np.can_cast(other, own))


def _plain(dtype: Any) -> np.dtype[Any]:
    """The type of numbers that a type of pandas has: of a sparse one that of its cells."""
    dense = getattr(dtype, "subtype", dtype)
    return np.dtype(getattr(dense, "numpy_dtype", dense))


def _is_one_of(cell: Any, categories: Any) -> bool:
    return cell in categories and label_of(cell) in map(label_of, categories)
