"""Orchard's density models in Python: `load` reads one, `OrchardDensity` trains one."""

from importlib.metadata import PackageNotFoundError, version

from .alarms import Alarms, AlarmStream
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
    RulesWarning,
    TrainingError,
    TrainingRowsWarning,
    UntestedWarning,
)
from .estimator import OrchardDensity
from .imputer import OrchardImputer
from .opening import load
from .outliers import OrchardOutlierDetector
from .plotting import (
    AssociationsDisplay,
    ImportanceDisplay,
    OutliersDisplay,
    SamplesDisplay,
    plot_associations,
    plot_importance,
    plot_outliers,
    plot_samples,
)
from .predictors import OrchardClassifier, OrchardRegressor
from .report import Report
from .secret import Secret

try:
    __version__ = version("orchard-density")
except PackageNotFoundError:
    # imported from its sources, without being installed
    __version__ = "0+unknown"

__all__ = [
    "AlarmStream",
    "Alarms",
    "AssociationsDisplay",
    "Completed",
    "DensityModel",
    "ImportanceDisplay",
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
    "OutliersDisplay",
    "ProcessError",
    "Report",
    "RowsError",
    "RowsWarning",
    "RulesWarning",
    "SamplesDisplay",
    "Secret",
    "TrainingError",
    "TrainingRowsWarning",
    "UntestedWarning",
    "__version__",
    "load",
    "plot_associations",
    "plot_importance",
    "plot_outliers",
    "plot_samples",
]


def __dir__() -> list[str]:
    """What is public: modules and what they import are not."""
    return sorted([*__all__, "__all__", "__doc__", "__file__", "__name__", "__path__"])
