"""Whatever the command line answers of a model, Python does."""

from __future__ import annotations

import io
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import orchard_density
from orchard_density import (
    NotToldError,
    OrchardDensity,
    RowsError,
    TrainingRowsWarning,
    UntestedWarning,
    command_line,
    process,
)
from orchard_density.density_model import conditions_of

SMALL = {"rounds": 12, "leaves": 4, "members": 1, "n_jobs": 1}
KINDS = {
    "tables": {"members": 1},
    "members": {"members": 2},
    "chow-liu": {"options": {"model": "chow-liu"}},
    "marginals": {"options": {"model": "marginals"}},
}


@pytest.fixture(scope="module")
def frame(rentals: Path) -> pd.DataFrame:
    return pd.read_csv(rentals, parse_dates=["date"]).head(400)


@pytest.fixture(scope="module", params=KINDS)
def density(request: pytest.FixtureRequest, frame: pd.DataFrame) -> OrchardDensity:
    trained = {} if "options" in KINDS[request.param] else {"rounds": 12, "leaves": 4}
    return OrchardDensity(n_jobs=1, **trained, **KINDS[request.param]).fit(frame)


@pytest.fixture
def gaps(frame: pd.DataFrame) -> pd.DataFrame:
    rows = frame.iloc[[3, 50, 120]].copy()
    rows.loc[rows.index[0], "weather"] = None
    rows.loc[rows.index[1], ["age", "date"]] = None
    return rows


def test_samples_under_a_condition(density: OrchardDensity) -> None:
    given = {"weather": ["rain", "cloudy"], "age": (20, 30)}
    rows = density.sample(60, random_state=1, given=given)
    assert set(rows["weather"]) <= {"rain", "cloudy"}
    assert rows["age"].between(20, 30).all()
    assert rows["date"].dtype.kind == "M"
    with pytest.raises(RowsError, match="snow"):
        density.sample(1, given={"weather": "snow"})


def test_a_condition_may_be_values_of_any_kind_of_list() -> None:
    polars = pytest.importorskip("polars")
    assert conditions_of({"a": pd.Series(["x", "y"]), "b": pd.Index([1, 2]), "c": polars.Series([3, None])}) == [
        ["a", ["x", "y"]],
        ["b", [1, 2]],
        ["c", [3, None]],
    ]
    assert conditions_of({"a": range(18, 21)}) == [["a", [18, 19, 20]]]
    for none in ([], set(), pd.Series([], dtype=float)):
        with pytest.raises(RowsError, match="given: got no values for 'a', expected one at least"):
            conditions_of({"a": none})


def test_completions_are_those_of_the_command_line(density: OrchardDensity, gaps: pd.DataFrame, tmp_path: Path) -> None:
    # beside the battery, which is missing for a reason
    assert pd.isna(gaps["battery"].iloc[2])
    gaps.loc[gaps.index[2], "bike"] = None
    gaps.to_csv(tmp_path / "gaps.csv", index=False)
    (tmp_path / "model").write_bytes(density.model_bytes_)
    words = ["complete", str(tmp_path / "model"), str(tmp_path / "gaps.csv"), "--draws", "3", "--seed", "5"]
    theirs = pd.read_csv(StringIO(command_line.run(words)["text"]), parse_dates=["date"])
    for at, ours in enumerate(density.complete(gaps, 5, draws=3)):
        own = theirs[theirs["draw"] == at + 1].drop(columns="draw").reset_index(drop=True)
        pd.testing.assert_frame_equal(ours.reset_index(drop=True), own, check_dtype=False)
    # one completion is the first of several, whichever program makes it
    pd.testing.assert_frame_equal(density.complete(gaps, 5), density.complete(gaps, 5, draws=2)[0])


def test_points_and_intervals(density: OrchardDensity, gaps: pd.DataFrame) -> None:
    for point in ("mean", "median", "mode"):
        filled = density.complete(gaps, 1, point=point)
        assert filled[["weather", "age", "date"]].notna().all(axis=None)
        known = gaps.columns.drop(["battery", "weather", "age", "date"])
        pd.testing.assert_frame_equal(filled[known], gaps[known])
    around = density.complete(gaps, 1, interval=0.8)
    row = gaps.index[1]
    assert around.low["age"][row] < around.rows["age"][row] < around.high["age"][row]
    assert around.low["date"][row] < around.high["date"][row]
    assert (around.log_evidence < 0).all()
    with pytest.raises(RowsError, match="^complete: got point='middle'"):
        density.complete(gaps, point="middle")


def test_probabilities_of_missing_values(density: OrchardDensity, gaps: pd.DataFrame) -> None:
    said = density.probabilities(gaps, random_state=1)
    own = said[(said["row"] == 1) & (said["column"] == "weather")]
    assert own["probability"].sum() == pytest.approx(1, abs=1e-9)
    assert own["probability"].is_monotonic_decreasing
    assert set(own["value"]) <= {"sunny", "cloudy", "rain"}


def test_predictions_are_the_joint_over_its_sum(density: OrchardDensity, frame: pd.DataFrame) -> None:
    rows = frame.dropna().head(5)
    classes = density.classes("weather")
    probabilities = density.predict_proba(rows, "weather")
    joint = np.exp(np.column_stack([density.model_.log_likelihood(rows.assign(weather=label)) for label in classes]))
    np.testing.assert_allclose(probabilities, joint / joint.sum(axis=1, keepdims=True), rtol=1e-6)
    assert density.predict(rows.drop(columns="weather"), "weather").tolist() == [
        classes[at] for at in probabilities.argmax(axis=1)
    ]
    assert np.isfinite(density.predict(rows, "price")).all()
    with pytest.raises(RowsError, match="^got target='wheather', expected a column of the model"):
        density.predict(rows, "wheather")


def test_a_column_is_scored_as_the_command_line_scores_it(
    density: OrchardDensity, frame: pd.DataFrame, tmp_path: Path
) -> None:
    rows = frame.dropna().head(40)
    rows.to_csv(tmp_path / "rows.csv", index=False)
    (tmp_path / "network.msgpack").write_bytes(density.model_bytes_)
    for target, kind, other in (("weather", "labels", "numbers"), ("price", "numbers", "labels")):
        said = density.score_target(rows, target)
        words = ["evaluate", str(tmp_path / "network.msgpack"), str(tmp_path / "rows.csv"), "--target", target]
        assert said == command_line.run(words)["target"]
        assert said["rows"] == len(rows)
        assert said[other] is None
        assert said[kind] is not None
    probabilities = density.predict_proba(rows, "weather")
    likeliest = np.array(density.classes("weather"))[probabilities.argmax(axis=1)]
    labels = density.score_target(rows, "weather")["labels"]
    assert labels["accuracy"] == pytest.approx((likeliest == rows["weather"]).mean())
    with pytest.raises(RowsError, match="^got target='wheather', expected a column of the model"):
        density.score_target(rows, "wheather")


def test_associations_and_explanations(density: OrchardDensity, frame: pd.DataFrame) -> None:
    strengths = density.associations(2000)
    with pytest.raises(RowsError, match="got rows=50, expected a whole number of at least 100"):
        density.associations(50)
    assert list(strengths.columns) == list(strengths.index) == list(frame.columns)
    np.testing.assert_allclose(strengths, strengths.T)
    if density.model_.family != "marginals":
        assert strengths.loc["age", "tariff"] > 0.5
    odd = frame.iloc[[10, 20]].copy()
    odd.loc[odd.index[1], "price"] = 900
    reasons = density.explain(odd, top=2)
    assert set(reasons.index) <= set(odd.index)
    assert list(reasons.columns) == [
        *("row", "column", "value", "probability", "expected"),
        *("expected_low", "expected_high", "expected_label", "surprise"),
    ]
    first = reasons[reasons["row"] == 2].iloc[0]
    assert first["column"] == "price" or density.model_.family == "marginals"
    price = reasons[reasons["column"] == "price"].iloc[-1]
    assert price["expected_low"] <= price["expected_high"] < price["value"] == 900
    assert pd.isna(price["expected_label"])
    for _, reason in reasons.iterrows():
        is_between = isinstance(reason["expected_low"], float) and (
            reason["expected_low"] <= reason["value"] <= reason["expected_high"]
            if isinstance(reason["value"], (int, float))
            else False
        )
        assert not is_between
        assert reason["value"] != reason["expected_label"]
    # of a row without a known value nothing is known to be unusual
    assert len(density.explain(odd.head(1).assign(**dict.fromkeys(odd.columns)))) == 0
    assert density.surprise(odd).shape == odd.shape


def test_the_most_probable_values_where_a_family_finds_them(density: OrchardDensity, gaps: pd.DataFrame) -> None:
    if density.model_.family in ("chow-liu", "marginals"):
        filled = density.most_probable(gaps)
        assert filled[["weather", "age", "date"]].notna().all(axis=None)
        # as those fitted, whatever its gap made it
        assert filled["age"].dtype.kind == "i"
    else:
        with pytest.raises(NotToldError, match="^most_probable: got a model of the family"):
            density.most_probable(gaps)


def test_it_is_pickled_and_goes_on_answering(density: OrchardDensity, gaps: pd.DataFrame) -> None:
    again = pickle.loads(pickle.dumps(density))
    process.close()
    pd.testing.assert_frame_equal(again.complete(gaps, 3), density.complete(gaps, 3))


def test_rows_of_bits_are_asked_the_same() -> None:
    rows = np.random.default_rng(0).integers(0, 2, (200, 1)) ^ (np.arange(5) % 2)
    for options in (
        {},
        {"options": {"model": "chow-liu"}},
        {"options": {"model": "mixture", "components": 2, "steps": 2}},
    ):
        density = OrchardDensity(n_jobs=1, **options).fit(rows)
        assert (density.sample(20, 1, given={"2": 1})[:, 1] == 1).all()
        blank = rows[:3].astype(float)
        blank[:, 0] = np.nan
        assert density.complete(blank, 0, point="mode").tolist() == rows[:3].tolist()
        assert len(density.complete(blank, 0, draws=2)) == 2
        np.testing.assert_allclose(density.predict_proba(rows[:3], "1").sum(axis=1), 1)
        assert density.predict(rows[:3, 1:], "1").tolist() == rows[:3, 0].tolist()
        assert density.associations(500).shape == (5, 5)
        # at most one reason a row: what is expected is none
        assert len(density.explain(rows[:2], top=1)) <= 2


def test_scores_of_training_rows_are_warned_of(frame: pd.DataFrame) -> None:
    density = OrchardDensity(**SMALL).fit(frame.head(300))
    with pytest.warns(TrainingRowsWarning, match="OrchardOutlierDetector scores each row"):
        density.score_samples(frame.head(300).sample(frac=1, random_state=0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        density.score_samples(frame.tail(100))
        density.score(frame.head(300))


def test_importance_marks_shares_that_are_no_better_than_noise() -> None:
    stream = np.random.default_rng(0)
    rows = stream.integers(0, 2, (1000, 4))
    rows[:, 3] = np.where(stream.random(1000) < 0.8, rows[:, 0], rows[:, 3])
    words = pd.DataFrame(np.where(rows == 1, "yes", "no"), columns=list("abcd")).assign(e=["x", "y", "z", "x"] * 250)
    for X in (rows, words):
        density = OrchardDensity(rounds=60, members=1, n_jobs=1).fit(X[:600])
        with pytest.warns(UntestedWarning, match="not tested against noise"):
            untested = density.importance()
        assert not untested.isna().any().any()
        tested = density.importance(X[600:])
        last = tested.iloc[3].dropna()
        assert list(last[last > 0].index) == [tested.columns[0]]
        assert np.isnan(tested.iloc[3, 1])
        assert not (tested.drop(index=tested.index[[0, 3]]) > 0).any().any()


def test_a_warm_process_is_used_again_and_a_lost_one_is_replaced(frame: pd.DataFrame) -> None:
    density = OrchardDensity(**SMALL).fit(frame)
    before = process._kept()
    density.associations(200)
    assert process._kept() is before
    before._child.kill()
    before._child.wait()
    density.associations(200)
    assert process._kept() is not before


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
def test_an_interrupt_stops_a_question(tmp_path: Path) -> None:
    program = """
import signal, sys, threading, os, time, numpy as np
from orchard_density import OrchardDensity, process
signal.signal(signal.SIGINT, signal.default_int_handler)
density = OrchardDensity(rounds=3, members=1, n_jobs=1).fit(np.random.default_rng(0).normal(size=(200, 4)))
kept = process._kept()
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
begun = time.monotonic()
try:
    density.associations(10_000_000)
except KeyboardInterrupt:
    print(time.monotonic() - begun, density.associations(200).shape, process._kept() is kept)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, env=dict(os.environ)
    )
    seconds, shape = done.stdout.split(" ", 1)
    assert float(seconds) < 10
    # what has stopped as it was asked to goes on answering
    assert shape == "(4, 4) True\n"


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
def test_an_interrupt_loses_nothing_of_what_was_read() -> None:
    output, input_ = os.pipe()
    reader = process._Process.__new__(process._Process)
    reader._received = bytearray()
    reader._child = SimpleNamespace(stdout=io.FileIO(output))  # type: ignore[assignment]

    def interrupt_and_write() -> None:
        time.sleep(0.2)
        # a signal that another thread takes does not wake who reads, and Python raises it once there is something
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        os.write(input_, b"frame")

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Thread(target=interrupt_and_write)
    try:
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            reader._fill(5, None)
        thread.join()
        reader._fill(5, time.monotonic() + 5)
    finally:
        signal.signal(signal.SIGINT, before)
        os.close(input_)
        reader._child.stdout.close()  # type: ignore[union-attr]
    assert reader._received == b"frame"


def test_what_notebooks_show(frame: pd.DataFrame) -> None:
    density = OrchardDensity(**SMALL)
    assert "not fitted" in density._repr_html_()
    shown = density.fit(frame)._repr_html_()
    assert "nats per row, valid" in shown
    assert "weather" in shown
    # notebooks and consoles of IPython ask for this first
    bundle = density._repr_mimebundle_(include=None, exclude=None)
    assert bundle["text/html"] == shown
    assert bundle["text/plain"].startswith("OrchardDensity(")
    text = repr(density.model_)
    assert bundle["text/plain"].endswith(text)
    assert text.startswith("<TableModel of 10 columns (season, date, weather, age, …), family tables; nats per row: ")
    assert orchard_density.__version__
    assert json.dumps(density.model_.likelihoods)
