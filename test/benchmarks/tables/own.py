"""The density of our network on known.csv, from the log-likelihoods of `orchard evaluate --per-row` in known-scores.csv.

An atom of a line has a mass of its own, which is divided by the step here: what is written as its value is as long as
what is written as any other, and the peers' densities are per unit there too.

    python own.py FOLDER
"""

import json
import sys

import numpy as np
import pandas as pd

from columns import read_columns, read_values


def main():
    (folder,) = sys.argv[1:]
    columns = read_columns(folder)
    values = read_values(f"{folder}/known.csv", columns)
    nats = pd.read_csv(f"{folder}/known-scores.csv")["logLikelihood"].to_numpy()
    for column in columns:
        if column.kind == "line":
            nats = nats + np.where(np.isin(values[column.name], column.atoms), column.unit(), 0.0)
    error = nats.std(ddof=1) / np.sqrt(len(nats))
    print(json.dumps({"logDensity": float(nats.mean()), "standardError": float(error)}))


main()
