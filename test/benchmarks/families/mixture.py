"""A mixture of products of 0/1 columns by EM, by StepMix.

    python mixture.py TRAIN VALID TEST     files of rows of 0 and 1 with commas, maybe gzipped

One line a repetition on standard output for every line on standard input: seconds of processor time, mean test nats.
"""

import sys
import time
import warnings

import pandas as pd
from stepmix.stepmix import StepMix


def main():
    train, _, test = (pd.read_csv(path, header=None).to_numpy(dtype=float) for path in sys.argv[1:4])
    # that it may still gain after so many steps is what is asked for
    warnings.simplefilter("ignore")
    print("StepMix", flush=True)
    for seed, _ in enumerate(sys.stdin):
        model = StepMix(
            n_components=32,
            measurement="binary",
            n_init=1,
            max_iter=20,
            random_state=seed,
            verbose=0,
            progress_bar=0,
        )
        started = time.process_time()
        model.fit(train)
        seconds = time.process_time() - started
        print(seconds, model.score(test), flush=True)


main()
