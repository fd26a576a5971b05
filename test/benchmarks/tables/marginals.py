"""Every column on its own: counts of labels and of our network's cells and atoms, half a row added to each."""

import numpy as np


class Marginals:
    has_density = True

    def __init__(self, columns, seed):
        self.columns = columns
        self.random = np.random.default_rng(seed)

    def fit(self, values):
        self.logs = {}
        for column in self.columns:
            codes, count = self.codes(column, values[column.name])
            counts = np.bincount(codes, minlength=count) + 0.5
            self.logs[column.name] = np.log(counts / counts.sum())
        return "our cells"

    def codes(self, column, values):
        """A code per row: cells, then atoms, the last one for missing values; and how many codes there are."""
        if column.kind == "labels":
            # what our network never saw counts among the first label here; rows that are scored have none of it
            count = len(column.labels)
            return np.where(values < 0, count, np.where(values >= count, 0, values)), count + column.has_holes
        cells = len(column.edges) + 1
        count = cells + len(column.atoms)
        codes = column.cell(values)
        for place, atom in enumerate(column.atoms):
            codes = np.where(values == atom, cells + place, codes)
        return np.where(np.isnan(values), count, codes), count + column.has_holes

    def log_density(self, values):
        total = 0.0
        for column in self.columns:
            cells = values[column.name]
            codes, _ = self.codes(column, cells)
            total = total + self.logs[column.name][codes]
            if column.kind == "line":
                is_atom = np.isin(cells, column.atoms)
                inside = np.where(is_atom, column.unit(), within(column, codes, cells))
                total = total + np.where(np.isnan(cells), 0, inside)
        return total

    def sample(self, count):
        drawn = {}
        for column in self.columns:
            probabilities = np.exp(self.logs[column.name])
            codes = self.random.choice(len(probabilities), size=count, p=probabilities / probabilities.sum())
            drawn[column.name] = self.draw(column, codes)
        return drawn

    def draw(self, column, codes):
        if column.kind == "labels":
            return np.where(codes == len(column.labels), -1, codes)
        cells = len(column.edges) + 1
        hole = codes == cells + len(column.atoms)
        is_atom = (codes >= cells) & ~hole
        atoms = column.atoms[codes[is_atom] - cells]
        codes = np.where(hole | is_atom, 0, codes)
        if column.kind == "lattice":
            return np.where(hole, np.nan, column.values[codes])
        uniform = self.random.uniform(size=len(codes))
        low, high = column.edges[np.maximum(codes - 1, 0)], column.edges[np.minimum(codes, len(column.edges) - 1)]
        numbers = low + uniform * (high - low)
        numbers = np.where(codes == 0, column.edges[0] + np.log(uniform) * column.tails[0], numbers)
        numbers = np.where(codes == len(column.edges), column.edges[-1] - np.log(uniform) * column.tails[1], numbers)
        numbers[is_atom] = atoms
        return np.where(hole, np.nan, numbers)


def within(column, codes, numbers):
    """Log-density of numbers of a line, given their cells: uniform in inner ones, exponential tails."""
    last = len(column.edges)
    width = np.diff(column.edges)
    inner = -np.log(width[np.clip(codes - 1, 0, last - 2)]) if last > 1 else 0.0
    tail = np.where(codes == 0, column.tails[0], column.tails[1])
    edge = np.where(codes == 0, column.edges[0], column.edges[-1])
    return np.where((codes == 0) | (codes >= last), -np.log(tail) - np.abs(numbers - edge) / tail, inner)
