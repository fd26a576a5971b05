"""Splits a CSV into training and held-out rows, by a seed, without the columns that are not modelled. Cells stay the text they are.

    python split.py TABLE.csv SEED COLUMN,COLUMN FOLDER
"""

import csv
import json
import random
import sys

HELD_OUT = 0.2


def main():
    path, seed, left_out, folder = sys.argv[1:]
    with open(path, newline="", encoding="utf-8-sig") as file:
        header, *rows = csv.reader(file)
    names = [name or f"Unnamed: {at}" for at, name in enumerate(header)]
    kept = [at for at, name in enumerate(names) if name not in json.loads(left_out)]
    random.Random(int(seed)).shuffle(rows)
    held_out = round(HELD_OUT * len(rows))
    for name, part in (("test", rows[:held_out]), ("train", rows[held_out:])):
        with open(f"{folder}/{name}.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow([names[at] for at in kept])
            writer.writerows([[row[at] for at in kept] for row in part])
    print(json.dumps({"train": len(rows) - held_out, "test": held_out, "columns": len(kept)}))


main()
