"""
The command line that is inside this package, kept running as one process that answers requests (`orchard answer --help` describes its frames).

It starts with the first request, ends with Python, and is started again where it has gone. One request is under way at a time.
"""

from __future__ import annotations

import atexit
import json
import os
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import reduce
from operator import iadd
from typing import Any

import numpy as np

from .command_line import main_file, node
from .errors import NotToldError, OrchardError, ProcessError, RowsError, TrainingError, in_python

_PREFIX = struct.Struct("<II")
_KINDS = {"uint8": np.uint8, "int32": np.int32, "float64": np.float64}
_NAMES = {np.dtype(kind): name for name, kind in _KINDS.items()}
_CHUNK = 1 << 20
#: Seconds that a run may take to store what it has, and a question to be cancelled.
_GRACE_OF_RUN, _GRACE_OF_QUESTION = 60.0, 2.0
#: Seconds after which Python sees a signal that another thread took.
_LONGEST_WAIT = 1.0

Event = Callable[[Mapping[str, Any]], None]

#: Who hears how far an answer is, and how many threads work on it.
_working: ContextVar[tuple[Event | None, int | None]] = ContextVar("working", default=(None, None))


@contextmanager
def working(on_event: Event, threads: int | None) -> Iterator[None]:
    """Questions that are asked within take so many threads (None for all cores), and say to `on_event` how far they are."""
    before = _working.set((on_event, threads))
    try:
        yield
    finally:
        _working.reset(before)


def threads() -> int | None:
    return _working.get()[1]


def ask(operation: str, on_event: Event | None = None, **question: Any) -> dict[str, Any]:
    """
    The answer to a request; numpy arrays of uint8, int32 and float64 may stand anywhere in it and in the answer.

    On KeyboardInterrupt the work is stopped, and the interrupt goes on.
    """
    return _kept().ask(operation, on_event or _working.get()[0], question)


def is_at_hand() -> bool:
    """Whether there is a Node.js and a command line to ask, whether or not it runs yet."""
    try:
        return bool(node()) and main_file().exists()
    except OrchardError:
        return False


def close() -> None:
    """Ends the process, if there is one; the next request starts another."""
    global _process
    if _process is not None:
        _process.end()
    _process = None


class NotOpenError(OrchardError):
    """A model that is not open, or not open any longer."""


class _Stopped(KeyboardInterrupt):
    """A request that has stopped, as it was asked to."""


class _Process:
    def __init__(self) -> None:
        self.owner = os.getpid()
        self.lock = threading.Lock()
        self._number = 0
        #: The last request that has its answer.
        self._ended = 0
        self._received = bytearray()
        self._child = subprocess.Popen(
            [node(), str(main_file()), "answer"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            # Ctrl-C in a terminal reaches all of its processes: this one is asked to stop by a request
            start_new_session=sys.platform != "win32",
        )

    @property
    def is_there(self) -> bool:
        # a process that was forked from this one has pipes that are not its own
        return self.owner == os.getpid() and self._child.poll() is None

    def ask(self, operation: str, on_event: Event | None, question: Mapping[str, Any]) -> dict[str, Any]:
        with self.lock:
            self._number += 1
            number = self._number
            frame = _frame_of({"id": number, "operation": operation, **question})
            is_sent = False
            try:
                self._write(frame)
                is_sent = True
                return self._answer(number, on_event, None)
            except (BrokenPipeError, EOFError):
                self.end()
                raise ProcessError(
                    "an end of the process that answers", "an answer", "Ask again: it is started anew."
                ) from None
            except _Stopped:
                raise KeyboardInterrupt from None
            except OrchardError:
                raise
            except BaseException:
                # Ctrl-C, or a failure of whoever hears of events
                if is_sent:
                    self._cancel(number, _GRACE_OF_RUN if operation == "run" else _GRACE_OF_QUESTION)
                else:
                    # half of the request may be there
                    self._kill()
                raise

    def end(self) -> None:
        for stream in (self._child.stdin, self._child.stdout):
            if stream is not None:
                stream.close()
        if self.owner != os.getpid():
            # a copy of its pipes in a process that was forked: the process itself goes on
            return
        try:
            self._child.wait(timeout=1)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()

    def _cancel(self, number: int, grace: float) -> None:
        """Stops a request: what was done of a run is stored. A process that does not stop in time is killed."""
        if self._ended == number:
            return
        try:
            self._write(_frame_of({"id": number, "operation": "cancel"}))
            self._answer(number, None, time.monotonic() + grace)
        except (_Stopped, OrchardError):
            return
        except BaseException:
            # no end in time, or Ctrl-C again
            self._kill()

    def _kill(self) -> None:
        self._child.kill()
        self.end()

    def _write(self, frame: memoryview) -> None:
        assert self._child.stdin is not None
        while len(frame):
            frame = frame[self._child.stdin.write(frame) or 0 :]

    def _answer(self, number: int, on_event: Event | None, until: float | None) -> dict[str, Any]:
        while True:
            document = self._receive(until)
            # of a request that was given up
            if document.get("id") != number:
                continue
            if "answer" in document:
                answer: dict[str, Any] = document["answer"]
                return answer
            if "error" in document:
                raise _error_of(document["error"])
            if on_event is not None:
                on_event(document)

    def _receive(self, until: float | None) -> dict[str, Any]:
        self._fill(_PREFIX.size, until)
        json_bytes, part_bytes = _PREFIX.unpack_from(self._received)
        whole = _PREFIX.size + json_bytes + part_bytes
        self._fill(whole, until)
        text = bytes(self._received[_PREFIX.size : _PREFIX.size + json_bytes])
        parts = bytes(self._received[_PREFIX.size + json_bytes : whole])

        def value_of(value: dict[str, Any]) -> Any:
            if value.keys() != {"$part"}:
                return value
            kind, offset, length = value["$part"]
            return np.frombuffer(parts, _KINDS[kind], length // np.dtype(_KINDS[kind]).itemsize, offset).copy()

        document: dict[str, Any] = json.loads(text, object_hook=value_of)
        if "answer" in document or "error" in document:
            self._ended = document["id"]
        # last: what an interrupt leaves here is read again
        del self._received[:whole]
        return document

    def _fill(self, length: int, until: float | None) -> None:
        """Reads until so many bytes are there. An interrupt loses nothing of what came."""
        assert self._child.stdout is not None
        descriptor = self._child.stdout.fileno()
        while len(self._received) < length:
            seconds = _LONGEST_WAIT if until is None else min(_LONGEST_WAIT, until - time.monotonic())
            if not _is_readable(self._child.stdout, seconds):
                if until is not None and time.monotonic() >= until:
                    raise TimeoutError
                continue
            before = len(self._received)
            # one step to Python, which raises a KeyboardInterrupt between two: as two, it would lose what was read
            reduce(iadd, map(os.read, (descriptor,), (_CHUNK,)), self._received)
            if len(self._received) == before:
                raise EOFError


def _frame_of(document: Mapping[str, Any]) -> memoryview:
    """A request as bytes: its text, then its arrays."""
    parts: list[bytes] = []
    end = 0

    def part_of(value: Any) -> Any:
        nonlocal end
        if not isinstance(value, np.ndarray):
            raise TypeError(f"{type(value).__name__} has no place in a request")
        data = value.tobytes()
        said = {"$part": [_NAMES[value.dtype], end, len(data)]}
        parts.append(data + bytes(-len(data) % 8))
        end += len(parts[-1])
        return said

    text = json.dumps(document, default=part_of, allow_nan=False).encode()
    return memoryview(_PREFIX.pack(len(text), end) + text + b"".join(parts))


def _is_readable(stream: Any, seconds: float) -> bool:
    if sys.platform == "win32":
        return True
    import select

    return bool(select.select([stream], [], [], max(0.0, seconds))[0])


def _error_of(error: Mapping[str, Any]) -> BaseException:
    if error.get("code") == "interrupted":
        return _Stopped()
    if error.get("got") is None:
        return ProcessError(in_python(error.get("message")), "an answer", in_python(error.get("remedy")))
    got, expected, remedy = (in_python(error[part]) for part in ("got", "expected", "remedy"))
    where = error.get("where")
    if error["code"] == "missing":
        return NotOpenError(got, expected, remedy)
    is_beyond = error["code"] == "invalid-argument" and where in ("most_probable", "importance", "predict")
    kind = NotToldError if is_beyond else TrainingError if error["code"] is None else RowsError
    return kind(got, expected, remedy, None if where is None else in_python(where))


_process: _Process | None = None
_starting = threading.Lock()


def _kept() -> _Process:
    global _process
    with _starting:
        if _process is not None and not _process.is_there:
            _process.end()
            _process = None
        if _process is None:
            _process = _Process()
        return _process


atexit.register(close)
