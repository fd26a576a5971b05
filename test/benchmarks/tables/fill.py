"""Fills the blanks of blank.csv, and says how well: error of numbers in standard deviations, share of labels that are right.

    python fill.py FOLDER METHOD SEED [DRAWS.csv]    METHOD: most frequent, iterative, boosting, or draws (of orchard complete)
"""

import json
import sys
import warnings

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer

from columns import features, read_columns, read_values

BLANK = 0.2


def most_frequent(columns, train, blank, _):
    filled = {}
    for column in columns:
        own = train[column.name]
        guess = np.nanmean(own) if column.is_number else np.bincount(own[own >= 0]).argmax()
        filled[column.name] = np.full(len(blank[column.name]), guess)
    return filled


def iterative(columns, train, blank, seed):
    """scikit-learn's IterativeImputer as it comes (BayesianRidge) on standardized numbers and one-hot labels."""
    train_rows, names = features(columns, train, one_hot=True)
    blank_rows, _ = features(columns, blank, one_hot=True)
    mean, deviation = np.nanmean(train_rows, axis=0), np.nanstd(train_rows, axis=0)
    deviation[deviation == 0] = 1
    imputer = IterativeImputer(random_state=seed, keep_empty_features=True).fit((train_rows - mean) / deviation)
    rows = imputer.transform((blank_rows - mean) / deviation) * deviation + mean
    filled = {}
    for column in columns:
        own = [at for at, (name, _) in enumerate(names) if name == column.name]
        filled[column.name] = rows[:, own[0]] if column.is_number else rows[:, own].argmax(axis=1)
    return filled


def boosting(columns, train, blank, seed):
    """A gradient boosting model for each column from all others, trained on rows that have as many blanks."""
    random = np.random.default_rng(seed)
    train_rows, _ = features(columns, train, one_hot=False)
    blank_rows, _ = features(columns, blank, one_hot=False)
    with_blanks = np.where(random.uniform(size=train_rows.shape) < BLANK, np.nan, train_rows)
    filled = {}
    for at, column in enumerate(columns):
        others = [other for other in range(len(columns)) if other != at]
        present = ~np.isnan(train_rows[:, at])
        goal = train_rows[present, at]
        if len(np.unique(goal)) < 2:
            filled[column.name] = np.full(len(blank_rows), goal[0])
            continue
        make = HistGradientBoostingRegressor if column.is_number else HistGradientBoostingClassifier
        categorical = [columns[other].kind == "labels" for other in others]
        model = make(categorical_features=categorical, random_state=seed).fit(with_blanks[present][:, others], goal)
        filled[column.name] = model.predict(blank_rows[:, others])
    return filled


def draws(columns, path):
    """Means of numbers and most frequent labels of the completions of each row."""
    text = pd.read_csv(path, dtype=str, keep_default_na=False)
    count = text["draw"].astype(int).max()
    filled = {}
    for column in columns:
        values = column.read(text[column.name]).reshape(-1, count)
        if column.is_number:
            filled[column.name] = np.nanmean(values, axis=1)
        else:
            filled[column.name] = np.array([np.bincount(row[row >= 0], minlength=1).argmax() for row in values])
    return filled


def probabilities(columns, path, rows):
    """The likeliest label of each blank; numbers have bins there and are left out."""
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    table["probability"] = table["probability"].astype(float)
    best = table.sort_values("probability", ascending=False, kind="stable").drop_duplicates(["row", "column"])
    filled = {}
    for column in columns:
        own = best[best["column"] == column.name]
        filled[column.name] = np.full(rows, np.nan)
        if not column.is_number:
            filled[column.name][own["row"].astype(int).to_numpy() - 1] = column.read(own["value"])
    return filled


def score(columns, train, truth, blank, filled):
    by_column, right, labels = {}, 0, 0
    for column in columns:
        name = column.name
        if column.is_number:
            asked = np.isnan(blank[name]) & ~np.isnan(truth[name])
            if not asked.any() or np.isnan(filled[name][asked]).all():
                continue
            error = np.sqrt(np.mean((filled[name][asked] - truth[name][asked]) ** 2))
            by_column[name] = {"error": float(error / np.nanstd(train[name]))}
        else:
            asked = (blank[name] < 0) & (truth[name] >= 0)
            if not asked.any():
                continue
            hits = filled[name][asked] == truth[name][asked]
            right, labels = right + hits.sum(), labels + len(hits)
            by_column[name] = {"hits": float(hits.mean())}
    errors = [of["error"] for of in by_column.values() if "error" in of]
    return {
        "error": float(np.mean(errors)) if errors else None,
        "hits": float(right / labels) if labels else None,
        "columns": by_column,
    }


def main():
    warnings.simplefilter("ignore")
    folder, method, seed, *file = sys.argv[1:]
    columns = read_columns(folder)
    train, truth, blank = [read_values(f"{folder}/{name}.csv", columns) for name in ("train", "truth", "blank")]
    rows = len(next(iter(blank.values())))
    if method == "draws":
        filled = draws(columns, file[0])
    elif method == "probabilities":
        filled = probabilities(columns, file[0], rows)
    else:
        methods = {"most-frequent": most_frequent, "iterative": iterative, "boosting": boosting}
        filled = methods[method](columns, train, blank, int(seed))
    print(json.dumps(score(columns, train, truth, blank, filled)))


main()
