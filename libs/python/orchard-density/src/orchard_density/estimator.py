"""The estimator: trains on a frame, an array or a sparse matrix, and answers as scikit-learn's density estimators do."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from . import process
from .bit_rows import is_sparse
from .column_labels import ColumnLabels
from .column_type import ColumnType
from .conventions import DensityMixin, NotFittedError, TableEstimator, called_as_fitted, checked_rows
from .density_model import Completed, DensityModel, Rules, check_count, rules_of
from .errors import RowsError, TrainingRowsWarning
from .filled_type import filled_type
from .frames import Frame, frame_like, frame_of, whole_cells
from .mappings import mapping_of
from .opening import load
from .progress import Progress
from .random_streams import seed_of
from .remarks import warn_caller, warn_of_rows
from .report import Report
from .row_hashes import row_hashes
from .row_weights import checked_weights, counted_rows, mean_of
from .rows_given import as_array
from .secret import Secret, SecretParameter
from .tables import TabularModel
from .training import train
from .training_file import frame_of_array
from .whole_limits import within_type
from .words import Kind, Point, Preset, Start, Unit

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]
#: A frame or an array, as it was given.
Rows = TypeVar("Rows")

#: Rows are said to be those of training where this share of them is.
_MOSTLY = 0.9


class OrchardDensity(DensityMixin, TableEstimator):
    """
    The joint distribution of the columns of X: categories, yes/no, numbers, dates, times, with missing values; or rows of 0 and 1.

    Parameters
    ----------
    preset : "default", "paper", "accurate" or "single-tree"
        What the options below are where they are None.
    leaves, rounds, shrinkage : int, int, float, or None
        Leaves of a tree, trees of an ensemble at most, and the part of each tree's step that is taken.
    start : "auto", "linear", "base-rate", "half", "logistic" or None
        Where trees start. Of tables "auto", the default, lets a column of numbers start from a ridge regression on earlier columns where that tells
        something, and "linear" wherever there is one. "logistic" is of rows of 0 and 1.
    members : int or None
        Mix so many networks of different orderings.
    budget : str, float or None
        Train the best model that fits into this time: "5m", "90s", "1h", or seconds. It chooses preset and members.
    valid_fraction : float
        The share of the rows that choose how many trees are kept.
    kinds : mapping or None
        What columns are where their values do not show it: {"zip": "categorical"}; binary, categorical, ordered or excluded.
        Columns of categories and of values of several types are categorical.
    rules : sequence of str or None
        What holds of every row, as `orchard train --rule` takes it: ["start <= end", "total = price + tax"]. The model keeps the rules, and
        what it samples and fills in follows them; rows that break one are named in `notes_`.
    options : mapping or None
        Other options of `orchard train`: {"feature_fraction": 0.5, "select": "common"}, or another kind of model:
        {"model": "boosted", "components": 20}.
    engine : "local" or a URL
        Train on this machine, by Node.js, or on the cluster of that coordinator.
    token : str or None
        The token of that cluster; where None, the environment variable ORCHARD_TOKEN, else that of `orchard login`. It is kept as a `Secret`,
        which is neither shown nor pickled: an estimator that was read from a pickle takes the token of the environment.
    n_jobs : int or None
        Threads of this machine, of training, filling in and scoring; all cores where None.
    random_state : int, RandomState, Generator or None
        The seed of the run: of the split of the rows, and of all else. The same gives the same model, byte for byte.
    run_dir : str or None
        A folder that keeps the run with its report and its artefacts: the same fit continues from what is there.
    verbose : bool or None
        Whether progress is shown: None shows it of what takes longer than five seconds, as a bar in terminals and notebooks.

    Attributes
    ----------
    model_ : DensityModel
        What was learned.
    model_bytes_ : bytes
        Its file, for `orchard` and for other languages.
    left_out_ : dict
        The columns that the model knows nothing of, each with the reason; `kinds` keeps them.
    notes_ : list of str
        All that was decided about the rows without being asked for: what was left out, counted as missing, merged or guessed. `fit` warns of
        it, by a `RowsWarning`.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Examples
    --------
    >>> import pandas as pd
    >>> from orchard_density import OrchardDensity
    >>> weather = ["sun", "rain"] * 100
    >>> rides = pd.DataFrame({"weather": weather, "km": [9.0 if sky == "sun" else 2.0 for sky in weather]})
    >>> density = OrchardDensity(rounds=20, n_jobs=1).fit(rides)
    >>> list(density.sample(3, random_state=1, given={"weather": "rain"})["weather"])
    ['rain', 'rain', 'rain']
    >>> density.predict(pd.DataFrame({"km": [2.0, 9.0]}), target="weather").tolist()
    ['rain', 'sun']
    """

    token: SecretParameter = SecretParameter()
    # of pickles of releases that had neither
    _report: str | None = None
    _labels = ColumnLabels(None)
    # of pickles of releases that had none
    rules: Sequence[str] | None = None

    def __init__(
        self,
        preset: Preset = "default",
        *,
        leaves: int | None = None,
        rounds: int | None = None,
        shrinkage: float | None = None,
        members: int | None = None,
        start: Start | None = None,
        budget: str | float | None = None,
        valid_fraction: float = 0.1,
        kinds: Mapping[str, Kind] | None = None,
        rules: Sequence[str] | None = None,
        options: Mapping[str, Any] | None = None,
        engine: str = "local",
        token: str | Secret | None = None,
        n_jobs: int | None = None,
        random_state: Any = 0,
        run_dir: str | None = None,
        verbose: bool | None = None,
    ) -> None:
        self.preset = preset
        self.leaves = leaves
        self.rounds = rounds
        self.shrinkage = shrinkage
        self.members = members
        self.start = start
        self.budget = budget
        self.valid_fraction = valid_fraction
        self.kinds = kinds
        self.rules = rules
        self.options = options
        self.engine = engine
        self.token = token
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.run_dir = run_dir
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None, X_valid: Any = None, sample_weight: Any = None) -> OrchardDensity:
        """
        Learns the distribution of the rows of X, shape (rows, columns). Missing values are values that rows may have; y is ignored.

        X_valid: rows that choose how many trees are kept, instead of a part of X.

        sample_weight: how much each row counts, shape (rows,), from 0: a row of weight 0 is left out. Whole numbers are the same as repeated
        rows, all of which are in one split; others are taken in steps of their mean, and `notes_` says so.
        """
        given = checked_rows(self, X, reset=True)
        rows, weights, _ = counted_rows(given, sample_weight)
        if weights is not None and X_valid is not None:
            raise RowsError(
                "sample_weight and X_valid", "one of them", "Leave X_valid out: a part of X is used.", "sample_weight"
            )
        # what is usual is left out: models of some kinds are trained by neither, and are the same without
        options: dict[str, Any] = {
            "preset": None if self.preset == "default" else self.preset,
            "leaves": self.leaves,
            "rounds": self.rounds,
            "shrinkage": self.shrinkage,
            "members": self.members,
            "start": self.start,
            "budget": self.budget,
            "valid_fraction": self.valid_fraction if X_valid is None else None,
            "threads": threads_of(self.n_jobs) if self.engine == "local" else None,
            "seed": seed_of(self.random_state) or None,
            **mapping_of("options", self.options, "{'feature_fraction': 0.5}"),
        }
        trained = train(
            rows,
            X_valid,
            options,
            engine=self.engine,
            token=self.token,
            kinds=mapping_of("kinds", self.kinds, KINDS_SAID),
            rules=rules_of(self.rules or None).get("rules", ()),
            run_dir=self.run_dir,
            verbose=self.verbose,
            weights=weights,
        )
        self.model_bytes_ = trained.data
        self.model_: DensityModel = load(self.model_bytes_)
        self.left_out_: dict[str, str] = self.model_.left_out
        self.notes_: list[str] = trained.notes
        self._report = trained.report
        warn_of_rows(self.notes_)
        is_frame = isinstance(rows, Frame)
        self._kind = rows.kind if is_frame else None
        typed = rows if is_frame else _typed_columns(rows)
        self._types: dict[str, ColumnType] = {} if typed is None else dict(zip(typed.names, typed.types, strict=True))
        self._dtype = None if is_frame else rows.dtype
        self._labels = ColumnLabels(given)
        self._trained_on = np.unique(row_hashes(rows))
        return self

    def score_samples(self, X: Any, rules: Rules = None) -> Floats:
        """
        log P of each row, in nats, shape (rows,).

        rules: what holds of every row, as in `sample`. What the rules forbid is shared out to what they leave, and a row that breaks one has -inf,
        with a `RulesWarning`; False leaves the rules that the model was trained with.

        Rows that trained the model look more usual than they are: it warns where X has them. `OrchardOutlierDetector` scores each row by a
        model that has not seen it.
        """
        rows = self._rows(X)
        hashes = row_hashes(rows)
        if len(hashes) > 0 and np.isin(hashes, self._trained_on).mean() >= _MOSTLY:
            warn_caller(
                "these rows trained the model, so that their log-likelihoods are too high; "
                "OrchardOutlierDetector scores each row by a model that has not seen it",
                TrainingRowsWarning,
            )
        with self._at_work("scoring rows"):
            return self._model.log_likelihood(rows, rules=rules)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None, rules: Rules = None) -> float:
        """
        The mean of log P of the rows, in nats per row: higher is better. y is ignored. rules as in `score_samples`.

        sample_weight: how much each row counts, shape (rows,), from 0.
        """
        with self._at_work("scoring rows"):
            nats = self._model.log_likelihood(self._rows(X), rules=rules)
        return mean_of(nats, None if sample_weight is None else checked_weights(sample_weight, len(nats)))

    def surprise(self, X: Any) -> Floats:
        """How surprising each value is, in nats, shape (rows, columns): the sum of a row is minus its log-likelihood."""
        with self._at_work("scoring rows"):
            return self._model.surprise(self._rows(X))

    def explain(self, X: Any, top: int = 3) -> Any:
        """
        What makes rows unusual, as a frame of the kind and with the index of X: the `top` most surprising columns of each row, with `row`, `column`,
        `value`, `probability`, `expected` and `surprise` in nats.
        """
        return self._labels.of_cells(self._model.explain(self._rows(X), top))

    def sample(
        self,
        n_samples: int = 1,
        random_state: Any = None,
        given: Mapping[str, Any] | None = None,
        shares: Mapping[str, Mapping[Any, float]] | None = None,
        rules: Rules = None,
    ) -> Any:
        """
        Rows like those of X: a frame of its kind and types where X was one, an array otherwise.

        given: what holds of all of them: ``{"weather": ["rain", "snow"], "age": (18, 25)}``; a value, a list of values, a range, or None.

        shares: which shares of the rows have which values, of a table: ``{"sex": {"female": .6, "male": .4}, "age": {(None, 39): .3, (40, None): .7}}``.
        Of several columns rows are weighed by raking, and taken by their weights.

        rules: what holds of every row beside the rules that the model was trained with: ``["start <= end", "total = price + tax"]``; False leaves
        those too. As `orchard sample --rule`; combinations of labels only where training was given them.
        """
        model = self._model
        if not isinstance(model, TabularModel):
            bits = model.sample(n_samples, random_state, given, shares, rules)
            if self._kind is None:
                return bits.astype(self._dtype)
            columns_of_bits = {name: bits[:, at].tolist() for at, name in enumerate(model.variables)}
            return self._labels.of_columns(frame_like(self._kind, columns_of_bits, self._types))
        words = model.sample_words(check_count(n_samples), seed_of(random_state), given, shares, rules)

        def cells_of(name: str, values: list[Any]) -> list[Any]:
            own = self._types.get(name)
            return values if own is None else model.table.as_cells(name, values, own.kind)

        if self._kind is not None:
            return self._labels.of_columns(frame_like(self._kind, words.changed(cells_of), self._types))
        columns = [
            _column_of(self._types[name].cells(cells_of(name, values)) if self._types else model.as_trained(name, values))
            for name, values in words.items()
        ]
        return _stacked(columns, self._dtype)

    @overload
    def complete(
        self,
        X: Any,
        random_state: Any = None,
        samples: int | None = None,
        evidence: bool = False,
        *,
        draws: int | None = None,
        point: Point | None = None,
        points: Mapping[str, Point] | None = None,
        interval: float,
        rules: Rules = None,
    ) -> Completed: ...

    @overload
    def complete(
        self,
        X: Any,
        random_state: Any = None,
        samples: int | None = None,
        *,
        evidence: Literal[True],
        draws: int | None = None,
        point: Point | None = None,
        points: Mapping[str, Point] | None = None,
        interval: float | None = None,
        rules: Rules = None,
    ) -> Completed: ...

    @overload
    def complete(
        self,
        X: Rows,
        random_state: Any = None,
        samples: int | None = None,
        evidence: Literal[False] = False,
        *,
        draws: int,
        point: None = None,
        points: None = None,
        interval: None = None,
        rules: Rules = None,
    ) -> list[Rows]: ...

    @overload
    def complete(
        self,
        X: Rows,
        random_state: Any = None,
        samples: int | None = None,
        evidence: Literal[False] = False,
        *,
        draws: int | None = None,
        point: Point | None = None,
        points: Mapping[str, Point] | None = None,
        interval: None = None,
        rules: Rules = None,
    ) -> Rows: ...

    def complete(
        self,
        X: Any,
        random_state: Any = None,
        samples: int | None = None,
        evidence: bool = False,
        *,
        draws: int | None = None,
        point: Point | None = None,
        points: Mapping[str, Point] | None = None,
        interval: float | None = None,
        rules: Rules = None,
    ) -> Any:
        """
        X with its missing values filled in given what is known of each row; all other cells stay.

        Parameters
        ----------
        random_state : the seed of the samples
        samples : candidates a row where what is known does not come first; more are slower and nearer to exact
        evidence : gives `Completed`: the rows, and how probable what is known of them is, in nats
        draws : so many completions, as a list
        point : "mean", "median" or "mode" in the place of a sample
        points : the same for single columns, {"wage": "mean"}; the others as `point` has it, or by the median
        interval : gives `Completed`, whose `low` and `high` hold that share of the possible values
        rules : what holds of every filled row, as in `sample`; intervals are of each cell by itself
        """
        words = {"draws": draws, "point": point, "points": points, "interval": interval, "rules": rules}
        with self._at_work("filling in missing values"):
            return self._model.complete(self._gaps(X), random_state, samples, evidence, **words)  # type: ignore[arg-type]

    def probabilities(self, X: Any, random_state: Any = None, draws: int = 200) -> Any:
        """What each missing value of X may be, as a frame of `row`, `column`, `value` and `probability`, the more probable first."""
        return self._labels.of_cells(self._model.probabilities(self._rows(X), random_state, draws))

    def most_probable(self, X: Any) -> Any:
        """X with its missing values filled in by the most probable ones together: of marginals, chow-liu, and one cutset network."""
        return self._model.most_probable(self._gaps(X))

    def predict(self, X: Any, target: str | None = None, random_state: Any = 0) -> Any:
        """
        The most probable value of a column given all others, or its mean where it is a number, shape (rows,).

        target: the column, which X may lack; where nothing is said, the last one.
        """
        rows, name = self._partial(X, target)
        values = self._model.predict(rows, name, random_state)
        own = self._types.get(name)
        if own is not None and own.kind == "number" and values.dtype == object:
            # whole numbers that no float tells apart are labels to the model
            return np.array(whole_cells(values.tolist()))
        if own is None or own.kind in ("number", "text"):
            return values
        return np.array([*own.cells([str(value) for value in values.tolist()]), None], object)[:-1]

    def predict_proba(self, X: Any, target: str | None = None, random_state: Any = 0) -> Floats:
        """
        P(target | all other columns), shape (rows, classes), exactly by the joint; the classes are those of `classes(target)`.

        target: the column, which X may lack; where nothing is said, the last one.
        """
        rows, name = self._partial(X, target)
        return self._model.predict_proba(rows, name, random_state)

    def score_target(self, X: Any, target: str, random_state: Any = 0) -> dict[str, Any]:
        """
        How well one column of X is predicted given all others, as `orchard evaluate --target` measures it: `logScore` in nats; of numbers, dates
        and times `numbers` with `crps` and the coverage and width of `intervals`; of labels `labels` with `logLoss`, `brier` and `accuracy`.
        """
        return self._model.score_target(self._rows(X), str(target), random_state)

    def classes(self, target: str) -> list[str]:
        """What the columns of `predict_proba` are: labels, numbers, or ranges of numbers in words."""
        return self._model.classes(target)

    def associations(self, rows: int = 10_000, random_state: Any = 0, unit: Unit = "strength") -> pandas.DataFrame:
        """What depends on what: a symmetric DataFrame of all pairs of columns, from 0 (independent) to 1, or in nats."""
        return self._labels.of_columns(self._model.associations(rows, random_state, unit))

    def importance(self, X: Any = None) -> pandas.DataFrame:
        """
        What each column is predicted from: a DataFrame of shares of gain, whose row sums to 1 over the columns that predict it.

        X: rows that the model was not trained on. A share is NaN where these rows show it no better than noise. Without X nothing is tested, and
        it warns that shares of noise are among them.
        """
        with self._at_work("testing predictors"):
            return self._labels.of_columns(self._model.importance(None if X is None else self._rows(X)))

    @contextmanager
    def _at_work(self, doing: str) -> Iterator[None]:
        """Questions that are asked within take `n_jobs` threads, and show how far they are."""
        with (
            Progress(self.verbose, doing, has_events=False) as progress,
            process.working(progress.show, threads_of(self.n_jobs)),
        ):
            yield

    def report(self, path: str | os.PathLike[str] | None = None) -> Report:
        """
        The page of the run: likelihoods, columns, dependences, samples, in pictures and tables.

        A notebook shows it below the cell, elsewhere a browser opens it; with `path` it is written there instead.
        """
        assert self._model is not None
        if self._report is None:
            raise RowsError("a run without a page", "one that wrote report.html", "Fit again.", "report")
        report = Report(self._report)
        if path is None:
            report.show()
        else:
            report.save(path)
        return report

    @property
    def _model(self) -> DensityModel:
        if hasattr(self, "model_"):
            return self.model_
        raise NotFittedError(
            f"This {type(self).__name__} is not fitted yet: call fit with rows first, or load a model by orchard_density.load."
        )

    def _rows(self, X: Any) -> Any:
        # says that it is not fitted before anything is said of the rows
        assert self._model is not None
        return self._as_fitted(checked_rows(self, X, reset=False))

    def _as_fitted(self, rows: Any) -> Any:
        """Rows that were checked, with the names that the model has."""
        if not isinstance(rows, Frame) or not isinstance(self._model, TabularModel):
            return rows
        # weights are a column behind those of X
        return called_as_fitted(rows, self._model.table.columns[: self.n_features_in_])

    def _gaps(self, X: Any) -> Any:
        """Rows whose missing values become cells of the types that were fitted: whole numbers where a gap made them floats."""
        rows = self._rows(X)
        if not isinstance(rows, Frame) and self._types and isinstance(self._model, TabularModel):
            typed = _typed_columns(rows)
            # moments are as fine as those that were given
            if typed is None or rows.dtype.kind in "Mm":
                return rows if typed is None else typed
            types = [self._types.get(name, own) for name, own in zip(typed.names, typed.types, strict=True)]
            return replace(typed, types=types)
        # types of one library are none of another
        if not isinstance(rows, Frame) or rows.kind != self._kind or not isinstance(self._model, TabularModel):
            return rows
        types = [self._filled_type(name, own) for name, own in zip(rows.names, rows.types, strict=True)]
        return Frame(rows.kind, rows.names, rows.columns, types, rows.source)

    def _filled_type(self, name: str, given: ColumnType) -> ColumnType:
        fitted, model = self._types.get(name), self._model
        if fitted is None or not isinstance(model, TabularModel) or name not in model.variables:
            return fitted or given
        # frames of other libraries keep their types
        return filled_type(given, fitted, model.table.variable(name).labels) if self._kind == "pandas" else fitted

    def _partial(self, X: Any, target: str | None) -> tuple[Any, str]:
        """Rows that may lack the column that is predicted, and its name."""
        last = self._model.variables[-1]
        if target is None and is_sparse(X):
            raise RowsError("sparse rows and no target", "target=, the column that is predicted", "Name it.")
        if target is None:
            return self._rows(X), last
        frame = frame_of(X)
        return (as_array(X) if isinstance(X, (list, tuple)) else X) if frame is None else frame, str(target)

    def _learned(self) -> DensityModel | None:
        return getattr(self, "model_", None)


#: How kinds are said.
KINDS_SAID = "{'zip': 'categorical'}"
#: What other estimators share with a density.
_SHARED = ("preset", "leaves", "rounds", "members", "start", "kinds", "options", "n_jobs", "verbose")


def density_like(own: Any, **other: Any) -> OrchardDensity:
    """A density, not fitted, with the parameters of another estimator."""
    parameters = {name: getattr(own, name) for name in _SHARED}
    return OrchardDensity(**{**parameters, "random_state": seed_of(own.random_state), **other})


#: What mends a share of too few rows, where an estimator takes the options of `orchard train`.
_LARGER_SHARE = 'Give more rows, or a larger share of them: options={"valid_fraction": 0.5}.'


@contextmanager
def without_shares() -> Iterator[None]:
    """Of estimators that have neither `valid_fraction` nor `X_valid`: what else mends a share of too few rows."""
    try:
        yield
    except RowsError as error:
        if "valid_fraction" not in error.remedy:
            raise
        raise RowsError(error.got, error.expected, _LARGER_SHARE) from None


def threads_of(n_jobs: int | None) -> int | None:
    if n_jobs is None or n_jobs == -1:
        return None
    if n_jobs < 1:
        raise RowsError(f"n_jobs={n_jobs}", "a number of threads, -1 or None", "Give one of these.")
    return n_jobs


def _typed_columns(rows: Any) -> Frame | None:
    """What the cells of an array are, column by column, where they are no numbers of one type."""
    if is_sparse(rows) or rows.dtype.kind in "biuf":
        return None
    return frame_of_array(rows)


def _column_of(cells: list[Any]) -> NDArray[Any]:
    # cells that are tuples would be columns of their own
    return np.array([*cells, None], object)[:-1]


def _stacked(columns: list[NDArray[Any]], dtype: Any) -> NDArray[Any]:
    kind = np.dtype(dtype).kind
    if kind in "US":
        texts = np.column_stack(columns)
        missing = np.array([[cell is None for cell in row] for row in texts], bool)
        texts[missing] = "" if kind == "U" else b""
        # as wide as what is sampled: a text that is cut would be another one
        return texts.astype(kind)
    try:
        if np.dtype(dtype).kind in "iu":
            columns = [np.array(within_type(column.tolist(), dtype)) for column in columns]
        return np.column_stack(columns).astype(dtype)
    except (TypeError, ValueError):
        return np.column_stack([column.astype(object) for column in columns])
