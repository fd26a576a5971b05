"""What is unusual for its group, though usual among all rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from orchard_density import OrchardOutlierDetector, RowsError


@pytest.fixture(scope="module")
def sales() -> pd.DataFrame:
    random = np.random.default_rng(5)
    shop = random.choice(["small", "large"], 300)
    sold = np.where(shop == "small", 10, 100) + random.normal(0, 1.5, 300)
    return pd.DataFrame({"sold": sold.round(1), "shop": shop, "day": random.choice(["mon", "tue"], 300)})


@pytest.fixture(scope="module")
def detector(sales: pd.DataFrame) -> OrchardOutlierDetector:
    return OrchardOutlierDetector(given_columns=["shop"], cv=2, rounds=40, leaves=4, n_jobs=1).fit(sales)


def test_new_rows_are_scored_given_their_group(detector: OrchardOutlierDetector) -> None:
    new = pd.DataFrame({"sold": [10.3, 10.3, 100.2], "shop": ["small", "large", "large"], "day": ["mon"] * 3})
    scores = -detector.score_samples(new)
    assert scores[1] > scores[[0, 2]].max() + 1
    reasons = detector.explain(new.iloc[[1]])
    assert reasons["column"].iloc[0] == "sold"
    assert "shop" not in set(reasons["column"])


def test_rows_of_training_are_scored_by_models_that_have_not_seen_them(sales: pd.DataFrame) -> None:
    wrong = sales.copy()
    row = int(np.flatnonzero(wrong["shop"] == "large")[0])
    wrong.loc[row, "sold"] = 10.1
    found = OrchardOutlierDetector(given_columns=["shop"], cv=2, rounds=40, leaves=4, n_jobs=1).fit(wrong)
    assert int(found.decision_scores_.argmax()) == row


def test_a_column_that_is_not_there_is_refused(sales: pd.DataFrame) -> None:
    with pytest.raises((RowsError, ValueError), match="shops"):
        OrchardOutlierDetector(given_columns=["shops"], cv=2, rounds=5, leaves=4, n_jobs=1).fit(sales)


def test_a_name_may_have_a_comma_and_a_text_is_no_list(sales: pd.DataFrame) -> None:
    called = sales.rename(columns={"shop": 'shop, of "all"'}).assign(shop="one")
    found = OrchardOutlierDetector(given_columns=['shop, of "all"'], cv=2, rounds=5, leaves=4, n_jobs=1).fit(called)
    assert set(found.explain(called, top=3)["column"]) <= {"sold", "day"}
    for ask in (found.density_.model_.anomaly_scores, found.density_.model_.explain):
        with pytest.raises(RowsError, match="got given_columns='day', expected a list of columns"):
            ask(called, given_columns="day")
