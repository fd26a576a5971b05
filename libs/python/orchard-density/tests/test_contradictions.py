"""Files whose bytes are whole, but that say what cannot be, are refused in a sentence, by numpy or by the process."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgpack
import numpy as np
import pytest

import orchard_density
from conftest import said_of_bits
from orchard_density import ModelFileError


def _rewritten(name: str, **changed: Any) -> bytes:
    """The file of a model with other entries, and the checksum of what it says then."""
    file = msgpack.unpackb(said_of_bits(name).file.read_bytes())
    for key, value in changed.items():
        (file if key in file else file["body"])[key] = value
    data: bytes = msgpack.packb(file)
    return data[:-32] + hashlib.sha256(data[:-32]).digest()


def _body(name: str, key: str, kind: str) -> Any:
    return np.frombuffer(msgpack.unpackb(said_of_bits(name).file.read_bytes())["body"][key], kind).copy()


def test_a_file_that_is_written_anew_without_a_change_is_read() -> None:
    assert orchard_density.load(_rewritten("chow-liu")).family == "chow-liu"


def test_a_family_that_is_not_known_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "network.msgpack"
    path.write_bytes(_rewritten("chow-liu", family="orchid"))
    with pytest.raises(ModelFileError, match=r"network\.msgpack: got .*orchid.*, expected "):
        orchard_density.load(path)


def test_what_the_process_refuses_is_said_of_the_file() -> None:
    parents = _body("chow-liu", "parents", "u1")
    parents[[0, 1]] = [2, 1]
    with pytest.raises(ModelFileError, match="^the model: got .*, expected "):
        orchard_density.load(_rewritten("chow-liu", parents=parents.tobytes()))


def test_an_ordering_that_is_none_is_refused_by_numpy() -> None:
    ordering = _body("named", "ordering", "u1")
    with pytest.raises(ModelFileError, match="^the model: got an ordering that is none"):
        orchard_density.load(_rewritten("named", ordering=np.zeros_like(ordering).tobytes()))
