"""What the recording of a turn cannot tell: said, never left out."""

from collections.abc import Iterator, Sequence

from tracelink.judge.times import RECEIVER
from tracelink.model.run import SessionReport
from tracelink.model.trace import Turn
from tracelink.story.values import Moment, Ordered

NAMED = 3


def untold(
    session: SessionReport,
    turn: Turn | None,
    agents: frozenset[str],
    told: Sequence[Moment],
    ordered: Ordered,
    clock: str | None,
) -> Iterator[str]:
    """A sentence each; first what concerns times and order, then what is not recorded, then what could not be checked."""
    trace = session.trace
    if clock != RECEIVER and told:
        if any(one.time is not None for one in told):
            yield "Not every record has a receive time: where no time is shown, only the order is known."
        else:
            yield "No time is recorded: only the order is known, and nothing here says how long anything took."
    yield from ordered.notes
    if turn is not None and turn.began is None:
        yield f"The beginning of {turn.id} is not recorded."
    if turn is not None and turn.outcome is None and trace.last is not None:
        yield f"The recording ends at {trace.last.location.short}: what the server did after that is not in it."
    posted = trace.inputs or any(one.posted is not None for one in trace.results)
    if not posted and (turn is None or turn.outcome is None):
        yield "What the app posted is not recorded: an answer that was sent and lost or refused would not show here."
    unposted = [one.action for one in session.verdict.actions if one.answered == "no" and one.action.type == "function_call"]
    if unposted and posted:
        names = ", ".join(dict.fromkeys(one.name or "the function" for one in unposted[:NAMED]))
        yield f"Whether the app ran {names} is not recorded: only what it posted is."
    silent = [
        agent for agent in trace.agents.values() if agent.id in agents and not agent.root and not trace.turns_of(agent.id)
    ]
    if silent:
        names = ", ".join(agent.id for agent in silent[:NAMED]) + (
            f" and {len(silent) - NAMED} more" if len(silent) > NAMED else ""
        )
        yield f"No turn of subagent {names} is recorded: what it did is not known."
    for what, why in dict.fromkeys((one.what, one.why) for one in session.not_checked):
        yield f"{what}: {why}."
