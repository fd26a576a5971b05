"""Two columns that are one value more often than by chance: what that adds to log-densities, and values that both have."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..moment_words import moment_from_text, moment_step, write_moment
from ..number_words import MOST_DECIMALS
from ..numerics import exp, log
from .density import code_of, drawn_within, log_densities, share_between, step_of
from .variable import Variable

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
#: The ends of what two cells have in common, and its share of the first one.
Overlap = tuple[float, float, float]


class EqualColumns:
    """
    Where the cells of both overlap, they are one value with the probability `share`, which lies in the overlap as values of the first do;
    otherwise each lies in its cell by itself.
    """

    def __init__(self, variables: Sequence[Variable], names: Sequence[str], said: Mapping[str, Any]) -> None:
        self.first, self.second = names.index(said["one"]), names.index(said["other"])
        self.one, self.other = variables[self.first], variables[self.second]
        self.share: float = said["share"]
        form = self.one.format
        if self.one.is_of_moments:
            self._step = float(moment_step(form))
        else:
            self._step = 10.0 ** -form["places"] if form["places"] < MOST_DECIMALS else step_of(self.one)
        self._overlaps: dict[tuple[int, int], Overlap | None] = {}

    def nats(self, codes: Integers, values: Mapping[int, Floats], other_nats: Floats) -> Floats:
        """What is to be added to the log-densities of the second column."""
        result = np.zeros(len(codes))
        ones, others = values[self.first], values[self.second]
        apart = log(1 - self.share)
        for row in np.flatnonzero(~np.isnan(ones) & ~np.isnan(others)).tolist():
            overlap = self._overlap(int(codes[row, self.first]), int(codes[row, self.second]))
            if overlap is None:
                continue
            low, high, share = overlap
            result[row] = apart
            if abs(ones[row] - others[row]) < self._step / 2 and low <= ones[row] < high:
                as_one = log(self.share) - other_nats[row] - log(self._step * share)
                most = max(apart, as_one)
                result[row] = most + log(exp(apart - most) + exp(as_one - most))
        return result

    def equal_values(
        self, codes: Integers, known: Mapping[int, Floats], decides: Floats, drawn_by: Floats
    ) -> Iterator[tuple[int, Any]]:
        """Rows in which both are one value, and that value: as likely as it is given what is known."""
        unknown = np.full(len(codes), np.nan)
        ones, others = (known.get(at, unknown).tolist() for at in (self.first, self.second))
        for row in range(len(codes)):
            own = int(codes[row, self.first]), int(codes[row, self.second])
            overlap = self._overlap(*own)
            if overlap is None:
                continue
            value = self._equal_value(own, overlap, ones[row], others[row], float(decides[row]), float(drawn_by[row]))
            if value is not None:
                yield row, value

    def _equal_value(
        self, codes: tuple[int, int], overlap: Overlap, one: float, other: float, decides: float, drawn_by: float
    ) -> Any:
        low, high, share = overlap
        if one == one or other == other:
            value = one if one == one else other
            if (one == one and other == other) or not low <= value < high:
                return None
            ratio = 1.0
            if other == other:
                nats = self._nats_of(self.one, codes[0], value) - self._nats_of(self.other, codes[1], value)
                ratio = float(exp(nats))
            return self._written(value) if decides < self._chance(self.share / share * ratio) else None
        if decides >= self._chance(self.share * min(1.0, share) / share):
            return None
        for least, greatest in (self.one.bounds, self.other.bounds):
            low = low if least is None else max(low, least)
            high = high if greatest is None else min(high, greatest)
        if low > high or share_between(self.one, codes[0], low, high) == 0:
            return None
        drawn = drawn_within(self.one, codes[0], 1 - drawn_by, low, high)
        number = moment_from_text(drawn, self.one.format) if isinstance(drawn, str) else drawn
        # on the grid of the column some cells have no value in common
        return drawn if code_of(self.other, number) == codes[1] else None

    def _chance(self, equal: float) -> float:
        return equal / (equal + (1 - self.share))

    def _nats_of(self, variable: Variable, code: int, value: float) -> float:
        return float(log_densities(variable, np.array([code]), np.array([value]))[0])

    def _written(self, value: float) -> Any:
        return write_moment(value, self.one.format) if self.one.is_of_moments else value

    def _overlap(self, one: int, other: int) -> Overlap | None:
        """Of two codes; None where the cells have no value in common, or one is no cell."""
        if not (0 <= one < len(self.one.values) and 0 <= other < len(self.other.values)):
            return None
        key = one, other
        if key not in self._overlaps:
            self._overlaps[key] = self._overlap_of(one, other)
        return self._overlaps[key]

    def _overlap_of(self, one: int, other: int) -> Overlap | None:
        ends = [(-math.inf, *variable.edges.tolist(), math.inf) for variable in (self.one, self.other)]
        low, high = max(ends[0][one], ends[1][other]), min(ends[0][one + 1], ends[1][other + 1])
        if not low < high:
            return None
        share = share_between(self.one, one, low, high)
        return (low, high, share) if share > 0 else None
