"""What this package refuses, and why: what was got, what was expected, where, and what to do about it, in one sentence."""

from __future__ import annotations

import json
import re


class OrchardError(Exception):
    """Anything that this package refuses to do. `got`, `expected`, `where` and `remedy` are its parts."""

    def __init__(self, got: str, expected: str, remedy: str, where: str | None = None) -> None:
        self.got = got
        self.expected = expected
        self.where = where
        self.remedy = remedy
        place = "" if where is None else f"{where}: "
        super().__init__(f"{place}got {got}, expected {expected}. {remedy}")

    def __reduce__(self) -> tuple[type, tuple[str, str, str, str | None]]:
        return type(self), (self.got, self.expected, self.remedy, self.where)


class ModelFileError(OrchardError, ValueError):
    """A file that is not a model, is damaged, or was written by a later release."""


class NotToldError(OrchardError, NotImplementedError):
    """A question that models of a kind do not answer."""


class RowsError(OrchardError, ValueError):
    """Rows that do not fit the model, or that nothing can be learned from."""


class TrainingError(OrchardError, RuntimeError):
    """Training that could not begin or did not end well."""


class ProcessError(OrchardError, RuntimeError):
    """The command line that is inside this package could not answer."""


class NodeMissingError(TrainingError):
    """There is no Node.js to run the command line that is inside this package."""


class RowsWarning(UserWarning):
    """Something of the rows of a fit was left out, counted as missing, merged or guessed: `notes_` has all of it."""


class LowerBoundWarning(UserWarning):
    """What a model says of a row is a lower bound of its log-likelihood."""


class RulesWarning(UserWarning):
    """What a model answers need not follow the rules that it was trained with."""


class TrainingRowsWarning(UserWarning):
    """Rows are scored by a model that was trained on them: they look more usual than they are."""


class UntestedWarning(UserWarning):
    """Shares of gain were not tested against noise: some may be noise."""


#: Options of the command line that estimators have as parameters of another name.
_PARAMETERS = {
    "seed": "random_state",
    "threads": "n_jobs",
    "type": "kinds",
    "types": "kinds",
    "rule": "rules",
    "out": "run_dir",
    "valid": "X_valid",
}
#: Those of the same name, of estimators and of their methods.
_SAME = {
    "preset",
    "start",
    "leaves",
    "rounds",
    "shrinkage",
    "members",
    "budget",
    "valid-fraction",
    "given",
    "samples",
    "draws",
    "point",
    "points",
}
_SAME |= {"interval", "top", "verbose", "contamination", "run-dir"}
#: `--type NAME=KIND`; three dots stand for any kind.
_TYPE = re.compile(r"--types? (?P<name>[^=()]+?)=(?P<kind>…|[a-z]+)")
_MODEL = re.compile(r"--model (?P<name>[a-z][a-z-]+)")
#: `--variant NAME=VALUE`.
_VARIANT = re.compile(r"--variant (?=[a-z-]+)")
_OPTION = re.compile(r"--(?!help\b)(?P<name>[a-z][a-z0-9-]*)(?:=(?P<value>[\w.-]*\w))?")


def in_python(text: str | None) -> str:
    """
    What the command line says, in the words of this package: `valid_fraction` for --valid-fraction, `kinds={"zip": "categorical"}` for
    --type zip=categorical, and `options={"max_categories": …}` for an option that has no parameter.
    """
    said = _TYPE.sub(_kind, text or "")
    said = _MODEL.sub(lambda option: f'options={{"model": "{option["name"]}"}}', said)
    return _OPTION.sub(_parameter, _VARIANT.sub("--", said))


def _kind(option: re.Match[str]) -> str:
    name = "…" if option["name"] == "NAME" else json.dumps(option["name"], ensure_ascii=False)
    kind = option["kind"]
    if kind == "…":
        # any kind keeps the column: the one that fits the reason
        kind = "ordered" if " the rows" in option.string else "categorical"
    return f'kinds={{{name}: "{kind}"}}'


def _parameter(option: re.Match[str]) -> str:
    name = option["name"]
    if name in _PARAMETERS:
        return _PARAMETERS[name]
    own = name.replace("-", "_")
    return own if name in _SAME else f'options={{"{own}": {option["value"] or "…"}}}'
