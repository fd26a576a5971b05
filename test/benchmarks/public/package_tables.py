"""Tables of scikit-learn and vega_datasets, and what is made of any table for a benchmark: its rows, split; its numbers."""

import warnings

import numpy as np
import pandas as pd


def read(source, rows, seed):
    """At most so many rows of a table, drawn by the seed, in random order. `source`: a name, or the path of a CSV."""
    table = _tables[source]() if source in _tables else pd.read_csv(source)
    # a number of the row says nothing, and a name says all
    table = table.drop(columns=[name for name in table if str(name) in ("", "rownames", "Name") or "Unnamed" in str(name)])
    return table.sample(min(rows, len(table)), random_state=np.random.default_rng(seed)).reset_index(drop=True)


def numbers_of(table):
    """Places of the columns of numbers; the others are labels and dates."""
    return [at for at, kind in enumerate(table.dtypes) if kind.kind in "iuf"]


def _of_sklearn(name, target=None):
    """Without its target, or with it as the last column of this name: a class by its word."""

    def table():
        from sklearn import datasets

        found = getattr(datasets, f"load_{name}")(as_frame=True)
        if target is None:
            return found.data
        words = found.get("target_names")
        own = found.target if words is None else found.target.map(lambda place: str(words[place]))
        return found.data.assign(**{target: own})

    return table


def _of_vega(name):
    def table():
        from vega_datasets import local_data

        # it warns of how it asks for its own files
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return getattr(local_data, name)()

    return table


_tables = {
    "diabetes": _of_sklearn("diabetes"),
    "wine": _of_sklearn("wine"),
    "breast-cancer": _of_sklearn("breast_cancer"),
    "cars": _of_vega("cars"),
    "seattle-weather": _of_vega("seattle_weather"),
    "iris + species": _of_sklearn("iris", "species"),
    "wine + cultivar": _of_sklearn("wine", "cultivar"),
    "breast-cancer + diagnosis": _of_sklearn("breast_cancer", "diagnosis"),
    "diabetes + progression": _of_sklearn("diabetes", "progression"),
}
