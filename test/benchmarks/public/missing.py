"""Cells that are taken away and filled in again.

    python missing.py mask SET.csv.gz SEED FOLDER                          masked.csv and truth.csv
    python missing.py fill FOLDER LABELS SEED FILLS METHOD OUT.csv         one row a row and fill, fills one after another
    python missing.py judge FOLDER LABELS FILLED.csv                       MinMAE and AvgMAE

LABELS lists the places of columns of labels, whose error is 0 or 1; numbers are scaled to [0, 1] by the whole column. A row's error is the mean over
its missing cells; MinMAE takes the best fill of each row, AvgMAE the mean of them, both averaged over rows (ForestDiffusion's formulas).
"""

import json
import sys
import warnings

import numpy as np
import pandas as pd

SHARE = 0.2


def mask(path, seed, folder):
    truth = pd.read_csv(path)
    draw = np.random.default_rng(int(seed))
    gone = draw.random(truth.shape) < SHARE
    # a row without any value has nothing to be filled from
    gone[gone.all(axis=1), 0] = False
    truth.to_csv(f"{folder}/truth.csv", index=False)
    truth.mask(gone).to_csv(f"{folder}/masked.csv", index=False)
    print(json.dumps({"rows": len(truth), "columns": truth.shape[1], "missing": int(gone.sum())}))


def fill_mean(rows, labels, _seed, _fills):
    filled = rows.fillna(rows.mean())
    for at in labels:
        filled.iloc[:, at] = rows.iloc[:, at].fillna(rows.iloc[:, at].mode()[0])
    return [filled]


METHODS = {"mean": fill_mean}


def fill(folder, labels, seed, fills, method, out):
    rows = pd.read_csv(f"{folder}/masked.csv")
    pd.concat(METHODS[method](rows, json.loads(labels), int(seed), int(fills))).to_csv(out, index=False)
    print("{}")


def judge(folder, labels, path):
    truth = pd.read_csv(f"{folder}/truth.csv").to_numpy(float)
    gone = np.isnan(pd.read_csv(f"{folder}/masked.csv").to_numpy(float))
    frame = pd.read_csv(path)
    if "draw" in frame.columns:
        frame = frame.sort_values("draw", kind="stable").drop(columns="draw")
    filled = frame.to_numpy(float).reshape(-1, *truth.shape)
    is_label = np.isin(np.arange(truth.shape[1]), json.loads(labels))
    spread = np.maximum(truth.max(axis=0) - truth.min(axis=0), 1e-12)
    errors = np.abs(filled - truth) / np.where(is_label, 1, spread)
    errors[:, :, is_label] = errors[:, :, is_label] > 0
    some = gone.any(axis=1)
    by_row = (errors * gone).sum(axis=2)[:, some] / gone.sum(axis=1)[some]
    answer = {"MinMAE": by_row.min(axis=0).mean(), "AvgMAE": by_row.mean()}
    print(json.dumps({name: float(value) for name, value in answer.items()}))


warnings.simplefilter("ignore")
what, *words = sys.argv[1:]
{"mask": mask, "fill": fill, "judge": judge}[what](*words)
