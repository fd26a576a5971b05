"""What Orchard itself says of some models: `test/packages/python.test.ts` writes it, and runs these tests against the installed wheel."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from orchard_density import process, training

_SAID = "ORCHARD_SAID"
_train_here = training._train_here


@pytest.fixture(scope="session", autouse=True)
def no_pages() -> Iterator[None]:
    """Without the page of its run a small fit takes a fifth less, and one test looks at it: by `pages`."""

    def pageless(file: Path, words: list[str], inputs: list[Path], run_dir: str | None, verbose: bool | None) -> Any:
        return _train_here(file, words if run_dir is not None else [*words, "--no-report"], inputs, run_dir, verbose)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "_train_here", pageless)
        yield


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fits have pages, as they have without these tests."""
    monkeypatch.setattr(training, "_train_here", _train_here)


@pytest.fixture(autouse=True)
def numpy_alone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What numpy itself answers is compared by the tests of files: the process is asked for what it alone knows."""
    if request.path.parent.name == "files":
        monkeypatch.setattr(process, "is_at_hand", lambda: False)


def _folder() -> Path:
    if _SAID not in os.environ:
        pytest.exit(f"Nothing says what Orchard says of its models ({_SAID}): run these tests by npm test.", 2)
    return Path(os.environ[_SAID])


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for kind in ("bits", "table"):
        if kind in metafunc.fixturenames:
            names = sorted(path.stem for path in (_folder() / kind).glob("*.json"))
            metafunc.parametrize(kind, names, indirect=True)


class Said:
    """A model's file, and what the original says of it."""

    def __init__(self, path: Path) -> None:
        self.file = path.with_suffix(".msgpack")
        self.told: dict[str, Any] = json.loads(path.read_text())

    def __getitem__(self, key: str) -> Any:
        return self.told[key]


def said_of_bits(name: str) -> Said:
    """Of one model of rows of 0 and 1."""
    return Said(_folder() / "bits" / f"{name}.json")


@pytest.fixture
def bits(request: pytest.FixtureRequest) -> Said:
    return said_of_bits(request.param)


def said_of_table(name: str) -> Said:
    """Of one model of a table."""
    return Said(_folder() / "table" / f"{name}.json")


@pytest.fixture
def table(request: pytest.FixtureRequest) -> Said:
    return said_of_table(request.param)


@pytest.fixture(scope="session")
def rentals() -> Path:
    """The table of the made-up bike shop."""
    return Path(os.environ["ORCHARD_EXAMPLES"]) / "rentals.csv"
