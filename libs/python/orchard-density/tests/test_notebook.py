"""The notebook runs from top to bottom, and shows its pictures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "examples").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    shown: list[int] = []
    monkeypatch.setattr(plt, "show", lambda: shown.append(len(plt.gcf().axes)))
    monkeypatch.chdir(path.parent)
    names: dict[str, Any] = {}
    for cell in json.loads(path.read_text())["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{path.name}, {cell['id']}", "exec"), names)
    assert len(shown) == 4
    # the three rows that were made odd
    assert sorted(names["order"][:3].tolist()) == [11, 24, 37]
    assert "% have a battery exactly where there is an e-bike" in capsys.readouterr().out
