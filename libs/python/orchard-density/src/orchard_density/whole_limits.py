"""
The ends of types of whole numbers.

A model knows the numbers of a column and not the type that holds them: beyond the least and the greatest number of training it draws others, of
bytes 257 too. What comes out has the type that went in, so that its ends are those of the column.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def within_type(cells: list[Any], dtype: Any) -> list[Any]:
    """Cells with numbers beyond the ends of a type of whole numbers (of numpy, pandas, Polars, PyArrow or DuckDB) at these ends; of other types the same."""
    ends = _ends_of(dtype)
    if ends is None:
        return cells
    return [_nearest(cell, *ends) for cell in cells]


def _nearest(cell: Any, least: int, greatest: int) -> Any:
    if isinstance(cell, (bool, str)) or not isinstance(cell, (int, float, np.integer, np.floating)) or cell != cell:
        return cell
    return least if cell < least else greatest if cell > greatest else cell


#: What DuckDB calls them.
_OF_DUCKDB = {
    f"{sign}{own}": f"{'u' if sign else ''}{numpy}"
    for sign in ("", "u")
    for own, numpy in (("tinyint", "int8"), ("smallint", "int16"), ("integer", "int32"), ("bigint", "int64"))
}


def _ends_of(dtype: Any) -> tuple[int, int] | None:
    """By its name without what libraries add, as Int8 of pandas, UInt8 of Polars and uint8 of PyArrow."""
    plain = getattr(dtype, "subtype", dtype)
    name = str(getattr(plain, "numpy_dtype", plain)).lower()
    name = _OF_DUCKDB.get(name, name)
    if not name.startswith(("int", "uint")):
        return None
    try:
        limits = np.iinfo(np.dtype(name))
    except (TypeError, ValueError):
        return None
    return int(limits.min), int(limits.max)
