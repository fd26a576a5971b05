"""Classification and regression by the joint distribution: P(y | x) is P(x, y) over its sum over y."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .bit_rows import is_sparse
from .column_type import ColumnType
from .conventions import (
    HAS_SKLEARN,
    ClassifierMixin,
    NotFittedError,
    RegressorMixin,
    TableEstimator,
    called_as_fitted,
    checked_rows,
)
from .errors import RowsError, RowsWarning
from .estimator import KINDS_SAID, density_like, without_shares
from .frames import Frame
from .labels import is_missing
from .mappings import mapping_of
from .remarks import warn_caller
from .row_weights import counted_rows
from .tables import TabularModel
from .training_file import frame_of_array
from .words import Kind, Preset, Start

Floats = NDArray[np.float64]


class _ByTheJoint(TableEstimator):
    """Learns the columns of X and y together."""

    def __init__(
        self,
        preset: Preset = "default",
        *,
        leaves: int | None = None,
        rounds: int | None = None,
        members: int | None = None,
        start: Start | None = None,
        kinds: Mapping[str, Kind] | None = None,
        options: Mapping[str, Any] | None = None,
        n_jobs: int | None = None,
        random_state: Any = 0,
        verbose: bool | None = None,
    ) -> None:
        self.preset = preset
        self.leaves = leaves
        self.rounds = rounds
        self.members = members
        self.start = start
        self.kinds = kinds
        self.options = options
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _fit_joint(self, rows: Any, target: NDArray[Any], kind: str, weights: Floats | None) -> None:
        frame = _as_frame(rows)
        name = "y"
        while name in frame.names:
            name = f"_{name}"
        self._target = name
        cells = ColumnType("number" if kind == "ordered" else "text")
        joint = Frame(frame.kind, [*frame.names, name], [*frame.columns, target], [*frame.types, cells], None)
        density = density_like(self, kinds={**mapping_of("kinds", self.kinds, KINDS_SAID), name: kind})
        with without_shares():
            self.density_ = density.fit(joint, sample_weight=weights)

    def _asked(self, X: Any) -> Frame:
        if not hasattr(self, "_target"):
            raise NotFittedError(f"This {type(self).__name__} is not fitted yet: call fit with rows first.")
        rows = checked_rows(self, X, reset=False)
        frame = _as_frame(rows)
        if not hasattr(self, "density_"):
            # y of one value alone needs no model
            return frame
        fitted = [name for name in self.density_._types if name != self._target]
        return called_as_fitted(frame, fitted) if isinstance(rows, Frame) else replace(frame, names=fitted)


class OrchardClassifier(ClassifierMixin, _ByTheJoint):
    """
    Classifies by the joint distribution of X and y, which columns of all kinds and missing values may be part of.

    `density_` answers the rest: which rows are unusual, what missing values may be, what y depends on. A classifier that is made for one target alone
    is often more accurate.

    Parameters
    ----------
    preset, leaves, rounds, members, start, kinds, options, n_jobs, random_state, verbose
        As of `OrchardDensity`.

    Attributes
    ----------
    classes_ : array of shape (classes,)
    density_ : OrchardDensity
        The joint distribution; y is its last column, which calls the classes `class 0` and so on. Of more than 255 classes the rarest have the
        probability 0, and `fit` warns of it.

    Examples
    --------
    >>> import numpy as np
    >>> from orchard_density import OrchardClassifier
    >>> x = np.linspace(0, 1, 200).reshape(-1, 1)
    >>> OrchardClassifier(rounds=20, n_jobs=1).fit(x, np.where(x[:, 0] > 0.5, "high", "low")).predict([[0.1], [0.9]]).tolist()
    ['low', 'high']
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> OrchardClassifier:
        """
        Learns from rows X of shape (rows, columns) and their classes y of shape (rows,).

        sample_weight: how much each row counts, shape (rows,), from 0, as of `OrchardDensity`.
        """
        rows = checked_rows(self, X, reset=True, least=1)
        labels = _target_of(self, rows, y)
        rows, weights, counted = counted_rows(rows, sample_weight)
        labels = labels if counted is None else labels[counted]
        _refuse_unknown(labels)
        self.classes_, places = _classes_of(labels)
        _check_labels(labels)
        self._target = "y"
        if len(self.classes_) > 1:
            names = np.array([*(f"class {place}" for place in places), None], object)[:-1]
            self._fit_joint(rows, names, "categorical", weights)
            self._warn_of_rare(len(self.classes_))
        return self

    def _facts(self) -> dict[str, str]:
        if not hasattr(self, "classes_"):
            return super()._facts()
        return {"classes": ", ".join(map(str, self.classes_[:12].tolist())), **super()._facts()}

    def predict_proba(self, X: Any) -> Floats:
        """P(class | row), shape (rows, classes), in the order of `classes_`."""
        frame = self._asked(X)
        if len(self.classes_) == 1:
            return np.ones((len(frame), 1))
        said = self.density_.predict_proba(frame, self._target)
        probabilities = np.zeros((len(frame), len(self.classes_)))
        for at, label in enumerate(self.density_.classes(self._target)):
            if label.startswith("class "):
                probabilities[:, int(label.removeprefix("class "))] = said[:, at]
        return probabilities

    def _warn_of_rare(self, classes: int) -> None:
        known = sum(label.startswith("class ") for label in self.density_.classes(self._target))
        model = self.density_.model_
        why = (
            f"a column has {known} labels, and the rarest classes are learned as one"
            if isinstance(model, TabularModel) and model.table.variable(self._target).others
            else "no row that trains is of them, since some rows choose how many trees are kept"
        )
        if known < classes:
            warn_caller(
                f"{classes - known} of {classes} classes have the probability 0 and are never predicted: {why}",
                RowsWarning,
            )

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row, shape (rows,)."""
        places = self.predict_proba(X).argmax(axis=1)
        return self.classes_[places]


class OrchardRegressor(RegressorMixin, _ByTheJoint):
    """
    Predicts a number by the joint distribution of X and y: its mean given the row.

    `density_` answers the rest, among it intervals: ``density_.complete(X.assign(y=numpy.nan), interval=0.9)``. A regressor that is made for one target
    alone is often more accurate.

    Parameters
    ----------
    preset, leaves, rounds, members, start, kinds, options, n_jobs, random_state, verbose
        As of `OrchardDensity`.

    Attributes
    ----------
    density_ : OrchardDensity
        The joint distribution; y is its last column, called `y`, or `_y` where X has such a one. The columns of an array are `column 1` and so on.

    Examples
    --------
    >>> import numpy as np
    >>> from orchard_density import OrchardRegressor
    >>> x = np.repeat([1.0, 2.0, 3.0], 70).reshape(-1, 1)
    >>> OrchardRegressor(rounds=40, n_jobs=1).fit(x, 10 * x[:, 0]).predict([[2.0]]).round().tolist()
    [20.0]
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> OrchardRegressor:
        """
        Learns from rows X of shape (rows, columns) and their numbers y of shape (rows,).

        sample_weight: how much each row counts, shape (rows,), from 0, as of `OrchardDensity`.
        """
        rows = checked_rows(self, X, reset=True)
        given = _target_of(self, rows, y)
        rows, weights, counted = counted_rows(rows, sample_weight)
        target = _numbers_of(given if counted is None else given[counted])
        _refuse_not_finite(target, "a number for each row")
        self._target = "y"
        self._only = float(target[0]) if (target == target[0]).all() else None
        if self._only is None:
            self._fit_joint(rows, target, "ordered", weights)
        return self

    def predict(self, X: Any) -> Floats:
        """The mean of y given each row, shape (rows,)."""
        frame = self._asked(X)
        if self._only is not None:
            return np.full(len(frame), self._only)
        return np.asarray(self.density_.predict(frame, self._target), np.float64)


def _as_frame(rows: Any) -> Frame:
    if isinstance(rows, Frame):
        return rows
    array = rows.toarray() if is_sparse(rows) else rows
    if array.dtype.kind not in "biuf":
        return frame_of_array(array)
    columns = [np.ascontiguousarray(column) for column in array.T]
    names = [f"column {at + 1}" for at in range(len(columns))]
    plain = [column.astype(np.float64) if column.dtype.kind == "f" else column.astype(np.int64) for column in columns]
    return Frame("pandas", names, plain, [ColumnType("number") for _ in columns], None)


def _target_of(estimator: Any, rows: Any, y: Any) -> NDArray[Any]:
    if y is None:
        raise ValueError(
            f"This {type(estimator).__name__} estimator requires y to be passed, but the target y is None."
        )
    y = _as_they_are(y)
    if HAS_SKLEARN:
        from sklearn.utils.validation import column_or_1d

        target = column_or_1d(y, warn=True)
    else:
        target = np.asarray(y)
    if len(target) != rows.shape[0]:
        raise RowsError(
            f"inconsistent numbers of samples: {rows.shape[0]} rows and {len(target)} of y",
            "as many of both",
            "Give y for each row.",
        )
    return np.asarray(target)


def _as_they_are(y: Any) -> Any:
    """The same, without what NumPy and scikit-learn would make of it: floats of Int64 and boolean, which merge long numbers, and texts of 1 beside texts."""
    dtype = getattr(y, "dtype", None)
    plain = getattr(dtype, "numpy_dtype", None)
    if plain is not None and plain.kind in "biu" and hasattr(y, "isna") and not y.isna().any():
        return y.to_numpy(plain)
    if isinstance(y, (list, tuple)) and len({isinstance(label, str) for label in y}) > 1:
        labels = np.empty(len(y), object)
        labels[:] = y
        return labels
    return y


def _refuse_unknown(labels: NDArray[Any]) -> None:
    _refuse_not_finite(labels, "a class for each row")
    _refuse_missing(labels, "a class for each row")


def _check_labels(labels: NDArray[Any]) -> None:
    if HAS_SKLEARN:
        from sklearn.utils.multiclass import check_classification_targets

        check_classification_targets(labels)


_WITHOUT_MISSING = "Leave these rows out: X[y.notna()] and y[y.notna()]."


def _refuse_missing(target: NDArray[Any], expected: str) -> None:
    if target.dtype.kind == "O":
        _refuse_rows(np.flatnonzero([is_missing(cell) for cell in target]), "missing", expected, _WITHOUT_MISSING)


def _refuse_not_finite(target: NDArray[Any], expected: str) -> None:
    if target.dtype.kind != "f":
        return
    _refuse_rows(np.flatnonzero(np.isnan(target)), "missing", expected, _WITHOUT_MISSING)
    without = "Leave these rows out: X[numpy.isfinite(y)] and y[numpy.isfinite(y)]."
    _refuse_rows(np.flatnonzero(np.isinf(target)), "infinite", expected, without)


def _refuse_rows(rows: NDArray[Any], what: str, expected: str, remedy: str) -> None:
    if len(rows) == 0:
        return
    article = "an" if what == "infinite" else "a"
    values = f"{article} {what} value" if len(rows) == 1 else f"{len(rows)} {what} values"
    raise RowsError(f"{values}, the first in row {rows[0]}", expected, remedy, "y")


def _classes_of(labels: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The different labels in order, and which of them each row has."""
    try:
        classes, places = np.unique(labels, return_inverse=True)
    except TypeError:
        types = sorted({type(label).__name__ for label in labels})
        raise RowsError(
            f"labels of several types ({', '.join(types)})",
            "labels of one type",
            "Make them texts: y.astype(str).",
            "y",
        ) from None
    return classes, places


def _numbers_of(target: NDArray[Any]) -> Floats:
    _refuse_missing(target, "a number for each row")
    if target.dtype.kind in "mM":
        raise RowsError(
            "durations" if target.dtype.kind == "m" else "dates or times",
            "a number for each row",
            "Make numbers of them, as y.dt.total_seconds(); OrchardDensity learns and predicts columns of dates and durations.",
            "y",
        )
    try:
        return target.astype(np.float64)
    except (TypeError, ValueError):
        text = next((cell for cell in target if isinstance(cell, str)), target[0])
        raise RowsError(
            f"{text!r}, which is no number", "a number for each row", "OrchardClassifier predicts labels.", "y"
        ) from None
