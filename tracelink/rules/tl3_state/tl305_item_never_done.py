"""An item was announced, its turn completed, and the stream never showed it done."""

from collections.abc import Iterable, Iterator

from tracelink.model.facts import ItemSeen
from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import order
from tracelink.model.trace import Trace, Turn
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl3_state.holes import hole_between

_FINAL = frozenset(("completed", "failed", "incomplete"))

_OUTPUTS = frozenset(
    (
        "message",
        "reasoning",
        "function_call",
        "mcp_call",
        "computer_use_call",
        "computer_use_approval_request",
        "web_search_call",
        "command_execution",
        "create_subagent_call",
        "send_subagent_input_call",
        "wait_for_subagents_call",
        "interrupt_subagent_call",
        "resume_subagent_call",
        "close_subagent_call",
    )
)
"""Items that get `item.done` (fact sheet B.2); inputs never do, however they end (A.2)."""


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    trace = context.trace
    for name, history in _announced(trace):
        first = history[0]
        turn = trace.turns.get(first.turn_id or "")
        if turn is None or not _in_stream(first, turn) or any(seen.phase == "done" or _final(seen) for seen in history):
            continue
        if turn.ended is None or hole_between(context.run, first.at, turn.ended):
            continue
        yield rule.finding(
            f"The {first.type} {name} was announced at {place(first.at)}, and its turn {turn.id} completed at {place(turn.ended)} "
            "without it ever being done: what became of it is not recorded.",
            at=(first.at, turn.ended),
            ids={"item_id": first.item_id, "turn_id": turn.id, "call_id": first.call_id},
        )


def _announced(trace: Trace) -> Iterator[tuple[str, list[ItemSeen]]]:
    """(name, what was seen of it) of each output item that some event announced, except what the session itself took up."""
    asked = {action.seen.request_id for action in trace.actions if action.seen.request_id is not None}
    for item in trace.items.values():
        if item.type in _OUTPUTS and item.value.get("role", "assistant") == "assistant":
            request_id = item.history[0].request_id if item.history else None
            if request_id is None or request_id not in asked:
                yield from _from_added(item.id, item.history)
    for together in trace.coordination.values():
        if together.kind != "message":
            yield from _from_added(together.item_id, together.history)
    for call in trace.calls.values():
        # A call that was required or answered is whole, whatever its item shows.
        if not call.required and not call.results:
            yield from _from_added(call.call_id, call.history)


def _from_added(name: str, history: tuple[ItemSeen, ...]) -> Iterator[tuple[str, list[ItemSeen]]]:
    if history and any(seen.phase == "added" for seen in history):
        first = next(number for number, seen in enumerate(history) if seen.phase == "added")
        yield name, [history[first], *history[:first], *history[first + 1 :]]


def _in_stream(first: ItemSeen, turn: Turn) -> bool:
    """Whether one stream shows the announcement and, after it, the completion of the turn.

    Items that a failed or cancelled turn leaves unfinished are what one would expect (fact sheet B.5, D.3.10).
    """
    ended = turn.ended
    if ended is None or turn.outcome != "completed" or not ended.stream:
        return False
    return first.at.index == ended.index and order(first.at, ended) == -1


def _final(seen: ItemSeen) -> bool:
    return seen.status in _FINAL


RULE = Rule(
    code="TL305",
    name="item-never-done",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    summary="An output item was announced, its turn completed in the same stream, and the item was never done.",
    proves=(
        "item.added stands before turn.completed in one stream, and neither an item.done nor a page shows the item "
        "in a final status."
    ),
    cannot="That the server never finished it: an event missed during a disconnect leaves no trace.",
    quiet=(
        "What never gets item.done (user messages, function_call_output, agent_message, approval results); failed "
        "and cancelled turns; items with a final status anywhere; calls that were required or answered; places where "
        "a record was unreadable, unknown or without its payload."
    ),
    example="item.added{command_execution, in_progress} … turn.completed.",
    remedy="List the items of the turn (GET …/turns/{turn_id}/items) and add the pages to this run.",
    check=check,
)
