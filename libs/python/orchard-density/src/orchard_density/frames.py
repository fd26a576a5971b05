"""
Rows as people have them, in named columns: frames of pandas, Polars, PyArrow and DuckDB, and whatever else speaks Arrow.

`frame_of` reads any of them as a `Frame`: names, plain cells, and what each column's cells were, so that values of a model become cells of the
same types again, in a frame of the same kind.
"""

from __future__ import annotations

import datetime
import decimal
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .column_type import WHOLE, ColumnType
from .errors import RowsError
from .labels import is_missing, label_of
from .whole_limits import within_type


@dataclass(frozen=True)
class Frame:
    """Rows in named columns."""

    #: pandas, polars, pyarrow or duckdb; array of what has its columns by number alone.
    kind: str
    names: list[str]
    #: float64, int64, bool, datetime64[us], or objects with None where a cell is missing.
    columns: list[NDArray[Any]]
    types: list[ColumnType]
    #: The frame that was given.
    source: Any = field(repr=False)

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    @property
    def shape(self) -> tuple[int, int]:
        return len(self), len(self.names)

    def missing(self) -> NDArray[np.bool_]:
        """Of each cell whether it is missing, shape (rows, columns)."""
        return np.column_stack([missing_in(column) for column in self.columns])

    def filled(self, values: Mapping[str, Sequence[Any]]) -> Any:
        """The frame that was given with its missing cells replaced; a column that is not in `values` stays as it is."""
        made = {}
        for name, column, own in zip(self.names, self.columns, self.types, strict=True):
            rows = np.flatnonzero(missing_in(column))
            if name not in values or len(rows) == 0:
                continue
            # asked for once: it may be made each time
            filling = values[name]
            cells = ColumnType(own.kind, own.labels, own.detail).cells([filling[row] for row in rows.tolist()])
            made[name] = (rows, cells, own.dtype)
        return _replaced(self, made)


def is_frame(rows: Any) -> bool:
    """Whether rows come in named columns."""
    return isinstance(rows, Frame) or _kind_of(rows) is not None


def frame_of(rows: Any) -> Frame | None:
    """Rows in named columns as a Frame; None of an array, a sparse matrix or a list."""
    if isinstance(rows, Frame):
        return rows
    _refuse_what_holds_no_columns(rows)
    kind = _kind_of(rows)
    if kind is None:
        return None
    frame = {"pandas": _of_pandas, "polars": _of_polars, "pyarrow": _of_arrow, "duckdb": _of_duckdb}[kind](rows)
    twice = sorted({name for name in frame.names if frame.names.count(name) > 1})
    if twice:
        shown = ", ".join(map(repr, twice[:5]))
        raise RowsError(f"two columns of one name ({shown})", "columns of different names", "Rename them.", "X")
    return frame


def frame_like(kind: str, columns: Mapping[str, Sequence[Any]], types: Mapping[str, ColumnType] | None = None) -> Any:
    """A frame of a kind, of values of a model; the types say what their cells are."""
    known = types or {}

    # one column at a time: a column of the frame takes a tenth of the cells that it is made of
    def made(name: str, of: Callable[[list[Any], Any], Any]) -> Any:
        own = known.get(name)
        return of(list(columns[name]) if own is None else own.cells(columns[name]), None if own is None else own.dtype)

    if kind == "polars":
        import polars

        return polars.DataFrame([made(name, partial(_polars_series, name)) for name in columns])
    if kind in ("pyarrow", "duckdb"):
        import pyarrow

        if kind == "duckdb":
            table = pyarrow.table({name: made(name, _untyped_array) for name in columns})
            return _relation(table, {name: own.dtype for name, own in known.items()})
        return pyarrow.table({name: made(name, _arrow_array) for name in columns})
    return pandas_frame({name: made(name, _pandas_series) for name in columns})


def pandas_frame(columns: Mapping[str, Any], index: Any = None) -> Any:
    """A DataFrame where pandas is installed, a dict of columns otherwise."""
    try:
        import pandas
    except ImportError:
        return {name: list(values) for name, values in columns.items()}
    return pandas.DataFrame(dict(columns), index=index)


def listing_like(frame: Frame | None, columns: Mapping[str, Any], index: Any = None) -> Any:
    """
    What is said of rows, as a frame of their kind; of an array's rows a DataFrame.

    Where a column has one type, values of several columns are texts, whichever of them come, and so are cells of several types.
    """
    if frame is None or frame.kind in ("pandas", "array"):
        return pandas_frame(columns, index)
    return frame_like(
        frame.kind, {name: _of_one_type(list(cells), name == "value") for name, cells in columns.items()}
    )


def _of_one_type(cells: list[Any], are_texts: bool) -> list[Any]:
    plain = [None if is_missing(cell) else cell.item() if isinstance(cell, np.generic) else cell for cell in cells]
    types = {type(cell) for cell in plain if cell is not None}
    if not are_texts and (len(types) <= 1 or types == {int, float}):
        return plain
    return [None if cell is None else label_of(cell) for cell in plain]


def merged_in(rows: Any) -> list[str]:
    """What is to be said of cells of a frame that differ and have one label, as 1 and "1"."""
    if not isinstance(rows, Frame):
        return []
    return [
        f"of {name!r} texts and other cells with the same label are one value, as {own.merged[0]!r}"
        for name, own in zip(rows.names, rows.types, strict=True)
        if own.merged
    ]


def missing_in(column: NDArray[Any]) -> NDArray[np.bool_]:
    """Of each cell of a plain column whether it is missing."""
    if column.dtype.kind == "f":
        return np.isnan(column)
    if column.dtype.kind == "M":
        return np.isnat(column)
    if column.dtype.kind == "O":
        return np.array([cell is None for cell in column], bool)
    return np.zeros(len(column), bool)


#: How pandas reads a file, by the end of its name.
_READERS = {".parquet": "read_parquet", ".feather": "read_feather", ".json": "read_json", ".xlsx": "read_excel"}


def _refuse_what_holds_no_columns(rows: Any) -> None:
    """A path in the place of what the file holds, and one column or row of a frame in the place of the frame."""
    if isinstance(rows, (str, os.PathLike)):
        path = os.fspath(rows)
        reader = _READERS.get(os.path.splitext(path)[1], "read_csv")
        raise RowsError(
            f"a path, {path!r}",
            "rows: a frame, an array or a sparse matrix",
            f"Read the file first: pandas.{reader}({path!r}).",
            "X",
        )
    if hasattr(rows, "to_frame") and not hasattr(rows, "columns"):
        name = getattr(rows, "name", None)
        raise RowsError(
            "a Series" if name is None else f"the Series {name!r}",
            "rows with columns: a frame, an array or a sparse matrix",
            "X.to_frame() is a frame of it."
            if name is None
            else f"Take a frame of it: X[[{name!r}]] is a column, X.iloc[[0]] a row.",
            "X",
        )


def _kind_of(rows: Any) -> str | None:
    module = type(rows).__module__.split(".")[0].lstrip("_")
    if hasattr(rows, "iloc") and hasattr(rows, "columns"):
        return "pandas"
    # the columns of a LazyFrame are not looked at here: it warns of what they take
    if module == "polars" and hasattr(rows, "collect_schema"):
        return "polars"
    if module == "duckdb" and hasattr(rows, "fetchall"):
        return "duckdb"
    return "pyarrow" if hasattr(rows, "__arrow_c_stream__") and not hasattr(rows, "nnz") else None


def _of_pandas(rows: Any) -> Frame:
    names = _names_of(rows.columns)
    read = [_pandas_column(rows.iloc[:, place], name) for place, name in enumerate(names)]
    return Frame("pandas", names, [column for column, _ in read], [kind for _, kind in read], rows)


def _pandas_column(series: Any, name: str) -> tuple[NDArray[Any], ColumnType]:
    import pandas

    dtype = series.dtype
    if isinstance(dtype, pandas.SparseDtype):
        values, kind = _pandas_column(series.sparse.to_dense(), name)
        return values, _with_dtype(kind, dtype)
    if isinstance(dtype, pandas.CategoricalDtype):
        # by their places: with a missing value among them, ends of intervals that are whole numbers would come as 2.0
        labels = [*dtype.categories.tolist(), None]
        return _labels([labels[code] for code in series.cat.codes], dtype, labels[:-1])
    if isinstance(dtype, pandas.PeriodDtype):
        # not by timestamps, which may be of nanoseconds and end at 1677
        return series.array.asfreq("us", how="start").asi8.view("M8[us]"), ColumnType(
            "period", detail=str(dtype).removeprefix("period[").removesuffix("]"), dtype=dtype
        )
    if isinstance(dtype, pandas.IntervalDtype):
        return _labels(series.tolist(), dtype)
    # days of Arrow are Python's own
    if dtype.kind == "M" and dtype.type is not datetime.date:
        # of Arrow's types the accessor alone knows the zone
        zone = series.dt.tz
        plain = series if zone is None else series.dt.tz_convert("UTC").dt.tz_localize(None)
        return plain.to_numpy("M8[us]"), ColumnType("moment", detail=None if zone is None else "UTC", dtype=dtype)
    if dtype.kind == "m":
        seconds = series.dt.total_seconds().to_numpy(np.float64)
        return seconds, ColumnType("duration", dtype=dtype)
    if dtype.kind == "b" and not series.hasnans:
        return series.to_numpy(bool), ColumnType("bool", dtype=dtype)
    if dtype.kind in "iu" and series.hasnans:
        return _whole_with_holes(series.tolist()), ColumnType("number", detail=WHOLE, dtype=dtype)
    if dtype.kind in "iuf":
        return _numbers(
            series.to_numpy(np.float64, na_value=np.nan) if series.hasnans else series.to_numpy()
        ), ColumnType("number", dtype=dtype)
    values, kind = plain_column(series.tolist(), name)
    return values, _with_dtype(kind, dtype)


def _of_polars(rows: Any) -> Frame:
    frame = rows.collect() if hasattr(rows, "collect") else rows
    read = [plain_column(series.to_list(), series.name) for series in frame.get_columns()]
    types = [_with_dtype(kind, dtype) for (_, kind), dtype in zip(read, frame.dtypes, strict=True)]
    return Frame("polars", _names_of(frame.columns), [column for column, _ in read], types, frame)


def _of_arrow(rows: Any) -> Frame:
    import pyarrow

    table = rows if isinstance(rows, pyarrow.Table) else pyarrow.table(rows)
    read = [
        plain_column(column.to_pylist(), name) for column, name in zip(table.columns, table.column_names, strict=True)
    ]
    types = [_with_dtype(kind, dtype) for (_, kind), dtype in zip(read, table.schema.types, strict=True)]
    return Frame("pyarrow", _names_of(table.column_names), [column for column, _ in read], types, table)


def _of_duckdb(rows: Any) -> Frame:
    read = [
        plain_column(list(column), name)
        for column, name in zip(zip(*rows.fetchall(), strict=True), rows.columns, strict=True)
    ]
    types = [_with_dtype(kind, str(dtype)) for (_, kind), dtype in zip(read, rows.types, strict=True)]
    return Frame("duckdb", _names_of(rows.columns), [column for column, _ in read], types, rows)


def _names_of(labels: Sequence[Any]) -> list[str]:
    """Names of columns as the command line has them: one without a name is called by its number, as pandas reads a file of it."""
    return [str(label) or f"Unnamed: {place}" for place, label in enumerate(labels)]


def _with_dtype(kind: ColumnType, dtype: Any) -> ColumnType:
    return replace(kind, dtype=dtype)


def plain_column(cells: list[Any], name: str) -> tuple[NDArray[Any], ColumnType]:
    """A column of Python's own values; one of values of several types has labels. name: of the column, for a refusal."""
    for row, cell in enumerate(cells):
        if isinstance(cell, _SEVERAL):
            raise RowsError(
                f"a cell that holds several values, of the type {type(cell).__name__}",
                "one value in each cell",
                "Make columns of what is in it (as pandas' explode and get_dummies do), or leave the column out.",
                f"X, row {row}, column {name!r}",
            )
        if isinstance(cell, _COMPLEX):
            raise RowsError(
                f"the complex number {cell}",
                "a number of one part",
                "Make two columns of it, by numpy.real and numpy.imag.",
                f"X, row {row}, column {name!r}",
            )
    plain = [None if is_missing(cell) else cell for cell in cells]
    known = [cell for cell in plain if cell is not None]
    found = {_type_of(cell) for cell in known}
    if found <= {"number"}:
        if 0 < len(known) < len(plain) and all(isinstance(cell, (int, np.integer)) for cell in known):
            return _whole_with_holes(plain), ColumnType("number", detail=WHOLE)
        numbers = np.array([np.nan if cell is None else cell for cell in plain], object)
        return _numbers(numbers if len(known) < len(plain) else np.array(plain)), ColumnType("number")
    if len(found) > 1:
        return _labels(plain, None)
    (only,) = found
    if only == "bool":
        return (np.array(plain, bool) if len(known) == len(plain) else _objects(plain)), ColumnType("bool")
    if only == "decimal":
        digits = max(max(0, -int(cell.as_tuple().exponent)) for cell in known)
        values = np.array([np.nan if cell is None else float(cell) for cell in plain])
        return values, ColumnType("decimal", detail=digits)
    if only == "duration":
        return np.array([np.nan if cell is None else cell.total_seconds() for cell in plain]), ColumnType("duration")
    if only == "moment":
        zones = {cell.tzinfo is not None for cell in known}
        if len(zones) > 1:
            return _labels(plain, None)
        (has_zone,) = zones
        moments = [None if cell is None else _in_utc(cell) for cell in plain]
        return np.array(moments, "M8[us]"), ColumnType("moment", detail="UTC" if has_zone else None)
    if only == "date":
        return np.array(plain, "M8[D]").astype("M8[us]"), ColumnType("date")
    if only in ("time", "text"):
        return _objects(plain), ColumnType(only)
    return _labels(plain, None)


#: What no label is made of.
_SEVERAL = (list, dict, set, np.ndarray)
_COMPLEX = (complex, np.complexfloating)


def _type_of(cell: Any) -> str:
    if isinstance(cell, (bool, np.bool_)):
        return "bool"
    if isinstance(cell, (int, float, np.integer, np.floating)):
        return "number"
    if isinstance(cell, str):
        return "text"
    if isinstance(cell, decimal.Decimal):
        return "decimal"
    if isinstance(cell, datetime.timedelta):
        return "duration"
    if isinstance(cell, datetime.datetime):
        return "moment"
    if isinstance(cell, datetime.date):
        return "date"
    if isinstance(cell, datetime.time) and cell.tzinfo is None:
        return "time"
    return "label"


def _labels(cells: list[Any], dtype: Any, known: Sequence[Any] = ()) -> tuple[NDArray[Any], ColumnType]:
    """Cells of any type, each by its name; `known` are those that may come up beside them."""
    plain = [None if is_missing(cell) else label_of(cell) for cell in cells]
    named = {label_of(cell): cell for cell in known if not is_missing(cell)}
    merged: dict[str, None] = {}
    for cell, text in zip(cells, plain, strict=True):
        if text is not None and isinstance(named.setdefault(text, cell), str) != isinstance(cell, str):
            merged[text] = None
    return _objects(plain), ColumnType("label", labels=named, merged=tuple(merged), dtype=dtype)


def _objects(cells: list[Any]) -> NDArray[Any]:
    column = np.empty(len(cells), object)
    column[:] = cells
    return column


def _numbers(values: NDArray[Any]) -> NDArray[Any]:
    """Numbers as float64 or int64; whole ones beyond 2^53, which no float holds, as they are."""
    if values.dtype.kind in "iu" or (values.dtype.kind == "O" and all(isinstance(cell, int) for cell in values)):
        fits = len(values) == 0 or max(abs(int(values.min())), abs(int(values.max()))) <= 2**53
        return values.astype(np.int64) if fits else _objects([int(cell) for cell in values])
    return values.astype(np.float64)


def _whole_with_holes(cells: list[Any]) -> NDArray[Any]:
    """Whole numbers with missing ones among them, which are floats where those hold all of them."""
    plain = [None if is_missing(cell) else int(cell) for cell in cells]
    if all(cell is None or abs(cell) <= 2**53 for cell in plain):
        return np.array([np.nan if cell is None else cell for cell in plain], np.float64)
    return _objects(plain)


def _in_utc(moment: datetime.datetime) -> datetime.datetime:
    return moment if moment.tzinfo is None else moment.astimezone(datetime.timezone.utc).replace(tzinfo=None)


def _pandas_series(cells: list[Any], dtype: Any) -> Any:
    """A Series of that type, or, where the cells do not fit it (whole numbers with missing values), of the one that they have."""
    try:
        import pandas
    except ImportError:
        return cells
    if getattr(dtype, "kind", "") in ("i", "u"):
        cells = whole_cells(cells)
    series = pandas.Series(within_type(cells, dtype), dtype=object)
    if dtype is not None:
        try:
            return series.astype(dtype)
        except (TypeError, ValueError):
            pass
        if getattr(dtype, "kind", "") == "M":
            return pandas.to_datetime(series).astype(dtype)
    found = series.infer_objects()
    if found.dtype != object or not found.isna().any():
        return found
    known = found.dropna()
    is_number = len(known) > 0 and all(isinstance(cell, (int, float)) and not isinstance(cell, bool) for cell in known)
    return pandas.to_numeric(found) if is_number else found


def _polars_series(name: str, cells: list[Any], dtype: Any) -> Any:
    import polars

    if dtype is None or dtype == polars.Null:
        return polars.Series(name, cells, strict=False)
    if dtype.is_integer():
        cells = within_type(whole_cells(cells), dtype)
    return polars.Series(name, cells, dtype=dtype, strict=False)


def whole_cells(cells: list[Any]) -> list[Any]:
    """The same as whole numbers where all are: labels of numbers with missing values beside them are texts as 1.0."""
    try:
        numbers = [None if is_missing(cell) else _whole_number(cell) for cell in cells]
    except (TypeError, ValueError):
        return cells
    return (
        cells
        if any(number is None and not is_missing(cell) for number, cell in zip(numbers, cells, strict=True))
        else numbers
    )


def _whole_number(cell: Any) -> int | None:
    """A number beyond 2^53 is read by its digits, since no float holds it; None of one with a fraction."""
    if isinstance(cell, int):
        return int(cell)
    text = str(cell).removesuffix(".0")
    if text.lstrip("+-").isdigit():
        return int(text)
    return int(float(cell)) if float(cell).is_integer() else None


def _arrow_array(cells: list[Any], dtype: Any) -> Any:
    import pyarrow

    if dtype is None or pyarrow.types.is_null(dtype):
        return pyarrow.array(cells)
    if pyarrow.types.is_dictionary(dtype):
        return pyarrow.array(cells, dtype.value_type).dictionary_encode().cast(dtype)
    if pyarrow.types.is_integer(dtype):
        cells = within_type(whole_cells(cells), dtype)
    return pyarrow.array(cells, dtype)


def _untyped_array(cells: list[Any], dtype: Any) -> Any:
    """Cells of which DuckDB makes that type afterwards: Arrow has no names of its types."""
    return _arrow_array(within_type(cells, dtype), None)


def _relation(table: Any, types: Mapping[str, str | None]) -> Any:
    """A relation whose columns have these types of DuckDB where they hold all of the cells."""
    import duckdb

    relation = duckdb.from_arrow(table)
    quoted = {name: '"' + name.replace('"', '""') + '"' for name in relation.columns}
    asked = {
        name: types[name]
        for name, own in zip(relation.columns, relation.types, strict=True)
        if types.get(name) not in (None, str(own), '"NULL"', "NULL")
    }
    if not asked:
        return relation
    fits = [
        f"bool_and(TRY_CAST({quoted[name]} AS {own}) IS NOT NULL OR {quoted[name]} IS NULL)"
        for name, own in asked.items()
    ]
    (held,) = relation.aggregate(", ".join(fits)).fetchall()
    cast = {name: own for (name, own), is_held in zip(asked.items(), held, strict=True) if is_held is not False}
    return relation.project(
        ", ".join(
            f"CAST({quoted[name]} AS {cast[name]}) AS {quoted[name]}" if name in cast else quoted[name]
            for name in relation.columns
        )
    )


def _replaced(frame: Frame, made: Mapping[str, tuple[NDArray[np.int64], list[Any], Any]]) -> Any:
    """The given frame with some cells of some columns replaced."""
    if frame.kind == "array":
        return _replaced_in_array(frame, made)
    if frame.kind == "pandas":
        filled = frame.source.copy()
        for place, name in enumerate(frame.names):
            if name not in made:
                continue
            rows, cells, dtype = made[name]
            whole = frame.source.iloc[:, place].astype(object)
            values = np.empty(len(cells), object)
            values[:] = cells
            whole.iloc[rows] = values
            filled.isetitem(place, _pandas_series(whole.tolist(), dtype).set_axis(whole.index))
        return filled
    # a column in which nothing was missing stays as it is: cells of Python hold neither nanoseconds nor what is nested
    if frame.kind == "polars":
        return frame.source.with_columns(
            _refilled(frame.source.to_series(place), *made[name])
            for place, name in enumerate(frame.names)
            if name in made
        )
    table = frame.source
    own_types: dict[str, str | None] = {}
    if frame.kind == "duckdb":
        own_types = {name: str(own) for name, own in zip(table.columns, table.types, strict=True)}
        table = table.to_arrow_table()
    for place, name in enumerate(frame.names):
        if name not in made:
            continue
        rows, cells, dtype = made[name]
        field = table.schema.field(place)
        column = table.column(place)
        whole = column.to_pylist()
        for row, cell in zip(rows, cells, strict=True):
            whole[row] = cell
        # of nothing but NULL DuckDB makes whole numbers
        says_nothing = field.type.id == 0 or (frame.kind == "duckdb" and column.null_count == len(whole))
        if frame.kind == "duckdb" and says_nothing:
            own_types[name] = dtype
            array = _untyped_array(whole, dtype)
        else:
            array = _arrow_array(whole, dtype if says_nothing else field.type)
        table = table.set_column(place, field.with_type(array.type), array)
    return _relation(table, own_types) if frame.kind == "duckdb" else table


def _replaced_in_array(frame: Frame, made: Mapping[str, tuple[NDArray[np.int64], list[Any], Any]]) -> NDArray[Any]:
    array: NDArray[Any] = np.array(frame.source)
    if array.dtype.kind not in "Mm":
        array = array.astype(object)
    for place, name in enumerate(frame.names):
        if name in made:
            rows, cells, _ = made[name]
            for row, cell in zip(rows.tolist(), cells, strict=True):
                array[row, place] = cell
    return array


def _refilled(series: Any, rows: NDArray[np.int64], cells: list[Any], dtype: Any) -> Any:
    """A Series of Polars with other cells in some rows; dtype: that of the rows of `fit`, for one of missing cells alone."""
    import polars

    filling: list[Any] = [None] * len(series)
    for row, cell in zip(rows.tolist(), cells, strict=True):
        filling[row] = cell
    is_kept = np.ones(len(series), bool)
    is_kept[rows] = False
    made = _polars_series(series.name, filling, dtype if series.dtype == polars.Null else series.dtype)
    if made.null_count() > filling.count(None):
        # an Enum that has no such label
        made = _polars_series(series.name, filling, None)
    return series.cast(made.dtype).zip_with(polars.Series("", is_kept), made)
