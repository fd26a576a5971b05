"""Models of tables that numpy alone answers: rows become codes, and codes become rows again."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..density_model import Completed, Floats, Rules, conditions_of
from ..frames import frame_of
from ..made_columns import MadeColumns
from ..numerics import sums_of_rows
from ..random_streams import FILL, seed_of, uniforms
from .missing_for_a_reason import missing_for_a_reason
from .table_rows import Coded
from .tabular_model import PARTICLES, TabularModel, unknown_value

Integers = NDArray[np.int64]


class CodedModel(TabularModel):
    """
    Log-likelihoods, samples and single completions without another process, of rows that are written as those that
    trained the model. Rows in another form are read by the command line, whose rules are the only ones, and rows with gaps where it is at hand.
    """

    def log_likelihood(self, X: Any, random_state: Any = 0, *, rules: Rules = None) -> Floats:
        rows = _frame_or_array(X)
        if rules or (rules is not False and self._keeps_rules) or not self.table.reads(rows):
            return super().log_likelihood(X, random_state, rules=rules)
        if self._asks_for_gaps() and self._has_unknown_cells(rows):
            return super().log_likelihood(X, random_state, rules=rules)
        coded = self.table.code(rows, missing_are_values=True)
        complete = coded.is_known.all(axis=1)
        result = np.zeros(len(coded.codes))
        result[complete] = self.log_likelihood_of_coded(Coded(coded.codes[complete], coded.log_density[complete]))
        if not complete.all():
            rows = np.flatnonzero(~complete)
            filled = self.complete_codes(coded.codes[rows], seed_of(random_state), PARTICLES)
            result[rows] = filled.log_evidence + sums_of_rows(coded.log_density[rows])
        return result

    def surprise(self, X: Any) -> Floats:
        rows = _frame_or_array(X)
        if not self.table.reads(rows):
            return super().surprise(X)
        coded = self.table.code(rows, missing_are_values=True)
        if not coded.is_known.all():
            row, at = np.argwhere(~coded.is_known)[0]
            raise unknown_value(int(row), self.table.names[at])
        return -(self.cells_of_codes(coded.codes) + coded.log_density)

    def sample_words(
        self,
        n: int,
        seed: int,
        given: Mapping[str, Any] | None = None,
        shares: Mapping[str, Mapping[Any, float]] | None = None,
        rules: Rules = None,
    ) -> MadeColumns:
        if conditions_of(given) or shares or rules or (rules is not False and self._keeps_rules):
            return super().sample_words(n, seed, given, shares, rules)
        return self.table.in_order(self.table.words(self.sample_codes(n, seed), seed), n)

    def _completed(self, X: Any, seed: int, samples: int | None, how: Mapping[str, Any]) -> Completed:
        if how or self._keeps_rules or not self.table.reads(X):
            return super()._completed(X, seed, samples, how)
        # says too which cells are labels that are new
        coded = self.table.code(X, missing_are_values=False)
        if self._asks_for_gaps():
            return super()._completed(X, seed, samples, how)
        completed = self._fill_blanks(coded.codes, seed, samples or self._samples)
        evidence = completed.log_evidence + sums_of_rows(coded.log_density)
        return replace(completed, rows=[self.table.words(completed.rows, seed, coded.values)], log_evidence=evidence)

    def _has_unknown_cells(self, rows: Any) -> bool:
        """Whether a cell is missing in a column that had none missing in training: such a cell is no value."""
        columns = zip(self.table.variables, self.table.columns_of(rows), strict=True)
        return any(variable.hole_code is None and self.table.missing_in(column).any() for variable, column in columns)

    @abstractmethod
    def cells_of_codes(self, codes: Integers) -> Floats:
        """What each variable has of log P of its row's codes, without densities: shape (rows, variables)."""

    @abstractmethod
    def sample_codes(self, n: int, seed: int) -> Integers:
        """n rows of codes, shape (rows, variables)."""

    @abstractmethod
    def complete_codes(
        self, codes: Integers, seed: int, samples: int, may_be_missing: frozenset[int] = frozenset()
    ) -> Completed:
        """Fills what is not known (-1) of rows of codes, by values; some variables as missing, as often as the model draws them so."""

    @cached_property
    def _missing_for_a_reason(self) -> frozenset[int]:
        return missing_for_a_reason(self.table.variables, self.sample_codes)

    def _fill_blanks(self, codes: Integers, seed: int, samples: int) -> Completed:
        """By values; to the rest of its row what is missing for a reason is missing (libs/core/model/src/tables/fill-blanks.ts)."""
        completed = self.complete_codes(codes, seed, samples, self._missing_for_a_reason)
        filled = np.asarray(completed.rows)
        weights = [variable.filled_weights for variable in self.table.variables]
        is_value = np.column_stack([own[filled[:, at]] == 1 for at, own in enumerate(weights)])
        missing = ~is_value & (codes < 0)
        if not missing.any():
            return completed
        own_seed = int(uniforms(seed, FILL, 0, 0) * 2**53)
        again = self.complete_codes(np.where(missing, -1, filled), own_seed, samples)
        return replace(completed, rows=np.where(missing, again.rows, filled))

    def log_likelihood_of_coded(self, coded: Coded) -> Floats:
        """log P of rows that are known whole, densities included."""
        return sums_of_rows(self.cells_of_codes(coded.codes) + coded.log_density)


def _frame_or_array(X: Any) -> Any:
    frame = frame_of(X)
    return X if frame is None else frame
