"""More subagents active at once than the session's agent allows."""

from collections.abc import Iterable, Iterator
from heapq import heappop, heappush

from tracelink.model.facts import SubagentSeen
from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import Origin
from tracelink.model.trace import Trace
from tracelink.rules.rule import Context, Rule, place

DEFAULT = 6
"""Where `max_concurrent_subagents` is null (fact sheet H.12)."""


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    trace = context.trace
    if not trace.snapshots:
        return
    limits = (one.body.max_subagents for one in trace.snapshots)
    configured = [one for one in limits if one is not None and one >= 0]  # a negative one is no limit that anybody documents
    limit = max(configured, default=DEFAULT)
    worst: tuple[int, Origin, str] | None = None
    for count, at, subagent_id in _counts(trace, limit):
        if worst is None:
            worst = (count, at, subagent_id)
        worst = (max(count, worst[0]), *worst[1:])
    if worst is None:
        return
    most, at, subagent_id = worst
    known = f"the session allows {limit}" if configured else f"the session sets no limit, and the default is {limit}"
    yield rule.finding(
        f"Up to {most} subagents are active at once, more than allowed first with {subagent_id} at {place(at)}, and {known}: "
        "the server may hold further work back or refuse it.",
        at=(at,),
        ids={"subagent_id": subagent_id},
        confidence=None if configured else Confidence.LOW,
    )


def _counts(trace: Trace, limit: int) -> Iterator[tuple[int, Origin, str]]:
    """(active subagents, where, the one that came last) wherever there are more than the limit."""
    sources: dict[int, list[SubagentSeen]] = {}
    retrieved: dict[tuple[int, int], dict[str, SubagentSeen]] = {}
    pages = [page for one in trace.lists if one.of == "subagent" for page in one.pages]
    same_list = {(page.at.index, page.at.doc): (pages[0].at.index, pages[0].at.doc) for page in pages}
    for agent in trace.agents.values():
        for seen in agent.history:
            if seen.event_type is not None and seen.at.stream:
                sources.setdefault(seen.at.index, []).append(seen)
            else:
                where = (seen.at.index, seen.at.doc)
                retrieved.setdefault(same_list.get(where, where), {})[agent.id] = seen
    for events in sources.values():
        active: set[str] = set()
        closing: list[tuple[int, str]] = []
        for seen in sorted(events, key=lambda one: one.at.seq):
            if seen.status == "closed" or (seen.event_type or "").endswith(".closed"):
                active.discard(seen.subagent_id)
                continue
            active.add(seen.subagent_id)
            agent = trace.agents[seen.subagent_id]
            if agent.status == "closed" and agent.closed_at is not None:
                heappush(closing, (agent.closed_at, agent.id))
            while len(active) > limit and closing and seen.opened_at is not None and closing[0][0] < seen.opened_at:
                # The stream missed this close; another record says that it came before this one was opened.
                active.discard(heappop(closing)[1])
            if len(active) > limit:
                yield len(active), seen.at, seen.subagent_id
    for listed in retrieved.values():
        alive = [seen for seen in listed.values() if seen.status == "active"]
        if len(alive) > limit:
            yield len(alive), alive[limit].at, alive[limit].subagent_id


RULE = Rule(
    code="TL408",
    name="too-many-subagents",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    summary="More subagents are active at once than max_concurrent_subagents allows.",
    proves=(
        "In one stream, or in one list, more subagents are created or active and not closed than the session's agent "
        "is configured for."
    ),
    cannot=(
        "What the server counts: active includes idle between turns; with the default of 6 (low confidence) the session itself names "
        "no limit."
    ),
    quiet=(
        "Subagents that were closed in between, or that another record shows closed by then; recordings without a "
        "session object, which alone has the limit."
    ),
    example='multi_agent{"max_concurrent_subagents": 2}, and three subagent.created without a closed.',
    remedy="Close subagents that are done before creating further ones, or raise max_concurrent_subagents.",
    check=check,
)
