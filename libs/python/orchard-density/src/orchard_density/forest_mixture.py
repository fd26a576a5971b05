"""Mixtures of products of columns, or of forests of them, as one model: thousands of components (libs/families/mixture)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .bits_model import Bits
from .density_model import Floats
from .errors import NotToldError, damaged
from .exact_model import ExactModel
from .forest import Forest, Known
from .model_file import ModelFile
from .numerics import exp, log, log_sum_exp
from .products import Products

_ROUNDING = 1e-9


class ForestMixture(ExactModel):
    """P(x) is the sum of weight times P(x) over the components."""

    def __init__(self, file: ModelFile) -> None:
        super().__init__(file)
        #: Of each component: positive, 1 in all.
        self.weights, self.components = self._components(file)
        self.numbers, self.width = file.dimensions + 1, max(file.dimensions, len(self.weights))
        self._log_weights = log(self.weights)

    def _components(self, file: ModelFile) -> tuple[Floats, Products | Forests]:
        """Weights, and what they are of."""
        body, dimensions = file.body, file.dimensions
        count = len(body.bytes("weights")) // 8
        weights = body.floats("weights", count)
        is_of_products = len(body.bytes("parents")) == 0
        rates = body.floats("rates", count * dimensions * (1 if is_of_products else 2))
        with damaged(
            file.where, "weights that sum to 1, and of each a forest of all columns with rates between 0 and 1"
        ):
            if not (weights > 0).all() or not abs(weights.sum() - 1.0) < _ROUNDING:
                raise ValueError(f"weights of {weights.sum()} in all")
            if is_of_products:
                return weights, Products(rates.reshape(count, dimensions))
            parents = body.integers("parents", count * dimensions).reshape(count, dimensions) - 1
            forests = [
                Forest(np.arange(dimensions), own, its)
                for own, its in zip(parents, rates.reshape(count, dimensions, 2), strict=True)
            ]
            return weights, Forests(forests)

    def log_probability(self, rows: Bits) -> Floats:
        return log_sum_exp(self.components.joint_logs(self._log_weights, rows))

    def cells(self, rows: Bits) -> Floats:
        """What the components say of each column, by how probable each is given the row, scaled so that the sum is the row's."""
        joint = self.components.joint_logs(self._log_weights, rows)
        whole = log_sum_exp(joint)
        cells = self.components.mean_cells(exp(joint - whole), rows)
        # unscaled they lack what the row tells of the components, which no column has caused alone
        return cells * (whole / cells.sum(axis=1))[:, np.newaxis]

    def draw(self, rows: Bits, known: Known, uniforms: Floats) -> Floats:
        """First the component, by how probable each is given what is known, then its columns."""
        joint = self._log_weights[:, np.newaxis] + self.components.log_evidence(rows, known)
        evidence = log_sum_exp(joint)
        chosen = _choose(np.broadcast_to(exp(joint - evidence), (len(joint), len(rows))), uniforms[0])
        self.components.draw(chosen, rows, known, uniforms[1:])
        return np.broadcast_to(evidence, (len(rows),))

    def importance(self) -> Floats:
        raise NotToldError(
            "importances of a mixture of components", "what a model of this kind tells",
            "Columns depend on one another by the component alone: model.components has the rates of each.",
        )  # fmt: skip


class Forests:
    """Components with edges."""

    def __init__(self, forests: list[Forest]) -> None:
        self.forests = forests

    def joint_logs(self, log_weights: Floats, rows: Bits) -> Floats:
        return np.stack(
            [weight + own.log_probability(rows) for weight, own in zip(log_weights, self.forests, strict=True)]
        )

    def mean_cells(self, shares: Floats, rows: Bits) -> Floats:
        cells = np.zeros(rows.shape)
        for share, own in zip(shares, self.forests, strict=True):
            cells += share[:, np.newaxis] * own.cells(rows)
        return cells

    def log_evidence(self, rows: Bits, known: Known) -> Floats:
        return np.stack([own.log_evidence(rows, known) for own in self.forests])

    def draw(self, chosen: NDArray[np.int64], rows: Bits, known: Known, uniforms: Floats) -> None:
        for at in np.unique(chosen).tolist():
            own = np.flatnonzero(chosen == at)
            drawn = rows[own]
            self.forests[at].draw(drawn, known[own], uniforms[:, own])
            rows[own] = drawn


def _choose(shares: Floats, uniform: Floats) -> NDArray[np.int64]:
    """Of each row: the component in whose share its number falls."""
    rest = uniform.copy()
    chosen = np.zeros(len(rest), np.int64)
    passing = np.ones(len(rest), bool)
    for share in shares[:-1]:
        passing &= rest >= share
        if not passing.any():
            break
        rest[passing] -= share[passing]
        chosen += passing
    # what rounding leaves over is no reason to choose what cannot be
    possible = np.where(shares > 0, np.arange(len(shares))[:, np.newaxis], 0)
    return np.maximum.accumulate(possible, axis=0)[chosen, np.arange(len(rest))]
