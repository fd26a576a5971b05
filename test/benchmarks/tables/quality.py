"""How good drawn rows are: sdmetrics' shapes and trends, a classifier against held-out rows, and training on them.

    python quality.py FOLDER TARGET SEED DRAWN.csv     one JSON document
"""

import json
import os
import sys
import warnings

import numpy as np
import pandas as pd
from sdmetrics.reports.single_table.quality_report import QualityReport
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.metrics import accuracy_score, r2_score, roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from columns import features, read_columns, read_values

FOLDS = 5


def shapes_and_trends(columns, real, drawn):
    def frame(values):
        cells = {}
        for column in columns:
            own = values[column.name]
            labels = lambda codes: np.array([None if code < 0 else str(code) for code in codes], dtype=object)
            cells[column.name] = labels(own) if column.kind == "labels" else own
        return pd.DataFrame(cells)

    kinds = {column.name: {"sdtype": "categorical" if column.kind == "labels" else "numerical"} for column in columns}
    report = QualityReport()
    report.generate(frame(real), frame(drawn), {"columns": kinds}, verbose=False)
    scores = report.get_properties().set_index("Property")["Score"]
    return float(scores["Column Shapes"]), float(scores["Column Pair Trends"])


def categorical(columns):
    return [column.kind == "labels" for column in columns]


def told_apart(columns, real, drawn, seed):
    """AUROC of gradient boosting that separates sampled from held-out rows, every row judged by a model that did not see it."""
    rows = [features(columns, part, one_hot=False)[0] for part in (real, drawn)]
    matrix = np.concatenate(rows)
    is_drawn = np.repeat([0, 1], [len(part) for part in rows])
    model = HistGradientBoostingClassifier(categorical_features=categorical(columns), random_state=seed)
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    scores = cross_val_predict(model, matrix, is_drawn, cv=folds, method="predict_proba")[:, 1]
    return float(roc_auc_score(is_drawn, scores))


def trained_on(columns, target, rows, test, seed):
    """R2 of a number, AUROC of two labels, share of hits of more labels: gradient boosting from all other columns."""
    goal = next(column for column in columns if column.name == target)
    others = [column for column in columns if column is not goal]

    def parts(values):
        own = np.asarray(values[target], dtype=float)
        present = ~np.isnan(own) if goal.is_number else own >= 0
        return features(others, values, one_hot=False)[0][present], own[present]

    (train_rows, train_goal), (test_rows, test_goal) = parts(rows), parts(test)
    if len(np.unique(train_goal)) < 2:
        return None
    make = HistGradientBoostingRegressor if goal.is_number else HistGradientBoostingClassifier
    model = make(categorical_features=categorical(others), random_state=seed).fit(train_rows, train_goal)
    if goal.is_number:
        return float(r2_score(test_goal, model.predict(test_rows)))
    if len(goal.labels) == 2:
        return float(roc_auc_score(test_goal, model.predict_proba(test_rows)[:, 1]))
    return float(accuracy_score(test_goal, model.predict(test_rows)))


def main():
    warnings.simplefilter("ignore")
    folder, target, seed, file = sys.argv[1:]
    columns, seed = read_columns(folder), int(seed)
    test, rows = read_values(f"{folder}/test.csv", columns), read_values(file, columns)
    answer = {"usefulness": trained_on(columns, target, rows, test, seed)}
    # all training rows are more than the held-out ones: only what they teach is asked
    if os.path.basename(file) != "train.csv":
        answer["shapes"], answer["trends"] = shapes_and_trends(columns, test, rows)
        answer["auroc"] = told_apart(columns, test, rows, seed)
    print(json.dumps(answer))


main()
