"""The joint distribution of a table's rows: variable after variable in the ordering, each by the decisions of its tree."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..density_model import Completed, Floats, shares
from ..ensembles import check_ensemble, read_ensembles
from ..errors import ModelFileError
from ..model_file import ModelFile
from ..random_streams import SAMPLE, UniformStreams
from .coded_model import CodedModel, Integers
from .conditional import Conditional
from .line import read_lines
from .sums import sums_in_ordering

#: Rows whose predictor bits are held at a time.
_ROWS = 2**14


class TableModel(CodedModel):
    """Variable after variable, each decided by trees that look at those before it."""

    def __init__(self, file: ModelFile) -> None:
        super().__init__(file)
        count = len(self.table.variables)
        #: The variable at each position.
        self.ordering = file.body.integers("ordering", count)
        if not np.array_equal(np.sort(self.ordering), np.arange(count)):
            raise ModelFileError(
                "an ordering that is none",
                "every variable once",
                "Get the file again from where it was made.",
                file.where,
            )
        in_order = [self.table.variables[at] for at in self.ordering]
        #: Where the predictor bits of each position begin.
        assert file.table is not None
        #: By position, the sums whose bits stand behind its own.
        self.sums = sums_in_ordering(file.table.get("sums", []), in_order)
        sum_bits = [sum(len(each.cuts) for each in own) for own in self.sums]
        widths = [len(variable.predictors) + own for variable, own in zip(in_order, sum_bits, strict=True)]
        self.first_bits = np.concatenate([[0], np.cumsum(widths)])
        ensembles = iter(read_ensembles(file.body, sum(variable.code_count - 1 for variable in in_order), file.where))
        lines = read_lines(file.body, in_order, self.first_bits, sum_bits, file.where)
        self.conditionals = [
            Conditional(variable, [next(ensembles) for _ in range(variable.code_count - 1)], line)
            for variable, line in zip(in_order, lines, strict=True)
        ]
        for position, conditional in enumerate(self.conditionals):
            for ensemble in conditional.ensembles:
                check_ensemble(ensemble, int(self.first_bits[position]), f"{file.where}, {conditional.variable.name}")

    def cells_of_codes(self, codes: Integers) -> Floats:
        cells = np.zeros(codes.shape)
        for part, bits in self._parts(codes):
            for position, conditional in enumerate(self.conditionals):
                index = self.ordering[position]
                cells[part, index] = conditional.log_probabilities(bits, codes[part, index])
        return cells

    def sample_codes(self, n: int, seed: int) -> Integers:
        result = np.zeros((n, len(self.conditionals)), np.int64)
        for first in range(0, n, _ROWS):
            rows = min(_ROWS, n - first)
            bits = np.zeros((self.first_bits[-1], rows), np.uint8)
            streams = UniformStreams(seed, SAMPLE, first, rows)
            for position, conditional in enumerate(self.conditionals):
                codes = conditional.draw(bits, streams.next())
                drawn = result[first : first + rows]
                drawn[:, self.ordering[position]] = codes
                self.set_bits(bits, position, drawn)
        return result

    def complete_codes(
        self, codes: Integers, seed: int, samples: int, may_be_missing: frozenset[int] = frozenset()
    ) -> Completed:
        from .table_completion import complete_table

        return complete_table(self, codes, seed, samples, may_be_missing)

    def _shares(self) -> Floats:
        # a sum is of two variables, by halves
        owners = self._owners()
        gains = np.zeros((len(self.ordering), len(self.ordering)))
        for position, conditional in enumerate(self.conditionals):
            for ensemble in conditional.ensembles:
                own = ensemble.gains(owners.shape[1]) / 2
                for each in owners:
                    gains[self.ordering[position]] += np.bincount(each, weights=own, minlength=len(self.ordering))
            if conditional.line is not None:
                gains[self.ordering[position], self.ordering[:position]] += conditional.line.gains
        return shares(gains)

    def set_bits(self, bits: NDArray[np.uint8], position: int, codes: Integers) -> None:
        """Sets the predictor bits of a position by the codes of rows, shape (rows, variables), known up to it."""
        own = codes[:, self.ordering[position]]
        predictors = self.conditionals[position].variable.predictors
        first, end = self.first_bits[position], self.first_bits[position] + len(predictors)
        bits[first:end] = predictors[:, own]
        for each in self.sums[position]:
            first, end = end, end + len(each.cuts)
            bits[first:end] = each.bits(codes[:, self.ordering[each.first]], own)

    def _owners(self) -> Integers:
        """The variables that each predictor bit is of, shape (2, bits): one twice, or the two of a sum."""
        owners = []
        for position, index in enumerate(self.ordering):
            owners += [(index, index)] * len(self.conditionals[position].variable.predictors)
            for each in self.sums[position]:
                owners += [(self.ordering[each.first], index)] * len(each.cuts)
        return np.array(owners, np.int64).reshape(-1, 2).T

    def _parts(self, codes: Integers) -> Iterator[tuple[slice, NDArray[np.uint8]]]:
        for first in range(0, len(codes), _ROWS):
            part = slice(first, min(len(codes), first + _ROWS))
            bits = np.zeros((self.first_bits[-1], part.stop - part.start), np.uint8)
            for position in range(len(self.ordering)):
                self.set_bits(bits, position, codes[part])
            yield part, bits
