"""Models of tables: categories, numbers, dates, times and missing values, each value decided by a few binary decisions."""

from .table_mixture import TableMixture
from .table_model import TableModel
from .tabular_model import TabularModel

__all__ = ["TableMixture", "TableModel", "TabularModel"]
