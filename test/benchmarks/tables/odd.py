"""How well planted outliers are separated from the others: AUROC of a score by row, for both tasks of plant.py.

    python odd.py FOLDER METHOD SEED      METHOD: forest, ecod, or orchard (the anomaly scores of orchard evaluate --per-row)
"""

import json
import sys
import warnings

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score

from columns import features, read_columns, read_values

TASKS = ["swapped", "beyond"]


def forest(train, seed):
    from sklearn.ensemble import IsolationForest

    model = IsolationForest(random_state=seed).fit(train)
    return lambda rows: -model.score_samples(rows)


def ecod(train, _):
    from pyod.models.ecod import ECOD

    model = ECOD().fit(train)
    return model.decision_function


def main():
    warnings.simplefilter("ignore")
    folder, method, seed = sys.argv[1:]
    columns = read_columns(folder)
    if method != "orchard":
        rows, _ = features(columns, read_values(f"{folder}/train.csv", columns), one_hot=True)
        means = np.nanmean(rows, axis=0)
        whole = lambda matrix: np.where(np.isnan(matrix), means, matrix)
        scores_of = {"forest": forest, "ecod": ecod}[method](whole(rows), int(seed))
    answer = {}
    for task in TASKS:
        with open(f"{folder}/{task}-odd.json", encoding="utf-8") as file:
            odd = json.load(file)
        if method == "orchard":
            scores = pd.read_csv(f"{folder}/{task}-scores.csv")["score"].to_numpy()
        else:
            matrix, _ = features(columns, read_values(f"{folder}/{task}.csv", columns), one_hot=True)
            scores = scores_of(whole(matrix))
        is_odd = np.zeros(len(scores))
        is_odd[odd] = 1
        answer[task] = float(roc_auc_score(is_odd, scores))
    print(json.dumps(answer))


main()
