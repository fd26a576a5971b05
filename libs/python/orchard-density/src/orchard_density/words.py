"""What parameters may be, so that editors offer it and type checkers find what is misspelt."""

from __future__ import annotations

from typing import Literal

Preset = Literal["default", "paper", "accurate", "single-tree"]
#: What a column is; excluded ones are left out.
Kind = Literal["binary", "categorical", "ordered", "excluded"]
Point = Literal["mean", "median", "mode"]
#: Of an imputer, which may sample too.
PointOrSample = Literal["mean", "median", "mode", "sample"]
Unit = Literal["strength", "nats"]
