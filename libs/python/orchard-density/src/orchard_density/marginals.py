"""Every column of 0 and 1 on its own: P(x) is the product of Bernoullis."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .bits_model import Bits, BitsModel
from .density_model import Completed, Floats
from .model_file import ModelFile
from .numerics import log
from .random_streams import COMPLETE, SAMPLE, UniformStreams


class Marginals(BitsModel):
    """A rate of ones for each column."""

    def __init__(self, file: ModelFile) -> None:
        super().__init__(file)
        self.rates = file.body.floats("rates", file.dimensions)

    def log_likelihood_of_bits(self, rows: Bits) -> Floats:
        total = np.zeros(len(rows))
        # in the order of the columns, as everywhere
        for column in self.cells_of_bits(rows).T:
            total += column
        return total

    def cells_of_bits(self, rows: Bits) -> Floats:
        return np.where(rows == 1, log(self.rates), log(1.0 - self.rates))

    def sample_bits(self, n: int, seed: int) -> Bits:
        return self._draw(n, seed, SAMPLE)

    def complete_bits(self, rows: Bits, known: NDArray[np.bool_], seed: int, samples: int) -> Completed:
        drawn = self._draw(len(rows), seed, COMPLETE)
        evidence = np.zeros(len(rows))
        for column in np.where(known, self.cells_of_bits(rows), 0.0).T:
            evidence += column
        exactly = np.ones(len(rows), bool)
        return Completed(np.where(known, rows, drawn), evidence, np.zeros(len(rows)), np.ones(len(rows)), exactly)

    def importance(self) -> Floats:
        return np.zeros((self.dimensions, self.dimensions))

    def _draw(self, n: int, seed: int, purpose: int) -> Bits:
        streams = UniformStreams(seed, purpose, 0, n)
        drawn = np.zeros((n, self.dimensions), np.uint8)
        for column in range(self.dimensions):
            drawn[:, column] = streams.next() < self.rates[column]
        return drawn
