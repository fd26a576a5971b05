"""Labels come back as they were, and what is wrong with rows is said in one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from orchard_density import (
    ModelFileError,
    OrchardClassifier,
    OrchardDensity,
    OrchardImputer,
    OrchardOutlierDetector,
    OrchardRegressor,
    RowsError,
    RowsWarning,
    load,
)

SMALL = {"rounds": 3, "leaves": 2, "members": 1, "n_jobs": 1}


def _rows(columns: Any) -> pd.DataFrame:
    sizes = [1.5, 2.5, 3.5, 4.5] * 30
    frame = pd.DataFrame({"sky": ["sun", "rain", "snow"] * 40, "size": sizes, "other": [size * 2 for size in sizes]})
    return frame.set_axis(columns, axis=1)


@pytest.mark.parametrize(
    "columns",
    [
        pd.Index([0, 1, 2]),
        pd.MultiIndex.from_tuples([("a", "x"), ("a", "y"), ("b", "x")], names=["group", "own"]),
        pd.Index([2022, "size", ("a", 1)], tupleize_cols=False),
    ],
    ids=["whole numbers", "MultiIndex", "several types"],
)
def test_labels_of_columns_come_back_as_they_were(columns: Any) -> None:
    rows = _rows(columns)
    gaps = rows.head(3).copy()
    gaps.iloc[0, 0] = None
    density = OrchardDensity(**SMALL, kinds={columns[1]: "ordered"}).fit(rows)
    for answer in (
        density.sample(3, random_state=1),
        density.complete(gaps, 1),
        density.associations(100),
        density.importance(),
    ):
        pd.testing.assert_index_equal(answer.columns, columns)
    pd.testing.assert_index_equal(density.importance().index, columns)
    assert set(density.explain(gaps)["column"]) <= set(columns)
    assert set(density.probabilities(gaps, 1)["column"]) == {columns[0]}
    assert set(density.sample(5, given={columns[0]: "sun"})[columns[0]]) == {"sun"}
    assert density.predict(rows, target=columns[0]).shape == (120,)
    detector = OrchardOutlierDetector(cv=2, rounds=3, n_jobs=1).fit(rows)
    assert set(detector.explain(rows.head(2))["column"]) <= set(columns)
    pd.testing.assert_index_equal(OrchardImputer(**SMALL).fit(rows).transform(gaps).columns, columns)


def test_what_is_no_table_is_refused_with_what_to_do(tmp_path: Path) -> None:
    rows = _rows(["sky", "size", "other"])
    said = [
        ("rows.parquet", r"^X: got a path, 'rows.parquet', expected rows: .* pandas.read_parquet\('rows.parquet'\)"),
        (tmp_path / "rows.csv", r"^X: got a path, .* Read the file first: pandas.read_csv\("),
        (rows["size"], r"^X: got the Series 'size', expected rows with columns.* X\[\['size'\]\] is a column"),
        (rows["size"].rename(None), r"^X: got a Series, expected rows with columns.* X.to_frame\(\) is a frame"),
        (rows.iloc[0], r"^X: got the Series 0, expected rows with columns.* X.iloc\[\[0\]\] a row"),
        (
            rows.assign(size=[[1, 2]] * 120),
            "^X, row 0, column 'size': got a cell that holds several values, of the type list",
        ),
        (rows.head(1), "^X: got 1 sample"),
        (rows.to_dict("list"), r"^X: got a dict, expected rows: .* pandas.DataFrame\(X\)"),
        (None, "^X: got None, expected rows: "),
    ]
    for X, sentence in said:
        with pytest.raises(RowsError, match=sentence):
            OrchardDensity(**SMALL).fit(X)
    with pytest.raises(RowsError, match="^X: got a path"):
        OrchardDensity(**SMALL).fit(rows).score_samples("rows.csv")


def test_two_rows_are_learned_from_or_refused_in_a_sentence() -> None:
    with pytest.raises(RowsError) as refused:
        OrchardDensity(**SMALL).fit(_rows(["sky", "size", "other"]).head(2))
    assert str(refused.value) == (
        "valid_fraction: got a share of 0.1 of 2 rows in X, which is less than half a row, expected at least one row. "
        "Give a larger valid_fraction, or these rows as a file with X_valid."
    )


def test_a_kind_that_is_none_is_refused_in_the_words_of_python() -> None:
    rows = _rows(["sky", "size", "other"])
    with pytest.raises(
        RowsError, match="^kinds: got 'category' for the column 'sky', expected binary, categorical, ordered"
    ):
        OrchardDensity(**SMALL, kinds={"sky": "category"}).fit(rows)
    with pytest.raises(RowsError, match="^kinds: got the column 'skye', expected a column of X. Did you mean \"sky\"\\?"):
        OrchardDensity(**SMALL, kinds={"skye": "categorical"}).fit(rows)
    with pytest.raises(RowsError, match="^rules: got rules='sky', expected a list of texts"):
        OrchardDensity(**SMALL, rules="sky").fit(rows)
    with pytest.raises(RowsError, match="^X: got a list of dicts"):
        OrchardDensity(**SMALL).fit(rows.to_dict("records"))
    for estimator in (OrchardDensity, OrchardOutlierDetector):
        with pytest.raises(RowsError, match="^kinds: got a str, expected a dict, {'zip': 'categorical'}"):
            estimator(kinds="categorical").fit(rows)
        with pytest.raises(RowsError, match="^options: got a list, expected a dict"):
            estimator(options=["model"]).fit(rows)
    with pytest.raises(RowsError, match="^kinds: got a str"):
        OrchardClassifier(kinds="categorical").fit(rows, ["a", "b"] * (len(rows) // 2))
    with pytest.raises(RowsError, match="given_columns='sky', expected a list of columns"):
        OrchardOutlierDetector(given_columns="sky").fit(rows)
    with pytest.raises(ModelFileError, match="^got a NoneType, expected the path of a model"):
        load(None)  # type: ignore[arg-type]
    with pytest.raises(RowsError, match="^X: got an array whose cells have names"):
        OrchardDensity(**SMALL).fit(rows.to_records())
    with pytest.raises(RowsError, match="^X: got a frame without columns"):
        OrchardDensity(**SMALL).fit(rows[[]])
    with pytest.raises(RowsError, match=r'unknown option .*"fature_fraction": 0.5.* Did you mean options=\{"feature_fraction": …\}\?$'):
        OrchardDensity(**SMALL, options={"fature_fraction": 0.5}).fit(rows)


def test_what_is_wrong_with_y_is_said_in_a_sentence() -> None:
    rows = _rows(["sky", "size", "other"])
    labels = pd.Series(["a", "b"] * 60)
    classifier, regressor = OrchardClassifier(**SMALL), OrchardRegressor(**SMALL)
    missing = labels.copy()
    missing[[3, 7]] = None
    with pytest.raises(
        RowsError, match=r"^y: got 2 missing values, the first in row 3, expected a class .*y.notna\(\)"
    ):
        classifier.fit(rows, missing)
    with pytest.raises(RowsError, match=r"^y: got labels of several types \(int, str\), .*y.astype\(str\)"):
        classifier.fit(rows, pd.Series([1, "b"] * 60, dtype=object))
    with pytest.raises(RowsError, match="^y: got 'a', which is no number, .* OrchardClassifier"):
        regressor.fit(rows, labels)
    with pytest.raises(RowsError, match=r"^y: got 30 missing values, the first in row 0, .*y.notna\(\)"):
        regressor.fit(rows, rows["size"].where(rows["size"] > 2))
    with pytest.raises(RowsError, match="inconsistent numbers of samples: 120 rows and 3 of y"):
        classifier.fit(rows, labels.head(3))


def test_a_completion_shows_what_was_filled_in() -> None:
    rows = _rows(["sky", "size", "other"])
    gaps = rows.head(30).copy()
    gaps.loc[[0, 2], "size"] = np.nan
    density = OrchardDensity(**SMALL).fit(rows)
    around = density.complete(gaps, 1, interval=0.9)
    shown = around._repr_html_()
    assert shown.count("background:") == 2
    assert f"{around.low['size'][0]:.6g} … {around.high['size'][0]:.6g}" in shown
    assert "and 10 more rows" in shown
    assert around.filled.sum() == 2
    drawn = density.complete(gaps, 1, evidence=True, draws=2)
    assert "the first of 2 completions" in drawn._repr_html_()
    array = OrchardDensity(**SMALL).fit(rows[["size", "other"]].to_numpy())
    assert array.complete(np.array([[1.5, np.nan]]), 1, evidence=True)._repr_html_().count("background:") == 1


def test_a_misspelt_column_is_asked_for_by_the_most_alike() -> None:
    rows = _rows(["sky", "size", "other"])
    density = OrchardDensity(**SMALL).fit(rows)
    with pytest.raises(RowsError, match=r"^got target='skyy', expected a column of the model\. Did you mean \"sky\"\?$"):
        density.predict_proba(rows, target="skyy")
    with pytest.raises(RowsError, match=r"expected a column of the model\. Take one of sky, size, other\.$"):
        density.predict_proba(rows, target="price")


def test_infinite_numbers_are_missing_values_which_is_said() -> None:
    rows = _rows(["sky", "size", "other"])
    sizes = pd.Series([float(row % 9) for row in range(len(rows))])
    sizes[3], sizes[5] = np.inf, -np.inf
    with pytest.warns(RowsWarning, match='of "size" 2 cells count as missing, as "Infinity"'):
        density = OrchardDensity(**SMALL).fit(rows.assign(size=sizes.to_numpy()))
    assert np.isfinite(density.sample(50, random_state=1)["size"].dropna()).all()


def test_a_missing_or_infinite_number_to_predict_is_named_by_its_row() -> None:
    rows = _rows(["sky", "size", "other"])
    for value, sentence in (
        (np.nan, r"^y: got a missing value, the first in row 2, expected a number for each row\. Leave"),
        (np.inf, r"^y: got an infinite value, the first in row 2, expected a number for each row\. Leave"),
    ):
        target = np.arange(len(rows), dtype=float)
        target[2] = value
        with pytest.raises(RowsError, match=sentence):
            OrchardRegressor(**SMALL).fit(rows, target)


def test_a_column_that_is_missing_or_unknown_is_named() -> None:
    polars = pytest.importorskip("polars")
    rows = _rows(["sky", "size", "other"])
    density = OrchardDensity(**SMALL).fit(polars.from_pandas(rows))
    with pytest.raises(RowsError, match=r"^X: got no column 'size', expected the 3 columns that were fitted\. Give the"):
        density.score_samples(polars.from_pandas(rows[["sky", "other"]]))
    with pytest.raises(RowsError, match=r"^X: got the unknown column 'new', expected .* Leave out what was not fitted\.$"):
        density.score_samples(polars.from_pandas(rows.assign(new=1)))


def test_what_is_refused_says_of_which_parameter_or_column() -> None:
    rows = pd.DataFrame({"word": ["a", "b", "c"] * 40, "size": np.arange(120) % 5})
    for parameters, message in (
        ({"rounds": -1}, "^rounds: got -1"),
        ({"valid_fraction": 0}, '^valid_fraction: got "0"'),
        ({"budget": "long"}, '^budget: got "long"'),
        ({"rules": ["price < 1"]}, '^rules: got the column "price"'),
        ({"kinds": {"word": "ordered"}}, '^X, column "word": got "a" in row 1'),
        ({"options": {"model": "cutset"}}, "^X: got columns that are not of 0 and 1 alone.*model.*tables"),
    ):
        with pytest.raises(RowsError, match=message):
            OrchardDensity(**{"n_jobs": 1, "verbose": False, **parameters}).fit(rows)  # type: ignore[arg-type]
