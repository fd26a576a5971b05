"""Detector, imputer, classifier and regressor follow scikit-learn's conventions, and find what is there."""

from __future__ import annotations

import pickle
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest import SkipTest

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.ensemble import BaggingClassifier
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator, estimator_checks_generator

from orchard_density import (
    OrchardClassifier,
    OrchardDensity,
    OrchardImputer,
    OrchardOutlierDetector,
    OrchardRegressor,
    RowsError,
    RowsWarning,
)
from orchard_density.frames import frame_of
from orchard_density.row_hashes import row_hashes

SMALL: dict[str, Any] = {"rounds": 30, "leaves": 4, "members": 1, "n_jobs": 1}
# scikit-learn's checks fit each estimator some sixty times; they ask of classifiers and regressors that they learn something
LEARNS: dict[str, Any] = {"rounds": 12, "leaves": 4, "members": 1, "n_jobs": 1}


@pytest.fixture(scope="module")
def frame(rentals: Path) -> pd.DataFrame:
    return pd.read_csv(rentals, parse_dates=["date"]).head(400)


@pytest.fixture
def few(frame: pd.DataFrame) -> pd.DataFrame:
    """Of what does not ask how well they are learned: half of the rows."""
    return frame.head(200)


def test_a_classifier_passes_what_scikit_learn_asks_of_classifiers_alone() -> None:
    """What it asks of all, OrchardDensity is tried by in test_estimator.py, and is what fits here."""
    classifier = OrchardClassifier(**LEARNS)
    checks = [check for _, check in estimator_checks_generator(classifier) if "_classif" in check.func.__name__]
    for check in checks:
        with suppress(SkipTest):
            check(classifier)
    assert len(checks) > 5


@pytest.mark.nightly
@pytest.mark.parametrize(
    "estimator",
    [
        OrchardOutlierDetector(cv=2, small_models=False, n_jobs=1, options={"model": "chow-liu"}),
        OrchardImputer(rounds=2, leaves=2, members=1, n_jobs=1),
        OrchardClassifier(**LEARNS),
        OrchardRegressor(**LEARNS),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_it_passes_the_checks_of_scikit_learn(estimator: Any) -> None:
    apart = "repeats of a row are in one split, those of rows that are given twice are not"
    unequal = dict.fromkeys((f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")), apart)
    results = check_estimator(estimator, on_fail=None, expected_failed_checks=unequal)
    failed = {result["check_name"]: result["exception"] for result in results if result["status"] == "failed"}
    assert failed == {}
    assert sum(result["status"] == "passed" for result in results) > 35


def test_rows_that_weigh_more_tell_more_of_what_is_predicted_and_filled_in() -> None:
    # nothing but the weights tells which half of the rows is more likely
    x = pd.DataFrame({"x": ["a", "b"] * 200})
    label, number = np.repeat(["low", "high"], 200), np.repeat([1.0, 9.0], 200)
    weights = np.repeat([1, 3], 200)
    classifier = OrchardClassifier(**LEARNS).fit(x, label, sample_weight=weights)
    # high, then low
    np.testing.assert_allclose(classifier.predict_proba(x.head(2)), [[0.75, 0.25]] * 2, atol=0.05)
    regressor = OrchardRegressor(**LEARNS).fit(x, number, sample_weight=weights)
    np.testing.assert_allclose(regressor.predict(x.head(2)), [7, 7], atol=0.4)
    gaps = pd.DataFrame({"x": ["a"], "number": [np.nan]})
    for refills in (0, 1):
        imputer = OrchardImputer("mean", refills=refills, **LEARNS)
        filled = imputer.fit(x.assign(number=number), sample_weight=weights).transform(gaps)
        np.testing.assert_allclose(filled["number"], [7], atol=0.8)
    # where one class needs no model, weights are looked at too
    with pytest.raises(RowsError, match="got weights that are zero in all 400 rows"):
        OrchardClassifier(**LEARNS).fit(x, ["low"] * 400, sample_weight=[0] * 400)


def test_rows_without_weight_are_left_out_as_ensembles_of_scikit_learn_ask_for() -> None:
    x = np.repeat([[1.0], [2.0], [3.0]], 80, axis=0)
    label = np.where(x[:, 0] > 1, "high", "low")
    weights = np.where(x[:, 0] < 3, 1, 0)
    classifier = OrchardClassifier(**LEARNS).fit(x, label, sample_weight=weights)
    alone = OrchardClassifier(**LEARNS).fit(x[:160], label[:160], sample_weight=np.ones(160))
    assert classifier.density_.model_bytes_ == alone.density_.model_bytes_
    regressor = OrchardRegressor(**LEARNS).fit(x, 10 * x[:, 0], sample_weight=weights)
    assert regressor.predict([[2.0]]).round(3).tolist() == [20.0]
    # a class of rows without weight is none
    assert OrchardClassifier(**LEARNS).fit(x, label, sample_weight=x[:, 0] > 1).classes_.tolist() == ["high"]
    # answers are called as the columns are, though rows of the frame are missing
    numbered = OrchardImputer(**LEARNS).fit(pd.DataFrame({7: x[:, 0], 8: weights}), sample_weight=weights)
    assert list(numbered.density_.sample(2, random_state=1).columns) == [7, 8]
    bagged = BaggingClassifier(OrchardClassifier(**LEARNS), n_estimators=2, random_state=0).fit(x, label)
    assert bagged.predict([[1.0], [3.0]]).tolist() == ["low", "high"]


def test_a_regressor_takes_neither_dates_nor_durations_for_numbers() -> None:
    days = pd.Series(pd.date_range("2024-01-01", periods=30))
    for target, got in [(days, "dates or times"), (days - days[0], "durations")]:
        with pytest.raises(RowsError, match=f"^y: got {got}, expected a number for each row"):
            OrchardRegressor(**LEARNS).fit(np.arange(30.0).reshape(-1, 1), target)


QUICK: dict[str, Any] = {"options": {"model": "chow-liu"}, "n_jobs": 1}


@pytest.mark.parametrize("dtype", ["Int64", "UInt64", "boolean", "Int8"])
def test_classes_of_nullable_types_are_what_they_are(dtype: str) -> None:
    x = np.arange(120) % 2
    # as floats the two are one
    cells = x if dtype in ("boolean", "Int8") else x + 2**60
    y = pd.Series(cells, dtype=dtype)
    classifier = OrchardClassifier(**QUICK).fit(x.reshape(-1, 1), y)
    assert classifier.classes_.dtype == y.dtype.numpy_dtype
    assert classifier.classes_.tolist() == sorted(y.unique().tolist())
    assert (classifier.predict(x.reshape(-1, 1)) == y.to_numpy()).all()


def test_a_list_of_labels_of_several_types_is_not_made_text() -> None:
    x = np.arange(60).reshape(-1, 1) % 3
    with pytest.raises(RowsError, match=r"^y: got labels of several types \(int, str\)"):
        OrchardClassifier(**QUICK).fit(x, ["a", 1, 2] * 20)
    # as a text, nan were a class
    with pytest.raises(RowsError, match="^y: got 20 missing values, the first in row 1"):
        OrchardClassifier(**QUICK).fit(x, ["a", np.nan, "b"] * 20)


def test_arrays_and_frames_are_taken_for_each_other_by_the_places_of_their_columns() -> None:
    stream = np.random.default_rng(0)
    classes = stream.integers(0, 3, 150)
    array = np.column_stack([classes + stream.normal(0, 0.1, 150), stream.normal(size=150)])
    frame = pd.DataFrame(array, columns=["size", "noise"])
    gaps = np.where(stream.random(array.shape) < 0.2, np.nan, array)
    ask: list[tuple[Any, Any]] = [
        (OrchardClassifier(**QUICK), lambda own, rows: own.predict_proba(rows)),
        (OrchardRegressor(**QUICK), lambda own, rows: own.predict(rows)),
        (OrchardDensity(**QUICK), lambda own, rows: own.score_samples(rows)),
        (OrchardOutlierDetector(cv=2, small_models=False, **QUICK), lambda own, rows: own.score_samples(rows + 0.01)),
        (
            OrchardImputer(**QUICK),
            lambda own, rows: own.transform(rows.where(np.isfinite(gaps)) if hasattr(rows, "where") else gaps),
        ),
    ]
    for estimator, answer in ask:
        expected = np.asarray(answer(clone(estimator).fit(frame, classes), frame))
        for fitted, asked in ((array, frame), (frame, array)):
            with pytest.warns(UserWarning, match="feature names"):
                answered = np.asarray(answer(clone(estimator).fit(fitted, classes), asked))
            np.testing.assert_array_equal(answered, expected, type(estimator).__name__)
    # names that differ are another frame
    with pytest.raises(ValueError, match="size"):
        OrchardClassifier(**QUICK).fit(frame, classes).predict(frame.rename(columns={"size": "width"}))


def test_contamination_that_is_none_is_refused() -> None:
    with pytest.raises(RowsError, match="^got contamination=None"):
        OrchardOutlierDetector(contamination=None).fit(np.eye(20))  # type: ignore[arg-type]


def test_what_is_refused_of_few_rows_can_be_mended() -> None:
    x, few = [[1.0], [2.0], [3.0]], "got a share of 0.1 of 3 rows in X.* Give more rows"
    for estimator in (OrchardClassifier(**LEARNS), OrchardRegressor(**LEARNS), OrchardImputer(**LEARNS)):
        with pytest.raises(RowsError, match=rf'{few}, or a larger share of them: options={{"valid_fraction": 0.5}}\.$'):
            estimator.fit(x, [1, 2, 1])
    with pytest.raises(RowsError, match=r"got 3 rows.* Give more rows\.$"):
        OrchardOutlierDetector(**LEARNS).fit(x)
    with pytest.warns(RowsWarning, match="never predicted: no row that trains is of them"):
        OrchardClassifier(options={"valid_fraction": 0.5}, **LEARNS).fit(x, ["a", "b", "a"])


def test_classes_that_are_never_predicted_are_said() -> None:
    labels = np.concatenate([np.repeat(np.arange(253), 3), np.repeat(np.arange(253, 300), 2)])
    x = pd.DataFrame({"x": np.tile(["a", "b"], len(labels))[: len(labels)]})
    classifier = OrchardClassifier(rounds=3, leaves=2, members=1, n_jobs=1)
    never = "of 300 classes have the probability 0 and are never predicted: a column has .* labels, and the rarest"
    with pytest.warns(RowsWarning, match=never) as said:
        classifier.fit(x, labels)
    zeros = int((classifier.predict_proba(x.head(1)) == 0).sum())
    assert any(str(warning.message).startswith(f"{zeros} of 300 classes") for warning in said)


def test_outliers_are_found_among_the_rows_that_were_fitted(frame: pd.DataFrame) -> None:
    rows = frame.copy()
    odd = rows.index[[30, 90, 200]]
    rows.loc[odd, "price"] = [400, 350, 300]
    detector = OrchardOutlierDetector(contamination=0.05, cv=3, **SMALL)
    found = detector.fit_predict(rows)
    assert (found[[30, 90, 200]] == -1).all()
    assert (found == detector.predict(rows)).all()
    assert detector.labels_.tolist() == (found == -1).astype(int).tolist()
    assert (detector.decision_scores_ >= 0).all()
    np.testing.assert_allclose(detector.decision_function(rows), detector.threshold_ - detector.decision_scores_)
    assert detector.explain(rows.loc[odd], top=1)["column"].tolist() == ["price"] * 3
    # rows of training are explained by models that have not seen them, others by the model of all rows
    fresh = rows.loc[odd].assign(price=[401.0, 351.0, 301.0])
    both = pd.concat([fresh, rows.loc[odd]], ignore_index=True)
    explained = detector.explain(both, top=2)
    assert (explained.index + 1).tolist() == explained["row"].tolist() == sorted(explained["row"])
    pd.testing.assert_frame_equal(
        explained[explained["row"] <= 3],
        detector.density_.explain(fresh.reset_index(drop=True), top=2),
        check_dtype=False,
    )
    kept = detector._explained[int(row_hashes(frame_of(both))[3])]
    assert explained[explained["row"] == 4]["surprise"].tolist() == [cell["surprise"] for cell in kept[:2]]
    again = pickle.loads(pickle.dumps(detector))
    np.testing.assert_array_equal(again.score_samples(frame.tail(5)), detector.score_samples(frame.tail(5)))
    with pytest.raises(RowsError, match="^got contamination=0.9"):
        clone(detector).set_params(contamination=0.9).fit(rows)


def test_progress_is_lines_where_it_is_asked_for_and_no_terminal_is_there(
    frame: pd.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    quick = {**SMALL, "rounds": 3}
    rows = frame[["season", "age", "hours", "price"]].head(100)
    detector = OrchardOutlierDetector(verbose=True, cv=2, small_models=False, **quick)
    for estimator in (OrchardImputer(verbose=True, **quick), detector):
        estimator.fit(rows)
        shown = capsys.readouterr().err
        assert "training" in shown, shown
        estimator.set_params(verbose=False).fit(rows)
        assert capsys.readouterr().err == ""


def test_notebooks_show_what_was_learned(few: pd.DataFrame) -> None:
    detector = OrchardOutlierDetector(contamination=0.1, cv=2, small_models=False, **LEARNS)
    assert "not fitted" in detector._repr_mimebundle_()["text/html"]
    assert "20 of 200 rows" in detector.fit(few)._repr_mimebundle_()["text/html"]
    known = few.drop(columns="tariff")
    shown = OrchardClassifier(**LEARNS).fit(known, few["tariff"])._repr_mimebundle_()
    assert ", ".join(sorted(few["tariff"].unique())) in shown["text/html"]
    assert "family tables" in shown["text/plain"]


def test_units_do_not_matter() -> None:
    numbers = np.random.default_rng(0).normal(size=(150, 3))
    scores = [OrchardOutlierDetector(cv=2, **LEARNS).fit(numbers * unit).decision_scores_ for unit in (1.0, 1024.0)]
    np.testing.assert_allclose(scores[0], scores[1], rtol=1e-6)


def test_missing_values_are_filled_in_by_a_transformer(frame: pd.DataFrame) -> None:
    gaps = frame.copy()
    gaps.loc[gaps.index[:20], "weather"] = None
    gaps.loc[gaps.index[20:40], "price"] = np.nan
    imputer = OrchardImputer(**SMALL).fit(gaps)
    filled = imputer.transform(gaps)
    assert filled[["weather", "price"]].notna().all(axis=None)
    assert filled["price"].dtype == gaps["price"].dtype
    error = (filled["price"] - frame["price"]).iloc[20:40].abs().mean()
    assert error < (frame["price"] - frame["price"].median()).abs().mean() / 2
    assert imputer.get_feature_names_out().tolist() == list(frame.columns)
    assert list(imputer.set_output(transform="pandas").transform(gaps).columns) == list(frame.columns)
    with pytest.raises(RowsError, match="point='best'"):
        OrchardImputer("best").fit(gaps)
    with pytest.raises(RowsError, match="points beside point='sample'"):
        OrchardImputer("sample", points={"price": "mean"}).fit(gaps)
    # before anything is trained
    with pytest.raises(RowsError, match="^OrchardImputer: got points={'price': 'middle'}"):
        OrchardImputer(points={"price": "middle"}).fit(gaps)  # type: ignore[dict-item]
    with pytest.raises(RowsError, match="^points: got the column 'prise', expected a column of X. Did you mean \"price\""):
        OrchardImputer(points={"prise": "mean"}).fit(gaps)


@pytest.mark.parametrize(
    "types",
    [
        {"size": "float32", "shop": "category", "count": "Int64", "flag": "boolean", "day": "M8[s]"},
        {"size": "Float64", "shop": "string", "count": "float32", "flag": "boolean", "day": "M8[ns]"},
        {"size": "Sparse[float64]", "shop": "str", "count": "Int64", "flag": "boolean", "day": "M8[us]"},
    ],
)
def test_filled_columns_have_the_types_that_were_given(types: dict[str, str]) -> None:
    stream = np.random.default_rng(0)
    kind = stream.integers(0, 3, 150)
    rows = pd.DataFrame(
        {
            "size": kind + stream.normal(0, 0.1, 150),
            "shop": np.array(["Kiel", "Lund", "Oslo"])[kind],
            "count": kind,
            "flag": kind > 1,
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(kind, unit="D"),
        }
    )
    imputer = OrchardImputer(**QUICK).fit(rows)
    gaps = rows.convert_dtypes().astype(types).mask(stream.random(rows.shape) < 0.2)
    filled = imputer.transform(gaps)
    assert filled.dtypes.to_dict() == gaps.dtypes.to_dict()
    assert filled.notna().all(axis=None)
    # a gap makes floats and objects: those have the types of fit
    plain = rows.astype({"flag": object}).mask(stream.random(rows.shape) < 0.2)
    assert imputer.transform(plain).dtypes.to_dict() == rows.dtypes.to_dict()
    # what holds no label that may come, or no number, has them too
    narrow = rows.head(60).assign(shop=pd.Categorical([None] * 60), count=pd.Series([None] * 60, dtype="Int8"))
    assert imputer.transform(narrow)[["shop", "count"]].dtypes.to_dict() == rows[["shop", "count"]].dtypes.to_dict()


@pytest.mark.parametrize("kind", ["polars", "pyarrow", "duckdb"])
def test_columns_of_missing_cells_alone_are_filled_in(kind: str) -> None:
    polars = pytest.importorskip("polars")
    pytest.importorskip("pyarrow")
    number = np.arange(120) % 3
    rows = polars.DataFrame({"number": number, "word": np.array(["a", "b", "c"])[number]})
    words = polars.DataFrame({"number": [1, 2], "word": [None, None]})
    numbers = polars.DataFrame({"number": [None, None], "word": ["a", "c"]})
    if kind == "duckdb":
        duckdb = pytest.importorskip("duckdb")
        frames = [duckdb.from_arrow(frame.to_arrow()) for frame in (rows, words, numbers)]
        frames[1] = duckdb.sql("select 1::bigint as number, null as word union all select 2, null")
    else:
        frames = [frame if kind == "polars" else frame.to_arrow() for frame in (rows, words, numbers)]
    imputer = OrchardImputer(**QUICK).fit(frames[0])
    for frame in frames[1:]:
        filled = imputer.transform(frame)
        filled = polars.DataFrame(filled.to_arrow_table() if kind == "duckdb" else filled)
        assert dict(filled.schema) == dict(rows.schema)
        assert filled.null_count().sum_horizontal().item() == 0
    if kind == "polars":
        enum = words.with_columns(polars.col("word").cast(polars.Enum(["a", "b"])))
        assert imputer.transform(enum.with_columns(number=2))["word"].to_list() == ["c", "c"]


def test_refills_fit_anew_to_the_rows_with_their_gaps_filled_in(few: pd.DataFrame) -> None:
    gaps = few.copy()
    gaps.loc[gaps.index[:30], "price"] = np.nan
    first = OrchardDensity(**LEARNS).fit(gaps)
    again = OrchardDensity(**LEARNS).fit(first.complete(gaps, 0, point="median"))
    expected = again.complete(gaps, 0, point="median")
    pd.testing.assert_frame_equal(OrchardImputer(refills=1, **LEARNS).fit(gaps).transform(gaps), expected)
    with pytest.raises(RowsError, match="refills=-1"):
        OrchardImputer(refills=-1).fit(gaps)


def test_single_columns_are_filled_in_by_points_of_their_own(few: pd.DataFrame) -> None:
    gaps = few.copy()
    gaps.loc[gaps.index[:15], ["price", "age"]] = np.nan
    density = OrchardDensity(**LEARNS).fit(gaps)
    medians, means = (density.complete(gaps, 0, point=point) for point in ("median", "mean"))
    own = density.complete(gaps, 0, points={"price": "mean"})
    pd.testing.assert_series_equal(own["price"], means["price"])
    pd.testing.assert_series_equal(own["age"], medians["age"])
    assert not own["price"].equals(medians["price"])
    imputer = clone(OrchardImputer(points={"price": "mean"}, **LEARNS)).fit(gaps)
    pd.testing.assert_frame_equal(imputer.transform(gaps), own)
    with pytest.raises(RowsError, match="the mean of \"weather\", a column of labels"):
        density.complete(gaps, points={"weather": "mean"})


def test_two_measurements_are_filled_in_by_their_mean(few: pd.DataFrame) -> None:
    gaps = few.assign(side=np.where(np.arange(len(few)) % 4 == 0, -0.25, 0.5))
    gaps.loc[gaps.index[:30], "side"] = np.nan
    medians, means = (OrchardImputer(point, **LEARNS).fit_transform(gaps)["side"][:30] for point in ("median", "mean"))
    assert set(medians) <= {-0.25, 0.5}
    assert means.between(-0.25, 0.5, inclusive="neither").all()
    assert means.dtype == gaps["side"].dtype


def test_classes_and_numbers_are_predicted_by_the_joint(frame: pd.DataFrame) -> None:
    known = frame.drop(columns="tariff")
    classifier = OrchardClassifier(**SMALL)
    predicted = cross_val_predict(classifier, known, frame["tariff"], cv=3)
    assert (predicted == frame["tariff"]).mean() > 0.9
    probabilities = classifier.fit(known, frame["tariff"]).predict_proba(known.head())
    assert classifier.classes_.tolist() == sorted(frame["tariff"].unique())
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    regressor = OrchardRegressor(**SMALL)
    priced = cross_val_predict(regressor, frame.drop(columns="price"), frame["price"], cv=3)
    assert np.corrcoef(priced, frame["price"])[0, 1] > 0.9


def test_it_works_in_a_pipeline_and_a_search(frame: pd.DataFrame) -> None:
    numbers = frame[["age", "hours", "price"]].to_numpy(float).copy()
    numbers[::7, 1] = np.nan
    pipeline = make_pipeline(OrchardImputer(**SMALL), OrchardRegressor(**SMALL))
    search = GridSearchCV(pipeline, {"orchardregressor__leaves": [2, 4]}, cv=2).fit(numbers[:, :2], numbers[:, 2])
    assert search.best_score_ > 0.5
    # y is a column of numbers of the joint distribution too
    gaps = pd.DataFrame(numbers[1:4, :2], columns=["column 1", "column 2"]).assign(y=np.nan)
    around = search.best_estimator_[-1].density_.complete(gaps, 0, interval=0.9)
    assert around.rows["y"].dtype == np.float64
    assert (around.low["y"] <= around.high["y"]).all()
