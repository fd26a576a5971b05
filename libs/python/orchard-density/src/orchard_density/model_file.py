"""The file of a model: an envelope that is alike for models of every family, and arrays of the family's (libs/core/model/FORMAT.md)."""

from __future__ import annotations

import builtins
import hashlib
import os
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgpack
import numpy as np
from numpy.typing import NDArray

from .errors import ModelFileError

_MAGIC = "orchard network"
_NETWORK_ARRAYS = (
    "ordering", "startOdds", "treeCounts", "splitCounts", "splitLeaf", "splitPredictor", "splitGain", "leafFactor",
)  # fmt: skip
#: What `parse` reads.
LATEST_VERSION = 26
_AGAIN = "Get the file again from where it was made."
#: What packed arrays of 8 bytes a number may unpack to (FORMAT.md); files of trained models have less than 11 times their bytes.
_MOST_TIMES = 64
_ALWAYS_ALLOWED = 2**26


class UnpackingRoom:
    """How many bytes may still be unpacked of one file, over all of its arrays and those of its members."""

    def __init__(self, file_bytes: int, where: str) -> None:
        self._file_bytes = file_bytes
        self._where = where
        self._most = self._left = _ALWAYS_ALLOWED + _MOST_TIMES * file_bytes

    def take(self, numbers: int) -> None:
        self._left -= 8 * numbers
        if self._left < 0:
            raise ModelFileError(
                f"arrays that unpack to {self._most - self._left} bytes or more, in a file of {self._file_bytes}",
                f"at most {self._most}, {_MOST_TIMES} times the file and 64 MiB",
                "No training writes such a file: get it again from where it was made, and do not open it if you do not know who made it.",
                self._where,
            )


class Body:
    """The arrays of a family, by name; packed in files of the versions 5, 8, 10, 12, 14, 16, 18, 20, 22, 24 and 26."""

    def __init__(self, arrays: dict[str, Any], where: str, room: UnpackingRoom, is_packed: bool = False) -> None:
        self._arrays = arrays
        self._where = where
        self.room = room
        self._is_packed = is_packed

    def has(self, key: str) -> bool:
        """Whether there is an array of that name, where a family writes it for some of its models alone."""
        return key in self._arrays

    def bytes(self, key: str) -> bytes:
        array = self._arrays.get(key)
        if isinstance(array, bytes):
            return array
        raise self._damaged(key, "no bytes", "bytes")

    def floats(self, key: str, count: int) -> NDArray[np.float64]:
        array = self.bytes(key)
        if self._is_packed:
            numbers, shift = self._unpacked(key, array, count)
            return (numbers << np.uint64(shift)).view(np.float64)
        if len(array) != 8 * count:
            raise self._damaged(key, f"{len(array)} bytes", f"{count} numbers of 8 bytes each")
        return np.frombuffer(array, "<f8").astype(np.float64)

    def integers(self, key: str, count: int) -> NDArray[np.int64]:
        array = self.bytes(key)
        if self._is_packed:
            return self._unpacked(key, array, count)[0].astype(np.int64)
        width = len(array) // count if count else 0
        if len(array) != width * count or (count and width not in (1, 2, 4)):
            raise self._damaged(key, f"{len(array)} bytes", f"{count} integers of 1, 2 or 4 bytes each")
        return np.frombuffer(array, f"<u{width or 1}").astype(np.int64)

    def _unpacked(self, key: str, array: builtins.bytes, count: int) -> tuple[NDArray[np.uint64], int]:
        """Whole numbers, of which the file has the lowest bytes of all, then the next, and the bits that are left out below them."""
        self.room.take(count)
        width, shift = array[:2]
        try:
            planes = zlib.decompress(array[2:], -zlib.MAX_WBITS, max(1, width * count))
        except zlib.error:
            planes = b""
        if not (1 <= width <= 8 and len(planes) == width * count):
            raise self._damaged(key, f"{len(array)} bytes", f"{count} numbers, packed")
        numbers = np.zeros((count, 8), np.uint8)
        numbers[:, :width] = np.frombuffer(planes, np.uint8).reshape(width, count).T
        return numbers.view("<u8").astype(np.uint64)[:, 0], shift

    def _damaged(self, key: str, got: str, expected: str) -> ModelFileError:
        return ModelFileError(got, expected, _AGAIN, f"{self._where}, {key}")


@dataclass(frozen=True)
class ModelHead:
    """What is said of a model, whatever its family."""

    family: str
    dimensions: int
    names: list[str] | None
    shape: tuple[int, int] | None
    table: dict[str, Any] | None
    specification: Any
    likelihoods: dict[str, float | None]
    where: str


@dataclass(frozen=True)
class ModelFile(ModelHead):
    """A model file as far as all families are alike."""

    body: Body


def read_bytes(source: str | os.PathLike[str] | bytes) -> tuple[bytes, str]:
    """The bytes of a model, and what messages call them: of a file, of a run's folder, or themselves."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source), "the model"
    if not isinstance(source, (str, os.PathLike)):
        raise ModelFileError(
            f"a {type(source).__name__}",
            "the path of a model, of a run's folder, or the bytes of a model",
            "Give one of these.",
        )
    path = Path(source)
    if path.is_dir():
        path = path / "network.msgpack"
    try:
        return path.read_bytes(), str(path)
    except OSError as cause:
        raise ModelFileError(
            f"{path}, which cannot be read ({cause.strerror})",
            "the file of a model, or the folder of a run",
            "Check the path.",
        ) from cause


def version_of(data: bytes) -> int:
    """The version that a file says it has; 0 of what says none."""
    # {"magic": "orchard network", "version": …
    at = data.find(b"\xa7version", 0, 64)
    byte = data[at + 8] if at >= 0 and at + 8 < len(data) else 0
    return byte if byte < 128 else 0


def parse(data: bytes, where: str, room: UnpackingRoom | None = None) -> ModelFile:
    """Reads a file of version 1 to 26 and checks that it is whole; what a member unpacks to is of its mixture's room."""
    room = room or UnpackingRoom(len(data), where)
    try:
        file = msgpack.unpackb(data, strict_map_key=True)
    except Exception as cause:
        raise ModelFileError(
            _looks_like(data), "the file of a model, network.msgpack of a run", "Check the path.", where
        ) from cause
    if not isinstance(file, dict) or file.get("magic") != _MAGIC:
        raise ModelFileError(
            "msgpack of another kind", "the file of a model, network.msgpack of a run", "Check the path.", where
        )
    version = file.get("version")
    if version == 1:
        arrays = {key: file.get(key) for key in _NETWORK_ARRAYS}
        return _model_file("lbarn", file, file, arrays, where, room)
    # 3, 4, 6, 7 and 9 are 2 with more that columns may be, 5, 8 and 10 are the same with arrays that are packed
    if version not in range(2, LATEST_VERSION + 1):
        raise ModelFileError(
            f"version {version}", f"version 1 to {LATEST_VERSION}", "Install a later release of orchard-density.", where
        )
    if file.get("checksum") != data[-32:] or hashlib.sha256(memoryview(data)[:-32]).digest() != data[-32:]:
        raise ModelFileError("bytes that do not fit their SHA-256", "the bytes that were written", _AGAIN, where)
    return _model_file(file["family"], file["variables"], file, file["body"], where, room)


def _model_file(
    family: str,
    variables: dict[str, Any],
    file: dict[str, Any],
    arrays: dict[str, Any],
    where: str,
    room: UnpackingRoom,
) -> ModelFile:
    shape = variables["shape"]
    return ModelFile(
        family=family,
        dimensions=variables["dimensions"],
        names=variables["names"],
        shape=None if shape is None else (shape[0], shape[1]),
        table=variables.get("table"),
        specification=file["specification"],
        likelihoods=file["likelihoods"],
        body=Body(arrays, where, room, file["version"] in (5, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26)),
        where=where,
    )


def _looks_like(data: bytes) -> str:
    if not data:
        return "an empty file"
    if data[:2] == b"\x1f\x8b":
        return "a file that is compressed by gzip"
    return "bytes that msgpack cannot decode"
