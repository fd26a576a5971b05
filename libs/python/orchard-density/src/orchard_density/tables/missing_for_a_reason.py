"""Which columns of a table lack their values for a reason, such as the battery of a bicycle."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..numerics import log
from .variable import Variable

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Rows that are sampled to find out.
_ROWS = 1000
#: Groups of values, beside missing ones.
_GROUPS = 8
#: Of the entropy of being missing: what one other column has to say of it at least.
_SHARE = 0.25


def missing_for_a_reason(variables: Sequence[Variable], sample_codes: Callable[[int, int], Integers]) -> frozenset[int]:
    """
    In rows that the model samples, another column says a quarter or more of whether they are missing, as
    libs/core/model/src/tables/missing-for-a-reason.ts finds it.
    """
    with_missing = [at for at, variable in enumerate(variables) if variable.hole_code is not None]
    if not with_missing:
        return frozenset()
    codes = sample_codes(_ROWS, 0)
    groups = np.stack([_groups(variable, codes[:, at]) for at, variable in enumerate(variables)])
    return frozenset(
        at for at in with_missing if any(_is_said(groups[at], own) for each, own in enumerate(groups) if each != at)
    )


def _groups(variable: Variable, codes: Integers) -> Integers:
    """Missing ones in the last; neighbouring numbers in one, and of labels all but the most frequent."""
    values = variable.value_count
    own = _GROUPS * codes // values if variable.is_ordered and values > _GROUPS else codes
    hole = -1 if variable.hole_code is None else variable.hole_code
    return np.where(codes == hole, _GROUPS, np.minimum(_GROUPS - 1, own))


def _is_said(groups: Integers, others: Integers) -> bool:
    """Whether a column's groups say enough of whether another one is missing."""
    missing = np.bincount(others[groups == _GROUPS], minlength=_GROUPS + 1)
    every = np.bincount(others, minlength=_GROUPS + 1)
    before = float(_entropy(missing.sum(keepdims=True), every.sum(keepdims=True))[0])
    left = sum(_entropy(missing, every).tolist())
    return before > 0 and before - left - (int((every > 0).sum()) - 1) / 2 >= _SHARE * before


def _entropy(some: Integers, every: Integers) -> Floats:
    """Of so many of so many, times their number; nats."""
    rest = every - some
    at_least_one = np.maximum(every, 1)
    return -some * log(np.maximum(some, 1) / at_least_one) - rest * log(np.maximum(rest, 1) / at_least_one)
