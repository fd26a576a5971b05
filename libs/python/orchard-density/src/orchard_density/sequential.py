"""Draws what is not known of rows given what is, by sequential Monte Carlo (libs/core/model/src/sequential/sequential.ts says how, and why).

Particles in four groups go through the ordering. After the last known value one is taken, and what comes after it is drawn. A row is exact
where what is known comes first, or where what is unknown before it leaves no more possibilities than a group has particles.
Row r draws from a stream of its own, so that it is the same with any rows beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .decision import DecisionOdds
from .density_model import Completed
from .network import log_probability
from .numerics import exp, log
from .particles import NOT_REACHED, Floats, Group, Integers, sum_in_order
from .random_streams import COMPLETE, uniforms

_GROUPS = 4
#: Particles that are held at a time.
_ROOM = 2**15


class SumBits(Protocol):
    """Bits of the codes of two positions."""

    @property
    def first(self) -> int:
        """The earlier position."""
        ...

    @property
    def cuts(self) -> Floats:
        """One for each bit."""
        ...

    def bits(self, first_codes: Integers, second_codes: Integers) -> NDArray[np.uint8]:
        """Shape (bits, particles)."""
        ...


@dataclass(frozen=True)
class Position:
    """A variable of the ordering: a tree of decisions that ends in its codes."""

    zero: Integers
    one: Integers
    decisions: Sequence[DecisionOdds]
    #: Of each code: the decisions that lead to it, with their outcomes.
    paths: Sequence[Sequence[tuple[int, int]]]
    #: Where a value that is not known begins to be drawn.
    start: int
    #: What later decisions may look at, shape (bits, codes).
    predictors: NDArray[np.uint8]
    #: Random numbers that the position has: one a step at least.
    numbers: int
    #: Sums with an earlier position, whose bits stand behind those.
    sums: Sequence[SumBits] = ()
    #: Of what is not known: the odds of a decision among what it may be, of so many particles, given the odds of each;
    #: None where all below it may be.
    conditioned: Callable[[int, int, Callable[[int], Floats]], Floats | None] | None = None

    @property
    def bits(self) -> int:
        return len(self.predictors) + sum(len(each.cuts) for each in self.sums)

    @property
    def steps(self) -> int:
        return max((len(path) for path in self.paths), default=0)


def complete_sequentially(
    positions: Sequence[Position], codes: Integers, seed: int, samples: int, merit: Callable[[Floats], Floats]
) -> Completed:
    """
    codes: shape (rows, positions), -1 where a value is not known. @returns them filled, by position.
    """
    run = _Completion(positions, codes, seed, samples, merit)
    at_once = max(1, _ROOM // samples)
    for first in range(0, len(codes), at_once):
        run.fill(range(first, min(len(codes), first + at_once)))
    return Completed(run.filled, run.log_evidence, run.error, run.size, run.exact)


@dataclass
class _Row:
    """A row on its way."""

    number: int
    #: The first position that is not known.
    first_unknown: int
    #: The last position that is known, -1 where none is.
    last_known: int
    groups: list[Group]
    #: Whether one particle is drawn on, and nothing is weighed any more.
    is_drawn: bool


class _Completion:
    def __init__(
        self,
        positions: Sequence[Position],
        codes: Integers,
        seed: int,
        samples: int,
        merit: Callable[[Floats], Floats],
    ) -> None:
        self.positions, self.codes, self.seed, self.samples, self.merit = positions, codes, seed, samples, merit
        rows = len(codes)
        self.filled = codes.copy()
        self.log_evidence = np.zeros(rows)
        self.error = np.zeros(rows)
        self.size = np.full(rows, float(samples))
        self.exact = np.ones(rows, bool)
        self.first_bit = np.concatenate([[0], np.cumsum([each.bits for each in positions])])
        self.first_number = np.concatenate([[0], np.cumsum([each.numbers for each in positions])])
        self.group_count = min(_GROUPS, samples)
        self.most = samples // self.group_count

    def fill(self, rows: range) -> None:
        states = [self._begin(row) for row in rows]
        for position, said in enumerate(self.positions):
            for row in states:
                start = said.start if self.codes[row.number, position] < 0 else 0 if len(said.zero) else -1
                for group in row.groups:
                    group.node = np.full(len(group), start, np.int64)
            for step in range(said.steps):
                groups = [group for row in states for group in row.groups]
                are_known = [self.codes[row.number, position] >= 0 for row in states for _ in row.groups]
                odds = self._odds(said, groups, are_known)
                for row in states:
                    count = len(row.groups)
                    self._decide(row, position, step, odds[:count])
                    del odds[:count]
            for row in states:
                for group in row.groups:
                    group.codes[position] = -1 - group.node
                    self._set_bits(position, group)
                if position == row.last_known and not row.is_drawn:
                    self._settle(row, position)
        for row in states:
            own = self.codes[row.number] < 0
            self.filled[row.number, own] = row.groups[0].codes[own, 0]

    def _set_bits(self, position: int, group: Group) -> None:
        said = self.positions[position]
        first, end = self.first_bit[position], self.first_bit[position] + len(said.predictors)
        group.bits[first:end] = said.predictors[:, group.codes[position]]
        for each in said.sums:
            first, end = end, end + len(each.cuts)
            group.bits[first:end] = each.bits(group.codes[each.first], group.codes[position])

    def _begin(self, row: int) -> _Row:
        is_known = self.codes[row] >= 0
        known, unknown = np.flatnonzero(is_known), np.flatnonzero(~is_known)
        first_unknown = int(unknown[0]) if len(unknown) else len(is_known)
        last_known = int(known[-1]) if len(known) else -1
        group = Group(int(self.first_bit[-1]), len(self.positions))
        return _Row(row, first_unknown, last_known, [group], last_known <= first_unknown)

    @staticmethod
    def _odds(said: Position, groups: list[Group], are_known: list[bool]) -> list[Floats]:
        """Of each group: odds of each particle's decision; NaN where its value is decided."""
        nodes = np.concatenate([group.node for group in groups])
        odds = np.full(len(nodes), np.nan)

        def odds_of(decision: int, reaching: NDArray[np.bool_]) -> Floats:
            read = said.decisions[decision].predictors
            columns = np.concatenate([group.bits[read] for group in groups], axis=1)
            return said.decisions[decision].odds_of_read(columns[:, reaching])

        is_blank = np.repeat([not known for known in are_known], [len(group) for group in groups])
        for decision in np.unique(nodes[nodes >= 0]).tolist():
            reaching = nodes == decision
            odds[reaching] = odds_of(decision, reaching)
            blank = reaching & is_blank
            if said.conditioned is None or not blank.any():
                continue
            own = said.conditioned(decision, int(blank.sum()), partial(odds_of, reaching=blank))
            if own is not None:
                odds[blank] = own
        return np.split(odds, np.cumsum([len(group) for group in groups])[:-1])

    def _decide(self, row: _Row, position: int, step: int, odds: list[Floats]) -> None:
        code = int(self.codes[row.number, position])
        said = self.positions[position]
        if code >= 0:
            path = said.paths[code]
            if step >= len(path):
                return
            outcome = path[step][1]
            if position < row.first_unknown:
                own = log_probability(np.array([outcome], np.uint8), odds[0][:1])
                self.log_evidence[row.number] += own[0]
            else:
                for group, its in zip(row.groups, odds, strict=True):
                    group.observe(its, outcome)
            for group in row.groups:
                _go_on(said, group, np.full(len(group), outcome))
            return
        number = int(self.first_number[position]) + step
        if row.is_drawn:
            _go_on(said, row.groups[0], np.array([self._draw(row.number, number, float(odds[0][0]))]))
            return
        if len(row.groups) < self.group_count:
            its = odds[0]
            if len(its) + int(((its > 0) & (its < np.inf)).sum()) > self.most:
                row.groups += [row.groups[0].fork() for _ in range(self.group_count - 1)]
                odds = [its] * self.group_count
        done = int(self.first_bit[position])
        for word, (group, its) in enumerate(zip(row.groups, odds, strict=True)):
            uniform = self._uniform(row.number, word, number)
            _go_on(said, group, group.branch(its, self.most, uniform, self.merit, done))

    def _draw(self, row: int, number: int, odds: float) -> int:
        if odds != odds:
            return NOT_REACHED
        if odds in (0.0, np.inf):
            return int(odds > 0)
        return int(self._uniform(row, 0, number) * (1.0 + odds) < odds)

    def _settle(self, row: _Row, position: int) -> None:
        """After the last known value: evidence, its error, and one particle of one group in proportion to the evidence."""
        count = self.group_count
        is_one = len(row.groups) == 1
        logs = np.array([group.log_evidence for group in row.groups])
        if is_one:
            logs = np.repeat(logs, count)
        highest = float(logs.max())
        shares = np.ones(count) if highest == -np.inf else exp(logs - highest)
        total = sum_in_order(shares)
        self.log_evidence[row.number] += highest + float(log(total / count))
        if any(group.thinned for group in row.groups):
            self.exact[row.number] = False
            self.error[row.number] = np.inf if count == 1 else _standard_error(logs)
            relative = 1.0 if count == 1 else (_standard_error(shares) / (total / count)) ** 2
            self.size[row.number] = self.samples / (1 + (self.samples - 1) * relative)
        rest = self._uniform(row.number, 0, int(self.first_number[position + 1]) - 1) * total
        own = 0
        while own < count - 1 and rest >= shares[own]:
            rest -= float(shares[own])
            own += 1
        chosen = row.groups[0 if is_one else own]
        chosen.choose(rest / float(shares[own]))
        row.groups, row.is_drawn = [chosen], True

    def _uniform(self, row: int, word: int, number: int) -> float:
        return float(uniforms(self.seed, COMPLETE, row, number, word))


def _go_on(said: Position, group: Group, outcomes: Integers) -> None:
    moving = (group.node >= 0) & (outcomes != NOT_REACHED)
    at = np.where(moving, group.node, 0)
    if len(said.zero):
        group.node = np.where(moving, np.where(outcomes == 1, said.one[at], said.zero[at]), group.node)


def _standard_error(values: Floats) -> float:
    count = len(values)
    mean = sum_in_order(values) / count
    return float(np.sqrt(sum_in_order((values - mean) ** 2) / (count - 1) / count))
