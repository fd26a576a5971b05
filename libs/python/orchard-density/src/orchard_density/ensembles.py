"""Ensembles of trees, and the odds that they give: the product of one factor a tree, in the order of the trees.

Rows are worked on as columns of bits, 64 rows in a word. A tree starts as leaf 0; its split number s moves the rows of one leaf whose
predictor is 1 to leaf s + 1. So the rows of all leaves come from a few operations on words for many trees at once, and only the last step,
looking up the factor of each row's leaf, is by row. Factors are multiplied tree after tree and kept within 2^-900 to 2^900, so that
the odds of a row are the same bits whatever rows are beside it, and those that Orchard computes anywhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .compiled import loop_for as loop_for
from .errors import ModelFileError
from .model_file import Body

ODDS_LIMIT = 2.0**900
#: Words of 64 rows that one operation works on: as much as stays in a core's cache.
WORDS = 4096

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
BitColumns = NDArray[np.uint64]


@dataclass(frozen=True)
class Stage:
    """Trees one after another, of about as many leaves: splits that are missing look at a column of zeros and move nothing."""

    leaves: int
    split_leaf: Integers
    split_predictor: Integers
    factors: Floats


@dataclass(frozen=True)
class Ensemble:
    """The trees that give the odds of one decision."""

    start_odds: float
    leaf_counts: Integers
    split_leaf: Integers
    split_predictor: Integers
    split_gain: Floats
    leaf_factor: Floats
    _stages: list[Stage] = field(default_factory=list, repr=False, compare=False)

    @property
    def trees(self) -> int:
        return len(self.leaf_counts)

    def stages(self) -> list[Stage]:
        if not self._stages and self.trees:
            self._stages.extend(_stages_of(self))
        return self._stages

    def gains(self, predictors: int) -> Floats:
        """The split gain of each predictor, over all trees."""
        gains = np.zeros(predictors)
        np.add.at(gains, self.split_predictor, self.split_gain)
        return gains


def read_ensembles(body: Body, count: int, where: str) -> list[Ensemble]:
    """Cuts the arrays of a file by ensemble."""
    start_odds = body.floats("startOdds", count)
    tree_counts = body.integers("treeCounts", count)
    leaf_counts = body.integers("splitCounts", int(tree_counts.sum())) + 1
    leaves, trees = int(leaf_counts.sum()), len(leaf_counts)
    split_leaf = body.integers("splitLeaf", leaves - trees)
    split_predictor = body.integers("splitPredictor", leaves - trees)
    split_gain = body.floats("splitGain", leaves - trees)
    leaf_factor = body.floats("leafFactor", leaves)
    in_range = (leaf_factor >= 1 / ODDS_LIMIT) & (leaf_factor <= ODDS_LIMIT)
    if not in_range.all() or not (start_odds >= 0).all():
        raise ModelFileError(
            "a factor of the odds beyond all bounds", "2^-900 to 2^900", "Get the file again from where it was made.",
            where,
        )  # fmt: skip
    last_tree = np.concatenate([[0], np.cumsum(tree_counts)])
    last_leaf = np.concatenate([[0], np.cumsum(leaf_counts)])[last_tree]
    ensembles = []
    for at in range(count):
        tree, end = last_tree[at], last_tree[at + 1]
        leaf, end_leaf = last_leaf[at], last_leaf[at + 1]
        splits = slice(leaf - tree, end_leaf - end)
        ensembles.append(
            Ensemble(
                float(start_odds[at]),
                leaf_counts[tree:end],
                split_leaf[splits],
                split_predictor[splits],
                split_gain[splits],
                leaf_factor[leaf:end_leaf],
            )
        )
    return ensembles


def check_ensemble(ensemble: Ensemble, predictors: int, where: str) -> None:
    """That splits are of leaves that exist by then, and look at what comes earlier."""
    first = np.cumsum(ensemble.leaf_counts - 1) - (ensemble.leaf_counts - 1)
    number = np.arange(len(ensemble.split_leaf)) - np.repeat(first, ensemble.leaf_counts - 1)
    if (ensemble.split_leaf > number).any() or (ensemble.split_predictor >= predictors).any():
        raise ModelFileError(
            "a split that contradicts its tree",
            "leaves that exist by then, and predictors that come earlier",
            "Get the file again from where it was made.",
            where,
        )


def pack_columns(values: NDArray[np.uint8]) -> BitColumns:
    """Columns of 0 and 1, shape (columns, rows), as words of 64 rows, with a column of zeros behind them."""
    columns, rows = values.shape
    words = max(1, -(-rows // 64))
    packed = np.zeros((columns + 1, 8 * words), np.uint8)
    if rows:
        packed[:columns, : -(-rows // 8)] = np.packbits(values, axis=1, bitorder="little")
    return packed.view(np.uint64)


def odds_of(ensemble: Ensemble, columns: BitColumns, rows: int) -> Floats:
    """Odds of outcome 1 of each row, under columns that {@link pack_columns} made, or the first of them."""
    odds = np.full(rows, ensemble.start_odds)
    if rows == 0 or ensemble.trees == 0:
        return odds
    if (multiply := loop_for(rows * ensemble.trees)) is not None:
        return _odds_by(multiply, ensemble, columns, rows)
    reach = max(ensemble.start_odds, 1 / ensemble.start_odds) if ensemble.start_odds > 0 else np.inf
    words = -(-rows // 64)
    for stage in ensemble.stages():
        trees = len(stage.factors)
        at_once = max(1, WORDS // words)
        for first in range(0, trees, at_once):
            part = slice(first, min(trees, first + at_once))
            codes = leaf_codes(stage, part, columns[:, :words], rows)
            factors = np.take(stage.factors[part], codes, mode="clip")
            for factor, highest in zip(factors, _reach(stage, part), strict=True):
                reach *= highest
                if reach <= ODDS_LIMIT:
                    odds *= factor
                    continue
                with np.errstate(over="ignore"):
                    odds *= factor
                np.clip(odds, 1 / ODDS_LIMIT, ODDS_LIMIT, out=odds)
                reach = ODDS_LIMIT
    return odds


def _odds_by(multiply: Callable[..., None], ensemble: Ensemble, columns: BitColumns, rows: int) -> Floats:
    odds = np.full(64 * -(-rows // 64), ensemble.start_odds)
    multiply(
        ensemble.leaf_counts,
        ensemble.split_leaf,
        ensemble.split_predictor,
        ensemble.leaf_factor,
        columns,
        odds,
        ODDS_LIMIT,
    )
    return odds[:rows]


def _reach(stage: Stage, part: slice) -> list[float]:
    """How far each tree can move the odds at most, up or down."""
    factors = stage.factors[part]
    highest: list[float] = np.maximum(factors, 1 / factors).max(axis=1).tolist()
    return highest


def leaf_codes(stage: Stage, part: slice, columns: BitColumns, rows: int) -> Integers:
    """Of each tree of a part and each row: the leaf that the row ends in, counted over all leaves of the part."""
    split_leaf, split_predictor = stage.split_leaf[part], stage.split_predictor[part]
    trees, splits = split_leaf.shape
    words = columns.shape[1]
    inside = np.zeros((stage.leaves, trees, words), np.uint64)
    inside[0] = ~np.uint64(0)
    every = np.arange(trees)
    for split in range(splits):
        from_leaf = split_leaf[:, split]
        own = inside[from_leaf, every]
        moved = own & columns[split_predictor[:, split]]
        inside[split + 1] = moved
        inside[from_leaf, every] = own ^ moved
    codes = np.zeros((trees, rows), np.uint16 if stage.leaves > 256 else np.uint8)
    for bit in range((stage.leaves - 1).bit_length()):
        plane = np.zeros((trees, words), np.uint64)
        for leaf in range(1 << bit, stage.leaves):
            if leaf >> bit & 1:
                np.bitwise_or(plane, inside[leaf], out=plane)
        bits = np.unpackbits(plane.view(np.uint8), axis=1, count=rows, bitorder="little")
        np.bitwise_or(codes, bits.astype(codes.dtype) << bit, out=codes)
    return codes + (every * stage.leaves)[:, np.newaxis]


def _stages_of(ensemble: Ensemble) -> Iterator[Stage]:
    width = np.ceil(np.log2(ensemble.leaf_counts)).astype(int)
    ends = np.flatnonzero(np.diff(width)) + 1
    first_leaf = np.concatenate([[0], np.cumsum(ensemble.leaf_counts)])
    for first, end in zip([0, *ends.tolist()], [*ends.tolist(), len(width)], strict=True):
        leaves = slice(first_leaf[first], first_leaf[end])
        splits = slice(first_leaf[first] - first, first_leaf[end] - end)
        yield padded(
            ensemble.leaf_counts[first:end],
            ensemble.split_leaf[splits],
            ensemble.split_predictor[splits],
            ensemble.leaf_factor[leaves],
        )


def padded(counts: Integers, leaf_of_split: Integers, predictor_of_split: Integers, factor_of_leaf: Floats) -> Stage:
    """Trees of whatever numbers of leaves as one stage."""
    trees, leaves = len(counts), int(counts.max())
    is_split = np.arange(leaves - 1) < (counts - 1)[:, np.newaxis]
    is_leaf = np.arange(leaves) < counts[:, np.newaxis]
    split_leaf = np.zeros((trees, leaves - 1), np.int64)
    # the last column is the one of zeros
    split_predictor = np.full((trees, leaves - 1), -1, np.int64)
    factors = np.ones((trees, leaves))
    split_leaf[is_split] = leaf_of_split
    split_predictor[is_split] = predictor_of_split
    factors[is_leaf] = factor_of_leaf
    return Stage(leaves, split_leaf, split_predictor, factors)
