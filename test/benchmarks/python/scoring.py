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
import orchard_density.ensembles


def least(call, repeats):
    best = float("inf")
    for _ in range(repeats):
        begin = time.process_time()
        call()
        best = min(best, time.process_time() - begin)
    return best


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
    for rows in case["rows"]:
        asked = np.resize(train, (rows, train.shape[1]))
        parts = [(np.ascontiguousarray(asked[:, model.ordering[:position]], np.float32), one) for position, one in peers]
        programs = {
            "LightGBM": lambda: [one.predict(part, raw_score=True, num_threads=1) for part, one in parts],
            "numpy": lambda: by(None),
            "numba": lambda: by(orchard_density.ensembles.__dict__["found"]),
        }

        def by(compiled):
            orchard_density.ensembles.compiled = lambda: compiled
            orchard_density.ensembles.LEAST_LOOKUPS = 0
            return model.log_likelihood(asked)

        orchard_density.ensembles.__dict__.setdefault("found", orchard_density.ensembles.compiled())
        assert (by(None) == by(orchard_density.ensembles.__dict__["found"])).all()
        seconds = {name: float("inf") for name in programs}
        for _ in range(case["repeats"]):
            for name, call in programs.items():
                seconds[name] = min(seconds[name], least(call, 1))
        theirs = sum(one.num_trees() for _, one in peers)
        print(json.dumps({"rows": rows, "trees": trees, "treesOfLightGBM": theirs, "seconds": seconds}), flush=True)


main()
