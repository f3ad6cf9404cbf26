"""The app, and what a session does when nothing is wrong: acts, each a few calls of the server in the order of fact sheet A.3."""

from collections.abc import Callable
from typing import Any

from tests.world import team
from tests.world.dice import dice
from tests.world.model import ARGUMENTS, Json, Server

WORDS = ["How many BX-9?", "Book it.", "And Tuesday?", "Überprüfe das bitte — 你好 ✓", 'Say "data: {}" twice.\n\nevent: x']


def opening(s: Server) -> None:
    """The session is created; where it has an environment of the app's own, it first waits for that (D.1)."""
    environment = s.session["environment"]
    if environment["type"] == "none":
        s.snapshot("created")
        return
    s.snapshot("created")
    state = {"id": environment["id"], "error": None, "status": "pending", "type": "self_hosted"}
    s.emit("environment.pending", environment=state, session_id=s.id, turn_id=None)
    s.snapshot("requires_action", [{"type": "environment_connection", "environment_id": environment["id"]}])
    s.pending.clear()  # the executor came; the event says so, and the listener knows with it
    s.emit("environment.connected", environment={**state, "status": "connected"}, session_id=s.id, turn_id=None)
    s.snapshot("idle")


def open_turn(s: Server) -> str:
    text = s.rng.choice(WORDS)
    user = {"role": "user", "content": [{"type": "input_text", "text": text}]}
    s.post({"type": "agent.session.input.message", "input": [user]})
    turn_id = s.begin()
    said(s, turn_id, text)
    s.snapshot("in_progress")
    s.start(turn_id)
    return turn_id


def said(s: Server, turn_id: str, text: str) -> None:
    content = [{"type": "input_text", "text": text}]
    s.added(s.item(turn_id, "message", role="user", phase=None, status="completed", content=content), output=False)


def close_turn(s: Server, turn_id: str) -> None:
    speak(s, turn_id)
    s.end(turn_id)
    s.snapshot("idle")


def speak(s: Server, turn_id: str) -> None:
    item = s.item(turn_id, "message", role="assistant", phase="final_answer", status="in_progress", content=[])
    s.added(item)
    place = {"item_id": item["id"], "output_index": s._index[item["id"]], "session_id": s.id, "turn_id": turn_id}
    if s.heard(turn_id) and s.rng.random() < 0.5:
        s.emit("turn.content_part.added", content_index=0, part={"type": "output_text", "text": ""}, **place)
        for word in ("There ", "are ", "12."):
            s.delta(item, word)
        s.emit("turn.output_text.done", content_index=0, text="There are 12.", **place)
        s.emit("turn.content_part.done", content_index=0, part={"type": "output_text", "text": "There are 12."}, **place)
    s.done(item, status="completed", content=[{"type": "output_text", "text": "There are 12."}])


# steps inside a turn


def think(s: Server, turn_id: str) -> None:
    summary = [{"type": "summary_text", "text": "I count."}]
    s.whole(s.item(turn_id, "reasoning", summary=[], status="in_progress"), {}, {"summary": summary, "status": "completed"})


def work(s: Server, turn_id: str) -> None:
    """A tool of the server's own: nothing for the app."""
    kind = s.rng.choice(["command_execution", "web_search_call", "mcp_call"])
    running: Json = {"status": "in_progress"}
    if kind == "command_execution":
        item = s.item(turn_id, kind, command="ls", cwd="/work", duration_ms=None, exit_code=None, output=None, **running)
        s.whole(item, {}, {"status": "completed", "exit_code": 0, "duration_ms": 12, "output": "a\nb"})
    elif kind == "web_search_call":
        action = {"type": "search", "query": "BX-9", "queries": ["BX-9"]}
        s.whole(s.item(turn_id, kind, action=None, **running), {}, {"status": "completed", "action": action})
    else:
        item = s.item(turn_id, kind, server_label="crm", name="find", arguments={"q": "BX"}, output=None, error=None, **running)
        s.whole(item, {}, {"status": "completed", "output": "found"})


def steer(s: Server, turn_id: str) -> None:
    """A message while the turn runs joins it (C.2)."""
    s.post(
        {
            "type": "agent.session.input.message",
            "input": [{"role": "user", "content": [{"type": "input_text", "text": "Go on."}]}],
        }
    )
    said(s, turn_id, "Go on.")


def call(s: Server, turn_id: str, name: str | None = None, call_id: str | None = None, arguments: Any = None) -> Json:
    """The agent calls a function: the item, and the action that will be required."""
    name = name or s.rng.choice(list(ARGUMENTS))
    if call_id is None:
        call_id = f"call_{sum(key[0] == turn_id for key in s.known_calls)}" if s.short_ids else s.new("call")
    arguments = ARGUMENTS[name] if arguments is None else arguments
    item = s.item(turn_id, "function_call", call_id=call_id, name=name, arguments=arguments, status="in_progress")
    s.announced.add((turn_id, call_id))
    s.whole(item, {}, {"status": "completed"})
    return {"type": "function_call", "turn_id": turn_id, "call_id": call_id, "name": name, "arguments": arguments}


def result(action: Json, output: Any = "12", **more: Any) -> Json:
    pair = {"turn_id": action["turn_id"], "call_id": action["call_id"]}
    return {"type": "agent.session.input.tool_result", **pair, "success": True, "output": output, **more}


def calls(s: Server, turn_id: str, count: int | None = None) -> list[Json]:
    """Parallel calls, and the pause."""
    actions = [call(s, turn_id) for _ in range(count or s.rng.choice([1, 1, 2, 3, 4]))]
    s.snapshot("requires_action", actions)
    return actions


def approvals(s: Server, turn_id: str) -> list[Json]:
    """One or two approvals, perhaps beside calls."""
    actions: list[Json] = []
    if s.rng.random() < 0.6:
        request: Json = {
            "type": "mcp_tool_call",
            "server_label": "crm",
            "name": "send",
            "arguments": {"to": "a"},
            "message": "May I?",
        }
        actions.append({"type": "mcp_approval_request", "turn_id": turn_id, "request_id": s.new("appr"), "request": request})
    if not actions or s.rng.random() < 0.4:
        fields = [{"id": "f1", "label": "User", "required": True, "type": "text"}]
        options = [{"id": "o1", "field_ids": ["f1"], "label": "Sign in"}]
        asked: Json = {
            "type": "browser_authentication",
            "credential_origin": None,
            "fields": fields,
            "options": options,
            "reason": None,
        }
        request_id = s.new("cua")
        s.whole(s.item(turn_id, "computer_use_approval_request", request_id=request_id, request=asked), {}, {})
        actions.append(
            {"type": "computer_use_approval_request", "turn_id": turn_id, "request_id": request_id, "request": asked}
        )
    if s.rng.random() < 0.4:
        actions.append(call(s, turn_id))
    s.snapshot("requires_action", actions)
    return actions


def answer_to(s: Server, action: Json) -> Json:
    """The right input for an action; some functions fail (D.3.5)."""
    if action["type"] == "function_call":
        if s.rng.random() < 0.1:
            return result(action, None, success=False, error="Tool handler failed.")
        parts = [{"type": "input_text", "text": "12"}]
        return result(action, s.rng.choice(["12", '{"units": 12}', "", parts]))
    kind = f"agent.session.input.{action['type']}_result"
    if action["type"] == "mcp_approval_request":
        decision = s.rng.choice(["approve", "deny"])
        return {"type": kind, "request_id": action["request_id"], "response": {"type": "mcp_tool_call", "decision": decision}}
    response = {"type": "browser_authentication", "action": "cancel"}
    return {"type": kind, "request_id": action["request_id"], "response": response}


def taken(s: Server, action: Json, posted: Json) -> None:
    """What the server shows of an accepted answer: for an MCP approval nothing."""
    if action["type"] == "function_call":
        s.output(action["turn_id"], action["call_id"], posted.get("output"), posted.get("error"))
        if posted["success"] is False:
            s.expect("TL207", action["call_id"])
    elif action["type"] == "mcp_approval_request":
        s.accepted.add((action["type"], action["request_id"]))
    elif action["type"] == "computer_use_approval_request":
        key = ("computer_use_approval_request", action["request_id"])
        s.pending.pop(key, None)
        s.answered.pop(key, None)
        item = s.item(
            action["turn_id"], f"{action['type']}_result", request_id=action["request_id"], response=posted["response"]
        )
        s.added(item, output=False)


def answer(s: Server, actions: list[Json], *, resume: bool = True, some: int | None = None) -> list[Json]:
    """The app answers in any order, alone or several in a POST; the server confirms, and may list anew what is left (D.4).

    some: answer only so many. Returns what is left.
    """
    todo = s.rng.sample(actions, len(actions))
    left = list(actions)
    todo = todo if some is None else todo[:some]
    relist = s.rng.random() < 0.4
    while todo:
        size = s.rng.choice([1, 1, 2, 3])
        batch, todo = todo[:size], todo[size:]
        posts = [answer_to(s, action) for action in batch]
        if s.rng.random() < 0.5:
            s.post(*posts)
        else:
            for one in posts:
                s.post(one)
        for action, posted in zip(batch, posts, strict=True):
            taken(s, action, posted)
        left = [action for action in left if action not in batch]
        if relist and left:
            s.snapshot("requires_action", left)
    if resume and not left:
        s.snapshot("in_progress")
    return left


# whole turns


def plain(s: Server) -> None:
    turn_id = open_turn(s)
    for step in s.rng.choices([think, work, steer], k=s.rng.randrange(3)):
        step(s, turn_id)
    close_turn(s, turn_id)


def calling(s: Server) -> None:
    turn_id = open_turn(s)
    for _ in range(s.rng.choice([1, 1, 2])):
        s.rng.choice([think, work, steer])(s, turn_id)
        actions = s.rng.choice([calls, calls, approvals])(s, turn_id)
        if s.rng.random() < 0.2:
            s.snapshot("requires_action", actions)  # the same again (D.3.6)
        answer(s, actions)
    close_turn(s, turn_id)


def teamwork(s: Server) -> None:
    turn_id = open_turn(s)
    children = team.spawn_some(s, turn_id)
    if s.rng.random() < 0.5:
        answer(s, calls(s, turn_id))
    team.finish(s, turn_id, children)
    close_turn(s, turn_id)


ACTS: list[Callable[[Server], None]] = [plain, calling, calling, calling, teamwork, teamwork]


def clean(seed: int, acts: int | None = None) -> Server:
    """A session in which nothing is wrong."""
    rng = dice(seed)
    s = Server(rng, environment=rng.random() < 0.15)
    opening(s)
    for _ in range(rng.choice([1, 1, 2, 3]) if acts is None else acts):
        rng.choice(ACTS)(s)
    return s


def faulty(seed: int, faults: list[Callable[[Server], None]]) -> Server:
    """A session with these faults among clean acts; what follows a fault that left a turn open is left out."""
    rng = dice(seed)
    s = Server(rng, environment=rng.random() < 0.15)
    opening(s)
    for one in faults:
        while rng.random() < 0.4:
            rng.choice(ACTS)(s)
        one(s)
        if s.root_open is not None or s.failed:
            return s
    if rng.random() < 0.5:
        rng.choice(ACTS)(s)
    return s
