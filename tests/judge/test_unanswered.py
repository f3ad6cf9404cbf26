"""Where the recording holds no answer, it is said that nobody can tell from it why, and where to look; elsewhere it is not said."""

import pytest

from tests.rules.cases import Json, approval, call, computer, connection, decided, post, refusal, snapshot, told, waiting

SAID = "cannot show whether one was sent and lost or never sent: look first into the app's own log of posts to "
HERE = "…/agents/sessions/sess_tide1/events."


def texts(*rows: Json) -> list[str]:
    (one,) = told(*rows).sessions
    return [step.text for step in one.next_actions]


@pytest.mark.parametrize(
    "rows",
    [
        waiting(call()),
        waiting(call(arguments='{"gauge": "nor')),
        waiting(call("call_e1"), call("call_e2")),
        [snapshot("requires_action", approval())],
        [snapshot("requires_action", computer())],
    ],
    ids=["call", "torn arguments", "two calls", "approval", "computer"],
)
def test_what_nobody_answered(rows: list[Json]) -> None:
    first, *others = texts(*rows)
    assert first.endswith(SAID + HERE)
    assert not any(SAID in text for text in others)


def test_it_is_said_once_for_all_that_nobody_answered() -> None:
    answered, first, *others = texts(*waiting(*(call(f"call_e{n}") for n in range(4))), post("call_e0"))
    assert SAID not in answered + "".join(others)
    assert "holds no answer to call_e1 nor to 2 other open actions and cannot show" in first
    assert "holds no answer to call_e1 nor to 1 other open action and" in texts(*waiting(call("call_e1"), call("call_e2")))[0]


@pytest.mark.parametrize(
    "rows",
    [
        [*waiting(call()), post(turn_id="turn_far1")],
        [*waiting(call()), post()],
        [*waiting(call()), post(), refusal("Unknown pending tool call: call_ebb1")],
        [*waiting(call()), post("call_elsewhere9", "turn_elsewhere9")],
        [snapshot("requires_action", approval()), decided()],
        [snapshot("requires_action", connection())],
    ],
    ids=["misaddressed", "unapplied", "refused", "astray", "decided", "nothing to post"],
)
def test_what_was_answered_somehow_or_takes_no_post(rows: list[Json]) -> None:
    found = texts(*rows)
    assert found
    assert not any(SAID in text for text in found)
