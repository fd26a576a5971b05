"""Networks as sequential Monte Carlo sees them: every column is one decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .decision import Decision, DecisionOdds
from .density_model import Completed
from .network import Network
from .sequential import Position, complete_sequentially


def complete_network(
    network: Network, rows: NDArray[np.uint8], known: NDArray[np.bool_], seed: int, samples: int
) -> Completed:
    """Fills the columns of rows that are not known."""
    decisions = [Decision(ensemble) for ensemble in network.ensembles]
    return complete_columns(decisions, network.ordering, rows, known, seed, samples)


def complete_columns(
    decisions: Sequence[DecisionOdds],
    ordering: NDArray[np.int64],
    rows: NDArray[np.uint8],
    known: NDArray[np.bool_],
    seed: int,
    samples: int,
) -> Completed:
    """decisions: of each position of the ordering, by the positions before it."""
    positions = [
        Position(
            zero=np.array([-1]),
            one=np.array([-2]),
            decisions=[decision],
            paths=[[(0, 0)], [(0, 1)]],
            start=0,
            predictors=np.array([[0, 1]], np.uint8),
            numbers=1,
        )
        for decision in decisions
    ]
    codes = np.where(known, rows.astype(np.int64), -1)[:, ordering]
    completed = complete_sequentially(positions, codes, seed, samples, np.sqrt)
    filled = np.zeros(rows.shape, np.uint8)
    filled[:, ordering] = completed.rows
    return replace(completed, rows=filled)
