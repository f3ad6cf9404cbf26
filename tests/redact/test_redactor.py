"""What becomes of single values: tokens, ids, schemas, damage, what the user names."""

import json
import re
from typing import Any

import pytest

import tracelink
from tests.redact.compare import KEY, redacted, redacted_lines
from tracelink.link.near import NearIndex
from tracelink.model.limits import Limits
from tracelink.redact import Choice, PathError, Redactor, Tokens
from tracelink.redact.sources import Rewriter
from tracelink.redact.words import plain

CALL = {
    "type": "function_call",
    "id": "item_1",
    "turn_id": "turn_1",
    "call_id": "call_A1b2C3",
    "name": "book",
    "status": "completed",
}


def with_choice(value: Any, **options: list[str]) -> Any:
    choice = Choice(**options)
    out: list[bytes] = []
    Rewriter(Redactor(Tokens(KEY), names=choice.names), Limits(), None, choice).run([json.dumps(value).encode()], out.append)
    return json.loads(b"".join(out))


def test_the_same_text_has_the_same_token_and_another_key_another() -> None:
    one, other = Tokens(KEY), Tokens(b"x" * 32)
    assert one.text("Ida") == one.text("Ida") != one.text("ida")
    assert one.text("Ida") != other.text("Ida")
    assert Tokens().text("Ida") != Tokens().text("Ida")


def test_lengths_are_rounded() -> None:
    tokens = Tokens(KEY)
    assert "~" not in tokens.text("a" * 64)
    assert tokens.text("a" * 65).endswith("~128")
    assert tokens.text("a" * 128).endswith("~128")


def test_arguments_stay_json_in_a_string_and_what_is_equal_stays_equal() -> None:
    text = '{"guest": "Ida", "card": 4929123456789010, "paid": true, "note": null, "nights": [1, 1, 2.5]}'
    posted = {
        "type": "agent.session.input.tool_result",
        "turn_id": "turn_1",
        "call_id": "call_A1b2C3",
        "success": True,
        "output": text,
    }
    call, post = redacted_lines({**CALL, "arguments": text}, posted)
    assert call["arguments"] == post["output"]
    arguments = json.loads(call["arguments"])
    assert list(arguments.values())[2:4] == [True, None]
    nights = arguments.popitem()[1]
    assert nights[0] == nights[1] != nights[2]
    assert isinstance(nights[0], int)
    assert isinstance(nights[2], float)
    assert "Ida" not in call["arguments"]
    assert "4929" not in call["arguments"]
    assert "nights" not in call["arguments"]
    assert {key: call[key] for key in CALL} == CALL


def test_torn_arguments_stay_torn() -> None:
    (call,) = redacted_lines({**CALL, "arguments": '{"guest": "Ida'})
    with pytest.raises(ValueError, match="Unterminated"):
        json.loads(call["arguments"])
    assert "Ida" not in call["arguments"]


def session(arguments: str, parameters: Any) -> bytes:
    tool = {"type": "function", "name": "book", "parameters": parameters}
    value = {"object": "agent.session", "id": "sess_1", "agent": {"id": "a_1", "tools": [tool]}, "status": "requires_action"}
    action = {"type": "function_call", "turn_id": "turn_1", "call_id": "call_1", "name": "book", "arguments": arguments}
    return json.dumps({**value, "required_actions": [action]}).encode()


SCHEMA = {
    "type": "object",
    "properties": {"guest_of_honour": {"enum": ["Ida", "Otto"]}, "nights": {"$ref": "#/$defs/stay-length"}},
    "required": ["guest_of_honour"],
    "additionalProperties": False,
    "$defs": {"stay-length": {"type": "integer"}},
}


@pytest.mark.parametrize(
    ("arguments", "fits"),
    [
        ('{"guest_of_honour": "Ida", "nights": 3}', True),
        ('{"guest_of_honour": "Eve"}', False),
        ('{"nights": 3}', False),
        ('{"guest_of_honour": "Otto", "nights": "3"}', False),
        ('{"guest_of_honour": "Otto", "nights": 3.5}', False),
        ('{"guest_of_honour": "Otto", "nigths": 3}', False),
    ],
)
def test_arguments_fit_or_break_their_schema_as_before(arguments: str, fits: bool) -> None:
    data = session(arguments, SCHEMA)
    done = redacted(data)
    for one in (data, done):
        assert ("TL204" not in {found.code for found in tracelink.report(one).all_findings()}) is fits
    assert not any(word in done for word in (b"honour", b"Ida", b"Otto", b"nigths"))


def test_what_a_schema_asks_of_texts_and_numbers_is_loosened_and_counted() -> None:
    """Tokens would break it where the original does not."""
    schema = {
        "type": "object",
        "properties": {"zip": {"type": "string", "pattern": "^[0-9]{5}$", "maxLength": 5}, "n": {"maximum": 9}},
    }
    out: list[bytes] = []
    redactor = Redactor(Tokens(KEY))
    Rewriter(redactor, Limits()).run([session('{"zip": "12345", "n": 3}', schema)], out.append)
    assert "TL204" not in {found.code for found in tracelink.report(b"".join(out)).all_findings()}
    assert redactor.counts["dropped", "schema constraints"] == 3


@pytest.mark.parametrize(
    "drifted", ["call_a1b2c3", "call_A1b2C", "A1b2C3", "fc_call_A1b2C3", "call_A1b2C4", "call_1Ab2C3", " call_A1b2C3 "]
)
def test_renamed_ids_are_near_as_before(drifted: str) -> None:
    redactor = Redactor(Tokens(KEY), ids=True)
    right, wrong = redactor.id("call_A1b2C3"), redactor.id(drifted)
    assert right.startswith("call_")
    assert right != "call_A1b2C3"
    before = NearIndex([("t", "call_A1b2C3")]).nearest(drifted, "t", lambda _: True)
    after = NearIndex([("t", right)]).nearest(wrong, "t", lambda _: True)
    assert [one.reason for one in before] == [one.reason for one in after] != []


def test_ids_are_renamed_in_urls_and_refusals_too() -> None:
    url = "https://api.acme.example/v1/agents/sessions/sess_Q9/turns?after=turn_77&note=Ida"
    refusal = {
        "error": {
            "message": "Unknown pending tool call: call_A1b2C3",
            "type": "invalid_request_error",
            "code": None,
            "param": None,
        }
    }
    (line,) = redacted_lines({"url": url, "status": 400, "body": refusal}, ids=True)
    redactor = Redactor(Tokens(KEY), ids=True)
    assert f"/v1/agents/sessions/{redactor.id('sess_Q9')}/turns?after={redactor.id('turn_77')}&" in line["url"]
    assert "acme" not in line["url"]
    assert "Ida" not in line["url"]
    assert line["status"] == 400
    assert line["body"]["error"]["message"] == f"Unknown pending tool call: {redactor.id('call_A1b2C3')}"


def test_a_text_in_the_place_of_an_id_or_a_name_goes() -> None:
    (call,) = redacted_lines({**CALL, "call_id": "ida@acme.example", "name": "call Ida at 0151 23456789"})
    assert call["call_id"].startswith("x_")
    assert call["name"].startswith("x_")


@pytest.mark.parametrize("member", ["name", "call_id", "id"])
def test_a_credential_in_a_name_or_an_id_goes(member: str) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    (call,) = redacted_lines({**CALL, member: f"x_{secret}"})
    assert secret not in json.dumps(call)


def test_keep_copies_and_credentials_go_all_the_same() -> None:
    secret = "sk-proj-" + "Qw7Er8Ty9Ui0Op1As2Df3Gh4Jk5Lz6Xc7Vb8Nm9Qa"
    item = {**CALL, "arguments": {"guest": "Ida", "key": secret, "more": {"x": "y"}}}
    done = with_choice(item, keep=["$.arguments"])
    assert done["arguments"]["guest"] == "Ida"
    assert done["arguments"]["more"] == {"x": "y"}
    assert secret not in json.dumps(done)
    assert with_choice({"note": "kept", "payload": item}, keep=["$.note"])["note"] == "kept"
    assert with_choice({"payload": item}, keep=["$.arguments.guest"])["payload"]["arguments"]["guest"] == "Ida"


def test_drop_puts_null_and_beats_keep() -> None:
    item = {**CALL, "arguments": {"guest": ["Ida", {"a": 1}], "room": "9"}}
    done = with_choice(item, keep=["$.arguments"], drop=["$.arguments.guest"])
    assert done["arguments"] == {"guest": None, "room": "9"}
    assert with_choice(item, drop=["$.status"])["status"] is None


def test_a_path_that_does_not_parse_is_told() -> None:
    with pytest.raises(PathError, match="no JSONPath"):
        Choice(keep=["$.[["])


def test_what_nobody_knows_is_not_copied() -> None:
    unknown = {
        "type": "agent.session.wibbled",
        "event_id": "ev_1",
        "session_id": "s_1",
        "who": "Ida",
        "name": "Ida",
        "n": 5551234,
        "at": {"id": "Ida"},
    }
    (done,) = redacted_lines(unknown)
    assert (done["event_id"], done["session_id"]) == ("ev_1", "s_1")
    assert done["type"].startswith("agent.session.t")
    assert done["type"] != unknown["type"]
    assert not any(word in json.dumps(done) for word in ("Ida", "5551234", "who", "wibbled"))


@pytest.mark.parametrize(
    "text",
    [
        b'{"type":"agent.session.idle","session":{"id":"sess_1","note":"Ida',
        b"Traceback (most recent call last): Ida\n",
        b'2026-11-17T09:30:00Z app[Ida] posted {"a": "Ida", }\n',
        b"data: Ida is no JSON\n\n: Ida\nevent: Ida\n\n",
        b"{'guest': 'Ida'}\n",
        b'[{"a": "Ida"}, {"b": Ida}, {"c": "Ida"}]\n',
        b'{"a": "Ida\xff\xfe"}\n',
        b'"Ida"\nIda\n',
        b'{"Ida": NaN, "Ida": 1}\n',
        b'{"a": "Ida \\ud800"}\n',
    ],
)
def test_damage_stays_damage_and_says_nothing(text: bytes) -> None:
    done = redacted(text)
    assert b"Ida" not in done
    assert done.count(b"\n") == text.count(b"\n")
    before, after = tracelink.report(text), tracelink.report(done)
    assert before.run.counts == after.run.counts
    assert [(one.code, one.locations[0].line) for one in before.findings] == [
        (one.code, one.locations[0].line) for one in after.findings
    ]


@pytest.mark.parametrize("text", [b'{"a": "' + b"Ida " * 100 + b'"}\n', b"[" * 300 + b'"Ida"' + b"]" * 300 + b"\n"])
def test_what_is_over_a_limit_stays_so(text: bytes) -> None:
    limits = Limits(record_bytes=350) if b"a" in text[:5] else Limits()
    out: list[bytes] = []
    Rewriter(Redactor(Tokens(KEY)), limits).run([text, b'{"b": 1}\n'], out.append)
    done = b"".join(out)
    assert b"Ida" not in done
    codes = [[one.code for one in tracelink.report(data, limits=limits).findings] for data in (text + b'{"b": 1}\n', done)]
    assert codes[0] == codes[1]
    assert "TL011" in codes[0]


def test_lone_carriage_returns_and_data_over_several_lines_keep_their_places() -> None:
    event = json.dumps({**CALL, "arguments": {"guest": "Ida"}}, indent=1)
    text = "".join(f"data: {line}\r" for line in event.splitlines()).encode() + b"\r"
    done = redacted(text)
    assert done.count(b"\r") == text.count(b"\r")
    assert b"Ida" not in done
    assert tracelink.report(done).run.counts == tracelink.report(text).run.counts == ({"used": 1},)


def test_the_words_of_the_wire_are_plain_and_names_are_not() -> None:
    from tracelink.read.shapes import AGENTS_ITEMS, EVENT_MEMBERS, EVENTS, ITEMS

    for word in (
        *EVENTS,
        *EVENT_MEMBERS,
        *ITEMS,
        *AGENTS_ITEMS,
        "has_more",
        "required_actions",
        "functionCall",
        "async_",
        "line_2",
    ):
        assert plain(word), word
    for word in ("ida", "jane_doe", "patient_smith", "acme", "order_4929123456789010", "ordér", "", "x" * 100):
        assert not plain(word), word


def test_an_empty_id_stays_empty() -> None:
    """It is a finding of its own (TL111), and tells nothing."""
    assert [Redactor(Tokens(KEY), ids=ids).id(text) for ids in (False, True) for text in ("", " ")] == ["", " ", "", " "]


def test_json_in_a_string_of_a_torn_text_stays_json() -> None:
    item = {"type": "function_call", "call_id": "call_1", "name": "f", "arguments": json.dumps({"to": "Ida", "n": 12})}
    torn = (
        json.dumps({"output_index": 0, "type": "response.output_item.done", "item": item}).encode()[:-2] + b', "status": "comp'
    )
    shown = redacted(torn)
    assert b"Ida" not in shown
    arguments = re.search(rb'"arguments": ("(?:[^"\\]|\\.)*")', shown)
    assert arguments is not None
    assert json.loads(json.loads(arguments.group(1))).keys()


@pytest.mark.parametrize(
    "given",
    [
        {"output_index": 0, "item": {"who": "Ida", "name of": "Ida", "content": "Ida"}, "note": "Ida"},
        {"response": {"object": "response", "Ida": "Ida", "user": "Ida"}, "sequence_number": 1},
    ],
)
def test_an_event_that_is_torn_before_its_type_shows_no_text(given: Any) -> None:
    for cut in range(1, 12):
        assert b"Ida" not in redacted(json.dumps(given).encode()[:-cut] + b' "Ida')
