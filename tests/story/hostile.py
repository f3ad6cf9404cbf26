"""Sessions in which every recorded text is hostile: ids, names, arguments, outputs, messages, errors."""

import json
from typing import Any

from hypothesis import strategies as st

import tracelink
from tracelink.model.run import Report

NASTY = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](https://evil.invalid/p.png)",
    "[click](javascript:alert(1))",
    "[ref]: https://evil.invalid",
    "https://evil.invalid/a?b=c",
    "www.evil.invalid",
    "mail@evil.invalid",
    "@everyone #1 GH-2 owner/repo#3",
    "```\n# out\n```",
    "``` ````` ~~~",
    "`a` ``b`` `",
    "a`",
    "`",
    "| a | b |\n|---|---|",
    "\n\n# Heading\n\n> quote\n\n- [ ] task",
    "&lt;b&gt; &#60;",
    "*bold* _it_ ~~no~~ **",
    "\x1b[31mred\x1b]8;;https://evil.invalid\x07link\x1b]8;;\x07",
    "\u202egnp.exe\u2066\u200b\ufeff",
    "::error file=x::y",
    "##[group]x",
    "\x00\x9b\r\n\t\v",
    "\ud800",
    "--- \n===",
    "    indented",
    "<!-- x -->",
    "<https://evil.invalid>",
    "\\` \\[x\\](y)",
    "1. one",
    "+ plus",
    "",
    " ",
]
TEXT = st.sampled_from(NASTY) | st.text(max_size=12) | st.lists(st.sampled_from(NASTY), max_size=3).map(" ".join)
ID = st.sampled_from([one for one in NASTY if one.strip()]) | st.text(min_size=1, max_size=10)


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """A session with a call that is answered, one whose answer went astray and was refused, a subagent, an error."""
    one = lambda: draw(TEXT)  # noqa: E731 - a name for what is drawn again and again
    names = ["session", "turn", "call", "other", "agent", "child", "item", "event"]
    ids = {name: f"{draw(ID)}{number}" for number, name in enumerate(names)}
    body: dict[str, Any] = {"object": "agent.session", "id": ids["session"], "created_at": 1_790_000_000}
    body |= {"last_active_at": 1_790_000_001, "environment": {"type": "none"}, "error": None, "metadata": {}}
    body |= {"agent": {"id": ids["agent"], "name": one(), "model": one(), "tools": [], "multi_agent": {"enabled": True}}}
    turn: dict[str, Any] = {
        "object": "agent.session.turn",
        "id": ids["turn"],
        "agent_id": ids["agent"],
        "status": "in_progress",
    }
    turn |= {"session_id": ids["session"], "subagent_id": None, "created_at": 1_790_000_000, "started_at": None}
    turn |= {"completed_at": None, "error": None}
    where = {"session_id": ids["session"], "turn_id": ids["turn"]}

    def item(kind: str, **more: Any) -> dict[str, Any]:
        made = {"type": kind, "id": f"{ids['item']}{len(rows)}", "turn_id": ids["turn"], "status": "completed", **more}
        return {"type": "agent.session.turn.item.added", **where, "output_index": 0, "item": made}

    actions = [
        {"type": "function_call", "turn_id": ids["turn"], "call_id": ids[call], "name": one(), "arguments": {one(): one()}}
        for call in ("call", "other")
    ]
    rows: list[dict[str, Any]] = []
    rows.append({"type": "agent.session.created", "session": {**body, "status": "idle", "required_actions": []}})
    rows.append({"type": "agent.session.turn.created", **where, "turn": turn})
    rows.append(item("message", role="user", content=[{"type": "input_text", "text": one()}]))
    rows.append(item("create_subagent_call", agent_id=ids["agent"], content=[{"type": "output_text", "text": one()}]))
    child = {"object": "agent.session.subagent", "id": ids["child"], "session_id": ids["session"], "name": one()}
    child |= {"parent_agent_id": ids["agent"], "status": "active", "opened_at": 1_790_000_000, "closed_at": None}
    rows.append({"type": "agent.session.subagent.created", "subagent": {**child, "instructions": None}})
    rows.append(item("wait_for_subagents_call", sender_agent_id=ids["agent"], recipient_agent_ids=[ids["child"], one()]))
    rows += [item("function_call", call_id=each["call_id"], name=each["name"], arguments=each["arguments"]) for each in actions]
    rows.append(
        {"type": "agent.session.requires_action", "session": {**body, "status": "requires_action", "required_actions": actions}}
    )
    rows.append(
        {
            "type": "error",
            "session_id": ids["session"],
            "error": {"type": one(), "code": one(), "message": one(), "param": None},
        }
    )
    events = [{"event_id": f"{ids['event']}{number}", **row} for number, row in enumerate(rows)]
    posts = [
        {"type": "agent.session.input.tool_result", "turn_id": ids["turn"], "call_id": call, "success": True, "output": one()}
        for call in (ids["call"], ids["other"] + "x")
    ]
    refused = {"error": {"type": "invalid_request_error", "code": one(), "message": one(), "param": None}}
    lines: list[dict[str, Any]] = [{"ts": 1_790_000_000 + n, "dir": "in", "event": row} for n, row in enumerate(events)]
    path = "/v1/agents/sessions/x/events"
    lines += [{"ts": 1_790_000_100 + n, "dir": "out", "path": path, "body": {"events": [post]}} for n, post in enumerate(posts)]
    lines.append({"ts": 1_790_000_102, "dir": "in", "path": path, "status": 400, "body": refused})
    return tracelink.report("\n".join(json.dumps(line) for line in lines).encode())
