"""A parameter that is a secret: it is used, but never shown and never written to a file."""

from __future__ import annotations

from typing import Any


class Secret:
    """
    A text such as a token. Its `repr` does not show it, so that no notebook and no log does.

    A pickle does not hold it either: what is read from one is None, as if nothing had been given. A copy in the same process, such as
    scikit-learn's `clone` makes, is the secret itself.
    """

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """The text itself."""
        return self._text

    def __repr__(self) -> str:
        return "Secret(…)"

    def __copy__(self) -> Secret:
        return self

    def __deepcopy__(self, _: Any) -> Secret:
        return self

    def __reduce__(self) -> tuple[Any, tuple[()]]:
        return _forgotten, ()


class SecretParameter:
    """A parameter of an estimator that is kept as a `Secret`, whether the constructor, `set_params` or an old pickle sets it."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        if self._name not in vars(instance):
            raise AttributeError(f"{type(instance).__name__!r} object has no attribute {self._name!r}")
        # pickles of before 0.2 hold the text
        value = vars(instance)[self._name]
        if isinstance(value, str):
            self.__set__(instance, value)
        return vars(instance)[self._name]

    def __set__(self, instance: Any, value: str | Secret | None) -> None:
        # scikit-learn looks for parameters among the attributes, by their names
        vars(instance)[self._name] = Secret(value) if isinstance(value, str) else value


def _forgotten() -> None:
    return None
