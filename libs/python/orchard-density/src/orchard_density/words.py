"""What parameters may be, so that editors offer it and type checkers find what is misspelt."""

from __future__ import annotations

from typing import Literal

Preset = Literal["default", "paper", "accurate", "single-tree"]
#: Where trees start: "linear" and "auto" are of tables, "logistic" is of rows of 0 and 1.
Start = Literal["auto", "linear", "base-rate", "half", "logistic"]
#: Options that the command line has behind one flag, `--variant`.
VARIANTS = ("gradients", "start_penalty", "dropout", "exclusive", "max_predictors", "near_predictors")
#: What a column is; excluded ones are left out.
Kind = Literal["binary", "categorical", "ordered", "excluded"]
Point = Literal["mean", "median", "mode"]
#: Of an imputer, which may sample too.
PointOrSample = Literal["mean", "median", "mode", "sample"]
Unit = Literal["strength", "nats"]
