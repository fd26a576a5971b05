"""Orchard's density models in Python: `load` reads one, `OrchardDensity` trains one."""

from importlib.metadata import PackageNotFoundError, version

from .density_model import Completed, DensityModel
from .errors import (
    LowerBoundWarning,
    ModelFileError,
    NodeMissingError,
    NotToldError,
    OrchardError,
    ProcessError,
    RowsError,
    RowsWarning,
    TrainingError,
    TrainingRowsWarning,
)
from .estimator import OrchardDensity
from .imputer import OrchardImputer
from .opening import load
from .outliers import OrchardOutlierDetector
from .predictors import OrchardClassifier, OrchardRegressor

try:
    __version__ = version("orchard-density")
except PackageNotFoundError:
    # imported from its sources, without being installed
    __version__ = "0+unknown"

__all__ = [
    "Completed",
    "DensityModel",
    "LowerBoundWarning",
    "ModelFileError",
    "NodeMissingError",
    "NotToldError",
    "OrchardClassifier",
    "OrchardDensity",
    "OrchardError",
    "OrchardImputer",
    "OrchardOutlierDetector",
    "OrchardRegressor",
    "ProcessError",
    "RowsError",
    "RowsWarning",
    "TrainingError",
    "TrainingRowsWarning",
    "load",
]
