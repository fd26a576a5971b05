"""The README and the docstrings say what runs."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path
from typing import Any

import pytest

README = Path(__file__).parents[1] / "README.md"


# the four lines of the project's README and the examples of docstrings are run every time
@pytest.mark.nightly
def test_the_readme_runs(rentals: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(rentals.parent)
    names: dict[str, Any] = {}
    (program,) = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    exec(compile(program, README.name, "exec"), names)
    assert len(names["detector"].labels_) == len(names["rentals"])
    assert 40 <= len(README.read_text().splitlines()) <= 60


@pytest.mark.parametrize("module", ["estimator", "outliers", "imputer", "predictors"])
def test_the_examples_of_docstrings_are_so(module: str) -> None:
    result = doctest.testmod(importlib.import_module(f"orchard_density.{module}"))
    assert result.attempted > 0
    assert result.failed == 0
