"""Alarms at a rate that usual rows promise, of rows that come one file or one batch after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .density_model import DensityModel
from .errors import RowsError
from .estimator import OrchardDensity
from .frames import frame_of, pandas_frame
from .outliers import OrchardOutlierDetector

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Alarms:
    """Which of some rows are alarms."""

    #: Of each row whether it is one, shape (rows,).
    raised: NDArray[np.bool_]
    #: The anomaly score of each row, in nats, shape (rows,).
    scores: Floats
    #: Rows with a higher score are alarms; with a window, that of the row after the last.
    threshold: float
    #: The rate that the usual rows promise: of rows like them at most this share are alarms.
    promised: float
    #: Rows that each row was compared with.
    usual_rows: int
    #: The columns whose values are other than those that the model learned, the furthest first: a DataFrame by column of `distance`, the total
    #: variation distance (0 equal, 1 disjoint), and `by_chance`, the greatest that chance made in 200 tries.
    drift: pandas.DataFrame


class AlarmStream:
    """
    Raises alarms for unusual rows at a rate that you choose, as `orchard outliers --baseline --alarms` does.

    A row is an alarm if its anomaly score is above the k-th highest of n usual rows, k the rate times n + 1, rounded down: of rows like the usual
    ones no more than that share are, whatever the model is. With a window each row is compared with so many rows before it, first of the usual ones
    and then of those that came, so that a slow drift does not raise the rate.

    Parameters
    ----------
    model : DensityModel, OrchardDensity or OrchardOutlierDetector
        What scores the rows; fitted.
    usual : rows
        Usual rows that the model did not learn from: 999 at least for 1/1000, in the order in which they came.
    rate : float
        The share of usual rows that may be alarms.
    window : int, optional
        How many rows before it each row is compared with.
    given_columns : sequence of str
        Columns that say which group a row is of, as in `DensityModel.anomaly_scores`; those of a detector where nothing is said.

    Examples
    --------
    >>> import numpy as np
    >>> from orchard_density import AlarmStream, OrchardDensity
    >>> random = np.random.default_rng(0)
    >>> usual = random.normal(size=(400, 2))
    >>> density = OrchardDensity(options={"model": "chow-liu"}, n_jobs=1).fit(usual[:200])
    >>> stream = AlarmStream(density, usual[200:], rate=1 / 100)
    >>> stream.update([[0.1, 0.2], [9.0, -9.0]]).raised.tolist()
    [False, True]
    """

    def __init__(
        self,
        model: DensityModel | OrchardDensity | OrchardOutlierDetector,
        usual: Any,
        rate: float = 1 / 1000,
        window: int | None = None,
        given_columns: Sequence[str] = (),
    ) -> None:
        if not 0 < rate < 1:
            raise RowsError(f"rate={rate!r}", "a share between 0 and 1", "Give 1 / 1000.", "rate")
        if window is not None and window < 1:
            raise RowsError(f"window={window!r}", "a whole number of at least 1", "Give another.", "window")
        if isinstance(model, OrchardOutlierDetector):
            given_columns = given_columns or tuple(str(name) for name in model.given_columns)
            model._check_fitted()
            model = model.density_
        self._density = model if isinstance(model, OrchardDensity) else None
        self._model = model.model_ if isinstance(model, OrchardDensity) else model
        self._given_columns = given_columns
        self.rate = rate
        self.window = window
        #: Scores that the next row is compared with, the latest last.
        self.recent = self._scored(self._rows(usual))
        if window is not None:
            self.recent = self.recent[-window:]

    def update(self, X: Any) -> Alarms:
        """Which of these rows are alarms; with a window the next ones are compared with them."""
        rows = self._rows(X)
        scores = self._scored(rows)
        given, _, _ = self._model._given(rows, may_be_missing=True)
        size = {} if self.window is None else {"window": len(self.recent)}
        said = self._model._ask("alarms", rows=given, usual=self.recent, scores=scores, rate=float(self.rate), **size)
        raised = np.zeros(len(scores), np.bool_)
        raised[said["rows"]] = True
        if self.window is not None:
            self.recent = np.concatenate([self.recent, scores])[-len(self.recent) :]
        columns = {
            "distance": [column["distance"] for column in said["drift"]],
            "by_chance": [column["byChance"] for column in said["drift"]],
        }
        drift = pandas_frame(columns, [column["column"] for column in said["drift"]])
        return Alarms(raised, scores, said["threshold"], said["promised"], said["usualRows"], drift)

    def _rows(self, X: Any) -> Any:
        if self._density is not None:
            return self._density._rows(X)
        frame = frame_of(X)
        return X if frame is None else frame

    def _scored(self, rows: Any) -> Floats:
        return self._model.anomaly_scores(rows, self._given_columns)
