"""Durations of a file are timedelta in Python, whichever program trained the model."""

from __future__ import annotations

import datetime
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import orchard_density
from orchard_density import OrchardDensity, RowsError, command_line
from orchard_density.moment_words import moment_from_text, write_moment


@pytest.fixture(scope="module")
def rides() -> pd.DataFrame:
    random = np.random.default_rng(1)
    far = random.random(300) < 0.5
    seconds = np.round(np.where(far, random.gamma(3, 2400, 300), random.gamma(2, 400, 300)))
    frame = pd.DataFrame({"kind": np.where(far, "far", "near"), "ride": pd.to_timedelta(seconds, unit="s")})
    frame.loc[7, "ride"] = pd.NaT
    return frame


@pytest.fixture(scope="module")
def trained(rides: pd.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> orchard_density.DensityModel:
    folder = tmp_path_factory.mktemp("rides")
    rides.to_csv(folder / "rides.csv", index=False)
    words = ["train", str(folder / "rides.csv"), "--out", str(folder / "run"), "--rounds", "8", "--leaves", "4"]
    command_line.run([*words, "--members", "1"])
    return orchard_density.load(folder / "run")


def test_they_count_as_their_texts_do(trained: orchard_density.DensityModel, rides: pd.DataFrame) -> None:
    texts = rides.assign(ride=[None if pd.isna(ride) else str(ride) for ride in rides["ride"]])
    objects = rides.assign(ride=[None if pd.isna(ride) else ride.to_pytimedelta() for ride in rides["ride"]])
    seconds = rides.assign(ride=rides["ride"].dt.total_seconds())
    wanted = trained.log_likelihood(texts)
    assert np.isfinite(wanted).all()
    for rows in (rides, objects, seconds, rides.assign(ride=rides["ride"].astype("timedelta64[us]"))):
        np.testing.assert_array_equal(trained.log_likelihood(rows), wanted)
    for wrong in ("soon", datetime.date(2026, 1, 31)):
        with pytest.raises(RowsError, match="a duration"):
            trained.log_likelihood(rides.assign(ride=[wrong] * len(rides)))


def test_they_are_sampled_and_filled_in(trained: orchard_density.DensityModel, rides: pd.DataFrame) -> None:
    hour = datetime.timedelta(hours=1)
    rows = trained.sample(50, random_state=1, given={"ride": (hour, None)})
    assert rows["ride"].dtype.kind == "m"
    assert (rows["ride"] >= hour).all()
    gaps = rides.iloc[[7, 8]]
    filled = trained.complete(gaps, random_state=1)
    assert filled["ride"].dtype == rides["ride"].dtype
    assert filled["ride"].notna().all()
    assert filled["ride"].iloc[1] == rides["ride"].iloc[8]


def test_a_fit_gives_back_the_type_that_came(rides: pd.DataFrame) -> None:
    density = OrchardDensity(rounds=8, leaves=4, n_jobs=1).fit(rides)
    reason = density.explain(rides.assign(kind="near", ride=pd.Timedelta("2 days"))).query("column == 'ride'").iloc[0]
    assert reason["value"] == pd.Timedelta("2 days")
    assert "days" in reason["expected"]
    assert density.explain(rides.iloc[[7]], top=2).query("column == 'ride'")["value"].isna().all()
    assert density.sample(20, random_state=1)["ride"].dtype == rides["ride"].dtype


def test_negative_ones_and_fractions_are_written_as_pandas_does() -> None:
    for digits, text in ((0, "-1 days +23:59:30"), (3, "0 days 00:00:01.500"), (0, "100000 days 23:59:59")):
        duration = {"type": "duration", "digits": digits}
        value = moment_from_text(text, duration)
        assert value == pd.Timedelta(text).total_seconds() * 10**digits
        assert write_moment(value, duration) == text


@pytest.mark.parametrize(
    ("text", "clock", "seconds"),
    [
        ("31:15:00", {"seconds": True, "padded": True}, 112_500),
        ("7:08:30", {"seconds": True, "padded": False}, 25_710),
        ("-7:08:30", {"seconds": True, "padded": False}, -25_710),
        ("131:15", {"seconds": False, "padded": False}, 472_500),
    ],
)
def test_clocks_beyond_a_day_are_read_and_written_as_their_column_has_them(
    text: str, clock: dict[str, bool], seconds: float
) -> None:
    form = {"type": "duration", "digits": 0, "clock": clock}
    assert moment_from_text(text, form) == seconds
    assert write_moment(seconds, form) == text


def test_clocks_of_a_sheet_come_back_as_texts_and_as_timedelta(tmp_path: Path) -> None:
    random = np.random.default_rng(2)
    seconds = random.integers(600, 150_000, 200)
    frame = pd.DataFrame(
        {
            "kind": random.choice(["far", "near"], 200),
            "worked": [f"{one // 3600}:{one // 60 % 60:02d}:{one % 60:02d}" for one in seconds],
        }
    )
    density = OrchardDensity(rounds=4).fit(frame)
    assert density.sample(50, random_state=1)["worked"].str.fullmatch(r"\d{1,3}:[0-5]\d:[0-5]\d").all()
    frame.to_csv(tmp_path / "sheet.csv", index=False)
    command_line.run(["train", str(tmp_path / "sheet.csv"), "--out", str(tmp_path / "run"), "--rounds", "4"])
    sampled = orchard_density.load(tmp_path / "run").sample(50, random_state=1)["worked"]
    assert all(isinstance(one, datetime.timedelta) for one in sampled)
