"""Anomaly scores: by how much more than usual the values of a row surprise, column by column, never less than 0."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .density_model import DensityModel
from .tables.coded_model import CodedModel

Floats = NDArray[np.float64]


class AnomalyScorer:
    """Scores rows by a model and what is usual of the rows that it was trained on."""

    def __init__(self, model: DensityModel, usual: Any) -> None:
        self._model = model
        cells = self._surprise(usual)
        self._typical = np.zeros(cells.shape[1]) if len(cells) == 0 else np.nan_to_num(np.nanmean(cells, axis=0))

    def scores(self, rows: Any) -> Floats:
        """The anomaly score of each row, in nats: 0 or more. A value that is not known adds nothing."""
        excess = self._surprise(rows) - self._typical
        scores: Floats = np.where(np.isnan(excess), 0.0, np.maximum(excess, 0.0)).sum(axis=1)
        return scores

    def _surprise(self, rows: Any) -> Floats:
        """
        Of each cell minus log P(value | values before it), NaN where it is not known. Of measurements a bin counts as at least as wide as
        the column's median bin: a value that comes up often makes a narrow one, and outliers on it would look normal.
        """
        if isinstance(self._model, CodedModel):
            return self._model.floored_surprise(rows)
        return self._model.surprise(rows)
