"""Which post a refusal answers: that of its own log entry, that which it names, or that right before it, if it is close."""

from typing import Any

import pytest

import tracelink
from tests.rules.cases import TURN, Json, call, lines, output, post, refusal, waiting, wrapped
from tests.rules.cases import added as item_added
from tracelink.model.trace import Trace


def traced(*rows: Any) -> Trace:
    (trace,) = tracelink.trace(lines(list(rows)).encode())
    return trace


def refused(*rows: Any) -> list[str | None]:
    """The call ids of the results that the server refused."""
    return [one.call_id for one in traced(*waiting(call(), call("call_ebb2")), *rows).results if one.refused is not None]


def exchange(posts: list[Json], reply: Json, **more: Any) -> Json:
    """One entry of an HTTP log: request and reply."""
    path = "/v1/agents/sessions/sess_tide1/events"
    return {
        "request": {"method": "POST", "url": path, "body": {"events": posts}},
        "response": {"status": 400, "body": reply},
        **more,
    }


def test_of_one_entry_all_posts_are_refused() -> None:
    """One POST is taken or refused as a whole, whichever it names."""
    assert refused(exchange([post(), post("call_ebb2")], refusal("Invalid."))) == ["call_ebb1", "call_ebb2"]
    assert refused(exchange([post(), post("call_ebb2")], refusal("Invalid call_ebb2."))) == ["call_ebb1", "call_ebb2"]


def test_a_refusal_of_an_entry_speaks_of_no_other() -> None:
    assert refused(post(), exchange([post("call_ebb2")], refusal("Invalid."))) == ["call_ebb2"]


def test_the_post_that_it_names() -> None:
    assert refused(post(), post("call_ebb2"), refusal("Unknown pending tool call: call_ebb1")) == ["call_ebb1"]
    assert refused(post(), post("call_ebb2"), refusal('No call "call_ebb1".')) == ["call_ebb1"]


def test_each_of_two_refusals_takes_a_post_of_its_own() -> None:
    """The same call was posted twice and refused twice: nothing was answered."""
    said = refusal("Unknown pending tool call: call_ebb1")
    trace = traced(*waiting(call()), post(), said, post(), said)
    (result,) = trace.results
    assert result.refused is not None
    assert result.call == (TURN, "call_ebb1")
    once = traced(*waiting(call()), post(), said, post())
    assert once.results[0].refused is None  # the second is still on its way


def test_two_posts_and_then_two_refusals() -> None:
    said = refusal("Unknown pending tool call: call_ebb1")
    (result,) = traced(*waiting(call()), post(), post(), said, said).results
    assert result.refused is not None
    (result,) = traced(*waiting(call()), post(), post(), said).results
    assert result.refused is None


def test_a_post_after_it_is_not_what_it_refuses() -> None:
    assert refused(refusal("Unknown pending tool call: call_ebb1"), post()) == []


def test_the_post_right_before_it() -> None:
    assert refused(post(), post("call_ebb2"), refusal("Invalid.")) == ["call_ebb2"]
    assert refused(post(), refusal("Invalid."), refusal("Invalid.")) == ["call_ebb1"]


def test_not_the_one_long_before_it() -> None:
    """At most 8 records away where there is no clock, at most 30 seconds by it."""
    between = [item_added(output(f"call_x{n}")) for n in range(8)]
    assert refused(post(), *between[:7], refusal("Invalid.")) == ["call_ebb1"]
    assert refused(post(), *between, refusal("Invalid.")) == []
    sent = wrapped(100, {"events": [post()]})
    assert refused(sent, wrapped(130, refusal("Invalid."))) == ["call_ebb1"]
    assert refused(sent, wrapped(131, refusal("Invalid."))) == []
    timed = [wrapped(101, one) for one in between]
    assert refused(sent, *timed, wrapped(102, refusal("Invalid."))) == ["call_ebb1"]


def test_one_clock_is_none() -> None:
    """Only one of the two has a receive time: the number of records counts."""
    assert refused(wrapped(100, {"events": [post()]}), refusal("Invalid.")) == ["call_ebb1"]
    assert refused(post(), wrapped(1_000, refusal("Invalid."))) == ["call_ebb1"]


def test_a_refusal_of_something_else() -> None:
    assert refused(post(), {"status": 404, "body": refusal("Not found.", "not_found_error")}) == []
    assert refused(post(), {"status": 401, "body": refusal("Who are you?", "invalid_request_error")}) == []
    assert refused(post(), refusal("Too busy.", "service_unavailable_error")) == []
    assert refused(post(), {"status": 409, "body": refusal("Conflict.", "conflict_error")}) == ["call_ebb1"]


def test_a_result_of_another_session_keeps_the_turn_that_was_named() -> None:
    """TL112: what was meant is the very pair, in the session that has it."""
    from tests.rules.cases import session

    two = [{"type": "agent.session.in_progress", "session": session("in_progress", session_id="sess_tide2")}]
    rows = [*waiting(call()), *two]
    found = {
        one.session_id: one
        for one in tracelink.trace(lines(rows).encode(), lines([{"session_id": "sess_tide2", "body": post()}]).encode())
    }
    (result,) = found["sess_tide2"].results
    assert result.problem == "TL112"
    assert result.meant is not None
    assert (result.meant.turn_id, result.meant.call_id, result.meant.session_id) == (TURN, "call_ebb1", "sess_tide1")


@pytest.mark.parametrize("status", [400, 404])
def test_a_reply_to_a_post_of_no_known_session_is_told_with_it(status: int) -> None:
    """In its own log entry a 404 too is the reply to the post, and no HTTP error of something else."""
    rows = [{"event_id": f"ev_{name}", **waiting(call(), session_id=name)[-1]} for name in ("sess_ebb1", "sess_ebb2")]
    entry = {
        "request": {"body": {"events": [post()]}},
        "response": {"status": status, "body": refusal("Not found.", "not_found_error")},
    }
    other = {"status": 404, "body": refusal("Not found.", "not_found_error")}
    both = ["whose post this is", "whose HTTP error this is"]
    for more, told in ((), both[:1]), ((other,), both):
        traces = tracelink.trace(lines([*rows, entry, *more]).encode())
        assert [[one.what for one in trace.unlinkable] for trace in traces] == [told, told]
        assert all(one.refused is not None for trace in traces for one in trace.adrift)
