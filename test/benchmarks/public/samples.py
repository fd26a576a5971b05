"""How real sampled rows are, as TabDiff and TabPC measure it, and whether they are copies.

    python samples.py unpack SET FOLDER
    python samples.py judge SET FOLDER FILE SEED

C2ST is SDMetrics' detection with an XGBClassifier of default settings: 2 - 2 AUC of training rows against sampled ones, three folds, 1 where they
cannot be told apart. It rewards copying, so the AUC of held-out rows against as many sampled ones stands beside it (.5 is best), that of held-out
rows against as many training rows, and the share of rows that equal a training row, of sampled and of held-out rows.

Shape is the mean of KSComplement and TVComplement over columns; Trend that of CorrelationSimilarity and ContingencySimilarity over pairs, numbers
beside labels cut into ten intervals of equal width, as SDMetrics had it when the others measured. DCR share: of the sampled rows, those nearer to a
training row than to any held-out row, of as many training as held-out rows (.5 is best; numbers by their range, labels as equal or not).
"""

import gzip
import json
import shutil
import sys
import warnings
from itertools import combinations

import numpy as np
import pandas as pd


def unpack(source, folder):
    rows = {}
    for name in ("train", "test"):
        with gzip.open(f"{source}/{name}.csv.gz", "rb") as packed, open(f"{folder}/{name}.csv", "wb") as file:
            shutil.copyfileobj(packed, file)
        rows[name] = len(pd.read_csv(f"{folder}/{name}.csv"))
    print(json.dumps(rows))


def read(path, categories):
    frame = pd.read_csv(path)
    for column in categories:
        frame[column] = frame[column].astype(str)
    return frame


def detection(seed):
    from sdmetrics.single_table.detection.sklearn import ScikitLearnClassifierDetectionMetric
    from xgboost import XGBClassifier

    class BoostedDetection(ScikitLearnClassifierDetectionMetric):
        @staticmethod
        def _get_classifier():
            return XGBClassifier(n_jobs=1, random_state=seed)

    # SDMetrics shuffles its folds by NumPy's global generator
    np.random.seed(seed)
    return BoostedDetection


def auc(real, other, categories, seed):
    """The AUC of the same classifier, of few rows: a label that only one side has is no error here."""
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import StratifiedKFold
    from xgboost import XGBClassifier

    rows = pd.get_dummies(pd.concat([real, other]), columns=categories, dtype=float).to_numpy()
    sides = np.repeat([1, 0], [len(real), len(other)])
    folds = StratifiedKFold(3, shuffle=True, random_state=seed)
    classifier = XGBClassifier(n_jobs=1, random_state=seed)
    scores = [
        roc_auc_score(sides[judged], classifier.fit(rows[learned], sides[learned]).predict_proba(rows[judged])[:, 1])
        for learned, judged in folds.split(rows, sides)
    ]
    return max(0.5, np.mean(scores))


def copies(rows, train):
    known = set(map(tuple, train.itertuples(index=False)))
    return float(np.mean([row in known for row in map(tuple, rows.itertuples(index=False))]))


def shape(real, other, categories):
    from sdmetrics.single_column import KSComplement, TVComplement

    return np.mean(
        [(TVComplement if name in categories else KSComplement).compute(real[name], other[name]) for name in real]
    )


def trend(real, other, categories):
    from sdmetrics.column_pairs import ContingencySimilarity, CorrelationSimilarity

    def cut(frame, name):
        if name in categories:
            return frame[name]
        edges = np.histogram_bin_edges(real[name].dropna(), bins=INTERVALS)
        return pd.Series(np.digitize(frame[name], edges[1:-1]), index=frame.index).astype(str)

    labels = [pd.DataFrame({name: cut(frame, name) for name in real}) for frame in (real, other)]
    scores = []
    for pair in map(list, combinations(real.columns, 2)):
        if any(name in categories for name in pair):
            score = ContingencySimilarity.compute(labels[0][pair], labels[1][pair])
        else:
            score = CorrelationSimilarity.compute(real[pair], other[pair])
        scores.append(score)
    # a constant column has no correlation
    return np.nanmean(scores)


def nearer_to_training(train, test, sampled, categories, seed):
    from sklearn.neighbors import NearestNeighbors

    parts = {"train": train.sample(len(test), random_state=seed), "test": test, "sampled": sampled}
    whole = pd.concat(parts)
    numbers = whole.drop(columns=categories)
    numbers = numbers.fillna(numbers.mean())
    spread = (numbers.max() - numbers.min()).replace(0, 1)
    # a label that differs counts as much as the whole range of a number: two places of its one-hot vector do
    points = pd.concat([(numbers - numbers.min()) / spread, pd.get_dummies(whole[categories], dtype=float) / 2], axis=1)
    nearest = {
        name: NearestNeighbors(n_neighbors=1, metric="manhattan")
        .fit(points.loc[name].to_numpy())
        .kneighbors(points.loc["sampled"].to_numpy())[0][:, 0]
        for name in ("train", "test")
    }
    closer, equal = nearest["train"] < nearest["test"], nearest["train"] == nearest["test"]
    return np.mean(closer + equal / 2)


#: Of a number beside a label.
INTERVALS = 10


def judge(source, folder, file_of_samples, seed):
    seed = int(seed)
    with open(f"{source}/info.json", encoding="utf-8") as file:
        info = json.load(file)
    columns = pd.read_csv(f"{folder}/train.csv", nrows=0).columns
    target = [info["target"]] if info["task"] != "regression" else []
    categories = [columns[at] for at in [*info["cat"], *target]]
    train, test, sampled = (read(f"{folder}/{name}", categories) for name in ("train.csv", "test.csv", file_of_samples))
    metadata = {
        "columns": {name: {"sdtype": "categorical" if name in categories else "numerical"} for name in columns}
    }
    some = lambda frame: frame.sample(len(test), random_state=seed)
    answer = {
        "c2st": detection(seed).compute(train, sampled, metadata),
        "heldOut": auc(test, some(sampled), categories, seed),
        "heldOutOfTraining": auc(test, some(train), categories, seed),
        "shape": shape(train, sampled, categories),
        "trend": trend(train, sampled, categories),
        "dcrShare": nearer_to_training(train, test, sampled, categories, seed),
        "copies": copies(sampled, train),
        "copiesOfHeldOut": copies(test, train),
    }
    print(json.dumps({name: float(value) for name, value in answer.items()}))


warnings.simplefilter("ignore")
what, *words = sys.argv[1:]
{"unpack": unpack, "judge": judge}[what](*words)
