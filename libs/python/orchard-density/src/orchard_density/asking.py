"""Questions that are put to a model by the kept process."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from . import process


class Asked:
    """A model as the process knows it: by the hash of its file, which it is given where it has not got it."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.key = hashlib.sha256(data).hexdigest()

    def ask(self, operation: str, **question: Any) -> dict[str, Any]:
        """The answer to a question of this model."""
        try:
            return process.ask(operation, model=self.key, **question)
        except process.NotOpenError:
            self.open()
            return process.ask(operation, model=self.key, **question)

    def open(self) -> dict[str, Any]:
        """What the model is."""
        return process.ask("open", model=np.frombuffer(self.data, np.uint8))
