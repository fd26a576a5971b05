"""Reads the files that come on standard input, a line of JSON each, and says whether what was read of them is right."""

import datetime
import decimal
import json
import math
import os
import re
import resource
import select
import signal
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
# bytes that a reader of a file may take; what a small file unpacks to is more, or a reader never ends
MOST_MEMORY = 2**31
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
        if isinstance(value, decimal.Decimal) and abs(value) >= 2**53 and value == value.to_integral_value():
            return str(int(value))
        return number_text(float(value)) if abs(float(value)) < 2**53 or not isinstance(value, int) else str(value)
    if isinstance(value, datetime.timedelta):
        return duration_text(int(pd.Timedelta(value).value), 10**9)
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
    column = table.column(at)
    if pa.types.is_date64(column.type):
        # days, of which some writers make moments
        column = column.cast(pa.timestamp("ms"))
    if pa.types.is_time64(column.type) and column.type.unit == "ns":
        # Python's times have no nanoseconds
        column = column.cast(pa.string())
    if pa.types.is_duration(column.type):
        return [duration_text(value, SECOND_PARTS[column.type.unit]) for value in column.cast(pa.int64()).to_pylist()]
    try:
        return [text_of(value) for value in column.to_pylist()]
    except (ValueError, OverflowError, ArithmeticError):
        # nanoseconds and years that Python has not
        return [text_of(value) for value in column.cast(pa.string()).to_pylist()]


SECOND_PARTS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def duration_text(units, parts):
    """As pandas writes it, of durations that are too long for it too."""
    if units is None:
        return ""
    days, rest = divmod(units, 86_400 * parts)
    seconds, fraction = divmod(rest, parts)
    digits = len(str(parts)) - 1
    clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    sign = "+" if days < 0 and (seconds, fraction) != (0, 0) else ""
    return with_fraction(f"{days} days {sign}{clock}", f"{fraction:0{digits}}" if digits else "")


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
    ending = os.path.basename(file).lower().removesuffix(".gz").removesuffix(".zst").rsplit(".", 1)[-1]
    if ending in ("parquet", "csv", "tsv"):
        return ending
    return "json" if ending in ("json", "jsonl", "ndjson") else "arrow"


def is_rounded(own, other):
    """Whether one is a number of many digits and the other the same in few: decimals beyond 2^53 have fractions in some libraries."""
    try:
        return "e" in own + other and number_text(float(own)) == number_text(float(other))
    except ValueError:
        return False


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
            if own != other and not is_rounded(own, other):
                return f"{own!r}, not {other!r}, in row {row + 1} of {ours['names'][at]!r}"
    return None


def read_apart(reader, file, seconds):
    """
    What a reader reads, in a process of its own: damaged files end processes, take all memory, or all time. None where it reads nothing.
    """
    incoming, outgoing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(incoming)
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
        # what it says of a crash is of no use here
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            with os.fdopen(outgoing, "w") as answer:
                json.dump(reader(file, kind_of(file)), answer)
        except BaseException:
            os._exit(1)
        os._exit(0)
    os.close(outgoing)
    parts = []
    with os.fdopen(incoming, "rb") as answer:
        while select.select([answer], [], [], seconds)[0]:
            part = os.read(answer.fileno(), 2**20)
            if part == b"":
                break
            parts.append(part)
        else:
            os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return json.loads(b"".join(parts)) if status == 0 else None


def verdict_of(file, ours, seconds):
    read, found = [], []
    for name, reader in READERS.items():
        theirs = read_apart(reader, file, seconds)
        # a table of nothing is none
        if theirs is None or theirs["rows"] == 0 or theirs["width"] == 0:
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
    print(json.dumps(verdict_of(question["file"], question["ours"], question["seconds"])), flush=True)
