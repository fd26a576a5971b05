"""Checks the peers' densities: over all rows that a small table can have, masses times the width of what is written alike sum to 1.

    python sums.py      exit code 1 where one does not
"""

import sys
import warnings

import numpy as np

from columns import Column
from peer import make

ROWS = 400
# the exponential tails of cells are taken at the middle of each step here
TOLERANCE = 1e-2


def facts():
    number = {"type": "number", "decimals": 1}
    ordered = {"kind": "ordered", "format": number, "step": 0.5, "tails": None}
    edges = [1.25, 2.75, 4.25, 6.25]
    return [
        {"kind": "categorical", "name": "label", "holes": 0, "labels": ["a", "b", "c"]},
        {**ordered, "name": "lattice", "holes": 0, "measure": "mass", "edges": [1.5, 3], "values": [1, 2, 4], "range": [1, 4]},
        {
            **{**ordered, "name": "line", "holes": 9, "measure": "density", "edges": edges, "values": [None] * 5},
            **{"tails": [0.6, 0.9], "range": [0, 9], "atoms": {"values": [2.0]}},
        },
    ]


def training(random):
    label = random.integers(3, size=ROWS)
    lattice = np.array([1.0, 2.0, 4.0])[np.minimum(label + random.integers(2, size=ROWS), 2)]
    line = np.clip(np.round(2 * (random.gamma(2, 1.0, size=ROWS) + lattice / 2)) / 2, 0, 9)
    return {"label": label, "lattice": lattice, "line": np.where(random.uniform(size=ROWS) < 0.1, np.nan, line)}


def main():
    warnings.simplefilter("ignore")
    columns = [Column(fact) for fact in facts()]
    values = training(np.random.default_rng(1))
    grid = np.concatenate([[np.nan], np.arange(-30, 60, 0.5)])
    label, lattice, line = (axis.ravel() for axis in np.meshgrid(np.arange(3), [1.0, 2.0, 4.0], grid, indexing="ij"))
    everything = {"label": label, "lattice": lattice, "line": line}
    failed = False
    for peer in ("marginals", "mixture", "network", "unmasking"):
        model = make(peer, columns, 1, 10_000)
        setting = model.fit(values)
        width = np.where(np.isnan(line), 1.0, 0.5)
        # an order's densities sum to 1; those of rows with an order each only about
        options = {"same_order": True} if peer == "unmasking" else {}
        total = float(np.sum(np.exp(model.log_density(everything, **options)) * width))
        failed |= not abs(total - 1) <= TOLERANCE
        print(f"{peer}: {total:.5f} ({setting})")
    sys.exit(1 if failed else 0)


main()
