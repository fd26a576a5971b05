"""Rows sampled by TabularARGN (mostlyai-engine), trained with default settings.

    python tabular_argn.py FOLDER FILE SEED

Reads FOLDER/train.csv and writes as many rows to FOLDER/FILE; prints the processor seconds of training and of sampling.
"""

import json
import sys
import warnings
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

import pandas as pd


def processor_seconds():
    used = [getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def main(folder, file, seed):
    from mostlyai import engine

    rows = pd.read_csv(f"{folder}/train.csv")
    workspace = Path(folder) / "tabular-argn"
    begun = processor_seconds()
    engine.set_random_state(int(seed))
    engine.split(tgt_data=rows, workspace_dir=workspace, model_type="TABULAR")
    for step in (engine.analyze, engine.encode, engine.train):
        step(workspace_dir=workspace)
    trained = processor_seconds()
    engine.generate(workspace_dir=workspace, sample_size=len(rows))
    parts = sorted((workspace / "SyntheticData").glob("*.parquet"))
    pd.concat(map(pd.read_parquet, parts))[rows.columns].to_csv(f"{folder}/{file}", index=False)
    print(json.dumps({"training": trained - begun, "sampling": processor_seconds() - trained}))


warnings.simplefilter("ignore")
main(*sys.argv[1:])
