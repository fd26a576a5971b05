"""Cells that are taken away and filled in again.

    python missing.py mask SET.csv.gz SEED FOLDER                          masked.csv and truth.csv
    python missing.py fill FOLDER LABELS SEED FILLS METHOD OUT.csv         one row a row and fill, fills one after another
    python missing.py judge FOLDER LABELS FILLED.csv                       MinMAE and AvgMAE

LABELS lists the places of columns of labels, whose error is 0 or 1; numbers are scaled to [0, 1] by the whole column. A row's error is the mean over
its missing cells; MinMAE takes the best fill of each row, AvgMAE the mean of them, both averaged over rows (ForestDiffusion's formulas).
"""

import json
import sys
import warnings

import numpy as np
import pandas as pd

SHARE = 0.2


def mask(path, seed, folder):
    truth = pd.read_csv(path)
    draw = np.random.default_rng(int(seed))
    gone = draw.random(truth.shape) < SHARE
    # a row without any value has nothing to be filled from
    gone[gone.all(axis=1), 0] = False
    truth.to_csv(f"{folder}/truth.csv", index=False)
    truth.mask(gone).to_csv(f"{folder}/masked.csv", index=False)
    print(json.dumps({"rows": len(truth), "columns": truth.shape[1], "missing": int(gone.sum())}))


def fill_mean(rows, labels, _seed, _fills):
    filled = rows.fillna(rows.mean())
    for at in labels:
        filled.iloc[:, at] = rows.iloc[:, at].fillna(rows.iloc[:, at].mode()[0])
    return [filled]


def scaled(rows):
    """Columns from 0 to 1, and the way back."""
    low, spread = rows.min(), (rows.max() - rows.min()).replace(0, 1)
    return (rows - low) / spread, lambda filled: filled * spread.to_numpy() + low.to_numpy()


def nearest_labels(filled, rows, labels):
    """Labels are codes: what lies between two of them becomes the nearest that the column has."""
    frame = pd.DataFrame(filled, columns=rows.columns)
    for at in labels:
        known = np.sort(rows.iloc[:, at].dropna().unique())
        frame.iloc[:, at] = known[np.abs(frame.iloc[:, at].to_numpy()[:, None] - known).argmin(axis=1)]
    return frame


def by_imputers(rows, labels, seeds, imputer_of):
    """A fill for each seed by an imputer of scikit-learn, on columns from 0 to 1."""
    unit, back = scaled(rows)
    return [nearest_labels(back(imputer_of(seed).fit_transform(unit)), rows, labels) for seed in seeds]


def fill_knn(rows, labels, seed, _fills):
    from sklearn.impute import KNNImputer

    return by_imputers(rows, labels, [seed], lambda _: KNNImputer(keep_empty_features=True))


def fill_iterative(rows, labels, seed, fills):
    """Chained linear regressions (BayesianRidge), each fill drawn from their posterior."""
    from sklearn.experimental import enable_iterative_imputer  # noqa: F401
    from sklearn.impute import IterativeImputer

    return by_imputers(
        rows,
        labels,
        [FILL_SEED * seed + fill for fill in range(fills)],
        lambda own: IterativeImputer(sample_posterior=True, random_state=own, min_value=0, max_value=1),
    )


def fill_missforest(rows, labels, seed, fills):
    """MissForest (Stekhoven and Buehlmann 2012) by scikit-learn: chained forests of 100 trees, ten rounds at most."""
    from sklearn.ensemble import ExtraTreesRegressor
    from sklearn.experimental import enable_iterative_imputer  # noqa: F401
    from sklearn.impute import IterativeImputer

    return by_imputers(
        rows,
        labels,
        [FILL_SEED * seed + fill for fill in range(fills)],
        lambda own: IterativeImputer(ExtraTreesRegressor(100, random_state=own), random_state=own),
    )


def fill_miceforest(rows, labels, seed, fills):
    import miceforest

    named = rows.set_axis([f"c{at}" for at in range(rows.shape[1])], axis=1)
    for at in labels:
        named.isetitem(at, named.iloc[:, at].astype("category"))
    try:
        kernel = miceforest.ImputationKernel(named, num_datasets=fills, random_state=seed)
        kernel.mice(5, verbose=False, num_threads=1)
    except ValueError:
        # its usual way of matching ends where a label is certain: the log-odds are infinite
        kernel = miceforest.ImputationKernel(named, num_datasets=fills, random_state=seed, mean_match_strategy="fast")
        kernel.mice(5, verbose=False, num_threads=1)
    return [kernel.complete_data(fill).astype(float).set_axis(rows.columns, axis=1) for fill in range(fills)]


def fill_utrees(rows, labels, seed, fills):
    from sklearn.utils.validation import validate_data
    from utrees import KDIQuantizer, UnmaskingTrees

    # scikit-learn 1.7 took the method away that utrees calls, and has a function instead
    KDIQuantizer._validate_data = validate_data
    kinds = ["categorical" if at in labels else "continuous" for at in range(rows.shape[1])]
    trees = UnmaskingTrees(random_state=seed, xgboost_kwargs={"nthread": 1}).fit(rows.to_numpy(float), kinds)
    return [pd.DataFrame(filled, columns=rows.columns) for filled in trees.impute(n_impute=fills)]


#: Apart by more than there are fills.
FILL_SEED = 100

METHODS = {
    "mean": fill_mean,
    "knn": fill_knn,
    "iterative": fill_iterative,
    "missforest": fill_missforest,
    "miceforest": fill_miceforest,
    "utrees": fill_utrees,
}


def fill(folder, labels, seed, fills, method, out):
    rows = pd.read_csv(f"{folder}/masked.csv")
    pd.concat(METHODS[method](rows, json.loads(labels), int(seed), int(fills))).to_csv(out, index=False)
    print("{}")


def judge(folder, labels, path):
    truth = pd.read_csv(f"{folder}/truth.csv").to_numpy(float)
    gone = np.isnan(pd.read_csv(f"{folder}/masked.csv").to_numpy(float))
    frame = pd.read_csv(path)
    if "draw" in frame.columns:
        frame = frame.sort_values("draw", kind="stable").drop(columns="draw")
    filled = frame.to_numpy(float).reshape(-1, *truth.shape)
    is_label = np.isin(np.arange(truth.shape[1]), json.loads(labels))
    spread = np.maximum(truth.max(axis=0) - truth.min(axis=0), 1e-12)
    errors = np.abs(filled - truth) / np.where(is_label, 1, spread)
    errors[:, :, is_label] = errors[:, :, is_label] > 0
    some = gone.any(axis=1)
    by_row = (errors * gone).sum(axis=2)[:, some] / gone.sum(axis=1)[some]
    answer = {"MinMAE": by_row.min(axis=0).mean(), "AvgMAE": by_row.mean()}
    print(json.dumps({name: float(value) for name, value in answer.items()}))


warnings.simplefilter("ignore")
what, *words = sys.argv[1:]
{"mask": mask, "fill": fill, "judge": judge}[what](*words)
