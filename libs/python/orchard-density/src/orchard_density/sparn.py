"""Sparse autoregressive networks: each column by a logistic regression on those before it (libs/families/sparn)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from .bits_model import Bits, BitsModel
from .density_model import Completed, Floats, shares
from .ensembles import ODDS_LIMIT
from .errors import damaged
from .model_file import ModelFile
from .network import log_probability
from .numerics import exp
from .random_streams import SAMPLE, UniformStreams

#: Values at a time; results do not depend on it.
_ROOM = 2**20


class Sparn(BitsModel):
    """The log-odds of a column are an intercept, and of some columns before it a weight times their value as 1 or -1."""

    def __init__(self, file: ModelFile) -> None:
        super().__init__(file)
        body, dimensions = file.body, file.dimensions
        self.intercepts = body.floats("intercepts", dimensions)
        counts = body.integers("counts", dimensions)
        #: The weights of column d: at `starts[d]` to before `starts[d + 1]`, of `predictors` ascending.
        self.starts = np.concatenate([[0], np.cumsum(counts)])
        self.predictors = body.integers("predictors", int(counts.sum()))
        self.weights = body.floats("weights", int(counts.sum()))
        self._column = np.repeat(np.arange(dimensions), counts)
        with damaged(file.where, "of each column an intercept, and weights of columns before it, ascending"):
            self._check()
        #: Log-odds of each column where all before it are 0.
        self._bases = self.intercepts.copy()
        np.subtract.at(self._bases, self._column, self.weights)
        by_predictor = np.argsort(self.predictors, kind="stable")
        last = np.cumsum(np.bincount(self.predictors, minlength=dimensions))
        told = np.split(by_predictor, last[:-1])
        #: Of each predictor: the columns that it tells, and what a 1 of it changes in their log-odds.
        self._tells = [(self._column[own], 2.0 * self.weights[own]) for own in told]

    def log_likelihood_of_bits(self, rows: Bits) -> Floats:
        total = np.zeros(len(rows))
        for part, column, odds in self._visit(rows):
            total[part] += log_probability(rows[part, column], odds)
        return total

    def cells_of_bits(self, rows: Bits) -> Floats:
        cells = np.zeros(rows.shape)
        for part, column, odds in self._visit(rows):
            cells[part, column] = log_probability(rows[part, column], odds)
        return cells

    def sample_bits(self, n: int, seed: int) -> Bits:
        rows = np.zeros((n, self.dimensions), np.uint8)
        streams: UniformStreams | None = None
        for part, column, odds in self._visit(rows):
            if column == 0:
                streams = UniformStreams(seed, SAMPLE, part.start, part.stop - part.start)
            assert streams is not None
            # u < odds / (1 + odds), without the rounding of the division
            rows[part, column] = streams.next() * (1.0 + odds) < odds
        return rows

    def complete_bits(self, rows: Bits, known: NDArray[np.bool_], seed: int, samples: int) -> Completed:
        from .network_completion import complete_columns

        decisions = [self._decision(column) for column in range(self.dimensions)]
        return complete_columns(decisions, np.arange(self.dimensions), rows, known, seed, samples)

    def importance(self) -> Floats:
        """Shares of the weights' sizes."""
        sizes = np.zeros((self.dimensions, self.dimensions))
        sizes[self._column, self.predictors] = np.abs(self.weights)
        return shares(sizes)

    def _decision(self, column: int) -> LogisticDecision:
        own = slice(self.starts[column], self.starts[column + 1])
        return LogisticDecision(float(self._bases[column]), self.predictors[own], 2.0 * self.weights[own])

    def _visit(self, rows: Bits) -> Iterator[tuple[slice, int, Floats]]:
        """Odds of a 1 of some rows, column after column. What whoever asks writes into that column is read by the later ones."""
        at_once = max(1, _ROOM // self.dimensions)
        for first in range(0, len(rows), at_once):
            part = slice(first, min(len(rows), first + at_once))
            log_odds = np.repeat(self._bases[:, np.newaxis], part.stop - part.start, axis=1)
            for column, (told, changes) in enumerate(self._tells):
                yield part, column, _odds(log_odds[column])
                if len(told):
                    log_odds[told] += changes[:, np.newaxis] * rows[part, column]

    def _check(self) -> None:
        if not (np.isfinite(self.intercepts).all() and np.isfinite(self.weights).all()):
            raise ValueError("an intercept or a weight that is no number")
        is_first = np.isin(np.arange(len(self.predictors)), self.starts[:-1])
        before = np.where(is_first, -1, np.concatenate([[-1], self.predictors])[: len(self.predictors)])
        wrong = np.flatnonzero((self.predictors <= before) | (self.predictors >= self._column))
        if len(wrong):
            raise ValueError(f"column {self._column[wrong[0]]} told by column {self.predictors[wrong[0]]}")


class LogisticDecision:
    """The odds of one column, from the few that it looks at."""

    def __init__(self, base: float, predictors: NDArray[np.int64], changes: Floats) -> None:
        self._base, self._changes = base, changes
        self.predictors = predictors

    def odds_of_read(self, columns: Bits) -> Floats:
        log_odds = np.full(columns.shape[1], self._base)
        # in the order in which they are told elsewhere: the same bits
        for change, column in zip(self._changes.tolist(), columns, strict=True):
            log_odds += change * column
        return _odds(log_odds)


def _odds(log_odds: Floats) -> Floats:
    return np.clip(exp(log_odds), 1 / ODDS_LIMIT, ODDS_LIMIT)
