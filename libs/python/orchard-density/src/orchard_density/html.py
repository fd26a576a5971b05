"""What notebooks show of an estimator or a model."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape


def table_of(title: str, facts: Mapping[str, str]) -> str:
    """A title and a table of what is known."""
    rows = "".join(
        f"<tr><th style='text-align:left'>{escape(name)}</th><td style='text-align:left'>{escape(value)}</td></tr>"
        for name, value in facts.items()
    )
    return f"<div><b>{escape(title)}</b><table>{rows}</table></div>"
