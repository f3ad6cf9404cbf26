"""Calls and outputs: each call answered, each output with a call, once, by the right type, in order (fact sheet D).

Where something of the recording is missing, `gaps` says of each of these that it is not proven.
"""

from collections.abc import Iterator
from typing import Any

from tracelink.gate.call import OK, STATUS
from tracelink.gate.checks.calls import readable
from tracelink.gate.checks.context import Context, call_key
from tracelink.gate.checks.meant import candidates, concerned
from tracelink.gate.item import Fix, Problem
from tracelink.gate.kinds import (
    APPROVAL_REQUEST,
    APPROVAL_RESPONSE,
    BOUND,
    CALL,
    CORE,
    OUTPUTS,
    PAIRS,
    REASONING,
    SERVER_SIDE,
    text,
    type_of,
)

NOT_RECORDED = (
    "No result of this call was recorded. It may or may not have been carried out; "
    "check before running it again, and do not take this for a success."
)

_BOTH = "Leave both items out or keep both, and send them to the provider that made them; --repair drops neither."


def open_calls(context: Context) -> Iterator[Problem]:
    """`missing_output`, unless an output may answer the call by its item id (`item_id_as_call_id`)."""
    history = context.history
    meant = concerned(context)
    after = _others(context)
    for position in context.pairs.open:
        value, verdict = context.value(position), context.verdicts[position]
        type_ = type_of(value) or ""
        if type_ in SERVER_SIDE or position in meant:
            continue
        if verdict.verdict == STATUS and verdict.detail != "status_absent":
            continue  # an unfinished call is told as such; nobody may answer it
        number = history.items[position].response
        tail = not any(at > position and (number is None or of != number) for of, at in after.items())
        told = "nothing follows it, so an answer can still come" if tail else "the history goes on without it"
        if tail and history.aborted is not None:
            told = f"nothing follows it, and the recording says that the turn was aborted ({history.aborted})"
        fixes = (Fix("insert", position, NOT_RECORDED),) if synthesizable(context, position) else ()
        detail = "tail" if tail else "middle"
        message = f"the call {text(value, 'name') or type_} has no {PAIRS[type_]}: {told}"
        yield history.problem("missing_output", message, position, detail=detail, fixes=fixes)


def _others(context: Context) -> dict[int | None, int]:
    """Response → the last of its items that is neither call nor output; None for items of no known response."""
    return {
        item.response: at
        for at, item in enumerate(context.history.items)
        if type_of(item.value) not in PAIRS and type_of(item.value) not in OUTPUTS
    }


def synthesizable(context: Context, position: int) -> bool:
    """An open call that an output of ours may close: only a function call that is whole."""
    value, verdict = context.value(position), context.verdicts[position]
    if type_of(value) != CALL:
        return False
    return verdict.verdict == OK or (verdict.detail == "status_absent" and readable(value))


def orphans(context: Context) -> Iterator[Problem]:
    """`orphan_output`. Where state is kept elsewhere, an orphan is only that.

    An item of a type that nobody knows, an extension's for one, may be the call if it bears the id: then the output stays as long as it does (A.3).
    """
    history = context.history
    meant, bearers = candidates(context), _strangers(context)
    for position in context.pairs.orphans:
        if position in meant or context.elsewhere:
            continue
        message = f"an output ({type_of(context.value(position))}) whose call is not in the history"
        bearer = bearers.get(call_key(context.value(position)) or "")
        if bearer is None:
            yield history.problem("orphan_output", message, position, fixes=(Fix("drop", position),))
            continue
        message += f", unless it is the {type_of(context.value(bearer)) or 'item without a type'} that bears its id"
        yield history.problem("orphan_output", message, position, bearer, detail="claimed", remedy=_BOTH)


def _strangers(context: Context) -> dict[str, int]:
    """Id → the first item that bears it and is neither core nor a provider's known one: what it is a half of is not known."""
    found: dict[str, int] = {}
    for position, item in enumerate(context.history.items):
        type_ = type_of(item.value)
        if type_ in CORE or type_ in BOUND:
            continue
        for id_ in (text(item.value, "call_id"), text(item.value, "id") if type_ is not None else None):
            if id_ is not None:
                found.setdefault(id_, position)
    return found


def wrong_type(context: Context) -> Iterator[Problem]:
    for position, call in sorted(context.pairs.mismatched.items()):
        wanted = PAIRS[type_of(context.value(call)) or ""]
        message = f"a {type_of(context.value(position))} answers a {type_of(context.value(call))}, which takes a {wanted}"
        yield context.history.problem("output_type_mismatch", message, position, call)


def doubled(context: Context) -> Iterator[Problem]:
    """`duplicate_call_id`, `call_id_reused`, `duplicate_output`."""
    problem = context.history.problem
    for position, first in context.pairs.twice.items():
        one, other = context.value(first), context.value(position)
        same = one == other
        one_item = same and text(one, "id") is not None
        told = (
            "the same call stands there twice"
            if one_item
            else "two equal calls share an id, and whether they are one call is not recorded"
            if same
            else "two calls share an id while the first is open, so their outputs cannot be told apart"
        )
        detail = "identical" if same else "names_differ" if one.get("name") != other.get("name") else "differs"
        fixes = (Fix("drop", position),) if one_item else ()
        yield problem("duplicate_call_id", told, position, first, detail=detail, fixes=fixes)
    for position, first in context.pairs.reused.items():
        message = "a call has the id of an earlier call that is answered already"
        yield problem("call_id_reused", message, position, first, fixes=(Fix("rename-pair", position),))
    for position, first in context.pairs.again.items():
        same = context.value(position).get("output") == context.value(first).get("output")
        told = "the same output a second time" if same else "a second output that says something else"
        yield _again(context, position, first, f"{told} for one call", same)


def _again(context: Context, position: int, first: int, message: str, same: bool) -> Problem:
    """`duplicate_output`: two that say the same are one too many, of two that differ nobody knows which is right."""
    fixes = (Fix("drop", position),) if same else ()
    detail, row = ("identical", "duplicate_output/identical") if same else ("conflict", None)
    return context.history.problem("duplicate_output", message, position, first, detail=detail, row=row, fixes=fixes)


def order(context: Context) -> Iterator[Problem]:
    """`order`: outputs before their calls; all of them, on a page that runs newest first."""
    pairs = context.pairs
    whole = len(pairs.reversed_) > 1 and len(pairs.reversed_) == len(pairs.answers)
    answered = {output: call for call, output in pairs.answers.items()}
    for number, position in enumerate(pairs.reversed_):
        call = answered[position]
        message = "an output stands before its call" + (
            "; every pair does, as on a page that runs newest first" if whole else ""
        )
        fixes = ((Fix("reverse", position),) if number == 0 else ()) if whole else (Fix("move", position, call + 1),)
        detail = "reversed_page" if whole else None
        yield context.history.problem("order", message, position, call, detail=detail, fixes=fixes)


def adjacency(context: Context) -> Iterator[Problem]:
    """`adjacency`: something stands between calls and their outputs, or a call between the outputs of its group."""
    calls = {output: call for call, output in context.pairs.answers.items() if output > call}
    leading = _leading(context)
    open_: list[int] = []
    answering = False
    told = False
    for position, item in enumerate(context.history.items):
        type_ = type_of(item.value)
        if type_ in OUTPUTS and position in calls:
            open_.remove(calls[position])
            answering = bool(open_)
            told = told and bool(open_)
            continue
        within = type_ in PAIRS or position in leading
        breaks = bool(open_) and (not within or answering)
        if breaks and not told:
            told = True
            late = sorted(context.pairs.answers[call] for call in open_)
            fixes = tuple(Fix("move", output, position) for output in late) if _movable(context, position, late) else ()
            message = "something stands between calls and their outputs"
            yield context.history.problem("adjacency", message, late[0], position, fixes=fixes)
        if position in context.pairs.answers and context.pairs.answers[position] > position:
            open_.append(position)


def _leading(context: Context) -> frozenset[int]:
    """Reasoning that a call follows: among the calls of a group it goes with that call."""
    found, follows = [], False
    for position in range(len(context.history.items) - 1, -1, -1):
        type_ = type_of(context.value(position))
        if type_ != REASONING:
            follows = type_ in PAIRS
        elif follows:
            found.append(position)
    return frozenset(found)


def _movable(context: Context, start: int, late: list[int]) -> bool:
    """Moving outputs is safe while nothing of a provider's own stands where they pass (D)."""
    plain = ("message", "reasoning", CALL, "function_call_output")
    return all(type_of(context.value(between)) in plain for between in range(start, max(late)))


def approvals(context: Context) -> Iterator[Problem]:
    """`approval_unanswered`, `approval_orphan`, and `duplicate_output` of a request answered twice: the request's own id is the tie; a yes in
    prose is no answer.
    """
    history = context.history
    answered: dict[str, int] = {}
    asked: set[str] = set()
    for position, item in enumerate(history.items):
        if type_of(item.value) == APPROVAL_RESPONSE and (id_ := text(item.value, "approval_request_id")):
            answered.setdefault(id_, position)
        elif type_of(item.value) == APPROVAL_REQUEST and (id_ := text(item.value, "id")):
            asked.add(id_)
    for position, item in enumerate(history.items):
        type_ = type_of(item.value)
        if type_ == APPROVAL_REQUEST and text(item.value, "id") not in answered:
            tail = position == len(history.items) - 1
            told = "nothing follows it, so an answer can still come" if tail else "an answer in prose is none"
            message = f"the request for approval has no mcp_approval_response; {told}"
            yield history.problem("approval_unanswered", message, position)
        elif type_ == APPROVAL_RESPONSE and text(item.value, "approval_request_id") not in asked and not context.elsewhere:
            message = "an approval answers a request that is not in the history"
            yield history.problem("approval_orphan", message, position, fixes=(Fix("drop", position),))
        elif (
            type_ == APPROVAL_RESPONSE
            and (first := answered.get(text(item.value, "approval_request_id") or "", position)) != position
        ):
            told = (
                "the same answer a second time"
                if _agreed(item.value) == _agreed(context.value(first))
                else "a second answer that differs"
            )
            yield _again(context, position, first, f"{told}, to one request for approval", told.startswith("the same"))


def _agreed(value: dict[str, Any]) -> dict[str, Any]:
    """What an approval says, without its own id."""
    return {name: member for name, member in value.items() if name not in ("id", "status") and member is not None}
