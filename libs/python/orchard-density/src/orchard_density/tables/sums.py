"""What two columns say of a third by their sum or difference (libs/core/dataset/src/variables/column-sums.ts)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .variable import Variable

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Cut points of a sum at most.
_MOST_CUTS = 255


@dataclass(frozen=True)
class Sum:
    """The sum or difference of two columns, in the ordering of a model; its bits stand behind those of the second."""

    #: The position of the first column.
    first: int
    #: By code; NaN of a missing value.
    of_first: Floats
    of_second: Floats
    #: Bit i is 1 where the sum is at least cut i.
    cuts: Floats

    def bits(self, first_codes: Integers, second_codes: Integers) -> NDArray[np.uint8]:
        """Shape (cuts, rows)."""
        sums = self.of_first[first_codes] + self.of_second[second_codes]
        return (sums >= self.cuts[:, np.newaxis]).astype(np.uint8)


def sums_in_ordering(said: Sequence[Mapping[str, Any]], variables: Sequence[Variable]) -> list[list[Sum]]:
    """By position, of variables in the ordering: the sums whose bits stand behind its own."""
    found: list[list[Sum]] = [[] for _ in variables]
    names = [variable.name for variable in variables]
    for each in said:
        total = names.index(each["total"])
        first, second, target = sorted([total, *(names.index(part) for part in each["parts"])])
        of_first, of_second = (
            variables[at].numbers_between_cuts * (1.0 if total in (target, at) else -1.0) for at in (first, second)
        )
        third = variables[target]
        cuts = np.array([third.edges[cut - 1] for cut in third.cuts], np.float64)
        found[second].append(Sum(first, of_first, of_second, cuts[:: max(1, -(-len(cuts) // _MOST_CUTS))]))
    return found
