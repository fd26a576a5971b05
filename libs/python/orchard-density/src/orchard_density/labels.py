"""What single cells are: missing or not, and how they are called as labels and in messages."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np

from .moment_words import write_moment


def is_missing(cell: Any) -> bool:
    """None, NaN, NaT, pandas.NA, or a text of no length."""
    # pandas.NA is neither equal to itself nor not
    return cell is None or type(cell).__name__ in ("NAType", "NaTType") or cell != cell or cell == ""


def label_of(cell: Any) -> str:
    """What a cell is called as a label: as pandas writes it to a file."""
    if isinstance(cell, (bool, np.bool_)):
        return "True" if cell else "False"
    if isinstance(cell, (float, np.floating)):
        return repr(float(cell))
    if isinstance(cell, datetime.time):
        return cell.isoformat()
    if isinstance(cell, datetime.timedelta):
        return text_of_duration(cell)
    if hasattr(cell, "isoformat"):
        text = str(cell.isoformat(" ") if hasattr(cell, "hour") else cell.isoformat())
        return text.removesuffix(" 00:00:00")
    return str(cell)


def text_of_duration(duration: datetime.timedelta) -> str:
    """As pandas writes it: "1 days 02:30:00", "-1 days +23:59:30"."""
    digits = 6 if duration.microseconds else 0
    units = duration // datetime.timedelta(microseconds=10 ** (6 - digits))
    return write_moment(units, {"type": "duration", "digits": digits})


def shown(cell: Any) -> str:
    """A cell in a message: without the types that NumPy has of its own."""
    return repr(cell.item() if isinstance(cell, np.generic) else cell)
