"""UnmaskingTrees (utrees), given the same kinds, asked for the mass of what a column can be.

Its own `score_samples` adds masses of atoms to densities of bins and gives what lies beyond its bins a density all the same, so
the conditionals are integrated here: over `Column.bounds`, from its leaves (uniform bins, atoms). What its leaves leave without
any mass gets a thousandth of the column's marginal, and all columns pay for that. One random order a row, as in its own scoring.
"""

import numpy as np
from sklearn.utils.validation import validate_data
from utrees import KDIQuantizer, UnmaskingTrees

from marginals import Marginals

RESCUE = 1e-3

# scikit-learn 1.7 took the method away that utrees calls, and has a function instead
KDIQuantizer._validate_data = validate_data


class Unmasking:
    has_density = True

    def __init__(self, columns, seed, most_rows):
        self.columns = columns
        self.seed = seed
        self.most_rows = most_rows

    def fit(self, values):
        self.marginals = {column.name: Marginals([column], self.seed) for column in self.columns}
        for name, marginal in self.marginals.items():
            marginal.fit({name: values[name]})
        matrix, self.layout = self.encode(values), self.lay_out()
        orders = int(np.clip(self.most_rows // matrix.size, 1, 50))
        self.trees = UnmaskingTrees(
            duplicate_K=orders, random_state=self.seed, xgboost_kwargs={"nthread": 1}
        ).fit(matrix, ["categorical" if kind != "number" else "continuous" for _, kind in self.layout])
        return f"{orders} orders a row" + (" (50 by default)" if orders < 50 else "")

    def lay_out(self):
        """Columns of the matrix: (column, kind). A number with missing values has a label for its missing values before it."""
        layout = []
        for column in self.columns:
            if column.kind == "labels":
                layout.append((column, "labels"))
                continue
            if column.has_holes:
                layout.append((column, "hole"))
            layout.append((column, "number"))
        return layout

    def encode(self, values):
        parts = []
        for column, kind in self.lay_out():
            cells = values[column.name]
            if kind == "labels":
                count = len(column.labels)
                cells = np.where(cells < 0, count, np.where(cells >= count, 0, cells))
            elif kind == "hole":
                cells = np.isnan(cells)
            parts.append(np.asarray(cells, dtype=float))
        return np.column_stack(parts)

    def log_density(self, values, same_order=False):
        matrix = self.encode(values)
        rows = len(matrix)
        place = np.broadcast_to(self.places(1 if same_order else rows, self.seed), matrix.shape)
        total, self.rescued = np.zeros(rows), 0
        for at, (column, kind) in enumerate(self.layout):
            known = np.where(place < place[:, [at]], matrix, np.nan)
            own = matrix[:, at]
            present = ~np.isnan(own)
            mass = self.mass(at, column, kind, known, own)
            if kind == "hole":
                total += np.log(np.maximum(mass, 1e-12))
                continue
            marginal = np.exp(self.marginals[column.name].log_density({column.name: values[column.name]}))
            if column.has_holes and kind == "number":
                # the marginal of a value that is there, in mass as the others are
                marginal = marginal / (1 - np.exp(self.marginals[column.name].logs[column.name][-1]))
            marginal = marginal * np.exp(-column.unit())
            self.rescued += int(np.sum(present & (mass <= 0)))
            logs = np.log((1 - RESCUE) * mass + RESCUE * marginal) + column.unit()
            total += np.where(present, logs, 0.0)
        return total

    def places(self, rows, seed):
        """Where each column comes in the order of each row: at random, but whether a number is there before the number."""
        places = np.argsort(np.random.default_rng(seed).uniform(size=(rows, len(self.layout))), axis=1)
        for at, (_, kind) in enumerate(self.layout):
            if kind == "hole":
                places[:, at : at + 2].sort(axis=1)
        return places

    def mass(self, at, column, kind, known, own):
        tree, constant = self.trees.trees_[at], self.trees.constant_vals_[at]
        if constant is not None:
            return np.where(np.isnan(own), 1.0, (own == constant).astype(float))
        if kind != "number":
            classes = self.trees.encoders_[at].classes_
            return np.where(np.isin(own, classes), pick(tree.predict_proba(known), classes, own), 0.0)
        low, high = column.bounds(np.where(np.isnan(own), 0.0, own))
        return integral(tree, known, low, high)

    def sample(self, count):
        """As its own `generate` does it, but all rows at once."""
        random = np.random.default_rng(self.seed + 1)
        matrix = np.full((count, len(self.layout)), np.nan)
        order = np.argsort(self.places(count, self.seed + 2), axis=1)
        for step in range(matrix.shape[1]):
            before = matrix.copy()
            for at, (_, kind) in enumerate(self.layout):
                rows = np.flatnonzero(order[:, step] == at)
                if len(rows) == 0:
                    continue
                constant = self.trees.constant_vals_[at]
                if constant is not None:
                    matrix[rows, at] = constant
                elif kind == "number":
                    matrix[rows, at] = self.trees.trees_[at].sample(before[rows])
                else:
                    cumulative = np.cumsum(self.trees.trees_[at].predict_proba(before[rows]), axis=1)
                    uniform = random.uniform(size=(len(rows), 1)) * cumulative[:, -1:]
                    matrix[rows, at] = self.trees.encoders_[at].classes_[(uniform > cumulative).sum(axis=1)]
        drawn, hole = {}, None
        for at, (column, kind) in enumerate(self.layout):
            if kind == "hole":
                hole = matrix[:, at] == 1
            elif kind == "labels":
                codes = matrix[:, at].astype(int)
                drawn[column.name] = np.where(codes == len(column.labels), -1, codes)
            else:
                drawn[column.name] = matrix[:, at] if hole is None else np.where(hole, np.nan, matrix[:, at])
                hole = None
        return drawn


def pick(probabilities, classes, own):
    index = np.clip(np.searchsorted(classes, own), 0, len(classes) - 1)
    return probabilities[np.arange(len(own)), index]


def integral(tree, known, low, high):
    """The mass that a Baltobot gives [low, high) of each row: its leaves are uniform bins or atoms."""
    if tree.constant_val_ is not None:
        return ((low <= tree.constant_val_) & (tree.constant_val_ < high)).astype(float)
    probabilities = tree.xgber_.predict_proba(known)
    if tree.depth > 0:
        children = (tree.left_child_, tree.right_child_)
        return sum(probabilities[:, side] * integral(child, known, low, high) for side, child in enumerate(children))
    edges = tree.quantizer_.bin_edges_[0]
    total = 0.0
    for side in (0, 1):
        start, end = edges[side], edges[side + 1]
        if end > start:
            share = np.clip(np.minimum(high, end) - np.maximum(low, start), 0, None) / (end - start)
        else:
            share = ((low <= start) & (start < high)).astype(float)
        total = total + probabilities[:, side] * share
    return total
