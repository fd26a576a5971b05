"""What this package refuses, and why: what was got, what was expected, where, and what to do about it, in one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager


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


class LowerBoundWarning(UserWarning):
    """What a model says of a row is a lower bound of its log-likelihood."""


class TrainingRowsWarning(UserWarning):
    """Rows are scored by a model that was trained on them: they look more usual than they are."""


@contextmanager
def damaged(where: str, expected: str) -> Iterator[None]:
    """Says of what contradicts itself in a file, a ValueError, that the file is damaged."""
    try:
        yield
    except OrchardError:
        raise
    except ValueError as cause:
        raise ModelFileError(str(cause), expected, "Get the file again from where it was made.", where) from cause


#: Options that scikit-learn has other words for.
_WORDS = {"seed": "random_state", "threads": "n_jobs"}


def in_python(text: str | None) -> str:
    """Options as this package calls them: valid_fraction for --valid-fraction."""
    return re.sub(r"--([a-z][a-z0-9-]*)", lambda option: _WORDS.get(option[1], option[1].replace("-", "_")), text or "")
