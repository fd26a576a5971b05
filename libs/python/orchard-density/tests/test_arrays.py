"""Arrays of what numbers of one type do not hold: moments, bytes, objects; what comes back is what went in."""

from __future__ import annotations

import datetime
import decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest

from orchard_density import OrchardDensity

SMALL: dict[str, Any] = {"options": {"model": "chow-liu"}, "n_jobs": 1, "verbose": False}
ROWS = 240
PLACES = np.arange(ROWS) % 3


@pytest.mark.parametrize("kind", ["M", "m"])
def test_nanoseconds_are_moments_and_not_numbers(kind: str) -> None:
    # more values than labels, and some missing: those were the number -2^63
    seconds = (np.arange(2 * ROWS).reshape(ROWS, 2) * 7919) % 86_400
    coarse = seconds.astype("m8[s]") + np.array("2024-03-01" if kind == "M" else 0, f"{kind}8[s]")
    coarse[::5, 0] = "NaT"
    fine = coarse.astype(f"{kind}8[ns]")
    in_seconds, in_nanoseconds = (OrchardDensity(**SMALL).fit(rows) for rows in (coarse, fine))
    assert in_nanoseconds.model_bytes_ == in_seconds.model_bytes_
    np.testing.assert_array_equal(in_nanoseconds.surprise(fine), in_seconds.surprise(coarse))
    sampled = in_nanoseconds.sample(50, random_state=1)
    assert sampled.dtype == fine.dtype
    np.testing.assert_array_equal(sampled, in_seconds.sample(50, random_state=1))
    known = sampled[~np.isnat(sampled)]
    assert known.min() >= fine[~np.isnat(fine)].min() - np.timedelta64(1, "h")
    filled = in_nanoseconds.complete(fine[:10], random_state=1)
    assert filled.dtype == fine.dtype
    assert not np.isnat(filled).any()
    np.testing.assert_array_equal(filled, in_seconds.complete(coarse[:10], random_state=1))


@pytest.mark.parametrize(
    "cells",
    [
        [b"x\xff", b"y", b"z"],
        [(1, 2), (2, 3), (3, 4)],
        [decimal.Decimal("1.50"), decimal.Decimal("2.25"), decimal.Decimal("3.00")],
        [datetime.date(2024, 1, 1), datetime.date(2024, 1, 2), datetime.date(2024, 2, 1)],
        [pd.Period("2024-01"), pd.Period("2024-02"), pd.Period("2024-03")],
        ["1", "2", "3"],
        [True, "yes", 3],
    ],
    ids=lambda cells: type(cells[0]).__name__,
)
def test_cells_of_objects_come_back_as_they_were(cells: list[Any]) -> None:
    rows = np.empty((ROWS, 2), object)
    rows[:, 0] = [cells[place] for place in PLACES]
    rows[:, 1] = np.array(["a", "b", "c"])[PLACES]
    density = OrchardDensity(**SMALL).fit(rows)
    # some are by chance not of the same place
    known = {(type(cell), cell) for cell in cells}
    sampled = density.sample(40, random_state=1)
    assert {(type(cell), cell) for cell in sampled[:, 0]} == known
    gaps = rows[:9].copy()
    gaps[::2, 0] = None
    filled = density.complete(gaps, point="mode")
    assert [(type(cell), cell) for cell in filled[:, 0]] == [(type(cell), cell) for cell in rows[:9, 0]]
    assert gaps[0, 0] is None


def test_texts_and_bytes_are_not_cut() -> None:
    words = np.array([["ab", "c"], ["d", "efg"], ["h", "i"]])[PLACES]
    for rows in (words, words.astype("S")):
        density = OrchardDensity(**SMALL).fit(rows)
        sampled = density.sample(60, random_state=1)
        assert sampled.dtype == rows.dtype
        assert {tuple(row) for row in sampled.tolist()} <= {
            (one, other) for one in rows[:, 0].tolist() for other in rows[:, 1].tolist()
        }
        assert set(sampled[:, 0].tolist()) == set(rows[:, 0].tolist())
        assert density.predict(rows[:3], target="column 1").tolist() == rows[:3, 0].tolist()
    words[::4, 0] = ""
    assert set(OrchardDensity(**SMALL).fit(words).sample(60, random_state=1)[:, 0].tolist()) == {"ab", "d", "h", ""}
    # beyond the greatest number of training a text has a digit more
    numbers = np.array([[f"{value:.1f}"] for value in (np.arange(ROWS) * 37) % ROWS / 24])
    sampled = OrchardDensity(**SMALL).fit(numbers).sample(3000, random_state=1)
    assert max(len(text) for text in sampled[:, 0].tolist()) >= numbers.dtype.itemsize // 4


def test_whole_numbers_beyond_the_widest_type_are_its_ends() -> None:
    ends = np.iinfo(np.int64)
    rows = np.linspace(float(ends.min), float(ends.max), ROWS + 1)[:-1].astype(np.int64)
    frame = pd.DataFrame({"n": rows, "kind": np.array(["a", "b", "c"])[PLACES]})
    sampled = OrchardDensity(**SMALL).fit(frame).sample(500, random_state=1)
    assert sampled["n"].dtype == np.int64
    array = OrchardDensity(**SMALL).fit(rows.reshape(-1, 1)).sample(500, random_state=1)
    # as int64 such a float comes round at the other end
    least_of_last = int(rows[-1]) - 2**60
    assert (array > least_of_last).sum() > 0
    assert np.isclose(array.astype(float).mean() / 2.0**63, 0, atol=0.1)
