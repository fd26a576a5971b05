"""
MLflow: a model logged as a `pyfunc` flavour, which MLflow's tools load and serve without knowing Orchard.

    import orchard_density.mlflow as orchard_mlflow

    info = orchard_mlflow.log_model(density, name="rentals")
    model = mlflow.pyfunc.load_model(info.model_uri)
    model.predict(rows)                                            # log P of each row, in nats
    model.predict(rows, params={"method": "complete", "seed": 1})  # rows with their missing values filled in

Needs `pip install mlflow-skinny` (or `mlflow`) and pandas.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from .density_model import DensityModel
from .errors import RowsError
from .estimator import OrchardDensity
from .opening import load

try:
    import mlflow.pyfunc
    from mlflow.models import Model, ModelSignature
    from mlflow.models.model import ModelInfo
    from mlflow.types import ParamSchema, ParamSpec
except ImportError as cause:
    raise ImportError("orchard_density.mlflow needs MLflow: pip install mlflow-skinny pandas") from cause

#: The name of the flavour in the file `MLmodel`.
FLAVOR_NAME = "orchard"
_FILE = "network.msgpack"
_METHODS = ("log_likelihood", "anomaly_scores", "explain", "sample", "complete", "predict", "predict_proba")
_PARAMETERS = ParamSchema(
    [
        ParamSpec("method", "string", "log_likelihood"),
        ParamSpec("seed", "long", 0),
        # of `sample`: rows
        ParamSpec("n", "long", 1),
        # of `complete`: mean, median or mode; empty for a sample
        ParamSpec("point", "string", ""),
        # of `predict` and `predict_proba`: the column
        ParamSpec("target", "string", ""),
        # of `explain`: cells of each row
        ParamSpec("top", "long", 3),
    ]
)


def save_model(model: Any, path: str | os.PathLike[str], mlflow_model: Any = None, **more: Any) -> None:
    """
    Writes a model as a folder of MLflow.

    model: an `OrchardDensity` that is fitted, a model that `load` gave, or the path of a model file or of a run's folder.
    path: a folder that does not exist or is empty.
    """
    folder = Path(path)
    if folder.exists() and any(folder.iterdir()):
        raise RowsError(f"{folder}, which is not empty", "a folder for the model", "Name another.", "path")
    data = _bytes_of(model)
    variables = load(data).variables
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _FILE).write_bytes(data)
    made = Model() if mlflow_model is None else mlflow_model
    if made.signature is None:
        # columns of a table have cells of several types: rows are checked by the model itself
        made.signature = ModelSignature(params=_PARAMETERS)
    made.metadata = {**(made.metadata or {}), "columns": variables}
    requirements = more.get("pip_requirements") or [_requirement(), "pandas"]
    (folder / "requirements.txt").write_text("".join(f"{line}\n" for line in requirements))
    mlflow.pyfunc.add_to_model(made, loader_module=__name__, data=_FILE, env={"virtualenv": "requirements.txt"})
    made.add_flavor(FLAVOR_NAME, data=_FILE)
    made.save(str(folder / "MLmodel"))


def log_model(model: Any, name: str = "model", **more: Any) -> ModelInfo:
    """
    Logs a model to the run of MLflow that is active, or to a new one.

    more: what `mlflow.models.Model.log` takes: registered_model_name, metadata, tags, …
    Gives MLflow's `ModelInfo`, whose `model_uri` loads it.
    """
    return Model.log(artifact_path=None, name=name, flavor=sys.modules[__name__], model=model, **more)


def load_model(model_uri: str) -> DensityModel:
    """The model of an URI of MLflow, with all that a `DensityModel` answers."""
    from mlflow.tracking.artifact_utils import _download_artifact_from_uri

    return load(Path(_download_artifact_from_uri(artifact_uri=model_uri)) / _FILE)


class _Predictor:
    """What `mlflow.pyfunc.load_model` asks."""

    def __init__(self, model: DensityModel) -> None:
        self.model = model

    def predict(self, model_input: Any, params: Mapping[str, Any] | None = None) -> Any:
        """log P of each row, in nats, shape (rows,); or what `params["method"]` names."""
        said = {spec.name: spec.default for spec in _PARAMETERS.params} | dict(params or {})
        method, seed = said["method"], int(said["seed"])
        if method not in _METHODS:
            raise RowsError(f"method={method!r}", ", ".join(_METHODS), "Give one of these.", "params")
        if method == "sample":
            # of 0/1 data an array, which a server cannot name the columns of
            rows = self.model.sample(int(said["n"]), seed)
            return _named(rows, self.model.variables)
        if method == "complete":
            return self.model.complete(model_input, seed, point=said["point"] or None)
        if method == "explain":
            return self.model.explain(model_input, int(said["top"]))
        if method == "predict":
            return self.model.predict(model_input, said["target"], seed)
        if method == "predict_proba":
            shares = self.model.predict_proba(model_input, said["target"], seed)
            return _named(shares, self.model.classes(said["target"]))
        return getattr(self.model, method)(model_input)


def _load_pyfunc(path: str) -> _Predictor:
    """What MLflow calls: the path of the model's file."""
    return _Predictor(load(path))


def _requirement() -> str:
    """This package, as it was installed: a name alone might be another's on an index, before this one is published there."""
    try:
        own = distribution("orchard-density")
    except PackageNotFoundError:
        raise RowsError(
            "orchard-density from its sources", "an installed package", "Give pip_requirements=.", "save_model"
        ) from None
    said = own.read_text("direct_url.json")
    return f"orchard-density=={own.version}" if said is None else f"orchard-density @ {json.loads(said)['url']}"


def _bytes_of(model: Any) -> bytes:
    if isinstance(model, OrchardDensity):
        if not hasattr(model, "model_bytes_"):
            raise RowsError("an estimator that is not fitted", "a model", "Call fit with rows first.", "model")
        return model.model_bytes_
    if isinstance(model, DensityModel):
        if model._asked is None:
            raise RowsError("a member of a mixture", "a model of its own file", "Log the mixture.", "model")
        return model._asked.data
    path = Path(model)
    return (path / _FILE if path.is_dir() else path).read_bytes()


def _named(rows: Any, names: list[str]) -> Any:
    """A frame: of columns by name, or of an array whose columns have those names."""
    import pandas

    if hasattr(rows, "columns"):
        return rows
    return pandas.DataFrame(rows, columns=None if isinstance(rows, dict) else names)
