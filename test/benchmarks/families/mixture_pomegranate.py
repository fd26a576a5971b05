"""A mixture of products of 0/1 columns by EM, by pomegranate.

    python mixture_pomegranate.py TRAIN VALID TEST     files of rows of 0 and 1 with commas, maybe gzipped

One line a repetition on standard output for every line on standard input: seconds of processor time, mean test nats. Each begins near drawn rows, as
ours does: pomegranate's own beginning, k-means, fails where rows repeat.
"""

import sys
import time

import numpy as np
import pandas as pd
import torch
from pomegranate.distributions import Bernoulli
from pomegranate.gmm import GeneralMixtureModel

COMPONENTS = 32
STEPS = 20


def main():
    train, _, test = (pd.read_csv(path, header=None).to_numpy(dtype=np.float32) for path in sys.argv[1:4])
    torch.set_num_threads(1)
    rows, held = torch.tensor(train), torch.tensor(test)
    mean = (train.sum(axis=0) + 1) / (len(train) + 2)
    print("pomegranate", flush=True)
    for seed, _ in enumerate(sys.stdin):
        drawn = np.random.default_rng(seed).choice(len(train), COMPONENTS, replace=False)
        # below every gain: all steps are made, as by StepMix
        model = GeneralMixtureModel(
            [Bernoulli(torch.tensor(0.25 * train[row] + 0.75 * mean)) for row in drawn],
            max_iter=STEPS,
            tol=-np.inf,
        )
        started = time.process_time()
        model.fit(rows)
        seconds = time.process_time() - started
        nats = model.log_probability(held).mean().item()
        # rates reach 0 and 1, under which a row with another value is impossible
        print(seconds, "-Infinity" if np.isnan(nats) else nats, flush=True)


main()
