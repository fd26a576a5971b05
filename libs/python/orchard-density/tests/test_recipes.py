"""The recipes of the site for DuckDB, Polars and pandas run as they stand."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from orchard_density.command_line import main_file, node

PAGE = Path(__file__).parents[4] / "apps/docs/how-to/use-data-frames.md"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the rows, and what the commands of the page write."""
    made = tmp_path_factory.mktemp("recipes")
    for name in ("rentals.csv", "new-rentals.csv"):
        lines = (Path(os.environ["ORCHARD_EXAMPLES"]) / name).read_text().splitlines(keepends=True)
        # half of the rentals teach the rules of the shop as well
        (made / name).write_text("".join(lines[:501]))
    script = f'orchard() {{ "{node()}" "{main_file()}" "$@"; }}\n' + "\n".join(_blocks("sh", PAGE.read_text()))
    subprocess.run(["bash", "-eu", "-c", script], cwd=made, check=True)
    return made


def _blocks(language: str, text: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def _sections() -> dict[str, str]:
    return {part.split("\n")[0]: part for part in PAGE.read_text().split("\n## ")[1:]}


def _run(section: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.chdir(folder)
    names: dict[str, Any] = {}
    for block in _blocks("python", _sections()[section]):
        exec(compile(block, f"{PAGE.name}, {section}", "exec"), names)
    return names


def test_commands_write_columns_with_types(folder: Path) -> None:
    sampled = pl.read_parquet(folder / "sampled.parquet")
    assert (len(sampled), sampled.schema["date"], sampled.schema["price"]) == (500, pl.Date, pl.Int64)
    scores = pl.read_parquet(folder / "scores.parquet")
    assert scores["row"].to_list() == list(range(1, 51))
    assert [scores.schema[name] for name in ("score", "logLikelihood", "column1")] == [pl.Float64, pl.Float64, pl.String]


def test_duckdb(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = _run("DuckDB", folder, monkeypatch)
    # the rows that break the rules of the shop
    assert {row[0] for row in names["unusual"].fetchall()} <= {12, 25, 38, 9}
    assert isinstance(names["sampled"], duckdb.DuckDBPyRelation)


def test_polars(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = _run("Polars", folder, monkeypatch)
    assert names["filled"]["bike"].null_count() == 0
    assert set(names["sampled"]["weather"]) == {"rain"}


def test_pandas(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = _run("pandas", folder, monkeypatch)
    assert isinstance(names["sampled"], pd.DataFrame)
    assert names["scored"]["score"].idxmax() in (11, 24)
    assert pa.table(pl.read_parquet(folder / "sampled.parquet")).num_rows == 500
