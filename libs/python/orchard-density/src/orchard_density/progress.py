"""How far training is, on standard error or in a notebook."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import TracebackType
from typing import Any


class Progress:
    """Shows the events of a run: a bar where tqdm is installed, else lines; nothing unless `verbose`."""

    def __init__(self, verbose: bool) -> None:
        self._verbose = verbose
        self._bar: Any = None
        self._stage: str | None = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def show(self, event: Mapping[str, Any]) -> None:
        """Takes an event of the process."""
        if not self._verbose:
            return
        progress = event.get("progress")
        tqdm = _tqdm()
        if tqdm is None or progress is None:
            note = str(event.get("note", "")).rstrip("\n")
            # a bar shows the same
            if note and (tqdm is None or self._bar is None):
                print(note, file=sys.stderr)
            return
        tasks = progress["tasks"]
        if progress["stage"] != self._stage:
            self._close()
            self._stage = progress["stage"]
        if tasks["total"] == 0:
            return
        if self._bar is None:
            self._bar = tqdm(total=tasks["total"], unit=f" {tasks['called']}", desc=progress["state"])
        self._bar.update(tasks["done"] - self._bar.n)
        if progress["logLikelihood"] is not None:
            self._bar.set_postfix_str(f"{progress['logLikelihood']:.4g} nats per row")

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        self._bar = None


def _tqdm() -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm
