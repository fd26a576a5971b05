"""L1-penalised logistic regressions of the last column that varies on those before it, by scikit-learn's liblinear, one penalty after the other.

    python logistic.py TRAIN ...     a file of rows of 0 and 1 with commas, maybe gzipped

One line a repetition on standard output for every line on standard input: seconds of processor time, and what is maximized, in nats per row, as
the mean over the penalties.
"""

import sys
import time

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression

# from 32 to 1, by the root of 2 as the other side has it
PENALTIES = [2 ** (5 - at / 2) for at in range(11)]
INTERCEPT_SCALING = 10


def main():
    rows = pd.read_csv(sys.argv[1], header=None).to_numpy(dtype=float) * 2 - 1
    # the last column that is not always the same, as ours has it
    target = np.flatnonzero(rows.min(axis=0) < rows.max(axis=0))[-1]
    x, y = np.ascontiguousarray(rows[:, :target]), rows[:, target]
    print("liblinear", flush=True)
    for _ in sys.stdin:
        started = time.process_time()
        models = [learn(x, y, penalty) for penalty in PENALTIES]
        seconds = time.process_time() - started
        values = [value_of(model, penalty, x, y) for model, penalty in zip(models, PENALTIES)]
        print(seconds, np.mean(values), flush=True)


def learn(x, y, penalty):
    return LogisticRegression(
        l1_ratio=1,
        C=1 / penalty,
        solver="liblinear",
        intercept_scaling=INTERCEPT_SCALING,
        max_iter=1000,
        random_state=0,
    ).fit(x, y)


def value_of(model, penalty, x, y):
    loss = np.logaddexp(0, -y * (x @ model.coef_[0] + model.intercept_[0])).sum()
    size = np.abs(model.coef_).sum() + abs(model.intercept_[0]) / INTERCEPT_SCALING
    return -(loss + penalty * size) / len(y)


main()
