"""One variable given those before it: the odds of its decisions, what codes are worth, and codes drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..decision import Decision
from ..ensembles import Ensemble
from ..network import log_probability
from .line import Line, LineDecision
from .variable import DecisionTree, Variable

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
#: Predictor bits, shape (bits, rows).
Predictors = NDArray[np.uint8]

_NONE, _ALL, _MIXED = 0, 1, 2


class Conditional:
    """P(code | codes before), the product over the decisions on the code's path."""

    def __init__(self, variable: Variable, ensembles: list[Ensemble], line: Line | None = None) -> None:
        self.variable = variable
        self.tree = variable.tree
        self.ensembles = ensembles
        self.line = line
        sides = [None] * len(ensembles) if line is None else line.sides
        self.decisions = [
            Decision(ensemble) if line is None or own is None else LineDecision(ensemble, line, own)
            for ensemble, own in zip(ensembles, sides, strict=True)
        ]

    def log_probabilities(self, bits: Predictors, codes: Integers) -> Floats:
        """log P(code) of each row, nats."""
        result = np.zeros(len(codes))
        open_nodes = [(self.tree.root, np.arange(len(codes)))]
        while open_nodes:
            decision, rows = open_nodes.pop()
            if decision < 0 or len(rows) == 0:
                continue
            outcomes = self.tree.outcomes[decision][codes[rows]]
            result[rows] += log_probability(outcomes, self.decisions[decision].odds(bits, rows))
            open_nodes.append((int(self.tree.zero[decision]), rows[outcomes == 0]))
            open_nodes.append((int(self.tree.one[decision]), rows[outcomes == 1]))
        return result

    def draw(self, bits: Predictors, uniforms: Floats) -> Integers:
        """A code for each row; its number in [0, 1) is spent decision by decision."""
        rows = len(uniforms)
        codes = np.zeros(rows, np.int64)
        rest = uniforms.copy()
        every = np.arange(rows)
        allowed = allowed_odds(
            self.tree, self.variable.drawn_weights, rows, lambda decision: self.decisions[decision].odds(bits, every)
        )
        open_nodes = [(self.tree.root, every)]
        while open_nodes:
            child, own = open_nodes.pop()
            if child < 0:
                codes[own] = -1 - child
                continue
            if len(own) == 0:
                continue
            conditioned = allowed.odds[child]
            odds = self.decisions[child].odds(bits, own) if conditioned is None else conditioned[own]
            with np.errstate(divide="ignore", invalid="ignore"):
                p = np.where(odds == np.inf, 1.0, odds / (1.0 + odds))
                number = rest[own]
                is_one = number < p
                # what is left of the number is uniform again
                rest[own] = np.minimum(np.where(is_one, number / p, (number - p) / (1.0 - p)), 1.0 - 2.0**-53)
            open_nodes.append((int(self.tree.zero[child]), own[~is_one]))
            open_nodes.append((int(self.tree.one[child]), own[is_one]))
        return codes


@dataclass(frozen=True)
class AllowedOdds:
    """What is allowed of a variable."""

    #: Probability of what is allowed, by place.
    chances: Floats
    #: Of a decision: its odds among what is allowed, by place; None where all below it is allowed.
    odds: list[Floats | None]


def _allowances(tree: DecisionTree, weights: Floats) -> Callable[[int], int]:
    below_decision = np.zeros(len(tree.zero), np.int64)

    def below(child: int) -> int:
        if child < 0:
            weight = weights[-1 - child]
            return _ALL if weight == 1 else _NONE if weight == 0 else _MIXED
        return int(below_decision[child])

    # every decision stands behind the one that leads to it
    for decision in range(len(tree.zero) - 1, -1, -1):
        zero, one = below(int(tree.zero[decision])), below(int(tree.one[decision]))
        below_decision[decision] = zero if zero == one else _MIXED
    return below


def first_open(tree: DecisionTree, weights: Floats) -> int:
    """The first decision, or the code, that is not settled by what is allowed."""
    below = _allowances(tree, weights)
    child = tree.root
    while child >= 0:
        zero, one = int(tree.zero[child]), int(tree.one[child])
        if (below(zero) == _NONE) == (below(one) == _NONE):
            break
        child = one if below(zero) == _NONE else zero
    return child


def allowed_odds(
    tree: DecisionTree, weights: Floats, places: int, odds_of_decision: Callable[[int], Floats]
) -> AllowedOdds:
    """Looks ahead in the tree of a variable of which only some codes are allowed."""
    below = _allowances(tree, weights)
    odds: list[Floats | None] = [None] * len(tree.zero)

    def mass_of(child: int) -> Floats:
        if child < 0:
            return np.full(places, weights[-1 - child])
        if below(child) != _MIXED:
            return np.full(places, float(below(child) == _ALL))
        own = odds_of_decision(child)
        zero, one = mass_of(int(tree.zero[child])), mass_of(int(tree.one[child]))
        with np.errstate(divide="ignore", invalid="ignore"):
            p = np.where(own == np.inf, 1.0, own / (1.0 + own))
            # not by 1 - p, of which odds beyond 2^53 leave nothing
            left, right = zero / (1.0 + own), p * one
            # nothing is allowed that has any probability: as if all were
            odds[child] = np.where(left + right > 0, right / left, own)
        return left + right

    return AllowedOdds(mass_of(tree.root), odds)
