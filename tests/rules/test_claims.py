"""What a finding says is no more than what the recording shows, and its hint is what helps in that state."""

import json
import random
import string

import pytest

from tests.rules.cases import (
    SESSION,
    TURN,
    action,
    added,
    approval,
    call,
    decided,
    ending,
    numbered,
    of,
    opening,
    output,
    page,
    post,
    refusal,
    snapshot,
    told,
    turn,
    waiting,
    wrapped,
)

KEY = "sk-proj-" + "".join(random.Random(5).choices(string.ascii_letters + string.digits, k=64))  # noqa: S311
GITHUB = "ghp_" + "".join(random.Random(6).choices(string.ascii_letters + string.digits, k=36))  # noqa: S311
UNKNOWN = refusal("Unknown pending tool call: call_ebb1")


@pytest.mark.parametrize(
    ("code", "rows"),
    [
        ("TL701", [*waiting(call()), post(KEY)]),
        ("TL102", [*waiting(call()), post(KEY)]),
        ("TL301", [*opening(), turn("failed", error={"code": "server_error", "message": f"bad key {KEY}"})]),
        ("TL307", [*waiting(call()), post(), refusal(f"tool call: {KEY}")]),
    ],
)
def test_no_finding_shows_a_key(code: str, rows: list[dict[str, object]]) -> None:
    for finding in of(told(*rows), code):
        assert "[a credential]" in finding.message
        assert KEY not in f"{finding.message} {finding.hint} {finding.ids}"
    assert of(told(*rows), code)


def test_a_key_of_others_is_not_shown_by_its_own_finding() -> None:
    pytest.importorskip("kingfisher_sdk")
    (finding,) = of(told(*waiting(call()), post(GITHUB)), "TL701")
    assert "for [a credential] at" in finding.message
    assert GITHUB not in finding.message


def test_an_id_that_is_no_key_stays() -> None:
    (finding,) = of(told(*waiting(call()), post("sk-proj-your-key-goes-here-0000000000000000000000000")), "TL102")
    assert "sk-proj-your-key" in finding.message


def test_a_resend_of_which_nothing_is_known_heals_no_refusal() -> None:
    rows = [*waiting(call()), post(), UNKNOWN, post()]
    (finding,) = of(told(*rows), "TL307")
    assert finding.severity == "error"
    assert "was taken" in finding.message
    assert "nothing shows whether what was posted again" in finding.message
    (finding,) = of(told(*rows, snapshot("in_progress"), *ending()), "TL307")
    assert finding.severity == "note"


@pytest.mark.parametrize(("recorded", "fires"), [(("call_ebb1", "call_fog7"), True), (("call_ebb1",), False), ((), False)])
def test_silence_after_the_last_answer_that_is_confirmed(recorded: tuple[str, ...], fires: bool) -> None:
    posts = [post(one) for one in ("call_ebb1", "call_fog7")]
    answers = [added(output(one)) for one in recorded]
    rows = numbered([*waiting(call(), call("call_fog7")), *posts, *answers, turn("completed")])
    times = [*range(len(rows) - 1), 1300]
    found = of(told(*(wrapped(at, row) for at, row in zip(times, rows, strict=True))), "TL505")
    assert [one.code for one in found] == ["TL505"] * fires


def test_one_item_that_says_two_things_is_two_results() -> None:
    first, other = added(output()), added(output(value="9.99 m"))
    (finding,) = of(told(*waiting(call()), first, other), "TL106")
    assert "in doubt" in finding.message
    assert [one.line for one in finding.locations[:2]] == [8, 7]
    (finding,) = of(told(*waiting(call()), post(), first, page(output(value="9.99 m"))), "TL106")


@pytest.mark.parametrize(
    "again", [output(), output(value=None), output(value='"x"') | {"status": "in_progress"}], ids=["same", "null", "not done"]
)
def test_one_item_told_again_is_one_result(again: dict[str, object]) -> None:
    assert of(told(*waiting(call()), added(again), added(output())), "TL106") == []
    if again["status"] == "completed":
        assert of(told(*waiting(call()), added(output()), page(again)), "TL106") == []


@pytest.mark.parametrize("kind", ["cancelled", "failed"])
def test_a_post_in_time_that_nothing_confirms_is_named_where_its_turn_broke_off(kind: str) -> None:
    (finding,) = of(told(*waiting(call()), post(), *ending(kind)), "TL114")
    assert "had no result" not in finding.message
    assert "a result was posted at <bytes>:7, but nothing confirms it" in finding.message
    assert finding.hint.startswith("Do not post it again")
    for rows in ([*waiting(call()), *ending(kind)], [*waiting(call()), *ending(kind), post()]):
        (finding,) = of(told(*rows), "TL114")
        assert "had no result" in finding.message


def test_what_may_not_be_awaited_is_not_to_be_answered_unread() -> None:
    fog = call("call_fog7")
    for status, hint in (("no_such_status", "Read the session; answer"), ("requires_action", "Answer the calls")):
        rows = [*waiting(call(), fog), added(output()), snapshot("requires_action", action(fog), status=status)]
        (finding,) = of(told(*rows), "TL502")
        assert finding.hint.startswith(hint)
        assert len(of(told(*rows), "TL501")) == (status == "requires_action")


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ("TL103", output(turn_id="turn_wave2")),
        ("TL104", output("item_call_ebb1")),
        ("TL105", output("call_ebb7")),
        ("TL102", output("call_moonrise42")),
    ],
)
def test_of_a_recorded_result_that_fits_no_call_the_recording_is_doubted(code: str, wrong: dict[str, object]) -> None:
    rows = [*waiting(call()), added(wrong)]
    if code == "TL103":
        rows = [*opening(), *waiting(call())[4:], turn("created", "turn_wave2"), added(wrong)]
    (finding,) = of(told(*rows), code)
    assert (finding.severity, finding.confidence) == ("warning", "low")
    assert "the recording probably lacks that call" in finding.message
    assert finding.hint.startswith("Fetch the items")
    posted = {"call_id": wrong["call_id"], "turn_id": wrong["turn_id"]}
    (finding,) = of(told(*rows[:-1], post(**posted)), code)
    assert finding.severity == "error"


def test_an_approval_result_for_a_call_is_sent_to_the_call() -> None:
    rows = [*waiting(call()), decided("call_ebb1")]
    (finding,) = of(told(*rows), "TL116")
    assert finding.hint == f"Run the function and answer it by a tool_result with turn_id {TURN} and call_id call_ebb1."
    (finding,) = of(told(*rows, *ending("failed")), "TL116")
    assert finding.hint.startswith("Do not post it now")
    (finding,) = of(told(*rows[:-1], post(), rows[-1]), "TL116")
    assert finding.hint.startswith("Read the session")


def test_no_body_is_promised_where_none_is_printed() -> None:
    voice = approval() | {"type": "voice_approval_request"}
    for asked, hint in ((approval(), "Run tracelink awaits with --emit payload"), (voice, "Nobody documents how")):
        (finding,) = of(told(*opening(), snapshot("requires_action", asked)), "TL501")
        assert finding.hint.startswith(hint)


def test_an_id_with_what_cannot_be_seen_is_quoted() -> None:
    taken = [*waiting(call()), post(), added(output()), snapshot("in_progress", at=12)]
    for wrong, shown in (
        ("call_ebb1 ", "'call_ebb1 '"),
        ("call_ebb\u200b1", "'call_ebb\\u200b1'"),
        ("call_moon42", "call_moon42"),
    ):
        (finding,) = of(told(*taken, post(wrong)), "TL102")
        assert f"names {shown} in turn" in finding.message


def of_marsh(rows: list[dict[str, object]]) -> list[dict[str, object]]:
    """The story as one of another session."""
    told_anew = json.loads(json.dumps(rows).replace(SESSION, "sess_marsh2").replace(TURN, "turn_marsh2"))
    return [{**row, "event_id": f"ev_m{number}"} for number, row in enumerate(told_anew)]


@pytest.mark.parametrize(
    ("then", "hint"),
    [
        ([], "Post it to session sess_marsh2."),
        ([added(output())], "Do not post it again"),
        (ending("failed"), "Do not post it now"),
    ],
)
def test_the_advice_on_another_sessions_result_goes_by_the_call(then: list[dict[str, object]], hint: str) -> None:
    url = f"https://api.example.com/v1/agents/sessions/{SESSION}/events"
    sent = {"url": url, "body": {"events": [post(turn_id="turn_marsh2")]}}
    (finding,) = of(told(*waiting(call("call_fog7")), *of_marsh([*waiting(call()), *then]), sent), "TL112")
    assert finding.hint.startswith(hint)


def test_the_advice_on_a_refusal_goes_by_what_was_meant() -> None:
    near = [*waiting(call()), post("call_ebb7"), refusal("Unknown pending tool call: call_ebb7")]
    assert of(told(*near), "TL307")[0].hint.startswith("Compare turn_id")
    assert of(told(*near, *ending("failed")), "TL307")[0].hint.startswith("Do not post it now")
    asked = approval()
    rows = [*opening(), snapshot("requires_action", asked), post("mcpr_reef1")]
    assert of(told(*rows, refusal("Unknown pending tool call: mcpr_reef1")), "TL307")[0].hint.startswith("Post no tool_result")


@pytest.mark.parametrize(
    ("posts", "hint"),
    [
        ([post()], "Read the session; if"),
        ([post(value={"metres": 2})], "Mend the result first (TL201)"),
        ([post(success=None)], "Mend the result first (TL202)"),
        ([post(), post(value="9 m")], "Read the session and its items; post neither"),
    ],
)
def test_a_faulty_answer_is_not_to_be_posted_again_as_it_is(posts: list[dict[str, object]], hint: str) -> None:
    (finding,) = of(told(*waiting(call()), *posts), "TL503")
    assert finding.hint.startswith(hint)
