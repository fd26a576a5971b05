"""How well cells that are wrong were found.

    python cells.py open FILE.csv.gz FILE.csv
    python cells.py judge DIRTY.csv CLEAN.csv FOUND.json

FOUND is the document of `orchard check --json`, whose cells come the most unusual first. A cell is wrong where the two
tables differ; columns are known by their place.
"""

import csv
import gzip
import json
import shutil
import sys


def unpack(source, target):
    with gzip.open(source) as packed, open(target, "wb") as file:
        shutil.copyfileobj(packed, file)
    print("{}")


def rows_of(path):
    with open(path, newline="", encoding="utf-8-sig") as file:
        return list(csv.reader(file))


def judge(dirty, clean, found):
    header, *rows = rows_of(dirty)
    wrong = {
        (row, column)
        for row, (own, right) in enumerate(zip(rows, rows_of(clean)[1:], strict=True), 1)
        for column, value in enumerate(own)
        if value != right[column]
    }
    with open(found, encoding="utf-8") as file:
        cells = json.load(file)["cells"]
    hits = [(cell["row"], header.index(cell["column"])) in wrong for cell in cells]
    right = sum(hits)
    print(
        json.dumps(
            {
                "rows": len(rows),
                "columns": len(header),
                "wrong": len(wrong),
                "found": len(hits),
                "precision": right / len(hits) if hits else None,
                "recall": right / len(wrong) if wrong else None,
                "f1": 2 * right / (len(hits) + len(wrong)) if hits or wrong else None,
                "first100": sum(hits[:100]) / min(100, len(hits)) if hits else None,
            }
        )
    )


what, *words = sys.argv[1:]
{"open": unpack, "judge": judge}[what](*words)
