"""What stands beside a record in its wrapper: receive time, direction, session, URL, HTTP status.

The idea: one table of the names that recorders use, looked up member by member; the result is handed down to
what is inside, and inner values win.
"""

import re
from typing import Any, NamedTuple

from tracelink.read.clock import seconds


class Context(NamedTuple):
    """soft: a direction that only an HTTP method tells; it holds for what the app posted and not for the answer.

    lists: what a list page here lists, by the URL's end or the member's name: tells it of an empty page.
    """

    received: float | None = None
    direction: str | None = None
    soft: str | None = None
    session_id: str | None = None
    subagent_id: str | None = None
    turn_id: str | None = None
    http_status: int | None = None
    lists: str | None = None


NOTHING = Context()

_TIMES = (
    "ts timestamp time received_at @timestamp starteddatetime at receivedat recorded_at recordedat logged_at loggedat captured_at"
    " capturedat datetime date when ts_ms timestamp_ms time_ms received recv_at recv_ts arrived_at arrival_time _time t"
    " time_unix_nano timeunixnano observed_at event_time eventtime"
)
_ROLES: dict[str, str] = {
    **dict.fromkeys(_TIMES.split(), "time"),
    **dict.fromkeys(["dir", "direction", "way", "flow"], "direction"),
    **dict.fromkeys(["kind", "type", "event", "source", "side"], "hint"),
    **dict.fromkeys(["session_id", "sessionid", "session", "session-id", "agent_session_id"], "session"),
    **dict.fromkeys(
        ["url", "path", "uri", "endpoint", "href", "route", "request_path", "requesturl", "request_url", "target", "full_url"],
        "url",
    ),
    **dict.fromkeys(["status", "status_code", "statuscode", "http_status", "httpstatus", "response_status"], "status"),
    **dict.fromkeys(["method", "http_method", "request_method"], "method"),
    "request": "request",
}
_IN = frozenset(
    [
        "in",
        "recv",
        "receive",
        "received",
        "inbound",
        "incoming",
        "response",
        "server",
        "from_server",
        "rx",
        "<",
        "<<",
        "<<<",
        "<-",
        "←",
        "in:",
        "s2c",
    ]
)
_OUT = frozenset(
    [
        "out",
        "send",
        "sent",
        "outbound",
        "outgoing",
        "request",
        "client",
        "to_server",
        "tx",
        ">",
        ">>",
        ">>>",
        "->",
        "→",
        "post",
        "posted",
        "out:",
        "c2s",
    ]
)
_ENTER = {
    **dict.fromkeys(
        ["request", "req", "postdata", "post_data", "requestbody", "request_body", "sent", "outgoing", "outbound", "posted"],
        "out",
    ),
    **dict.fromkeys(["response", "res", "resp", "responsebody", "response_body", "received", "incoming", "inbound"], "in"),
}
_LISTS = {"items": "item", "turns": "turn", "subagents": "subagent"}
_LISTED = re.compile(r"/agents/sessions/[^?#\s\"']+/(items|turns|subagents)/?(?:[?#]|$)")
_PARTS = re.compile(
    r"/agents/sessions/([^/?#\s\"']+)(?:[^?#\s\"']*?/subagents/([^/?#\s\"']+))?(?:[^?#\s\"']*?/turns/([^/?#\s\"']+))?"
)


def enter(key: str, context: Context) -> Context:
    """The context of a member: some names tell the direction."""
    lists = _LISTS.get(key)
    if lists is not None:
        context = context._replace(lists=lists)
    direction = _ENTER.get(key) or _ENTER.get(key.lower())
    return context if direction is None or direction == context.direction else context._replace(direction=direction)


def beside(value: dict[str, Any], context: Context, merged: bool = False) -> Context:
    """The context of what is in a wrapper. `merged`: `value` is a wire shape itself, whose own members must not be
    mistaken for a recorder's; only names that the wire has nowhere count."""
    new: dict[str, Any] = {}
    for key, member in value.items():
        role = _ROLES.get(key) or _ROLES.get(key.lower())
        if role is None or member is None:
            continue
        if merged and role not in ("time", "direction"):
            continue
        if role == "time":
            if "received" not in new or key.lower().startswith("rec"):
                moment = seconds(member)
                if moment is not None:
                    new["received"] = moment
        elif role == "direction":
            direction = _direction(member)
            if direction is not None:
                new["direction"] = direction
        elif role == "hint":
            direction = _direction(member)
            if direction is not None:
                new.setdefault("direction", direction)
        elif role == "session":
            found = member.get("id") if isinstance(member, dict) and key.lower() == "session" else member
            if isinstance(found, str) and found and not (key.lower() == "session" and isinstance(member, dict)):
                new["session_id"] = found
        elif role == "url":
            _url(member, new)
        elif role == "status":
            status = (
                int(member)
                if isinstance(member, str) and member.isascii() and member.isdigit() and len(member) == 3
                else member
            )
            if isinstance(status, int) and not isinstance(status, bool) and 100 <= status <= 599:
                new["http_status"] = status
        elif role == "method":
            _method(member, new)
        elif isinstance(member, dict):  # request: its URL and method hold for the response beside it too
            for inner, inner_member in member.items():
                inner_role = _ROLES.get(inner)
                if inner_role == "url":
                    _url(inner_member, new)
                elif inner_role == "method":
                    _method(inner_member, new)
        elif isinstance(member, str):
            _url(member, new)
    return context._replace(**new) if new else context


def _direction(value: Any) -> str | None:
    if not isinstance(value, str):
        return None
    word = value.strip().lower()
    return "in" if word in _IN else "out" if word in _OUT else None


def _method(value: Any, new: dict[str, Any]) -> None:
    if isinstance(value, str):
        word = value.upper()
        if word in ("POST", "PUT", "PATCH", "DELETE"):
            new["soft"] = "out"
        elif word == "GET":
            new["soft"] = "in"


def _url(value: Any, new: dict[str, Any]) -> None:
    match = _PARTS.search(value) if isinstance(value, str) else None
    if match:
        for name, found in zip(("session_id", "subagent_id", "turn_id"), match.groups(), strict=True):
            if found:
                new[name] = found
        listed = _LISTED.search(value)
        if listed:
            new["lists"] = _LISTS[listed.group(1)]
