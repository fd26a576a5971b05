"""Rows of an ADBench set by both protocols, and how well detectors find its anomalies.

    python anomalies.py split SET.csv.gz SEED ROWS FOLDER
    python anomalies.py judge FOLDER SEED

Splitting draws at most ROWS rows. Semi-supervised: half of the normal rows train, the others and all anomalies are judged. Unsupervised: all rows
are judged; the peers train on a bootstrap of them, as in Han et al. 2022. Judging reads Orchard's scores from each
PROTOCOL-scores-NAME.csv, and answers for a detector NAME.
"""

import csv
import gzip
import json
import random
import sys
import time
import warnings
from pathlib import Path

import numpy as np


def split(path, seed, most, folder):
    with gzip.open(path, "rt", newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    draw = random.Random(int(seed))
    draw.shuffle(rows)
    rows = rows[: int(most)]
    normal = [row for row in rows if float(row[-1]) == 0]
    odd = [row for row in rows if float(row[-1]) != 0]
    half = len(normal) // 2
    judged = {"semi": normal[half:] + odd, "unsupervised": rows}
    train = {"semi": normal[:half], "unsupervised": draw.choices(rows, k=len(rows))}
    for protocol, kept in judged.items():
        for name, part in (("judged", kept), ("train", train[protocol])):
            with open(f"{folder}/{protocol}-{name}.csv", "w", newline="", encoding="utf-8") as file:
                writer = csv.writer(file, lineterminator="\n")
                writer.writerow(header[:-1])
                writer.writerows([row[:-1] for row in part])
        with open(f"{folder}/{protocol}-odd.json", "w", encoding="utf-8") as file:
            json.dump([int(float(row[-1]) != 0) for row in kept], file)
    print(json.dumps({"rows": len(rows), "columns": len(header) - 1, "anomalies": len(odd)}))


def detectors(seed):
    from pyod.models.copod import COPOD
    from pyod.models.ecod import ECOD
    from pyod.models.hbos import HBOS
    from pyod.models.iforest import IForest
    from pyod.models.knn import KNN
    from pyod.models.lof import LOF
    from pyod.models.pca import PCA

    return {
        "knn": KNN,
        "lof": LOF,
        "iforest": lambda: IForest(random_state=seed),
        "ecod": ECOD,
        "copod": COPOD,
        "hbos": HBOS,
        "pca": lambda: PCA(random_state=seed),
    }


def judge(folder, seed):
    from sklearn.metrics import average_precision_score, roc_auc_score
    from sklearn.preprocessing import StandardScaler

    answer = {}
    for protocol in ("semi", "unsupervised"):
        read = lambda name: np.loadtxt(f"{folder}/{protocol}-{name}.csv", delimiter=",", skiprows=1, ndmin=2)
        with open(f"{folder}/{protocol}-odd.json", encoding="utf-8") as file:
            odd = np.array(json.load(file))
        train, judged = read("train"), read("judged")
        scale = StandardScaler().fit(train)
        train, judged = scale.transform(train), scale.transform(judged)

        def figures(scores, seconds=None):
            scores = np.nan_to_num(scores, posinf=np.finfo(np.float64).max)
            auroc, precision = roc_auc_score(odd, scores), average_precision_score(odd, scores)
            return {"auroc": float(auroc), "precision": float(precision), "seconds": seconds}

        found = {}
        for name, make in detectors(int(seed)).items():
            started = time.process_time()
            scores = make().fit(train).decision_function(judged)
            found[name] = figures(scores, time.process_time() - started)
        for path in sorted(Path(folder).glob(f"{protocol}-scores-*.csv")):
            with open(path, newline="", encoding="utf-8") as file:
                scores = [float(row["score"]) for row in csv.DictReader(file)]
            found[path.stem.removeprefix(f"{protocol}-scores-")] = figures(scores)
        answer[protocol] = found
    print(json.dumps(answer))


warnings.simplefilter("ignore")
what, *words = sys.argv[1:]
{"split": split, "judge": judge}[what](*words)
