"""What type checkers and editors know of this package: mypy and pyright read this, nothing runs it."""

from __future__ import annotations

import numpy as np
import pandas as pd

from orchard_density import (
    Completed,
    OrchardClassifier,
    OrchardDensity,
    OrchardImputer,
    OrchardOutlierDetector,
    load,
    plot_outliers,
)

rentals = pd.read_csv("rentals.csv")
density = OrchardDensity(preset="accurate", kinds={"zip": "categorical"}).fit(rentals)
scores: np.ndarray = density.score_samples(rentals)
names: list[str] = density.set_params(rounds=3).fit(rentals).notes_
completed: Completed = density.complete(rentals, interval=0.9)
filled: pd.DataFrame = density.complete(rentals, point="median")
several: list[pd.DataFrame] = density.complete(rentals, draws=3)
shares: pd.DataFrame = density.importance()
nats: float | None = load("run").likelihoods["valid"]
figure = plot_outliers(OrchardOutlierDetector().fit(rentals), rentals).figure_
OrchardImputer().fit_transform(rentals)

# what is misspelt is found: with an ignored error that is none, mypy fails
density.smaple(5)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
OrchardOutlierDetector().fit(rentals).explian(rentals)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
OrchardClassifier().fit(rentals, rentals["tariff"]).predict_probabilities(rentals)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
load("run").smaple(5)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
OrchardDensity(preset="acurate")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
OrchardDensity(kinds={"zip": "categories"})  # type: ignore[dict-item]  # pyright: ignore[reportArgumentType]
density.complete(rentals, point="middle")  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType]
