"""A Bayesian network of discrete columns (pyAgrum): lines, and lattices of many values, by its discretiser's quantiles.

Within a bin a line is uniform, its ends as in our cells (exponential, with the mean excess of the training rows); a lattice has
its training frequencies. The number of bins is chosen on a tenth of the training rows.
"""

import numpy as np
import pandas as pd
import pyagrum as gum
from pyagrum.lib.discreteTypeProcessor import DiscreteTypeProcessor

BINS = [5, 10, 20, 40, 80, 160]
VALIDATION = 0.1


class BayesNet:
    has_density = True

    def __init__(self, columns, seed):
        self.columns = columns
        self.random = np.random.default_rng(seed)

    def fit(self, values):
        rows = len(next(iter(values.values())))
        order = self.random.permutation(rows)
        valid, train = order[: int(VALIDATION * rows)], order[int(VALIDATION * rows) :]
        part = lambda which: {name: cells[which] for name, cells in values.items()}
        known = lambda parts: np.all([column.is_known(parts[column.name]) for column in self.columns], axis=0)
        held_out = part(valid)
        rows_known = known(held_out)
        held_out = {name: cells[rows_known] for name, cells in held_out.items()}
        scores = {}
        for bins in BINS:
            self.learn(part(train), bins)
            scores[bins] = float(np.mean(self.log_density(held_out)))
        best = max(scores, key=scores.get)
        self.learn(values, best)
        return f"{best} bins, {self.net.sizeArcs()} arcs"

    def learn(self, values, bins):
        self.cells = {column.name: Cells(column, values[column.name], bins) for column in self.columns}
        frame = pd.DataFrame({name: cells.codes(values[name]) for name, cells in self.cells.items()})
        template = gum.BayesNet()
        for name, cells in self.cells.items():
            template.add(gum.RangeVariable(safe(name), name, 0, cells.count - 1))
        frame.columns = [safe(name) for name in frame.columns]
        learner = gum.BNLearner(frame, template)
        learner.useGreedyHillClimbing()
        learner.useScoreBIC()
        learner.useSmoothingPrior(0.5)
        self.net = learner.learnBN()
        self.tables = {}
        for column in self.columns:
            cpt = self.net.cpt(safe(column.name))
            # numpy's axes are the variables in reverse: the column itself last
            self.tables[column.name] = [name for name in reversed(cpt.names)][:-1], cpt.toarray()

    def log_density(self, values):
        codes = {safe(name): cells.codes(values[name]) for name, cells in self.cells.items()}
        total = 0.0
        for column in self.columns:
            parents, table = self.tables[column.name]
            own = codes[safe(column.name)]
            mass = table[tuple(codes[parent] for parent in parents) + (own,)]
            total = total + np.log(mass) + self.cells[column.name].within(own, values[column.name])
        return total

    def sample(self, count):
        by_safe = {safe(column.name): column for column in self.columns}
        codes, drawn = {}, {}
        for node in self.net.topologicalOrder():
            name = self.net.variable(node).name()
            column = by_safe[name]
            parents, table = self.tables[column.name]
            rows = table[tuple(codes[parent] for parent in parents)] if parents else np.tile(table, (count, 1))
            cumulative = np.cumsum(rows, axis=1)
            uniform = self.random.uniform(size=count) * cumulative[:, -1]
            codes[name] = np.minimum((uniform[:, None] > cumulative).sum(axis=1), table.shape[-1] - 1)
            drawn[column.name] = self.cells[column.name].draw(codes[name], self.random)
        return drawn


def safe(name):
    """Names as pyAgrum takes them."""
    return "".join(letter if letter.isalnum() else "_" for letter in name)


def distinct(edges, step):
    """Ascending, without those that differ by rounding alone."""
    edges = np.sort(edges)
    return edges[np.concatenate([[True], np.diff(edges) > step / 2])]


class Cells:
    """The codes of one column for the network, and what a value adds within its code."""

    def __init__(self, column, values, bins):
        self.column = column
        self.binned = column.kind == "line" or (column.kind == "lattice" and len(column.values) > bins)
        if not self.binned:
            self.count = (len(column.labels) if column.kind == "labels" else len(column.values)) + column.has_holes
            return
        present = values[~np.isnan(values)]
        discretiser = DiscreteTypeProcessor("quantile", bins, discretizationThreshold=1)
        # the variable lives no longer than the template
        template = discretiser.discretizedTemplate(pd.DataFrame({"column": present}))
        inner = np.array(sorted(set(template.variable("column").ticks())))[1:-1]
        # an edge amid values written alike would cut them
        # and a value that fills a bin has one of its own, as in our cells: else its atom would be spread over the bin
        atoms, counts = np.unique(present, return_counts=True)
        atoms = atoms[counts * bins >= len(present)] if column.kind == "line" else atoms[:0]
        inner = np.concatenate([(np.floor(inner / column.step) + 0.5) * column.step, atoms - column.step / 2, atoms + column.step / 2])
        self.edges = distinct(inner, column.step)
        codes = np.searchsorted(self.edges, present, side="right")
        self.count = len(self.edges) + 1 + column.has_holes
        if column.kind == "lattice":
            places = column.cell(present)
            frequency = np.bincount(places, minlength=len(column.values)) + 0.5
            self.bin_of = np.searchsorted(self.edges, column.values, side="right")
            totals = np.bincount(self.bin_of, weights=frequency, minlength=len(self.edges) + 1)
            self.log_share = np.log(frequency / totals[self.bin_of])
            return
        first, last = present[codes == 0], present[codes == len(self.edges)]
        # without inner edges: one exponential on each side of the middle would be needed; the data have none such
        excess = lambda part, edge: max(column.step / 2, float(np.mean(np.abs(part - edge)))) if len(part) else column.step
        self.tails = [excess(first, self.edges[0]), excess(last, self.edges[-1])]

    def codes(self, values):
        column = self.column
        if column.kind == "labels":
            count = len(column.labels)
            return np.where(values < 0, count, np.where(values >= count, 0, values)).astype(int)
        numbers = np.where(np.isnan(values), 0, values)
        codes = np.searchsorted(self.edges, numbers, side="right") if self.binned else column.cell(numbers)
        return np.where(np.isnan(values), self.count - 1, codes).astype(int)

    def within(self, codes, values):
        column = self.column
        if not self.binned:
            return 0.0
        present = ~np.isnan(values)
        numbers = np.where(present, values, 0)
        if column.kind == "lattice":
            return np.where(present, self.log_share[column.cell(numbers)], 0.0)
        last = len(self.edges)
        inner = -np.log(np.diff(self.edges)[np.clip(codes - 1, 0, last - 2)]) if last > 1 else 0.0
        tail = np.where(codes == 0, self.tails[0], self.tails[1])
        edge = np.where(codes == 0, self.edges[0], self.edges[-1])
        outer = -np.log(tail) - np.abs(numbers - edge) / tail
        return np.where(present, np.where((codes == 0) | (codes >= last), outer, inner), 0.0)

    def draw(self, codes, random):
        column = self.column
        if column.kind == "labels":
            return np.where(codes == len(column.labels), -1, codes)
        hole = (codes == self.count - 1) if column.has_holes else np.zeros(len(codes), bool)
        codes = np.where(hole, 0, codes)
        if not self.binned:
            return np.where(hole, np.nan, column.values[codes])
        if column.kind == "lattice":
            numbers = np.empty(len(codes))
            for code in np.unique(codes):
                places = np.flatnonzero(self.bin_of == code)
                rows = codes == code
                shares = np.exp(self.log_share[places])
                numbers[rows] = random.choice(column.values[places], size=rows.sum(), p=shares / shares.sum())
            return np.where(hole, np.nan, numbers)
        last = len(self.edges)
        uniform = random.uniform(size=len(codes))
        low, high = self.edges[np.clip(codes - 1, 0, last - 1)], self.edges[np.clip(codes, 0, last - 1)]
        numbers = low + uniform * (high - low)
        numbers = np.where(codes == 0, self.edges[0] + np.log(uniform) * self.tails[0], numbers)
        numbers = np.where(codes == last, self.edges[-1] - np.log(uniform) * self.tails[1], numbers)
        return np.where(hole, np.nan, numbers)
