"""
Pictures of models and rows, by matplotlib: displays as scikit-learn has them.

Each `plot_…` draws, and gives a display that holds what was drawn (`figure_`, `ax_`) and the figures behind it; `plot` draws it again, elsewhere.
A display is the last line of many a cell of a notebook, so that it is shown by its class alone: the figures behind it are as many as the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .conventions import TableEstimator
from .density_model import DensityModel
from .errors import OrchardError, RowsError
from .estimator import OrchardDensity
from .frames import Frame, frame_of, missing_in
from .labels import is_missing, label_of
from .likely_name import remedy_of_name
from .outliers import OrchardOutlierDetector
from .training_file import frame_of_array

Floats = NDArray[np.float64]
#: A column, or two that are drawn against each other.
Feature = str | tuple[str, str]

#: Columns up to which cells of a matrix have their figure written in.
_MOST_WRITTEN = 16
#: Labels of a column that are drawn; the rarer ones are one bar.
_MOST_LABELS = 12
_MOST_PICTURES = 12
_ROWS, _SAMPLES = "#4C78A8", "#F58518"


class DrawingError(OrchardError, ImportError):
    """There is no matplotlib to draw by."""


@dataclass(repr=False)
class OutliersDisplay:
    """The rows with the highest anomaly scores, and the most surprising value of each."""

    #: Anomaly scores, nats, the highest first.
    scores: Floats
    #: What the rows are called: their index, or their numbers from 1.
    rows: list[str]
    #: Of each row its most surprising value, in words.
    reasons: list[str]
    ax_: Any = None
    figure_: Any = None

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, *, n_rows: int = 10, ax: Any = None, **bars: Any
    ) -> OutliersDisplay:
        """
        Draws the `n_rows` most unusual rows of X.

        estimator: an `OrchardOutlierDetector`, an `OrchardDensity` or a model; the detector scores each row by models that have not seen it.
        bars: of matplotlib's `barh`.
        """
        scores = (
            -estimator.score_samples(X)
            if isinstance(estimator, OrchardOutlierDetector)
            else _model_of(estimator).anomaly_scores(X)
        )
        order = np.argsort(-scores, kind="stable")[:n_rows]
        reasons = _first_reasons(estimator, X, order)
        names = _names_of_rows(X)
        return cls(scores[order], [names[row] for row in order], reasons).plot(ax, **bars)

    def plot(self, ax: Any = None, **bars: Any) -> OutliersDisplay:
        """Draws bars, the most unusual row on top."""
        self.figure_, self.ax_ = _axes(ax, (9, 0.38 * len(self.rows) + 1.2))
        places = np.arange(len(self.rows))
        drawn = self.ax_.barh(places, self.scores, **{"color": _ROWS, "height": 0.7, **bars})
        self.ax_.set_yticks(places, self.rows)
        self.ax_.invert_yaxis()
        self.ax_.bar_label(drawn, [f" {reason}" for reason in self.reasons], fontsize="small")
        # the reasons are written to the right of the bars
        self.ax_.set_xlim(0, 2.2 * max(float(self.scores.max(initial=0)), 1e-9))
        self.ax_.set_xlabel("anomaly score, nats")
        _without_frame(self.ax_)
        return self


@dataclass(repr=False)
class AssociationsDisplay:
    """What depends on what: a matrix of all pairs of columns, from 0 (independent) to 1 (one determines the other)."""

    strengths: Floats
    names: list[str]
    ax_: Any = None
    figure_: Any = None

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, n_samples: int = 2_000, random_state: Any = 0, ax: Any = None, **image: Any
    ) -> AssociationsDisplay:
        """
        Draws the associations that a model has learned, from so many sampled rows.

        image: of matplotlib's `imshow`.
        """
        model = _model_of(estimator)
        strengths = _matrix_of(model.associations(n_samples, random_state), model)
        return cls(strengths, model.variables).plot(ax, **image)

    def plot(self, ax: Any = None, **image: Any) -> AssociationsDisplay:
        """Draws the matrix."""
        shown = self.strengths.copy()
        # a column determines itself, which says nothing
        np.fill_diagonal(shown, np.nan)
        self.figure_, self.ax_ = _matrix(
            shown,
            self.names,
            self.names,
            "strength",
            lambda value: f"{value:.2f}".lstrip("0"),
            ax,
            {"vmax": 1, **image},
        )
        return self


@dataclass(repr=False)
class ImportanceDisplay:
    """What each column is predicted from: of each row the shares of gain of the columns that predict it."""

    shares: Floats
    names: list[str]
    #: True for each share that is no better than noise; None where that was not tested.
    noise: Any = None
    ax_: Any = None
    figure_: Any = None

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any = None, *, ax: Any = None, **image: Any) -> ImportanceDisplay:
        """
        Draws the importance of columns for one another.

        X: rows that the model was not trained on. A share that they show to be no better than noise is hatched.
        image: of matplotlib's `imshow`.
        """
        model = _model_of(estimator)
        shares = model.gain_shares()
        tested = shares if X is None else model.gain_shares(X)
        noise = None if X is None else np.isnan(tested)
        return cls(shares, model.variables, noise).plot(ax, **image)

    def plot(self, ax: Any = None, **image: Any) -> ImportanceDisplay:
        """Draws the matrix: a row for each column that is predicted."""
        shown = np.where(self.shares > 0, self.shares, np.nan)
        self.figure_, self.ax_ = _matrix(
            shown, self.names, self.names, "share of gain", lambda value: f"{100 * value:.0f}", ax, image
        )
        self.ax_.set_ylabel("predicted")
        if self.noise is None:
            self.ax_.set_xlabel("from (%), not tested against noise")
            return self
        self.ax_.set_xlabel("from (%), hatched where no better than noise")
        for row, column in np.argwhere(self.noise & (self.shares > 0)).tolist():
            across = [column - 0.5, column + 0.5]
            hatched = {"facecolor": "none", "edgecolor": "grey", "hatch": "////", "linewidth": 0}
            self.ax_.fill_between(across, row - 0.5, row + 0.5, **hatched)
        return self


@dataclass(repr=False)
class SamplesDisplay:
    """Rows beside sampled rows: each column by itself, or two columns against each other."""

    #: Of each picture the cells of its columns: those of rows, then those of samples.
    pictures: list[tuple[Feature, list[list[Any]], list[list[Any]]]]
    axes_: Any = None
    figure_: Any = None

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        *,
        features: Sequence[Feature] | None = None,
        n_samples: int = 1_000,
        random_state: Any = 0,
        n_cols: int = 3,
    ) -> SamplesDisplay:
        """
        Draws rows of X beside rows that the model samples.

        features: columns by name, and pairs of them, which are drawn against each other: ``["age", ("age", "price")]``; where nothing is said, the
        first twelve columns.
        """
        rows = _columns_of(X)
        density = getattr(estimator, "density_", estimator)
        known = [name for name in _model_of(estimator).variables if name in rows]
        sampled = _columns_of(density.sample(n_samples, random_state), list(rows))
        wanted: list[Feature] = [*known[:_MOST_PICTURES]] if features is None else list(features)
        pictures: list[tuple[Feature, list[list[Any]], list[list[Any]]]] = []
        for feature in wanted:
            names = [feature] if isinstance(feature, str) else list(feature)
            for name in names:
                if name not in known:
                    raise RowsError(
                        f"the column {name!r}",
                        "a column of the model and of X",
                        remedy_of_name(name, known),
                        "features",
                    )
            pictures.append((feature, [rows[name] for name in names], [sampled[name] for name in names]))
        return cls(pictures).plot(n_cols=n_cols)

    def plot(self, *, n_cols: int = 3) -> SamplesDisplay:
        """Draws a picture for each feature, in a figure of its own."""
        pyplot = _pyplot()
        wide = min(n_cols, len(self.pictures))
        high = -(-len(self.pictures) // wide)
        self.figure_, self.axes_ = pyplot.subplots(
            high, wide, figsize=(3.6 * wide, 2.6 * high), squeeze=False, layout="constrained"
        )
        for place, ax in enumerate(self.axes_.flat):
            if place >= len(self.pictures):
                ax.set_visible(False)
                continue
            feature, rows, samples = self.pictures[place]
            if isinstance(feature, str):
                ax.set_title(feature, fontsize="medium")
                _draw_column(ax, rows[0], samples[0])
            else:
                _draw_pair(ax, feature, rows, samples)
            _without_frame(ax)
        handles, labels = self.axes_.flat[0].get_legend_handles_labels()
        self.figure_.legend(handles, labels, loc="outside upper right", ncols=2, frameon=False)
        return self


def plot_outliers(estimator: Any, X: Any, *, n_rows: int = 10, ax: Any = None, **bars: Any) -> OutliersDisplay:
    """Draws the most unusual rows of X with the reason of each: `OutliersDisplay.from_estimator`."""
    return OutliersDisplay.from_estimator(estimator, X, n_rows=n_rows, ax=ax, **bars)


def plot_associations(
    estimator: Any, *, n_samples: int = 2_000, random_state: Any = 0, ax: Any = None, **image: Any
) -> AssociationsDisplay:
    """Draws what depends on what: `AssociationsDisplay.from_estimator`."""
    return AssociationsDisplay.from_estimator(estimator, n_samples=n_samples, random_state=random_state, ax=ax, **image)


def plot_importance(estimator: Any, X: Any = None, *, ax: Any = None, **image: Any) -> ImportanceDisplay:
    """Draws what each column is predicted from: `ImportanceDisplay.from_estimator`. X: rows that show what is noise."""
    return ImportanceDisplay.from_estimator(estimator, X, ax=ax, **image)


def plot_samples(
    estimator: Any,
    X: Any,
    *,
    features: Sequence[Feature] | None = None,
    n_samples: int = 1_000,
    random_state: Any = 0,
    n_cols: int = 3,
) -> SamplesDisplay:
    """Draws rows of X beside sampled rows: `SamplesDisplay.from_estimator`."""
    return SamplesDisplay.from_estimator(
        estimator, X, features=features, n_samples=n_samples, random_state=random_state, n_cols=n_cols
    )


def _pyplot() -> Any:
    try:
        from matplotlib import pyplot
    except ImportError:
        raise DrawingError("no matplotlib", "it, to draw by", "pip install matplotlib") from None
    return pyplot


def _axes(ax: Any, size: tuple[float, float]) -> tuple[Any, Any]:
    """The figure and the axes to draw in: new ones where none are given."""
    if ax is not None:
        return ax.figure, ax
    figure, own = _pyplot().subplots(figsize=size, layout="constrained")
    return figure, own


def _matrix(
    values: Floats, rows: list[str], columns: list[str], means: str, written: Any, ax: Any, image: dict[str, Any]
) -> tuple[Any, Any]:
    size = 0.5 * len(columns) + 2.5
    figure, own = _axes(ax, (size + 0.8, size))
    shown = own.imshow(values, **{"cmap": "Blues", "vmin": 0, "aspect": "equal", **image})
    own.set_xticks(range(len(columns)), columns, rotation=45, ha="right", rotation_mode="anchor")
    own.set_yticks(range(len(rows)), rows)
    own.spines[:].set_visible(False)
    if len(columns) <= _MOST_WRITTEN:
        for row, column in np.argwhere(~np.isnan(values)).tolist():
            is_dark = shown.norm(values[row, column]) > 0.6
            own.text(
                column,
                row,
                written(values[row, column]),
                ha="center",
                va="center",
                fontsize="small",
                color="white" if is_dark else "black",
            )
    figure.colorbar(shown, ax=own, label=means, shrink=0.8)
    return figure, own


def _draw_column(ax: Any, rows: list[Any], samples: list[Any]) -> None:
    """How often the values of a column are among rows and samples: as shares, so that their numbers do not matter."""
    numbers, sampled = _numbers_of(rows), _numbers_of(samples)
    ax.set_yticks([])
    if numbers is not None and sampled is not None:
        edges = np.histogram_bin_edges(np.concatenate([numbers, sampled]), bins=24)
        for values, how in (
            (numbers, {"histtype": "stepfilled", "color": _ROWS, "alpha": 0.45, "label": "rows"}),
            (sampled, {"histtype": "step", "color": _SAMPLES, "label": "samples"}),
        ):
            ax.hist(values, edges, weights=np.full(len(values), 1 / len(values)), **how)
        if _are_moments(rows):
            _date_axis(ax.xaxis)
        return
    labels = _labels_of(rows, samples)
    places = np.arange(len(labels))
    for at, (cells, color, name) in enumerate(((rows, _ROWS, "rows"), (samples, _SAMPLES, "samples"))):
        ax.bar(
            places + 0.4 * at - 0.2,
            _shares_of(cells, labels),
            0.4,
            color=color,
            alpha=0.6 if at == 0 else 1,
            label=name,
        )
    ax.set_xticks(
        places, [label if len(label) <= 14 else f"{label[:13]}…" for label in labels], rotation=30, ha="right"
    )


def _draw_pair(ax: Any, names: tuple[str, str], rows: list[list[Any]], samples: list[list[Any]]) -> None:
    """Two columns against each other, a point for each row that has both."""
    # the labels of each axis, None where it has numbers
    scales: list[list[str] | None] = []
    for name, axis, both in zip(names, (ax.xaxis, ax.yaxis), zip(rows, samples, strict=True), strict=True):
        axis.set_label_text(name)
        if all(_numbers_of(cells) is not None for cells in both):
            scales.append(None)
            if _are_moments(both[0]):
                _date_axis(axis)
            continue
        labels = _labels_of(*both)
        scales.append(labels)
        axis.set_ticks(range(len(labels)), labels)
    spread = np.random.default_rng(0)
    for cells, color, name in ((rows, _ROWS, "rows"), (samples, _SAMPLES, "samples")):
        known = [pair for pair in zip(*cells, strict=True) if not is_missing(pair[0]) and not is_missing(pair[1])]
        points = []
        for at, strips in enumerate(scales):
            own = [pair[at] for pair in known]
            if strips is None:
                numbers = _numbers_of(own)
                points.append(np.zeros(0) if numbers is None else numbers)
            else:
                place_of = {label: place for place, label in enumerate(strips)}
                places = np.array([place_of.get(label_of(cell), len(strips) - 1) for cell in own], np.float64)
                # labels are strips, in which points do not lie upon each other
                points.append(places + spread.uniform(-0.3, 0.3, len(places)))
        ax.scatter(*points, s=6, alpha=0.5, color=color, label=name, linewidths=0)


def _first_reasons(estimator: Any, X: Any, order: NDArray[np.int64]) -> list[str]:
    """Of each of these rows its most surprising value, in words."""
    frame = frame_of(X)
    own = estimator if isinstance(estimator, OrchardOutlierDetector) else _model_of(estimator)
    explained = _columns_of(own.explain(X if frame is None else frame, top=1))
    reason_of = {
        int(row) - 1: f"{column} is {_shortened(value)}, expected {_shortened(expected)}"
        for row, column, value, expected in zip(
            *(explained[name] for name in ("row", "column", "value", "expected")), strict=True
        )
    }
    return [reason_of.get(int(row), "") for row in order]


def _shortened(cell: Any) -> str:
    if is_missing(cell):
        return "missing"
    plain = cell.item() if isinstance(cell, np.generic) else cell
    text = f"{plain:.6g}" if isinstance(plain, float) else label_of(plain)
    return text if len(text) <= 40 else f"{text[:39]}…"


def _model_of(estimator: Any) -> DensityModel:
    if isinstance(estimator, DensityModel):
        return estimator
    if isinstance(estimator, OrchardDensity):
        return estimator._model
    if isinstance(estimator, TableEstimator):
        estimator._check_fitted()
        learned = estimator._learned()
        if learned is not None:
            return learned
        raise RowsError(
            "an estimator without a model", "one that learned several classes", "Give another.", "estimator"
        )
    raise RowsError(
        f"a {type(estimator).__name__}",
        "an estimator of orchard_density, or a model of load",
        "Give one of these.",
        "estimator",
    )


def _matrix_of(frame: Any, model: DensityModel) -> Floats:
    """A square DataFrame of columns, or the dict that stands for it, as an array."""
    return np.column_stack([np.asarray(frame[name], np.float64) for name in model.variables])


def _names_of_rows(X: Any) -> list[str]:
    """Rows by their index; where they have none by their numbers, from 1 as everywhere."""
    if hasattr(X, "index") and hasattr(X, "iloc"):
        return [str(name) for name in X.index]
    frame = frame_of(X)
    count = np.shape(X)[0] if frame is None else len(frame)
    return [f"row {row + 1}" for row in range(count)]


def _columns_of(rows: Any, names: Sequence[str] = ()) -> dict[str, list[Any]]:
    """Rows as columns of cells, None where one is missing. names: those of the columns of an array."""
    if isinstance(rows, dict):
        return {name: list(cells) for name, cells in rows.items()}
    frame = frame_of(rows)
    if frame is None:
        array = rows.toarray() if hasattr(rows, "toarray") else np.asarray(rows)
        frame = frame_of_array(array.astype(object))
        frame = Frame(
            frame.kind, list(names) or [str(at + 1) for at in range(array.shape[1])], frame.columns, frame.types, None
        )
    return {
        name: [None if gone else cell for cell, gone in zip(column.tolist(), missing_in(column).tolist(), strict=True)]
        for name, column in zip(frame.names, frame.columns, strict=True)
    }


def _numbers_of(cells: list[Any]) -> Floats | None:
    """Known cells as numbers, moments as days since 1970; None where one is neither, or there are few different ones."""
    known = [cell for cell in cells if not is_missing(cell)]
    if not known or any(isinstance(cell, (str, bool)) for cell in known):
        return None
    if _are_moments(known):
        return np.array(known, "M8[us]").astype(np.float64) / 86_400e6
    try:
        return np.array(known, np.float64)
    except (TypeError, ValueError):
        return None


def _are_moments(cells: list[Any]) -> bool:
    known = next((cell for cell in cells if not is_missing(cell)), None)
    return hasattr(known, "isoformat") and hasattr(known, "year")


def _date_axis(axis: Any) -> None:
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

    locator: Any = AutoDateLocator(maxticks=5)  # type: ignore[no-untyped-call]
    axis.set_major_locator(locator)
    axis.set_major_formatter(ConciseDateFormatter(locator))  # type: ignore[no-untyped-call]


def _labels_of(rows: list[Any], samples: list[Any]) -> list[str]:
    """The labels that are drawn, the frequent first; "(other)" stands for the rest."""
    counts: dict[str, int] = {}
    for cell in (*rows, *samples):
        label = "missing" if is_missing(cell) else label_of(cell)
        counts[label] = counts.get(label, 0) + 1
    ordered = sorted(counts, key=lambda label: -counts[label])
    return ordered if len(ordered) <= _MOST_LABELS else [*ordered[: _MOST_LABELS - 1], "(other)"]


def _shares_of(cells: list[Any], labels: list[str]) -> list[float]:
    counts = dict.fromkeys(labels, 0)
    for cell in cells:
        label = "missing" if is_missing(cell) else label_of(cell)
        counts[label if label in counts else "(other)"] += 1
    return [count / max(len(cells), 1) for count in counts.values()]


def _without_frame(ax: Any) -> None:
    ax.spines[["top", "right"]].set_visible(False)
