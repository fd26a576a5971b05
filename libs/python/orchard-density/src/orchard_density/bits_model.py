"""What models of columns of 0 and 1 have in common: how rows go in and come out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .bit_rows import UNKNOWN, bits_of
from .density_model import Completed, DensityModel, Floats, Rules, check_count, conditions_of, shares_of
from .errors import RowsError
from .frames import Frame, frame_of
from .labels import is_missing
from .model_file import ModelHead
from .random_streams import seed_of
from .rows_given import as_array

Bits = NDArray[np.uint8]


class BitsModel(DensityModel):
    """A distribution of rows of 0 and 1."""

    _samples = 256

    def __init__(self, head: ModelHead) -> None:
        super().__init__(head)
        self.dimensions = head.dimensions
        #: None where the training rows had none.
        self.names = head.names

    @property
    def variables(self) -> list[str]:
        return list(self.names) if self.names is not None else [str(at + 1) for at in range(self.dimensions)]

    def log_likelihood(self, X: Any, *, rules: Rules = None) -> Floats:
        _check_no_rules(rules)
        nats: Floats = self._ask("score", rows=_document(self._bits(X)), surprise=False)["logLikelihood"]
        return nats

    def surprise(self, X: Any) -> Floats:
        bits = self._bits(X)
        surprise: Floats = self._ask("score", rows=_document(bits))["surprise"]
        return surprise.reshape(bits.shape)

    def sample(
        self,
        n: int = 1,
        random_state: Any = None,
        given: Mapping[str, Any] | None = None,
        shares: Mapping[str, Mapping[Any, float]] | None = None,
        rules: Rules = None,
    ) -> Bits:
        _check_no_rules(rules)
        count, seed = check_count(n), seed_of(random_state)
        wanted = {"shares": shares_of(shares)} if shares else {}
        return self._rows_of(self._ask("sample", count=count, seed=seed, given=conditions_of(given), **wanted)["rows"])

    def predict(self, X: Any, target: str, random_state: Any = 0) -> NDArray[Any]:
        return self.predict_proba(X, target, random_state).argmax(axis=1)

    def _rows_of(self, said: Mapping[str, Any]) -> Bits:
        bits: Bits = said["columns"][0]["bits"].reshape(-1, self.dimensions)
        return bits

    def _filled(self, X: Any, rows: Bits) -> Any:
        if not isinstance(X, Frame):
            return _refilled(X, rows)
        return X.filled({name: rows[:, at].tolist() for at, name in enumerate(self.names or X.names)})

    def _bits(self, X: Any) -> Bits:
        frame = frame_of(X)
        return bits_of(X if frame is None else frame, self.dimensions, self.names)

    def _given(self, X: Any, may_be_missing: bool) -> tuple[Any, Frame | None, Any]:
        frame = frame_of(X)
        bits = bits_of(X if frame is None else frame, self.dimensions, self.names, may_be_missing)
        return _document(bits), frame, lambda row, column: int(bits[row, column])

    def _without(self, X: Any, target: str) -> Any:
        place = self.variables.index(target)
        if X is None:
            return _document(np.zeros((0, self.dimensions), np.uint8))
        frame = frame_of(X)
        if frame is not None and self.names is not None and target not in frame.names:
            rest = [name for name in self.names if name != target]
            known = bits_of(frame, self.dimensions - 1, rest, may_be_unknown=True)
            return _document(np.insert(known, place, UNKNOWN, axis=1))
        given = X if frame is None else frame
        width = np.shape(given)[1] if len(np.shape(given)) == 2 else self.dimensions
        if width == self.dimensions - 1:
            known = bits_of(given, self.dimensions - 1, None, may_be_unknown=True)
            return _document(np.insert(known, place, UNKNOWN, axis=1))
        bits = bits_of(given, self.dimensions, self.names, may_be_unknown=True)
        bits[:, place] = UNKNOWN
        return _document(bits)


class AskedBits(BitsModel):
    """A model of a family that is not repeated in Python: everything is asked of the kept process."""


class ReadBits(BitsModel):
    """Log-likelihoods, samples and single completions by numpy alone."""

    def log_likelihood(self, X: Any, *, rules: Rules = None) -> Floats:
        _check_no_rules(rules)
        return self.log_likelihood_of_bits(self._bits(X))

    def surprise(self, X: Any) -> Floats:
        return -self.cells_of_bits(self._bits(X))

    def sample(
        self,
        n: int = 1,
        random_state: Any = None,
        given: Mapping[str, Any] | None = None,
        shares: Mapping[str, Mapping[Any, float]] | None = None,
        rules: Rules = None,
    ) -> Bits:
        if conditions_of(given) or shares or rules:
            return super().sample(n, random_state, given, shares, rules)
        return self.sample_bits(check_count(n), seed_of(random_state))

    def _completed(self, X: Any, seed: int, samples: int | None, how: Mapping[str, Any]) -> Completed:
        if how or self._asks_for_gaps():
            return super()._completed(X, seed, samples, how)
        bits = bits_of(X, self.dimensions, self.names, may_be_unknown=True)
        known = bits != UNKNOWN
        completed = self.complete_bits(np.where(known, bits, 0).astype(np.uint8), known, seed, samples or self._samples)
        return replace(completed, rows=[completed.rows])

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
        """Samples what is not known of each row."""


def _refilled(X: Any, rows: Bits) -> NDArray[Any]:
    """An array of the type of X, however few of its values are missing."""
    given = X.toarray() if hasattr(X, "toarray") else as_array(X)
    if given.dtype.kind == "f":
        return rows.astype(given.dtype)
    filled = np.array(given, object if given.dtype.kind in "US" else None)
    if filled.dtype.kind == "O":
        missing = np.array([is_missing(cell) for cell in filled.flat], bool).reshape(filled.shape)
        filled[missing] = rows[missing]
    return filled


def _document(bits: Bits) -> dict[str, Any]:
    return {"count": len(bits), "columns": [{"bits": np.ascontiguousarray(bits, np.uint8).reshape(-1)}]}


def _check_no_rules(rules: Rules) -> None:
    if rules:
        raise RowsError("rules for rows of 0 and 1", "the model of a table", "Leave them out.", "rules")
