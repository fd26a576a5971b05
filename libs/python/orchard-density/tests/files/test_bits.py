"""Models of rows of 0 and 1 say in Python what they say elsewhere, bit for bit."""

from __future__ import annotations

import copy
import pickle
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

import orchard_density
from conftest import Said
from orchard_density import LowerBoundWarning, ModelFileError, NotToldError, RowsError, opening
from orchard_density.compiled import compiled


def test_log_likelihoods_are_the_same_bits(bits: Said) -> None:
    model = orchard_density.load(bits.file)
    assert model.log_likelihood(np.array(bits["rows"])).tolist() == bits["logLikelihood"]
    assert model.score(np.array(bits["rows"])) == pytest.approx(np.mean(bits["logLikelihood"]), abs=1e-9)


def test_rows_drawn_are_the_same(bits: Said) -> None:
    model = orchard_density.load(bits.file)
    assert model.sample(len(bits["sample"]), bits["seed"]).tolist() == bits["sample"]
    assert model.sample(3, bits["seed"]).tolist() == bits["sample"][:3]


def test_missing_values_are_filled_in_alike_and_as_sure(bits: Said) -> None:
    # a row is filled in as it is among all: by networks of many columns each takes half a second
    few = 16
    rows = np.where(np.array(bits["known"]) == 1, np.array(bits["rows"], float), np.nan)[:few]
    filled = orchard_density.load(bits.file).complete(rows, bits["seed"], samples=bits["samples"], evidence=True)
    assert filled.rows.tolist() == bits["completed"][:few]
    assert filled.exact.tolist() == [exact == 1 for exact in bits["exact"][:few]]
    np.testing.assert_allclose(filled.log_evidence, bits["logEvidence"][:few], rtol=0, atol=1e-12)
    np.testing.assert_allclose(filled.log_evidence_error, bits["logEvidenceError"][:few], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(filled.effective_sample_size, bits["effectiveSampleSize"][:few], rtol=1e-9)


def test_intervals_hold_the_more_probable_value(bits: Said) -> None:
    rows = np.where(np.array(bits["known"]) == 1, np.array(bits["rows"], float), np.nan)[:5]
    around = orchard_density.load(bits.file).complete(rows, bits["seed"], point="median", interval=0.9)
    assert (around.low <= around.rows).all()
    assert (around.rows <= around.high).all()
    np.testing.assert_array_equal(around.low[~np.isnan(rows)], rows[~np.isnan(rows)])


def test_surprises_sum_to_the_likelihood(bits: Said) -> None:
    model = orchard_density.load(bits.file)
    rows = np.array(bits["rows"])
    np.testing.assert_allclose(-model.surprise(rows).sum(axis=1), model.log_likelihood(rows), atol=1e-9)


def test_importance_is_what_the_original_finds(bits: Said) -> None:
    model = orchard_density.load(bits.file)
    if bits["importance"] is None:
        with pytest.raises(
            NotToldError, match="^importance: got a model of the family .*, expected one whose columns are predicted"
        ):
            model.importance()
    else:
        np.testing.assert_allclose(model.importance(), bits["importance"], atol=1e-12)


def test_rows_may_be_of_any_kind(bits: Said) -> None:
    pandas = pytest.importorskip("pandas")
    sparse = pytest.importorskip("scipy.sparse")
    model = orchard_density.load(bits.file.read_bytes())
    rows = np.array(bits["rows"])
    frame = pandas.DataFrame(rows, columns=model.variables)
    for given in (
        rows.astype(bool),
        rows.astype(float),
        rows.tolist(),
        frame,
        frame.astype(object),
        frame.astype("Int64"),
        frame.astype("category"),
        sparse.csr_array(rows),
        sparse.coo_matrix(rows),
    ):
        assert model.log_likelihood(given).tolist() == bits["logLikelihood"]
    assert len(model.log_likelihood(rows[:0])) == 0


def test_what_pandas_calls_missing_is_missing(bits: Said) -> None:
    pandas = pytest.importorskip("pandas")
    model = orchard_density.load(bits.file)
    few = 8
    is_known = np.array(bits["known"][:few]) == 1
    frame = pandas.DataFrame(bits["rows"][:few], columns=model.variables).astype("Int64").where(is_known)
    filled = model.complete(frame, bits["seed"], samples=bits["samples"], evidence=True)
    assert np.asarray(filled.rows).tolist() == bits["completed"][:few]
    if not is_known.all():
        with pytest.raises(RowsError, match=r"^X, row \d+, column \d+: got a missing value, expected 0 or 1"):
            model.log_likelihood(frame)


def test_a_model_is_pickled_and_copied(bits: Said) -> None:
    model = orchard_density.load(bits.file)
    rows = np.array(bits["rows"])
    # asked before: what it keeps for itself goes along or is made again
    model.log_likelihood(rows)
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert again.log_likelihood(rows).tolist() == bits["logLikelihood"]
        assert again.sample(3, bits["seed"]).tolist() == bits["sample"][:3]


def test_columns_of_a_frame_are_told_by_name_and_strange_ones_refused(bits: Said) -> None:
    pandas = pytest.importorskip("pandas")
    model = orchard_density.load(bits.file)
    frame = pandas.DataFrame(np.array(bits["rows"]), columns=model.variables)
    if model.names is None:
        return
    assert model.log_likelihood(frame[frame.columns[::-1]]).tolist() == bits["logLikelihood"]
    with pytest.raises(
        RowsError,
        match=r"^X: got a column that the model does not know: 'extra', expected its \d+ columns\. Leave it out",
    ):
        model.log_likelihood(frame.assign(extra=1))
    with pytest.raises(RowsError, match="^X: got no column 'c0'"):
        model.log_likelihood(frame.drop(columns="c0"))


def test_what_are_no_rows_of_the_model_is_refused_in_a_sentence(bits: Said) -> None:
    model = orchard_density.load(bits.file)
    rows = np.array(bits["rows"], float)
    width = rows.shape[1]
    with pytest.raises(RowsError, match=rf"^X: got {width + 1} columns, expected {width}, as the model has\. Give all"):
        model.log_likelihood(np.hstack([rows, rows[:, :1]]))
    with pytest.raises(RowsError, match=r"^X: got an array of shape \(\d+,\)"):
        model.log_likelihood(rows[0])
    with pytest.raises(RowsError, match=rf"^X: got a value of the type dict, expected \(rows, {width}\)\. Give rows:"):
        model.log_likelihood({"a": [0, 1]})
    with pytest.raises(RowsError, match=r"^X: got rows of different lengths, expected as many values in each\. Give"):
        model.log_likelihood([[0, 1], [1]])
    with pytest.raises(RowsError, match=r"^X, row 0, column 0: got 'yes', expected 0 or 1"):
        model.log_likelihood([["yes"] * width])
    with pytest.raises(RowsError, match=r"^X, row 1, column 0: got 2\.0, expected 0 or 1"):
        model.log_likelihood(np.vstack([rows[:1], np.full((1, width), 2.0)]))
    rows[0, 0] = np.nan
    with pytest.raises(
        RowsError,
        match=r"^X, row 0, column 0: got a missing value, expected 0 or 1\. complete\(X\) fills missing values in",
    ):
        model.log_likelihood(rows)
    with pytest.raises(RowsError, match="^got random_state=-1, expected a whole number"):
        model.sample(1, -1)
    with pytest.raises(RowsError, match="^got n=-1, expected"):
        model.sample(-1)


def test_a_damaged_file_is_refused_in_a_sentence(bits: Said, tmp_path) -> None:
    whole = bits.file.read_bytes()
    middle = len(whole) // 2
    changed = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
    for data in (whole[:-1], changed, b"", b"row,logLikelihood\n", b"\x1f\x8b00"):
        with pytest.raises(ModelFileError, match="^the model: got .*, expected .*"):
            orchard_density.load(data)
    with pytest.raises(ModelFileError, match=r"^got .*nowhere, which cannot be read \(No such file"):
        orchard_density.load(tmp_path / "nowhere")


def test_the_compiled_loop_gives_the_same_bits(bits: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    model = orchard_density.load(bits.file)
    monkeypatch.setattr("orchard_density.ensembles.loop_for", lambda lookups: compiled())
    assert model.log_likelihood(np.array(bits["rows"])).tolist() == bits["logLikelihood"]


def test_many_rows_have_the_same_bits_as_few(bits: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("orchard_density.few_rows.MOST_ROWS", 0)
    assert orchard_density.load(bits.file).log_likelihood(np.array(bits["rows"])).tolist() == bits["logLikelihood"]


def test_a_model_of_bounds_says_so() -> None:
    said: dict[str, Any] = {"family": "partition", "variables": ["1", "2"], "isNamed": False, "rows": "bits"}
    nothing = dict.fromkeys(["shape", "table", "specification", "likelihoods"])
    asked = cast(Any, SimpleNamespace(open=lambda: {**said, **nothing, "likelihoodIs": "lower bound"}))
    with pytest.warns(LowerBoundWarning, match="model: .* higher by an unknown amount"):
        assert opening._open(asked, "model").dimensions == 2
