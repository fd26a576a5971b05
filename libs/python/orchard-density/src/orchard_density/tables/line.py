"""A variable's place on a line of the variables before it and products of their numbers, a logistic distribution around it (libs/families/tables)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..decision import Decision
from ..ensembles import ODDS_LIMIT, Ensemble
from ..errors import ModelFileError
from ..model_file import Body
from ..numerics import exp
from .variable import Variable

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_Number = TypeVar("_Number", bound=np.generic)

#: Weights are multiples of 2^-30, so that sums of them below 2^22 are exact in any order.
_GRID = 1.5 * 2.0**22
_FARTHEST = 200.0
_USED = "lineUsed"
_SLOPES = "lineSlopes"
_PRODUCTS = "lineProducts"
_AGAIN = "Get the file again from where it was made."

#: Values side by side: e^edge on both sides of them, 0 and infinity at the ends.
Stretch = tuple[float, float]


@dataclass(frozen=True)
class Product:
    """A product of two numbers that a line looks at."""

    curvature: float
    #: Of both: where the predictor bits of its position begin, and what each of them adds to it.
    factors: tuple[tuple[int, Floats], tuple[int, Floats]]


@dataclass(frozen=True)
class Line:
    """What a file says of a variable that starts from a line."""

    intercept: float
    #: Of each predictor bit of the positions before.
    weights: Floats
    #: Of each decision: the stretches of its sides; None where its odds are a constant.
    sides: list[tuple[list[Stretch], list[Stretch]] | None]
    #: Of each position before, in the unit of the gains of splits.
    gains: Floats
    products: list[Product]

    @property
    def bits(self) -> Integers:
        """The predictor bits that it looks at, ascending."""
        factors = [first + np.arange(len(steps)) for product in self.products for first, steps in product.factors]
        return np.unique(np.concatenate([np.flatnonzero(self.weights), *factors]))

    def places(self, bits: Integers, columns: NDArray[np.uint8]) -> Floats:
        """e^μ of rows. ``columns``: their values of these bits, which those of the line are among, ascending."""
        sums = self.intercept + self.weights[bits] @ columns.astype(np.float64)
        for product in self.products:
            one, other = (
                steps @ columns[np.searchsorted(bits, first + np.arange(len(steps)))].astype(np.float64)
                for first, steps in product.factors
            )
            sums += _on_grid(product.curvature * (one * other))
        return exp(np.clip(sums, -_FARTHEST, _FARTHEST))


class LineDecision(Decision):
    """A decision whose trees go on from the odds of a line."""

    def __init__(self, ensemble: Ensemble, line: Line, sides: tuple[list[Stretch], list[Stretch]]) -> None:
        super().__init__(ensemble)
        self._line = line
        self._zero, self._one = sides
        self._trees = super().predictors
        self._all = np.union1d(self._trees, line.bits)
        self._of_trees = np.searchsorted(self._all, self._trees)

    @property
    def predictors(self) -> Integers:
        return self._all

    def odds_of_read(self, columns: NDArray[np.uint8]) -> Floats:
        odds = super().odds_of_read(columns[self._of_trees])
        place = self._line.places(self._all, columns)
        start = np.clip(_mass(self._one, place) / _mass(self._zero, place), 1 / ODDS_LIMIT, ODDS_LIMIT)
        return np.asarray(np.clip(odds * start, 1 / ODDS_LIMIT, ODDS_LIMIT))


def _mass(stretches: list[Stretch], place: Floats) -> Floats:
    mass = np.zeros_like(place)
    for low, high in stretches:
        mass += 1.0 / (low + place) if high == np.inf else (high - low) / ((low + place) * (high + place))
    return mass


def read_lines(
    body: Body, variables: Sequence[Variable], first_bits: Integers, sum_bits: Sequence[int], where: str
) -> list[Line | None]:
    """The lines of a file, by position; none where the file has none."""
    count = len(variables)
    if not body.has(_USED):
        return [None] * count
    positions = np.flatnonzero(body.integers(_USED, count)).tolist()
    score_of, own_of, offsets = _features(variables, sum_bits)
    edge_counts = [max(0, len(variables[at].codes_in_order) - 1) for at in positions]
    intercepts = body.floats("lineIntercepts", len(positions))
    edges = iter(_pieces(body.floats("lineEdges", sum(edge_counts)), edge_counts))
    decision_counts = [variables[at].code_count - 1 for at in positions]
    decisions = iter(_pieces(body.integers("lineDecisions", sum(decision_counts)), decision_counts))
    feature_counts = [int(offsets[at]) for at in positions]
    coefficients = iter(_pieces(body.floats("lineCoefficients", sum(feature_counts)), feature_counts))
    gains = iter(_pieces(body.floats("lineGains", sum(positions)), positions))
    jumps = body.floats("lineJumps", int(first_bits[-1]))
    has_numbers = body.has(_SLOPES)
    slopes = iter(_pieces(body.floats(_SLOPES, sum(positions)) if has_numbers else np.zeros(sum(positions)), positions))
    steps = body.floats("lineSteps", len(jumps)) if has_numbers else np.zeros(len(jumps))
    counts = body.integers(_PRODUCTS, len(positions)) if body.has(_PRODUCTS) else np.zeros(len(positions), np.int64)
    factors = body.integers("lineFactors", 2 * int(counts.sum())) if body.has(_PRODUCTS) else np.zeros(0, np.int64)
    curvatures = body.floats("lineCurvatures", int(counts.sum())) if body.has(_PRODUCTS) else np.zeros(0)
    pairs = iter(_pieces(factors.reshape(-1, 2), counts.tolist()))
    curvature = iter(_pieces(curvatures, counts.tolist()))
    position_of = np.repeat(np.arange(count), np.diff(first_bits))
    # bits of sums weigh nothing
    is_weighed = (score_of >= 0) | (own_of >= 0)
    lines: list[Line | None] = [None] * count
    for position, intercept in zip(positions, intercepts, strict=True):
        variable, own_edges, own = variables[position], next(edges), next(coefficients)
        bits = int(first_bits[position])
        with_score = np.append(own, 0.0)[score_of[:bits]] * jumps[:bits]
        with_number = next(slopes)[position_of[:bits]] * steps[:bits]
        weights = _on_grid(with_score) + _on_grid(with_number) + _on_grid(np.append(own, 0.0)[own_of[:bits]])
        weights = np.where(is_weighed[:bits], weights, 0.0)
        products = []
        for own_curvature, pair in zip(next(curvature).tolist(), next(pairs).tolist(), strict=True):
            if not all(earlier < position and variables[earlier].kind == "ordered" for earlier in pair):
                raise ModelFileError(
                    "a product of what is no number before", "numbers before a variable", _AGAIN, where
                )
            one, other = (
                (int(first_bits[at]), _on_grid(steps[first_bits[at] : first_bits[at] + len(variables[at].predictors)]))
                for at in pair
            )
            products.append(Product(own_curvature, (one, other)))
        reach = np.abs(weights).sum() + abs(intercept)
        for product in products:
            reach += abs(product.curvature) * np.prod([np.abs(own).sum() for _, own in product.factors])
        if not (reach < 2.0**22 and (np.diff(own_edges) > 0).all()):
            raise ModelFileError(
                "a line that gives no odds", "edges that rise, and weights within bounds", _AGAIN, where
            )
        sides = _sides(variable, exp(own_edges))
        used = [side if is_used else None for side, is_used in zip(sides, next(decisions), strict=True)]
        lines[position] = Line(float(_on_grid(np.array([intercept]))[0]), weights, used, next(gains), products)
    return lines


def _on_grid(weights: Floats) -> Floats:
    return weights + _GRID - _GRID


def _features(variables: Sequence[Variable], sum_bits: Sequence[int]) -> tuple[Integers, Integers, Integers]:
    """Of each predictor bit the score that it adds to and the feature that it is, -1 of none; where features of positions begin."""
    score_of: list[int] = []
    own_of: list[int] = []
    offsets = [0]
    for variable, own_sums in zip(variables, sum_bits, strict=True):
        feature = offsets[-1]
        bits = len(variable.predictors)
        absence = bits - 1 if variable.hole_code is not None else -1
        is_ordered = variable.kind == "ordered"
        score = feature if is_ordered else -1
        feature += is_ordered
        for bit in range(bits):
            is_own = not is_ordered or bit == absence
            score_of.append(score)
            own_of.append(feature if is_own else -1)
            feature += is_own
        score_of += [-1] * own_sums
        own_of += [-1] * own_sums
        offsets.append(feature)
    return np.array(score_of, np.int64), np.array(own_of, np.int64), np.array(offsets, np.int64)


def _sides(variable: Variable, exponentials: Floats) -> list[tuple[list[Stretch], list[Stretch]] | None]:
    tree = variable.tree
    rank_of = {int(code): rank for rank, code in enumerate(variable.codes_in_order)}

    def below(child: int) -> list[int | None]:
        if child < 0:
            return [rank_of.get(-1 - child)]
        return below(int(tree.zero[child])) + below(int(tree.one[child]))

    def stretches(ranks: list[int | None]) -> list[Stretch] | None:
        known = sorted(rank for rank in ranks if rank is not None)
        if len(known) < len(ranks):
            return None
        found: list[Stretch] = []
        first = 0
        for at, rank in enumerate(known):
            if at + 1 < len(known) and known[at + 1] == rank + 1:
                continue
            low = 0.0 if known[first] == 0 else float(exponentials[known[first] - 1])
            found.append((low, float(exponentials[rank]) if rank < len(exponentials) else np.inf))
            first = at + 1
        return found

    sides = []
    for zero, one in zip(tree.zero.tolist(), tree.one.tolist(), strict=True):
        without, having = stretches(below(zero)), stretches(below(one))
        sides.append(None if without is None or having is None else (without, having))
    return sides


def _pieces(array: NDArray[_Number], counts: Sequence[int]) -> list[NDArray[_Number]]:
    return np.split(array, np.cumsum(np.asarray(counts, np.int64))[:-1]) if len(counts) > 0 else []
