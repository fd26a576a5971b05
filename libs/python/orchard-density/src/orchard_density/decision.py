"""Odds of binary decisions, each of which looks at a few of many columns."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .ensembles import Ensemble, Floats, Integers, odds_of, pack_columns


class DecisionOdds(Protocol):
    """What sequential Monte Carlo asks of a decision."""

    @property
    def predictors(self) -> Integers:
        """The columns that are read."""
        ...

    def odds_of_read(self, columns: NDArray[np.uint8]) -> Floats:
        """Odds of outcome 1 of each row, given the columns that are read, shape (columns, rows)."""
        ...


class Decision:
    """The odds of one binary decision, from columns of 0 and 1, of which only some are read."""

    def __init__(self, ensemble: Ensemble) -> None:
        self._whole = ensemble

    @property
    def predictors(self) -> Integers:
        """The columns that are read."""
        return self._read[0]

    # not while a file is opened, which has hundreds of decisions: a question may look at a few
    @cached_property
    def _read(self) -> tuple[Integers, Ensemble]:
        """The columns that are read, and the trees with these numbered from 0."""
        whole = self._whole
        predictors, renumbered = np.unique(whole.split_predictor, return_inverse=True)
        numbers = renumbered.reshape(-1).astype(np.int64)
        return predictors, replace(whole, split_predictor=numbers, _stages=[])

    def odds(self, bits: NDArray[np.uint8], rows: Integers) -> Floats:
        """Of some rows of columns of shape (columns, rows), by place among them."""
        return self.odds_of_read(bits[np.ix_(self.predictors, rows)])

    def odds_of_read(self, columns: NDArray[np.uint8]) -> Floats:
        """Given the columns that are read, and no others."""
        return odds_of(self._read[1], pack_columns(columns), columns.shape[1])
