"""Trace → moments: every thing that the recording shows happening in a session, not yet in order.

Turns, snapshots, posts and what the server sent about the session are told here; calls and other items in `items`.
"""

from collections.abc import Iterator

from tracelink.judge.times import moment as snapshot_time
from tracelink.model.facts import ActionSeen, InputSeen
from tracelink.model.trace import Trace, Turn
from tracelink.story.items import item_moments
from tracelink.story.results import refusal, result_moments
from tracelink.story.times import when
from tracelink.story.values import Moment

NAMED = 3
"""So many actions of a snapshot are named."""


def moments(trace: Trace) -> list[Moment]:
    """All of them, grouped by what they are of."""
    return [
        *_turns(trace),
        *item_moments(trace),
        *_snapshots(trace),
        *result_moments(trace),
        *_subagents(trace),
        *_inputs(trace),
        *_session(trace),
    ]


def _turns(trace: Trace) -> Iterator[Moment]:
    for turn in trace.turns.values():
        ids = {"turn_id": turn.id}
        began = turn.began or next((one.at for one in turn.history if one.created_at is not None), None)
        if began is not None:
            time, clock = when(began, turn.started_at if turn.started_at is not None else turn.created_at)
            after, whose = _spawned_by(trace, turn), _whose(turn)
            yield Moment(
                "turn_began",
                f"turn_began:{turn.id}",
                began,
                f"{whose} began",
                time,
                clock,
                turn.id,
                turn.agent_id,
                ids,
                after=after,
            )
        if turn.ended is not None:
            time, clock = when(turn.ended, turn.completed_at)
            what = f"{_whose(turn)} {turn.outcome}" + (f" ({turn.error_code})" if turn.error_code else "")
            name = f"turn_ended:{turn.id}"
            bad = turn.outcome != "completed"
            yield Moment(
                "turn_ended", name, turn.ended, what, time, clock, turn.id, turn.agent_id, ids, turn.error_message, loud=bad,
                after=(f"turn_began:{turn.id}",),
            )  # fmt: skip


def _whose(turn: Turn) -> str:
    return "turn" if turn.subagent_id is None else f"turn {turn.id} of subagent {turn.subagent_id}"


def _spawned_by(trace: Trace, turn: Turn) -> tuple[str, ...]:
    agent = trace.agents.get(turn.agent_id)
    return (f"item:{agent.spawn.item_id}",) if agent is not None and agent.spawn is not None else ()


def _snapshots(trace: Trace) -> Iterator[Moment]:
    seen: set[ActionSeenKey] = set()
    before: str | None = None
    for number, snapshot in enumerate(trace.snapshots):
        body = snapshot.body
        time, clock = snapshot_time(snapshot)
        name = f"snapshot:{number}"
        if not body.actions:
            if body.status != before or snapshot.event_type is None:
                said = f"session {body.status or '(status not recorded)'}" + ("" if snapshot.event_type else ", as retrieved")
                moved = body.status == "in_progress" and snapshot.event_type is not None
                yield Moment("session", name, snapshot.at, said, time, clock, quoted=body.error, progress=moved)
            before = body.status
            continue
        before = body.status
        new = [one for one in body.actions if action_key(one) not in seen]
        seen |= {action_key(one) for one in new}
        turns = {one.turn_id for one in body.actions}
        turn_id = turns.pop() if len(turns) == 1 else None
        listed = new or list(body.actions)
        lead = "session requires" if new else "session still requires"
        what = f"{lead} {', '.join(map(action_words, listed[:NAMED]))}"
        what += f" and {len(listed) - NAMED} more" if len(listed) > NAMED else ""
        turn = trace.turns.get(turn_id or "")
        owner = turn.agent_id if turn is not None else None
        yield Moment(
            "required",
            name,
            snapshot.at,
            what,
            time,
            clock,
            turn_id,
            owner,
            _turn(turn_id),
            progress=bool(new) and snapshot.event_type is not None,
        )


ActionSeenKey = tuple[str, str | None, str | None]


def action_key(seen: ActionSeen) -> ActionSeenKey:
    return (seen.type, seen.turn_id, seen.call_id or seen.request_id or seen.environment_id)


def action_words(seen: ActionSeen) -> str:
    """`book_courier (call_1)`, `the connection of environment env_1`."""
    key = seen.call_id or seen.request_id or seen.environment_id or "no id"
    if seen.type == "function_call":
        return f"the result of {seen.name or 'a function'} ({key})"
    if seen.type == "environment_connection":
        return f"the connection of environment {key}"
    return f"{seen.type}{f' of {seen.name}' if seen.name else ''} ({key})"


def _turn(turn_id: str | None) -> dict[str, str]:
    return {"turn_id": turn_id} if turn_id is not None else {}


def _subagents(trace: Trace) -> Iterator[Moment]:
    for agent in trace.agents.values():
        ids = {"subagent_id": agent.id}
        called = f"subagent {agent.id}" + (f" ({agent.name})" if agent.name else "")
        closed = False
        for number, seen in enumerate(agent.history):
            kind = "closed" if seen.status == "closed" else "opened"
            if kind == "opened" and number > 0 and not closed:
                continue
            if number == 0 and seen.event_type is None and seen.opened_at is not None:
                kind = "opened"
            server = seen.closed_at if kind == "closed" else seen.opened_at
            closed = seen.status == "closed"
            time, clock = when(seen.at, server)
            after = (f"item:{agent.spawn.item_id}",) if agent.spawn is not None else ()
            yield Moment(
                kind, f"{kind}:{agent.id}:{number}", seen.at, f"{called} {kind}", time, clock, None, agent.id, ids, after=after
            )


def _inputs(trace: Trace) -> Iterator[Moment]:
    """Posts that are no results and no answers: messages, a cancel, what nobody takes."""
    told = {one.posted for one in trace.results if one.posted is not None} | {one.posted.at for one in trace.answers}
    told |= {at for one in trace.results for at in one.repeated}
    for number, post in enumerate(trace.inputs):
        if post.at in told:
            continue
        time, clock = when(post.at)
        kind, what = "input", f"{post.type} posted"
        if post.type == "agent.session.input.message":
            kind, what = "asked", "message posted"
        name = f"input:{number}"
        yield Moment(
            kind, name, post.at, what, time, clock, post.turn_id, None, _turn(post.turn_id), _words(post), progress=False
        )


def _words(post: InputSeen) -> str | None:
    """The text of a posted message."""
    found: list[str] = []
    messages = post.value.get("input")
    for message in messages if isinstance(messages, list) else [messages]:
        content = message.get("content") if isinstance(message, dict) else message
        for part in content if isinstance(content, list) else [content]:
            text = part.get("text") if isinstance(part, dict) else part
            if isinstance(text, str):
                found.append(text)
    return "\n".join(found) or None


def _session(trace: Trace) -> Iterator[Moment]:
    """What concerns the session and no turn: environments, errors, webhooks, refusals that answer nothing known, signs of life."""
    for number, env in enumerate(trace.environments):
        time, clock = when(env.at)
        what = f"environment {env.environment_id or '(no id)'} {env.status or 'state not recorded'}"
        ids = {"environment_id": env.environment_id} if env.environment_id else {}
        bad = env.status in ("disconnected", "expired", "failed", "reset")
        yield Moment(
            "environment", f"env:{number}", env.at, what, time, clock, env.turn_id, None, ids, env.error_message, loud=bad
        )
    for number, error in enumerate(trace.errors):
        time, clock = when(error.at)
        what = f"error event ({error.code or error.type or 'no code'})"
        yield Moment("error", f"error:{number}", error.at, what, time, clock, quoted=error.message, progress=False, loud=True)
    for number, hook in enumerate(trace.webhooks):
        time, clock = when(hook.at, hook.created_at)
        yield Moment("webhook", f"webhook:{number}", hook.at, f"webhook {hook.type}", time, clock, progress=False)
    matched = {one.refused.at for one in trace.results if one.refused is not None}
    matched |= {one.refused.at for one in trace.answers if one.refused is not None}
    for number, refused in enumerate(trace.refusals):
        if refused.at not in matched:
            yield refusal(f"refused:{number}", refused, None, None, {}, ())
    for number, burst in enumerate(trace.bursts):
        time, clock = when(burst.last)
        what = f"{burst.count:,} delta{'' if burst.count == 1 else 's'} of text or output, the last here"
        yield Moment("life", f"life:{number}", burst.last, what, time, clock)
