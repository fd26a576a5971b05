"""Rows a second of `log_likelihood` beside LightGBM's `predict` of as many trees of as many leaves, on one core, in one run.

Each program predicts the same conditionals: the column at a position of the network's ordering from those before it. The measure is
processor time of one thread, the least of the repeats, which alternate. LightGBM gets the columns of each conditional as an array of
its own beforehand, and gives raw scores: the likelihood that follows from them is not counted. Ours counts everything.
"""

import json
import os
import sys
import time

os.environ["OMP_NUM_THREADS"] = "1"

import lightgbm
import numpy as np

import orchard_density
from orchard_density import ensembles
from orchard_density.compiled import compiled


def seconds_of(call):
    begin = time.process_time()
    call()
    return time.process_time() - begin


def boosters(model, rows, leaves, rounds):
    words = {
        "objective": "binary", "num_leaves": leaves, "learning_rate": 0.05, "min_data_in_leaf": 1, "verbose": -1,
        "min_sum_hessian_in_leaf": 0.1, "max_bin": 2, "num_threads": 1, "feature_pre_filter": False,
    }  # fmt: skip
    trained = []
    for position, column in enumerate(model.ordering):
        before = rows[:, model.ordering[:position]].astype(np.float32)
        # the first column has none before it, as a constant one has no trees: it is left out
        if position > 0 and 0 < rows[:, column].sum() < len(rows):
            data = lightgbm.Dataset(before, rows[:, column], free_raw_data=False)
            trained.append((position, lightgbm.train(words, data, rounds)))
    return trained


def main():
    case = json.load(sys.stdin)
    train = np.loadtxt(case["train"], delimiter=",", dtype=np.uint8)
    model = orchard_density.load(case["model"])
    peers = boosters(model, train, case["leaves"], case["rounds"])
    trees = sum(ensemble.trees for ensemble in model.ensembles)
    theirs = sum(booster.num_trees() for _, booster in peers)
    for rows in case["rows"]:
        programs = programs_for(model, np.resize(train, (rows, train.shape[1])), peers)
        assert (programs["numpy"]() == programs["numba"]()).all()
        seconds = dict.fromkeys(programs, float("inf"))
        for _ in range(case["repeats"]):
            for name, call in programs.items():
                seconds[name] = min(seconds[name], seconds_of(call))
        print(json.dumps({"rows": rows, "trees": trees, "treesOfLightGBM": theirs, "seconds": seconds}), flush=True)


def programs_for(model, rows, peers):
    parts = [(np.ascontiguousarray(rows[:, model.ordering[:position]], np.float32), one) for position, one in peers]

    def by(loop):
        ensembles.loop_for = lambda lookups: loop
        return model.log_likelihood(rows)

    return {
        "LightGBM": lambda: [booster.predict(part, raw_score=True, num_threads=1) for part, booster in parts],
        "numpy": lambda: by(None),
        "numba": lambda: by(compiled()),
    }


main()
