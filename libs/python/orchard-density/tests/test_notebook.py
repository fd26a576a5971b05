"""The notebooks run from top to bottom, show their pictures, and find what they say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
NOTEBOOKS = ("missing-values", "outliers", "samples")


def test_each_notebook_is_tested() -> None:
    assert sorted(path.stem for path in EXAMPLES.glob("*.ipynb")) == list(NOTEBOOKS)


def _cells(notebook: str) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads((EXAMPLES / f"{notebook}.ipynb").read_text())["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def _run(notebook: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The names that the cells leave behind, once each cell has drawn as many pictures as the file shows."""
    shown: list[int] = []
    monkeypatch.setattr(plt, "show", lambda: shown.append(len(plt.gcf().axes)))
    monkeypatch.chdir(EXAMPLES)
    names: dict[str, Any] = {}
    for cell in _cells(notebook):
        before = len(shown)
        exec(compile("".join(cell["source"]), f"{notebook}, {cell['id']}", "exec"), names)
        pictures = sum("image/png" in output.get("data", {}) for output in cell["outputs"])
        assert len(shown) - before == pictures, cell["id"]
    assert len(shown) > 0
    plt.close("all")
    return names


def _printed(notebook: str) -> str:
    outputs = [output for cell in _cells(notebook) for output in cell["outputs"]]
    return "".join("".join(output["text"]) for output in outputs if output["output_type"] == "stream")


@pytest.mark.nightly
def test_outliers_are_found_by_models_that_have_not_seen_them(monkeypatch: pytest.MonkeyPatch) -> None:
    names = _run("outliers", monkeypatch)
    # the three rows that break the rules
    assert sorted(names["order"][:3].tolist()) == [11, 24, 37]
    own = names["model"].anomaly_scores(names["rentals"])
    assert names["detector"].decision_scores_.mean() > own.mean()


@pytest.mark.nightly
def test_missing_values_are_filled_in(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    names = _run("missing-values", monkeypatch)
    assert not names["guess"][["price", "tariff", "bike"]].isna().any().any()
    assert names["error"] <= 1
    assert names["right"]["tariff"] > 0.9
    assert capsys.readouterr().out == _printed("missing-values")


def test_samples_keep_the_rules(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    names = _run("samples", monkeypatch)
    assert set(names["rain"]["weather"]) == {"rain"}
    assert names["rain"]["age"].between(18, 25).all()
    assert capsys.readouterr().out == _printed("samples")
