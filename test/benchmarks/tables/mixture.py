"""A mixture of Gaussians on standardized numbers and one-hot labels (scikit-learn), turned into an exact density of the columns.

The chain rule over the columns, each conditional normalized over what the column can be: a number has the Gaussian integral over
`Column.bounds`, a label the density at its one-hot point over the sum of those of all labels. A number's hole is a label of its
own before the number, which then stands at its mean and counts nothing.
"""

import numpy as np
from scipy.linalg import solve_triangular
from scipy.special import log_ndtr, logsumexp
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture
import warnings

COMPONENTS = [1, 3, 10, 30]
REGULARIZERS = [1e-6, 1e-3]
VALIDATION = 0.1


class Mixture:
    has_density = True

    def __init__(self, columns, seed):
        self.columns = columns
        self.seed = seed

    def fit(self, values):
        warnings.simplefilter("ignore", ConvergenceWarning)
        self.blocks = self.lay_out(values)
        matrix = self.encode(values)
        order = np.random.default_rng(self.seed).permutation(len(matrix))
        held_out = int(VALIDATION * len(matrix))
        valid, train = order[:held_out], order[held_out:]
        parts = {name: cells[valid] for name, cells in values.items()}
        parts = self.without_unseen(parts)
        best = None
        for components in COMPONENTS:
            if components * 5 > len(train):
                continue
            for regularizer in REGULARIZERS:
                self.mixture = self.mixture_of(matrix[train], components, regularizer)
                score = float(np.mean(self.log_density(parts)))
                if best is None or score > best[0]:
                    best = score, components, regularizer
        self.mixture = self.mixture_of(matrix, *best[1:])
        return f"{best[1]} components, regularized by {best[2]:g}"

    def mixture_of(self, matrix, components, regularizer):
        mixture = GaussianMixture(components, reg_covar=regularizer, random_state=self.seed, init_params="k-means++")
        return mixture.fit(matrix)

    def lay_out(self, values):
        """Blocks of columns of the matrix: (column, kind, labels, mean, deviation); kind is labels, hole or number."""
        blocks = []
        for column in self.columns:
            cells = values[column.name]
            if column.kind == "labels":
                blocks.append((column, "labels", len(column.labels) + column.has_holes, 0, 1))
                continue
            if column.has_holes:
                blocks.append((column, "hole", 2, 0, 1))
            deviation = np.nanstd(cells)
            blocks.append((column, "number", 1, np.nanmean(cells), deviation if deviation > 0 else 1.0))
        return blocks

    def encode(self, values):
        parts = []
        for column, kind, labels, mean, deviation in self.blocks:
            cells = values[column.name]
            if kind == "number":
                parts.append((np.where(np.isnan(cells), mean, cells) - mean) / deviation)
                continue
            codes = np.isnan(cells).astype(int) if kind == "hole" else self.codes(column, cells)
            parts.extend(np.eye(labels)[codes].T)
        return np.column_stack(parts)

    def codes(self, column, cells):
        return np.where(cells < 0, len(column.labels), np.where(cells >= len(column.labels), 0, cells))

    def without_unseen(self, values):
        known = np.all([column.is_known(values[column.name]) for column in self.columns], axis=0)
        return {name: cells[known] for name, cells in values.items()}

    def log_density(self, values):
        """Rows in parts, so that memory stays bounded."""
        rows = len(next(iter(values.values())))
        parts = range(0, rows, 1000)
        return np.concatenate([self.part({name: cells[at : at + 1000] for name, cells in values.items()}) for at in parts])

    def part(self, values):
        matrix = self.encode(values)
        means = self.mixture.means_
        lowers = np.linalg.cholesky(self.mixture.covariances_)
        rows, components = len(matrix), len(means)
        whitened = np.zeros((components, rows, matrix.shape[1]))
        weights = np.tile(np.log(self.mixture.weights_), (rows, 1))
        total, at = np.zeros(rows), 0
        for column, kind, size, mean, deviation in self.blocks:
            block = slice(at, at + size)
            centres = np.stack([means[k, block] + whitened[k, :, :at] @ lowers[k, block, :at].T for k in range(components)])
            normal = weights - logsumexp(weights, axis=1, keepdims=True)
            if kind == "number":
                cells = values[column.name]
                present = ~np.isnan(cells)
                low, high = column.bounds(np.where(present, cells, mean))
                scale = lowers[:, at, at]
                bounds = [((bound - mean) / deviation)[:, None] for bound in (low, high)]
                low, high = [(bound - centres[:, :, 0].T) / scale for bound in bounds]
                mass = logsumexp(normal + log_interval(low, high), axis=1)
                total += np.where(present, mass + column.unit(), 0.0)
            else:
                logs = np.stack([self.of_labels(lowers[:, block, block], centres, label) for label in np.eye(size)])
                joint = logsumexp(normal + logs, axis=2)
                chosen = np.argmax(matrix[:, block], axis=1)
                total += joint[chosen, np.arange(rows)] - logsumexp(joint, axis=0)
            for k in range(components):
                lower = lowers[k, block, block]
                whitened[k, :, block] = solve_triangular(lower, (matrix[:, block] - centres[k]).T, lower=True).T
            squares = np.sum(whitened[:, :, block] ** 2, axis=2).T
            weights = weights - squares / 2 - log_determinants(lowers[:, block, block])
            at += size
        return total

    @staticmethod
    def of_labels(lowers, centres, label):
        """Rows x components: log-densities at a one-hot point, without the constant that all labels share."""
        logs = []
        for lower, centre in zip(lowers, centres):
            logs.append(-np.sum(solve_triangular(lower, (label - centre).T, lower=True) ** 2, axis=0) / 2)
        return np.stack(logs, axis=1) - log_determinants(lowers)

    def sample(self, count):
        matrix, _ = self.mixture.sample(count)
        np.random.default_rng(self.seed).shuffle(matrix)
        drawn, at, hole = {}, 0, None
        for column, kind, size, mean, deviation in self.blocks:
            block = matrix[:, at : at + size]
            at += size
            if kind == "hole":
                hole = np.argmax(block, axis=1) == 1
            elif kind == "labels":
                code = np.argmax(block, axis=1)
                drawn[column.name] = np.where(code == len(column.labels), -1, code)
            else:
                numbers = block[:, 0] * deviation + mean
                drawn[column.name] = np.where(hole, np.nan, numbers) if hole is not None else numbers
                hole = None
        return drawn


def log_determinants(lowers):
    return np.log(np.diagonal(lowers, axis1=1, axis2=2)).sum(axis=1)


def log_interval(low, high):
    """log(Phi(high) - Phi(low)), on the side of zero where it loses no digits."""
    flip = low > 0
    low, high = np.where(flip, -high, low), np.where(flip, -low, high)
    upper = log_ndtr(high)
    with np.errstate(divide="ignore", invalid="ignore"):
        difference = upper + np.log1p(-np.exp(np.minimum(log_ndtr(low) - upper, 0)))
    # so narrow that the difference vanishes: density times width
    middle, width = (low + high) / 2, high - low
    narrow = np.isneginf(difference) | np.isnan(difference) | (width < 1e-7)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(narrow, -(middle**2) / 2 - np.log(2 * np.pi) / 2 + np.log(width), difference)
