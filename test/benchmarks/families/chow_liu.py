"""The tree of Chow and Liu by pyAgrum: mutual information of all pairs by its learner, Prim over them, tables by its learner.

    python chow_liu.py TRAIN VALID TEST     files of rows of 0 and 1 with commas, maybe gzipped

One line a repetition on standard output for every line on standard input: seconds of processor time, mean test nats. Only what is learned is timed: rows are in memory.
"""

import sys
import time

import numpy as np
import pandas as pd
import pyagrum as gum

gum.setNumberOfThreads(1)


def main():
    train, _, test = (pd.read_csv(path, header=None, dtype=np.uint8) for path in sys.argv[1:4])
    names = [f"x{column}" for column in train.columns]
    train.columns = names
    rows = test.to_numpy()
    print(f"pyAgrum {gum.__version__}", flush=True)
    for _ in sys.stdin:
        started = time.process_time()
        net, parents = learn(train, names)
        seconds = time.process_time() - started
        print(seconds, likelihood(net, names, parents, rows), flush=True)


def learn(frame, names):
    template = gum.BayesNet()
    for name in names:
        template.add(gum.RangeVariable(name, name, 0, 1))
    learner = gum.BNLearner(frame, template)
    learner.useSmoothingPrior(1)
    dimensions = len(names)
    told = np.full(dimensions, -np.inf)
    parents = np.full(dimensions, -1)
    left = set(range(1, dimensions))
    last = 0
    net = gum.BayesNet(template)
    while left:
        for column in left:
            value = learner.mutualInformation(names[last], names[column])
            if value > told[column]:
                told[column] = value
                parents[column] = last
        last = max(left, key=lambda column: told[column])
        left.remove(last)
        net.addArc(names[parents[last]], names[last])
    learner.fitParameters(net)
    return net, parents


def likelihood(net, names, parents, rows):
    total = 0.0
    for column, name in enumerate(names):
        table = np.log(net.cpt(name).toarray())
        values = rows[:, column]
        total += np.sum(table[values] if parents[column] < 0 else table[rows[:, parents[column]], values])
    return total / len(rows)


main()
