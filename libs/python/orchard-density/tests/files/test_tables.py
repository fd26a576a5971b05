"""Models of tables say in Python what they say elsewhere."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import pytest

import orchard_density
from conftest import Said, said_of_table
from orchard_density import ModelFileError, RowsError
from orchard_density.column_type import ColumnType, time_of
from orchard_density.compiled import compiled


def _frame(said: Said, key: str) -> pd.DataFrame:
    """The original's words: text, null for a missing value."""
    columns = {name: [None if text is None else text for text in texts] for name, texts in said[key].items()}
    return pd.DataFrame(columns, dtype=object)


def _assert_same(ours: pd.DataFrame, theirs: pd.DataFrame) -> None:
    assert list(ours.columns) == list(theirs.columns)
    for name in ours.columns:
        for own, text in zip(ours[name], theirs[name], strict=True):
            is_hole = own is None or own != own
            assert is_hole == (text is None), (name, own, text)
            if isinstance(own, datetime.timedelta):
                assert own == pd.Timedelta(text), (name, own, text)
            elif not is_hole:
                assert str(own) == text or float(own) == float(text), (name, own, text)


def test_rows_drawn_are_the_same(table: Said) -> None:
    model = orchard_density.load(table.file)
    _assert_same(model.sample(table["count"], table["seed"]), _frame(table, "sample"))


def test_log_likelihoods_are_those_of_the_original(table: Said) -> None:
    model = orchard_density.load(table.file)
    rows = _frame(table, "sample")
    assert model.log_likelihood(rows).tolist() == table["logLikelihood"]
    np.testing.assert_allclose(-model.surprise(rows).sum(axis=1), table["logLikelihood"], rtol=0, atol=1e-9)
    # typed, as pandas would read them
    assert model.log_likelihood(model.sample(table["count"], table["seed"])).tolist() == table["logLikelihood"]


def test_numbers_that_training_never_had_are_as_likely_as_in_the_original(table: Said) -> None:
    unseen = table["unseen"]
    if unseen is None:
        pytest.skip("no column of masses")
    model = orchard_density.load(table.file)
    rows = _frame(table, "sample")
    for numbers in (unseen["cells"], [None if cell is None else float(cell) for cell in unseen["cells"]]):
        rows[unseen["column"]] = pd.Series(numbers, dtype=object)
        assert model.log_likelihood(rows).tolist() == unseen["logLikelihood"]


def test_holes_are_filled_alike_and_as_sure(table: Said) -> None:
    # a row is filled in as it is among all: by the trained model each takes a sixth of a second
    few = 24
    gaps = _frame(table, "gaps").head(few)
    filled = orchard_density.load(table.file).complete(gaps, table["seed"], samples=table["samples"], evidence=True)
    _assert_same(filled.rows, _frame(table, "completed").head(few))
    assert filled.log_evidence.tolist() == table["logEvidence"][:few]
    np.testing.assert_allclose(filled.log_evidence_error, table["logEvidenceError"][:few], rtol=1e-9, atol=1e-12)
    assert filled.exact.tolist() == [exact == 1 for exact in table["exact"][:few]]


def test_holes_are_holes_however_they_are_written(table: Said) -> None:
    model = orchard_density.load(table.file)
    # more of them are filled in once, above
    gaps = _frame(table, "gaps").head(5)
    filled = model.complete(gaps, table["seed"], samples=table["samples"])
    as_na = gaps.astype(object).where(gaps.notna(), pd.NA)
    as_lists = [[float("nan") if cell is None else cell for cell in row] for row in gaps.to_numpy().tolist()]
    for given in (as_na, as_lists):
        again = model.complete(given, table["seed"], samples=table["samples"])
        assert np.array_equal(np.asarray(again, str), np.asarray(filled, str))


def test_the_compiled_loop_gives_the_same_likelihoods(table: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    model = orchard_density.load(table.file)
    monkeypatch.setattr("orchard_density.ensembles.loop_for", lambda lookups: compiled())
    assert model.log_likelihood(_frame(table, "sample")).tolist() == table["logLikelihood"]


def test_importance_is_what_the_original_finds(table: Said) -> None:
    np.testing.assert_allclose(orchard_density.load(table.file).importance(), table["importance"], atol=1e-12)


def test_strange_columns_are_refused_in_a_sentence(table: Said) -> None:
    model = orchard_density.load(table.file)
    rows = _frame(table, "sample")
    with pytest.raises(RowsError, match="^X: got a column that the model does not know: 'extra'"):
        model.log_likelihood(rows.assign(extra=1))
    with pytest.raises(RowsError, match="^X: got no column"):
        model.log_likelihood(rows.iloc[:, 1:])
    with pytest.raises(RowsError, match=r"^X: got an array of shape \(\d+, \d+\), expected \d+ columns"):
        model.log_likelihood(np.zeros((2, len(model.variables) + 1)))


def test_times_of_day_are_known_as_text_and_as_times() -> None:
    said = said_of_table("times")
    model = orchard_density.load(said.file)
    rows = _frame(said, "sample")
    typed = rows.copy()
    for name in ("leaves", "lands"):
        typed[name] = [None if text is None else time_of(text) for text in rows[name]]
    np.testing.assert_array_equal(model.log_likelihood(typed), model.log_likelihood(rows))
    other_zone = datetime.time(8, 30, tzinfo=datetime.timezone.utc)
    for wrong in ("24:00", "12:60", "2026-01-31", 29520, other_zone, datetime.date(2026, 1, 31)):
        with pytest.raises(RowsError, match="expected a time of day"):
            model.log_likelihood(rows.assign(leaves=[wrong] * len(rows)))


def test_a_file_of_a_later_version_is_refused_in_a_sentence() -> None:
    data = said_of_table("times").file.read_bytes()
    # the version is the last of the first 32 bytes
    assert data[31] == 3
    with pytest.raises(ModelFileError, match=r"version 99.*version 1 to 26.*or a later one"):
        orchard_density.load(data[:31] + b"\x63" + data[32:])


@pytest.mark.parametrize(
    ("text", "microseconds"), [("02:04:38.68", 680_000), ("02:04:38.5", 500_000), ("02:04:38.123456", 123_456)]
)
def test_a_time_of_day_has_as_many_digits_as_it_is_written_with(text: str, microseconds: int) -> None:
    assert time_of(text) == datetime.time(2, 4, 38, microseconds)
    (moment,) = ColumnType("moment").cells([f"2026-11-26T{text}Z"])
    assert moment == datetime.datetime(2026, 11, 26, 2, 4, 38, microseconds)
