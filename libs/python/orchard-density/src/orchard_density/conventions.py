"""scikit-learn's conventions, or the few lines of them that matter where it is not installed."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .bit_rows import is_sparse
from .density_model import DensityModel
from .errors import RowsError
from .frames import Frame, frame_of
from .html import table_of
from .rows_given import as_array

if TYPE_CHECKING:
    from typing_extensions import Self

    # scikit-learn has no types: a class of unknown bases would have any method, and a misspelt one would be found by no type checker
    HAS_SKLEARN: bool
    validate_data: Any

    class BaseEstimator:
        def get_params(self, deep: bool = True) -> dict[str, Any]: ...
        def set_params(self, **params: Any) -> Self: ...
        def __sklearn_tags__(self) -> Any: ...

    class DensityMixin: ...

    class OutlierMixin: ...

    class ClassifierMixin:
        def score(self, X: Any, y: Any, sample_weight: Any = None) -> float: ...

    class RegressorMixin:
        def score(self, X: Any, y: Any, sample_weight: Any = None) -> float: ...

    class TransformerMixin:
        def fit_transform(self, X: Any, y: Any = None, **parameters: Any) -> Any: ...
        def set_output(self, *, transform: Any = None) -> Self: ...

    class NotFittedError(ValueError, AttributeError): ...

else:
    try:
        from sklearn.base import (
            BaseEstimator,
            ClassifierMixin,
            DensityMixin,
            OutlierMixin,
            RegressorMixin,
            TransformerMixin,
        )
        from sklearn.exceptions import NotFittedError
        from sklearn.utils.validation import validate_data

        HAS_SKLEARN = True
    except ImportError:
        HAS_SKLEARN = False

        class BaseEstimator:
            """Parameters by the signature of the constructor."""

            def get_params(self, deep: bool = True) -> dict[str, Any]:
                return {name: getattr(self, name) for name in self._parameters()}

            def set_params(self, **params: Any) -> Any:
                for name, value in params.items():
                    if name not in self._parameters():
                        raise ValueError(f"Invalid parameter {name!r} for estimator {self!r}.")
                    setattr(self, name, value)
                return self

            def __repr__(self) -> str:
                defaults = inspect.signature(type(self)).parameters
                said = [
                    f"{name}={value!r}" for name, value in self.get_params().items() if value != defaults[name].default
                ]
                return f"{type(self).__name__}({', '.join(said)})"

            def _parameters(self) -> list[str]:
                return list(inspect.signature(type(self)).parameters)

        class DensityMixin:
            """Nothing beyond a name."""

        class OutlierMixin:
            """Nothing beyond a name."""

        class ClassifierMixin:
            """Nothing beyond a name."""

        class RegressorMixin:
            """Nothing beyond a name."""

        class TransformerMixin:
            """fit, then transform."""

            def fit_transform(self, X: Any, y: Any = None, **parameters: Any) -> Any:
                return self.fit(X, y, **parameters).transform(X)

        class NotFittedError(ValueError, AttributeError):
            """Asked before it was fitted."""

        validate_data = None


class TableEstimator(BaseEstimator):
    """Takes tables of any cells, missing values among them, and sparse rows; learns by an `OrchardDensity`, `density_`."""

    n_features_in_: int
    feature_names_in_: Any

    def _learned(self) -> DensityModel | None:
        """The model, once there is one."""
        density = getattr(self, "density_", None)
        return None if density is None else density._learned()

    def _repr_html_(self) -> str:
        return table_of(repr(self), self._facts())

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        """What consoles of IPython and notebooks show: scikit-learn's own would be a diagram of parameters."""
        model = self._learned()
        learned = "" if model is None else f"\n{model!r}"
        return {"text/plain": f"{self!r}{learned}", "text/html": self._repr_html_()}

    def _facts(self) -> dict[str, str]:
        """What was learned, for notebooks."""
        model = self._learned()
        if model is None:
            # y of one value alone needs no model
            return {"state": "fitted without a model" if hasattr(self, "n_features_in_") else "not fitted"}
        return model._facts()

    def _check_fitted(self) -> None:
        if not hasattr(self, "density_"):
            raise NotFittedError(f"This {type(self).__name__} is not fitted yet: call fit with rows first.")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags


def checked_rows(estimator: Any, X: Any, reset: bool, least: int | None = None) -> Any:
    """
    X as it may be fitted (`reset`) or asked about: a Frame, an array or a sparse matrix. Sets or compares n_features_in_ and feature_names_in_.

    least: rows that there have to be; 2 to be fitted, 1 otherwise.
    """
    fewest = (2 if reset else 1) if least is None else least
    frame = frame_of(X)
    if frame is not None:
        if not frame.names:
            raise RowsError("a frame without columns (0 features)", "one column at least", "Give some.", "X")
        _check_names(estimator, frame, reset)
        if len(frame) < fewest:
            raise RowsError(
                f"{len(frame)} sample(s) (n_samples={len(frame)})", f"{fewest} at least", "Give more rows.", "X"
            )
        return frame
    if X is None or isinstance(X, Mapping):
        raise RowsError(
            "None" if X is None else f"a {type(X).__name__}",
            "rows: a frame, an array, a sparse matrix, or a list of lists",
            "Give rows." if X is None else "pandas.DataFrame(X) makes a frame of columns by name.",
            "X",
        )
    if isinstance(X, np.ndarray) and X.dtype.names is not None:
        raise RowsError(
            "an array whose cells have names",
            "rows: a frame, an array, a sparse matrix, or a list of lists",
            "pandas.DataFrame(X) makes a frame of it.",
            "X",
        )
    if isinstance(X, np.ma.MaskedArray):
        X = as_array(X)
    if isinstance(X, (list, tuple)):
        if len(X) > 0 and isinstance(X[0], Mapping):
            raise RowsError(
                f"a list of {type(X[0]).__name__}s",
                "rows: a frame, an array, a sparse matrix, or a list of lists",
                "pandas.DataFrame(X) makes a frame of them.",
                "X",
            )
        X = as_array(X)
    if HAS_SKLEARN:
        return validate_data(
            estimator,
            X=X,
            reset=reset,
            dtype=None,
            accept_sparse=["csr", "csc", "coo"],
            ensure_all_finite="allow-nan",
            ensure_min_samples=fewest,
        )
    rows = X if is_sparse(X) else as_array(X)
    if rows.ndim != 2 or rows.shape[1] == 0:
        raise RowsError(f"rows of shape {rows.shape}", "(rows, columns)", "Reshape them.", "X")
    if rows.shape[0] < fewest:
        raise RowsError(f"n_samples={rows.shape[0]}", f"{fewest} at least", "Give more rows.", "X")
    _check_width(estimator, rows.shape[1], reset)
    return rows


def called_as_fitted(frame: Frame, fitted: Sequence[str]) -> Frame:
    """
    A frame whose columns are called as those of the array that was fitted, each by its place: scikit-learn takes it so, and has warned of it. Where
    a frame was fitted the names that it had count.

    fitted: the names in the model.
    """
    of_array = [f"column {at + 1}" for at in range(len(fitted))]
    if list(fitted) == of_array and len(frame.names) == len(of_array) and not set(of_array) & set(frame.names):
        return replace(frame, names=of_array)
    return frame


def _check_names(estimator: Any, frame: Frame, reset: bool) -> None:
    if not reset and _lacks_what_was_left_out(estimator, frame.names):
        return
    source = frame.source if frame.kind == "pandas" else None
    if source is not None and not all(isinstance(label, str) for label in source.columns):
        # scikit-learn refuses labels of several types
        _check_width(estimator, len(frame.names), reset)
        if reset and hasattr(estimator, "feature_names_in_"):
            del estimator.feature_names_in_
        return
    if source is not None and HAS_SKLEARN:
        validate_data(estimator, X=source, reset=reset, skip_check_array=True)
        return
    if not reset and hasattr(estimator, "feature_names_in_"):
        _check_same_names(list(estimator.feature_names_in_), frame.names)
    _check_width(estimator, len(frame.names), reset)
    if reset:
        estimator.feature_names_in_ = np.array(frame.names, object)


def _lacks_what_was_left_out(estimator: Any, names: list[str]) -> bool:
    """Whether a frame is one that was fitted but for columns that the model knows nothing of, as sampled rows are."""
    fitted = list(getattr(estimator, "feature_names_in_", []))
    absent = [name for name in fitted if name not in names]
    left_out = getattr(estimator, "left_out_", {})
    return len(absent) > 0 and all(name in left_out for name in absent) and all(name in fitted for name in names)


def _check_same_names(fitted: list[str], given: list[str]) -> None:
    absent = [name for name in fitted if name not in given]
    unknown = [name for name in given if name not in fitted]
    if absent or unknown:
        got = [
            *([f"no column {_first_of(absent)}"] if absent else []),
            *([f"the unknown column {_first_of(unknown)}"] if unknown else []),
        ]
        remedy = "Leave out what was not fitted" if not absent else "Give the same columns; their cells may be missing"
        raise RowsError(" and ".join(got), f"the {len(fitted)} columns that were fitted", f"{remedy}.", "X")


def _first_of(names: list[str]) -> str:
    return repr(names[0]) if len(names) == 1 else f"{names[0]!r} (and {len(names) - 1} more)"


def _check_width(estimator: Any, width: int, reset: bool) -> None:
    if reset:
        estimator.n_features_in_ = width
    elif width != estimator.n_features_in_:
        raise RowsError(
            f"{width} features", f"{estimator.n_features_in_}, as were fitted", "Give the same columns.", "X"
        )


__all__ = [
    "HAS_SKLEARN",
    "BaseEstimator",
    "ClassifierMixin",
    "DensityMixin",
    "NotFittedError",
    "OutlierMixin",
    "RegressorMixin",
    "TableEstimator",
    "TransformerMixin",
    "called_as_fitted",
    "checked_rows",
]
