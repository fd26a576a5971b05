"""Frames of every kind go in, and come out as what they were."""

from __future__ import annotations

import datetime
import decimal
import weakref
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from orchard_density import OrchardDensity, RowsError, command_line, load
from orchard_density.arrow_file import write_arrow
from orchard_density.column_type import ColumnType
from orchard_density.frames import _arrow_array, _polars_series, frame_like, frame_of
from orchard_density.labels import is_missing
from orchard_density.made_columns import MadeColumns
from orchard_density.rows_given import as_array

SMALL = {"rounds": 6, "leaves": 4, "n_jobs": 1}
ROWS = 240


@pytest.fixture(scope="module")
def typed() -> pd.DataFrame:
    """Columns of many types; the first predicts most of the others."""
    sizes = np.arange(ROWS) % 10
    start = pd.Timestamp("2024-03-01")
    return pd.DataFrame(
        {
            "size": sizes + 0.5,
            "count": sizes,
            "band": pd.cut(sizes, [-1, 2, 6, 10]),
            "grade": pd.Categorical(sizes % 3 + 1),
            "flag": pd.Categorical(sizes > 4),
            "month": pd.period_range("2024-01", periods=10, freq="M").take(sizes),
            "kind": pd.Categorical([["x", 1, True][size % 3] for size in sizes]),
            "when": (start + pd.to_timedelta(sizes * 36, unit="h")).tz_localize("Europe/Berlin"),
            "took": pd.to_timedelta(sizes * 90, unit="s"),
            "code": [str(size) for size in sizes],
            "yes": sizes > 4,
        }
    )


@pytest.fixture(scope="module")
def fitted(typed: pd.DataFrame) -> OrchardDensity:
    return OrchardDensity(**SMALL).fit(typed)


def test_moments_are_given_as_the_column_has_them_with_zones_periods_and_midnights(typed: pd.DataFrame) -> None:
    rows = typed[["size", "when", "month", "took"]].assign(at=typed["when"].dt.tz_localize(None))
    fitted = OrchardDensity(**SMALL).fit(rows)
    noon = pd.Timestamp("2024-03-05 12:00", tz="America/New_York")
    midnight = pd.Timestamp("2024-03-05")
    for given, is_so in [
        ({"when": (noon, None)}, lambda sampled: sampled["when"] >= noon),
        ({"at": (midnight, None)}, lambda sampled: sampled["at"] >= midnight),
        ({"at": (midnight.to_datetime64(), None)}, lambda sampled: sampled["at"] >= midnight),
        ({"at": (midnight.date(), None)}, lambda sampled: sampled["at"] >= midnight),
        ({"month": pd.Period("2024-06", "M")}, lambda sampled: sampled["month"] == pd.Period("2024-06", "M")),
        ({"took": (None, np.timedelta64(5, "m"))}, lambda sampled: sampled["took"] <= pd.Timedelta(minutes=5)),
    ]:
        assert is_so(fitted.sample(40, random_state=1, given=given)).all(), given
    shares = {"at": {(None, midnight): 0.75, (midnight + pd.Timedelta(seconds=1), None): 0.25}}
    assert (fitted.sample(40, random_state=1, shares=shares)["at"] <= midnight).mean() == 0.75


def test_whole_numbers_beside_gaps_are_learned_as_the_command_line_learns_them_from_a_file(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    whole = pd.Series(np.arange(ROWS) % 4, dtype="Int64").where(np.arange(ROWS) % 9 > 0)
    rows = pd.DataFrame({"count": whole, "two": whole.clip(upper=1), "size": np.arange(ROWS) % 4 + 0.5})
    fitted = OrchardDensity(**SMALL, members=1).fit(rows)
    assert fitted.classes("count") == ["0", "1", "2", "3"]
    assert fitted.classes("two") == ["0", "1"]
    rows.to_parquet(tmp_path / "rows.parquet")
    words = ["train", str(tmp_path / "rows.parquet"), "--out", str(tmp_path / "run"), "--members", "1"]
    command_line.run([*words, "--rounds", "6", "--leaves", "4"])
    of_file = load(tmp_path / "run")
    np.testing.assert_array_equal(of_file.log_likelihood(rows), fitted.score_samples(rows))
    np.testing.assert_array_equal(fitted.score_samples(rows.astype("float64")), fitted.score_samples(rows))


def test_sampled_rows_have_the_types_and_the_values_of_those_fitted(
    fitted: OrchardDensity, typed: pd.DataFrame
) -> None:
    sampled = fitted.sample(200, random_state=1)
    assert sampled.dtypes.to_dict() == typed.dtypes.to_dict()
    for name in ("band", "grade", "flag", "kind", "code"):
        assert sampled[name].notna().all(), name
        assert set(sampled[name]) <= set(typed[name]), name
    assert sampled["month"].between(pd.Period("2023-12", "M"), pd.Period("2024-12", "M")).all()
    assert sampled["when"].dt.tz is not None
    assert np.isfinite(fitted.score(sampled))


def test_missing_cells_of_every_type_are_filled_in(fitted: OrchardDensity, typed: pd.DataFrame) -> None:
    gaps = typed.head(11).copy()
    for row, name in enumerate(["band", "grade", "flag", "month", "kind", "when", "took"]):
        gaps.loc[row, name] = None
    filled = fitted.complete(gaps, random_state=0)
    assert filled.notna().all(axis=None)
    assert filled.dtypes.to_dict() == typed.dtypes.to_dict()
    pd.testing.assert_frame_equal(filled.iloc[7:], typed.iloc[7:11])
    assert fitted.predict(gaps.drop(columns="band"), target="band")[9] == typed["band"][9]


def _plain(typed: pd.DataFrame) -> dict[str, list[Any]]:
    sizes = typed["count"].tolist()
    zone = datetime.timezone(datetime.timedelta(hours=2))
    return {
        "size": [size + 0.25 for size in sizes],
        "count": sizes,
        "word": [["low", "mid", "high"][size // 4] for size in sizes],
        "price": [decimal.Decimal(size) + decimal.Decimal("0.99") for size in sizes],
        "day": [datetime.date(2024, 5, 1 + size) for size in sizes],
        "moment": [datetime.datetime(2024, 5, 1, 12, size, tzinfo=zone) for size in sizes],
        "took": [datetime.timedelta(seconds=90 * size) for size in sizes],
        "open": [size > 4 for size in sizes],
    }


def test_frames_of_polars_come_out_as_such(typed: pd.DataFrame) -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(_plain(typed)).with_columns(polars.col("word").cast(polars.Categorical))
    density = OrchardDensity(**SMALL).fit(frame)
    sampled = density.sample(50, random_state=1)
    assert isinstance(sampled, polars.DataFrame)
    assert sampled.schema == frame.schema
    gaps = frame.head(4).with_columns(
        polars.when(polars.col("count") == 1).then(None).otherwise(polars.col("word")).alias("word")
    )
    filled = density.complete(gaps, random_state=0)
    assert filled.schema == frame.schema
    assert filled["word"].null_count() == 0
    assert filled.drop("word").equals(gaps.drop("word"))
    said = density.explain(frame.tail(3), top=4)
    assert isinstance(said, polars.DataFrame)
    # rows count from 1; values that are expected are no reasons
    assert set(said["row"].to_list()) <= {1, 2, 3}
    assert said["row"].to_list() == sorted(said["row"].to_list())
    # a listing of no reasons has cells of no type
    assert said.schema["value"] == (polars.Null if said.is_empty() else polars.String)
    # of numbers alone too
    far = density.explain(frame.head(1).with_columns(polars.lit(99, polars.Int64).alias("count")), top=1)
    assert far.schema["value"] == polars.String
    assert far["value"].to_list() == ["99"]
    possible = density.probabilities(gaps, random_state=0)
    assert isinstance(possible, polars.DataFrame)
    assert set(possible["column"]) == {"word"}
    assert np.isfinite(density.score(frame))
    assert density.predict(frame.head(2).drop("open"), target="open").tolist() == [False, False]


def test_tables_of_arrow_come_out_as_such(typed: pd.DataFrame) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(_plain(typed))
    density = OrchardDensity(**SMALL).fit(table)
    sampled = density.sample(20, random_state=1)
    assert sampled.schema == table.schema
    assert density.complete(table.slice(0, 3), random_state=0).equals(table.slice(0, 3))
    reasons = density.explain(table.slice(0, 3), top=2)
    assert reasons.num_rows <= 6
    assert {"expected_low", "expected_high", "expected_label"} <= set(reasons.column_names)


def test_relations_of_duckdb_come_out_as_such(typed: pd.DataFrame) -> None:
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    relation = duckdb.sql(
        "select i % 10 as n, case when i % 10 < 5 then 'a' else 'b' end as label from range(240) t(i)"
    )
    density = OrchardDensity(**SMALL).fit(relation)
    sampled = density.sample(7, random_state=1)
    assert type(sampled) is type(relation)
    assert sampled.columns == ["n", "label"]
    assert len(sampled.fetchall()) == 7
    assert density.explain(relation, top=1).columns[:3] == ["row", "column", "value"]


def test_columns_of_duckdb_keep_their_types_where_these_hold_what_comes() -> None:
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    relation = duckdb.sql(
        "select (i % 3 * 120)::utinyint as byte, (i % 3)::hugeint as huge, (i % 7 / 4)::decimal(9, 3) as price, (i % 3)::float "
        "as \"half \"\"x\"\"\", ['a', 'b', 'c'][i % 3 + 1]::enum('c', 'b', 'a', 'z') as grade from range(240) t(i)"
    )
    density = OrchardDensity(options={"model": "chow-liu"}, n_jobs=1, verbose=False).fit(relation)
    sampled = density.sample(50, random_state=1)
    assert (sampled.columns, sampled.types) == (relation.columns, relation.types)
    assert {row[0] for row in sampled.fetchall()} <= {0, 120, 240}
    gaps = duckdb.sql("select * replace (case when huge = 1 then null else byte end as byte) from relation limit 6")
    filled = density.complete(gaps, random_state=1)
    assert filled.types == relation.types
    known = [row for row in relation.limit(6).fetchall() if row[1] != 1]
    assert [row for row in filled.fetchall() if row[1] != 1] == known
    # a column of NULL alone has no type of its own, and 300 is no byte
    nothing = duckdb.sql("select * replace (null as byte, null as grade) from relation limit 2")
    assert density.complete(nothing, random_state=1).types == relation.types
    wide = duckdb.sql("select * replace (300::integer as byte, null as grade) from relation limit 2")
    assert density.complete(wide, random_state=1).types[0] == wide.types[0]


def test_frames_of_one_table_make_one_model(typed: pd.DataFrame) -> None:
    polars = pytest.importorskip("polars")
    columns = {name: values for name, values in _plain(typed).items() if name in ("size", "count", "word", "open")}
    models = [OrchardDensity(**SMALL).fit(frame) for frame in (pd.DataFrame(columns), polars.DataFrame(columns))]
    assert models[0].model_bytes_ == models[1].model_bytes_


def test_whatever_speaks_arrow_is_a_frame(typed: pd.DataFrame) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    narwhals = pytest.importorskip("narwhals")
    table = pyarrow.table({name: values for name, values in _plain(typed).items() if name in ("count", "word", "day")})

    class Stream:
        def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
            return table.__arrow_c_stream__(requested_schema)

    densities = [OrchardDensity(**SMALL).fit(rows) for rows in (table, Stream(), narwhals.from_native(table))]
    assert len({density.model_bytes_ for density in densities}) == 1
    for density in densities:
        assert density.sample(5, random_state=1).schema == table.schema


def test_what_arrow_reads_is_what_was_written(typed: pd.DataFrame, tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    cells = [None, "é", "long text, with a comma", ""] * 3
    objects = np.empty(12, object)
    objects[:] = cells
    days = np.array(["2024-02-29", "NaT", "1969-12-31"] * 4, "M8[us]")
    moments = np.array(["2024-02-29T12:30", "NaT", "1969-12-31T23:59:59.5"] * 4, "M8[us]")
    truth = np.empty(12, object)
    truth[:] = [True, None, False] * 4
    columns = [objects, days, moments, truth, np.arange(12), np.array([0.5, np.nan, -1e300] * 4), np.arange(12) > 5]
    seconds = np.array([-0.25, np.nan, 90061] * 4)
    path = tmp_path / "rows.arrow"
    write_arrow(path, list("abcdefgh"), [*columns, seconds], [*["any"] * 7, "duration"])
    table = pyarrow.ipc.open_stream(path.read_bytes()).read_all()
    table.validate(full=True)
    assert table["a"].to_pylist() == cells
    assert table["b"].to_pylist() == [datetime.date(2024, 2, 29), None, datetime.date(1969, 12, 31)] * 4
    assert table["c"].to_pylist()[2] == datetime.datetime(1969, 12, 31, 23, 59, 59, 500_000)
    assert table["d"].to_pylist() == [True, None, False] * 4
    assert table["e"].to_pylist() == list(range(12))
    assert table["f"].to_pylist() == [0.5, None, -1e300] * 4
    assert table["g"].to_pylist() == [False] * 6 + [True] * 6
    day = datetime.timedelta(days=1, seconds=3661)
    assert table["h"].to_pylist() == [datetime.timedelta(seconds=-0.25), None, day] * 4


@pytest.mark.parametrize(
    ("dtype", "cells"),
    [
        ("date32[pyarrow]", [datetime.date(2024, 2, 29), None]),
        ("timestamp[us, tz=Europe/Berlin][pyarrow]", [pd.Timestamp("2024-07-01 02:00", tz="Europe/Berlin"), None]),
        ("timestamp[s][pyarrow]", [pd.Timestamp("1024-07-01 02:00"), None]),
        ("Int64", [2**60 + 1, None]),
        ("UInt64", [2**63 + 1, None]),
        ("int64[pyarrow]", [2**60 + 1, None]),
        (object, [2**60 + 1, None]),
        (object, [7, None]),
    ],
)
def test_columns_with_missing_cells_are_read_as_they_are(dtype: Any, cells: list[Any]) -> None:
    if "pyarrow" in str(dtype):
        pytest.importorskip("pyarrow")
    series = pd.Series(cells, dtype=dtype)
    read = frame_of(pd.DataFrame({"c": series}))
    assert read is not None
    (column,), (own,) = read.columns, read.types
    if column.dtype.kind == "M":
        # a moment with a zone by that of UTC
        zoned = pd.Timestamp(cells[0])
        plain = zoned if zoned.tz is None else zoned.tz_convert("UTC").tz_localize(None)
        assert column[0] == np.datetime64(plain, "us")
    made = frame_like("pandas", {"c": [_as_a_model_says(column.tolist()[0]), None]}, {"c": own})
    pd.testing.assert_series_equal(made["c"], series, check_names=False)
    assert type(made["c"][0]) is type(series[0])


def _as_a_model_says(value: Any) -> Any:
    """Moments as texts, and whole numbers that no float holds as labels."""
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    return str(value) if isinstance(value, int) and value > 2**53 else value


def test_columns_in_which_nothing_is_filled_stay_as_they_are() -> None:
    polars = pytest.importorskip("polars")
    pytest.importorskip("pyarrow")
    ends = polars.Series("end", [1, 2, 3], dtype=polars.Datetime("ns"))
    starts = polars.Series("start", [1, None, 3], dtype=polars.Datetime("ns"))
    words = polars.Series("word", ["a", None, "b"], dtype=polars.Enum(["a", "b", "c"]))
    frame = polars.DataFrame([ends, starts, words, polars.Series("n", [None, 5, 6], dtype=polars.Int8)])
    values = {"start": ["2024-01-01T00:00:00"] * 3, "word": ["c"] * 3, "n": [7.0] * 3}
    for given in (frame, frame.to_arrow()):
        read = frame_of(given)
        assert read is not None
        filled = read.filled(values)
        assert filled.schema == given.schema
        filled = polars.DataFrame(filled)
        # Python's own moments have no nanoseconds
        assert filled["end"].cast(polars.Int64).to_list() == [1, 2, 3]
        assert filled["start"].cast(polars.Int64).to_list() == [1, 1704067200 * 10**9, 3]
        assert filled["word"].to_list() == ["a", "c", "b"]
        assert filled["n"].to_list() == [7, 5, 6]


@pytest.mark.parametrize("dtype", ["f4", "f8", "u1", "i8", "?", "M8[us]", "m8[ns]", "U3", "O"])
def test_what_is_masked_is_missing(dtype: str) -> None:
    cells = np.array([[1, 0], [0, 1]]).astype(dtype)
    read = as_array(np.ma.masked_array(cells, mask=[[True, False], [False, False]]))
    assert is_missing(read[0, 0])
    known = [(0, 1), (1, 0), (1, 1)]
    assert [read[place] for place in known] == [cells[place] for place in known]
    whole = as_array(np.ma.masked_array(cells))
    assert whole.dtype == cells.dtype
    assert not isinstance(whole, np.ma.MaskedArray)


def test_a_text_that_no_file_holds_is_refused_with_its_column(tmp_path: Path) -> None:
    cells = np.array(["a", "\ud800"], object)
    with pytest.raises(RowsError, match=r"^X, column 'word': got the text '\\ud800', which holds half a character"):
        write_arrow(tmp_path / "rows.arrow", ["word"], [cells], ["text"])


def test_complex_numbers_are_refused_and_not_taken_for_labels() -> None:
    for cells in (np.arange(60) % 3 + 1j, pd.Series([1, 2j, 3] * 20, dtype=object)):
        with pytest.raises(RowsError, match="^X, row ., column 'c': got the complex number"):
            frame_of(pd.DataFrame({"c": cells}))


def test_columns_of_one_name_are_refused() -> None:
    with pytest.raises(RowsError, match=r"^X: got two columns of one name \('a'\)"):
        frame_of(pd.DataFrame([[1, 2]], columns=["a", "a"]))


def test_a_column_without_a_name_keeps_it_and_one_with_an_odd_name() -> None:
    # a column of categories is named to the command line
    odd = ' "size" =\n(cm) '
    frame = pd.DataFrame({"kind": ["a", "b"] * 60, "": [1.5, 2.5] * 60, odd: pd.Categorical([7, 8, 9] * 40)})
    density = OrchardDensity(rounds=2, leaves=2, n_jobs=1, verbose=False, kinds={odd: "categorical"}).fit(frame)
    sampled = density.sample(2, random_state=1)
    assert list(sampled.columns) == ["kind", "", odd]
    assert sampled[odd].dtype == frame[odd].dtype
    frame = frame.drop(columns=odd)
    density = OrchardDensity(rounds=2, leaves=2, n_jobs=1, verbose=False).fit(frame)
    assert len(density.surprise(frame.head(3))) == 3
    gaps = frame.head(4).mask([[False, True]] * 4)
    assert density.complete(gaps, random_state=1)[""].notna().all()
    assert set(density.explain(pd.DataFrame({"kind": ["b"], "": [1.5]}))["column"]) <= {"kind", ""}


@pytest.mark.filterwarnings("error")
def test_a_lazy_frame_is_read_without_a_warning() -> None:
    polars = pytest.importorskip("polars")
    frame = frame_of(polars.LazyFrame({"kind": ["a", "b"], "size": [1, 2]}))
    assert frame is not None
    assert frame.kind == "polars"
    assert frame.names == ["kind", "size"]


def test_whole_numbers_of_labels_are_whole_in_a_frame_that_has_such_a_type() -> None:
    polars = pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    # beside missing values, labels that are whole numbers are texts with a point
    for cells in (["1.0", None, "2.0"], [1.0, None, 2], ["1", None, "2"]):
        assert _polars_series("n", cells, polars.Int64).to_list() == [1, None, 2]
        assert _arrow_array(cells, pyarrow.int64()).to_pylist() == [1, None, 2]


@pytest.mark.parametrize("dtype", ["uint8", "UInt8", "uint8[pyarrow]", "Sparse[uint8]"])
def test_numbers_beyond_a_type_of_whole_numbers_are_its_ends(dtype: str) -> None:
    made = frame_like(
        "pandas", {"n": [-1, 7, 257]}, {"n": ColumnType("number", dtype=pd.Series([1], dtype=dtype).dtype)}
    )
    assert str(made["n"].dtype) == str(pd.Series([1], dtype=dtype).dtype)
    assert made["n"].tolist() == [0, 7, 255]


def test_numbers_beyond_a_type_of_polars_or_arrow_are_its_ends() -> None:
    polars = pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    assert _polars_series("n", [-1, None, 257], polars.UInt8).to_list() == [0, None, 255]
    assert _arrow_array([-129, None, 128], pyarrow.int8()).to_pylist() == [-128, None, 127]


def test_sampled_bytes_are_bytes() -> None:
    rows = np.column_stack([np.arange(ROWS) * 37 % 256, np.arange(ROWS) % 3]).astype(np.uint8)
    density = OrchardDensity(options={"model": "marginals"}, n_jobs=1, verbose=False).fit(rows)
    sampled = density.sample(3000, random_state=1)
    assert sampled.dtype == np.uint8
    # a number beyond the ends would come round at the other
    assert (sampled == 255).any()
    assert set(sampled[:, 1]) == {0, 1, 2}


@pytest.mark.parametrize("freq", ["Y", "Q", "W-WED", "D", "h", "ms"])
def test_periods_are_the_moments_that_they_begin_at(freq: str) -> None:
    periods = pd.Series(pd.period_range("2001-03-05", periods=9, freq=freq))
    periods[3] = pd.NaT
    read = frame_of(pd.DataFrame({"p": periods}))
    assert read is not None
    np.testing.assert_array_equal(read.columns[0], periods.dt.to_timestamp().to_numpy("M8[us]"))


def test_periods_of_centuries_ago_are_learned_and_sampled() -> None:
    years = pd.period_range("1500", periods=ROWS, freq="Y")
    density = OrchardDensity(options={"model": "marginals"}, n_jobs=1, verbose=False)
    density.fit(pd.DataFrame({"year": years, "side": np.arange(ROWS) % 2}))
    sampled = density.sample(50, random_state=1)["year"]
    assert sampled.dtype == years.dtype
    assert sampled.dt.year.between(1450, 1800).all()


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_sampled_columns_become_a_frame_one_at_a_time(kind: str) -> None:
    class Cells(list):  # type: ignore[type-arg]
        """A list that weak references can point to."""

    alive: list[weakref.ref[Cells]] = []

    def maker(of: type, name: str) -> list[Any]:
        assert [held() for held in alive] == [None] * len(alive), f"the cells of columns before {name} are held"
        cells = Cells(of(row % 7) for row in range(100))
        alive.append(weakref.ref(cells))
        return cells

    types = {"words": ColumnType("text"), "whole": ColumnType("number"), "real": ColumnType("number")}
    makers = {"words": str, "whole": int, "real": float}
    made = MadeColumns({name: partial(maker, of, name) for name, of in makers.items()})
    frame = frame_like(kind, made, types)
    assert len(alive) == 3
    assert list(frame.columns if kind != "pyarrow" else frame.column_names) == ["words", "whole", "real"]
