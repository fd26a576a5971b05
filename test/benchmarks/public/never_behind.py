"""A table split into rows that train and rows that are held out, and a Gaussian copula on another model's marginals.

    python never_behind.py split SOURCE ROWS SEED FOLDER       train.csv and test.csv, 70 % and 30 %
    python never_behind.py copula FOLDER MARGINALS.csv         nats of the rows of test.csv

MARGINALS.csv is what `orchard evaluate --per-row` writes of test.csv by independent columns: the copula adds to it.
"""

import json
import sys

import numpy as np
import pandas as pd
from package_tables import numbers_of, read

SHARE = 0.7


def split(source, rows, seed, folder):
    table = read(source, int(rows), int(seed))
    train = int(len(table) * SHARE)
    table[:train].to_csv(f"{folder}/train.csv", index=False)
    table[train:].to_csv(f"{folder}/test.csv", index=False)
    print(json.dumps({"rows": len(table), "columns": table.shape[1], "numbers": len(numbers_of(table))}))


def copula(folder, marginals):
    """
    A Gaussian copula of normal scores of ranks, with the correlations by Ledoit and Wolf. Equal values share the mean of
    their ranks, so that of columns that repeat values it is none that sums to one: an approximation, in its favour.
    """
    from scipy.stats import norm
    from sklearn.covariance import ledoit_wolf

    train, test = (pd.read_csv(f"{folder}/{name}.csv").to_numpy(float) for name in ("train", "test"))
    rows = len(train)

    def scores(column, values):
        known = np.sort(column)
        below = (np.searchsorted(known, values, "left") + np.searchsorted(known, values, "right")) / 2
        return norm.ppf(np.clip(below / rows, 0.5 / rows, 1 - 0.5 / rows))

    own = np.column_stack([scores(column, column) for column in train.T])
    deviations = np.maximum(own.std(axis=0), 1e-9)
    covariance, _ = ledoit_wolf(own / deviations)
    unit = np.sqrt(np.diag(covariance))
    correlations = covariance / np.outer(unit, unit)
    z = np.column_stack([scores(column, values) for column, values in zip(train.T, test.T, strict=True)]) / deviations
    _, logdet = np.linalg.slogdet(correlations)
    quadratic = np.einsum("ri,ij,rj->r", z, np.linalg.inv(correlations) - np.eye(len(correlations)), z)
    nats = pd.read_csv(marginals)["logLikelihood"].to_numpy() - (logdet + quadratic) / 2
    print(json.dumps({"nats": nats.tolist()}))


what, *words = sys.argv[1:]
{"split": split, "copula": copula}[what](*words)
