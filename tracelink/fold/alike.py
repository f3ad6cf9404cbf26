"""Records that are like an example → facts, without going through the fold again.

The idea: the example is folded once, with stand-ins for what differs, and where a stand-in turns up in its fact stands the value in
theirs. That is sound as long as the fold takes a value over as it is, or leaves it out; a stand-in that was made into something
else is seen, and then there is no short way.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from types import CodeType
from typing import Any

from tracelink.fold.bodies import Bodies
from tracelink.model.facts import Fact
from tracelink.model.location import Origin
from tracelink.model.record import Example

Make = Callable[[Origin, tuple[Any, ...]], Fact]
"""The origin and the values of a record → its fact."""


class Worked(ValueError):
    """The fold made something of a stand-in, so that the fact of the example does not tell the facts of those like it."""


def maker(example: Example, fact: Fact, bodies: Bodies) -> Make:
    """The function for records like `example`, whose fact is `fact`. Its source is written out, as that of the rows of ids is."""
    scope: dict[str, Any] = {"new": tuple.__new__, "cls": fact.__class__, "share": bodies.share.setdefault}
    members = ", ".join(["at", *(_source(one, example, scope) for one in fact[1:])])
    exec(_code(f"def make(at, v):\n return new(cls, ({members}))"), scope)  # noqa: S102 - made of member names and numbers only
    made: Make = scope["make"]
    return made


@lru_cache(256)
def _code(source: str) -> CodeType:
    """Many examples differ by their constants only."""
    return compile(source, "<alike>", "exec")


def _source(value: Any, example: Example, scope: dict[str, Any]) -> str:
    """The expression for one member of the fact."""
    for number, stand_in in enumerate(example.stand_ins):
        if value.__class__ is stand_in.__class__ and value == stand_in:
            if number in example.numbers:
                return f"int(v[{number}])"
            return f"share(v[{number}], v[{number}])" if number in example.shared else f"v[{number}]"
    if value.__class__ is dict:
        return "{" + ", ".join(f"{name!r}: {_source(one, example, scope)}" for name, one in value.items()) + "}"
    if value is None or value is True or value is False:
        return repr(value)
    if value.__class__ in (str, int) and any(one in str(value) for one in _texts(example)):
        raise Worked
    name = f"c{len(scope)}"
    scope[name] = value
    return name


def _texts(example: Example) -> Iterator[str]:
    for one in example.stand_ins:
        yield str(next(iter(one))) if one.__class__ is dict else str(one)
