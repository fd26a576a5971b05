"""Columns of 0 and 1 whose dependences are a forest: each column given its parent (libs/learning/forests/src/forest.ts).

Of rows of which any columns are known one pass from the leaves to the roots tells everything exactly, and one back draws what is unknown.
Rows are worked on together, place after place, in the order and with the roundings of the original: the bits are the same.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .bits_model import Bits
from .density_model import Floats
from .numerics import exp, log

Integers = NDArray[np.int64]
Known = NDArray[np.bool_]

#: Below this what comes up from children is scaled up, so that that of many does not underflow.
SMALL = 1e-150


class Forest:
    """
    P(x) is the product of P(column | its parent).

    columns: the number of each place's column in the rows.
    parents: the place of each place's parent, -1 of a root.
    rates: P(1 | parent is 0) and P(1 | parent is 1), shape (places, 2); of a root twice the same.

    Raises ValueError where parents go round, or rates are none.
    """

    def __init__(self, columns: Integers, parents: Integers, rates: Floats) -> None:
        if not ((rates > 0) & (rates < 1)).all():
            raise ValueError("a rate that is not between 0 and 1")
        self.columns, self.parents, self.rates = columns, parents, rates
        #: Places, parents before their children.
        self.order = _order_of(parents)
        places = np.arange(len(columns))
        #: The column of each place's parent; of a root its own, whose rates are the same after 0 and 1.
        self._given = columns[np.where(parents < 0, places, parents)]
        #: log P(value | parent's value) by place, parent's value and value.
        self._logs = np.stack([log(1.0 - rates), log(rates)], axis=2)
        self._of_nothing: tuple[Floats, Floats] | None = None

    def cells(self, rows: Bits) -> Floats:
        """log P(value | parent's value), shape (rows, places)."""
        return self._logs[np.arange(len(self.columns)), rows[:, self._given], rows[:, self.columns]]

    def log_probability(self, rows: Bits) -> Floats:
        # one after another: a sum of its own kind would be rounded otherwise
        return np.add.accumulate(self.cells(rows), axis=1)[:, -1]

    def log_evidence(self, rows: Bits, known: Known) -> Floats:
        """log P(known values) of each row."""
        return np.broadcast_to(self._pass_up(rows, known)[1], (len(rows),))

    def draw(self, rows: Bits, known: Known, uniforms: Floats) -> Floats:
        """
        Draws what is unknown of rows into them. @returns log P(known values) of each

        uniforms: shape (places at least, rows), of which each place takes one, whatever is known.
        """
        below, evidence = self._pass_up(rows, known)
        for place, number in zip(self.order.tolist(), uniforms, strict=False):
            parent, column = int(self.parents[place]), int(self.columns[place])
            rate = self.rates[place, 0] if parent < 0 else self.rates[place][rows[:, self.columns[parent]]]
            zero, one = below[place]
            one = rate * one
            with np.errstate(invalid="ignore"):
                drawn = number < one / (one + (1.0 - rate) * zero)
            rows[:, column] = np.where(known[:, column], rows[:, column], drawn)
        return np.broadcast_to(evidence, (len(rows),))

    def _pass_up(self, rows: Bits, known: Known) -> tuple[Floats, Floats]:
        """
        How probable what is known at and below a place is given that its value is 0 or 1, up to a factor, shape (places, 2, rows), and
        log P(known values). Where nothing is known, which is the same of all rows, there is one row.
        """
        if known[:, self.columns].any():
            return self._passed_up(rows, known)
        if self._of_nothing is None:
            self._of_nothing = self._passed_up(rows[:1], known[:1])
        return self._of_nothing

    def _passed_up(self, rows: Bits, known: Known) -> tuple[Floats, Floats]:
        below = np.ones((len(self.columns), 2, len(rows)))
        taken: dict[int, Floats] = {}
        evidence, pending = np.zeros(len(rows)), np.ones(len(rows))
        for place in self.order[::-1].tolist():
            column, parent = int(self.columns[place]), int(self.parents[place])
            zero, one = below[place]
            is_known, is_one = known[:, column], rows[:, column] == 1
            zero[is_known & is_one] = 0.0
            one[is_known & ~is_one] = 0.0
            if place in taken:
                evidence += _give_back(below[place], taken.pop(place))
            after_zero, after_one = self.rates[place].tolist()
            if parent < 0:
                pending *= (1.0 - after_zero) * zero + after_zero * one
            else:
                above = below[parent]
                above[0] *= (1.0 - after_zero) * zero + after_zero * one
                above[1] *= (1.0 - after_one) * zero + after_one * one
                largest = np.maximum(above[0], above[1])
                small = largest < SMALL
                if small.any():
                    above[:, small] /= largest[small]
                    evidence[small] += log(largest[small])
                # children that are still to come may say the opposite
                improbable = (above < SMALL) & (above != 0.0)
                if improbable.any():
                    taken.setdefault(parent, np.zeros_like(above))[improbable] += log(above[improbable])
                    above[improbable] = 1.0
            move_to_evidence(pending, evidence)
        return below, evidence + log(pending)


def _give_back(below: Floats, taken: Floats) -> Floats:
    """What was taken out of what the children say of a place, but for a factor of both values. @returns the factor's logarithm, 0 of most rows"""
    rows = (taken != 0.0).any(axis=0)
    with np.errstate(divide="ignore"):
        logs = taken[:, rows] + log(below[:, rows])
    largest = np.maximum(logs[0], logs[1])
    below[:, rows] = exp(logs - largest)
    factors = np.zeros(len(rows))
    factors[rows] = largest
    return factors


def move_to_evidence(pending: Floats, evidence: Floats) -> None:
    """Takes the logarithms of products that have become small, before they are too small."""
    small = pending < SMALL
    if small.any():
        evidence[small] += log(pending[small])
        pending[small] = 1.0


def _order_of(parents: Integers) -> Integers:
    """Parents before children, roots in their order, and the children of one in theirs."""
    children: list[list[int]] = [[] for _ in parents]
    order: list[int] = []
    for place, parent in enumerate(parents.tolist()):
        if parent < 0:
            order.append(place)
        elif parent < len(parents):
            children[parent].append(place)
        else:
            raise ValueError(f"a column that is told by column {parent}, which is none")
    for place in order:
        order += children[place]
    if len(order) < len(parents):
        raise ValueError("columns that tell each other in a circle")
    return np.array(order, np.int64)
