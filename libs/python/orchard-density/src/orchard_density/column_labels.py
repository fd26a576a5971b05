"""Labels of columns that are no texts, or empty ones: whole numbers, or the tuples of a MultiIndex. A model knows them by their texts."""

from __future__ import annotations

from typing import Any

from .frames import Frame


class ColumnLabels:
    """What the columns of a frame of pandas were called, so that answers call them so again."""

    def __init__(self, rows: Any) -> None:
        self._index: Any = None
        self._places: dict[str, int] = {}
        if not isinstance(rows, Frame) or rows.kind != "pandas" or rows.source is None:
            return
        labels = rows.source.columns
        if labels.nlevels > 1 or not all(isinstance(label, str) and label for label in labels):
            self._index = labels
            self._places = {name: place for place, name in enumerate(rows.names)}

    def of_columns(self, frame: Any) -> Any:
        """A frame whose columns, and whose index where that holds columns too, have texts: with the labels instead."""
        if self._index is None or not hasattr(frame, "iloc"):
            return frame
        named = frame.set_axis(self._taken(frame.columns), axis=1)
        is_square = list(frame.index) == list(frame.columns)
        return named.set_axis(self._taken(frame.index), axis=0) if is_square else named

    def of_cells(self, listing: Any) -> Any:
        """A listing that names columns in cells of its column `column`."""
        if self._index is None or not hasattr(listing, "iloc"):
            return listing
        labels = listing["column"].map({name: self._index[place] for name, place in self._places.items()})
        return listing.assign(column=labels)

    def _taken(self, names: Any) -> Any:
        return self._index.take([self._places[name] for name in names])
