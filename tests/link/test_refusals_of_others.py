"""A refusal that stands close to a post, and speaks of something else: it is no reason to call the post refused."""

from typing import Any

import tracelink
from tests.rules.cases import Json, call, codes, lines, of, output, post, refusal, snapshot, told, waiting, wrapped
from tests.rules.cases import added as item_added

TAKEN = (post(), item_added(output()), snapshot("in_progress", at=12))


def refused(*rows: Any) -> list[str | None]:
    (trace,) = tracelink.trace(lines([*waiting(call()), *rows]).encode())
    return [one.call_id for one in trace.results if one.refused is not None]


def test_a_refusal_that_names_a_call_nobody_posted() -> None:
    other = refusal("Unknown pending tool call: call_gale4")
    assert refused(post(), other) == []
    (finding,) = of(told(*waiting(call()), post(), other), "TL307")
    assert finding.ids == {"call_id": "call_gale4", "error_code": "invalid_request_error"}
    assert finding.message.startswith("The server refused the answer to call_gale4 at <bytes>:8 (")


def test_a_refusal_after_the_result_was_recorded() -> None:
    assert refused(*TAKEN, refusal("Invalid request.")) == []
    assert "TL307" not in codes(told(*waiting(call()), *TAKEN, refusal("Invalid request.")))


def test_a_refusal_right_after_the_post() -> None:
    assert refused(post(), refusal("Invalid request.")) == ["call_ebb1"]
    assert refused(post(), refusal("Unknown pending tool call: call_ebb1")) == ["call_ebb1"]


def test_another_result_that_is_refused_beside_the_recorded_one() -> None:
    """What is recorded in between is not what was posted last."""
    rows: list[Json] = [post(), post(value="another"), item_added(output()), refusal("Conflict.", "conflict_error")]
    (trace,) = tracelink.trace(lines([*waiting(call()), *rows]).encode())
    assert [one.output for one in trace.results if one.refused is not None] == ["another"]


def rotated(seconds: float, *, stamped: bool = True) -> list[str | None]:
    """The log was rotated between the post and the refusal that came so many seconds later."""
    before = [wrapped(at, row) for at, row in enumerate([*waiting(call()), post()])]
    after = wrapped(len(before) - 1 + seconds, refusal("Invalid request."))
    if not stamped:
        del after["ts"]
    (trace,) = (one for one in tracelink.trace(lines(before).encode(), lines([after]).encode()) if one.session_id is not None)
    return [one.call_id for one in trace.results if one.refused is not None]


def test_a_refusal_at_the_head_of_the_next_log() -> None:
    assert rotated(0.4) == ["call_ebb1"]
    assert rotated(40) == []
    assert rotated(-1) == []
    assert rotated(0.4, stamped=False) == []
