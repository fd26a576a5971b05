"""Files whose bytes are whole, but that say what cannot be, are refused in a sentence, by numpy or by the process."""

from __future__ import annotations

import hashlib
import zlib
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


def test_a_file_that_unpacks_to_far_more_than_itself_is_refused_before_it_does() -> None:
    def packed(width: int, planes: bytes) -> bytes:
        deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
        return bytes([width, 0]) + deflate.compress(planes) + deflate.flush()

    dimensions = len(_body("named", "ordering", "u1"))
    trees = 2**23
    bomb = _rewritten(
        "named",
        version=5,
        ordering=packed(1, bytes(range(dimensions))),
        startOdds=packed(8, bytes(8 * dimensions)),
        treeCounts=packed(4, np.full(dimensions, trees, "<u4").view(np.uint8).reshape(-1, 4).T.tobytes()),
        splitCounts=packed(1, bytes(trees * dimensions)),
    )
    assert len(bomb) < 2**20
    with pytest.raises(ModelFileError, match="^the model: got arrays that unpack to .* bytes or more, in a file of"):
        orchard_density.load(bomb)
