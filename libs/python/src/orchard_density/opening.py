"""Reads models of all families."""

from __future__ import annotations

import os
from collections.abc import Callable

from .density_model import DensityModel
from .errors import ModelFileError
from .marginals import Marginals
from .mixture import Mixture
from .model_file import ModelFile, parse, read_bytes
from .network import Network
from .tables import TableModel

_FAMILIES: dict[str, Callable[[ModelFile], DensityModel]] = {
    "lbarn": Network,
    "marginals": Marginals,
    "tables": TableModel,
    "mixture": lambda file: Mixture(file, _read),
}


def load(source: str | os.PathLike[str] | bytes) -> DensityModel:
    """
    Reads a model that Orchard trained: the path of a `network.msgpack`, of a run's folder, or the bytes themselves.

    Raises ModelFileError for what is no model, is damaged, or was written by a later release.
    """
    return _read(*read_bytes(source))


def _read(data: bytes, where: str) -> DensityModel:
    file = parse(data, where)
    read = _FAMILIES.get(file.family)
    if read is None:
        raise ModelFileError(
            f"a model of the family {file.family}",
            f"one of {', '.join(_FAMILIES)}",
            "Ask it by `orchard evaluate` and `orchard sample`, or install a later release of orchard-density.",
            where,
        )
    return read(file)
