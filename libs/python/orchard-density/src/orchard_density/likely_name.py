"""What a misspelt name may have been meant to be."""

from __future__ import annotations

import json
from collections.abc import Iterable
from difflib import get_close_matches

#: Names that are listed where none is alike.
_MOST_LISTED = 8


def remedy_of_name(name: object, names: Iterable[object]) -> str:
    """Asks for the most alike of the names; lists the first of them where none is alike."""
    known = [str(each) for each in names]
    alike = get_close_matches(str(name), known, n=1)
    if alike:
        return f"Did you mean {json.dumps(alike[0], ensure_ascii=False)}?"
    more = ", …" if len(known) > _MOST_LISTED else ""
    return f"Take one of {', '.join(known[:_MOST_LISTED])}{more}."
