"""LightGBM's and XGBoost's hist on single decisions of a table of bench:collisions, as a program that prints its figures.

    python peers.py FILE [--threads N]

A decision is whether a column is above its median, by all columns before it: 14 and 27 of the 28. The last tenth of the rows
validates. 20 rounds, steps of .3, trees of 16 leaves on half of the predictors of 63 cut points; on all rows, and on 20,000 rows
drawn for each tree. Times are seconds of processor time of this process; nats per validation row.
"""

import argparse
import time

import lightgbm
import numpy as np
import pandas as pd
import xgboost

ROUNDS = 20
DRAWN = 20_000
POSITIONS = (14, 27)
CHUNK = 500_000
LEAST = 1e-12


def read(path):
    parts = pd.read_csv(path, dtype=np.float32, chunksize=CHUNK)
    return np.concatenate([part.to_numpy() for part in parts])


def by_lightgbm(predictors, labels, threads, share):
    data = {"max_bin": 63, "feature_pre_filter": False, "num_threads": threads, "verbose": -1}
    started = time.process_time()
    rows = lightgbm.Dataset(predictors, labels, params=data).construct()
    set_up = time.process_time() - started
    trees = {"objective": "binary", "num_leaves": 16, "learning_rate": 0.3, "feature_fraction": 0.5, "min_data_in_leaf": 1}
    drawn = {} if share == 1 else {"bagging_fraction": share, "bagging_freq": 1}
    started = time.process_time()
    model = lightgbm.train({**data, **trees, **drawn}, rows, ROUNDS)
    return set_up, time.process_time() - started, model.predict


def by_xgboost(predictors, labels, threads, share):
    started = time.process_time()
    rows = xgboost.QuantileDMatrix(predictors, labels, max_bin=64, nthread=threads)
    set_up = time.process_time() - started
    trees = {"tree_method": "hist", "grow_policy": "lossguide", "max_leaves": 16, "max_depth": 0, "eta": 0.3, "max_bin": 64}
    drawn = {"subsample": share, "colsample_bytree": 0.5, "min_child_weight": 0.1, "nthread": threads}
    started = time.process_time()
    model = xgboost.train({"objective": "binary:logistic", **trees, **drawn}, rows, ROUNDS)
    return set_up, time.process_time() - started, lambda valid: model.predict(xgboost.DMatrix(valid))


def nats(chances, labels):
    chances = np.clip(chances, LEAST, 1 - LEAST)
    return np.where(labels, np.log(chances), np.log(1 - chances)).mean()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    started = time.process_time()
    rows = read(given.file)
    print(f"read {len(rows):,} rows x {rows.shape[1]} in {time.process_time() - started:.0f} s", flush=True)
    train, valid = np.split(rows, [len(rows) * 9 // 10])
    for position in POSITIONS:
        median = np.median(train[:, position])
        labels = train[:, position] > median
        for name, library in {"LightGBM": by_lightgbm, "XGBoost": by_xgboost}.items():
            for what, share in {"all rows": 1, f"{DRAWN:,} rows a tree": min(1, DRAWN / len(train))}.items():
                set_up, seconds, predict = library(train[:, :position], labels, given.threads, share)
                loss = nats(predict(valid[:, :position]), valid[:, position] > median)
                print(f"{name}, {position} predictors, {what}: {set_up:.1f} s set-up, {seconds:.1f} s, {loss:.4f} nats", flush=True)


main()
