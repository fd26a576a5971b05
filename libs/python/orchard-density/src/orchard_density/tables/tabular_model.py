"""Models of tables, whatever their kind: rows in people's words, and what is known of them."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..bit_rows import is_frame
from ..density_model import Completed, DensityModel, Floats, check_count
from ..errors import ModelFileError, RowsError
from ..model_file import ModelFile
from ..random_streams import seed_of
from .table_rows import Coded, TableShape

Integers = NDArray[np.int64]

_PARTICLES = 1024
_MOST_PARTICLES = 65_536


class TabularModel(DensityModel):
    """
    Rows are a DataFrame with the columns of the training rows, in any order, or an array with them in the same order. Columns that
    training left out may be there and are not looked at.

    Log-likelihoods are of masses for labels and for numbers that repeat, and of densities for measurements, which depend on their units.
    A hole is a value of its own where the training rows had holes in that column, and is summed out otherwise, by drawing.
    """

    def __init__(self, file: ModelFile) -> None:
        super().__init__(file)
        if file.table is None:
            raise ModelFileError(
                "no variables", "those of a table", "Get the file again from where it was made.", file.where
            )
        self.table = TableShape(file.table)

    @property
    def variables(self) -> list[str]:
        return list(self.table.names)

    def log_likelihood(self, X: Any, random_state: Any = 0) -> Floats:
        """log P of each row, in nats. What is not known of a row is summed out by drawing, by `random_state`."""
        coded = self.table.code(X, holes_are_values=True)
        complete = coded.is_known.all(axis=1)
        result = np.zeros(len(coded.codes))
        result[complete] = self.log_likelihood_of_coded(Coded(coded.codes[complete], coded.log_density[complete]))
        if not complete.all():
            rows = np.flatnonzero(~complete)
            filled = self.complete_codes(coded.codes[rows], seed_of(random_state), _PARTICLES)
            density = np.zeros(len(rows))
            for column in coded.log_density[rows].T:
                density += column
            result[rows] = filled.log_evidence + density
        return result

    def surprise(self, X: Any) -> Floats:
        coded = self.table.code(X, holes_are_values=True)
        if not coded.is_known.all():
            row, at = np.argwhere(~coded.is_known)[0]
            raise RowsError(
                "a hole",
                "a value: the training rows have no hole there",
                "complete(X) fills holes; log_likelihood(X) sums them out.",
                f"X, row {row}, column {self.table.names[at]!r}",
            )
        return -(self.cells_of_codes(coded.codes) + coded.log_density)

    def sample(self, n: int = 1, random_state: Any = None) -> Any:
        seed = seed_of(random_state)
        return frame_of(self.table.values(self.sample_codes(check_count(n), seed), seed))

    def complete(self, X: Any, random_state: Any = None, samples: int | None = None, evidence: bool = False) -> Any:
        """Fills every hole with a value, never with absence; all other cells stay as they are."""
        samples = _PARTICLES if samples is None else samples
        if not 1 <= samples <= _MOST_PARTICLES:
            raise RowsError(f"samples={samples!r}", f"1 to {_MOST_PARTICLES}", "Give another number.")
        seed = seed_of(random_state)
        coded = self.table.code(X, holes_are_values=False)
        completed = self.complete_codes(coded.codes, seed, samples)
        words = self.table.values(completed.rows, seed)
        rows = self._filled(X, ~coded.is_known, words)
        if not evidence:
            return rows
        density = coded.log_density.sum(axis=1)
        return Completed(
            rows,
            completed.log_evidence + density,
            completed.log_evidence_error,
            completed.effective_sample_size,
            completed.exact,
        )

    @abstractmethod
    def cells_of_codes(self, codes: Integers) -> Floats:
        """What each variable has of log P of its row's codes, without densities: shape (rows, variables)."""

    @abstractmethod
    def sample_codes(self, n: int, seed: int) -> Integers:
        """n rows of codes, shape (rows, variables)."""

    @abstractmethod
    def complete_codes(self, codes: Integers, seed: int, samples: int) -> Completed:
        """Fills what is not known of rows of codes."""

    def log_likelihood_of_coded(self, coded: Coded) -> Floats:
        """log P of rows that are known whole, densities included."""
        total = np.zeros(len(coded.codes))
        for column in (self.cells_of_codes(coded.codes) + coded.log_density).T:
            total += column
        return total

    def _filled(self, X: Any, blank: NDArray[np.bool_], words: dict[str, list[Any]]) -> Any:
        if is_frame(X):
            filled = X.copy()
            for at, name in enumerate(self.table.names):
                rows = np.flatnonzero(blank[:, at])
                if len(rows) == 0:
                    continue
                place = next(place for place, given in enumerate(X.columns) if str(given) == name)
                column = X.iloc[:, place]
                own = [words[name][row] for row in rows]
                whole = column.astype(object)
                whole.iloc[rows] = own
                filled.isetitem(place, _as_before(whole, column))
            return filled
        array = np.array(X.toarray() if hasattr(X, "toarray") else X, copy=True)
        places = (
            [self.table.columns.index(name) for name in self.table.names]
            if array.shape[1] == len(self.table.columns)
            else list(range(len(self.table.names)))
        )
        for at, name in enumerate(self.table.names):
            for row in np.flatnonzero(blank[:, at]).tolist():
                array[row, places[at]] = words[name][row]
        return array


def _as_before(whole: Any, column: Any) -> Any:
    """With the type that the column had, or, where its values do not fit, the one that they tell."""
    try:
        return whole.astype(column.dtype)
    except (TypeError, ValueError):
        return whole.infer_objects()


def frame_of(columns: dict[str, list[Any]]) -> Any:
    """A DataFrame where pandas is installed, a dict of columns otherwise."""
    try:
        import pandas
    except ImportError:
        return columns
    frame = {name: pandas.Series(values, dtype=object).infer_objects() for name, values in columns.items()}
    return pandas.DataFrame({name: _with_holes(series) for name, series in frame.items()})


def _with_holes(series: Any) -> Any:
    """Numbers with holes as pandas has them, NaN."""
    import pandas

    if series.dtype != object or not series.isna().any():
        return series
    known = series.dropna()
    if len(known) > 0 and all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in known):
        return pandas.to_numeric(series)
    return series
