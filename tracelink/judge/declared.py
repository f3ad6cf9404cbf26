"""What the session's agent declared of its functions when a call was made.

The list is that of the last snapshot before the call in its source, else of the first one after it there. A call in a source
without snapshots is held against those of the others where their order is known or all of them declare the same.
"""

from bisect import bisect_right
from typing import Any, NamedTuple

from tracelink.model.location import Origin, order
from tracelink.model.trace import Trace

COMPARED = 50
"""Distinct lists of tools that a new one is compared with; beyond, it counts as new."""


class Declared(NamedTuple):
    """One list of tool declarations, from a snapshot on. `functions` maps a name to its declaration."""

    at: Origin
    agent_id: str | None
    functions: dict[str, dict[str, Any]]
    others: frozenset[str]  # types of the tools that are no functions
    tools: list[Any]
    schemas: dict[str, Any]  # name → its parameters, where they ask for anything
    open: frozenset[str]  # names of the functions whose parameters take any object


class Declarations:
    """All lists of one trace. Equal lists are one object, so that a schema is looked at once."""

    def __init__(self, trace: Trace) -> None:
        self._by_source: dict[int, list[Declared]] = {}
        distinct: list[Declared] = []
        known: dict[int, Declared] = {}
        for snapshot in trace.snapshots:
            tools = snapshot.body.tools
            if not isinstance(tools, list):
                continue
            same = known.get(id(tools))
            if same is None:
                same = next((one for one in distinct[-COMPARED:] if one.tools == tools), None)
                if same is None:
                    same = _declared(tools)
                    distinct.append(same)
                known[id(tools)] = same
            run = self._by_source.setdefault(snapshot.at.index, [])
            agent_id = snapshot.body.agent_id
            if not run or run[-1].tools is not same.tools or run[-1].agent_id != agent_id:
                run.append(same._replace(at=snapshot.at, agent_id=agent_id))
        self._all = sorted((one for run in self._by_source.values() for one in run), key=lambda one: one.at.received or 0.0)
        self._only = self._all[0] if len(self._all) == 1 else None
        self.always = frozenset.intersection(*(frozenset(one.functions) for one in distinct)) if distinct else frozenset()
        """Names of the functions that every list declares."""
        self.open = frozenset(name for one in distinct for name in one.open)
        """Names of the functions that some list declares with parameters that take any object."""

    def at(self, origin: Origin | None) -> Declared | None:
        """The list that held when the record at `origin` came, None where that cannot be told."""
        if origin is None or not self._all:
            return None
        if self._only is not None:
            return self._only
        run = self._by_source.get(origin.index)
        if run:
            return run[max(0, bisect_right(run, origin.seq, key=lambda one: one.at.seq) - 1)]
        before = [one for one in self._all if order(one.at, origin) == -1] if origin.received is not None else []
        if before:
            return before[-1]
        return self._all[0] if all(one.tools is self._all[0].tools for one in self._all) else None

    def after(self, origin: Origin | None) -> Declared | None:
        """The next list after the one that held, in the same source: what the server said while the call was waiting."""
        run = self._by_source.get(origin.index, []) if origin is not None else []
        index = bisect_right(run, origin.seq, key=lambda one: one.at.seq) if origin is not None else 0
        return run[index] if index < len(run) else None

    def is_async(self, name: str | None, origin: Origin | None) -> bool:
        """Whether the function may be answered while its turn goes on, or after it (fact sheet D.4).

        By the list that held at the call, or by the next one, in which it may have been declared just then. What later lists say
        of the name is no matter.
        """
        for held in (self.at(origin), self.after(origin)):
            tool = held.functions.get(name or "") if held is not None else None
            if tool is not None and True in (tool.get("async"), tool.get("async_")):
                return True
        return False


def _declared(tools: list[Any]) -> Declared:
    functions: dict[str, dict[str, Any]] = {}
    others = set()
    for tool in tools:
        if not isinstance(tool, dict):
            continue
        if tool.get("type") == "function" and isinstance(tool.get("name"), str):
            functions[tool["name"]] = tool
        else:
            others.add(str(tool.get("type")))
    schemas = {name: tool.get("parameters") for name, tool in functions.items()}
    asked = {name: one for name, one in schemas.items() if not (one is None or one is True or one == {})}
    open_ = frozenset(name for name, one in schemas.items() if is_open(one))
    return Declared(Origin("", 0, 0), None, functions, frozenset(others), tools, asked, open_)


_SAYS_NOTHING = frozenset(("title", "description", "$schema", "$id", "$comment", "default", "examples", "deprecated"))


def is_open(schema: Any) -> bool:
    """Whether a schema takes any object: true, {}, or an object of which no member is declared."""
    if schema is True:
        return True
    if not isinstance(schema, dict):
        return False
    for keyword, value in schema.items():
        nothing = (
            keyword in _SAYS_NOTHING
            or (keyword == "type" and (value == "object" or (isinstance(value, list) and "object" in value)))
            or (keyword in ("properties", "patternProperties") and value == {})
            or (keyword == "required" and value == [])
            or (keyword == "additionalProperties" and (value is True or value == {}))
        )
        if not nothing:
            return False
    return True
