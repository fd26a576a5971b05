"""What models of every family answer."""

from __future__ import annotations

import datetime
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import process
from .asking import Asked
from .errors import NotToldError, RowsError, RowsWarning, UntestedWarning
from .frames import Frame, frame_of, listing_like, missing_in, pandas_frame
from .html import completed_html, table_of
from .labels import is_missing, label_of, shown
from .likely_name import remedy_of_name
from .mappings import mapping_of
from .model_file import ModelHead
from .random_streams import seed_of
from .remarks import warn_caller
from .rows_given import as_array
from .words import Point, Unit

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]

POINTS = ("mean", "median", "mode")
_MOST_SAMPLES = 65_536
#: Rows that dependences are measured in, at least.
_FEWEST_SAMPLED = 100
#: Rules that hold of every row; False leaves those that the model was trained with.
Rules = Sequence[str] | bool | None

#: What the command line says of a cell of an unusual row.
#: Questions that threads work on.
_IN_THREADS = ("complete", "importance", "score")
_SAID_OF_CELLS = ("probability", "expected", "expectedLow", "expectedHigh", "expectedLabel", "surprise")


@dataclass(frozen=True)
class Completed:
    """Rows whose missing values were filled in, and how probable what was known of them is."""

    #: As the rows that were given; a list of such with `draws`.
    rows: Any
    #: Of each row: log P(what is known), nats; what is missing is summed out.
    log_evidence: Floats
    #: Of each row: standard error of `log_evidence`, 0 where it is exact.
    log_evidence_error: Floats
    #: Of each row: as many independent weighted candidates would leave `log_evidence` as uncertain. Near 1: ask for more samples.
    effective_sample_size: Floats
    #: Of each row: whether the sample is from the exact conditional distribution.
    exact: NDArray[np.bool_]
    #: With `interval`: rows with the ends of the interval instead of each missing value.
    low: Any = None
    high: Any = None
    #: Of each cell of the rows that were given whether it was missing, shape (rows, columns).
    filled: NDArray[np.bool_] | None = None

    def _repr_html_(self) -> str:
        """The first rows, with what was filled in marked."""
        return completed_html(self.rows, self.filled, self.low, self.high, self.log_evidence)


class DensityModel(ABC):
    """
    A joint distribution of columns, read from a file. Rows go in and come out in the order of `variables`; likelihoods are in nats.

    Reading, log-likelihoods, samples and completions of the families `lbarn` and `tables` and of mixtures of them take numpy alone. All else is
    asked of the command line that is inside this package, which is kept running and needs Node.js.
    """

    #: Candidates a row of a completion, where nothing is said.
    _samples: int

    def __init__(self, head: ModelHead) -> None:
        #: The kind of model, as its file names it: lbarn, tables, chow-liu, mixture, …
        self.family = head.family
        #: The run that made it: plain data.
        self.specification = head.specification
        #: Mean log-likelihoods of a row when the model was made: train, valid and test, None where there was no such split.
        self.likelihoods = head.likelihoods
        #: Height and width of the image that a row is, or None.
        self.shape = head.shape
        self._asked: Asked | None = None

    @property
    @abstractmethod
    def variables(self) -> list[str]:
        """The names of the columns; 1, 2, … where the training rows had none."""

    @property
    def left_out(self) -> dict[str, str]:
        """Columns of the training rows that the model knows nothing of, with the reason."""
        return {}

    @abstractmethod
    def log_likelihood(self, X: Any, *, rules: Rules = None) -> Floats:
        """
        log P of each row, in nats, shape (rows,). X is a frame, an array or a sparse matrix of shape (rows, columns).

        rules: what holds of every row, as in `sample`: what the rules forbid is shared out to what they leave, and a row that breaks one has
        -inf, with a `RulesWarning`. False leaves the rules that the model was trained with.
        """

    def score(self, X: Any, *, rules: Rules = None) -> float:
        """The mean of `log_likelihood` over the rows."""
        rows = self.log_likelihood(X, rules=rules)
        if len(rows) == 0:
            raise RowsError("no rows", "at least one to average over", "Give rows.", "X")
        return float(rows.mean())

    @abstractmethod
    def surprise(self, X: Any) -> Floats:
        """How surprising each value is, in nats, shape (rows, columns): the sum of a row is minus its log-likelihood."""

    def anomaly_scores(self, X: Any, given_columns: Sequence[str] = ()) -> Floats:
        """
        The anomaly score of each row, in nats, shape (rows,): by how much more than is typical of its column each value surprises, summed and
        never less than 0. The higher, the more unusual; units do not matter. Rows that trained the model score too low.

        given_columns: columns that say which group a row is of: the score is of the others given these, as `orchard evaluate --given-columns` has
        it. They are the first in the order of the model: train it with ``options={"ordering": "first:region,type"}``.
        """
        rows, _, _ = self._given(X, may_be_missing=True)
        asked = {"rows": rows, "surprise": False, "anomaly": True, **_given_to(given_columns)}
        scores: Floats = self._ask("score", **asked)["anomaly"]
        return scores

    def explain(self, X: Any, top: int = 3, given_columns: Sequence[str] = ()) -> Any:
        """
        What makes rows unusual: the `top` most surprising columns of each, in the order of the rows, as a frame of their kind. Of
        `given_columns`, as in `anomaly_scores`, none is a reason.

        The index of a DataFrame is that of the rows (their positions from 0 where X is an array). Columns are

        - `row`: counted from 1, as the command line counts them: row 1 is `X.iloc[0]`;
        - `column`, `value`, and `probability` of the value given the columns before it;
        - `expected` in words; as values `expected_low` and `expected_high`, between which the middle 80 % of numbers lie (texts of dates and
          times, None of labels), and `expected_label` (None of numbers);
        - `surprise`: nats beyond what values of it usually have.

        Values that are what is expected are no reasons, so a row may have fewer than `top`, or none. Neither has a row without a known value.
        """
        return self._explained(X, top, {}, given_columns)

    def _explained(
        self,
        X: Any,
        top: int,
        known: Mapping[int, Sequence[Mapping[str, Any]]],
        given_columns: Sequence[str] = (),
    ) -> Any:
        """The same, with the cells of some rows, by their numbers, as `orchard outliers --json` has them."""
        rows, frame, values = self._given(X, may_be_missing=True)
        said = self._ask("explain", rows=rows, top=_whole("top", top), **_given_to(given_columns))
        numbers, places = said["row"].tolist(), said["column"].tolist()
        figures = zip(
            said["probability"].tolist(),
            _words(said["expected"]),
            _ends(said["expectedLow"]),
            _ends(said["expectedHigh"]),
            _words(said["expectedLabel"]),
            said["surprise"].tolist(),
            strict=True,
        )
        found = [each for each in zip(numbers, places, figures, strict=True) if each[0] not in known]
        place_of = {name: place for place, name in enumerate(self.variables)}
        for number, cells in known.items():
            for cell in cells[:top]:
                found.append((number, place_of[cell["column"]], tuple(cell[part] for part in _SAID_OF_CELLS)))
        # stable: the cells of a row stay in their order
        found.sort(key=lambda each: each[0])
        row = np.array([number for number, _, _ in found], np.int64)
        said_of_cells = {
            name: [figures_of_cell[at] for _, _, figures_of_cell in found]
            for at, name in enumerate(
                ("probability", "expected", "expected_low", "expected_high", "expected_label", "surprise")
            )
        }
        columns = {
            # as the command line counts them
            "row": row + 1,
            "column": [self.variables[place] for _, place, _ in found],
            "value": np.array([*(values(number, place) for number, place, _ in found), None], object)[:-1],
            **said_of_cells,
            **{name: np.array(said_of_cells[name], np.float64) for name in ("probability", "surprise")},
            **{name: _of_cells(said_of_cells[name]) for name in ("expected_low", "expected_high")},
        }
        index = (
            frame.source.index[row]
            if frame is not None and frame.kind == "pandas" and frame.source is not None
            else row
        )
        return listing_like(frame, columns, index)

    @property
    def _keeps_rules(self) -> bool:
        """Whether the model was trained with rules that hold of every row."""
        return False

    @abstractmethod
    def sample(
        self,
        n: int = 1,
        random_state: Any = None,
        given: Mapping[str, Any] | None = None,
        shares: Mapping[str, Mapping[Any, float]] | None = None,
        rules: Rules = None,
    ) -> Any:
        """
        `n` independent rows. A whole number as random_state gives those of `orchard sample --seed`, whatever n is.

        given: rows of which this holds. Of each column a value, a list of values any of which it may be, a range as a tuple (from, to) with both
        ends included and None for an open one, or None for a missing value: ``{"weather": ["rain", "snow"], "age": (18, 25)}``.

        shares: which shares of the rows have which values: ``{"sex": {"female": .6, "male": .4}, "age": {(None, 39): .3, (40, None): .7}}``, as
        `orchard sample --shares`.

        rules: what holds of every row beside the rules that the model was trained with: ``["start <= end", "total = price + tax"]``; False leaves
        those too. As `orchard sample --rule`; combinations of labels only where training was given them.
        """

    def complete(
        self,
        X: Any,
        random_state: Any = None,
        samples: int | None = None,
        evidence: bool = False,
        *,
        draws: int | None = None,
        point: Point | None = None,
        points: Mapping[str, Point] | None = None,
        interval: float | None = None,
        rules: Rules = None,
    ) -> Any:
        """
        X with its missing values (NaN, None) sampled given what is known of each row: as `orchard complete --seed` samples them.

        samples: candidates a row where what is known does not come first; more are slower and nearer to exact.
        draws: so many completions, as a list.
        point: "mean", "median" or "mode" in the place of a sample, of labels the most probable one: exactly where the family knows it, else
        from `draws` completions (100 where nothing is said). It has as many decimals as its column: a mean of whole numbers is rounded.
        points: the same for single columns of a table, {"wage": "mean"}; the others as `point` has it, or by the median.
        interval: gives `Completed`, whose `low` and `high` hold each missing value with that probability; labels have no interval.
        evidence: gives `Completed`, the rows with how probable what was known is.
        rules: what holds of every filled row, as in `sample`. Where the points of a row break a rule together, it has the completion nearest to
        them; intervals are of each cell by itself.
        """
        is_number = isinstance(samples, (int, np.integer)) and 1 <= samples <= _MOST_SAMPLES
        if samples is not None and not is_number:
            raise RowsError(f"samples={samples!r}", f"1 to {_MOST_SAMPLES}", "Give another number.")
        frame = frame_of(X)
        given = self._without_marks(X if frame is None else frame)
        completed = self._completed(
            given, seed_of(random_state), samples, completing(point, points, draws, interval, rules)
        )
        rows = [self._filled(given, own) for own in completed.rows]
        result = rows if draws is not None and point is None and points is None and interval is None else rows[0]
        if not evidence and interval is None:
            return result
        low, high = (None if end is None else self._filled(given, end) for end in (completed.low, completed.high))
        filled = np.column_stack([_missing_cells(column) for column in _cells_of(given)])
        return replace(completed, rows=result, low=low, high=high, filled=filled)

    def probabilities(self, X: Any, random_state: Any = None, draws: int = 200) -> Any:
        """
        What each missing value of X may be, and how likely, as a frame of the kind of X with `row` (from 1), `column`, `value` (in words: a
        label, a number, a range) and `probability`, the more probable first. Exact where the family can, else the shares of `draws` completions.
        """
        rows, frame, _ = self._given(X, may_be_missing=True)
        said = self._ask("probabilities", rows=rows, seed=seed_of(random_state), draws=_whole("draws", draws))
        columns = {
            "row": said["row"].astype(np.int64) + 1,
            "column": [self.variables[column] for column in said["column"]],
            "value": _words(said["value"]),
            "probability": said["probability"],
        }
        return listing_like(frame, columns)

    def most_probable(self, X: Any) -> Any:
        """X with its missing values filled in by the most probable ones together: of marginals, chow-liu, and one cutset network."""
        frame = frame_of(X)
        given = self._without_marks(X if frame is None else frame)
        rows, _, _ = self._given(given, may_be_missing=True)
        said = self._ask("mostProbable", rows=rows)["rows"]
        return self._filled(given, self._rows_of(said))

    def classes(self, target: str) -> list[str]:
        """What the columns of `predict_proba` are: labels, numbers, or ranges of numbers in words."""
        return [str(label) for label in self._prediction(None, target)["classes"]]

    def predict_proba(self, X: Any, target: str, random_state: Any = 0) -> Floats:
        """
        P(target | all other columns) of each row, shape (rows, classes), by the joint: P(target = k, rest) over its sum. The order of the
        classes is that of `classes(target)`. The target may be absent from X, and its cells are not looked at.
        """
        said = self._prediction(X, target, random_state)
        return _by_class(said)

    def score_target(self, X: Any, target: str, random_state: Any = 0) -> dict[str, Any]:
        """
        How well one column of X is predicted given all others, over the rows that have a value of it: what
        `orchard evaluate --target` prints, with the keys of its `--json`.

        `logScore` is the mean log-probability (or log-density, see `measure`) in nats. Of numbers, dates and times `numbers` has `crps`, the
        continuous ranked probability score, and the coverage and mean width of `intervals` of 50 % and 90 %; of labels `labels` has `logLoss`,
        `brier` and `accuracy`. Rows without a value of the target are counted in `missing`.
        """
        self._check_target(target)
        rows, _, _ = self._given(X, may_be_missing=True)
        said = self._ask("scoreTarget", rows=rows, target=str(target), seed=seed_of(random_state))
        return {key: value for key, value in said.items() if key != "said"}

    @abstractmethod
    def predict(self, X: Any, target: str, random_state: Any = 0) -> NDArray[Any]:
        """The most probable value of the target given all other columns; its mean where it is a number, a date or a time."""

    def associations(self, rows: int = 10_000, random_state: Any = 0, unit: Unit = "strength") -> pandas.DataFrame:
        """
        What depends on what, from `rows` sampled rows: a symmetric DataFrame of all pairs of columns.

        unit: "strength", from 0 where two are independent to 1 where one determines the other; or "nats", their mutual information, with
        entropies on the diagonal.
        """
        if unit not in ("strength", "nats"):
            raise RowsError(f"unit={unit!r}", "'strength' or 'nats'", "Give one of these.", "associations")
        said = self._ask("associations", rows=_whole("rows", rows, _FEWEST_SAMPLED), seed=seed_of(random_state))
        count = len(self.variables)
        matrix = said["nats" if unit == "nats" else "strengths"].reshape(count, count)
        return pandas_frame({name: matrix[:, at] for at, name in enumerate(self.variables)}, self.variables)

    def importance(self, X: Any = None) -> pandas.DataFrame:
        """
        What each column is predicted from: a DataFrame whose row sums to 1 over the columns that predict it, or is 0 where none does. What stands in
        it is the share of the gain in likelihood.

        X: rows that the model was not trained on. A share is NaN where the predictor's own values predict the column in these rows no better than
        the values of other rows do: such a share is noise. Without X nothing is tested, and it warns that shares of noise are among them.
        """
        if X is None:
            warn_caller(
                "not tested against noise: give importance(X) rows that the model was not trained on", UntestedWarning
            )
        shares = self.gain_shares(X)
        names = self.variables
        return pandas_frame({name: shares[:, at] for at, name in enumerate(names)}, names)

    def gain_shares(self, X: Any = None) -> Floats:
        """The same as an array of shape (columns, columns), in the order of `variables`, without a warning."""
        if X is None:
            return self._shares()
        count = len(self.variables)
        rows, _, _ = self._given(X, may_be_missing=False)
        said = self._ask("importance", rows=rows)
        shares: Floats = said["shares"].reshape(count, count).copy()
        if said["noise"].size == 0:
            warn_caller("not tested against noise: too few rows, or too many columns, to decide", UntestedWarning)
        else:
            shares[said["noise"].reshape(count, count) == 1] = np.nan
        return shares

    def _shares(self) -> Floats:
        count = len(self.variables)
        shares: Floats = self._ask("importance")["shares"].reshape(count, count)
        return shares

    def __repr__(self) -> str:
        names = self.variables
        columns = f"{len(names)} {'column' if len(names) == 1 else 'columns'} ({_shown(names, 4)})"
        nats = ", ".join(f"{split} {value}" for split, value in self._nats().items())
        learned = f"; nats per row: {nats}" if nats else ""
        return f"<{type(self).__name__} of {columns}, family {self.family}{learned}>"

    def _repr_html_(self) -> str:
        return table_of(f"{type(self).__name__} of the family {self.family}", self._facts())

    def _facts(self) -> dict[str, str]:
        """What was learned, for notebooks."""
        names = self.variables
        nats = {f"nats per row, {split}": value for split, value in self._nats().items()}
        return {"family": self.family, f"columns, {len(names)}": _shown(names, 12), **nats}

    def _nats(self) -> dict[str, str]:
        """Of the splits that there were, the mean log-likelihood of a row when the model was made."""
        return {split: f"{nats:.4g}" for split, nats in self.likelihoods.items() if nats is not None}

    @abstractmethod
    def _given(self, X: Any, may_be_missing: bool) -> tuple[Any, Frame | None, Any]:
        """X as a document of rows, as the frame that it is (None of an array), and a function that gives a cell by row and column."""

    @abstractmethod
    def _rows_of(self, said: Mapping[str, Any]) -> Any:
        """What a document of rows holds."""

    def _without_marks(self, X: Any) -> Any:
        """X, a frame or an array, whose texts that mark missing values are missing cells."""
        return X

    @abstractmethod
    def _filled(self, X: Any, rows: Any) -> Any:
        """X, a frame or an array, with its missing values from rows as `_rows_of` gives them."""

    def _completed(self, X: Any, seed: int, samples: int | None, how: Mapping[str, Any]) -> Completed:
        """`rows` is a list of what `_rows_of` gives."""
        rows, _, _ = self._given(X, may_be_missing=True)
        asked = {"samples": samples, **how}
        said = self._ask(
            "complete", rows=rows, seed=seed, **{name: own for name, own in asked.items() if own is not None}
        )
        return Completed(
            [self._rows_of(own) for own in said["rows"]],
            said["logEvidence"],
            said["logEvidenceError"],
            said["effectiveSampleSize"],
            said["exact"].astype(bool),
            **{end: self._rows_of(said[end]) for end in ("low", "high") if end in said},
        )

    @abstractmethod
    def _without(self, X: Any, target: str) -> Any:
        """A document of the rows of X in which nothing is known of a column; of no row where X is None."""

    def _asks_for_gaps(self) -> bool:
        """
        Whether what sums missing values out is left to the process, which answers the same bits far sooner than numpy does (measured.md). On a machine
        without Node.js numpy does it.
        """
        return self._asked is not None and process.is_at_hand()

    def _ask(self, operation: str, **question: Any) -> dict[str, Any]:
        if self._asked is None:
            raise NotToldError("a member of a mixture", "a model of its own file", "Ask the mixture.", operation)
        threads = process.threads() if operation in _IN_THREADS else None
        answer = self._asked.ask(operation, **question, **({} if threads is None else {"threads": threads}))
        remarks = answer.get("said", [])
        if remarks:
            warn_caller("; ".join(remarks), RowsWarning)
        return answer

    def _prediction(self, X: Any, target: str, random_state: Any = 0) -> dict[str, Any]:
        self._check_target(target)
        return self._ask("predict", rows=self._without(X, str(target)), target=str(target), seed=seed_of(random_state))

    def _check_target(self, target: str) -> None:
        if str(target) not in self.variables:
            raise RowsError(f"target={target!r}", "a column of the model", remedy_of_name(target, self.variables))


def _cells_of(rows: Any) -> Sequence[NDArray[Any]]:
    """Rows as columns of cells."""
    if isinstance(rows, Frame):
        return rows.columns
    array: NDArray[Any] = rows.toarray() if hasattr(rows, "toarray") else as_array(rows)
    return list(array.T)


def _missing_cells(column: NDArray[Any]) -> NDArray[np.bool_]:
    if column.dtype.kind == "O":
        return np.array([is_missing(cell) for cell in column], bool)
    return missing_in(column)


#: How a column has a label, a duration, or a moment as NumPy has it.
TextOf = Callable[[str, Any], str]


def _named(_: str, one: Any) -> str:
    return label_of(one.item() if isinstance(one, np.datetime64) else one)


def check_count(n: Any) -> int:
    if isinstance(n, (int, np.integer)) and not isinstance(n, bool) and 0 <= n < 2**32:
        return int(n)
    raise RowsError(f"n={n!r}", "a whole number of rows to sample", "Give another.")


def shares(gains: Floats) -> Floats:
    total = gains.sum(axis=-1, keepdims=True)
    return np.divide(gains, total, out=np.zeros_like(gains), where=(total > 0) & (total < np.inf))


def conditions_of(given: Mapping[str, Any] | None, text_of: TextOf = _named) -> list[Any]:
    """What is given of rows, as a request says it: of each column a list of what it may be."""
    known = mapping_of("given", given, "{'weather': 'rain', 'age': (18, 25)}")
    return [
        [str(name), [_condition(str(name), one, text_of) for one in _any_of(name, what)]]
        for name, what in known.items()
    ]


def shares_of(shares: Mapping[str, Mapping[Any, float]] | None, text_of: TextOf = _named) -> list[Any]:
    """Which shares rows are to have, as a request says it: of each column its values with their shares."""
    said = []
    for name, parts in (shares or {}).items():
        if not isinstance(parts, Mapping) or not parts:
            raise RowsError(
                f"{parts!r} for {name!r}",
                "the shares of values, {'female': .6, 'male': .4}",
                "Give a share for each value.",
                "shares",
            )
        for value, share in parts.items():
            is_number = isinstance(share, (int, float, np.integer, np.floating)) and not isinstance(share, bool)
            if not is_number or not 0 <= share <= 1:
                raise RowsError(f"the share {share!r} of {value!r}", "a number from 0 to 1", "Correct it.", "shares")
        conditions = [[_condition(str(name), value, text_of), float(share)] for value, share in parts.items()]
        said.append([str(name), conditions])
    return said


def completing(
    point: str | None,
    points: Mapping[str, str] | None,
    draws: int | None,
    interval: float | None,
    rules: Rules = None,
) -> dict[str, Any]:
    """What a completion is asked with beside its seed, checked."""
    if point is not None and point not in POINTS:
        raise RowsError(f"point={point!r}", "'mean', 'median' or 'mode'", "Give one of these.", "complete")
    points = points_of(points, "complete")
    is_share = isinstance(interval, (int, float, np.floating)) and 0 < interval < 1
    if interval is not None and not is_share:
        raise RowsError(f"interval={interval!r}", "a share between 0 and 1", "Give another.", "complete")
    said = {
        "point": point,
        "points": [[str(name), own] for name, own in points.items()] if points else None,
        "interval": interval,
        "draws": None if draws is None else _whole("draws", draws),
    }
    return {**{name: value for name, value in said.items() if value is not None}, **rules_of(rules)}


def points_of(points: Mapping[str, str] | None, where: str) -> Mapping[str, str]:
    """Points of single columns, checked."""
    said = mapping_of("points", points, "{'wage': 'mean'}")
    for name, own in said.items():
        if own not in POINTS:
            raise RowsError(f"points={{{name!r}: {own!r}}}", "'mean', 'median' or 'mode'", "Give one of these.", where)
    return said


def _given_to(columns: Sequence[str]) -> dict[str, Any]:
    names = names_of_groups(columns)
    return {"given": names} if names else {}


def names_of_groups(given_columns: Sequence[str]) -> list[str]:
    """Columns that say which group a row is of, by their texts. Raises where they are one text, which is no list of its letters."""
    if isinstance(given_columns, str):
        raise RowsError(f"given_columns={given_columns!r}", "a list of columns", "Write ['region'].")
    return [str(name) for name in given_columns]


def rules_of(rules: Rules) -> dict[str, Any]:
    """Rules as a request says them; nothing where nothing was said."""
    if rules is None:
        return {}
    if rules is False:
        return {"rules": False}
    if isinstance(rules, (str, bool)) or not all(isinstance(rule, str) for rule in rules):
        raise RowsError(f"rules={rules!r}", "a list of texts, ['start <= end']", "Write each rule as a text.", "rules")
    return {"rules": list(rules)}


def _any_of(name: Any, what: Any) -> Sequence[Any]:
    # a Series or an Index, of whichever library
    is_list = isinstance(what, (list, set, frozenset, range, np.ndarray)) or hasattr(what, "to_list")
    if not is_list:
        return [what]
    values = list(what)
    if not values:
        raise RowsError(
            f"no values for {str(name)!r}", "one at least", "Name a value, or leave the column out.", "given"
        )
    return values


def _condition(name: str, one: Any, text_of: TextOf) -> Any:
    if isinstance(one, tuple) and len(one) == 2:
        # what nothing is below or above is no end
        ends = {"from": None if _is_infinite(one[0], -1) else one[0], "to": None if _is_infinite(one[1], 1) else one[1]}
        return {which: _condition(name, end, text_of) for which, end in ends.items() if end is not None}
    if _is_infinite(one, -1) or _is_infinite(one, 1):
        raise RowsError(
            shown(one), "a value, or a range whose end may be None", "Name a number, or leave the column out.", "given"
        )
    if is_missing(one):
        return None
    if isinstance(one, (bool, np.bool_)):
        return bool(one)
    # a duration of NumPy is an integer of it too
    is_number = isinstance(one, (int, float, np.integer, np.floating)) and not isinstance(one, np.timedelta64)
    if is_number:
        return one.item() if isinstance(one, np.generic) else one
    return text_of(name, _as_learned(one))


def _as_learned(one: Any) -> Any:
    """A moment as models know it, without a zone in microseconds: a period by its beginning, what has a zone in UTC."""
    moment = getattr(one, "start_time", one)
    if isinstance(moment, np.timedelta64):
        return moment.astype("m8[us]").item()
    if isinstance(moment, datetime.datetime) and moment.tzinfo is not None:
        moment = moment.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return np.array(moment, "M8[us]")[()] if isinstance(moment, (datetime.date, np.datetime64)) else moment


def _is_infinite(cell: Any, sign: int) -> bool:
    return isinstance(cell, (float, np.floating)) and bool(cell == sign * np.inf)


def _shown(names: Sequence[str], most: int) -> str:
    """The first of some names, in words."""
    return ", ".join([*names[:most], *(["…"] if len(names) > most else [])])


def _whole(name: str, value: Any, least: int = 1) -> int:
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool) and value >= least:
        return int(value)
    raise RowsError(f"{name}={value!r}", f"a whole number of at least {least}", "Give another.")


def _ends(said: Mapping[str, Any]) -> list[float | str | None]:
    """Numbers, texts where they are none, None of neither."""
    numbers, texts = said["numbers"].tolist(), _words(said)
    return [text if number != number else number for number, text in zip(numbers, texts, strict=True)]


def _of_cells(ends: list[float | str | None]) -> NDArray[Any]:
    """Numbers with NaN of what is none; objects where some are texts of dates and times."""
    if any(isinstance(end, str) for end in ends):
        return np.array([*ends, None], object)[:-1]
    return np.array([np.nan if end is None else end for end in ends], np.float64)


def _words(said: Mapping[str, Any]) -> NDArray[Any]:
    return np.array([*said["labels"], None], object)[said["places"]]


def _by_class(said: Mapping[str, Any]) -> Floats:
    probabilities: Floats = said["probabilities"].reshape(-1, len(said["classes"]))
    return probabilities
