"""Reads models of all families."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import Any

from .asking import Asked
from .bits_model import AskedBits
from .density_model import DensityModel
from .errors import LowerBoundWarning, ModelFileError, OrchardError
from .mixture import Mixture
from .model_file import LATEST_VERSION, ModelFile, ModelHead, UnpackingRoom, parse, read_bytes, version_of
from .network import Network
from .remarks import warn_caller
from .tables import TableMixture, TableModel, TabularModel

#: Families that numpy alone answers for.
_READ: dict[str, Callable[[ModelFile], DensityModel]] = {
    "lbarn": Network,
    "tables": TableModel,
    "mixture": lambda file: (Mixture if file.table is None else TableMixture)(file, partial(_read, file.body.room)),
}


def load(source: str | os.PathLike[str] | bytes) -> DensityModel:
    """
    Reads a model that Orchard trained: the path of a `network.msgpack`, of a run's folder, or the bytes themselves.

    Models of `lbarn`, `tables` and mixtures of them are read by numpy; others are asked of the command line that is inside this package.
    Raises ModelFileError for what is no model, is damaged, or was written by a later release. Warns of a model whose likelihoods are bounds.
    """
    data, where = read_bytes(source)
    asked = Asked(data)
    # a version that only the command line knows yet
    model = _open(asked, where) if version_of(data) > LATEST_VERSION else _model_of(parse(data, where), asked)
    model._asked = asked
    return model


def _model_of(file: ModelFile, asked: Asked) -> DensityModel:
    read = _READ.get(file.family)
    if read is None or (file.family == "mixture" and not _is_of_read(file)):
        return _open(asked, file.where)
    return read(file)


def _is_of_read(file: ModelFile) -> bool:
    """Whether the members of a mixture are of families that numpy answers for."""
    count = len(file.body.bytes("weights")) // 8
    families = {parse(file.body.bytes(f"member{at}"), f"{file.where}, member {at}").family for at in range(count)}
    return families <= {"lbarn"} or families <= {"tables"}


def _open(asked: Asked, where: str) -> DensityModel:
    """A model that the process answers for, checked by it."""
    try:
        said = asked.open()
    except OrchardError as cause:
        raise ModelFileError(cause.got, cause.expected, cause.remedy, where) from cause
    if said["likelihoodIs"] is not None:
        warn_caller(
            f"{where}: its log-likelihoods are lower bounds; the true ones are higher by an unknown amount",
            LowerBoundWarning,
        )
    names = said["variables"] if said["isNamed"] else None
    head = ModelHead(
        family=said["family"],
        dimensions=len(said["variables"]),
        names=names,
        shape=said["shape"] and tuple(said["shape"]),
        table=said["table"],
        specification=said["specification"],
        likelihoods=said["likelihoods"],
        where=where,
    )
    return AskedBits(head) if said["rows"] == "bits" else AskedTable(head)


class AskedTable(TabularModel):
    """A model of a table of a family that is not repeated in Python: everything is asked of the kept process."""


def _read(room: UnpackingRoom, data: bytes, where: str) -> Any:
    file = parse(data, where, room)
    return _READ[file.family](file)
