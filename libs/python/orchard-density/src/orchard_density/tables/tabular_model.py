"""Models of tables, whatever their kind: rows in people's words, and what is known of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..column_type import ColumnType, duration_of
from ..density_model import DensityModel, Floats, Rules, check_count, conditions_of, rules_of, shares_of
from ..errors import ModelFileError, RowsError, RulesWarning
from ..frames import Frame, frame_like, frame_of, missing_in
from ..made_columns import MadeColumns
from ..model_file import ModelHead
from ..random_streams import seed_of
from ..remarks import warn_caller
from ..words import Kind
from .cells import tells_new_labels, warn_of_new_labels
from .table_rows import TableShape, typed, values_of, whole_numbers

PARTICLES = 1024
#: Of the columns of an array.
_PLAIN = ColumnType("number")


class TabularModel(DensityModel):
    """
    Rows are a frame with the columns of the training rows, in any order, or an array with them in the same order. Columns that
    training left out may be there and are not looked at.

    Log-likelihoods are of masses for labels and for numbers that repeat, and of densities for measurements, which depend on their units.
    A missing value is a value of its own where the training rows had some in that column, and is summed out otherwise, by sampling.
    It is filled in by a value, never by absence.
    """

    _samples = PARTICLES

    def __init__(self, head: ModelHead) -> None:
        super().__init__(head)
        if head.table is None:
            raise ModelFileError(
                "no variables", "those of a table", "Get the file again from where it was made.", head.where
            )
        self.table = TableShape(head.table)

    @property
    def variables(self) -> list[str]:
        return list(self.table.names)

    @property
    def left_out(self) -> dict[str, str]:
        return dict(self.table.left_out)

    @property
    def kinds(self) -> dict[str, Kind]:
        """
        Columns of labels whose labels may all be such as training never had, as those of new shops: ``model.kinds = {"shop": "categorical"}``. A
        column of ten rows and more without one label of the training rows is refused otherwise: its cells may be written in another form.
        """
        return dict(self.table.kinds)

    @kinds.setter
    def kinds(self, kinds: Mapping[str, Kind]) -> None:
        for name, kind in kinds.items():
            if name not in self.table.names or self.table.is_ordered(name) or kind not in ("categorical", "binary"):
                labels = [own for own in self.table.names if not self.table.is_ordered(own)]
                raise RowsError(
                    f"{name!r} as {kind!r}",
                    f"'categorical' or 'binary' of a column of labels: {', '.join(map(repr, labels[:8]))}",
                    "Leave it out: the model says what its columns are. To change it, train anew.",
                    "kinds",
                )
        self.table.kinds = dict(kinds)

    def _facts(self) -> dict[str, str]:
        left_out = self.left_out
        return {**super()._facts(), **({"left out": ", ".join(left_out)} if left_out else {})}

    def log_likelihood(self, X: Any, random_state: Any = 0, *, rules: Rules = None) -> Floats:
        """
        log P of each row, in nats. What is not known of a row is summed out by sampling, by `random_state`.

        rules: what holds of every row, as in `sample`: a row that breaks one has -inf, with a `RulesWarning`.
        """
        rows, _, _ = self._given(X, may_be_missing=True)
        asked = rules_of(rules)
        if not asked and self._keeps_rules:
            # those of the model alone
            asked = {"rules": []}
        said = self._ask("score", rows=rows, seed=seed_of(random_state), **asked)
        if said.get("broken"):
            counted = ", ".join(f"{rule} ({count:,} rows)" for rule, count in said["broken"].items())
            warn_caller(
                f"rows that break a rule have a log-likelihood of -inf: {counted}; rules=False scores them without rules",
                RulesWarning,
            )
        nats: Floats = said["logLikelihood"]
        return nats

    def surprise(self, X: Any) -> Floats:
        rows, _, _ = self._given(X, may_be_missing=True)
        surprise: Floats = self._ask("score", rows=rows)["surprise"].reshape(rows["count"], -1)
        unknown = np.isnan(surprise).any(axis=1)
        if unknown.any():
            raise unknown_value(int(np.flatnonzero(unknown)[0]), None)
        return surprise

    def sample(
        self,
        n: int = 1,
        random_state: Any = None,
        given: Mapping[str, Any] | None = None,
        shares: Mapping[str, Mapping[Any, float]] | None = None,
        rules: Rules = None,
    ) -> Any:
        words = self.sample_words(check_count(n), seed_of(random_state), given, shares, rules)
        return frame_like("pandas", words.changed(self.as_trained))

    @property
    def _keeps_rules(self) -> bool:
        return self.table.has_rules

    def as_trained(self, name: str, values: Sequence[Any]) -> list[Any]:
        """Values of a column as the training file had them: numbers that were texts, as $1,046.75, are texts again."""
        return self._typed(name, self.table.as_cells(name, values, "text"))

    def sample_words(
        self,
        n: int,
        seed: int,
        given: Mapping[str, Any] | None = None,
        shares: Mapping[str, Mapping[Any, float]] | None = None,
        rules: Rules = None,
    ) -> MadeColumns:
        """Sampled rows by column in the order of the training file: numbers, texts of labels and moments, None where missing."""
        conditions = conditions_of(given, self.table.text_of)
        if (conditions or shares) and rules is not False and self._keeps_rules:
            what = "given=" if conditions else "shares="
            warn_caller(
                f"rows by {what} need not follow the model's rules; rules=False says that they need not", RulesWarning
            )
        wanted = {**({"shares": shares_of(shares, self.table.text_of)} if shares else {}), **rules_of(rules)}
        said = self._ask("sample", count=n, seed=seed, given=conditions, **wanted)["rows"]
        return self.table.in_order(self._rows_of(said), n)

    def predict(self, X: Any, target: str, random_state: Any = 0) -> NDArray[Any]:
        said = self._prediction(X, target, random_state)
        probabilities = said["probabilities"].reshape(-1, len(said["classes"]))
        if said["values"] is None:
            classes = typed(said["classes"])
            kept = np.array(classes, object if isinstance(classes[0], str) else None)
            return kept[probabilities.argmax(axis=1)]
        means = probabilities @ said["values"]
        return self.table.variable(str(target)).written(means)

    def _ask(self, operation: str, **question: Any) -> dict[str, Any]:
        answer = super()._ask(operation, **question)
        # of columns most of whose labels are new it is said already
        said = " ".join(answer.get("said", []))
        for name, count in answer.get("unseen", {}).items():
            variable = self.table.variable(name)
            if tells_new_labels(variable) and name not in self.table.kinds and json.dumps(name) not in said:
                warn_of_new_labels(variable, count)
        return answer

    def _given(self, X: Any, may_be_missing: bool) -> tuple[Any, Frame | None, Any]:
        frame = frame_of(X)
        columns = self.table.columns_of(X if frame is None else frame)
        are_durations = [self._are_durations(name) for name in self.table.names]
        type_of = {} if frame is None else dict(zip(frame.names, frame.types, strict=True))
        types = [type_of.get(name, _PLAIN) for name in self.table.names]

        def value_at(row: int, column: int) -> Any:
            cell = _cell(columns[column][row])
            if cell is None or cell != cell:
                return cell
            # as the frame has it: a day is a day there, which the model knows by its microseconds
            return duration_of(cell) if are_durations[column] else types[column].cells([cell])[0]

        return self.table.document(columns), frame, value_at

    def _without(self, X: Any, target: str) -> Any:
        if X is None:
            return self.table.document([np.zeros(0) for _ in self.table.names])
        frame = frame_of(X)
        return self.table.document(self.table.columns_of(X if frame is None else frame, without=target))

    def _rows_of(self, said: Mapping[str, Any]) -> MadeColumns:
        """The columns of a document of rows, as numbers and texts."""
        columns = {column["name"]: column for column in said["columns"]}
        return MadeColumns(
            {name: partial(values_of, column, self.table.variable(name)) for name, column in columns.items()}
        )

    def _typed(self, name: str, values: list[Any]) -> list[Any]:
        """Labels as pandas reads them from a file: truth values, numbers, or text; durations as timedelta."""
        if self._are_durations(name):
            return [None if value is None else duration_of(value) for value in values]
        if name not in self.table.names:
            return values
        variable = self.table.variable(name)
        if variable.is_of_whole_numbers:
            return whole_numbers(values)
        if variable.is_ordered:
            return values
        labels = self.table.variable(name).labels
        types = dict(zip(labels, typed(labels), strict=True))
        if all(isinstance(own, float) for own in types.values()):
            # the mean of two measurements is neither of them
            types.update((value, typed([value])[0]) for value in set(values) - types.keys() - {None})
        return [types.get(value, value) for value in values]

    def _are_durations(self, name: str) -> bool:
        return name in self.table.names and self.table.variable(name).is_of_durations

    def _without_marks(self, X: Any) -> Any:
        if isinstance(X, Frame):
            cells = [self.table.without_marks(name, column) for name, column in zip(X.names, X.columns, strict=True)]
            return Frame(X.kind, X.names, cells, X.types, X.source)
        if hasattr(X, "toarray"):
            return X
        kind = np.asarray(X).dtype.kind
        are_numbers = kind in "iuf"
        if kind not in "OUS" and not (are_numbers and self.table.marks):
            return X
        array = np.array(X, np.float64 if are_numbers else object)
        columns = zip(self.table.names, self.table.columns_of(array), strict=True)
        names = self.table.columns if array.shape[1] == len(self.table.columns) else self.table.names
        for name, column in columns:
            array[:, names.index(name)] = self.table.without_marks(name, column)
        return array

    def _filled(self, X: Any, words: MadeColumns) -> Any:
        if isinstance(X, Frame):
            # the frame says whether durations are texts there, and numbers with a currency
            cells = zip(X.names, X.columns, X.types, strict=True)
            kinds = {name: "number" if _holds_numbers(column) else own.kind for name, column, own in cells}

            def cells_of(name: str, values: list[Any]) -> list[Any]:
                kind = kinds.get(name, "number")
                return (
                    self.table.as_cells(name, values, kind)
                    if self.table.is_ordered(name)
                    else self._typed(name, values)
                )

            return X.filled(words.changed(cells_of))
        array = np.array(X.toarray() if hasattr(X, "toarray") else X, copy=True)
        if array.dtype.kind in "US":
            array = np.array(X, object)
        names = self.table.columns if array.shape[1] == len(self.table.columns) else self.table.names
        for name, column in zip(self.table.names, self.table.columns_of(X), strict=True):
            missing = self.table.missing_in(column)
            if not missing.any():
                continue
            # durations are texts beside texts, and so are numbers with a currency
            are_texts = self.table.is_ordered(name) and any(isinstance(cell, str) for cell in column)
            values = (
                self.table.as_cells(name, words[name], "text") if are_texts else self._typed(name, list(words[name]))
            )
            for row in np.flatnonzero(missing).tolist():
                array[row, names.index(name)] = values[row]
        return array


def unknown_value(row: int, column: str | None) -> RowsError:
    """Refuses what only known values have."""
    where = f"X, row {row}" + ("" if column is None else f", column {column!r}")
    return RowsError(
        "a missing value",
        "a value: the training rows have none missing there",
        "complete(X) fills missing values in; log_likelihood(X) sums them out.",
        where,
    )


def _holds_numbers(column: NDArray[Any]) -> bool:
    return column.dtype.kind in "iuf" and not missing_in(column).all()


def _cell(cell: Any) -> Any:
    """A cell of an array as Python has it, NaT as None."""
    if not isinstance(cell, np.generic):
        return cell
    # nanoseconds would be whole numbers
    plain = cell.astype(f"{cell.dtype.kind}8[us]") if cell.dtype.kind in "Mm" else cell
    return plain.item() if cell.dtype.kind in "biufMm" else cell
