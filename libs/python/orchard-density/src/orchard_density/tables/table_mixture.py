"""Models of one table, mixed with weights; each predicts its variables in an ordering of its own (libs/core/members/README.md)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..density_model import Completed, DensityModel, Floats, shares
from ..errors import ModelFileError
from ..mixture import draws_of_members, mixed_cells, mixed_completion, seed_of_member
from ..model_file import ModelFile
from ..numerics import log, sums_of_rows
from .coded_model import CodedModel, Integers
from .table_model import TableModel


class TableMixture(CodedModel):
    """Whatever the members can answer, their mixture answers by them."""

    def __init__(self, file: ModelFile, read: Callable[[bytes, str], DensityModel]) -> None:
        super().__init__(file)
        self.weights = file.body.floats("weights", len(file.body.bytes("weights")) // 8)
        self.members: list[TableModel] = []
        for at in range(len(self.weights)):
            where = f"{file.where}, member {at}"
            member = read(file.body.bytes(f"member{at}"), where)
            if not isinstance(member, TableModel):
                raise ModelFileError(
                    f"a member of the family {member.family}", "models of a table",
                    "Install a later release of orchard-density.", where,
                )  # fmt: skip
            if member.variables != self.variables:
                raise ModelFileError(
                    "a member of another table", "the variables of the mixture",
                    "Get the file again from where it was made.", where,
                )  # fmt: skip
            self.members.append(member)

    def cells_of_codes(self, codes: Integers) -> Floats:
        cells = [member.cells_of_codes(codes) for member in self.members]
        return mixed_cells(self._joint(cells), cells)

    def sample_codes(self, n: int, seed: int) -> Integers:
        result = np.zeros((n, len(self.variables)), np.int64)
        for own, member, own_seed in draws_of_members(self.weights, self.members, n, seed):
            result[own] = member.sample_codes(len(own), own_seed)
        return result

    def complete_codes(
        self, codes: Integers, seed: int, samples: int, may_be_missing: frozenset[int] = frozenset()
    ) -> Completed:
        parts = [
            member.complete_codes(codes, seed_of_member(seed, at), samples, may_be_missing)
            for at, member in enumerate(self.members)
        ]
        return mixed_completion(self.weights, parts, seed, samples)

    def _shares(self) -> Floats:
        """The mean of the members' shares by weight, of those in which anything predicts the variable."""
        own = (weight * member._shares() for weight, member in zip(self.weights, self.members, strict=True))
        return shares(np.add.reduce(list(own)))

    def _joint(self, cells: list[Floats]) -> list[Floats]:
        """log w P(codes) of each member and row, summed in the member's ordering as it is elsewhere."""
        return [
            weight + sums_of_rows(own[:, member.ordering])
            for weight, member, own in zip(log(self.weights), self.members, cells, strict=True)
        ]
