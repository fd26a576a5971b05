"""What single cells are: missing or not, and how they are called as labels and in messages."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np


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
    sign = "+" if duration.days < 0 else ""
    seconds = duration.seconds
    clock = f"{seconds // 3600:02d}:{seconds % 3600 // 60:02d}:{seconds % 60:02d}"
    fraction = f".{duration.microseconds:06d}" if duration.microseconds else ""
    return f"{duration.days} days {sign}{clock}{fraction}"


def shown(cell: Any) -> str:
    """A cell in a message: without the types that NumPy has of its own."""
    return repr(cell.item() if isinstance(cell, np.generic) else cell)
