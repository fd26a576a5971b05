"""Texts such as $1,046.75 and 3 Apr 2025 are numbers and dates, and come back as they were written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import orchard_density
from orchard_density import OrchardDensity, RowsError, command_line
from orchard_density.date_words import date_from_text, write_date
from orchard_density.errors import RowsWarning
from orchard_density.moment_words import moment_from_text, write_moment
from orchard_density.tables.cells import UNKNOWN, encode
from orchard_density.tables.variable import Variable
from orchard_density.written_number import number_written, write_number

ROWS = 150


def _in_euro(value: float) -> str:
    return f"{value:,.2f} €".translate(str.maketrans(",.", ".,"))


@pytest.fixture(scope="module")
def numbers() -> pd.DataFrame:
    random = np.random.default_rng(0)
    km = np.round(random.gamma(3, 2000, ROWS))
    price = np.round(km * 0.2 + random.normal(900, 40, ROWS), 2)
    days = pd.Timestamp("2024-01-01") + pd.to_timedelta(random.integers(0, 400, ROWS), unit="D")
    seen = days + pd.to_timedelta(random.integers(0, 1440, ROWS), unit="min")
    money = {"price": price, "rate": np.round(km / 1000, 1), "euro": price}
    return pd.DataFrame({"km": km, **money, "day": days, "seen": seen})


@pytest.fixture(scope="module")
def texts(numbers: pd.DataFrame) -> pd.DataFrame:
    frame = pd.DataFrame(
        {
            "km": [f"{int(value):,}" for value in numbers["km"]],
            "price": [f"${value:,.2f}" for value in numbers["price"]],
            "rate": [f"{value:.1f}%" for value in numbers["rate"]],
            "euro": [_in_euro(value) for value in numbers["euro"]],
            "day": [f"{day.day} {day:%b} {day.year}" for day in numbers["day"]],
            "seen": [f"{at.month}/{at.day}/{at.year} {at.hour % 12 or 12}:{at:%M %p}" for at in numbers["seen"]],
        }
    )
    frame.loc[3, ["price", "day"]] = None
    return frame


@pytest.fixture(scope="module")
def fitted(texts: pd.DataFrame) -> OrchardDensity:
    return OrchardDensity(rounds=4, leaves=4, members=1, n_jobs=1).fit(texts)


def test_they_count_as_numbers_do(fitted: OrchardDensity, texts: pd.DataFrame, numbers: pd.DataFrame) -> None:
    numbers = numbers.copy()
    numbers.loc[3, ["price", "day"]] = None
    wanted = fitted.model_.log_likelihood(numbers)
    np.testing.assert_array_equal(fitted.model_.log_likelihood(texts), wanted)
    np.testing.assert_array_equal(fitted.model_.log_likelihood(texts.to_numpy(object)), wanted)
    with pytest.raises(RowsError, match=r'column "price": got "£5" \(150 of 150 cells\), expected a number'):
        fitted.model_.log_likelihood(texts.assign(price="£5"))
    assert 1000 < fitted.predict(texts.head(1), target="price")[0] < 4000


def test_they_come_back_as_the_command_line_writes_them(
    fitted: OrchardDensity, texts: pd.DataFrame, tmp_path: Path
) -> None:
    (tmp_path / "model").write_bytes(fitted.model_bytes_)
    texts.head(5).to_csv(tmp_path / "gaps.csv", index=False)
    model = str(tmp_path / "model")

    def theirs(*words: str) -> pd.DataFrame:
        command_line.run([*words, "--seed", "1", "--out", str(tmp_path / "out.csv")])
        return pd.read_csv(tmp_path / "out.csv", dtype=texts.dtypes.to_dict())

    pd.testing.assert_frame_equal(fitted.sample(20, random_state=1), theirs("sample", model, "--count", "20"))
    for words in ([], ["--point", "median"]):
        filled = fitted.complete(texts.head(5), 1, **({"point": "median"} if words else {}))
        pd.testing.assert_frame_equal(filled, theirs("complete", model, str(tmp_path / "gaps.csv"), *words))
    array = fitted.model_.complete(texts.head(5).to_numpy(object), 1)
    assert array.tolist() == fitted.complete(texts.head(5), 1).to_numpy(object).tolist()
    typed = fitted.model_.complete(texts.head(5).assign(day=pd.to_datetime(texts["day"].head(5))), 1)
    assert typed["day"].dt.strftime("%-d %b %Y").tolist() == fitted.complete(texts.head(5), 1)["day"].tolist()
    read = orchard_density.load(fitted.model_bytes_).sample(20, 1)
    assert read["price"].tolist() == fitted.sample(20, 1)["price"].tolist()
    assert read["price"][0].startswith("$")


@pytest.mark.parametrize("kind", ["polars", "pyarrow"])
def test_other_frames_keep_them_too(kind: str, texts: pd.DataFrame) -> None:
    module = pytest.importorskip(kind)
    make = module.DataFrame if kind == "polars" else module.table
    columns: dict[str, Any] = {name: [None if cell != cell else cell for cell in texts[name]] for name in texts}
    frame = make(columns)
    density = OrchardDensity(rounds=4, leaves=4, members=1, n_jobs=1).fit(frame)
    sampled, filled = density.sample(5, random_state=1), density.complete(frame, 1)
    assert sampled.schema == filled.schema == frame.schema
    cell = filled["price"].to_list()[3] if kind == "polars" else filled["price"].to_pylist()[3]
    assert cell.startswith("$")


@pytest.mark.parametrize(
    ("text", "written", "value"),
    [
        ("-$1,046.75", ("$", "", ",", "."), -1046.75),
        ("$-5", ("$", "", ",", "."), -5),
        ("5 ", ("$", "", ",", "."), 5),
        ("1046", ("$", "", ",", "."), 1046),
        ("1.046,75 €", ("", " €", ".", ","), 1046.75),
        ("4.8%", ("", "%", "", "."), 4.8),
        ("\u22124.8%", ("", "%", "", "."), -4.8),
        ("1.250", ("", "", ".", ","), 1250),
        ("0.250", ("", "", ".", ","), np.nan),
        ("10,46", ("$", "", ",", "."), np.nan),
        ("$007", ("$", "", ",", "."), np.nan),
        ("-$-5", ("$", "", ",", "."), np.nan),
        ("($5.25)", ("$", "", ",", ".", True), -5.25),
        ("(5)", ("$", "", ",", ".", True), -5),
        ("(-5)", ("$", "", ",", ".", True), np.nan),
        ("(5)", ("$", "", ",", "."), np.nan),
    ],
)
def test_texts_are_read_as_the_command_line_reads_them(text: str, written: tuple[Any, ...], value: float) -> None:
    # of brackets nothing is said where a minus stands
    said = dict(zip(("prefix", "suffix", "thousands", "point", "bracketed"), written, strict=False))
    assert number_written(text, said) == pytest.approx(value, nan_ok=True)


def test_texts_that_would_be_one_number_stay_labels() -> None:
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "version": random.choice(["1.1", "1.10", "1.2", "1.20"], ROWS),
            "well": random.choice(["1E5", "2E5", "3E2"], ROWS),
            "load": [str(value) if value > 2 else "-" for value in random.integers(0, 9, ROWS)],
        }
    )
    fitted = OrchardDensity(rounds=4, leaves=4, members=1, n_jobs=1).fit(frame)
    sampled = fitted.sample(200, random_state=1)
    assert set(sampled["version"]) == {"1.1", "1.10", "1.2", "1.20"}
    assert set(sampled["well"]) == {"1E5", "2E5", "3E2"}
    gaps = frame.head(20).copy()
    gaps.loc[[2, 3], ["version", "well"]] = None
    filled = fitted.complete(gaps, 1)
    assert set(filled["version"]) <= {"1.1", "1.10", "1.2", "1.20"}
    assert filled["version"].drop([2, 3]).tolist() == gaps["version"].drop([2, 3]).tolist()
    read = orchard_density.load(fitted.model_bytes_)
    missing = frame.assign(load=frame["load"].replace("-", None))
    np.testing.assert_array_equal(read.log_likelihood(frame), read.log_likelihood(missing))
    assert read.sample(200, 1)["version"].tolist() == sampled["version"].tolist()


def test_numbers_are_written_with_as_many_digits_as_their_column_has() -> None:
    dollars = {"prefix": "$", "suffix": "", "thousands": ",", "point": "."}
    for value, decimals, padded, text in (
        (1234567.5, 2, True, "$1,234,567.50"),
        (-0.001, 2, True, "$0.00"),
        (0.125, 2, True, "$0.13"),
        (1000, 0, False, "$1,000"),
        (12.0, 2, False, "$12.0"),
        (12.456, 2, False, "$12.46"),
    ):
        in_brackets = {"decimals": decimals, "padded": padded, "written": {**dollars, "bracketed": True}}
        assert write_number(-value, in_brackets) == (f"({text})" if text != "$0.00" else text)
        assert write_number(value, {"decimals": decimals, "padded": padded, "written": dollars}) == text


@pytest.mark.parametrize(
    ("text", "clock", "minutes"),
    [
        ("8:05", (False, ""), 485),
        ("08:05", (False, ""), 485),
        ("12:05 AM", (True, " AM"), 5),
        ("1:05pm", (False, "am"), 785),
        ("13:05 PM", (True, " AM"), np.nan),
        ("13:05", (True, " AM"), np.nan),
        ("1:05 PM", (False, ""), np.nan),
    ],
)
def test_clocks_are_read_as_the_command_line_reads_them(text: str, clock: tuple[bool, str], minutes: float) -> None:
    time = {
        "type": "time",
        "seconds": False,
        "digits": 0,
        "clock": dict(zip(("padded", "morning"), clock, strict=True)),
    }
    assert moment_from_text(text, time) == pytest.approx(minutes * 60, nan_ok=True)
    if minutes == minutes:
        assert moment_from_text(write_moment(minutes * 60, time), time) == minutes * 60


@pytest.mark.parametrize(
    ("text", "written", "day"),
    [
        ("03/04/2025", ("dmy", "/", "number", True), "2025-04-03"),
        ("03/04/2025", ("mdy", "/", "number", True), "2025-03-04"),
        ("3.4.2025", ("dmy", ".", "number", False), "2025-04-03"),
        ("2025/04/03", ("ymd", "/", "number", True), "2025-04-03"),
        ("03-April-2025", ("dmy", "-", "long", True), "2025-04-03"),
        ("Apr 3, 2025", ("mdy", " ", "short", False), "2025-04-03"),
        ("3/4/25", ("mdy", "/", "number", False, True), "2025-03-04"),
        ("03.04.69", ("dmy", ".", "number", True, True), "1969-04-03"),
        ("3-Apr-68", ("dmy", "-", "short", False, True), "2068-04-03"),
        ("3/4/2025", ("mdy", "/", "number", False, True), None),
        ("3/4/25", ("mdy", "/", "number", False), None),
        ("30/02/2025", ("dmy", "/", "number", True), None),
        ("3.4.2025", ("dmy", "/", "number", False), None),
        ("3 Abr 2025", ("dmy", " ", "short", False), None),
        ("03-04-25", ("dmy", "-", "number", True, True), "2025-04-03"),
        ("3-4-25", ("dmy", "-", "number", True, True), None),
    ],
)
def test_days_are_read_and_written_as_their_column_has_them(
    text: str, written: tuple[Any, ...], day: str | None
) -> None:
    # of a year of four digits nothing is said
    form = {
        "time": None,
        "written": dict(zip(("order", "separator", "month", "padded", "shortYear"), written, strict=False)),
    }
    value = date_from_text(text, form)
    if day is None:
        assert np.isnan(value)
    else:
        assert value == np.datetime64(day).astype(int)
        assert write_date(value, form) == text


@pytest.mark.parametrize(
    ("text", "written", "value"),
    [
        ("20250403", {"order": "ymd", "separator": "", "month": "number", "padded": True, "whole": "digits"}, 20181),
        ("20250403.0", {"order": "ymd", "separator": "", "month": "number", "padded": True, "whole": "point"}, 20181),
        ("20250431", {"order": "ymd", "separator": "", "month": "number", "padded": True, "whole": "digits"}, np.nan),
        ("202504", {"order": "ym", "separator": "", "month": "number", "padded": True, "whole": "digits"}, 663),
        ("2025-04", {"order": "ym", "separator": "-", "month": "number", "padded": True}, 663),
        ("2025-4", {"order": "ym", "separator": "-", "month": "number", "padded": True}, np.nan),
        ("Apr 2025", {"order": "my", "separator": " ", "month": "short", "padded": True}, 663),
        (
            "03-APR-2025",
            {"order": "dmy", "separator": "-", "month": "short", "padded": True, "letters": "upper"},
            20181,
        ),
        ("03apr2025", {"order": "dmy", "separator": "", "month": "short", "padded": True, "letters": "lower"}, 20181),
    ],
)
def test_other_dates_are_read_and_written_as_their_column_has_them(
    text: str, written: dict[str, Any], value: float
) -> None:
    form = {"type": "date", "time": None, "written": written}
    assert date_from_text(text, form) == pytest.approx(value, nan_ok=True)
    if value == value:
        assert write_date(value, form) == text


@pytest.mark.parametrize(
    ("text", "time", "units"),
    [
        ("2025-04-03 10:00:00,123", {"digits": 3, "zone": "", "fraction": {"comma": True}}, 123),
        ("2025-04-03 10:00:00.123456000Z", {"digits": 6, "zone": "Z", "fraction": {"zeros": 3}}, 123456),
        ("2025-04-03 10:00:00 UTC", {"digits": 0, "zone": " UTC"}, 0),
        ("2025-04-03 10:00:00+00", {"digits": 0, "zone": "+00"}, 0),
        ("2025-04-03 10:00:00 +0000 UTC", {"digits": 0, "zone": " +0000 UTC"}, 0),
    ],
)
def test_other_moments_are_read_and_written_as_their_column_has_them(
    text: str, time: dict[str, Any], units: int
) -> None:
    form = {"type": "date", "time": {"separator": " ", "seconds": True, **time}}
    value = date_from_text(text, form)
    assert value == 1_743_674_400 * 10 ** time["digits"] + units
    assert write_date(value, form) == text


@pytest.mark.parametrize(
    ("text", "padded", "minutes"), [("930", False, 570), ("5", False, 5), ("0930", True, 570), ("1260", False, np.nan)]
)
def test_clocks_may_be_whole_numbers(text: str, padded: bool, minutes: float) -> None:
    clock = {"padded": padded, "morning": "", "whole": "digits"}
    time = {"type": "time", "seconds": False, "digits": 0, "clock": clock}
    assert moment_from_text(text, time) == pytest.approx(minutes * 60, nan_ok=True)
    if minutes == minutes:
        assert write_moment(minutes * 60, time) == text


def test_dates_that_are_whole_numbers_stay_such_in_frames(tmp_path: Path) -> None:
    days = pd.Timestamp("2024-01-01") + pd.to_timedelta(np.random.default_rng(0).integers(0, 400, ROWS), unit="D")
    frame = pd.DataFrame({"day": days.strftime("%Y%m%d").astype(int), "month": days.strftime("%b %Y").str.upper()})
    fitted = OrchardDensity(rounds=4, leaves=4, members=1, n_jobs=1).fit(frame)
    sampled = fitted.sample(100, random_state=1)
    assert sampled.dtypes.tolist() == frame.dtypes.tolist()
    assert pd.to_datetime(sampled["day"].astype(str), format="%Y%m%d").notna().all()
    assert pd.to_datetime(sampled["month"].str.title(), format="%b %Y").notna().all()
    gaps = frame.head(10).astype({"day": "Int64"})
    gaps.loc[3, "day"] = None
    filled = fitted.complete(gaps, 1)
    assert pd.to_datetime(filled["day"].astype(str), format="%Y%m%d").notna().all()
    assert filled["day"].drop(3).tolist() == gaps["day"].drop(3).tolist()
    read = orchard_density.load(fitted.model_bytes_)
    assert read.sample(100, 1)["day"].tolist() == sampled["day"].tolist()
    np.testing.assert_array_equal(read.log_likelihood(frame), fitted.model_.log_likelihood(frame.astype(str)))


def test_moments_of_another_zone_are_those_of_the_column() -> None:
    form = {"time": {"separator": "T", "seconds": True, "digits": 0, "zone": "+01:00"}}
    assert date_from_text("2025-04-03T10:00:00Z", form) == date_from_text("2025-04-03T11:00:00+01:00", form)
    assert np.isnan(date_from_text("2025-04-03T10:00:00", form))


def test_a_word_among_numbers_counts_as_missing_and_most_of_a_column_is_refused() -> None:
    said = {"kind": "ordered", "name": "flat", "holes": 2, "measure": "mass", "edges": [1.5], "values": [1, 2]}
    form = {"type": "number", "decimals": 0, "places": 0, "padded": True}
    rest = {"counts": [5, 5], "tails": None, "range": [1, 2], "cuts": [1], "beyond": "geometric"}
    flat = Variable({**said, **rest, "format": form})
    with pytest.warns(
        RowsWarning, match=r"1 cell that does not fit the column 'flat', counted as missing: '1a' in row 2"
    ):
        cells = encode(flat, np.array(["1", "2", "1a", None], object), missing_are_values=True)
    assert cells.codes.tolist() == [0, 1, flat.hole_code, flat.hole_code]
    with pytest.warns(RowsWarning):
        assert encode(flat, np.array(["1a"], object), missing_are_values=False).codes.tolist() == [UNKNOWN]
    with pytest.raises(RowsError, match="column 'flat': got '1a', expected a number"):
        encode(flat, np.array(["1a", "2a", "1"], object), missing_are_values=True)


def test_days_that_are_midnights_are_read_however_they_are_written_and_written_as_in_their_column() -> None:
    form = {"type": "date", "time": None, "midnight": "T00:00:00"}
    day = float(np.datetime64("2024-03-05").astype("M8[D]").astype(int))
    for text in ("2024-03-05T00:00:00", "2024-03-05 0:00", "2024-03-05"):
        assert date_from_text(text, form) == day
    assert np.isnan(date_from_text("2024-03-05T08:00:00", form))
    assert write_date(day, form) == "2024-03-05T00:00:00"


def test_per_cents_and_shares_are_read_as_each_other(tmp_path: Path) -> None:
    rates = [2 + (row * 37) % 89 for row in range(60)]
    kinds = [f"k{row % 3}" for row in range(60)]
    signed = pd.DataFrame({"rate": [f"{rate}%" for rate in rates], "kind": kinds})
    shares = pd.DataFrame({"rate": [rate / 100 for rate in rates], "kind": kinds})
    for trained, other in ((signed, shares), (shares, signed)):
        trained.to_csv(tmp_path / "rates.csv", index=False)
        command_line.run(
            ["train", str(tmp_path / "rates.csv"), "--out", str(tmp_path / "run"), "--rounds", "4", "--force"]
        )
        model = orchard_density.load(tmp_path / "run")
        with pytest.warns(RowsWarning, match="are read as"):
            read = model.log_likelihood(other)
        assert np.allclose(read, model.log_likelihood(trained), rtol=1e-12, atol=0)
