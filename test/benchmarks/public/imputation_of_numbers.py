"""Cells of a table that are taken away and filled in again; the errors of its numbers.

    python imputation_of_numbers.py mask SOURCE ROWS SEED FOLDER KIND SHARE     truth.csv and masked.csv
    python imputation_of_numbers.py fill FOLDER SEED METHOD OUT.csv
    python imputation_of_numbers.py judge FOLDER FILLED.csv            NRMSE and NMAE

KIND is why a cell is missing: mcar, by chance; mar, by what a third of the columns say, which are there themselves;
mnar, by its own value, the larger ones of half of the columns and the smaller ones of the others. SHARE is how many of
the cells that may be missing are.

The peers take labels by their numbers and dates by their days. Errors are those of columns of numbers, in units of the
column's standard deviation, averaged over columns: of cells that were there before.
"""

import json
import sys
import warnings

import numpy as np
import pandas as pd
from package_tables import numbers_of, read

# the log-odds of a cell to be missing rise by so much with a standard deviation of what decides it
SLOPE = 2.0


def mask(source, rows, seed, folder, kind="mcar", share="0.15"):
    truth = read(source, int(rows), int(seed))
    draws = np.random.default_rng(int(seed))
    gone = draws.random(truth.shape) < _chances(truth, kind, float(share), draws)
    # a row without any value has nothing to be filled from
    gone[gone.all(axis=1), 0] = False
    truth.to_csv(f"{folder}/truth.csv", index=False)
    # as words, so that other cells stay as they are written
    words = pd.read_csv(f"{folder}/truth.csv", dtype=str)
    words.mask(gone).to_csv(f"{folder}/masked.csv", index=False)
    print(json.dumps({"rows": len(truth), "columns": truth.shape[1], "numbers": len(numbers_of(truth))}))


def _chances(truth, kind, share, draws):
    """Of each cell how probable it is missing."""
    if kind == "mcar":
        return share
    rows, columns = truth.shape
    own = _as_numbers(truth, truth)[0].fillna(0).to_numpy()
    chances = np.zeros((rows, columns))
    if kind == "mnar":
        signs = draws.permutation(np.arange(columns) % 2) * 2 - 1
        for at in range(columns):
            chances[:, at] = _logistic(SLOPE * signs[at] * own[:, at], share)
        return chances
    order = draws.permutation(columns)
    there = order[: max(1, columns // 3)]
    for at in order[len(there) :]:
        said = own[:, there] @ draws.normal(size=len(there))
        chances[:, at] = _logistic(SLOPE * said / max(said.std(), 1e-9), share)
    return chances


def _logistic(odds, share):
    """Chances whose log-odds differ as these do, and whose mean is the share: by bisection."""
    low, high = -50.0, 50.0
    for _ in range(60):
        middle = (low + high) / 2
        if (1 / (1 + np.exp(-(odds + middle)))).mean() < share:
            low = middle
        else:
            high = middle
    return 1 / (1 + np.exp(-(odds + low)))


def _as_numbers(table, truth):
    """Columns of numbers, standardised: labels by their place among them, dates by days."""
    columns = {}
    for name in table:
        own = table[name]
        if truth[name].dtype.kind in "iuf":
            columns[name] = own.astype(float)
        elif _is_of_dates(truth[name]):
            columns[name] = pd.to_datetime(own).map(lambda day: day.toordinal() if day == day else np.nan)
        else:
            columns[name] = own.map({label: at for at, label in enumerate(sorted(own.dropna().astype(str).unique()))})
    rows = pd.DataFrame(columns).astype(float)
    middle, spread = rows.mean(), rows.std().replace(0, 1)
    return (rows - middle) / spread, middle.to_numpy(), spread.to_numpy()


def _is_of_dates(column):
    return pd.to_datetime(column, errors="coerce", format="ISO8601").notna().mean() > 0.9


def _iterative(estimator, seed):
    from sklearn.experimental import enable_iterative_imputer  # noqa: F401
    from sklearn.impute import IterativeImputer

    return lambda rows: IterativeImputer(estimator, random_state=seed).fit_transform(rows)


def _ridge(seed):
    from sklearn.linear_model import BayesianRidge

    return _iterative(BayesianRidge(), seed)


def _extra_trees(seed):
    from sklearn.ensemble import ExtraTreesRegressor

    return _iterative(ExtraTreesRegressor(100, random_state=seed), seed)


def _missforest(seed):
    """MissForest by scikit-learn: forests of 100 trees that look at the root of the columns, ten rounds at most."""
    from sklearn.ensemble import RandomForestRegressor

    return _iterative(RandomForestRegressor(100, max_features="sqrt", random_state=seed), seed)


def _knn(_seed):
    from sklearn.impute import KNNImputer

    return lambda rows: KNNImputer().fit_transform(rows)


def _column_mean(_seed):
    return lambda rows: rows.fillna(rows.mean()).to_numpy()


def _miceforest(seed):
    import miceforest

    def fill(rows):
        named = rows.set_axis([f"c{at}" for at in range(rows.shape[1])], axis=1)
        kernel = miceforest.ImputationKernel(named, num_datasets=5, random_state=seed)
        kernel.mice(5, verbose=False, num_threads=1)
        # a point: the mean of its fills
        return np.mean([kernel.complete_data(at).to_numpy(float) for at in range(5)], axis=0)

    return fill


METHODS = {
    "column mean": _column_mean,
    "knn": _knn,
    "ridge": _ridge,
    "extra trees": _extra_trees,
    "missforest": _missforest,
    "miceforest": _miceforest,
}


def fill(folder, seed, method, out):
    truth, masked = (pd.read_csv(f"{folder}/{name}.csv") for name in ("truth", "masked"))
    rows, middle, spread = _as_numbers(masked, truth)
    filled = METHODS[method](int(seed))(rows)
    pd.DataFrame(filled * spread + middle, columns=truth.columns).to_csv(out, index=False)
    print("{}")


def judge(folder, path):
    truth, masked, filled = (pd.read_csv(name) for name in (f"{folder}/truth.csv", f"{folder}/masked.csv", path))
    errors = []
    for at in numbers_of(truth):
        name = truth.columns[at]
        gone = masked[name].isna() & truth[name].notna()
        spread = truth[name].std()
        if spread == 0 or not gone.any():
            continue
        own = (filled[name][gone].astype(float) - truth[name][gone]) / spread
        errors.append((np.sqrt((own**2).mean()), own.abs().mean()))
    nrmse, nmae = np.mean(errors, axis=0)
    print(json.dumps({"NRMSE": float(nrmse), "NMAE": float(nmae)}))


warnings.simplefilter("ignore")
what, *words = sys.argv[1:]
{"mask": mask, "fill": fill, "judge": judge}[what](*words)
