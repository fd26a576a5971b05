"""What models of every family answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import RowsError
from .model_file import ModelFile

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Completed:
    """Rows whose holes were filled, and how probable what was known of them is."""

    #: As the rows that were given: a DataFrame for a DataFrame, an array otherwise.
    rows: Any
    #: Of each row: log P(what is known), nats; what is unknown is summed out.
    log_evidence: Floats
    #: Of each row: standard error of `log_evidence`, 0 where it is exact.
    log_evidence_error: Floats
    #: Of each row: as many independent weighted candidates would leave `log_evidence` as uncertain. Near 1: ask for more samples.
    effective_sample_size: Floats
    #: Of each row: whether the draw is from the exact conditional distribution.
    exact: NDArray[np.bool_]


class DensityModel(ABC):
    """A joint distribution of columns, read from a file. Rows go in and come out in the order of `variables`; likelihoods are in nats."""

    def __init__(self, file: ModelFile) -> None:
        #: The kind of model, as its file names it: lbarn, tables, chow-liu, mixture, …
        self.family = file.family
        #: The run that made it: plain data.
        self.specification = file.specification
        #: Mean log-likelihoods of a row when the model was made: train, valid and test, None where there was no such split.
        self.likelihoods = file.likelihoods
        #: Height and width of the image that a row is, or None.
        self.shape = file.shape

    @property
    @abstractmethod
    def variables(self) -> list[str]:
        """The names of the columns; 1, 2, … where the training rows had none."""

    @abstractmethod
    def log_likelihood(self, X: Any) -> Floats:
        """log P of each row, in nats. X is a DataFrame, an array or a sparse matrix of shape (rows, columns)."""

    def score(self, X: Any) -> float:
        """The mean of `log_likelihood` over the rows."""
        rows = self.log_likelihood(X)
        if len(rows) == 0:
            raise RowsError("no rows", "at least one to average over", "Give rows.", "X")
        return float(rows.mean())

    @abstractmethod
    def surprise(self, X: Any) -> Floats:
        """How surprising each value is, in nats, shape (rows, columns): the sum of a row is minus its log-likelihood."""

    @abstractmethod
    def sample(self, n: int = 1, random_state: Any = None) -> Any:
        """`n` independent rows. A whole number as random_state draws those of `orchard sample --seed`, whatever n is."""

    @abstractmethod
    def complete(self, X: Any, random_state: Any = None, samples: int | None = None, evidence: bool = False) -> Any:
        """
        X with its holes (NaN, None) drawn given what is known of each row: as `orchard complete --seed` draws them.

        samples: candidates a row where what is known does not come first; more are slower and nearer to exact.
        evidence: gives `Completed`, the rows with how probable what was known is.
        """

    @abstractmethod
    def importance(self) -> Floats:
        """Shares of gain, shape (columns, columns): row v sums to 1 over what column v is predicted from, 0 where from nothing."""

    def __repr__(self) -> str:
        count = len(self.variables)
        return f"<{type(self).__name__} of {count} {'column' if count == 1 else 'columns'}>"


def check_count(n: Any) -> int:
    if isinstance(n, (int, np.integer)) and not isinstance(n, bool) and 0 <= n < 2**32:
        return int(n)
    raise RowsError(f"n={n!r}", "a whole number of rows to draw", "Give another.")


def shares(gains: Floats) -> Floats:
    total = gains.sum(axis=-1, keepdims=True)
    return np.divide(gains, total, out=np.zeros_like(gains), where=(total > 0) & (total < np.inf))
