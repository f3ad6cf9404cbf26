"""Traces made by hand from the fixture stories, for tests of graph and export.

Deliberately not the linker: it pairs by exact ids only, and what needs judgement (the near miss) is stated by the caller.
"""

from typing import Any

from tests.fixtures import stories
from tests.fixtures.wire import Tape
from tracelink.model.facts import ActionSeen, RefusalSeen, SessionBody, SnapshotSeen
from tracelink.model.location import Origin
from tracelink.model.trace import Action, Agent, Call, Coordination, Item, Meant, Result, Spawn, Trace, Turn

KINDS = {
    "create_subagent_call": "create",
    "send_subagent_input_call": "send",
    "wait_for_subagents_call": "wait",
    "interrupt_subagent_call": "interrupt",
    "resume_subagent_call": "resume",
    "close_subagent_call": "close",
    "agent_message": "message",
}


def at(line: int, source: str = "wrapped.log") -> Origin:
    return Origin(source, line, line * 100, f"evt_{line}")


def snapshot(session_id: str, status: str, *actions: ActionSeen) -> SnapshotSeen:
    body = SessionBody(status, actions, True, "agent", None, None, None, None, None, None, None, None)
    return SnapshotSeen(at(1), session_id, None, None, None, body)


def trace_of(tape: Tape, *results: Result) -> Trace:
    """The trace of a tape; `results` are those that no item records (posts that the server did not take)."""
    root = tape.session["agent"]
    agents = {root["id"]: Agent(root["id"], True, root["name"], root["model"], origins=(at(1),))}
    for sub in tape.subagents.values():
        task = sub["instructions"][0]["text"]
        made = next(
            item["id"] for item in tape.items.values() if "create" in item["type"] and item["content"][0]["text"] == task
        )
        spawn = Spawn(made, sub["id"], "instructions", "high")
        own: dict[str, Any] = {"parent_id": sub["parent_agent_id"], "status": sub["status"], "spawn": spawn}
        agents[sub["id"]] = Agent(sub["id"], False, sub["name"], origins=(at(2),), **own)
    turns = {}
    for turn in tape.turns.values():
        ended = turn["status"] if turn["status"] == "completed" else None
        owner = turn["subagent_id"] or root["id"]
        turns[turn["id"]] = Turn(turn["id"], owner, turn["subagent_id"], True, turn["status"], ended, began=at(3))
    pending = {(action["turn_id"], action.get("call_id")) for action in tape.session["required_actions"]}
    calls, recorded, coordination, items = {}, [], {}, {}
    for line, item in enumerate(tape.items.values(), start=10):
        kind, turn_id, place = item["type"], item["turn_id"], (at(line),)
        if kind == "function_call":
            key = (turn_id, item["call_id"])
            state = "required" if key in pending else "answered"
            calls[key] = Call(*key, item["name"], item["arguments"], item["status"], state, (item["id"],), origins=place)
        elif kind == "function_call_output":
            pair = (turn_id, item["call_id"])
            both = {"posted": at(line - 1), "recorded": at(line)}
            recorded.append(Result(*pair, item["output"], None, True, True, "completed", item["id"], call=pair, **both))
        elif kind in KINDS:
            to = item.get("recipient_agent_ids") or [item[key] for key in ("recipient_agent_id",) if key in item]
            sender = item.get("sender_agent_id") or item.get("agent_id")
            coordination[item["id"]] = Coordination(
                item["id"], KINDS[kind], turn_id, sender, tuple(to), item.get("status"), None, place
            )
        else:
            items[item["id"]] = Item(item["id"], kind, turn_id, item.get("status"), place, item)
    actions = []
    for entry in (action for event in tape.events for action in event.get("session", {}).get("required_actions", ())):
        seen = ActionSeen(
            entry["type"],
            entry["turn_id"],
            entry.get("call_id"),
            entry.get("request_id"),
            None,
            entry.get("name"),
            None,
            entry.get("request"),
        )
        latest = entry in tape.session["required_actions"]
        if seen not in [action.seen for action in actions]:
            actions.append(Action(seen, at(4), at(5), None if latest else at(6), latest))
    status = snapshot(tape.session_id, tape.session["status"])
    return Trace(
        tape.session_id,
        latest=(status,),
        agents=agents,
        turns=turns,
        calls=calls,
        results=(*recorded, *results),
        actions=tuple(actions),
        coordination=coordination,
        items=items,
    )


def stalled() -> Trace:
    tape = stories.stalled()
    posted = tape.log[-2]["body"]["events"][0]
    (action,) = tape.session["required_actions"]
    meant = Meant(action["turn_id"], action["call_id"], "edits-1", "one character differs")
    message = tape.log[-1]["body"]["error"]["message"]
    refusal = RefusalSeen(at(23), tape.session_id, 400, "invalid_request_error", "invalid_request_error", message, None)
    wrong = Result(
        posted["turn_id"],
        posted["call_id"],
        posted["output"],
        None,
        True,
        True,
        posted=at(22),
        meant=meant,
        problem="TL105",
        refused=refusal,
    )
    return trace_of(tape, wrong)


def awaiting() -> Trace:
    return trace_of(stories.awaiting())


def mcp_approval() -> Trace:
    return trace_of(stories.mcp_approval())


def subagents() -> Trace:
    return trace_of(stories.subagents())


def clean() -> Trace:
    return trace_of(stories.clean())


ALL = (stalled, awaiting, mcp_approval, subagents, clean)
