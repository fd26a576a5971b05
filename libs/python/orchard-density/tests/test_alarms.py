"""Alarms at a rate that usual rows promise, as the command line raises them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from orchard_density import AlarmStream, OrchardDensity, OrchardOutlierDetector, RowsError
from orchard_density.command_line import main_file, node


def _rows(count: int, seed: int) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    size = random.normal(50, 10, count).round(1)
    price = (2 * size + random.normal(0, 3, count)).round(1)
    return pd.DataFrame({"shop": random.choice(["a", "b", "c"], count), "size": size, "price": price})


@pytest.fixture(scope="module")
def density() -> OrchardDensity:
    return OrchardDensity(options={"model": "chow-liu"}, n_jobs=1).fit(_rows(600, 1))


@pytest.mark.parametrize("window", [None, 150])
def test_are_those_of_the_command_line(density: OrchardDensity, tmp_path: Path, window: int | None) -> None:
    usual, new = _rows(300, 2), _rows(400, 3)
    new.loc[[7, 300], "price"] = [400.0, -80.0]
    found = AlarmStream(density, usual, rate=1 / 50, window=window).update(new)
    usual.to_csv(tmp_path / "usual.csv", index=False)
    new.to_csv(tmp_path / "new.csv", index=False)
    (tmp_path / "model.msgpack").write_bytes(density.model_bytes_)
    said = subprocess.run(
        [
            *(node(), str(main_file()), "outliers", "new.csv", "--baseline", "model.msgpack", "--usual", "usual.csv"),
            *("--alarms", "1/50", "--json", "--quiet"),
            *(() if window is None else ("--window", str(window))),
        ],
        cwd=tmp_path,
        capture_output=True,
        check=True,
        text=True,
    )
    document = json.loads(said.stdout)
    alarms = document["alarms"]
    assert alarms["rows"] == (np.flatnonzero(found.raised) + 1).tolist()
    assert {8, 301} <= set(alarms["rows"])
    assert [found.threshold, found.promised] == pytest.approx([alarms["threshold"], alarms["promised"]])
    assert found.usual_rows == alarms["usualRows"] == (window or 300)
    assert [column["column"] for column in document["drift"]] == list(found.drift.index)


def test_a_stream_is_the_same_in_any_batches_and_keeps_its_rate(density: OrchardDensity) -> None:
    usual, new = _rows(300, 4), _rows(900, 5)
    # a slow drift: prices rise
    new["price"] = (new["price"] * np.linspace(1, 1.3, 900)).round(1)
    whole = AlarmStream(density, usual, rate=1 / 50, window=200).update(new)
    stream = AlarmStream(density, usual, rate=1 / 50, window=200)
    parts = [stream.update(new[first : first + 100]) for first in range(0, 900, 100)]
    np.testing.assert_array_equal(np.concatenate([part.raised for part in parts]), whole.raised)
    fixed = AlarmStream(density, usual, rate=1 / 50).update(new)
    assert whole.raised.sum() < fixed.raised.sum() / 2
    assert "price" in parts[-1].drift.index
    assert (whole.drift["distance"] > whole.drift["by_chance"]).all()


def test_of_a_detector_given_columns(density: OrchardDensity) -> None:
    rows = _rows(400, 6)
    rows["price"] += rows["shop"].map({"a": 0, "b": 300, "c": 600})
    detector = OrchardOutlierDetector(given_columns=["shop"], rounds=20, leaves=4, cv=2, n_jobs=1).fit(rows)
    usual = _rows(200, 7)
    usual["price"] += usual["shop"].map({"a": 0, "b": 300, "c": 600})
    # what is usual of one shop in another
    new = usual.head(20).assign(price=usual["price"].head(20).where(np.arange(20) != 4, usual["price"].head(20) + 300))
    found = AlarmStream(detector, usual, rate=1 / 100).update(new)
    assert found.raised[4]


def test_too_few_usual_rows_are_refused(density: OrchardDensity) -> None:
    with pytest.raises(RowsError, match=r"300 usual rows.*999"):
        AlarmStream(density, _rows(300, 8)).update(_rows(5, 9))
    with pytest.raises(RowsError, match="rate=2"):
        AlarmStream(density, _rows(300, 8), rate=2)
