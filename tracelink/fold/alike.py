"""Records that are like an example → facts, without going through the fold again.

The idea: the example is folded once, with stand-ins for what differs, and where a stand-in turns up in its fact stands the value in
theirs. That is sound as long as the fold takes a value over as it is, or leaves it out. `read/mold.py` lets nothing else differ; should the
two ever part, a stand-in that was made into something else raises `Worked` (`tests/read/test_alike.py`) instead of giving a wrong fact.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from types import CodeType
from typing import Any, NamedTuple

from tracelink.model.facts import Fact
from tracelink.model.location import Origin
from tracelink.model.record import Alikes, Example
from tracelink.model.recording import USED, Recordings

Make = Callable[[Origin, tuple[Any, ...]], Fact]
"""The origin and the values of a record → its fact."""

Share = Callable[[Any, Any], Any]
"""The `setdefault` of a dictionary of ids, so that each is held once."""


KEPT = 128
"""Examples held at once: each holds its record, as large as that may be."""


class Worked(ValueError):
    """The fold made something of a stand-in, so that the fact of the example does not tell the facts of those like it."""


class Folded(NamedTuple):
    """An example and its fact. session: which value is the id of the session, or -1 where all have `session_id`."""

    example: Example
    fact: Fact
    session: int
    session_id: str | None


class Alike:
    """Adds records that are like an example to `out`. folded: folds an example."""

    def __init__(self, out: Recordings, folded: Callable[[Example], Folded], share: Share) -> None:
        self._out, self._folded, self._share = out, folded, share
        # id of an example → how its facts are made, session and session_id as in `Folded`, and the example, which keeps its id
        self._known: dict[int, tuple[Make, int, str | None, Example]] = {}

    def add(self, batch: Alikes) -> None:
        """Puts their facts, and counts them."""
        out, known, new = self._out, self._known, tuple.__new__
        put = out.facts.append
        source, index, seq, doc, line, examples, all_values, bytes_ = batch
        of_session: dict[str | None, int] = {}
        doc = seq if doc == seq else doc  # one number where they are equal: millions of these are kept
        for example, values, byte in zip(examples, all_values, bytes_, strict=True):
            one = known.get(id(example))
            if one is None:
                if len(known) >= KEPT:
                    known.clear()
                found = self._folded(example)
                make_it = maker(example, found.fact, self._share)
                one = known[id(example)] = make_it, found.session, found.session_id, example
            make, session, session_id, _ = one
            put(make(new(Origin, (source, line, byte, values[0], index, seq, doc, True, None, None)), values))
            following = seq + 1
            doc = following if doc is seq else doc + 1
            seq = line if line == following else following
            line += 1
            if session >= 0:
                session_id = values[session]
            of_session[session_id] = of_session.get(session_id, 0) + 1
        for session_id, count in of_session.items():
            where = (index, session_id)
            out.sessions[where] = out.sessions.get(where, 0) + count
        place = (index, USED)
        out.counts[place] = out.counts.get(place, 0) + len(examples)


def maker(example: Example, fact: Fact, share: Share) -> Make:
    """The function for records like `example`, whose fact is `fact`. Its source is written out, as that of the rows of ids is."""
    scope: dict[str, Any] = {"new": tuple.__new__, "cls": fact.__class__, "share": share}
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
