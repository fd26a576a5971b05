"""Scores of rows of ninety groups, by what people use for them.

    python peers.py FILE COUNT     a table of region, type, and numbers

One JSON document on standard output: for each method the numbers, from 1, of the COUNT rows with the highest scores.
"""

import json
import sys

import numpy as np
import pandas as pd
from sklearn.covariance import EmpiricalCovariance, LedoitWolf
from sklearn.ensemble import IsolationForest

# fewer rows have no covariance of their own, and no forest
FEWEST = 5


def forest(rows):
    return -IsolationForest(random_state=0, n_jobs=1).fit(rows).score_samples(rows)


def distance(rows):
    return EmpiricalCovariance().fit(rows).mahalanobis(rows)


def shrunk_distance(rows):
    # a group has few rows
    return LedoitWolf().fit(rows).mahalanobis(rows)


def by_group(table, numbers, score):
    scores = np.zeros(len(table))
    for _, places in table.groupby(["region", "type"]).indices.items():
        if len(places) >= FEWEST:
            own = numbers[places]
            scores[places] = score((own - own.mean(axis=0)) / np.maximum(own.std(axis=0), 1e-9))
    return scores


def main():
    table, count = pd.read_csv(sys.argv[1]), int(sys.argv[2])
    numbers = table.drop(columns=["region", "type"]).to_numpy(float)
    labels = pd.get_dummies(table[["region", "type"]]).to_numpy(float)
    scores = {
        "isolation forest, pooled": forest(np.column_stack([labels, numbers])),
        "isolation forest, one per group": by_group(table, numbers, forest),
        "Mahalanobis, pooled": distance(numbers),
        "Mahalanobis, one per group": by_group(table, numbers, shrunk_distance),
    }
    worst = {name: (np.argsort(-own, kind="stable")[:count] + 1).tolist() for name, own in scores.items()}
    print(json.dumps(worst))


main()
