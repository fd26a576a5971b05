"""Columns of cells that are made when they are asked for: lists of all columns at a time take some hundred bytes a row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any


class MadeColumns(Mapping[str, list[Any]]):
    """Lists of cells by column. Nothing of them is kept: a column that is asked for again is made again, and is the same."""

    def __init__(self, makers: Mapping[str, Callable[[], list[Any]]]) -> None:
        self._makers = dict(makers)

    def __getitem__(self, name: str) -> list[Any]:
        return self._makers[name]()

    def __contains__(self, name: object) -> bool:
        return name in self._makers

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)

    def changed(self, change: Callable[[str, list[Any]], list[Any]]) -> MadeColumns:
        """The same columns with each list as `change(name, cells)` makes it."""
        return MadeColumns({name: _changing(name, maker, change) for name, maker in self._makers.items()})

    def chosen(self, names: list[str], others: Mapping[str, Callable[[], list[Any]]]) -> MadeColumns:
        """Those of the names that are here or among others, in that order."""
        every = {**self._makers, **others}
        return MadeColumns({name: every[name] for name in names if name in every})


def _changing(
    name: str, maker: Callable[[], list[Any]], change: Callable[[str, list[Any]], list[Any]]
) -> Callable[[], list[Any]]:
    return lambda: change(name, maker())
