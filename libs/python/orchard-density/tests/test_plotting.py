"""Pictures show what the figures say."""

from __future__ import annotations

import datetime
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from orchard_density import (
    OrchardDensity,
    OrchardOutlierDetector,
    RowsError,
    plot_associations,
    plot_importance,
    plot_outliers,
    plot_samples,
)
from orchard_density.plotting import OutliersDisplay, SamplesDisplay


@pytest.fixture(scope="module")
def frame(rentals: Path) -> pd.DataFrame:
    return pd.read_csv(rentals, parse_dates=["date"]).head(300).set_index(pd.RangeIndex(1000, 1300))


@pytest.fixture(scope="module")
def density(frame: pd.DataFrame) -> OrchardDensity:
    return OrchardDensity(rounds=8, leaves=4, members=1, n_jobs=1).fit(frame)


@pytest.fixture(autouse=True)
def _closed() -> None:
    plt.close("all")


def test_outliers_are_bars_with_their_index_and_a_reason(density: OrchardDensity, frame: pd.DataFrame) -> None:
    odd = frame.head(40).copy()
    odd.loc[1007, "price"] = 71
    shown = plot_outliers(density, odd, n_rows=5, color="black")
    scores = density.model_.anomaly_scores(odd)
    assert [bar.get_width() for bar in shown.ax_.patches] == sorted(scores, reverse=True)[:5]
    assert shown.rows[0] == "1007"
    assert shown.reasons[0].startswith("price is 71, expected ")
    # drawn again into axes that are given
    _, ax = plt.subplots()
    assert shown.plot(ax).ax_ is ax
    array = np.column_stack([frame["age"], frame["hours"]])
    alone = OrchardOutlierDetector(cv=2, rounds=3, n_jobs=1).fit(array)
    assert plot_outliers(alone, array, n_rows=2).scores[0] == alone.decision_scores_.max()


def test_a_day_that_is_a_reason_is_written_as_a_day(density: OrchardDensity, frame: pd.DataFrame) -> None:
    # a day of winter among summers
    odd = frame[frame["season"] == "summer"].head(5).copy()
    odd.loc[odd.index[0], "date"] = pd.Timestamp("2024-01-20")
    expected = plot_outliers(density, odd, n_rows=1).reasons
    assert expected[0].startswith("date is 2024-01-20, expected ")
    # in whatever unit the data has it
    assert plot_outliers(density, odd.astype({"date": "M8[ns]"}), n_rows=1).reasons == expected
    assert plot_outliers(density, odd.to_numpy(object), n_rows=1).reasons == expected
    value = density.explain(odd.iloc[[0]], top=1)["value"].iloc[0]
    assert value == datetime.datetime(2024, 1, 20)


def test_matrices_have_the_names_of_the_columns(density: OrchardDensity) -> None:
    for shown in (plot_associations(density, n_samples=500), plot_importance(density.model_)):
        assert [label.get_text() for label in shown.ax_.get_yticklabels()] == density.model_.variables
    importance = density.importance()
    assert list(importance.index) == list(importance.columns) == density.model_.variables
    assert importance.loc["date"].sum() == pytest.approx(1)


def test_shares_of_noise_are_hatched_where_rows_show_it(density: OrchardDensity, rentals: Path) -> None:
    untested = plot_importance(density)
    assert untested.noise is None
    assert untested.ax_.get_xlabel() == "from (%), not tested against noise"
    fresh = pd.read_csv(rentals, parse_dates=["date"]).tail(600)
    shown = plot_importance(density, fresh)
    np.testing.assert_array_equal(shown.noise, np.isnan(density.importance(fresh).to_numpy()))
    assert 0 < shown.noise.sum() < (shown.shares > 0).sum()
    assert len(shown.ax_.collections) == shown.noise.sum()
    assert "hatched" in shown.ax_.get_xlabel()


def test_samples_are_drawn_beside_rows(density: OrchardDensity, frame: pd.DataFrame) -> None:
    features = ["weather", "date", "price", ("age", "price"), ("date", "weather")]
    shown = plot_samples(density, frame, features=features, n_samples=100, n_cols=2)
    assert shown.axes_.shape == (3, 2)
    assert [ax.get_title() for ax in shown.axes_.flat[:3]] == ["weather", "date", "price"]
    # rows and samples
    assert len(shown.axes_.flat[3].collections) == 2
    heights = [bar.get_height() for bar in shown.axes_.flat[0].patches]
    assert sum(heights) == pytest.approx(2)
    with pytest.raises(RowsError, match="^features: got the column 'weight', expected a column of the model and of X. Take one of season, "):
        plot_samples(density, frame, features=["weight"])


def test_a_display_is_not_shown_with_all_rows() -> None:
    assert len(repr(SamplesDisplay([("age", [[1] * 1000], [[2] * 1000])]))) < 100
    assert len(repr(OutliersDisplay(np.ones(50), ["row"] * 50, ["reason"] * 50))) < 100


def test_rows_of_bits_are_drawn_too() -> None:
    bits = (np.random.default_rng(0).random((80, 4)) < 0.3).astype(np.uint8)
    density = OrchardDensity(rounds=3, leaves=2, n_jobs=1).fit(bits)
    assert plot_samples(density, bits, n_samples=50).axes_.size >= 4
    assert len(plot_outliers(density, bits, n_rows=3).ax_.patches) == 3
    assert plot_importance(density).names == ["1", "2", "3", "4"]
