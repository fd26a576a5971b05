"""Missing values of a table filled in, as a transformer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .conventions import TableEstimator, TransformerMixin, checked_rows
from .density_model import points_of
from .errors import RowsError
from .estimator import density_like, without_shares
from .frames import Frame
from .likely_name import remedy_of_name
from .random_streams import seed_of
from .words import Kind, Point, PointOrSample, Preset, Start


class OrchardImputer(TransformerMixin, TableEstimator):
    """
    Fills in missing values given all other values of their row: categories, numbers, dates.

    Parameters
    ----------
    point : "median", "mean", "mode" or "sample"
        What a missing value becomes: a point of what it may be, with as many decimals as its column has (of labels the most frequent one), or
        a sample of it, which keeps the spread of the column.
    points : mapping or None
        The same for single columns: {"wage": "mean", "age": "mode"}; the others as `point` has it. Not beside "sample".
    draws : int
        Completions that a point is made of.
    refills : int
        How often the gaps of the rows of `fit` are filled in by medians and a model is fitted anew to the filled rows. 1 often errs less where gaps
        come by chance, for twice the time; that a value is missing then tells nothing about the rest of its row.
    preset, leaves, rounds, members, start, kinds, options, n_jobs, random_state, verbose
        As of `OrchardDensity`.

    Attributes
    ----------
    density_ : OrchardDensity
        The model that values are filled in by.

    Examples
    --------
    >>> import numpy as np
    >>> from orchard_density import OrchardImputer
    >>> rows = np.array([[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]] * 60)
    >>> imputer = OrchardImputer(rounds=20, n_jobs=1).fit(rows)
    >>> imputer.transform(np.array([[2.0, np.nan]])).tolist()
    [[2.0, 20.0]]
    """

    def __init__(
        self,
        point: PointOrSample = "median",
        *,
        points: Mapping[str, Point] | None = None,
        draws: int = 100,
        refills: int = 0,
        preset: Preset = "default",
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
        self.point: PointOrSample = point
        self.points = points
        self.draws = draws
        self.refills = refills
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

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> OrchardImputer:
        """
        Learns the joint distribution of the columns of X, shape (rows, columns), missing values among them; y is ignored.

        sample_weight: how much each row counts, shape (rows,), from 0, as of `OrchardDensity`.
        """
        if self.point not in ("median", "mean", "mode", "sample"):
            raise RowsError(
                f"point={self.point!r}", "'median', 'mean', 'mode' or 'sample'", "Give one of these.", "OrchardImputer"
            )
        if self.points and self.point == "sample":
            raise RowsError(
                "points beside point='sample'", "points of all columns, or samples", "Leave one of them out.", "OrchardImputer"
            )
        if not isinstance(self.refills, (int, np.integer)) or self.refills < 0:
            raise RowsError(f"refills={self.refills!r}", "a whole number from 0", "Give 0, or 1.", "OrchardImputer")
        rows = checked_rows(self, X, reset=True)
        # what only filling in looks at, before a model is trained
        known = rows.names if isinstance(rows, Frame) else [f"column {at + 1}" for at in range(rows.shape[1])]
        for name in points_of(self.points, "OrchardImputer"):
            if str(name) not in known:
                raise RowsError(f"the column {name!r}", "a column of X", remedy_of_name(name, known), "points")
        with without_shares():
            self.density_ = density_like(self).fit(rows, sample_weight=sample_weight)
        for _ in range(self.refills):
            filled = self.density_.complete(rows, seed_of(self.random_state), draws=self.draws, point="median")
            self.density_ = density_like(self).fit(filled, sample_weight=sample_weight)
        return self

    def transform(self, X: Any) -> Any:
        """
        X with its missing values filled in: a frame of the same kind and types, or an array of shape (rows, columns). A column of pandas whose gaps made
        floats or objects of it has the type that it had in `fit`, and so has one whose type has no place for what is filled in.
        """
        self._check_fitted()
        rows = checked_rows(self, X, reset=False)
        if not isinstance(rows, Frame) and not hasattr(rows, "tocsr") and not _has_missing(rows):
            return rows.copy()
        seed = seed_of(self.random_state)
        point = self.point
        if point == "sample":
            return self.density_.complete(rows, seed)
        return self.density_.complete(rows, seed, draws=self.draws, point=point, points=self.points)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """The names of the columns that come out: those that went in."""
        self._check_fitted()
        known = getattr(self, "feature_names_in_", None)
        if input_features is None:
            if known is not None:
                return np.asarray(known, object)
            return np.array([f"x{at}" for at in range(self.n_features_in_)], np.object_)
        names = np.asarray(input_features, object)
        if known is not None and list(names) != list(known):
            raise ValueError("input_features is not equal to feature_names_in_")
        if len(names) != self.n_features_in_:
            raise ValueError(f"input_features should have length equal to number of features ({self.n_features_in_})")
        return names

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        return tags


def _has_missing(rows: NDArray[Any]) -> bool:
    if rows.dtype.kind == "f":
        return bool(np.isnan(rows).any())
    return rows.dtype.kind == "O"
