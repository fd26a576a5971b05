"""The estimator: trains on a DataFrame, an array or a sparse matrix, and answers as scikit-learn's density estimators do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .bit_rows import is_frame
from .conventions import BaseEstimator, DensityMixin, NotFittedError, checked_rows
from .density_model import DensityModel
from .errors import RowsError
from .opening import load
from .random_streams import seed_of
from .training import train

Floats = NDArray[np.float64]


class OrchardDensity(DensityMixin, BaseEstimator):  # type: ignore[misc]
    """
    The joint distribution of the columns of X: categories, yes/no, numbers, dates, times and holes, or rows of 0 and 1.

    Parameters
    ----------
    preset : "default" or "paper"
        What the options below are where they are None.
    leaves, rounds, shrinkage : int, int, float, or None
        Leaves of a tree, trees of an ensemble at most, and the part of each tree's step that is taken.
    members : int or None
        Mix so many networks of different orderings (rows of 0 and 1 alone).
    valid_fraction : float
        The share of the rows that choose how many trees are kept.
    kinds : mapping or None
        What columns are where it is not told by their values: {"zip": "categorical"}; binary, categorical, ordered or excluded.
        Columns of the pandas type `category` are categorical.
    options : mapping or None
        Other options of `orchard train`: {"feature_fraction": 0.5, "select": "common"}, or another kind of model:
        {"model": "boosted", "components": 20}.
    engine : "local" or a URL
        Train on this machine, by Node.js, or on the cluster of that coordinator, with `token`. Either starts the command line that is
        inside this package.
    n_jobs : int or None
        Threads of this machine; all cores where None.
    random_state : int, RandomState, Generator or None
        The seed of the run: of the split of the rows, and of all else. The same gives the same model, byte for byte.
    run_dir : str or None
        A folder that keeps the run with its report and its artefacts: the same fit goes on from what is there.
    verbose : bool
        Whether progress is shown on stderr.

    Attributes
    ----------
    model_ : DensityModel
        What was learned.
    model_bytes_ : bytes
        Its file, for `orchard` and for other languages.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.
    """

    def __init__(
        self,
        preset: str = "default",
        *,
        leaves: int | None = None,
        rounds: int | None = None,
        shrinkage: float | None = None,
        members: int | None = None,
        valid_fraction: float = 0.1,
        kinds: Mapping[str, str] | None = None,
        options: Mapping[str, Any] | None = None,
        engine: str = "local",
        token: str | None = None,
        n_jobs: int | None = None,
        random_state: Any = 0,
        run_dir: str | None = None,
        verbose: bool = False,
    ) -> None:
        self.preset = preset
        self.leaves = leaves
        self.rounds = rounds
        self.shrinkage = shrinkage
        self.members = members
        self.valid_fraction = valid_fraction
        self.kinds = kinds
        self.options = options
        self.engine = engine
        self.token = token
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.run_dir = run_dir
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None, X_valid: Any = None) -> OrchardDensity:
        """
        Learns the distribution of the rows of X. Holes are values that may be absent; y is ignored.

        X_valid: rows that choose how many trees are kept, instead of a part of X.
        """
        rows = checked_rows(self, X, reset=True)
        # what is usual is left out: models of some kinds are trained by neither, and are the same without
        options: dict[str, Any] = {
            "preset": None if self.preset == "default" else self.preset,
            "leaves": self.leaves,
            "rounds": self.rounds,
            "shrinkage": self.shrinkage,
            "members": self.members,
            "valid_fraction": self.valid_fraction if X_valid is None else None,
            "threads": _threads(self.n_jobs) if self.engine == "local" else None,
            "seed": seed_of(self.random_state) or None,
            **(self.options or {}),
        }
        self.model_bytes_ = train(
            rows,
            X_valid,
            options,
            engine=self.engine,
            token=self.token,
            kinds=self.kinds or {},
            run_dir=self.run_dir,
            verbose=self.verbose,
        )
        self.model_: DensityModel = load(self.model_bytes_)
        self._dtypes = {str(name): dtype for name, dtype in X.dtypes.items()} if is_frame(X) else None
        self._dtype = None if is_frame(X) else rows.dtype
        return self

    def score_samples(self, X: Any) -> Floats:
        """log P of each row, in nats."""
        return self._model.log_likelihood(self._rows(X))

    def score(self, X: Any, y: Any = None) -> float:
        """The mean of `score_samples`: higher is better. y is ignored."""
        return float(self.score_samples(X).mean())

    def sample(self, n_samples: int = 1, random_state: Any = None) -> Any:
        """Rows like those of X: a DataFrame of its types where X was one, an array otherwise."""
        drawn = self._model.sample(n_samples, random_state)
        if self._dtypes is not None:
            return _as_frame(drawn, self._dtypes, self._model.variables)
        if isinstance(drawn, np.ndarray):
            return drawn.astype(self._dtype)
        columns = [np.asarray(drawn[name]) for name in drawn]
        return _stacked(columns, self._dtype)

    def complete(self, X: Any, random_state: Any = None, samples: int | None = None) -> Any:
        """X with its holes drawn given what is known of each row."""
        return self._model.complete(self._rows(X), random_state, samples)

    def importance(self) -> Floats:
        """Shares of gain, shape (columns, columns): row v says what column v is predicted from. By `model_.variables`."""
        return self._model.importance()

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
        return checked_rows(self, X, reset=False)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.target_tags.required = False
        return tags


def _threads(n_jobs: int | None) -> int | None:
    if n_jobs is None or n_jobs == -1:
        return None
    if n_jobs < 1:
        raise RowsError(f"n_jobs={n_jobs}", "a number of threads, -1 or None", "Give one of these.")
    return n_jobs


def _as_frame(drawn: Any, dtypes: Mapping[str, Any], names: list[str]) -> Any:
    import pandas

    frame = pandas.DataFrame(drawn, columns=names) if isinstance(drawn, np.ndarray) else drawn
    for name in frame.columns:
        dtype = dtypes[name]
        try:
            if dtype.kind == "M":
                frame[name] = pandas.to_datetime(frame[name]).astype(dtype)
            else:
                frame[name] = frame[name].astype(dtype)
        except (TypeError, ValueError):
            # "(other)" is no number, and a hole no whole one: they stay what they are
            continue
    return frame


def _stacked(columns: list[NDArray[Any]], dtype: Any) -> NDArray[Any]:
    try:
        return np.column_stack(columns).astype(dtype)
    except (TypeError, ValueError):
        return np.column_stack([column.astype(object) for column in columns])
