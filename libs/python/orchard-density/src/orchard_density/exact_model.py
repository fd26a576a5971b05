"""Models that say everything of a row exactly, whatever of it is known (libs/core/model/src/port/exact-model.ts)."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from numpy.typing import NDArray

from .bits_model import Bits, BitsModel
from .density_model import Completed, Floats
from .random_streams import COMPLETE, SAMPLE, UniformStreams

#: Values, or shares, that are worked on at a time; results do not depend on it.
_ROOM = 2**20


class ExactModel(BitsModel):
    """Rows are drawn exactly, each by numbers of a stream of its own."""

    #: Numbers that the drawing of a row takes.
    numbers: int
    #: What one row takes to be asked about, in numbers.
    width: int

    def log_likelihood_of_bits(self, rows: Bits) -> Floats:
        return np.concatenate([np.zeros(0), *(self.log_probability(rows[part]) for part in self._parts(len(rows)))])

    def cells_of_bits(self, rows: Bits) -> Floats:
        return np.concatenate([np.zeros(rows.shape)[:0], *(self.cells(rows[part]) for part in self._parts(len(rows)))])

    def sample_bits(self, n: int, seed: int) -> Bits:
        rows = np.zeros((n, self.dimensions), np.uint8)
        self._draw(rows, np.zeros(rows.shape, bool), seed, SAMPLE)
        return rows

    def complete_bits(self, rows: Bits, known: NDArray[np.bool_], seed: int, samples: int) -> Completed:
        filled = rows.copy()
        evidence = self._draw(filled, known, seed, COMPLETE)
        count = len(rows)
        return Completed(filled, evidence, np.zeros(count), np.ones(count), np.ones(count, bool))

    def _draw(self, rows: Bits, known: NDArray[np.bool_], seed: int, purpose: int) -> Floats:
        evidence = np.zeros(len(rows))
        for part in self._parts(len(rows)):
            streams = UniformStreams(seed, purpose, part.start, part.stop - part.start)
            uniforms = np.stack([streams.next() for _ in range(self.numbers)])
            evidence[part] = self.draw(rows[part], known[part], uniforms)
        return evidence

    def _parts(self, rows: int) -> list[slice]:
        at_once = max(1, _ROOM // self.width)
        return [slice(first, min(rows, first + at_once)) for first in range(0, rows, at_once)]

    @abstractmethod
    def log_probability(self, rows: Bits) -> Floats:
        """log P of each row."""

    @abstractmethod
    def cells(self, rows: Bits) -> Floats:
        """log P of each value given those that it is told by, which sum to the row's: shape (rows, dimensions)."""

    @abstractmethod
    def draw(self, rows: Bits, known: NDArray[np.bool_], uniforms: Floats) -> Floats:
        """Draws what is unknown of rows into them, by numbers of shape (numbers, rows). @returns log P(known values) of each"""
