"""scikit-learn's conventions, or the few lines of them that matter where it is not installed."""

from __future__ import annotations

import inspect
from typing import Any

from .bit_rows import is_frame, is_sparse
from .errors import RowsError
from .rows_given import as_array

try:
    from sklearn.base import BaseEstimator, DensityMixin
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import validate_data

    HAS_SKLEARN = True
except ImportError:
    HAS_SKLEARN = False

    class BaseEstimator:  # type: ignore[no-redef]
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
            said = [f"{name}={value!r}" for name, value in self.get_params().items() if value != defaults[name].default]
            return f"{type(self).__name__}({', '.join(said)})"

        def _parameters(self) -> list[str]:
            return list(inspect.signature(type(self)).parameters)

    class DensityMixin:  # type: ignore[no-redef]
        """Nothing beyond a name."""

    class NotFittedError(ValueError, AttributeError):  # type: ignore[no-redef]
        """Asked before it was fitted."""

    validate_data = None


def checked_rows(estimator: Any, X: Any, reset: bool) -> Any:
    """X as it may be fitted (`reset`) or asked about; sets or compares n_features_in_ and feature_names_in_."""
    if is_frame(X) and len(set(map(str, X.columns))) < len(X.columns):
        raise RowsError("two columns of one name", "columns of different names", "Rename them.", "X")
    if isinstance(X, (list, tuple)):
        X = as_array(X)
    if HAS_SKLEARN:
        if is_frame(X):
            validate_data(estimator, X=X, reset=reset, skip_check_array=True)
            if reset and len(X) < 2:
                raise RowsError(f"{len(X)} sample(s) (n_samples={len(X)})", "2 at least", "Give more rows.", "X")
            return X
        return validate_data(
            estimator,
            X=X,
            reset=reset,
            dtype=None,
            accept_sparse=["csr", "csc", "coo"],
            ensure_all_finite="allow-nan",
            ensure_min_samples=2 if reset else 1,
        )
    rows = X if is_frame(X) or is_sparse(X) else as_array(X)
    if rows.ndim != 2 or rows.shape[1] == 0:
        raise RowsError(f"rows of shape {rows.shape}", "(rows, columns)", "Reshape them.", "X")
    if reset:
        if rows.shape[0] < 2:
            raise RowsError(f"n_samples={rows.shape[0]}", "2 at least", "Give more rows.", "X")
        estimator.n_features_in_ = rows.shape[1]
    elif rows.shape[1] != estimator.n_features_in_:
        raise RowsError(
            f"{rows.shape[1]} features", f"{estimator.n_features_in_}, as were fitted", "Give the same columns.", "X"
        )
    return rows


__all__ = ["HAS_SKLEARN", "BaseEstimator", "DensityMixin", "NotFittedError", "checked_rows"]
