"""Rows as an Arrow IPC stream, which the command line reads: written here, since it takes little and pyarrow is 40 MB."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from .column_type import WHOLE
from .errors import RowsError
from .frames import missing_in
from .labels import label_of

#: Rows of a record batch: what the reader holds at a time.
_BATCH_ROWS = 1 << 16
_CONTINUES = b"\xff\xff\xff\xff"
_VERSION_5 = 4
_SCHEMA, _RECORD_BATCH = 1, 3
_INT, _FLOATING_POINT, _UTF8, _BOOL, _DATE, _TIMESTAMP, _DURATION = 2, 3, 5, 6, 8, 10, 18
_DOUBLE, _DAY, _MICROSECOND = 2, 0, 2
_MICROSECONDS_OF_A_DAY = 86_400_000_000

#: A table of a flatbuffer: of each slot what kind of value it has and which, None where it has none.
_Slot = tuple[str, Any] | None
_SCALARS = {"u8": "<B", "bool": "<?", "i16": "<h", "i32": "<i", "i64": "<q"}


def write_arrow(path: Path, names: Sequence[str], columns: Sequence[NDArray[Any]], kinds: Sequence[str]) -> None:
    """Writes plain columns (numbers, truth values, datetime64, or objects with None where a cell is missing).

    Numbers of the kind "duration" are seconds, and those of the kind `WHOLE` whole numbers that are floats for the missing ones among them.
    """
    written = [_Column(column, kind) for column, kind in zip(columns, kinds, strict=True)]
    with path.open("wb") as file:
        fields = [
            [("string", name), ("bool", True), ("u8", column.type), ("table", column.type_slots), None, ("tables", [])]
            for name, column in zip(names, written, strict=True)
        ]
        _message(file, _SCHEMA, [("i16", 0), ("tables", fields)], [])
        rows = len(columns[0])
        for first in range(0, rows, _BATCH_ROWS):
            part = slice(first, min(rows, first + _BATCH_ROWS))
            buffers = [_buffers_of(name, column, part) for name, column in zip(names, written, strict=True)]
            _batch(file, part.stop - part.start, buffers)
        file.write(_CONTINUES + bytes(4))


class _Column:
    """A column and the Arrow type that it is written as."""

    def __init__(self, cells: NDArray[Any], said: str) -> None:
        kind = cells.dtype.kind
        self.type_slots: list[_Slot] = []
        if said == "duration":
            self.type = _DURATION
            self.type_slots = [("i16", _MICROSECOND)]
        elif kind == "b" or (kind == "O" and _all_bool(cells)):
            self.type = _BOOL
        elif kind == "f" and said != WHOLE:
            self.type = _FLOATING_POINT
            self.type_slots = [("i16", _DOUBLE)]
        elif kind in "iuf":
            self.type = _INT
            self.type_slots = [("i32", 64), ("bool", True)]
        elif kind == "M":
            moments = cells[~np.isnat(cells)].astype("M8[us]").astype(np.int64)
            # dates without a time of day are dates
            if (moments % _MICROSECONDS_OF_A_DAY == 0).all():
                self.type = _DATE
                self.type_slots = [("i16", _DAY)]
            else:
                self.type = _TIMESTAMP
                self.type_slots = [("i16", _MICROSECOND)]
        else:
            self.type = _UTF8
        self._cells = cells

    def buffers(self, part: slice) -> tuple[int, list[bytes]]:
        """How many cells are missing, and validity and values as Arrow has them in memory."""
        cells = self._cells[part]
        missing = missing_in(cells)
        count = int(missing.sum())
        validity = np.packbits(~missing, bitorder="little").tobytes() if count else b""
        if self.type == _BOOL:
            values = np.array([cell is not None and bool(cell) for cell in cells], bool)
            return count, [validity, np.packbits(values, bitorder="little").tobytes()]
        if self.type == _UTF8:
            texts = [b"" if cell is None else label_of(cell).encode() for cell in cells]
            ends = np.cumsum([0, *map(len, texts)]).astype("<i4")
            return count, [validity, ends.tobytes(), b"".join(texts)]
        if self.type == _DATE:
            return count, [validity, _without_nat(cells, "M8[D]").astype("<i4").tobytes()]
        if self.type == _TIMESTAMP:
            return count, [validity, _without_nat(cells, "M8[us]").astype("<i8").tobytes()]
        if self.type == _DURATION:
            microseconds = np.rint(np.where(missing, 0, cells) * 1e6)
            return count, [validity, microseconds.astype("<i8").tobytes()]
        if self.type == _FLOATING_POINT:
            return count, [validity, cells.astype("<f8").tobytes()]
        return count, [validity, (np.where(missing, 0, cells) if count else cells).astype("<i8").tobytes()]


def _buffers_of(name: str, column: _Column, part: slice) -> tuple[int, list[bytes]]:
    try:
        return column.buffers(part)
    except UnicodeEncodeError as error:
        raise RowsError(
            f"the text {error.object!r}, which holds half a character",
            "text that UTF-8 can write",
            "Read the file anew in its own encoding, or write the text otherwise: text.encode('utf-8', 'replace').decode().",
            f"X, column {name!r}",
        ) from None


def _all_bool(cells: NDArray[Any]) -> bool:
    return all(cell is None or isinstance(cell, (bool, np.bool_)) for cell in cells) and any(
        cell is not None for cell in cells
    )


def _without_nat(cells: NDArray[Any], unit: str) -> NDArray[np.int64]:
    numbers = cells.astype(unit).astype(np.int64)
    numbers[np.isnat(cells)] = 0
    return numbers


def _batch(file: BinaryIO, rows: int, columns: list[tuple[int, list[bytes]]]) -> None:
    nodes = b"".join(struct.pack("<qq", rows, missing) for missing, _ in columns)
    body = [buffer for _, buffers in columns for buffer in buffers]
    places, offset = [], 0
    for buffer in body:
        places.append(struct.pack("<qq", offset, len(buffer)))
        offset += len(buffer) + -len(buffer) % 8
    slots: list[_Slot] = [("i64", rows), ("structs", (len(columns), nodes)), ("structs", (len(body), b"".join(places)))]
    _message(file, _RECORD_BATCH, slots, body)


def _message(file: BinaryIO, kind: int, header: list[_Slot], body: list[bytes]) -> None:
    length = sum(len(buffer) + -len(buffer) % 8 for buffer in body)
    metadata = _flatbuffer([("i16", _VERSION_5), ("u8", kind), ("table", header), ("i64", length)])
    metadata += bytes(-len(metadata) % 8)
    file.write(_CONTINUES + struct.pack("<i", len(metadata)) + metadata)
    for buffer in body:
        file.write(buffer + bytes(-len(buffer) % 8))


def _flatbuffer(root: list[_Slot]) -> bytes:
    buffer = bytearray(4)
    struct.pack_into("<I", buffer, 0, _put_table(buffer, root))
    return bytes(buffer)


def _put_table(buffer: bytearray, slots: list[_Slot]) -> int:
    """Appends a table: its vtable, its own bytes, then what it points to. @returns where it begins"""
    offsets, size = [], 4
    for slot in slots:
        if slot is None:
            offsets.append(0)
            continue
        width = struct.calcsize(_SCALARS.get(slot[0], "<I"))
        size += -size % width
        offsets.append(size)
        size += width
    _align(buffer, 8, 4 + 2 * len(slots))
    vtable = len(buffer)
    buffer += struct.pack(f"<{2 + len(slots)}H", 4 + 2 * len(slots), size, *offsets)
    table = len(buffer)
    buffer += bytes(size)
    struct.pack_into("<i", buffer, table, table - vtable)
    for at, (kind, value) in _present(offsets, slots):
        if kind in _SCALARS:
            struct.pack_into(_SCALARS[kind], buffer, table + at, value)
        else:
            target = _put_value(buffer, kind, value)
            struct.pack_into("<I", buffer, table + at, target - (table + at))
    return table


def _present(offsets: list[int], slots: list[_Slot]) -> Iterator[tuple[int, tuple[str, Any]]]:
    for at, slot in zip(offsets, slots, strict=True):
        if slot is not None:
            yield at, slot


def _put_value(buffer: bytearray, kind: str, value: Any) -> int:
    if kind == "table":
        return _put_table(buffer, value)
    if kind == "string":
        text = value.encode()
        _align(buffer, 4, 0)
        place = len(buffer)
        buffer += struct.pack("<I", len(text)) + text + b"\0"
        return place
    if kind == "structs":
        count, data = value
        # elements of 8 bytes each, behind the length
        _align(buffer, 8, 4)
        place = len(buffer)
        buffer += struct.pack("<I", count) + data
        return place
    _align(buffer, 4, 0)
    place = len(buffer)
    buffer += struct.pack("<I", len(value)) + bytes(4 * len(value))
    for number, slots in enumerate(value):
        at = place + 4 + 4 * number
        struct.pack_into("<I", buffer, at, _put_table(buffer, slots) - at)
    return place


def _align(buffer: bytearray, width: int, before: int) -> None:
    """Pads so that what follows after `before` bytes begins at a multiple of the width."""
    buffer += bytes(-(len(buffer) + before) % width)
