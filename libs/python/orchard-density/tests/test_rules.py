"""Rules that hold of every row: kept with a model, and followed by what it samples and fills in."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from orchard_density import OrchardDensity, RowsError, RulesWarning

RULES = ["start <= end", "total = price + tax"]


@pytest.fixture(scope="module")
def orders() -> pd.DataFrame:
    random = np.random.default_rng(3)
    start = random.integers(1, 20, 240)
    price = random.integers(10, 40, 240)
    tax = random.integers(1, 5, 240)
    kinds = random.choice(["home", "shop"], 240)
    return pd.DataFrame(
        {"kind": kinds, "start": start, "end": start + random.integers(0, 9, 240), "price": price, "tax": tax, "total": price + tax}
    )


@pytest.fixture(scope="module")
def density(orders: pd.DataFrame) -> OrchardDensity:
    return OrchardDensity(options={"model": "chow-liu"}, rules=RULES, n_jobs=1).fit(orders)


def _follow(rows: pd.DataFrame) -> bool:
    return bool((rows["start"] <= rows["end"]).all() and (rows["total"] == rows["price"] + rows["tax"]).all())


def test_samples_follow_the_rules_of_training(density: OrchardDensity) -> None:
    assert _follow(density.sample(60, random_state=1))
    assert not _follow(density.sample(60, random_state=1, rules=False))


def test_filled_rows_follow_them_too(density: OrchardDensity, orders: pd.DataFrame) -> None:
    gaps = orders.head(12).astype({"end": float, "total": float})
    gaps.loc[gaps.index[::2], "end"] = np.nan
    gaps.loc[gaps.index[1::2], "total"] = np.nan
    filled = density.complete(gaps, random_state=2)
    assert _follow(filled)
    assert (filled["price"] == gaps["price"]).all()


def test_rows_that_need_not_follow_them_are_said(density: OrchardDensity) -> None:
    with pytest.warns(RulesWarning, match="given="):
        density.sample(5, random_state=1, given={"kind": "home"})
    with pytest.warns(RulesWarning, match="shares="):
        density.sample(5, random_state=1, shares={"kind": {"home": 0.5, "shop": 0.5}})


def test_other_rules_are_added_and_what_is_none_is_refused(density: OrchardDensity) -> None:
    rows = density.sample(40, random_state=1, rules=["tax <= 2"])
    assert _follow(rows)
    assert (rows["tax"] <= 2).all()
    with pytest.raises((RowsError, ValueError), match="start"):
        density.sample(5, rules="start <= end")


def test_points_follow_the_rules_too(density: OrchardDensity, orders: pd.DataFrame) -> None:
    gaps = orders.head(12).astype({"end": float, "total": float})
    gaps.loc[gaps.index[::2], "end"] = np.nan
    gaps.loc[gaps.index[1::2], ["tax", "total"]] = np.nan
    assert _follow(density.complete(gaps, random_state=2, point="median"))
    between = density.complete(gaps, random_state=2, interval=0.5)
    assert (between.low["start"] <= between.low["end"]).all()


def test_likelihoods_are_shared_out_to_what_the_rules_leave(density: OrchardDensity, orders: pd.DataFrame) -> None:
    new = orders.head(20).assign(end=orders["end"].head(20) + 1)
    plain = density.score_samples(new, rules=False)
    under = density.score_samples(new)
    assert np.isfinite(under).all()
    # a total that follows from the others has no likelihood of its own
    assert under.mean() > plain.mean()
    assert density.score(new) == pytest.approx(under.mean())
    broken = new.assign(total=new["total"] + (np.arange(20) == 3))
    with pytest.warns(RulesWarning, match=r"total = price \+ tax \(1 rows\)"):
        nats = density.score_samples(broken)
    assert np.isneginf(nats).nonzero()[0].tolist() == [3]
    np.testing.assert_allclose(np.delete(nats, 3), np.delete(under, 3))
    assert np.isfinite(density.score_samples(broken, rules=False)).all()
    with pytest.warns(RulesWarning, match="tax <= 2"):
        more = density.score_samples(new, rules=["tax <= 2"])
    assert np.isneginf(more).tolist() == (new["tax"] > 2).tolist()


def test_shares_of_rows_of_0_and_1() -> None:
    random = np.random.default_rng(0)
    first = random.integers(0, 2, 400)
    bits = np.column_stack([first, np.where(random.random(400) < 0.9, first, 1 - first)])
    density = OrchardDensity(options={"model": "chow-liu"}, n_jobs=1).fit(bits)
    rows = density.sample(200, random_state=1, shares={"1": {1: 0.2, 0: 0.8}})
    assert rows[:, 0].mean() == pytest.approx(0.2)
    assert 0.15 < rows[:, 1].mean() < 0.35
