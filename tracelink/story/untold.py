"""What the recording of a turn cannot tell: said, never left out."""

from collections.abc import Iterator, Sequence

from tracelink.judge.next_action import events_endpoint
from tracelink.judge.times import RECEIVER
from tracelink.model.finding import Finding, Severity
from tracelink.model.run import SessionReport
from tracelink.model.trace import Turn
from tracelink.story.values import Moment, Ordered

NAMED = 3
UNREAD = {"TL001": Severity.ERROR, "TL002": None, "TL004": None, "TL011": None}
"""Findings of a run by which something that was recorded is not in the story; with the severity that says so, where one code has two."""


def untold(
    session: SessionReport,
    turn: Turn | None,
    agents: frozenset[str],
    told: Sequence[Moment],
    asked: Sequence[Moment],
    ordered: Ordered,
    clock: str | None,
    of_run: Sequence[Finding] = (),
) -> Iterator[str]:
    """A sentence each; first what concerns times and order, then what is not recorded or not readable, then what could not be checked.

    of_run: the findings of the run, which tell what of the session's sources could not be read.
    """
    trace = session.trace
    if clock != RECEIVER and told:
        if any(one.time is not None for one in told):
            yield "Not every record has a receive time: where no time is shown, only the order is known."
        else:
            yield "No time is recorded: only the order is known, and nothing here says how long anything took."
    yield from ordered.notes
    if turn is not None and turn.began is None:
        yield _beginning(turn, asked)
    if turn is not None and turn.outcome is None and trace.last is not None:
        yield f"The recording ends at {trace.last.location.short}: what the server did after that is not in it."
    yield from _unread(of_run, trace.sources)
    yield from _answers(session, turn)
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


def _beginning(turn: Turn, asked: Sequence[Moment]) -> str:
    """What is missing where no event shows the turn beginning: the event, and perhaps what was asked."""
    lead = f"The event that began {turn.id} (agent.session.turn.created) is not recorded"
    if turn.created_at is not None:
        lead += ", only the turn's own object, which says when it was created"
    if not asked:
        return f"{lead}; nor is a message that it began with."
    first = f"the first message recorded of it is at {asked[0].at.location.short}"
    if turn.covered:
        return f"{lead}; {first}."
    return f"{lead}; {first}, and whether another came before that is not known."


def _unread(of_run: Sequence[Finding], sources: Sequence[str]) -> Iterator[str]:
    """What the sources of the session hold and nobody could read."""
    found = [
        one
        for one in of_run
        if one.code in UNREAD and UNREAD[one.code] in (None, one.severity) and any(at.source in sources for at in one.locations)
    ]
    yield from (one.message for one in found[:NAMED])
    if len(found) > NAMED:
        yield f"{len(found) - NAMED:,} more records or sources could not be read: tracelink check names them."


def _answers(session: SessionReport, turn: Turn | None) -> Iterator[str]:
    """What is not known of the app's answers, and where to look: it alone knows what it sent."""
    trace = session.trace
    posted = trace.inputs or trace.answers or any(one.posted is not None for one in trace.results)
    waiting = [one.action for one in session.verdict.actions if one.answered == "no" and one.action.environment_id is None]
    named = ", ".join(one.call_id or one.request_id or "an action without an id" for one in waiting[:NAMED])
    named += f" and {len(waiting) - NAMED} more" if len(waiting) > NAMED else ""
    where = f"the app's own log of posts to {events_endpoint(trace)} is where to look"
    if not posted and waiting:
        yield (
            f"What the app posted is not recorded: whether an answer to {named} was sent and lost, refused, or never sent does not show "
            f"here; {where}."
        )
    elif not posted and (turn is None or turn.outcome is None):
        yield "What the app posted is not recorded: an answer that was sent and lost or refused would not show here."
    elif waiting:
        yield (
            f"Posts of the app are recorded, and none of them answers {named}: whether one was sent and lost, or never sent, does not show "
            f"here; {where}."
        )
    functions = list(dict.fromkeys(one.name or "the function" for one in waiting if one.type == "function_call"))
    if functions and posted:
        yield f"Whether the app ran {', '.join(functions[:NAMED])} is not recorded: only what it posted is."
