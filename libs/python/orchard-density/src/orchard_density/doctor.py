"""What `python -m orchard_density doctor` prints: what is installed, and what to do for what is not."""

from __future__ import annotations

import platform
import time
from importlib import metadata
from pathlib import Path

from . import process
from .command_line import main_file, node
from .errors import OrchardError

#: Packages that something needs which the package itself does not bring: what for, and what installs it.
_OPTIONAL = {
    "pandas": "frames in, frames out",
    "matplotlib": "plot_outliers, plot_associations, plot_importance, plot_samples",
    "scikit-learn": "pipelines and searches",
    "tqdm": "progress as a bar",
    "numba": "small batches several times as fast",
    "scipy": "sparse rows",
    "polars": "its frames",
    "pyarrow": "its tables",
    "duckdb": "its relations, with pyarrow",
    "mlflow-skinny": "orchard_density.mlflow",
}


def doctor() -> int:
    """Prints what is there. Gives 0 where everything works that needs no other package, 1 otherwise."""
    print(f"orchard-density {version_of('orchard-density') or 'from its sources'}, in {Path(__file__).parent}")
    print(f"Python {platform.python_version()}, numpy {version_of('numpy')}, msgpack {version_of('msgpack')}")
    is_well = _command_line_works()
    print("\nAlso used where they are installed:")
    for name, use in _OPTIONAL.items():
        found = version_of(name) or (version_of("mlflow") if name == "mlflow-skinny" else None)
        print(f"  {name:<14}{found or 'no':<10}{use}{'' if found else f': pip install {name}'}")
    return 0 if is_well else 1


def version_of(package: str) -> str | None:
    """The version of an installed package."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _command_line_works() -> bool:
    try:
        print(f"command line: {main_file()}")
        print(f"Node.js: {node()}")
        started = time.monotonic()
        # to ask for any model is answered by the process itself
        process.ask("close", model="")
        print(f"it answers after {time.monotonic() - started:.1f} s: training and all questions work")
    except OrchardError as error:
        print(f"not working: {error}")
        print(
            "Without it: models of lbarn, tables and mixtures of them are read, scored and sampled; nothing is trained."
        )
        return False
    return True
