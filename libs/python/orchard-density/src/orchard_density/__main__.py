"""`python -m orchard_density doctor`: what of this package works here."""

from __future__ import annotations

import sys

from .doctor import doctor

_USAGE = "usage: python -m orchard_density doctor   (shows what is installed, and what to do for what is not)"


def main(words: list[str]) -> int:
    if words == ["doctor"]:
        return doctor()
    is_help = words in ([], ["--help"], ["-h"])
    print(_USAGE, file=sys.stdout if is_help else sys.stderr)
    return 0 if is_help else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
