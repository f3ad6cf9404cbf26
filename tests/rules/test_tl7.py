"""TL7xx: credentials. Keys are put together here, so that none stands in the file; all are invented."""

import random
import string
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.cases import (
    TURN,
    Case,
    Json,
    added,
    assert_fires,
    assert_quiet,
    call,
    codes,
    create,
    of,
    opening,
    post,
    said,
    user,
    waiting,
)
from tests.rules.cases import told as tell
from tracelink.rules.tl7_secrets import scanner, tl701_secret_in_recording

CASE = Case(
    "TL701",
    "secret-in-recording",
    {},
    7,
    "a key of this API in an output, posted and recorded: one finding",
    "placeholders, a sample of the documentation, a digest, ids, and a prefix inside image data and ciphertext",
)


def invent(length: int, letters: str = string.ascii_letters + string.digits, seed: int = 7) -> str:
    return "".join(random.Random(seed).choices(letters, k=length))  # noqa: S311


OPENAI = "sk-proj-" + invent(64)
GITHUB = "ghp_" + invent(36)


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it is where the extra is not installed."""
    monkeypatch.setattr(tl701_secret_in_recording, "scanner", lambda: None)


@pytest.fixture
def extra() -> Any:
    pytest.importorskip("kingfisher_sdk")
    return scanner.scanner()


def test_fires(without: None) -> None:
    assert_fires(CASE)


def test_quiet(without: None) -> None:
    assert_quiet(CASE)


def test_fires_and_quiet_with_the_extra(extra: Any) -> None:
    assert_fires(CASE)
    assert_quiet(CASE)


def test_the_secret_is_never_shown(extra: Any) -> None:
    for key in (OPENAI, GITHUB):
        (finding,) = of(tell(*waiting(call()), post(value=f"use {key} now")), "TL701")
        shown = f"{finding.message} {finding.hint} {finding.ids} {finding.locations}"
        assert not any(key[start : start + 6] in shown for start in range(4, len(key) - 6))
        assert f"{len(key)} characters" in finding.message


def places() -> dict[str, list[Json]]:
    held = call(arguments={"header": f"Bearer {OPENAI}"})
    mcp = {"type": "mcp_call", "id": "item_mcp1", "turn_id": TURN, "server_label": "harbour", "name": "open_lock"}
    mcp |= {"arguments": {"token": OPENAI}, "output": None, "error": None, "status": "completed"}
    message = {"type": "agent.session.input.message", "input": [{"role": "user", "content": user(OPENAI)["content"]}]}
    error = {"code": None, "message": f"bad key {OPENAI}", "param": None, "type": "auth"}
    return {
        "the arguments of call_ebb1": opening(held),
        "the arguments of call_ebb1 ": waiting(call(arguments=f'{{"header": "{OPENAI}"}}')),
        "a posted tool_result for call_ebb1": [*waiting(call()), post(value=None, success=False, error=OPENAI)],
        "message item_user1": opening(user(OPENAI)),
        "mcp_call item_mcp1": opening(mcp),
        "a posted message": [*opening(), message],
        "the create item item_create1": opening(create(words=OPENAI)),
        "an error event": [*opening(), {"type": "error", "event_id": "e", "session_id": "sess_tide1", "error": error}],
    }


@pytest.mark.parametrize("where", places())
def test_every_kept_text_is_looked_at(where: str, without: None) -> None:
    (finding,) = of(tell(*places()[where]), "TL701")
    assert f"stands in {where.strip()} at" in finding.message


def test_one_secret_in_many_places_is_one_finding(without: None) -> None:
    (finding,) = of(tell(*waiting(call(arguments={"a": OPENAI})), post(value=OPENAI), added(said(OPENAI))), "TL701")
    assert "and 2 more places" in finding.message
    assert len(finding.locations) == 3


@pytest.mark.parametrize(
    "text",
    [
        "AKIAIOSFODNN7EXAMPLE and wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "sk-proj-" + "x" * 60,
        "sk-proj-your-key-goes-here-0000000000000000000000000",
        "call_" + invent(40) + " turn_" + invent(40) + " sess_" + invent(40),
        "data:image/png;base64," + invent(300) + "+/" + GITHUB + "/" + invent(300),
        "gAAAA" + invent(400) + OPENAI + invent(400),
        "sha256:" + invent(64, "0123456789abcdef"),
        "123e4567-e89b-12d3-a456-426614174000",
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ."
        "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
        "the password is in the safe",
    ],
)
def test_what_is_no_secret(text: str, extra: Any) -> None:
    assert "TL701" not in codes(tell(*waiting(call()), post(value=text)))


def test_b2_ciphertext_and_padding_are_not_looked_at(extra: Any) -> None:
    hidden = {"encrypted_content": f"{OPENAI} {GITHUB}", "obfuscation": OPENAI}
    assert "TL701" not in codes(tell(*waiting(call(arguments=hidden))))


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        (GITHUB, "github pat"),
        ("sk-ant-api03-" + invent(93) + "AA", "anthropic api key"),
        ("sk-" + invent(20) + "T3Blbk" + "FJ" + invent(20), "openai api key"),
        (
            "-----BEGIN RSA PRIVATE" + " KEY-----\n" + "\n".join([invent(64)] * 10) + "\n-----END RSA PRIVATE" + " KEY-----",
            "private key",
        ),
        (
            "aws_access_key_id=AKIA" + invent(16, "ABCDEFGHJKLMNPQRSTUVWXYZ234567") + "\naws_secret_access_key=" + invent(40),
            "aws",
        ),
    ],
)
def test_the_extra_knows_others(key: str, kind: str, extra: Any) -> None:
    (finding,) = of(tell(*waiting(call()), post(value=f"env: {key}")), "TL701")
    assert kind in finding.message


def test_without_the_extra_it_says_that_it_did_not_look(without: None) -> None:
    report = tell(*waiting(call()), post(value=GITHUB))
    assert "TL701" not in codes(report)
    (one,) = report.sessions[0].unchecked
    assert "tracelink[secrets]" in one.why
    assert not tell(*waiting(call()), post(value="2.31 m")).sessions[0].unchecked


def test_plain_recordings_do_not_load_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise AssertionError("loaded for nothing")

    monkeypatch.setattr(tl701_secret_in_recording, "scanner", refuse)
    tell(*waiting(call()), post(value="2.31 m at 2026-11-30T21:17:51Z, call_" + invent(40)), added(said()))


@settings(max_examples=100, deadline=5000)
@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_is_taken(before: str, after: str) -> None:
    list(scanner.hits(before + OPENAI + after, None))
    found = [hit.kind for hit in scanner.hits(f"{before} {OPENAI} {after}", None)]
    assert found == ["openai api key"]
