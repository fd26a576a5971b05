"""What the cells of a column are beyond numbers, texts and moments, so that values of a model become such cells again."""

from __future__ import annotations

import datetime
import decimal
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .moment_words import moment_from_text

#: Of numbers: whole ones with missing ones among them, which a model knows as floats.
WHOLE = "whole"
_IN_MICROSECONDS = {"type": "duration", "digits": 6}
#: Of hours and minutes alone.
_SHORT = {"type": "duration", "digits": 6, "clock": {"seconds": False, "padded": False}}


@dataclass(frozen=True)
class ColumnType:
    """What the cells of a column are, beyond the numbers, texts and moments that a model knows."""

    #: number, bool, text, label, moment, date, time, duration, decimal or period.
    kind: str
    #: Of labels: the cell that each text stands for.
    labels: Mapping[str, Any] = field(default_factory=dict)
    #: Of moments: the name of their time zone; of decimals: digits behind the point; of periods: their frequency; of numbers: `WHOLE` or None.
    detail: Any = None
    #: Of labels: texts that stand for several different cells, as 1 and "1".
    merged: tuple[str, ...] = ()
    #: The type in its frame, to which cells are converted.
    dtype: Any = None

    def cells(self, values: Sequence[Any]) -> list[Any]:
        """Values of a model (numbers, texts of labels and moments, None where missing) as cells."""
        restore = _RESTORED.get(self.kind, _same)
        return [None if value is None else restore(self, value) for value in values]


def _same(_: ColumnType, value: Any) -> Any:
    return value


def _number(kind: ColumnType, value: Any) -> Any:
    if kind.detail != WHOLE:
        return value
    # those that no float holds are labels
    is_text = isinstance(value, str) and value.lstrip("+-").isdigit()
    is_whole = is_text or (isinstance(value, float) and value.is_integer())
    return int(value) if is_whole else value


def _label(kind: ColumnType, value: Any) -> Any:
    return kind.labels.get(str(value), value)


def _moment(kind: ColumnType, value: Any) -> Any:
    moment = value if isinstance(value, datetime.datetime) else _moment_of(str(value))
    return moment if kind.detail is None else moment.replace(tzinfo=datetime.timezone.utc)


def _moment_of(text: str) -> datetime.datetime:
    return datetime.datetime.fromisoformat(_in_microseconds(text.replace("Z", "+00:00"))).replace(tzinfo=None)


def time_of(text: str) -> datetime.time:
    """A time of day, as models write it."""
    return datetime.time.fromisoformat(_in_microseconds(text))


def _in_microseconds(text: str) -> str:
    """The same with six digits of a second where it has any: Python 3.10 reads three or six and no others."""
    return re.sub(r"\.(\d{1,6})\d*", lambda digits: f".{digits[1]:0<6}", text)


def duration_of(value: Any) -> datetime.timedelta:
    """Seconds, or the text of a model that knows durations."""
    if isinstance(value, datetime.timedelta):
        return value
    if not isinstance(value, str):
        return datetime.timedelta(seconds=float(value))
    form = _IN_MICROSECONDS if math.isnan(moment_from_text(value, _SHORT)) else _SHORT
    return datetime.timedelta(microseconds=moment_from_text(value, form))


def _period(kind: ColumnType, value: Any) -> Any:
    import pandas

    return pandas.Period(_moment_of(str(value)), freq=kind.detail)


def _bool(_: ColumnType, value: Any) -> Any:
    return (
        value
        if isinstance(value, bool)
        else {"True": True, "False": False, "1": True, "0": False}.get(str(value), value)
    )


_RESTORED: dict[str, Callable[[ColumnType, Any], Any]] = {
    "number": _number,
    "label": _label,
    "moment": _moment,
    "date": lambda _, value: _moment_of(str(value)).date(),
    "time": lambda _, value: time_of(str(value)),
    "duration": lambda _, value: duration_of(value),
    "decimal": lambda kind, value: decimal.Decimal(repr(float(value))).quantize(
        decimal.Decimal(1).scaleb(-kind.detail)
    ),
    "period": _period,
    "bool": _bool,
    "text": lambda _, value: str(value),
}
