"""A post that is not confirmed, and an HTTP error right after it that refuses no input: it is told, and not believed."""

import pytest

from tests.rules.cases import SESSION, Json, approval, call, codes, decided, of, opening, post, refusal, snapshot, told, waiting

PATH = f"/v1/agents/sessions/{SESSION}/events"


def error(status: int, message: str = "Not now.") -> Json:
    return {"ts": 1_791_000_041, "dir": "in", "path": PATH, "status": status, "body": refusal(message, "some_error")}


@pytest.mark.parametrize("status", [401, 403, 404, 429, 500, 503])
def test_an_error_right_after_the_post(status: int) -> None:
    (finding,) = of(told(*waiting(call()), post(), error(status)), "TL503")
    assert (
        f"right after it, at <bytes>:8, stands an HTTP error (HTTP {status}, Not now), which may be the reply"
        in finding.message
    )
    (asked,) = of(told(*opening(), snapshot("requires_action", approval()), decided(), error(status)), "TL503")
    assert f"(HTTP {status}, Not now)" in asked.message


def test_an_error_that_does_not_follow_the_post() -> None:
    rows = [*waiting(call()), error(403), post()]
    (finding,) = of(told(*rows), "TL503")
    assert "HTTP" not in finding.message


def test_a_refusal_is_told_as_one() -> None:
    found = codes(told(*waiting(call()), post(), {**error(400), "body": refusal("Invalid.")}))
    assert "TL307" in found
    assert "TL503" not in found
