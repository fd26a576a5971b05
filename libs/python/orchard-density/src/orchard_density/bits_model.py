"""What models of columns of 0 and 1 have in common: how rows go in and come out."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .bit_rows import UNKNOWN, bits_of, is_frame
from .density_model import Completed, DensityModel, Floats, check_count
from .errors import RowsError
from .model_file import ModelFile
from .random_streams import seed_of

Bits = NDArray[np.uint8]

_MOST_SAMPLES = 65_536


class BitsModel(DensityModel):
    """A distribution of rows of 0 and 1."""

    def __init__(self, file: ModelFile) -> None:
        super().__init__(file)
        self.dimensions = file.dimensions
        #: None where the training rows had none.
        self.names = file.names

    @property
    def variables(self) -> list[str]:
        return list(self.names) if self.names is not None else [str(at + 1) for at in range(self.dimensions)]

    def log_likelihood(self, X: Any) -> Floats:
        return self.log_likelihood_of_bits(self._bits(X))

    def surprise(self, X: Any) -> Floats:
        return -self.cells_of_bits(self._bits(X))

    def sample(self, n: int = 1, random_state: Any = None) -> Bits:
        return self.sample_bits(check_count(n), seed_of(random_state))

    def complete(self, X: Any, random_state: Any = None, samples: int | None = None, evidence: bool = False) -> Any:
        samples = 256 if samples is None else samples
        if not 1 <= samples <= _MOST_SAMPLES:
            raise RowsError(f"samples={samples!r}", f"1 to {_MOST_SAMPLES}", "Give another number.")
        bits = bits_of(X, self.dimensions, self.names, may_be_unknown=True)
        known = bits != UNKNOWN
        filled = self.complete_bits(np.where(known, bits, 0).astype(np.uint8), known, seed_of(random_state), samples)
        if not is_frame(X):
            return filled if evidence else filled.rows
        frame = X.copy()
        for at, name in enumerate(self.names or list(X.columns)):
            frame[name] = filled.rows[:, at]
        if not evidence:
            return frame
        return Completed(
            frame, filled.log_evidence, filled.log_evidence_error, filled.effective_sample_size, filled.exact
        )

    def _bits(self, X: Any) -> Bits:
        return bits_of(X, self.dimensions, self.names)

    @abstractmethod
    def log_likelihood_of_bits(self, rows: Bits) -> Floats:
        """log P of each row of shape (rows, dimensions)."""

    @abstractmethod
    def cells_of_bits(self, rows: Bits) -> Floats:
        """What each column adds to the log-likelihood of its row."""

    @abstractmethod
    def sample_bits(self, n: int, seed: int) -> Bits:
        """n rows of a seed."""

    @abstractmethod
    def complete_bits(self, rows: Bits, known: NDArray[np.bool_], seed: int, samples: int) -> Completed:
        """Draws what is not known of each row."""
