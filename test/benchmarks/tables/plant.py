"""Makes the files of two tasks from held-out rows: blanks, and outliers of two kinds. All drawn by the seed.

    python plant.py FOLDER SEED

blank.csv     held-out rows of which 20 % of the cells with values are blank (and truth.csv, the same rows whole)
swapped.csv   5 % of the rows have two cells from other rows: each plausible by itself
beyond.csv    5 % of the rows have a number beyond the range of the training rows, by 5 to 50 % of it
*-odd.json    which rows of these were planted

Small tables are repeated, planted anew each time, until there are 2,000 rows.
"""

import json
import math
import sys

import numpy as np
import pandas as pd

from columns import HOLES, read_columns, read_text

BLANK = 0.2
ODD = 0.05
ROWS = 2000
TRIES = 50


def main():
    folder, seed = sys.argv[1:]
    columns = read_columns(folder)
    test = read_text(f"{folder}/test.csv")
    test = pd.concat([test] * max(1, math.ceil(ROWS / len(test))), ignore_index=True)
    random = np.random.default_rng(int(seed))

    blank = test.copy()
    holes = random.uniform(size=test.shape) < BLANK
    blank = blank.mask(holes & ~test.isin(HOLES), "")
    blank.to_csv(f"{folder}/blank.csv", index=False)
    test.to_csv(f"{folder}/truth.csv", index=False)

    write(folder, "swapped", test, random, swap, columns)
    numbers = [column for column in columns if column.is_number and not column.is_date]
    write(folder, "beyond", test, random, push, numbers)
    print(json.dumps({"rows": len(test), "blanks": int((holes & ~test.isin(HOLES)).to_numpy().sum())}))


def write(folder, name, test, random, change, columns):
    rows = test.copy()
    chosen = np.sort(random.choice(len(rows), size=max(1, round(ODD * len(rows))), replace=False))
    for row in chosen:
        change(rows, row, test, random, columns)
    rows.to_csv(f"{folder}/{name}.csv", index=False)
    with open(f"{folder}/{name}-odd.json", "w", encoding="utf-8") as file:
        json.dump([int(row) for row in chosen], file)


def swap(rows, row, test, random, columns):
    """Two cells become those of another row, and are not what they were."""
    for at in random.choice(len(columns), size=2, replace=False):
        name = columns[at].name
        for _ in range(TRIES):
            other = test.at[random.integers(len(test)), name]
            if other not in HOLES and other != test.at[row, name]:
                rows.at[row, name] = other
                break


def push(rows, row, test, random, columns):
    column = columns[random.integers(len(columns))]
    low, high = column.range
    distance = random.uniform(0.05, 0.5) * (high - low) + column.step
    value = high + distance if random.uniform() < 0.5 else low - distance
    value = column.step * round(value / column.step)
    rows.at[row, column.name] = f"{value:.{column.decimals}f}"


main()
