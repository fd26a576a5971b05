"""Held-out rows all of whose labels, lattice values and missing values training had, as known.csv; and as many random training rows as
there are held-out ones, as resampled.csv, which show what the measures of drawn rows give rows that are real.

    python known.py FOLDER SEED
"""

import json
import sys

import numpy as np

from columns import read_columns, read_text


def main():
    folder, seed = sys.argv[1:]
    columns = read_columns(folder)
    test, train = read_text(f"{folder}/test.csv"), read_text(f"{folder}/train.csv")
    known = np.all([column.is_known(column.read(test[column.name])) for column in columns], axis=0)
    test[known].to_csv(f"{folder}/known.csv", index=False)
    train.sample(len(test), random_state=int(seed)).to_csv(f"{folder}/resampled.csv", index=False)
    print(json.dumps({"known": int(known.sum()), "unknown": int((~known).sum())}))


main()
