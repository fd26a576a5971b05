"""Fits one peer to the training rows, scores held-out rows, draws as many as there are in all.

    python peer.py FOLDER PEER SEED UNMASKING_ROWS     PEER: marginals, mixture, unmasking, network

Writes FOLDER/PEER.csv (drawn rows); one JSON document on standard output.
"""

import json
import sys
import time

import numpy as np

from columns import read_columns, read_values, write_values


def make(peer, columns, seed, most_rows):
    if peer == "marginals":
        from marginals import Marginals

        return Marginals(columns, seed)
    if peer == "mixture":
        from mixture import Mixture

        return Mixture(columns, seed)
    if peer == "network":
        from bayes_net import BayesNet

        return BayesNet(columns, seed)
    from unmasking import Unmasking

    return Unmasking(columns, seed, most_rows)


def main():
    folder, peer, seed, most_rows = sys.argv[1:]
    columns = read_columns(folder)
    train, known = [read_values(f"{folder}/{name}.csv", columns) for name in ("train", "known")]
    model = make(peer, columns, int(seed), int(most_rows))
    wall, processor = time.perf_counter(), time.process_time()
    setting = model.fit(train)
    answer = {
        "setting": setting,
        "training": {"wall": time.perf_counter() - wall, "processor": time.process_time() - processor},
    }
    logs = model.log_density(known)
    if not np.all(np.isfinite(logs)):
        raise SystemExit(f"{peer}: {np.sum(~np.isfinite(logs))} rows have no finite density")
    answer["logDensity"] = float(np.mean(logs))
    answer["standardError"] = float(np.std(logs, ddof=1) / np.sqrt(len(logs)))
    if getattr(model, "rescued", 0) > 0:
        answer["rescued"] = model.rescued
    with open(f"{folder}/test.csv", encoding="utf-8") as file:
        rows = sum(1 for _ in file) - 1
    write_values(f"{folder}/{peer}.csv", columns, model.sample(rows))
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
