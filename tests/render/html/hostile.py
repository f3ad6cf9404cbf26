"""A recording in which every string is hostile: what would run in a page that forgot to escape, and what deceives the eye.

Each vector, if it ran, would set `window.ran`.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

START = 1_790_000_000
VECTORS = (
    "<script>window.ran=1</script>",
    "</script><script>window.ran=2</script>",
    "</style><script>window.ran=3</script>",
    "</title></textarea></noscript><img src=x onerror=window.ran=4>",
    "<img src='https://evil.invalid/x.png' onerror='window.ran=5'>",
    '"><svg/onload=window.ran=6>',
    "' autofocus onfocus='window.ran=7' x='",
    '" onmouseover="window.ran=8" tabindex="1" autofocus onfocus="window.ran=8',
    "javascript:window.ran=9",
    "[x](javascript:window.ran=10)",
    "{{ 7*7 }}{% raw %}{{ cycler.__init__.__globals__ }}",
    "${window.ran=11}",
    "`;window.ran=12;//",
    "\\';window.ran=13;//",
    "<!-- <script> -->",
    "]]><script>window.ran=14</script>",
    "<iframe srcdoc='<script>parent.ran=15</script>'></iframe>",
    "<a href='javascript:window.ran=16'>x</a>",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=window.ran=17>",
    "<meta http-equiv=refresh content='0;url=https://evil.invalid'>",
    "<link rel=stylesheet href=https://evil.invalid/x.css>",
    "<base href=https://evil.invalid/>",
    "@import url(https://evil.invalid/x.css);",
    "&lt;script&gt;window.ran=18&lt;/script&gt; &#x3c;b&#x3e;",
    "a\u2028window.ran=19\u2029b",
    "\u202egnp.exe\u2066\u2069\u200b\ufeff\u00ad",
    "\x1b[31mred\x07\x00\x9b\x7f\r\n\t\v",
    "\ud800",
    "__proto__",
    "constructor",
)

Text = Callable[[], str]


def cycling(start: int) -> Text:
    """A vector a field, beginning with the one at `start`."""
    numbers: Iterator[int] = iter(range(start, start + 1_000_000))

    def text() -> str:
        number = next(numbers)
        return VECTORS[number % len(VECTORS)] + f"~{number}"

    return text


def everything() -> Text:
    """All of them in every field."""
    numbers: Iterator[int] = iter(range(1_000_000))
    return lambda: " ".join(VECTORS) + f"~{next(numbers)}"


def recording(text: Text) -> bytes:
    """A stalled session with subagents, an answered call, one whose answer went astray, a refusal, an error, an approval."""
    session, agent, turn, call, other, child, made = (text() for _ in range(7))
    body: dict[str, Any] = {"object": "agent.session", "id": session, "created_at": START, "last_active_at": START + 1}
    body |= {"environment": {"type": "none"}, "error": None, "metadata": {text(): text()}}
    body |= {"agent": {"id": agent, "name": text(), "model": text(), "tools": [], "multi_agent": {"enabled": True}}}
    where = {"session_id": session, "turn_id": turn}
    told: dict[str, Any] = {"object": "agent.session.turn", "id": turn, "agent_id": agent, "status": "in_progress"}
    told |= {"session_id": session, "subagent_id": None, "created_at": START, "started_at": START, "completed_at": None}
    theirs = {**told, "id": text(), "subagent_id": child, "status": "failed", "completed_at": START + 3}
    theirs |= {"error": {"code": text(), "message": text()}}

    def item(kind: str, **more: Any) -> dict[str, Any]:
        entry = {"type": kind, "id": text(), "turn_id": turn, "status": "completed", **more}
        return {"type": "agent.session.turn.item.done", **where, "output_index": 0, "item": entry}

    calls = [
        {"type": "function_call", "turn_id": turn, "call_id": one, "name": text(), "arguments": {text(): [text()]}}
        for one in (call, other)
    ]
    approval = {"type": "mcp_approval_request", "turn_id": turn, "request_id": text()}
    approval |= {"request": {"name": text(), "server_label": text(), "arguments": text()}}
    said = [{"type": "output_text", "text": text()}]
    rows: list[dict[str, Any]] = [
        {"type": "agent.session.created", "session": {**body, "status": "idle", "required_actions": []}},
        {"type": "agent.session.turn.created", **where, "turn": {**told, "error": None}},
        item("message", role="user", content=[{"type": "input_text", "text": text()}]),
        item("message", role="assistant", content=said),
        {**(create := item("create_subagent_call", agent_id=agent, content=said)), "item": {**create["item"], "id": made}},
        {
            "type": "agent.session.subagent.created",
            "subagent": {"object": "agent.session.subagent", "id": child, "session_id": session, "name": text()}
            | {"parent_agent_id": agent, "status": "active", "opened_at": START, "closed_at": None, "instructions": text()},
        },
        {"type": "agent.session.turn.failed", "session_id": session, "turn_id": theirs["id"], "turn": theirs},
        item("wait_for_subagents_call", sender_agent_id=agent, recipient_agent_ids=[child, text()]),
        item("send_subagent_input_call", sender_agent_id=agent, recipient_agent_ids=[child], content=said),
        *(item("function_call", call_id=one["call_id"], name=one["name"], arguments=one["arguments"]) for one in calls),
        item("command_execution", command=text(), output=text()),
        {"type": text(), "session_id": session, text(): text()},
        {"type": "error", "session_id": session, "error": {"type": text(), "code": text(), "message": text(), "param": None}},
        {
            "type": "agent.session.requires_action",
            "session": {**body, "status": "requires_action", "required_actions": [*calls, approval]},
        },
    ]
    path = "/v1/agents/sessions/x/events"
    lines: list[dict[str, Any]] = [
        {"ts": START + number, "dir": "in", "event": {"event_id": text(), **row}} for number, row in enumerate(rows)
    ]
    for number, posted in enumerate((call, other[:-1] + "x")):
        post = {
            "type": "agent.session.input.tool_result",
            "turn_id": turn,
            "call_id": posted,
            "success": True,
            "output": text(),
        }
        lines.append({"ts": START + 100 + number, "dir": "out", "path": path, "body": {"events": [post]}})
    refusal = {"error": {"type": "invalid_request_error", "code": text(), "message": text(), "param": text()}}
    lines.append({"ts": START + 102, "dir": "in", "path": path, "status": 400, "body": refusal})
    return "".join(json.dumps(line) + "\n" for line in lines).encode()
