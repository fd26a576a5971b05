"""Groups of weighted particles that go through decisions of two outcomes: sequential Monte Carlo (libs/core/model/src/sequential/particles.ts).

Where an outcome is known it weighs the particles of a group; where it is not every particle goes on with both, until there are more than
the group may have, and then they are thinned without bias. Sums are taken in order, so that the draws are those of Orchard elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .numerics import log

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: The outcome of a particle that did not come to the decision.
NOT_REACHED = 2


class Group:
    """Particles of one row: `bits` are what decisions look at, shape (bits, particles), `codes` their values so far."""

    def __init__(self, bits: int, positions: int) -> None:
        self.bits = np.zeros((bits, 1), np.uint8)
        self.codes = np.zeros((positions, 1), np.int64)
        #: The decision that each particle stands at, or `-1 - code`.
        self.node = np.zeros(1, np.int64)
        #: Shares of the group's weight.
        self.weight = np.ones(1)
        #: log of the estimated probability of what was observed, nats.
        self.log_evidence = 0.0
        #: Whether possibilities have been given up.
        self.thinned = False

    def __len__(self) -> int:
        return len(self.weight)

    def fork(self) -> Group:
        """Another group that stands as this one does."""
        other = Group.__new__(Group)
        other.__dict__.update(self.__dict__)
        other.weight = self.weight.copy()
        return other

    def observe(self, odds: Floats, outcome: int) -> None:
        """Weighs a decision whose outcome is known. odds: 0 to inf; NaN where a particle does not come to it."""
        with np.errstate(invalid="ignore"):
            chance = np.where(odds == np.inf, float(outcome), (odds if outcome == 1 else 1.0) / (1.0 + odds))
        self.weight = self.weight * np.where(np.isnan(odds), 1.0, chance)
        self._normalize()

    def branch(self, odds: Floats, most: int, uniform: float, merit: Callable[[Floats], Floats], done: int) -> Integers:
        """
        Goes on with both outcomes of a decision, and thins what is too many. @returns the outcomes taken.

        done: how many bits stand so far, those that have to be copied.
        """
        is_open = (odds > 0) & (odds < np.inf)
        parent = np.repeat(np.arange(len(odds)), 1 + is_open)
        first = np.concatenate([[0], np.cumsum(1 + is_open)[:-1]])
        weight = self.weight[parent]
        ones = odds[parent]
        is_second = np.ones(len(parent), bool)
        is_second[first] = False
        branches = is_open[parent]
        with np.errstate(invalid="ignore"):
            zero = np.where(branches, weight / (1.0 + ones), weight)
            weight = np.where(is_second, zero * ones, zero)
        taken = np.where(branches, is_second, np.where(ones == 0, 0, np.where(ones == np.inf, 1, NOT_REACHED)))
        kept = thin(weight, most, uniform, merit)
        if kept is not None:
            self.thinned = True
            parent, weight, taken = parent[kept], weight[kept], taken[kept]
        self._take(parent, done)
        self.weight = weight
        self._normalize()
        return taken.astype(np.int64)

    def _take(self, parent: Integers, done: int) -> None:
        bits = np.zeros((len(self.bits), len(parent)), np.uint8)
        bits[:done] = self.bits[:done, parent]
        self.bits, self.codes, self.node = bits, self.codes[:, parent], self.node[parent]

    def choose(self, uniform: float) -> None:
        """Leaves one particle, taken in proportion to its weight."""
        # one after another: a subtraction of their sum would be rounded otherwise
        rest = np.subtract.accumulate(np.concatenate([[uniform], self.weight]))[1:]
        below = np.flatnonzero(rest < 0)
        chosen = int(below[0]) if len(below) else int(np.argmax(self.weight))
        self._take(np.array([chosen]), len(self.bits))
        self.weight = np.ones(1)

    def _normalize(self) -> None:
        total = sum_in_order(self.weight)
        # what nothing accounts for leaves the particles as likely as each other
        self.weight = self.weight / total if total > 0 else np.full(len(self.weight), 1.0 / len(self.weight))
        self.log_evidence += float(log(total))


def sum_in_order(values: Floats) -> float:
    return float(np.add.accumulate(values)[-1]) if len(values) else 0.0


def thin(weights: Floats, most: int, uniform: float, merit: Callable[[Floats], Floats]) -> Integers | None:
    """
    Which `most` of the weighted candidates stay, such that every weight stays what it was in expectation: `weights` of those that stay
    are changed. None where all do. Heavy ones stay for certain, the light ones by systematic sampling in proportion to their merit.
    """
    if len(weights) <= most:
        return None
    merits = weights if most == 1 else merit(weights)
    limit = _limit_of(merits, most)
    heavy = merits >= limit
    kept = heavy.copy()
    room = most - int(heavy.sum())
    light = np.flatnonzero(~heavy)
    positive = light[merits[light] > 0]
    last_light = int(positive[-1]) if len(positive) else -1
    chances = merits[light] / limit
    total = uniform
    for at, chance in zip(light.tolist(), chances.tolist(), strict=True):
        total += chance
        # rounding must neither lose the last one nor let in one too many
        if room > 0 and (total >= 1 or (at == last_light and room == 1)):
            kept[at] = True
            total -= 1
            room -= 1
    own = kept[light]
    weights[light[own]] /= chances[own]
    return np.flatnonzero(kept)


def _limit_of(merits: Floats, most: int) -> float:
    """The c for which min(1, merit / c) sums to `most`: from above, as more and more turn out to be heavy."""
    limit, heavy = np.inf, -1
    while True:
        is_above = merits >= limit
        above = int(is_above.sum())
        light = sum_in_order(merits[~is_above])
        if above == heavy or above >= most or light == 0:
            return float(limit)
        heavy = above
        limit = light / (most - above)
