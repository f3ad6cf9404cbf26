"""TL110 and TL102 where the recording itself holds the result, and what keeps them quiet."""

from typing import Any

import pytest

from tests.rules.cases import TURN, Json, call, codes, ending, function, of, opening, output, post, told, turn, waiting, wrapped
from tests.rules.cases import added as item_added
from tests.rules.cases import snapshot as snap


def body(**more: Any) -> Json:
    return {"events": [post(**more)]}


def test_a_post_after_the_end_that_was_recorded_all_the_same() -> None:
    (finding,) = of(told(*waiting(call()), *ending("completed"), body(), item_added(output())), "TL110")
    assert "completed" in finding.message
    assert "it is recorded at <bytes>:10, too late for that turn" in finding.message
    assert [at.line for at in finding.locations] == [9, 7, 5]


def test_a_post_after_a_cancel_of_which_nothing_came() -> None:
    (finding,) = of(told(*waiting(call()), *ending("cancelled"), body()), "TL110")
    assert "was cancelled" in finding.message
    assert finding.message.endswith("the call was no longer pending.")


def test_a_resend_of_what_was_recorded_in_time_is_not_late() -> None:
    rows = [*waiting(call()), item_added(output()), snap("in_progress", at=12), *ending("completed"), body()]
    assert "TL110" not in codes(told(*rows))


def test_another_answer_after_one_that_came_in_time_is_not_late() -> None:
    """TL106 speaks of it."""
    rows = [*waiting(call()), item_added(output()), *ending("completed"), body(value="another")]
    assert codes(told(*rows)) == ["TL106"]


def test_an_async_function_may_be_answered_after_its_turn() -> None:
    tools = [function(**{"async": True})]
    rows = [*opening(call()), snap("requires_action", tools=tools), turn("completed"), snap("idle", at=25, tools=tools)]
    assert "TL110" not in codes(told(*rows, body()))
    cancelled = [*rows[:-2], turn("cancelled"), rows[-1]]
    assert "TL110" in codes(told(*cancelled, body()))


def test_a_post_in_no_known_order_with_the_end_is_not_late() -> None:
    """One has a receive time, in another file; the other has none."""
    import tracelink
    from tests.rules.cases import lines

    stream = lines([*waiting(call()), *ending("cancelled")]).encode()
    posts = lines([wrapped(90, body())]).encode()
    assert "TL110" not in {one.code for one in tracelink.report(stream, posts).all_findings()}


@pytest.mark.parametrize("posted", [False, True])
def test_a_result_without_a_call(posted: bool) -> None:
    """Recorded, the recording lacks the call; posted, nothing was answered by it."""
    row = body(call_id="call_stray99") if posted else item_added(output("call_stray99"))
    (finding,) = of(told(*waiting(call()), row, *ending()), "TL102")
    said = (finding.severity.value, finding.confidence.value)
    assert said == (("error", "high") if posted else ("warning", "low"))
    assert finding.ids == {"call_id": "call_stray99", "turn_id": TURN}
    assert finding.message.startswith("A posted result" if posted else "A recorded result")
    assert finding.locations[0].line == 7
