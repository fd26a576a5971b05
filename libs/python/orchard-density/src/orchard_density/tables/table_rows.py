"""Rows of a table as people have them, as codes; and codes as rows again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..bit_rows import columns_of_frame, is_frame, is_sparse
from ..errors import RowsError
from ..random_streams import CELL, uniforms
from ..rows_given import array_of
from .cells import UNKNOWN, encode
from .density import drawn_values, log_densities
from .number_words import number_from_text
from .variable import Variable

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_OTHER = "(other)"


@dataclass(frozen=True)
class Coded:
    """Rows as codes, shape (rows, variables): UNKNOWN where a value is not known."""

    codes: Integers
    #: What each value adds to the log-probability of its code; 0 where unknown.
    log_density: Floats

    @property
    def is_known(self) -> NDArray[np.bool_]:
        return self.codes != UNKNOWN


class TableShape:
    """The variables of a model, and the columns of the file that it was trained on."""

    def __init__(self, table: dict[str, Any]) -> None:
        self.variables = [Variable(said) for said in table["variables"]]
        self.names = [variable.name for variable in self.variables]
        #: All columns of the training file, those that were left out with them.
        self.columns: list[str] = table["columns"]
        self.left_out: list[str] = [said["name"] for said in table["leftOut"]]
        #: Columns that count the rows, with their first number.
        self.counters: dict[str, int] = {
            said["name"]: said["countsFrom"] for said in table["leftOut"] if "countsFrom" in said
        }

    def code(self, rows: Any, holes_are_values: bool) -> Coded:
        """X as codes. Holes are unknown where training had none in that column, or where they are not values."""
        columns = self.columns_of(rows)
        codes = np.zeros((len(columns[0]), len(columns)), np.int64)
        log_density = np.zeros(codes.shape)
        for at, (variable, column) in enumerate(zip(self.variables, columns, strict=True)):
            cells = encode(variable, column, holes_are_values)
            codes[:, at] = cells.codes
            known = cells.codes != UNKNOWN
            log_density[known, at] = log_densities(variable, cells.codes[known], cells.values[known])
        return Coded(codes, log_density)

    def columns_of(self, rows: Any) -> list[Any]:
        """The columns of X that the variables stand for."""
        if is_frame(rows):
            return [rows.iloc[:, place] for place in columns_of_frame(rows, self.names, self.left_out)]
        wide = len(self.columns)
        expected = f"{wide} columns, as the training rows had" + (
            "" if wide == len(self.names) else f", or the {len(self.names)} of the model"
        )
        remedy = (
            "Give all columns of the model, in the order of model.variables; a DataFrame may have them in any order."
        )
        values = rows.toarray() if is_sparse(rows) else array_of(rows, expected, remedy)
        if values.shape[1] == len(self.columns):
            return [values[:, self.columns.index(name)] for name in self.names]
        if values.shape[1] == len(self.names):
            return list(values.T)
        raise RowsError(f"an array of shape {values.shape}", expected, remedy, "X")

    def values(self, codes: Integers, seed: int) -> dict[str, list[Any]]:
        """
        Codes in the words of the table, by column in the order of the training file; None for a hole. A value of a cell that holds
        many is drawn in it: row r takes number v of its stream for variable v.
        """
        values = {
            variable.name: words_of(variable, codes[:, at], uniforms(seed, CELL, np.arange(len(codes)), at))
            for at, variable in enumerate(self.variables)
        }
        values |= {name: list(range(first, first + len(codes))) for name, first in self.counters.items()}
        return {name: values[name] for name in self.columns if name in values}


def words_of(variable: Variable, codes: Integers, drawn_by: Floats) -> list[Any]:
    """The values of codes: numbers, truth values, text; dates and times as text."""
    result: list[Any] = [None] * len(codes)
    if not variable.is_ordered:
        words = [*typed(variable.labels), *([] if variable.other_code is None else [_OTHER]), None]
        return [words[code] for code in codes.tolist()]
    is_value = (codes != variable.hole_code) & (codes != variable.other_code)
    own = np.flatnonzero(is_value)
    for row, value in zip(own.tolist(), drawn_values(variable, codes[own], drawn_by[own]), strict=True):
        result[row] = value
    if variable.format["type"] == "number" and variable.format["decimals"] == 0:
        result = [None if value is None else _whole(value) for value in result]
    for row in np.flatnonzero(codes == variable.other_code).tolist():
        result[row] = _OTHER
    return result


def typed(labels: Sequence[str]) -> list[Any]:
    """Labels as pandas reads them from a file: truth values, numbers, or text."""
    if set(labels) <= {"True", "False"}:
        return [label == "True" for label in labels]
    numbers = [number_from_text(label) for label in labels]
    if any(number != number for number in numbers):
        return list(labels)
    if all(label.lstrip("+-").isdigit() for label in labels):
        return [int(label) for label in labels]
    return numbers


def _whole(value: float) -> Any:
    return int(value) if value == int(value) else value
