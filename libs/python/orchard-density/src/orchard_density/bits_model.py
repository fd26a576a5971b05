"""What models of columns of 0 and 1 have in common: how rows go in and come out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .bit_rows import UNKNOWN, bits_of
from .density_model import Completed, DensityModel, Floats, check_count, completing, conditions_of
from .errors import RowsError
from .frames import Frame, frame_of
from .model_file import ModelHead
from .random_streams import seed_of

Bits = NDArray[np.uint8]

_MOST_SAMPLES = 65_536


class BitsModel(DensityModel):
    """A distribution of rows of 0 and 1."""

    def __init__(self, head: ModelHead) -> None:
        super().__init__(head)
        self.dimensions = head.dimensions
        #: None where the training rows had none.
        self.names = head.names

    @property
    def variables(self) -> list[str]:
        return list(self.names) if self.names is not None else [str(at + 1) for at in range(self.dimensions)]

    def log_likelihood(self, X: Any) -> Floats:
        return self.log_likelihood_of_bits(self._bits(X))

    def surprise(self, X: Any) -> Floats:
        return -self.cells_of_bits(self._bits(X))

    def sample(self, n: int = 1, random_state: Any = None, given: Mapping[str, Any] | None = None) -> Bits:
        count, seed = check_count(n), seed_of(random_state)
        if not given:
            return self.sample_bits(count, seed)
        bits: Bits = self._ask("sample", count=count, seed=seed, given=conditions_of(given))["rows"]["bits"]
        return bits.reshape(count, self.dimensions)

    def complete(
        self,
        X: Any,
        random_state: Any = None,
        samples: int | None = None,
        evidence: bool = False,
        *,
        draws: int | None = None,
        point: str | None = None,
        interval: float | None = None,
    ) -> Any:
        samples = 256 if samples is None else samples
        if not 1 <= samples <= _MOST_SAMPLES:
            raise RowsError(f"samples={samples!r}", f"1 to {_MOST_SAMPLES}", "Give another number.")
        frame = frame_of(X)
        bits = bits_of(X if frame is None else frame, self.dimensions, self.names, may_be_unknown=True)
        seed = seed_of(random_state)
        several = completing(point, draws, interval)
        if several:
            completed = self._completed(bits, seed=seed, samples=samples, **several)
        else:
            known = bits != UNKNOWN
            completed = self.complete_bits(np.where(known, bits, 0).astype(np.uint8), known, seed, samples)
        filled = completed.rows if isinstance(completed.rows, list) else [completed.rows]

        def as_given(own: Bits | None) -> Any:
            return own if frame is None or own is None else self._in_frame(frame, own)

        rows = [as_given(own) for own in filled]
        result = rows if draws is not None and point is None and interval is None else rows[0]
        if not evidence and interval is None:
            return result
        return Completed(
            result,
            completed.log_evidence,
            completed.log_evidence_error,
            completed.effective_sample_size,
            completed.exact,
            as_given(completed.low),
            as_given(completed.high),
        )

    def most_probable(self, X: Any) -> Any:
        frame = frame_of(X)
        bits = bits_of(X if frame is None else frame, self.dimensions, self.names, may_be_unknown=True)
        said = self._ask("mostProbable", rows=_document(bits))["rows"]["bits"]
        filled = said.reshape(bits.shape)
        return filled if frame is None else self._in_frame(frame, filled)

    def predict(self, X: Any, target: str, random_state: Any = 0) -> NDArray[Any]:
        return self.predict_proba(X, target, random_state).argmax(axis=1)

    def _completed(self, bits: Bits, **question: Any) -> Completed:
        said = self._ask("complete", rows=_document(bits), **question)
        rows = [own["bits"].reshape(bits.shape) for own in said["rows"]]
        ends = {end: said[end]["bits"].reshape(bits.shape) for end in ("low", "high") if end in said}
        return replace(completed_of(said, rows), **ends)

    def _in_frame(self, frame: Frame, bits: Bits) -> Any:
        names = self.names or frame.names
        return frame.filled({name: bits[:, at].tolist() for at, name in enumerate(names)})

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


class AskedBits(BitsModel):
    """A model of a family that is not repeated in Python: everything is asked of the kept process."""

    def log_likelihood_of_bits(self, rows: Bits) -> Floats:
        nats: Floats = self._ask("score", rows=_document(rows), surprise=False)["logLikelihood"]
        return nats

    def cells_of_bits(self, rows: Bits) -> Floats:
        cells: Floats = -self._ask("score", rows=_document(rows))["surprise"].reshape(rows.shape)
        return cells

    def sample_bits(self, n: int, seed: int) -> Bits:
        bits: Bits = self._ask("sample", count=n, seed=seed)["rows"]["bits"]
        return bits.reshape(n, self.dimensions)

    def complete_bits(self, rows: Bits, known: NDArray[np.bool_], seed: int, samples: int) -> Completed:
        completed = self._completed(np.where(known, rows, UNKNOWN).astype(np.uint8), seed=seed, samples=samples)
        return Completed(
            completed.rows[0],
            completed.log_evidence,
            completed.log_evidence_error,
            completed.effective_sample_size,
            completed.exact,
        )


def completed_of(said: Mapping[str, Any], rows: Any) -> Completed:
    """Rows that were filled in, with what an answer says of them."""
    return Completed(
        rows,
        said["logEvidence"],
        said["logEvidenceError"],
        said["effectiveSampleSize"],
        said["exact"].astype(bool),
    )


def _document(bits: Bits) -> dict[str, Any]:
    return {"count": len(bits), "bits": np.ascontiguousarray(bits, np.uint8).reshape(-1)}
