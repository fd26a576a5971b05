"""How far training is: as a bar in terminals and notebooks, as lines elsewhere."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Any

#: What takes longer gives a sign of life where nothing was said of `verbose`.
_QUIET_SECONDS = 5.0
_BAR = 20


class Progress:
    """
    Shows the events of a run on standard error: all of them where `verbose`, none where it is False, and where it is None how far the run is once
    it has taken five seconds.

    The bar is tqdm's where that is installed, and looks like it otherwise. Where nobody looks, as in a file of logs, it is one line. So it is of
    what has no events.
    """

    def __init__(self, verbose: bool | None, doing: str = "training", *, has_events: bool = True) -> None:
        self._verbose = verbose
        self._doing = doing
        self._has_events = has_events
        self._started = time.monotonic()
        self._is_shown = verbose is True
        self._lock = threading.RLock()
        self._last: Mapping[str, Any] | None = None
        self._bar: Any = None
        self._stage: str | None = None
        self._timer = threading.Timer(_QUIET_SECONDS, self._sign_of_life)
        self._timer.daemon = True

    def __enter__(self) -> Progress:
        if self._verbose is None or (self._verbose and not self._has_events):
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        with self._lock:
            self._is_shown = False
            self._close()

    def show(self, event: Mapping[str, Any]) -> None:
        """Takes an event of the process."""
        progress = event.get("progress")
        with self._lock:
            if progress is not None:
                self._last = progress
            if self._is_shown and is_watched():
                if progress is not None:
                    self._draw(progress)
                elif self._verbose is True:
                    self._print(event)
            elif self._verbose is True:
                self._print(event)

    def _sign_of_life(self) -> None:
        with self._lock:
            self._is_shown = True
            if is_watched() and self._last is not None:
                self._draw(self._last)
            else:
                more = (
                    "verbose=True shows more, verbose=False nothing"
                    if self._has_events
                    else "verbose=False says nothing"
                )
                print(f"orchard-density: {self._doing} ({more})", file=sys.stderr)

    def _print(self, event: Mapping[str, Any]) -> None:
        note = str(event.get("note", "")).rstrip("\n")
        # a bar shows the same
        if note and self._bar is None:
            print(note, file=sys.stderr)

    def _draw(self, progress: Mapping[str, Any]) -> None:
        tasks = progress["tasks"]
        if progress["stage"] != self._stage:
            self._close()
            self._stage = progress["stage"]
        if tasks["total"] == 0:
            return
        if self._bar is None:
            bar = _tqdm() or _Bar
            self._bar = bar(total=tasks["total"], unit=f" {tasks['called']}", desc=progress["state"])
        self._bar.update(tasks["done"] - self._bar.n)
        if progress["logLikelihood"] is not None:
            self._bar.set_postfix_str(f"{progress['logLikelihood']:.4g} nats per row")

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        self._bar = None


class _Bar:
    """As much of tqdm as is needed where it is not installed."""

    def __init__(self, total: int, unit: str, desc: str) -> None:
        self.n = 0
        self._total, self._unit, self._desc = total, unit, desc
        self._postfix = ""
        self._started = time.monotonic()
        self._width = 0

    def update(self, more: int) -> None:
        self.n += more
        self._write()

    def set_postfix_str(self, text: str) -> None:
        self._postfix = f", {text}"
        self._write()

    def close(self) -> None:
        print(file=sys.stderr, flush=True)

    def _write(self) -> None:
        share = self.n / self._total
        full = "█" * round(share * _BAR)
        seconds = int(time.monotonic() - self._started)
        line = (
            f"{self._desc}: {share:4.0%}|{full:<{_BAR}}| {self.n}/{self._total}{self._unit} "
            f"[{seconds // 60:02d}:{seconds % 60:02d}{self._postfix}]"
        )
        print(f"\r{line:<{self._width}}", end="", file=sys.stderr, flush=True)
        self._width = len(line)


def is_notebook() -> bool:
    """Whether a notebook runs this."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return getattr(shell, "kernel", None) is not None


def is_watched() -> bool:
    """Whether somebody sees standard error as it is written: in a terminal, or a notebook."""
    return is_notebook() or bool(getattr(sys.stderr, "isatty", lambda: False)())


def _tqdm() -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm
