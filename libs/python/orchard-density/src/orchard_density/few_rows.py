"""
The odds of all columns of a few rows at once.

The trees of one column are too few to keep numpy busy with a hundred rows: the first trees of all columns are worked on together, then the
second ones, and so on. Each column's factors are multiplied in the same order as by `odds_of`, so that its odds are the same bits.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from . import ensembles as one_by_one
from .ensembles import ODDS_LIMIT, WORDS, BitColumns, Ensemble, Floats, Stage, leaf_codes, padded

#: From so many rows on it is no faster.
MOST_ROWS = 8192
#: Trees of fewer leaves are padded to as many; of what is larger the padding costs more than is gained.
_MOST_LEAVES, _MOST_FACTORS = 64, 2**22


class TreesTogether:
    """Trees of ensembles whose predictors are known, side by side."""

    def __init__(self, ensembles: Sequence[Ensemble]) -> None:
        counts = np.array([ensemble.trees for ensemble in ensembles])
        # ensembles of most trees first: those that have a tree more are the first ones
        self._order = np.argsort(-counts, kind="stable")
        self._start = np.array([ensemble.start_odds for ensemble in ensembles])[self._order]
        self._having = [int((counts > tree).sum()) for tree in range(counts.max(initial=0))]
        self._ends = np.concatenate([[0], np.cumsum(self._having)]).astype(int).tolist()
        first = (np.cumsum(counts) - counts)[self._order]
        places = [first[:having] + tree for tree, having in enumerate(self._having)]
        kept = [ensemble for ensemble in ensembles if ensemble.trees]
        stage = padded(
            np.concatenate([ensemble.leaf_counts for ensemble in kept]),
            np.concatenate([ensemble.split_leaf for ensemble in kept]),
            np.concatenate([ensemble.split_predictor for ensemble in kept]),
            np.concatenate([ensemble.leaf_factor for ensemble in kept]),
        )
        own = np.concatenate(places)
        self._stage = Stage(stage.leaves, stage.split_leaf[own], stage.split_predictor[own], stage.factors[own])
        self._first_clipped = self._first_beyond()

    @staticmethod
    def of(ensembles: Sequence[Ensemble]) -> TreesTogether | None:
        """None where there are no trees, or too large ones."""
        leaves = max((int(ensemble.leaf_counts.max()) for ensemble in ensembles if ensemble.trees), default=0)
        trees = sum(ensemble.trees for ensemble in ensembles)
        return TreesTogether(ensembles) if 0 < leaves <= _MOST_LEAVES and trees * leaves <= _MOST_FACTORS else None

    @property
    def trees(self) -> int:
        return self._ends[-1]

    def odds(self, columns: BitColumns, rows: int) -> Floats | None:
        """Odds of outcome 1, shape (ensembles, rows), under columns of `pack_columns`; None where it is faster one by one."""
        if rows > MOST_ROWS or one_by_one.loop_for(rows * self.trees) is not None:
            return None
        words = max(1, -(-rows // 64))
        odds = np.repeat(self._start[:, np.newaxis], rows, axis=1)
        tree = 0
        while tree < len(self._having):
            until = tree + max(1, WORDS // words // self._having[tree])
            until = min(until, len(self._having))
            part = slice(self._ends[tree], self._ends[until])
            codes = leaf_codes(self._stage, part, columns[:, :words], rows)
            factors = np.take(self._stage.factors[part], codes, mode="clip")
            for at in range(tree, until):
                live = odds[: self._having[at]]
                own = factors[self._ends[at] - part.start : self._ends[at + 1] - part.start]
                if at < self._first_clipped:
                    live *= own
                    continue
                with np.errstate(over="ignore"):
                    live *= own
                np.clip(live, 1 / ODDS_LIMIT, ODDS_LIMIT, out=live)
            tree = until
        result = np.empty_like(odds)
        result[self._order] = odds
        return result

    def _first_beyond(self) -> int:
        """The first tree that may move the odds of an ensemble beyond their limits."""
        with np.errstate(divide="ignore", over="ignore"):
            reach = np.maximum(self._start, 1 / self._start)
            highest = np.maximum(self._stage.factors, 1 / self._stage.factors).max(axis=1)
            for tree, having in enumerate(self._having):
                reach[:having] *= highest[self._ends[tree] : self._ends[tree + 1]]
                if (reach[:having] > ODDS_LIMIT).any():
                    return tree
        return len(self._having)
