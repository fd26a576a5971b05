"""Tables as sequential Monte Carlo sees them: a variable takes as many steps as its longest path has decisions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..density_model import Completed
from ..sequential import Position, complete_sequentially
from .conditional import Conditional, Floats, allowed_odds, first_open
from .sums import Sum

if TYPE_CHECKING:
    from .table_model import TableModel


def complete_table(
    model: TableModel, codes: NDArray[np.int64], seed: int, samples: int, may_be_missing: frozenset[int]
) -> Completed:
    """
    Fills the codes that are not known; `rows` of what comes back are codes, shape (rows, variables).

    may_be_missing: variables that are missing as often as the model draws them so, where they are not known.
    """
    positions = [
        _position(conditional, sums, index in may_be_missing)
        for index, conditional, sums in zip(model.ordering.tolist(), model.conditionals, model.sums, strict=True)
    ]
    completed = complete_sequentially(positions, codes[:, model.ordering], seed, samples, _merit)
    filled = np.zeros(codes.shape, np.int64)
    filled[:, model.ordering] = completed.rows
    return replace(completed, rows=filled)


def _position(conditional: Conditional, sums: Sequence[Sum], may_be_missing: bool) -> Position:
    variable, tree = conditional.variable, conditional.tree
    weights = variable.filled_weights.copy()
    if may_be_missing:
        weights[variable.hole_code] = 1

    def conditioned(decision: int, count: int, odds_of: Callable[[int], Floats]) -> Floats | None:
        return allowed_odds(tree, weights, count, odds_of).odds[decision]

    longest = max(len(path) for path in tree.paths)
    return Position(
        zero=tree.zero,
        one=tree.one,
        decisions=conditional.decisions,
        paths=tree.paths,
        # filled in by a value: that it is one says nothing of the rest of its row
        start=tree.root if may_be_missing else first_open(tree, weights),
        conditioned=conditioned if may_be_missing else None,
        predictors=variable.predictors,
        sums=sums,
        numbers=longest + 1,
    )


def _merit(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    # values of many codes split the weights finely: by the power of 3/4 the evidence errs less than by the root
    root = np.sqrt(weights)
    return root * np.sqrt(root)
