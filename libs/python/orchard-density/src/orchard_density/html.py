"""What notebooks show of an estimator, a model or an answer."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .labels import is_missing, label_of

_MOST_ROWS = 20
_LEFT = "style='text-align:left'"
_FILLED = "style='background:#f585183d'"


def table_of(title: str, facts: Mapping[str, str]) -> str:
    """A title and a table of what is known."""
    rows = "".join(
        f"<tr><th {_LEFT}>{escape(name)}</th><td {_LEFT}>{escape(value)}</td></tr>" for name, value in facts.items()
    )
    return f"<div><b>{escape(title)}</b><table>{rows}</table></div>"


def completed_html(rows: Any, filled: NDArray[np.bool_] | None, low: Any, high: Any, evidence: NDArray[Any]) -> str:
    """The first rows of a completion: the cells that were filled in are marked, with the ends of their intervals."""
    shown = rows[0] if isinstance(rows, list) else rows
    names, columns = _columns(shown)
    ends = [None if end is None else _columns(end)[1] for end in (low, high)]
    lines = []
    for row in range(min(_MOST_ROWS, len(evidence))):
        cells = []
        for at, column in enumerate(columns):
            is_filled = filled is not None and bool(filled[row, at])
            text = _shown(column[row])
            if is_filled and ends[0] is not None and ends[1] is not None:
                between = [_shown(own[at][row]) for own in ends if own is not None]
                text = f"{text} <small>{between[0]} … {between[1]}</small>"
            cells.append(f"<td{' ' + _FILLED if is_filled else ''}>{text}</td>")
        lines.append(f"<tr>{''.join(cells)}<td>{evidence[row]:.4g}</td></tr>")
    head = "".join(f"<th>{escape(name)}</th>" for name in [*names, "log evidence"])
    more = len(evidence) - _MOST_ROWS
    what = f"Completed {len(evidence)} rows" + (
        f", the first of {len(rows)} completions" if isinstance(rows, list) else ""
    )
    rest = f"<p>and {more} more rows: <code>rows</code> has all</p>" if more > 0 else ""
    return f"<div><b>{what}</b>; filled-in cells are marked<table><tr>{head}</tr>{''.join(lines)}</table>{rest}</div>"


def _columns(rows: Any) -> tuple[list[str], list[list[Any]]]:
    """The names and the first cells of the columns of a frame or an array."""
    if hasattr(rows, "iloc"):
        first = rows.iloc[:_MOST_ROWS]
        return [str(name) for name in rows.columns], [first.iloc[:, at].tolist() for at in range(first.shape[1])]
    if hasattr(rows, "to_pydict"):
        cells = rows.slice(0, _MOST_ROWS).to_pydict()
        return list(cells), list(cells.values())
    if hasattr(rows, "fetchmany"):
        return list(rows.columns), [list(column) for column in zip(*islice(rows.fetchall(), _MOST_ROWS), strict=True)]
    if hasattr(rows, "to_dict"):
        cells = rows.head(_MOST_ROWS).to_dict(as_series=False)
        return list(cells), list(cells.values())
    array = rows.toarray() if hasattr(rows, "toarray") else np.asarray(rows)
    return [str(at + 1) for at in range(array.shape[1])], [column[:_MOST_ROWS].tolist() for column in array.T]


def _shown(cell: Any) -> str:
    if is_missing(cell):
        return ""
    return escape(f"{cell:.6g}" if isinstance(cell, float) else label_of(cell))
