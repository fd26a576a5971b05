"""Orchard's density models in Python: `load` reads one, `OrchardDensity` trains one."""

from importlib.metadata import version

from .density_model import Completed, DensityModel
from .errors import ModelFileError, NodeMissingError, NotToldError, OrchardError, RowsError, TrainingError
from .estimator import OrchardDensity
from .opening import load

__version__ = version("orchard-density")

__all__ = [
    "Completed",
    "DensityModel",
    "ModelFileError",
    "NodeMissingError",
    "NotToldError",
    "OrchardDensity",
    "OrchardError",
    "RowsError",
    "TrainingError",
    "load",
]
