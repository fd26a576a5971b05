"""Experts that are composed (libs/families/compositional) or share columns out (libs/families/partition): mixtures over all sets of them."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from numpy.typing import NDArray

from .density_model import Floats
from .errors import ModelFileError, damaged
from .forest_mixture import ForestMixture
from .model_file import ModelFile
from .numerics import exp, log
from .products import Products

#: Probabilities are between this and 1 less it.
_MARGIN = 2.0**-50
_MOST_EXPERTISE = 2.0**20
_MOST_EXPERTS = 16
#: Templates of all sets, times columns.
_MOST_CELLS = 2**21

_COMPOSITIONS = ("max-minus-min", "max", "log-odds")


class ExpertSets(ForestMixture):
    """Each set of experts is a product of columns. Sets and sums are taken in the order of the other readers: the same bits."""

    #: What is said of more experts, and what then helps.
    _of_more, _remedy = "", "Get the file again from where it was made."

    def _components(self, file: ModelFile) -> tuple[Floats, Products]:
        count = len(file.body.bytes("active")) // 8
        most = max(1, min(_MOST_EXPERTS, int(np.log2(_MOST_CELLS / file.dimensions))))
        if count > most:
            raise ModelFileError(
                f"{count} experts of {file.dimensions} columns{self._of_more}",
                f"at most {most} of so many columns, over every set of which can be summed",
                self._remedy,
                file.where,
            )
        #: P(expert takes part) of each.
        self.active = file.body.floats("active", count)
        with damaged(file.where, "one expert at least, with probabilities between 0 and 1"):
            if count == 0:
                raise ValueError("no expert")
            _require_open(self.active)
            return self._sets(file)

    @abstractmethod
    def _sets(self, file: ModelFile) -> tuple[Floats, Products]:
        """Weights and products of all sets. Raises ValueError for what are no experts."""


class Compositional(ExpertSets):
    """Every expert is on or off by itself; a column has the highest and the lowest opinion of those that are on, or the sum of their log-odds."""

    def _sets(self, file: ModelFile) -> tuple[Floats, Products]:
        count, dimensions = len(self.active), file.dimensions
        composition = int(file.body.integers("composition", 1)[0])
        if composition >= len(_COMPOSITIONS):
            raise ValueError("another composition")
        abstaining = float(file.body.floats("abstaining", 1)[0])
        #: What each expert says of each column, shape (experts, columns).
        self.rates = file.body.floats("rates", count * dimensions).reshape(count, dimensions)
        self.composition = _COMPOSITIONS[composition]
        _require_open(self.rates)
        _require_open(np.array([abstaining]))
        if self.composition == "max" and not (self.rates >= abstaining).all():
            raise ValueError("a rate below what the experts say that abstain")
        is_sum = self.composition == "log-odds"
        opinions = _log_odds(self.rates) if is_sum else self.rates
        unsaid = float(_log_odds(np.array([abstaining]))[0]) if is_sum else abstaining
        sets = np.arange(2**count)
        weights = np.ones(len(sets))
        highest = np.full((len(sets), dimensions), unsaid)
        lowest = highest.copy()
        for expert in range(count):
            is_on = (sets >> (count - 1 - expert)) & 1 == 1
            weights *= np.where(is_on, self.active[expert], 1.0 - self.active[expert])
            high, low, own = highest[is_on], lowest[is_on], opinions[expert]
            if is_sum:
                highest[is_on] = high + own
            else:
                highest[is_on] = np.maximum(high, own)
                lowest[is_on] = np.minimum(low, own)
        return weights, Products(_rates_of(highest) if is_sum else highest + lowest - unsaid)


class Partition(ExpertSets):
    """Those experts that take part, never none, share each column out by their levels of expertise."""

    _of_more = ", whose likelihoods are lower bounds"
    _remedy = "Ask it by `orchard evaluate` and `orchard sample`."

    def _sets(self, file: ModelFile) -> tuple[Floats, Products]:
        count, dimensions = len(self.active), file.dimensions
        #: What each expert says of each column, and its level there, shape (experts, columns).
        self.opinions = file.body.floats("opinions", count * dimensions).reshape(count, dimensions)
        self.expertise = file.body.floats("expertise", count * dimensions).reshape(count, dimensions)
        _require_open(self.opinions)
        if not ((self.expertise >= 1 / _MOST_EXPERTISE) & (self.expertise <= _MOST_EXPERTISE)).all():
            raise ValueError("a level of expertise that is not between 2^-20 and 2^20")
        sets = np.arange(1, 2**count)
        weights = np.ones(len(sets))
        ones = np.zeros((len(sets), dimensions))
        whole = ones.copy()
        for expert in range(count):
            is_on = (sets >> expert) & 1 == 1
            weights *= np.where(is_on, self.active[expert], 1.0 - self.active[expert])
            ones[is_on] += self.expertise[expert] * self.opinions[expert]
            whole[is_on] += self.expertise[expert]
        # one after another, as the other readers sum
        total = float(np.cumsum(weights)[-1])
        return weights / total, Products(np.clip(ones / whole, _MARGIN, 1.0 - _MARGIN))


def _require_open(values: NDArray[np.float64]) -> None:
    if not ((values >= _MARGIN) & (values <= 1.0 - _MARGIN)).all():
        raise ValueError("a probability that is not between 2^-50 and 1 - 2^-50")


def _log_odds(rates: Floats) -> Floats:
    return log(rates) - log(1.0 - rates)


def _rates_of(log_odds: Floats) -> Floats:
    size = exp(-np.abs(log_odds))
    return np.clip(np.where(log_odds > 0, 1.0 / (1.0 + size), size / (1.0 + size)), _MARGIN, 1.0 - _MARGIN)
