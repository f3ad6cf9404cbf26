"""tracelink: rebuilds what happened in a session of the OpenAI Agents API from recordings, and says what does not fit.

    run = tracelink.trace("session.jsonl")      # read, fold, link
    print(run)                                  # every session, its turns and calls
    report = tracelink.report("session.jsonl")  # verdict, stall, next actions, findings
    graph = tracelink.graph(run.traces[0])      # networkx.MultiDiGraph
    judged = tracelink.gate("history.json")     # may these Open Responses items be replayed elsewhere, and why not

Everything is imported where it is used, so that importing this package costs nothing.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence
    from typing import BinaryIO

    import networkx

    from tracelink.gate import Judged
    from tracelink.model.limits import Limits
    from tracelink.model.run import Report, Run
    from tracelink.model.trace import Trace
    from tracelink.read import Reading

    Source = str | os.PathLike[str] | BinaryIO | bytes

__version__ = "0.1.0"

API_FACTS = "2026-11-17"
"""The date of the newest official types that the rules follow (openai 3.57.0 for Python, 7.59.0 for Node)."""

__all__ = ["API_FACTS", "FieldError", "__version__", "gate", "graph", "read", "report", "trace"]


def read(
    *sources: Source,
    fields: Mapping[str, Sequence[str]] | None = None,
    limits: Limits | None = None,
) -> Reading:
    """Read recordings: paths, directories, `-` for standard input, bytes or binary files.

    Args:
        fields: further JSONPath expressions by id name (`{"call_id": ["$.payload.callId"]}`), tried before the built-in ones.
        limits: bounds on what is read.

    Returns:
        An iterable of records, streamed, good for one pass; its `sources` say afterwards what was read of each.

    Raises:
        FieldError: an expression does not parse or names an unknown id.
    """
    from tracelink.model.limits import Limits
    from tracelink.read import FieldTable, Reading

    table = FieldTable(fields) if fields else None
    return Reading(sources, fields=table, limits=limits or Limits())


def trace(
    *sources: Source | Reading,
    fields: Mapping[str, Sequence[str]] | None = None,
    limits: Limits | None = None,
    as_of: float | None = None,
    session: str | None = None,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Run:
    """Read, fold and link: all sessions of the sources.

    Args:
        sources: as for `read`, or one `Reading`.
        as_of: the moment ages are computed from, Unix seconds; None: the last moment that the recording knows of.
        session: keep only the session of this id.
        jobs: read in so many processes at most, where there is enough to read; the result does not depend on it.
        progress: called now and then with (bytes taken, records seen) of all sources together.
        stop: asked now and then; once it is true, nothing more is read and what was read is linked.

    Returns:
        A run: iterate it, index it by session id, print it.
    """
    import gc
    from dataclasses import replace

    from tracelink.fold import bounded, divide, fold
    from tracelink.judge.times import last_moment
    from tracelink.link import link
    from tracelink.model.limits import Limits
    from tracelink.model.run import Run
    from tracelink.parallel import read_and_fold
    from tracelink.read import FieldTable, Reading

    # Millions of small values without cycles are made here: the collector would only walk over them again and again.
    collecting = gc.isenabled()
    gc.disable()
    try:
        if len(sources) == 1 and isinstance(sources[0], Reading):
            infos, recordings = sources[0].sources, fold(sources[0].skimmed())
        else:
            plain = [source for source in sources if not isinstance(source, Reading)]
            table = FieldTable(fields) if fields else None
            infos, recordings = read_and_fold(plain, table, limits or Limits(), jobs, progress, stop)
        divided = bounded(divide(recordings), (limits or Limits()).sessions)
        names = tuple(info.name for info in infos)
        traces = link(divided.recordings, names, divided.troubles)
    finally:
        if collecting:
            gc.enable()
    if session is not None:
        traces = tuple(one for one in traces if one.session_id == session)
    run = Run(
        tuple(infos),
        traces,
        _by_source(divided.counts, len(names)),
        tuple(divided.troubles),
        tuple(divided.strangers),
        (),
        _by_source(divided.sessions, len(names)),
    )
    ends: dict[int, float] = {}
    for one in traces:
        if one.last is not None and one.last.received is not None:
            ends[one.last.index] = max(one.last.received, ends.get(one.last.index, one.last.received))
    moment = as_of if as_of is not None else last_moment(traces)
    return replace(run, as_of=moment, as_of_given=as_of is not None, source_ends=ends)


def _by_source(counts: Mapping[tuple[int, Any], int], sources: int) -> tuple[dict[Any, int], ...]:
    """What was counted by (source, name), for each source by name; without what is none."""
    found: tuple[dict[Any, int], ...] = tuple({} for _ in range(sources))
    for (index, name), count in counts.items():
        if count:
            found[index][name] = count
    return found


def report(
    *sources: Source | Reading | Run,
    fields: Mapping[str, Sequence[str]] | None = None,
    limits: Limits | None = None,
    as_of: float | None = None,
    session: str | None = None,
    silence: float = 300.0,
    jobs: int = 1,
) -> Report:
    """Everything there is to say: verdict, stall, next actions and findings of each session, and findings of the run.

    Args:
        sources: as for `trace`, or one `Run`.
        silence: seconds without a record that count as silence.
        jobs: read and judge in so many processes at most, where there is enough of it; the result does not depend on it.
    """
    from tracelink.model.run import Run
    from tracelink.parallel import judging

    run = sources[0] if len(sources) == 1 and isinstance(sources[0], Run) else None
    if run is None:
        plain: Any = [source for source in sources if not isinstance(source, Run)]
        run = trace(*plain, fields=fields, limits=limits, as_of=as_of, session=session, jobs=jobs)
    return judging.report(run, silence, jobs)


def graph(trace: Trace, *, detail: str = "items", agent: str | None = None) -> networkx.MultiDiGraph[str]:
    """The trace as a graph, in the vocabulary of the README.

    Args:
        detail: `calls`, `items` (with coordination) or `all` (every item).
        agent: keep only this agent's part.
    """
    from tracelink.graph import build

    return build(trace, detail=detail, agent=agent)


def gate(
    *sources: Source | list[Any],
    profile: str = "openresponses",
    tools: Any = None,
    session: str | None = None,
    limits: Limits | None = None,
) -> Judged:
    """Judge items before they are sent: which call may be executed, and what of the history a provider would refuse.

    Args:
        sources: as for `read`, in any container that holds items, or one list of items; several sources are one history.
        profile: whose rules: a name of `tracelink.gate.COLUMNS`; the default is the specification, for any other provider.
        tools: the functions' schemas: a tool list, a request body, or one schema a name; None: those of the recording.
        session: of a recording of several Agents API sessions the one that counts; None: the first.

    Returns:
        `sendable`, one of seven `verdicts` an item, and `reasons` with severity, places and remedy. `tracelink.gate.repair.repair` takes it.

    Raises:
        ValueError: no such profile, `tools` hold no tool, or nothing in the sources could be read.
    """
    from dataclasses import replace

    from tracelink.gate import COLUMNS, history_of, judge, read_history
    from tracelink.gate.schemas import declared
    from tracelink.read import Values
    from tracelink.rules.tl2_payloads.bounded import Checker

    if profile not in COLUMNS:
        raise ValueError(f"{profile!r} is no profile: {', '.join(COLUMNS)}")
    if sources and isinstance(sources[0], list):
        if len(sources) > 1:
            raise ValueError("a list of items is a history of its own: give it alone")
        history = history_of(sources[0])
    else:
        reading = Values([source for source in sources if not isinstance(source, list)], limits=limits)
        history = read_history(reading, session)
        problems = [source.problem for source in reading.sources if source.problem is not None]
        if problems and not history.items:
            raise ValueError("; ".join(problems))
    if tools is not None:
        schemas = declared(tools)
        if schemas is None:
            raise ValueError("tools: this is no tool list, request body or schema a name")
        history = replace(history, tools=schemas)
    return judge(history, profile, Checker(len(history.items)))


def __getattr__(name: str) -> Any:
    if name == "FieldError":
        from tracelink.read import FieldError

        return FieldError
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class _Package(ModuleType):
    """Three rooms have the name of a function of the public API. Importing a room must not put it in the function's place."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in ("gate", "graph", "read") and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
