"""Rows in another form than those that trained a model are the same rows, or refused by name; never other values in silence."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from orchard_density import OrchardDensity, RowsError, RowsWarning, load, process
from orchard_density.command_line import main_file, node


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    stream = np.random.default_rng(0)
    days = pd.to_timedelta(stream.integers(0, 300, 400), unit="D")
    return pd.DataFrame(
        {
            "amount": stream.normal(500, 200, 400).round(2).clip(1),
            "flag": stream.choice([True, False], 400),
            "when": pd.Timestamp("2024-01-01") + days,
        }
    )


@pytest.fixture(scope="module")
def density(rows: pd.DataFrame) -> OrchardDensity:
    return OrchardDensity(rounds=5, leaves=2, members=1, n_jobs=1).fit(rows.tail(350))


def _cells(column: str, form: Callable[[Any], Any]) -> Callable[[pd.DataFrame], pd.DataFrame]:
    return lambda rows: rows.assign(**{column: [form(cell) for cell in rows[column]]})


@pytest.mark.parametrize(
    "written",
    [
        _cells("amount", lambda amount: f"${amount:,.2f}"),
        _cells("amount", lambda amount: f"{amount:.2f}".replace(".", ",")),
        _cells("flag", lambda flag: str(flag).upper()),
        _cells("flag", int),
        _cells("when", lambda day: f"{day:%m/%d/%Y}"),
        _cells("when", lambda day: f"{day:%Y-%m-%d} 00:00:00"),
        _cells("when", lambda day: day.date()),
    ],
    ids=["dollars", "decimal commas", "TRUE", "1", "American dates", "midnight as text", "dates"],
)
def test_the_same_rows_in_another_form_have_the_same_likelihood(
    density: OrchardDensity, rows: pd.DataFrame, written: Callable[[pd.DataFrame], pd.DataFrame]
) -> None:
    head = rows.head(40)
    np.testing.assert_allclose(density.score_samples(written(head)), density.score_samples(head), atol=1e-12)
    np.testing.assert_allclose(density.surprise(written(head)), density.surprise(head), atol=1e-12)
    known = density.complete(written(head), 0)
    pd.testing.assert_frame_equal(known, written(head), check_dtype=False)


def test_cells_that_were_said_to_be_missing_at_training_are_so_in_later_rows(tmp_path: Path) -> None:
    stream = np.random.default_rng(0)
    ages = np.where(np.arange(300) % 9 == 0, -999, stream.integers(20, 60, 300))
    frame = pd.DataFrame({"age": ages, "pays": np.where(np.arange(300) % 7 == 0, "refused", "yes")})
    frame.to_csv(tmp_path / "rows.csv", index=False)
    words = ["--missing", "-999,refused", "--rounds", "3", "--members", "1", "--no-report", "--out", "run", "--quiet"]
    subprocess.run([node(), str(main_file()), "train", "rows.csv", *words], cwd=tmp_path, check=True)
    model = load(tmp_path / "run")
    plain = frame.assign(age=frame["age"].where(frame["age"] != -999), pays=frame["pays"].replace("refused", None))
    with pytest.warns(RowsWarning, match="cells that say -999 are missing values, as was said at training"):
        scores = model.log_likelihood(frame)
    np.testing.assert_array_equal(scores, model.log_likelihood(plain))
    with pytest.warns(RowsWarning, match="cells that say 'refused' are missing"):
        filled = model.complete(frame.head(20), 0)
    pd.testing.assert_frame_equal(filled, model.complete(plain.head(20), 0), check_dtype=False)


def test_a_moment_after_midnight_is_not_its_day(density: OrchardDensity, rows: pd.DataFrame) -> None:
    later = rows.head(40).assign(when=rows["when"].head(40) + pd.to_timedelta("13:30:00"))
    with pytest.raises(RowsError, match='"when": got "2024-.*T13:30:00.*40 of 40 cells'):
        density.score_samples(later)
    one = rows.head(40).copy()
    one.loc[2, "when"] += pd.to_timedelta("13:30:00")
    with pytest.warns(RowsWarning, match='"when"'):
        changed = density.score_samples(one) != density.score_samples(rows.head(40))
    assert np.flatnonzero(
        np.abs(density.score_samples(one) - density.score_samples(rows.head(40))) > 1e-9
    ).tolist() == [2]
    assert changed[2]
    assert density.complete(one, 0).loc[2, "when"] == one.loc[2, "when"]


def test_an_infinite_cell_is_missing_in_a_fit_and_after_it(rows: pd.DataFrame) -> None:
    odd = rows.copy()
    odd.loc[3, "amount"] = np.inf
    with pytest.warns(RowsWarning, match='"amount" 1 cell counts as missing'):
        density = OrchardDensity(rounds=5, leaves=2, members=1, n_jobs=1).fit(odd)
    with pytest.warns(RowsWarning, match="'amount', counted as missing: inf in row 3"):
        scores = density.score_samples(odd.head(10))
    gap = odd.head(10).copy()
    gap.loc[3, "amount"] = np.nan
    np.testing.assert_allclose(scores, density.score_samples(gap))
    assert density.complete(odd.head(10), 0).loc[3, "amount"] == np.inf
    with pytest.raises(RowsError, match="got inf, expected a number"):
        density.score_samples(odd.head(10).assign(amount=np.inf))


@pytest.fixture(scope="module")
def shops() -> OrchardDensity:
    stream = np.random.default_rng(1)
    rows = pd.DataFrame(
        {"shop": stream.choice(["Kiel", "Lund", "Oslo"], 300), "sold": stream.normal(20, 4, 300).round(1)}
    )
    return OrchardDensity(rounds=5, leaves=2, members=1, n_jobs=1).fit(rows)


def test_gaps_are_left_to_the_process_where_it_is_at_hand_and_are_the_same(
    shops: OrchardDensity, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = pd.DataFrame({"shop": ["Kiel", None, "Lund", None], "sold": [None, 20.5, 21.0, None]})
    bits = (np.random.default_rng(0).random((60, 4)) < 0.4).astype(float)
    tree = OrchardDensity(rounds=3, leaves=2, members=1, n_jobs=1).fit(bits)
    gaps = np.where(np.random.default_rng(1).random(bits.shape) < 0.3, np.nan, bits)
    asked: list[str] = []
    ask = process.ask

    def counted(operation: str, *arguments: Any, **question: Any) -> Any:
        asked.append(operation)
        return ask(operation, *arguments, **question)

    def answers() -> list[Any]:
        asked.clear()
        filled = [shops.complete(rows, 1), shops.model_.log_likelihood(rows), pd.DataFrame(tree.complete(gaps, 1))]
        return [*filled, [operation for operation in asked if operation != "open"]]

    monkeypatch.setattr(process, "ask", counted)
    *theirs, by_the_process = answers()
    monkeypatch.setattr(process, "is_at_hand", lambda: False)
    *own, by_numpy = answers()
    assert set(by_the_process) == {"complete", "score"}
    assert by_numpy == []
    pd.testing.assert_frame_equal(theirs[0], own[0])
    np.testing.assert_array_equal(theirs[1], own[1])
    pd.testing.assert_frame_equal(theirs[2], own[2])


@pytest.mark.parametrize("kind", ["pandas", "polars", "array"])
@pytest.mark.parametrize("draws", [None, 2])
def test_texts_that_mark_missing_values_are_filled_in(shops: OrchardDensity, kind: str, draws: int | None) -> None:
    cells: dict[str, list[Any]] = {"shop": ["NA", "Kiel", "null", "Lund"], "sold": ["19.5", "?", "21.0", "N/A"]}
    if kind == "polars":
        rows: Any = pytest.importorskip("polars").DataFrame(cells)
    else:
        rows = pd.DataFrame(cells) if kind == "pandas" else pd.DataFrame(cells).to_numpy(object)
    with pytest.warns(RowsWarning, match="2 cells count as missing in the column 'shop', as 'NA' in row 0"):
        completed = shops.model_.complete(rows, draws=draws)
    for filled in [completed] if draws is None else completed:
        shop, sold = (np.asarray(filled)[:, at].tolist() for at in range(2))
        assert [shop[1], shop[3], sold[0], sold[2]] == ["Kiel", "Lund", "19.5", "21.0"]
        assert {shop[0], shop[2]} <= {"Kiel", "Lund", "Oslo"}
        assert all(0 < float(number) < 50 for number in sold)


def test_a_label_of_the_training_rows_marks_nothing() -> None:
    countries = pd.DataFrame({"country": ["NA", "ZA", "BW"] * 50, "n": np.arange(150) % 7})
    density = OrchardDensity(rounds=5, leaves=2, members=1, n_jobs=1).fit(countries)
    assert list(density.complete(countries.head(6))["country"]) == ["NA", "ZA", "BW", "NA", "ZA", "BW"]


def test_columns_of_new_labels_are_refused_until_they_are_said_to_be_such(shops: OrchardDensity) -> None:
    rows = pd.DataFrame({"shop": ["Riga", "Vilnius"] * 10, "sold": [20.5] * 20})
    for ask in (shops.score_samples, shops.complete, shops.explain):
        with pytest.raises(RowsError, match="model_.kinds of an estimator"):
            ask(rows)
    shops.model_.kinds = {"shop": "categorical"}
    try:
        assert np.isfinite(shops.score_samples(rows)).all()
        assert list(shops.complete(rows)["shop"]) == list(rows["shop"])
        assert len(shops.explain(rows)) > 0
    finally:
        shops.model_.kinds = {}
    with pytest.raises(RowsError, match="a column of labels: 'shop'"):
        shops.model_.kinds = {"sold": "categorical"}


def test_new_labels_are_said(shops: OrchardDensity) -> None:
    rows = pd.DataFrame({"shop": ["Kiel", "Riga", "Lund"], "sold": [20.5] * 3})
    new = "1 cell is a label that training never saw in the column 'shop'"
    for ask in (shops.score_samples, shops.surprise, shops.complete):
        with pytest.warns(RowsWarning, match=f"^{new}, as 'Riga' in row 1$"):
            ask(rows)
    # the command line counts them
    empty = rows.assign(sold=np.nan)
    for asked in (
        lambda: shops.model_.anomaly_scores(rows),
        lambda: shops.predict(rows, "sold"),
        lambda: shops.predict_proba(rows, "sold"),
        lambda: shops.probabilities(empty),
    ):
        with pytest.warns(RowsWarning, match=f"^{new}$"):
            asked()


def test_what_is_given_is_checked(shops: OrchardDensity) -> None:
    infinite: dict[str, Any] = {"sold": (20, np.inf)}
    drawn = shops.sample(20, random_state=1, given=infinite)
    pd.testing.assert_frame_equal(drawn, shops.sample(20, random_state=1, given={"sold": (20, None)}))
    for given, got in [
        ({"sold": np.inf}, "inf"),
        ({"sold": (np.inf, None)}, "inf"),
        (["Kiel"], "a list"),
        (drawn.iloc[0], "a Series"),
    ]:
        with pytest.raises(RowsError, match=f"^given: got {got}, expected"):
            shops.sample(1, given=given)  # type: ignore[arg-type]
    with pytest.raises(RowsError, match="^points: got a str, expected a dict"):
        shops.complete(drawn, points="mean")  # type: ignore[call-overload]
    with pytest.raises(RowsError, match="^got samples='5', expected 1 to"):
        shops.complete(drawn, samples="5")  # type: ignore[call-overload]
    with pytest.raises(RowsError, match="got interval='0.9', expected a share"):
        shops.complete(drawn, interval="0.9")  # type: ignore[call-overload]


def test_a_frame_of_another_library_is_filled_in(shops: OrchardDensity) -> None:
    polars = pytest.importorskip("polars")
    rows = polars.DataFrame({"shop": ["Kiel", None], "sold": [None, 20.5]})
    assert shops.complete(rows).null_count().sum_horizontal().item() == 0
