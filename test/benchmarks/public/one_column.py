"""One column of a table, predicted by models that are made for it alone.

    python one_column.py split SOURCE TARGET ROWS SEED FOLDER      train.csv and test.csv, 70 % and 30 %
    python one_column.py predict FOLDER TARGET SEED METHOD         its scores of the rows of test.csv, as `orchard evaluate --target` has them

Labels: log loss (probabilities below 1e-6 count as it), Brier score (summed over labels), accuracy. Numbers: CRPS, and the log score where the method has a
density. Methods have their defaults and one thread. LightGBM and CatBoost know which columns are labels; forests take labels by number and the median for a
missing number.
"""

import json
import sys
import warnings

import numpy as np
import pandas as pd
from package_tables import read

SHARE = 0.7
LEAST = 1e-6
QUANTILES = 199


def split(source, target, rows, seed, folder):
    table = read(source, int(rows), int(seed))
    table = table[table[target].notna()].reset_index(drop=True)
    train = int(len(table) * SHARE)
    # a label that no row teaches has no probability by any method
    known = set(table[target][:train]) if table[target].dtype.kind not in "iuf" else None
    test = table[train:] if known is None else table[train:][table[target][train:].isin(known)]
    table[:train].to_csv(f"{folder}/train.csv", index=False)
    test.to_csv(f"{folder}/test.csv", index=False)
    print(json.dumps({"train": train, "test": len(test), "columns": table.shape[1]}))


def _columns(train, test, target):
    """The other columns: numbers, days of dates, and labels as categories that both files share."""
    columns = {}
    for name in train:
        if name == target:
            continue
        both = pd.concat([train[name], test[name]], ignore_index=True)
        if both.dtype.kind in "iuf":
            columns[name] = both.astype(float)
        else:
            days = pd.to_datetime(both, format="%Y-%m-%d", errors="coerce")
            is_date = both.notna().any() and days[both.notna()].notna().all()
            columns[name] = (days - pd.Timestamp("1970-01-01")).dt.days.astype(float) if is_date else both.astype("category")
    # names as LightGBM takes them
    whole = pd.DataFrame(columns).set_axis([f"c{at}" for at in range(len(columns))], axis=1)
    return whole[: len(train)], whole[len(train) :]


def _as_numbers(rows, like):
    """Labels by their number, medians of the training rows for what is missing."""
    coded = [
        column.cat.codes.astype(float).where(column.notna()) if str(column.dtype) == "category" else column
        for _, column in rows.items()
    ]
    known = [
        column.cat.codes.astype(float).where(column.notna()) if str(column.dtype) == "category" else column
        for _, column in like.items()
    ]
    return np.column_stack([own.fillna(of.median() if of.notna().any() else 0) for own, of in zip(coded, known, strict=True)])


def _lightgbm(train, labels, test, seed):
    from lightgbm import LGBMClassifier

    model = LGBMClassifier(random_state=seed, n_jobs=1, verbose=-1).fit(train, labels)
    return model.predict_proba(test)


def _random_forest(train, labels, test, seed):
    from sklearn.ensemble import RandomForestClassifier

    model = RandomForestClassifier(random_state=seed, n_jobs=1).fit(_as_numbers(train, train), labels)
    return model.predict_proba(_as_numbers(test, train))


def _catboost(train, labels, test, seed):
    from catboost import CatBoostClassifier

    named = [name for name in train if str(train[name].dtype) == "category"]

    def words(rows):
        return rows.assign(**{name: rows[name].astype(str) for name in named})

    model = CatBoostClassifier(random_seed=seed, thread_count=1, verbose=False, allow_writing_files=False)
    return model.fit(words(train), labels, cat_features=named).predict_proba(words(test))


def _ngboost(train, values, test, truth, seed):
    from ngboost import NGBRegressor
    from scipy.stats import norm

    model = NGBRegressor(random_state=seed, verbose=False).fit(_as_numbers(train, train), values)
    found = model.pred_dist(_as_numbers(test, train))
    middle, spread = found.params["loc"], found.params["scale"]
    z = (truth - middle) / spread
    crps = spread * (z * (2 * norm.cdf(z) - 1) + 2 * norm.pdf(z) - 1 / np.sqrt(np.pi))
    return {"crps": float(crps.mean()), "logScore": float(norm.logpdf(truth, middle, spread).mean())}


def _quantile_forest(train, values, test, truth, seed):
    from quantile_forest import RandomForestQuantileRegressor

    shares = (np.arange(QUANTILES) + 0.5) / QUANTILES
    model = RandomForestQuantileRegressor(random_state=seed, n_jobs=1).fit(_as_numbers(train, train), values)
    off = truth[:, None] - model.predict(_as_numbers(test, train), quantiles=list(shares))
    # twice the mean of the quantiles' losses
    return {"crps": float(2 * np.maximum(shares * off, (shares - 1) * off).mean())}


CLASSIFIERS = {"lightgbm": _lightgbm, "random forest": _random_forest, "catboost": _catboost}
FORECASTS = {"ngboost": _ngboost, "quantile forest": _quantile_forest}


def predict(folder, target, seed, method):
    train, test = (pd.read_csv(f"{folder}/{name}.csv") for name in ("train", "test"))
    own, asked = _columns(train, test, target)
    if method in FORECASTS:
        values, truth = (table[target].to_numpy(float) for table in (train, test))
        print(json.dumps(FORECASTS[method](own, values, asked, truth, int(seed))))
        return
    classes = sorted(set(train[target].astype(str)))
    labels, truth = (np.array([classes.index(label) for label in table[target].astype(str)]) for table in (train, test))
    found = np.clip(CLASSIFIERS[method](own, labels, asked, int(seed)), LEAST, 1)
    chances = found / found.sum(axis=1, keepdims=True)
    of_truth = chances[np.arange(len(truth)), truth]
    print(
        json.dumps(
            {
                "logLoss": float(-np.log(of_truth).mean()),
                "brier": float(((chances - np.eye(len(classes))[truth]) ** 2).sum(axis=1).mean()),
                "accuracy": float((chances.argmax(axis=1) == truth).mean()),
            }
        )
    )


warnings.simplefilter("ignore")
what, *words = sys.argv[1:]
{"split": split, "predict": predict}[what](*words)
