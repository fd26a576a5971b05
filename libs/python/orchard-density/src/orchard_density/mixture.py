"""Models of the same columns, mixed with weights: P(x) = sum of w P(x) over the members (libs/core/members/README.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from .bits_model import Bits, ReadBits
from .density_model import Completed, DensityModel, Floats, shares
from .errors import ModelFileError
from .model_file import ModelFile
from .numerics import exp, log, log_sum_exp, sums_of_rows
from .random_streams import COMPONENT, MEMBER, uniforms

Member = TypeVar("Member", bound=DensityModel)


class Mixture(ReadBits):
    """Whatever the members can answer, a mixture answers by them."""

    def __init__(self, file: ModelFile, read: Callable[[bytes, str], DensityModel]) -> None:
        super().__init__(file)
        self.weights = file.body.floats("weights", len(file.body.bytes("weights")) // 8)
        self.members: list[ReadBits] = []
        for at in range(len(self.weights)):
            member = read(file.body.bytes(f"member{at}"), f"{file.where}, member {at}")
            if not isinstance(member, ReadBits) or isinstance(member, Mixture):
                raise ModelFileError(
                    f"a member of the family {member.family}", "models of columns of 0 and 1",
                    "Install a later release of orchard-density.", file.where,
                )  # fmt: skip
            self.members.append(member)

    def log_likelihood_of_bits(self, rows: Bits) -> Floats:
        return log_sum_exp(self._joint(rows))

    def cells_of_bits(self, rows: Bits) -> Floats:
        return mixed_cells(self._joint(rows), [member.cells_of_bits(rows) for member in self.members])

    def sample_bits(self, n: int, seed: int) -> Bits:
        result = np.zeros((n, self.dimensions), np.uint8)
        for own, member, own_seed in draws_of_members(self.weights, self.members, n, seed):
            result[own] = member.sample_bits(len(own), own_seed)
        return result

    def complete_bits(self, rows: Bits, known: NDArray[np.bool_], seed: int, samples: int) -> Completed:
        parts = [
            member.complete_bits(rows, known, seed_of_member(seed, at), samples)
            for at, member in enumerate(self.members)
        ]
        return mixed_completion(self.weights, parts, seed, samples)

    def _shares(self) -> Floats:
        """The mean of the members' shares by weight, of those in which anything predicts the column."""
        own = (weight * member._shares() for weight, member in zip(self.weights, self.members, strict=True))
        return shares(np.add.reduce(list(own)))

    def _joint(self, rows: Bits) -> list[Floats]:
        return [
            weight + member.log_likelihood_of_bits(rows)
            for weight, member in zip(log(self.weights), self.members, strict=True)
        ]


def mixed_cells(joint: list[Floats], cells: list[Floats]) -> Floats:
    """
    What the members' cells say together, shape (rows, columns): averaged by how probable each member is given the row.

    `joint` has log w P(row) of each member and row.
    """
    likelihood = log_sum_exp(joint)
    mixed: Floats = np.zeros_like(cells[0])
    for nats, own in zip(joint, cells, strict=True):
        mixed += exp(nats - likelihood)[:, np.newaxis] * own
    # the members' surprises come short of the row's by how far it distinguishes them, which no column has caused alone
    total = sums_of_rows(mixed)
    told = total < 0
    mixed[told] *= (likelihood[told] / total[told])[:, np.newaxis]
    mixed[~told] = likelihood[~told, np.newaxis] / mixed.shape[1]
    return mixed


def draws_of_members(
    weights: Floats, members: Sequence[Member], n: int, seed: int
) -> Iterator[tuple[NDArray[np.int64], Member, int]]:
    """Of n draws the rows of each member that has any, with the seed that it draws by."""
    chosen = _choose(np.broadcast_to(weights, (n, len(weights))), _component(seed, n))
    for at, member in enumerate(members):
        own = np.flatnonzero(chosen == at)
        if len(own):
            yield own, member, seed_of_member(seed, at)


def mixed_completion(weights: Floats, parts: list[Completed], seed: int, samples: int) -> Completed:
    """Each row by one member, chosen by how probable what is known of it is to each."""
    joint = [weight + part.log_evidence for weight, part in zip(log(weights), parts, strict=True)]
    total = log_sum_exp(joint)
    possible = total > -np.inf
    share = np.column_stack(
        [
            np.where(possible, exp(own - np.where(possible, total, 0.0)), weight)
            for own, weight in zip(joint, weights, strict=True)
        ]
    )
    count = len(total)
    chosen = _choose(share, _component(seed, count))
    filled = np.stack([part.rows for part in parts])[chosen, np.arange(count)]
    errors = np.stack([part.log_evidence_error for part in parts], axis=1)
    sizes = np.stack([part.effective_sample_size for part in parts], axis=1)
    exactly = np.stack([part.exact for part in parts], axis=1)
    all_exactly = np.logical_and.reduce(exactly, axis=1)
    # members draw independently: squares of what each adds to the error add up
    squares = sums_of_rows(np.where(share == 0, 0.0, share**2 * np.where(share == 0, 0.0, errors) ** 2))
    relative = np.where(exactly, 0.0, np.maximum(0.0, samples / sizes - 1) / max(1, samples - 1))
    if samples == 1:
        relative = np.where(exactly, 0.0, 1.0)
    variance = sums_of_rows(share**2 * relative)
    size = np.where(
        all_exactly,
        np.minimum(samples, sums_of_rows(share * sizes)),
        np.minimum(samples, samples / (1 + (samples - 1) * variance)),
    )
    return Completed(filled, total, np.sqrt(squares), size, all_exactly)


def _component(seed: int, rows: int) -> Floats:
    return uniforms(seed, COMPONENT, np.arange(rows), 0)


def seed_of_member(seed: int, member: int) -> int:
    """The seed that a member draws by, apart from those of the others."""
    return int(uniforms(seed, MEMBER, member, 0) * 2**53)


def _choose(weights: Floats, uniform: Floats) -> NDArray[np.int64]:
    """Of each row: the member in whose share of the weights' sum its number falls."""
    total = np.zeros(len(weights))
    for column in weights.T:
        total = total + column
    rest = uniform * total
    chosen = np.zeros(len(weights), np.int64)
    passing = np.ones(len(weights), bool)
    for column in weights.T[:-1]:
        passing &= rest >= column
        rest = np.where(passing, rest - column, rest)
        chosen += passing
    return chosen
