"""Outliers of a table: each row scored by models that have not seen it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from .conventions import OutlierMixin, TableEstimator, checked_rows
from .density_model import names_of_groups
from .errors import RowsError
from .estimator import KINDS_SAID, OrchardDensity, threads_of
from .mappings import mapping_of
from .random_streams import seed_of
from .row_hashes import row_hashes
from .rows_given import rows_at
from .training import cross_fitted_scores
from .words import Kind, Preset, Start

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Rows of training whose explanation is kept: those of the highest scores.
_MOST_EXPLAINED = 200

#: Kinds of models whose training draws nothing.
_WITHOUT_SEED = ("chow-liu", "marginals")


class OrchardOutlierDetector(OutlierMixin, TableEstimator):
    """
    Finds rows that the others make unlikely, of tables with categories, numbers, dates and missing values.

    A model scores the rows that trained it too well. So `orchard outliers` splits the rows into `cv` parts, each scored by a model of the others,
    and scores rows by models of few rows too, to which outliers that are many or alike still look unusual. New rows are scored by a model of all
    rows, and rows of training are recognised and keep the score that they had.

    The anomaly score of a row is summed over its columns: by how much more each value surprises than is typical of its column, never less than 0,
    so that one usual value cannot make up for an unusual one. It is 0 or more, in nats, and does not depend on units.

    Parameters
    ----------
    contamination : "auto" or a share in (0, 0.5]
        The share of outliers among the rows of `fit`; a twentieth where nothing is said.
    cv : int
        Parts that the rows are split into, 2 at least.
    small_models : bool, optional
        Whether rows of training are scored by 32 models of few rows too, each by those that have not seen it. Where nothing is said they are
        scored so if nothing is said of how models are trained either.
    given_columns : sequence of str
        Columns that say which group a row is of, ["region", "type"]: the score is of the other columns given these, so that a rare group is not
        unusual by its rarity. As `orchard outliers --given-columns`; no small models score then, and no members.
    preset, leaves, rounds, members, start, kinds, options, n_jobs, random_state, verbose
        As of `OrchardDensity`.

    Attributes
    ----------
    decision_scores_ : array of shape (rows,)
        The anomaly score of each row of `fit`, by a model that has not seen it. Higher is more unusual.
    threshold_ : float
        Rows with a higher score are outliers.
    labels_ : array of shape (rows,)
        1 for outliers, 0 for other rows, as pyod has them. (`predict` and `fit_predict` answer -1 and 1, as scikit-learn does.)
    offset_ : float
        Minus the threshold: `decision_function` is `score_samples` less it.
    density_ : OrchardDensity
        The model of all rows.

    Examples
    --------
    >>> import numpy as np
    >>> from orchard_density import OrchardOutlierDetector
    >>> angles = np.linspace(0, 6, 200)
    >>> circle = np.column_stack([np.cos(angles), np.sin(angles)])
    >>> circle[7] = [0.05, 0.1]
    >>> detector = OrchardOutlierDetector(contamination=0.005, rounds=20, n_jobs=1).fit(circle)
    >>> np.flatnonzero(detector.labels_).tolist()
    [7]
    """

    def __init__(
        self,
        contamination: float | Literal["auto"] = "auto",
        *,
        cv: int = 5,
        small_models: bool | None = None,
        given_columns: Sequence[str] = (),
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
        self.contamination = contamination
        self.cv = cv
        self.small_models = small_models
        self.given_columns = given_columns
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

    def fit(self, X: Any, y: Any = None) -> OrchardOutlierDetector:
        """Learns from the rows of X, shape (rows, columns), outliers among them; y is ignored."""
        share = 0.05 if self.contamination == "auto" else self.contamination
        if not isinstance(share, (int, float, np.integer, np.floating)) or not 0 < share <= 0.5:
            raise RowsError(f"contamination={self.contamination!r}", "'auto', or a share up to 0.5", "Give another.")
        if not isinstance(self.cv, (int, np.integer)) or self.cv < 2:
            raise RowsError(f"cv={self.cv!r}", "a whole number of at least 2", "Give another.")
        rows = checked_rows(self, X, reset=True)
        seed = seed_of(self.random_state)
        own = self._options()
        kinds = mapping_of("kinds", self.kinds, KINDS_SAID)
        # in double quotes, since names may have commas
        groups = ",".join(f'"{name.replace(chr(34), 2 * chr(34))}"' for name in names_of_groups(self.given_columns))
        options = {
            "given_columns": groups or None,
            "seed": seed or None,
            "threads": threads_of(self.n_jobs),
            "small_models": self.small_models is True,
            "no_small_models": self.small_models is False,
            **own,
        }
        folds = min(self.cv, rows.shape[0])
        explained = min(_MOST_EXPLAINED, rows.shape[0])
        scores, family, outliers = cross_fitted_scores(
            rows, options, folds=folds, explained=explained, kinds=kinds, verbose=self.verbose
        )
        density = OrchardDensity(
            members=self.members,
            kinds=self.kinds,
            options={"model": family, **({"ordering": f"first:{groups}"} if groups else {}), **own},
            n_jobs=self.n_jobs,
            random_state=0 if family in _WITHOUT_SEED else seed,
            verbose=self.verbose,
        )
        self.density_ = density.fit(rows)
        # equal rows are equally unusual, whichever fold they were in
        hashes = row_hashes(rows)
        self._known, places = np.unique(hashes, return_inverse=True)
        self._explained = {int(hashes[said["row"] - 1]): said["cells"] for said in reversed(outliers)}
        self._known_scores = np.bincount(places, scores) / np.bincount(places)
        self.decision_scores_ = self._known_scores[places]
        self.threshold_ = float(np.quantile(self.decision_scores_, 1 - share))
        self.offset_ = -self.threshold_
        self.labels_ = (self.decision_scores_ > self.threshold_).astype(int)
        return self

    def score_samples(self, X: Any) -> Floats:
        """Minus the anomaly score of each row, in nats, shape (rows,): the lower, the more unusual."""
        return -self._scores(X)

    def decision_function(self, X: Any) -> Floats:
        """`score_samples` less `offset_`, shape (rows,): negative for outliers."""
        return self.score_samples(X) - self.offset_

    def predict(self, X: Any) -> Integers:
        """-1 for outliers, 1 for other rows, shape (rows,)."""
        return np.where(self.decision_function(X) < 0, -1, 1)

    def fit_predict(self, X: Any, y: Any = None) -> Integers:
        """-1 for outliers among the rows of X, 1 for the others, each by a model that has not seen it."""
        return np.where(self.fit(X).labels_ == 1, -1, 1)

    def explain(self, X: Any, top: int = 3) -> Any:
        """
        What makes rows unusual, in the form of `OrchardDensity.explain`.

        The 200 rows of `fit` with the highest scores are explained as `orchard outliers` does, by models that have not seen them: ten cells at
        most, each by its probability given all other cells of the row. Other rows are explained by the model of all rows.
        """
        self._check_fitted()
        hashes = row_hashes(checked_rows(self, X, reset=False)).tolist()
        known = {row: self._explained[own] for row, own in enumerate(hashes) if own in self._explained}
        explained = self.density_.model_._explained(self.density_._rows(X), top, known, self.given_columns)
        return self.density_._labels.of_cells(explained)

    def _facts(self) -> dict[str, str]:
        if not hasattr(self, "labels_"):
            return super()._facts()
        found = (
            f"{int(self.labels_.sum())} of {len(self.labels_)} rows, above an anomaly score of {self.threshold_:.4g}"
        )
        return {"outliers": found, **super()._facts()}

    def _scores(self, X: Any) -> Floats:
        self._check_fitted()
        rows = checked_rows(self, X, reset=False)
        hashes = row_hashes(rows)
        places = np.searchsorted(self._known, hashes).clip(max=len(self._known) - 1)
        is_known = self._known[places] == hashes
        scores = np.where(is_known, self._known_scores[places], 0.0)
        fresh = np.flatnonzero(~is_known)
        if len(fresh):
            new = self.density_._as_fitted(rows_at(rows, fresh))
            scores[fresh] = self.density_.model_.anomaly_scores(new, self.given_columns)
        return scores

    def _options(self) -> dict[str, Any]:
        """What the models are trained by, in the words of the command line."""
        trees = {
            "preset": None if self.preset == "default" else self.preset,
            "leaves": self.leaves,
            "rounds": self.rounds,
            "start": self.start,
        }
        return {
            **{name: value for name, value in trees.items() if value is not None},
            **mapping_of("options", self.options, "{'feature_fraction': 0.5}"),
        }
