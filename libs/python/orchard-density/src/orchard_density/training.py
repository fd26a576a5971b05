"""Training by the command line: on this machine, or on a cluster that it submits to."""

from __future__ import annotations

import csv
import hashlib
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from . import process
from .command_line import run
from .errors import OrchardError, RowsError, TrainingError, in_python
from .frames import Frame, merged_in
from .likely_name import remedy_of_name
from .progress import Progress
from .row_weights import weighed
from .secret import Secret
from .training_file import kinds_of, write_rows
from .words import VARIANTS, Kind

#: Unusual cells that are kept of an outlier.
MOST_CELLS = 10

#: Where fits that were interrupted left what they had, by what was asked: the same fit is continued there.
_unfinished: dict[str, Path] = {}


@dataclass(frozen=True)
class Trained:
    """A model's file, and what was decided about the rows that made it, a sentence each."""

    data: bytes
    notes: list[str]
    #: The page of the run; None where it has none.
    report: str | None


def train(
    rows: Any,
    valid: Any,
    options: Mapping[str, Any],
    *,
    engine: str,
    token: Secret | None,
    kinds: Mapping[str, str],
    rules: Sequence[str] = (),
    run_dir: str | None,
    verbose: bool | None,
    weights: NDArray[np.float64] | None = None,
) -> Trained:
    """A model of the rows. `options` are those of `orchard train`, by their names with underscores."""
    with _folder_of_rows() as folder:
        written, column = (rows, None) if weights is None else weighed(rows, weights)
        file = write_rows(written, folder, "rows")
        words = [*_words(options), *_types_of(rows, kinds, folder)]
        for rule in rules:
            words += ["--rule", rule]
        if column is not None:
            words += ["--row-weights", column]
        if valid is not None:
            words += ["--valid", str(write_rows(valid, folder, "valid"))]
        if engine == "local":
            out, remarks = _train_here(file, words, [folder], run_dir, verbose)
            return Trained(out.data, [*merged_in(rows), *_notes_of(remarks, folder, column)], out.report)
        if engine.startswith(("http://", "https://")):
            if "@" in urlsplit(engine).netloc:
                # it is not quoted: it would stand in logs
                raise TrainingError(
                    "an engine whose URL has a password in it",
                    "the URL alone, which everybody may see",
                    "Give the token by token= or the environment variable ORCHARD_TOKEN.",
                    "OrchardDensity",
                )
            out, remarks = _train_there(file, words, folder, engine, token, verbose)
            return Trained(out.data, [*merged_in(rows), *_notes_of(remarks, folder, column)], out.report)
    raise TrainingError(
        f"engine={engine!r}", "'local', or the URL of a coordinator", "Give one of these.", "OrchardDensity"
    )


def cross_fitted_scores(
    rows: Any,
    options: Mapping[str, Any],
    *,
    folds: int,
    explained: int,
    kinds: Mapping[str, str],
    verbose: bool | None = None,
) -> tuple[NDArray[np.float64], str, list[dict[str, Any]]]:
    """
    The anomaly score of each row by `orchard outliers`, by models that did not learn from the row, and the kind of model that was trained.

    options: those of the command; explained: how many rows, those of the highest scores, have their unusual cells in the last answer, each
    with `row`, from 1, and `cells`.
    """
    with _folder_of_rows() as folder:
        file = write_rows(rows, folder, "rows")
        scores = folder / "scores.csv"
        asked_for = [
            "--folds",
            str(folds),
            "--count",
            str(explained),
            "--top",
            str(MOST_CELLS),
            "--per-row",
            str(scores),
        ]
        words = [*asked_for, *_words(options), *_types_of(rows, kinds, folder)]
        with Progress(verbose, "training models that score rows they have not seen") as progress:

            def show(event: Mapping[str, Any]) -> None:
                # the file of scores is gone before anyone could look at it
                if str(folder) not in str(event.get("note", "")):
                    progress.show(event)

            said = process.ask("run", show, words=["outliers", str(file), *words])
        with scores.open(newline="", encoding="utf-8") as lines:
            found = np.array([line[1] for line in list(csv.reader(lines))[1:]], np.float64)
        return found, str(said["model"]), list(said["outliers"])


def _types_of(rows: Any, kinds: Mapping[str, str], folder: Path) -> list[str]:
    """The option that names the kinds of columns, where there is something to say."""
    known = rows.names if isinstance(rows, Frame) else [f"column {at + 1}" for at in range(rows.shape[1])]
    for name, kind in kinds.items():
        if kind not in get_args(Kind):
            raise RowsError(
                f"{kind!r} for the column {name!r}", ", ".join(get_args(Kind)), "Give one of these.", "kinds"
            )
        if str(name) not in known:
            raise RowsError(f"the column {name!r}", "a column of X", remedy_of_name(name, known), "kinds")
    said = {**(kinds_of(rows) if isinstance(rows, Frame) else {}), **{str(name): kind for name, kind in kinds.items()}}
    if not said:
        return []
    types = folder / "types"
    # as JSON, so that blanks and line breaks of a name are its own
    types.write_text("".join(f"{json.dumps(name)}={kind}\n" for name, kind in said.items()), encoding="utf8")
    return ["--types", str(types)]


def _train_here(
    file: Path, words: list[str], inputs: list[Path], run_dir: str | None, verbose: bool | None
) -> tuple[_Made, list[str]]:
    asked = _fingerprint(words, inputs)
    kept = Path(run_dir) if run_dir is not None else (_unfinished.pop(asked) if asked in _unfinished else None)
    out = kept if kept is not None else Path(tempfile.mkdtemp(prefix="orchard-run-"))
    is_ours = run_dir is None
    try:
        with Progress(verbose) as progress:
            # options come from the caller alone, whatever file of options lies in the folder
            asked_for = ["train", str(file), "--out", str(out), *words, "--no-config"]
            said = process.ask("run", progress.show, words=asked_for)
        made = _made_in(out)
    except KeyboardInterrupt:
        if is_ours:
            _unfinished[asked] = out
        where = f"in this process, or with run_dir={str(out)!r}," if is_ours else "with the same run_dir"
        print(f"orchard-density: stopped; the same fit continues {where} from what is trained", file=sys.stderr)
        raise
    except OrchardError:
        if is_ours:
            shutil.rmtree(out, ignore_errors=True)
        raise
    if is_ours:
        shutil.rmtree(out, ignore_errors=True)
    return made, said.get("remarks", [])


def _train_there(
    file: Path, words: list[str], folder: Path, server: str, token: Secret | None, verbose: bool | None
) -> tuple[_Made, list[str]]:
    environment = {"ORCHARD_SERVER": server, **({} if token is None else {"ORCHARD_TOKEN": token.reveal()})}
    try:
        with Progress(verbose, f"training at {server}"):
            status = run(["submit", str(file), "--watch", *words], verbose is True, environment)
    except KeyboardInterrupt:
        print(
            "orchard-density: stopped waiting; the cluster continues, and the same fit fetches what it made",
            file=sys.stderr,
        )
        raise
    run(["fetch", str(status["id"]), "--out", str(folder / "fetched")], verbose is True, environment)
    return _made_in(folder / "fetched"), status.get("remarks", [])


@dataclass(frozen=True)
class _Made:
    """What the folder of a run holds."""

    data: bytes
    report: str | None


def _made_in(run: Path) -> _Made:
    page = run / "report.html"
    return _Made((run / "network.msgpack").read_bytes(), page.read_text("utf-8") if page.exists() else None)


@contextmanager
def _folder_of_rows() -> Iterator[Path]:
    """A folder for files of rows, which errors call by the parameters that they were."""
    with tempfile.TemporaryDirectory(prefix="orchard-rows-") as temporary:
        folder = Path(temporary)
        try:
            yield folder
        except OrchardError as error:
            got, expected, remedy = (_by_parameter(part, folder) for part in (error.got, error.expected, error.remedy))
            where = None if error.where is None else _by_parameter(error.where, folder)
            raise type(error)(got, expected, remedy, where) from None


def _by_parameter(text: str, folder: Path) -> str:
    for name, parameter in (("rows", "X"), ("valid", "X_valid")):
        text = re.sub(rf"{re.escape(str(folder / name))}\.[a-z]+", parameter, text)
    return text


def _notes_of(remarks: list[str], folder: Path, weights: str | None) -> list[str]:
    """Remarks of the command line in the words of this package. weights: the name of their column, which X has not."""
    notes = [in_python(_by_parameter(remark.removeprefix("warning: "), folder)) for remark in remarks]
    return [note if weights is None else note.replace(f' by "{weights}"', " by sample_weight") for note in notes]


def _words(options: Mapping[str, Any]) -> list[str]:
    words: list[str] = []
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        if name in VARIANTS:
            flag = f"--variant={name.replace('_', '-')}"
        if name == "refit" and value == "again":
            words.append("--retrain")
        elif value is None or value is False:
            if name == "refit" and value is False:
                words.append("--no-refit")
        elif value is True:
            words.append(flag)
        else:
            said = ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
            words.append(f"{flag}={said}")
    return words


def _fingerprint(words: list[str], inputs: list[Path]) -> str:
    digest = hashlib.sha256()
    for folder in inputs:
        for path in sorted(folder.iterdir()):
            digest.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
        words = [word.replace(str(folder), "") for word in words]
    digest.update("\0".join(words).encode())
    return digest.hexdigest()
