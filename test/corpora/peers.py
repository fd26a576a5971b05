"""Reads the files that come on standard input, a line of JSON each, and says whether what was read of them is right."""

import datetime
import decimal
import json
import math
import os
import re
import sys
import warnings

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.ipc
import pyarrow.json
import pyarrow.parquet

warnings.filterwarnings("ignore")
MOST_ROWS, MOST_COLUMNS = 500, 200
MISSING = {"", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "null", "NULL", "None"}
MOMENT = re.compile(r"^(-?\d{4,}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.(\d+))?)?(?:Z|\+00(?::?00)?)?$")
CLOCK = re.compile(r"^(\d\d:\d\d:\d\d)(?:\.(\d+))?$")


def text_of(value):
    """One text for each value, whatever it is in which library; empty for a missing one."""
    if value is None or value is pd.NaT or value is pd.NA:
        return ""
    if isinstance(value, bool) or type(value).__name__ == "bool":
        return "true" if value else "false"
    if isinstance(value, (int, float, decimal.Decimal)) or hasattr(value, "dtype") and value.ndim == 0 and value.dtype.kind in "iuf":
        return number_text(float(value)) if abs(float(value)) < 2**53 or not isinstance(value, int) else str(value)
    if isinstance(value, datetime.timedelta):
        return str(pd.Timedelta(value))
    if isinstance(value, (bytes, bytearray, memoryview)):
        value = bytes(value).decode("utf-8", "backslashreplace")
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        value = value.astimezone(datetime.timezone.utc)
    text = str(value).strip()
    if text in MISSING:
        return ""
    moment = MOMENT.match(text)
    if moment:
        return with_fraction(moment[1] + (f"T{moment[2]}" if moment[2] else ""), moment[3]).removesuffix("T00:00:00")
    clock = CLOCK.match(text)
    if clock:
        return with_fraction(clock[1], clock[2])
    try:
        number = float(text)
    except ValueError:
        return text.lower() if text.lower() in ("true", "false") else text
    return text if abs(number) >= 2**53 and text.lstrip("-").isdigit() else number_text(number)


def number_text(number):
    if math.isnan(number):
        return ""
    # numbers of 32 bits have 7 digits
    return format(number + 0.0, ".6g")


def with_fraction(text, fraction):
    fraction = (fraction or "").rstrip("0")
    return f"{text}.{fraction}" if fraction else text


def of_frame(frame):
    names = [str(name) for name in frame.columns][:MOST_COLUMNS]
    cells = [[text_of(value) for value in frame.iloc[:MOST_ROWS, at].tolist()] for at in range(len(names))]
    return {"rows": len(frame), "width": frame.shape[1], "names": names, "cells": cells}


def of_arrow(table):
    names = table.column_names[:MOST_COLUMNS]
    some = table.slice(0, MOST_ROWS)
    return {"rows": table.num_rows, "width": table.num_columns, "names": names, "cells": [column_texts(some, at) for at in range(len(names))]}


def column_texts(table, at):
    try:
        return [text_of(value) for value in table.column(at).to_pylist()]
    except (ValueError, OverflowError, ArithmeticError):
        # nanoseconds and years that Python has not
        return [text_of(value) for value in table.column(at).cast(pa.string()).to_pylist()]


def with_pandas(file, kind):
    if kind == "parquet":
        return of_frame(pd.read_parquet(file))
    if kind == "arrow":
        return of_frame(pd.read_feather(file))
    if kind == "json":
        try:
            return of_frame(pd.read_json(file, dtype=False, convert_dates=False))
        except ValueError:
            return of_frame(pd.read_json(file, lines=True, dtype=False, convert_dates=False))
    separator = "\t" if kind == "tsv" else None
    return of_frame(pd.read_csv(file, dtype=str, keep_default_na=False, sep=separator, engine="python"))


def with_pyarrow(file, kind):
    if kind == "parquet":
        return of_arrow(pyarrow.parquet.ParquetFile(file).read())
    if kind == "arrow":
        with pa.input_stream(file, compression="gzip" if file.endswith(".gz") else None) as stream:
            data = stream.read()
        reader = pyarrow.ipc.open_file if data[:6] == b"ARROW1" else pyarrow.ipc.open_stream
        return of_arrow(reader(data).read_all())
    if kind == "json":
        return of_arrow(pyarrow.json.read_json(file))
    options = pyarrow.csv.ParseOptions(delimiter="\t" if kind == "tsv" else ",", newlines_in_values=True)
    return of_arrow(pyarrow.csv.read_csv(file, parse_options=options))


def with_duckdb(file, kind):
    quoted = "'" + file.replace("'", "''") + "'"
    readers = {"parquet": f"read_parquet({quoted})", "json": f"read_json_auto({quoted})"}
    if kind == "arrow":
        raise ValueError("it reads no Arrow files")
    with duckdb.connect() as connection:
        result = connection.sql(f"select * from {readers.get(kind, f'read_csv({quoted}, all_varchar = true)')}")
        names = result.columns
        rows = result.fetchall()
    some = names[:MOST_COLUMNS]
    cells = [[text_of(row[at]) for row in rows[:MOST_ROWS]] for at in range(len(some))]
    return {"rows": len(rows), "width": len(names), "names": some, "cells": cells}


READERS = {"pandas": with_pandas, "pyarrow": with_pyarrow, "duckdb": with_duckdb}


def kind_of(file):
    ending = os.path.basename(file).lower().removesuffix(".gz").rsplit(".", 1)[-1]
    if ending in ("parquet", "csv", "tsv"):
        return ending
    return "json" if ending in ("json", "jsonl", "ndjson") else "arrow"


def difference(ours, theirs):
    """What is not the same, in words; None where all is."""
    if ours["width"] != theirs["width"]:
        return f"{ours['width']} columns, not {theirs['width']}"
    if ours["rows"] != theirs["rows"]:
        return f"{ours['rows']} rows, not {theirs['rows']}"
    for at, cells in enumerate(ours["cells"]):
        if at in ours["unreadable"]:
            continue
        for row, (own, other) in enumerate(zip(map(text_of, cells), theirs["cells"][at])):
            if own != other:
                return f"{own!r}, not {other!r}, in row {row + 1} of {ours['names'][at]!r}"
    return None


def verdict_of(file, ours):
    read, found = [], []
    for name, reader in READERS.items():
        try:
            theirs = reader(file, kind_of(file))
        except Exception:
            continue
        # a table of nothing is none
        if theirs["rows"] == 0 or theirs["width"] == 0:
            continue
        read.append(name)
        if "refused" in ours:
            continue
        unlike = difference(ours, theirs)
        if unlike is None:
            return {"verdict": "right", "readers": read}
        found.append(f"{unlike} ({name})")
    if "refused" in ours:
        return {"verdict": "refused", "readers": read, "why": ours["refused"]}
    return {"verdict": "wrong" if read else "alone", "readers": read, "why": "; ".join(found)}


for line in sys.stdin:
    question = json.loads(line)
    print(json.dumps(verdict_of(question["file"], question["ours"])), flush=True)
