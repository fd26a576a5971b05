"""Models of tables: categories, numbers, dates and holes, each value decided by a few binary decisions."""

from .table_model import TableModel

__all__ = ["TableModel"]
