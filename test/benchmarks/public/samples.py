"""How real sampled rows are, as TabDiff and TabPC measure it, and whether they are copies.

    python samples.py unpack SET FOLDER
    python samples.py judge SET FOLDER SEED

C2ST is SDMetrics' detection with an XGBClassifier of default settings: 2 - 2 AUC of training rows against sampled ones, three folds, 1 where they
cannot be told apart. It rewards copying, so the AUC of held-out rows against as many sampled ones stands beside it (.5 is best), that of held-out
rows against as many training rows, and the share of rows that equal a training row, of sampled and of held-out rows.
"""

import gzip
import json
import shutil
import sys
import warnings

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


def copies(rows, train):
    known = set(map(tuple, train.itertuples(index=False)))
    return float(np.mean([row in known for row in map(tuple, rows.itertuples(index=False))]))


def judge(source, folder, seed):
    seed = int(seed)
    with open(f"{source}/info.json", encoding="utf-8") as file:
        info = json.load(file)
    columns = pd.read_csv(f"{folder}/train.csv", nrows=0).columns
    target = [info["target"]] if info["task"] != "regression" else []
    categories = [columns[at] for at in [*info["cat"], *target]]
    train, test, sampled = (read(f"{folder}/{name}.csv", categories) for name in ("train", "test", "sampled"))
    metadata = {
        "columns": {name: {"sdtype": "categorical" if name in categories else "numerical"} for name in columns}
    }
    auc = lambda real, other: 1 - detection(seed).compute(real, other, metadata) / 2
    some = lambda frame: frame.sample(len(test), random_state=seed)
    answer = {
        "c2st": 2 - 2 * auc(train, sampled),
        "heldOut": auc(test, some(sampled)),
        "heldOutOfTraining": auc(test, some(train)),
        "copies": copies(sampled, train),
        "copiesOfHeldOut": copies(test, train),
    }
    print(json.dumps({name: float(value) for name, value in answer.items()}))


warnings.simplefilter("ignore")
what, *words = sys.argv[1:]
{"unpack": unpack, "judge": judge}[what](*words)
