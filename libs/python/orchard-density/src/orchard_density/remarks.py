"""What was decided about rows without being asked for: said as warnings where the caller's own line stands."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence

from .errors import RowsWarning

_PACKAGE = __name__.split(".", maxsplit=1)[0]
#: Remarks that a warning quotes.
_MOST_QUOTED = 8


def warn_of_rows(notes: Sequence[str]) -> None:
    """One warning of all that is to be known of the rows of a fit."""
    if not notes:
        return
    more = len(notes) - _MOST_QUOTED
    lines = [*notes[:_MOST_QUOTED], *([f"and {more} more"] if more > 0 else [])]
    warn_caller("decided about the columns (all of it is in notes_):\n  " + "\n  ".join(lines), RowsWarning)


def warn_caller(message: str, category: type[Warning]) -> None:
    """Warns at the line that called this package, however deep in it the reason was found."""
    depth = 1
    while _is_within(depth):
        depth += 1
    warnings.warn(message, category, stacklevel=depth + 1)


def _is_within(depth: int) -> bool:
    try:
        # one more than what called: this function has a frame of its own
        name = sys._getframe(depth + 1).f_globals.get("__name__", "")
    except ValueError:
        return False
    return name == _PACKAGE or name.startswith(f"{_PACKAGE}.")
