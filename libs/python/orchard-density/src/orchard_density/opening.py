"""Reads models of all families."""

from __future__ import annotations

import os
from collections.abc import Callable

from .chow_liu import ChowLiu
from .cutset import Cutset
from .density_model import DensityModel
from .errors import ModelFileError
from .expert_sets import Compositional, Partition
from .forest_mixture import ForestMixture
from .marginals import Marginals
from .mixture import Mixture
from .model_file import ModelFile, parse, read_bytes
from .network import Network
from .sparn import Sparn
from .tables import TableMixture, TableModel

_FAMILIES: dict[str, Callable[[ModelFile], DensityModel]] = {
    "lbarn": Network,
    "marginals": Marginals,
    "tables": TableModel,
    "chow-liu": ChowLiu,
    "cutset": Cutset,
    "forest-mixture": ForestMixture,
    "sparn": Sparn,
    "compositional": Compositional,
    "partition": Partition,
    "mixture": lambda file: Mixture(file, _read) if file.table is None else TableMixture(file, _read),
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
    # other families learn tables too, and are read where they are of columns of 0 and 1
    is_other_table = file.table is not None and file.family not in ("tables", "mixture")
    if read is None or is_other_table:
        raise ModelFileError(
            f"a model of the family {file.family}{', of a table' if is_other_table else ''}",
            f"one of {', '.join(_FAMILIES)}{'; of tables the family tables and mixtures of it alone' if is_other_table else ''}",
            "Ask it by `orchard evaluate` and `orchard sample`, or install a later release of orchard-density.",
            where,
        )
    return read(file)
