"""Parameters that say something of columns or options by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .errors import RowsError


def mapping_of(parameter: str, said: Any, example: str) -> Mapping[Any, Any]:
    """What was said, an empty one where nothing was. Raises where it has no names, as a text or a row of a frame."""
    if said is None:
        return {}
    if isinstance(said, Mapping):
        return said
    raise RowsError(
        f"a {type(said).__name__}", f"a dict, {example}", "dict(…) makes one of pairs or a row of a frame.", parameter
    )
