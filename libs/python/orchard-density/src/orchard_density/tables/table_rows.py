"""Rows of a table as people have them, as codes and as documents; and back."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..bit_rows import columns_of_frame, is_sparse
from ..date_words import iso_date
from ..errors import RowsError, RowsWarning
from ..frames import Frame
from ..labels import is_missing, label_of, shown
from ..made_columns import MadeColumns
from ..moment_words import duration_of_seconds, moment_from_text, write_moment
from ..names_of_numbers import stand_for_numbers
from ..number_words import number_from_text
from ..random_streams import CELL, uniforms
from ..remarks import warn_caller
from ..rows_given import array_of
from ..whole_number import is_of_whole_numbers
from ..words import Kind
from ..written_number import write_number
from .cells import UNKNOWN, dates_of, encode, is_mark, is_read_as_it_stands, warn_of_marks
from .density import drawn_values, log_densities
from .equal_columns import EqualColumns
from .variable import Variable

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_OTHER = "(other)"
_LARGEST_WHOLE = 2**53


@dataclass(frozen=True)
class Coded:
    """Rows as codes, shape (rows, variables): UNKNOWN where a value is not known."""

    codes: Integers
    #: What each value adds to the log-probability of its code; 0 where unknown.
    log_density: Floats
    #: By variable, the values of columns that are often equal, NaN where unknown.
    values: Mapping[int, Floats] = field(default_factory=dict)

    @property
    def is_known(self) -> NDArray[np.bool_]:
        return self.codes != UNKNOWN


class TableShape:
    """The variables of a model, and the columns of the file that it was trained on."""

    def __init__(self, table: dict[str, Any]) -> None:
        self.variables = [Variable(said) for said in table["variables"]]
        self.names = [variable.name for variable in self.variables]
        #: All columns of the training file, those that were left out with them.
        self.equalities = [EqualColumns(self.variables, self.names, said) for said in table.get("equalities", [])]
        self.columns: list[str] = table["columns"]
        #: Cells that were said to be missing values at training.
        self.marks = frozenset(table.get("marks", []))
        self._marking_numbers = [number for number in map(number_from_text, self.marks) if not math.isnan(number)]
        #: Whether training was given rules that hold of every row: what follows them is asked of the command line.
        self.has_rules = "rules" in table
        #: Columns that training left out, with the reason.
        self.left_out: dict[str, str] = {said["name"]: said["why"] for said in table["leftOut"]}
        #: Columns of labels, by name, that were said to be such: they may hold none but new ones.
        self.kinds: dict[str, Kind] = {}
        #: Columns that count the rows, with their first number.
        self.counters: dict[str, int] = {
            said["name"]: said["countsFrom"] for said in table["leftOut"] if "countsFrom" in said
        }

    def variable(self, name: str) -> Variable:
        return self.variables[self.names.index(name)]

    def code(self, rows: Any, missing_are_values: bool) -> Coded:
        """X as codes. Missing values are unknown where training had none in that column, or where they are not values."""
        columns = self.columns_of(rows)
        codes = np.zeros((len(columns[0]), len(columns)), np.int64)
        log_density = np.zeros(codes.shape)
        values = {at: np.zeros(0) for pair in self.equalities for at in (pair.first, pair.second)}
        for at, (variable, column) in enumerate(zip(self.variables, columns, strict=True)):
            cells = encode(variable, column, missing_are_values, variable.name in self.kinds)
            codes[:, at] = cells.codes
            known = cells.codes != UNKNOWN
            log_density[known, at] = log_densities(variable, cells.codes[known], cells.values[known])
            if at in values:
                values[at] = np.where(known, cells.values, np.nan)
        for pair in self.equalities:
            log_density[:, pair.second] += pair.nats(codes, values, log_density[:, pair.second])
        return Coded(codes, log_density, values)

    def reads(self, rows: Any) -> bool:
        """Whether all cells of X are written as the model's columns are."""
        columns = zip(self.variables, self.columns_of(rows), strict=True)
        # labels of a column that is said to be one of labels stay as they are
        return all(
            variable.name in self.kinds or is_read_as_it_stands(variable, column) for variable, column in columns
        )

    def columns_of(self, rows: Any, without: str | None = None) -> list[NDArray[Any]]:
        """
        The columns of X that the variables stand for.

        without: a column that X need not have, of which nothing is known.
        """
        wanted = [name for name in self.names if name != without]
        if isinstance(rows, Frame):
            ignored = [*self.left_out, *([] if without is None else [without])]
            places = columns_of_frame(rows.names, wanted, ignored)
            found = dict(zip(wanted, (rows.columns[place] for place in places), strict=True))
            count = len(rows)
        else:
            values = self._array(rows, without)
            has_all = values.shape[1] == len(self.columns)
            names = self.columns if has_all else self.names if values.shape[1] == len(self.names) else wanted
            found = {name: values[:, names.index(name)] for name in wanted}
            count = len(values)
        return [
            np.full(count, np.nan) if name == without else self._without_said_marks(found[name]) for name in self.names
        ]

    def _without_said_marks(self, column: NDArray[Any]) -> NDArray[Any]:
        """A column without the cells that were said to be missing values at training; itself where it has none."""
        if not self.marks:
            return column
        are_numbers = column.dtype.kind in "iuf"
        marked = (
            np.isin(column, self._marking_numbers)
            if are_numbers
            else np.array([self._is_said_mark(cell) for cell in column], bool)
        )
        if not marked.any():
            return column
        said = ", ".join(sorted({shown(cell) for cell in column[marked].tolist()}))
        warn_caller(f"cells that say {said} are missing values, as was said at training", RowsWarning)
        cells = column.astype(np.float64 if column.dtype.kind == "f" else object)
        cells[marked] = None
        return cells

    def _is_said_mark(self, cell: Any) -> bool:
        if isinstance(cell, str):
            return cell in self.marks
        return isinstance(cell, (int, float)) and not isinstance(cell, bool) and cell in self._marking_numbers

    def _array(self, rows: Any, without: str | None) -> NDArray[Any]:
        wide = len(self.columns)
        expected = f"{wide} columns, as the training rows had" + (
            "" if wide == len(self.names) else f", or the {len(self.names)} of the model"
        )
        remedy = "Give all columns of the model, in the order of model.variables; a frame may have them in any order."
        values = rows.toarray() if is_sparse(rows) else array_of(rows, expected, remedy)
        widths = {len(self.columns), len(self.names), *([] if without is None else [len(self.names) - 1])}
        if values.shape[1] in widths:
            return values
        raise RowsError(f"an array of shape {values.shape}", expected, remedy, "X")

    def document(self, columns: Sequence[NDArray[Any]]) -> dict[str, Any]:
        """The columns of the variables as a request has them."""
        return {
            "count": len(columns[0]),
            "columns": [
                _column_document(variable, column) for variable, column in zip(self.variables, columns, strict=True)
            ],
            **({"types": self.kinds} if self.kinds else {}),
        }

    def text_of(self, name: str, one: Any) -> str:
        """A label, a duration or a moment as a column has it."""
        if not isinstance(one, np.datetime64):
            return label_of(one)
        if name not in self.names:
            return label_of(one.item())
        (text,) = _moments(self.variable(name), np.array([one]))
        return str(text)

    def without_marks(self, name: str, column: NDArray[Any]) -> NDArray[Any]:
        """A column whose texts that mark a missing value, as "NA" does in a CSV, are missing cells; itself where it has none."""
        if name not in self.names:
            return column
        column = self._without_said_marks(column)
        if column.dtype.kind not in "OUS":
            return column
        variable = self.variable(name)
        marked = [row for row, cell in enumerate(column) if is_mark(variable, cell)]
        if not marked:
            return column
        if not variable.is_ordered:
            warn_of_marks(variable, column, marked)
        cells = np.array(column, object)
        cells[marked] = None
        return cells

    def missing_in(self, column: NDArray[Any]) -> NDArray[np.bool_]:
        """Of each cell whether it is missing."""
        if column.dtype.kind == "f":
            return np.isnan(column)
        if column.dtype.kind in "biu":
            return np.zeros(len(column), bool)
        return np.array([is_missing(cell) for cell in column], bool)

    def words(self, codes: Integers, seed: int, known: Mapping[int, Floats] | None = None) -> MadeColumns:
        """
        Codes as numbers and texts, None where missing. A value of a cell that holds many is sampled in it: row r takes number v of its
        stream for variable v, and one behind those of all variables for each equality.

        known: values that are not sampled, and that others may equal.
        """
        rows = np.arange(len(codes))
        equal: dict[int, list[tuple[int, Any]]] = {}
        for number, pair in enumerate(self.equalities):
            decides = uniforms(seed, CELL, rows, len(self.variables) + number)
            drawn_by = uniforms(seed, CELL, rows, pair.first)
            for row, value in pair.equal_values(codes, known or {}, decides, drawn_by):
                value = value if pair.one.is_of_moments else _whole(value, pair.one)
                for at in (pair.first, pair.second):
                    equal.setdefault(at, []).append((row, value))

        def made(at: int) -> list[Any]:
            cells = _words_of(self.variables[at], codes[:, at], uniforms(seed, CELL, rows, at))
            for row, value in equal.get(at, ()):
                cells[row] = value
            return cells

        return MadeColumns({name: partial(made, at) for at, name in enumerate(self.names)})

    def is_ordered(self, name: str) -> bool:
        """Whether a column is one of numbers, dates or times."""
        return name in self.names and self.variable(name).is_ordered

    def as_cells(self, name: str, values: Sequence[Any], kind: str) -> list[Any]:
        """
        Values for cells of that kind: among texts, numbers are written as the training file did; among moments, dates are
        as ISO has them, however that file wrote them.
        """
        form = self.variable(name).format if name in self.names else {}
        if form.get("type") == "number" and "written" in form and kind == "text":
            return [None if value is None else write_number(value, form) for value in values]
        if is_of_whole_numbers(form) and kind in ("number", "decimal"):
            return whole_numbers(values)
        if form.get("type") != "date" or kind not in ("moment", "date", "period"):
            return list(values)
        return [None if value is None else iso_date(moment_from_text(value, form), form) for value in values]

    def in_order(self, words: MadeColumns, count: int) -> MadeColumns:
        """Columns in the order of the training file, those that count its rows among them."""
        counted = {name: partial(_numbers_from, first, count) for name, first in self.counters.items()}
        return words.chosen(self.columns, counted)


def values_of(column: Mapping[str, Any], variable: Variable) -> list[Any]:
    """A column of a document as numbers and texts, None where missing."""
    if "numbers" in column:
        return [None if value != value else _whole(value, variable) for value in column["numbers"].tolist()]
    labels = [*column["labels"], None]
    return [labels[place] for place in column["places"].tolist()]


def whole_numbers(texts: Sequence[Any]) -> list[Any]:
    """Dates and times of day that are whole numbers, as such: floats where they are written with a point."""
    return [None if text is None else float(text) if "." in text else int(text) for text in texts]


def typed(labels: Sequence[str]) -> list[Any]:
    """Labels as pandas reads them from a file: truth values, numbers, or text."""
    if set(labels) <= {"True", "False"}:
        return [label == "True" for label in labels]
    numbers = [number_from_text(label) for label in labels]
    if any(number != number for number in numbers) or not stand_for_numbers(labels):
        return list(labels)
    if all(label.lstrip("+-").isdigit() for label in labels):
        return [int(label) for label in labels]
    return numbers


def _numbers_from(first: int, count: int) -> list[Any]:
    return list(range(first, first + count))


def _words_of(variable: Variable, codes: Integers, drawn_by: Floats) -> list[Any]:
    result: list[Any] = [None] * len(codes)
    if not variable.is_ordered:
        words = [*variable.labels, *([] if variable.other_code is None else [_OTHER]), None]
        return [words[code] for code in codes.tolist()]
    is_value = (codes != variable.hole_code) & (codes != variable.other_code)
    own = np.flatnonzero(is_value)
    for row, value in zip(own.tolist(), drawn_values(variable, codes[own], drawn_by[own]), strict=True):
        result[row] = value if variable.is_of_moments else _whole(value, variable)
    for row in np.flatnonzero(codes == variable.other_code).tolist():
        result[row] = _OTHER
    return result


def _whole(value: Any, variable: Variable) -> Any:
    is_whole = variable.format.get("type") == "number" and variable.format["decimals"] == 0
    return int(value) if is_whole and value == int(value) else value


def _column_document(variable: Variable, column: NDArray[Any]) -> dict[str, Any]:
    name, kind = variable.name, column.dtype.kind
    if variable.is_of_durations and kind in "iuf":
        # frames have them as seconds
        units = [duration_of_seconds(seconds, variable.format) for seconds in column.tolist()]
        texts = [None if math.isnan(value) else write_moment(value, variable.format) for value in units]
        return _column_document(variable, np.array([*texts, None], object)[:-1])
    if kind == "f" or (kind in "iu" and (len(column) == 0 or np.abs(column).max() <= _LARGEST_WHOLE)):
        return {"name": name, "numbers": np.ascontiguousarray(column, np.float64)}
    if kind == "m":
        # nanoseconds would be whole numbers
        column = column.astype("m8[us]")
    cells = _moments(variable, column) if kind == "M" else column.tolist()
    known: dict[Any, int] = {}
    labels: list[Any] = []
    places = np.empty(len(cells), np.int32)
    for row, cell in enumerate(cells):
        if is_missing(cell):
            places[row] = -1
            continue
        # True == 1 == 1.0, whose labels differ
        key = (type(cell), cell)
        place = known.get(key)
        if place is None:
            place = known[key] = len(labels)
            labels.append(_label(cell))
        places[row] = place
    return {"name": name, "labels": labels, "places": places}


def _label(cell: Any) -> Any:
    if isinstance(cell, (bool, np.bool_)):
        return bool(cell)
    number = isinstance(cell, (int, float, np.integer, np.floating))
    if (
        number
        and bool(abs(cell) <= _LARGEST_WHOLE)
        and not (isinstance(cell, (float, np.floating)) and float(cell).is_integer())
    ):
        return cell.item() if isinstance(cell, np.generic) else cell
    return label_of(cell)


def _moments(variable: Variable, column: NDArray[Any]) -> list[str | None]:
    """Dates and moments as the model's column has them; moments that it cannot hold as ISO has them."""
    if not variable.is_ordered:
        return [None if cell is None else label_of(cell) for cell in column.astype("M8[us]").tolist()]
    is_of_days = variable.is_of_moments and variable.format.get("type") == "date" and variable.format["time"] is None
    moments = np.datetime_as_string(column, unit="us").tolist()
    days = np.datetime_as_string(column, unit="D").tolist()
    missing = np.isnat(column).tolist()
    if "written" in variable.format:
        values = dates_of(column, variable.format).tolist()
        own = [
            moment if value != value else write_moment(value, variable.format)
            for value, moment in zip(values, moments, strict=True)
        ]
    elif is_of_days:
        values = dates_of(column, variable.format).tolist()
        own = [moment if value != value else day for value, moment, day in zip(values, moments, days, strict=True)]
    else:
        has_time = variable.is_of_moments and variable.format.get("time") is not None
        own = moments if has_time else days
    return [None if is_hole else text for text, is_hole in zip(own, missing, strict=True)]
