"""Makes frozen, slotted values at a third of the price, for the few that a long recording needs by the hundred thousand.

A frozen dataclass sets each of its members through `object.__setattr__`. A value of a twin class with the same slots sets
them plainly, and becomes the frozen one by its class: the same object in every respect.
"""

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from typing import Any, ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")


def quick(cls: Callable[_P, _T]) -> Callable[_P, _T]:
    """The constructor of a frozen, slotted dataclass, but faster; all members are given by position."""
    made: Callable[_P, _T] = _maker(cls)
    return made


@cache
def _maker(cls: Any) -> Any:
    names = [one.name for one in fields(cls)]
    sets = "; ".join(f"self.{name} = {name}" for name in names)
    scope: dict[str, Any] = {"cls": cls}
    exec(f"def __init__(self, {', '.join(names)}): {sets}; self.__class__ = cls", scope)  # noqa: S102 - as dataclasses do it
    return type(cls.__name__, (), {"__slots__": tuple(names), "__init__": scope["__init__"]})
