"""
Hatchling's build backend, once the command line is inside.

In a clone, `pip install ./libs/python/orchard-density` has Node.js build the command line first, which takes a minute or two where nothing is built
yet (`pip --verbose` shows it). Elsewhere, as in a source distribution, it is there already.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling import build as hatchling
from hatchling.build import (
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
]

_HERE = Path(__file__).resolve().parent
_CLONE = _HERE.parents[2]
_MANIFEST = _HERE / "src" / "orchard_density" / "cli" / "package.json"


def build_wheel(folder: str, settings: Any = None, metadata: str | None = None) -> str:
    _complete()
    return hatchling.build_wheel(folder, settings, metadata)


def build_editable(folder: str, settings: Any = None, metadata: str | None = None) -> str:
    _complete()
    return hatchling.build_editable(folder, settings, metadata)


def build_sdist(folder: str, settings: Any = None) -> str:
    _complete()
    return hatchling.build_sdist(folder, settings)


def _complete() -> None:
    """Makes what is built and not kept, and says what the version is: that of the command line inside."""
    if (_CLONE / "infra" / "pack" / "complete-sources.mjs").exists():
        _build_command_line()
    elif not _MANIFEST.exists():
        sys.exit(
            "orchard-density: the command line is not inside these sources. In a clone of Orchard, run: npm run python"
        )
    os.environ["ORCHARD_VERSION"] = json.loads(_MANIFEST.read_text())["version"]


def _build_command_line() -> None:
    node = shutil.which("node")
    if node is None:
        sys.exit(
            "orchard-density: no Node.js on PATH, which builds the command line inside. "
            "Install Node.js 20.13 or later with npm (nodejs.org), then install again."
        )
    made = subprocess.run([node, "infra/start.mjs", "infra/pack/complete-sources.mjs", str(_HERE)], cwd=_CLONE)
    if made.returncode != 0:
        sys.exit("orchard-density: the command line could not be built (see above). In the clone, run: npm run python")
