"""Makes frozen, slotted values at a third of the price, for the few that a long recording needs by the hundred thousand.

A frozen dataclass sets each of its members through `object.__setattr__`. A value of a twin class with the same slots sets
them plainly, and becomes the frozen one by its class: the same object in every respect.
"""

from collections.abc import Callable
from dataclasses import fields, make_dataclass
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
    def become(value: Any) -> None:
        value.__class__ = cls

    names = [one.name for one in fields(cls)]
    return make_dataclass(cls.__name__, names, namespace={"__post_init__": become}, slots=True, eq=False, repr=False)
