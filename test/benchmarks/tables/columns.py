"""The columns of a split, as our network took them, for the peers: labels, lattices (ordered, few values), lines (densities)."""

import json
from datetime import date, timedelta

import numpy as np
import pandas as pd

HOLES = {"", "?", "NaN", "nan"}
EPOCH = date(1970, 1, 1)


class Column:
    def __init__(self, fact):
        self.name = fact["name"]
        self.has_holes = fact["holes"] > 0
        self.kind = "labels" if fact["kind"] != "ordered" else {"mass": "lattice", "density": "line"}[fact["measure"]]
        if self.kind == "labels":
            self.labels = fact["labels"]
            self.code_of = {label: code for code, label in enumerate(self.labels)}
            return
        self.is_date = fact["format"]["type"] == "date"
        self.decimals = 0 if self.is_date else fact["format"]["decimals"]
        self.step = fact["step"]
        self.edges = np.array(fact["edges"], dtype=float)
        self.tails = fact["tails"]
        self.range = fact["range"]
        self.cell_values = fact["values"]
        self.atoms = np.array(fact.get("atoms", {}).get("values", []), dtype=float)
        self.values = None if self.kind == "line" else np.array(fact["values"], dtype=float)

    @property
    def is_number(self):
        return self.kind != "labels"

    def read(self, cells):
        """Numbers with NaN for missing values; or codes of labels, -1 for missing values, one beyond the labels for those never seen."""
        if self.kind == "labels":
            unseen = len(self.labels)
            return np.array([-1 if cell in HOLES else self.code_of.get(cell, unseen) for cell in cells])
        return np.array([np.nan if cell in HOLES else self.number(cell) for cell in cells])

    def number(self, text):
        return float((date.fromisoformat(text) - EPOCH).days) if self.is_date else float(text)

    def write(self, values):
        """The text of numbers or codes, as the file writes it: on its grid."""
        if self.kind == "labels":
            return ["" if code < 0 else self.labels[int(code)] for code in values]
        if self.kind == "lattice":
            values = np.where(np.isnan(values), np.nan, self.values[self.cell(values)])
        if self.is_date:
            return ["" if np.isnan(value) else str(EPOCH + timedelta(days=round(value))) for value in values]
        return ["" if np.isnan(value) else f"{value:.{self.decimals}f}" for value in values]

    def cell(self, values):
        """The cell of each number, by the edges; of a missing value the last one, which means nothing."""
        return np.searchsorted(self.edges, values, side="right")

    def bounds(self, values):
        """What a peer's density is integrated over: the lattice cell, or the interval that is written as this value."""
        if self.kind == "line":
            return values - self.step / 2, values + self.step / 2
        ends = np.concatenate([[-np.inf], self.edges, [np.inf]])
        cell = self.cell(values)
        return ends[cell], ends[cell + 1]

    def unit(self):
        """Nats that make a mass of `bounds` the figure that is compared: a density per unit for lines."""
        return -np.log(self.step) if self.kind == "line" else 0.0

    def is_known(self, values):
        """Whether training had the value: a label, a value of a lattice, a missing value where there were missing values."""
        if self.kind == "labels":
            return np.where(values < 0, self.has_holes, values < len(self.labels))
        absent = np.isnan(values)
        if self.kind == "line":
            return ~absent | self.has_holes
        return np.where(absent, self.has_holes, np.isin(values, self.values))


def read_columns(folder):
    with open(f"{folder}/facts.json", encoding="utf-8") as file:
        return [Column(fact) for fact in json.load(file)]


def read_text(path):
    return pd.read_csv(path, dtype=str, keep_default_na=False)


def read_values(path, columns):
    """Column name to numbers or codes."""
    text = read_text(path)
    return {column.name: column.read(text[column.name]) for column in columns}


def write_values(path, columns, values):
    pd.DataFrame({column.name: column.write(values[column.name]) for column in columns}).to_csv(path, index=False)


def features(columns, values, one_hot):
    """A matrix for other people's trees or linear models: numbers with NaN, labels as codes or one column each, NaN for missing values."""
    parts, names = [], []
    for column in columns:
        cells = np.asarray(values[column.name], dtype=float)
        if column.kind == "labels":
            cells = np.where(cells < 0, np.nan, cells)
        if column.kind == "labels" and one_hot:
            for code in range(len(column.labels)):
                parts.append(np.where(np.isnan(cells), np.nan, cells == code))
                names.append((column.name, code))
        else:
            parts.append(cells)
            names.append((column.name, None))
    return np.column_stack(parts), names
