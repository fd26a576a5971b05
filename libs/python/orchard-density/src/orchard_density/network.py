"""A network: an ordering of columns of 0 and 1, and for each position of it trees that give the odds of a 1 from the earlier ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .bits_model import Bits, ReadBits
from .density_model import Completed, Floats, shares
from .ensembles import check_ensemble, odds_of, pack_columns, read_ensembles
from .errors import ModelFileError, RowsError
from .few_rows import TreesTogether
from .model_file import ModelFile
from .numerics import log1p
from .random_streams import SAMPLE, UniformStreams

#: Rows at a time; results do not depend on it.
_ROWS = 16_384
_WIDEST_IMPORTANCE = 8192


class Network(ReadBits):
    """P(x) is the product over the positions of P(column | columns at earlier positions)."""

    def __init__(self, file: ModelFile) -> None:
        super().__init__(file)
        #: The column at each position.
        self.ordering = file.body.integers("ordering", file.dimensions)
        if not np.array_equal(np.sort(self.ordering), np.arange(file.dimensions)):
            raise ModelFileError(
                "an ordering that is none",
                "every column once",
                "Get the file again from where it was made.",
                file.where,
            )
        #: Of each position.
        self.ensembles = read_ensembles(file.body, file.dimensions, file.where)
        for position, ensemble in enumerate(self.ensembles):
            check_ensemble(ensemble, position, f"{file.where}, position {position}")

    def log_likelihood_of_bits(self, rows: Bits) -> Floats:
        total = np.zeros(len(rows))
        for part, _, cells in self._visit(rows):
            total[part] += cells
        return total

    def cells_of_bits(self, rows: Bits) -> Floats:
        result = np.zeros(rows.shape)
        for part, column, cells in self._visit(rows):
            result[part, column] = cells
        return result

    def sample_bits(self, n: int, seed: int) -> Bits:
        result = np.zeros((n, self.dimensions), np.uint8)
        for first in range(0, n, _ROWS):
            rows = min(_ROWS, n - first)
            columns = pack_columns(np.zeros((self.dimensions, rows), np.uint8))
            streams = UniformStreams(seed, SAMPLE, first, rows)
            for position, ensemble in enumerate(self.ensembles):
                odds = odds_of(ensemble, columns, rows)
                # u < odds / (1 + odds), without the rounding of the division
                ones = streams.next() * (1.0 + odds) < odds
                result[first : first + rows, self.ordering[position]] = ones
                columns[position] = pack_columns(ones[np.newaxis].astype(np.uint8))[0]
        return result

    def complete_bits(self, rows: Bits, known: NDArray[np.bool_], seed: int, samples: int) -> Completed:
        from .network_completion import complete_network

        return complete_network(self, rows, known, seed, samples)

    def _shares(self) -> Floats:
        if self.dimensions > _WIDEST_IMPORTANCE:
            raise RowsError(
                f"{self.dimensions} columns", f"at most {_WIDEST_IMPORTANCE} for the whole matrix",
                "orchard importance shows columns one by one.",
            )  # fmt: skip
        gains = np.zeros((self.dimensions, self.dimensions))
        for position, ensemble in enumerate(self.ensembles):
            gains[self.ordering[position], self.ordering] = ensemble.gains(self.dimensions)
        return shares(gains)

    def _visit(self, rows: Bits) -> Iterator[tuple[slice, int, Floats]]:
        """log P(value | earlier values) of some rows, column after column in the ordering."""
        for first in range(0, len(rows), _ROWS):
            part = slice(first, min(len(rows), first + _ROWS))
            values = np.ascontiguousarray(rows[part].T[self.ordering])
            columns = pack_columns(values)
            together = None if self._together is None else self._together.odds(columns, values.shape[1])
            for position, ensemble in enumerate(self.ensembles):
                odds = odds_of(ensemble, columns, values.shape[1]) if together is None else together[position]
                yield part, int(self.ordering[position]), log_probability(values[position], odds)

    @cached_property
    def _together(self) -> TreesTogether | None:
        return TreesTogether.of(self.ensembles)


def log_probability(values: Bits, odds: Floats) -> Floats:
    """log P(value) in nats under odds of a 1."""
    with np.errstate(divide="ignore"):
        return -log1p(np.where(values == 1, 1.0 / odds, odds))
