"""A tree of columns, or a forest of them, each told by one other (Chow and Liu, 1968; libs/families/chow-liu)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .bits_model import Bits
from .density_model import Floats, shares
from .errors import damaged
from .exact_model import ExactModel
from .forest import Forest
from .model_file import ModelFile


class ChowLiu(ExactModel):
    """P(x) is the product of P(column | its parent)."""

    def __init__(self, file: ModelFile) -> None:
        super().__init__(file)
        self.numbers = self.width = self.dimensions
        #: Of each column: the one that tells it, -1 of a root.
        self.parents = file.body.integers("parents", self.dimensions) - 1
        #: Of each column: P(1 | parent is 0) and P(1 | parent is 1); of a root twice the same.
        self.rates = file.body.floats("rates", 2 * self.dimensions).reshape(-1, 2)
        #: Mutual information with the parent, nats.
        self.information = file.body.floats("information", self.dimensions)
        with damaged(file.where, "a forest of all columns, with rates between 0 and 1"):
            self._forest = Forest(np.arange(self.dimensions), self.parents, self.rates)

    def log_probability(self, rows: Bits) -> Floats:
        return self._forest.log_probability(rows)

    def cells(self, rows: Bits) -> Floats:
        return self._forest.cells(rows)

    def draw(self, rows: Bits, known: NDArray[np.bool_], uniforms: Floats) -> Floats:
        return self._forest.draw(rows, known, uniforms)

    def importance(self) -> Floats:
        """The neighbours' shares in what a column's edges tell, which is all that foretells it."""
        told = np.zeros((self.dimensions, self.dimensions))
        child = np.flatnonzero(self.parents >= 0)
        told[child, self.parents[child]] = told[self.parents[child], child] = self.information[child]
        return shares(told)
