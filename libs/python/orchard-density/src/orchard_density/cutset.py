"""Cutset networks: conditions on columns, and under them forests of the columns left (libs/families/cutset)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .bits_model import Bits
from .density_model import Floats
from .errors import NotToldError, damaged
from .exact_model import ExactModel
from .forest import Forest, Known
from .model_file import ModelFile
from .numerics import exp, log

_MOST_CONDITIONS = 4096


@dataclass
class Condition:
    """A column that is asked first, and the nodes that come after its answers."""

    column: int
    #: P(column = 1).
    rate: float
    zero: int = -1
    one: int = -1

    def log_rate(self, value: int) -> float:
        return float(log(self.rate if value == 1 else 1.0 - self.rate))


class Cutset(ExactModel):
    """Of each row one leaf tells its probability. `nodes` are conditions and leaves, from the root on, those after a 0 first."""

    def __init__(self, file: ModelFile) -> None:
        super().__init__(file)
        self.numbers = self.width = self.dimensions
        with damaged(file.where, "a tree of conditions, each on a column not asked before, with forests of the others"):
            self.nodes = _read_nodes(file)

    def log_probability(self, rows: Bits) -> Floats:
        total = np.zeros(len(rows))
        for own, node, path in self._visit(rows):
            for condition, value in path:
                total[own] += condition.log_rate(value)
            total[own] += node.log_probability(rows[own])
        return total

    def cells(self, rows: Bits) -> Floats:
        cells = np.zeros(rows.shape)
        for own, leaf, path in self._visit(rows):
            for condition, value in path:
                cells[own, condition.column] = condition.log_rate(value)
            cells[np.ix_(own, leaf.columns)] = leaf.cells(rows[own])
        return cells

    def draw(self, rows: Bits, known: Known, uniforms: Floats) -> Floats:
        """From the root down: which answer of an unknown condition, by how probable each is given what is known; then the leaf."""
        evidence = self._evidence(rows, known)
        open_nodes = [(0, 0, np.arange(len(rows)))]
        while open_nodes:
            at, depth, own = open_nodes.pop()
            if len(own) == 0:
                continue
            node = self.nodes[at]
            if isinstance(node, Forest):
                drawn = rows[own]
                node.draw(drawn, known[own], uniforms[depth:, own])
                rows[own] = drawn
                continue
            log_one = node.log_rate(1) + _of_rows(evidence[node.one], own)
            is_one = uniforms[depth, own] < exp(log_one - _of_rows(evidence[at], own))
            is_known = known[own, node.column]
            rows[own, node.column] = np.where(is_known, rows[own, node.column], is_one)
            value = rows[own, node.column]
            open_nodes += [(node.zero, depth + 1, own[value == 0]), (node.one, depth + 1, own[value == 1])]
        return np.broadcast_to(evidence[0], (len(rows),))

    def importance(self) -> Floats:
        raise NotToldError(
            "importances of a cutset network", "what a model of this kind tells",
            "What a column depends on differs from leaf to leaf: the run's report shows the conditions.",
        )  # fmt: skip

    def _visit(self, rows: Bits) -> list[tuple[NDArray[np.int64], Forest, list[tuple[Condition, int]]]]:
        """The rows of each leaf that has any, and the answers that lead to it."""
        found = []
        open_nodes: list[tuple[int, NDArray[np.int64], list[tuple[Condition, int]]]] = [(0, np.arange(len(rows)), [])]
        while open_nodes:
            at, own, path = open_nodes.pop()
            node = self.nodes[at]
            if len(own) == 0:
                continue
            if isinstance(node, Forest):
                found.append((own, node, path))
                continue
            value = rows[own, node.column]
            open_nodes += [
                (after, own[value == answer], [*path, (node, answer)])
                for answer, after in enumerate((node.zero, node.one))
            ]
        return found

    def _evidence(self, rows: Bits, known: Known) -> list[Floats]:
        """Of each node, of each row that may come to it: log P(what is known of the columns there). One number where nothing is."""
        if not known.any():
            rows, known = rows[:1], known[:1]
        reaches = [np.zeros(len(rows), bool) for _ in self.nodes]
        reaches[0][:] = True
        for at, node in enumerate(self.nodes):
            if isinstance(node, Condition):
                is_known, value = known[:, node.column], rows[:, node.column]
                reaches[node.zero] = reaches[at] & ~(is_known & (value == 1))
                reaches[node.one] = reaches[at] & ~(is_known & (value == 0))
        evidence = [np.zeros(len(rows)) for _ in self.nodes]
        # what comes after a condition stands behind it
        for at in reversed(range(len(self.nodes))):
            node = self.nodes[at]
            if isinstance(node, Forest):
                own = np.flatnonzero(reaches[at])
                if len(own):
                    evidence[at][own] = node.log_evidence(rows[own], known[own])
                continue
            zero = node.log_rate(0) + evidence[node.zero]
            one = node.log_rate(1) + evidence[node.one]
            small, large = np.minimum(zero, one), np.maximum(zero, one)
            either = large + log(1.0 + exp(small - large))
            evidence[at] = np.where(known[:, node.column], np.where(rows[:, node.column] == 1, one, zero), either)
        return evidence


def _of_rows(evidence: Floats, rows: NDArray[np.int64]) -> Floats:
    """Of these rows, where it is not the same of all."""
    return evidence if len(evidence) == 1 else evidence[rows]


def _read_nodes(file: ModelFile) -> list[Condition | Forest]:
    body = file.body
    inner = len(body.bytes("rates")) // 8
    rates = iter(body.floats("rates", inner).tolist())
    conditions = body.integers("conditions", 2 * inner + 1)
    places = len(body.bytes("leafRates")) // 16
    leaf_rates = body.floats("leafRates", 2 * places).reshape(-1, 2)
    leaf_parents = body.integers("leafParents", places) - 1
    nodes: list[Condition | Forest] = []
    place = 0
    # the columns left, and how many were asked; what comes after a 0 is read first
    open_nodes: list[tuple[NDArray[np.int64], int, Condition | None]] = [(np.arange(file.dimensions), 0, None)]
    while open_nodes:
        columns, depth, after = open_nodes.pop()
        at = len(nodes)
        if at >= len(conditions):
            raise ValueError("fewer nodes than conditions need")
        if after is not None:
            if after.zero < 0:
                after.zero = at
            else:
                after.one = at
        if conditions[at] == 0:
            end = place + len(columns)
            if end > places:
                raise ValueError("fewer columns in leaves than are left")
            nodes.append(Forest(columns, leaf_parents[place:end], leaf_rates[place:end]))
            place = end
            continue
        condition = Condition(int(conditions[at]) - 1, next(rates, 0.0))
        if condition.column not in columns or len(columns) < 2 or depth >= _MOST_CONDITIONS:
            raise ValueError(f"a condition on column {condition.column}, which was asked, is the last, or is none")
        if not 0 < condition.rate < 1:
            raise ValueError(f"a rate of {condition.rate}")
        nodes.append(condition)
        left = columns[columns != condition.column]
        open_nodes += [(left, depth + 1, condition), (left, depth + 1, condition)]
    if len(nodes) != len(conditions) or place != places:
        raise ValueError("more nodes than the tree has")
    return nodes
