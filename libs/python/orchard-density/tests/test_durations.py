"""Durations of a file are timedelta in Python, whichever program trained the model."""

from __future__ import annotations

import datetime

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
