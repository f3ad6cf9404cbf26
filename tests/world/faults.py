"""The faults of DESIGN 7 that happen between app, agent and server: one function each, as the real server would let it appear.

A misaddressed result is refused and the call stays pending (fact sheet D.5). Each function runs at least one turn, and says what must be
found. `ends` on a fault means that the session is over or stuck after it. Faults of the recording itself are in `spoil.py`.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.world import team
from tests.world.app import answer, call, calls, close_turn, open_turn, result, taken
from tests.world.known import is_open
from tests.world.model import Json, Server, tool
from tests.world.truth import state_of

Fault = Callable[[Server], None]
FAULTS: dict[str, Fault] = {}
ERROR: Json = {"code": "server_overloaded", "message": "Too busy.", "param": None, "type": "server_error"}


def fault(code: str) -> Callable[[Fault], Fault]:
    def register(function: Fault) -> Fault:
        FAULTS[f"{code} {function.__name__.replace('_', ' ')}"] = function
        return function

    return register


def wrong(
    s: Server, action: Json, code: str, posted: Json, message: str, *ids: str, status: int = 400, meant: bool = True
) -> None:
    """The app posts a result that is not the action's, and is refused. meant: it is plain which action was meant."""
    kind = "conflict_error" if status == 409 else "invalid_request_error"
    key = (
        (action["turn_id"], action["call_id"]) if action["type"] == "function_call" else (action["type"], action["request_id"])
    )
    if meant and key in s.pending:
        s.answered[key] = "misaddressed"
    s.post(posted)
    s.expect(code, *ids, views="log")
    s.refuse(message, status, kind)
    s.expect("TL307", views="log")


def unknown(call_id: str) -> str:
    return f"Unknown pending tool call: {call_id}"


def go_on(s: Server, turn_id: str, actions: list[Json]) -> None:
    """Then the app answers rightly, or part of it, or never."""
    if s.rng.random() < 0.6:
        if not answer(s, actions):
            close_turn(s, turn_id)
    elif len(actions) > 1:
        answer(s, actions, some=s.rng.randrange(len(actions)))


# TL1: calls and results


@fault("TL101")
def unanswered(s: Server) -> None:
    """A call that no snapshot ever required, and the turn went on without it."""
    turn_id = open_turn(s)
    action = call(s, turn_id)
    s.expect("TL101", action["call_id"], must=False)
    close_turn(s, turn_id)
    s.expect("TL101", action["call_id"])


@fault("TL102")
def orphan(s: Server) -> None:
    turn_id = open_turn(s)
    actions = calls(s, turn_id)
    stray = s.new("call")
    wrong(s, actions[0], "TL102", result({**actions[0], "call_id": stray}), unknown(stray), stray, meant=False)
    go_on(s, turn_id, actions)


@fault("TL103")
def wrong_turn(s: Server) -> None:
    earlier = open_turn(s)
    close_turn(s, earlier)
    turn_id = open_turn(s)
    actions = calls(s, turn_id)
    message = "The tool call belongs to a different managed agent turn."
    wrong(s, actions[0], "TL103", result({**actions[0], "turn_id": earlier}), message, actions[0]["call_id"])
    go_on(s, turn_id, actions)


@fault("TL104")
def item_id(s: Server) -> None:
    turn_id = open_turn(s)
    actions = calls(s, turn_id)
    item = next(
        one["id"] for one in s.items.values() if one.get("call_id") == actions[0]["call_id"] and one["turn_id"] == turn_id
    )
    wrong(s, actions[0], "TL104", result({**actions[0], "call_id": item}), unknown(item), item)
    go_on(s, turn_id, actions)


def near(s: Server, call_id: str) -> str:
    """An id that a careless app makes of another."""
    last = "x" if call_id[-1] != "x" else "y"
    before = call_id.upper() if is_open("prefix-put-before") else f"fc_{call_id}"
    return s.rng.choice(
        [
            call_id.swapcase(),
            f" {call_id}",
            call_id.removeprefix("call_"),
            call_id[:-4],
            call_id[:-1] + last,
            call_id[1:],
            before,
        ]
    )


@fault("TL105")
def near_miss(s: Server) -> None:
    s.short_ids = False
    turn_id = open_turn(s)
    actions = calls(s, turn_id)
    posted = near(s, actions[0]["call_id"])
    wrong(s, actions[0], "TL105", result({**actions[0], "call_id": posted}), unknown(posted), posted)
    go_on(s, turn_id, actions)


@fault("TL106")
def conflict_refused(s: Server) -> None:
    """The second, different result is refused with 409; the first stands."""
    turn_id = open_turn(s)
    actions = calls(s, turn_id, 2)
    first = result(actions[0], "12")
    s.post(first)
    taken(s, actions[0], first)
    s.post(result(actions[0], "13"))
    s.expect("TL106", actions[0]["call_id"], views="log", must=False)
    s.refuse("A different result was already recorded.", 409, "conflict_error")
    s.expect("TL307", actions[0]["call_id"], views="log")
    go_on(s, turn_id, actions[1:])


@fault("TL106")
def conflict_untold(s: Server) -> None:
    """The same, by an app that does not log what it is told."""
    turn_id = open_turn(s)
    actions = calls(s, turn_id, 2)
    first = result(actions[0], "12")
    s.post(first)
    taken(s, actions[0], first)
    s.post(result(actions[0], "13"))
    s.expect("TL106", actions[0]["call_id"], views="log")
    go_on(s, turn_id, actions[1:])


@fault("TL106")
def conflict_recorded(s: Server) -> None:
    """Two outputs under one call, as a gateway that merges two servers shows them."""
    turn_id = open_turn(s)
    actions = calls(s, turn_id, 1)
    s.output(turn_id, actions[0]["call_id"], "12")
    s.output(turn_id, actions[0]["call_id"], "13")
    s.expect("TL106", actions[0]["call_id"])
    s.snapshot("in_progress")
    close_turn(s, turn_id)


@fault("TL107")
def repeated(s: Server) -> None:
    """The identical result again: 202, and a second item.added (D.5)."""
    turn_id = open_turn(s)
    actions = calls(s, turn_id)
    posted = result(actions[0])
    s.post(posted)
    taken(s, actions[0], posted)
    s.post(posted)
    taken(s, actions[0], posted)
    s.expect("TL107", actions[0]["call_id"])
    if actions[1:]:
        answer(s, actions[1:])
    else:
        s.snapshot("in_progress")
    close_turn(s, turn_id)


@fault("TL108")
def reused(s: Server) -> None:
    call_id = s.new("call")
    for _ in range(2):
        turn_id = open_turn(s)
        actions = [call(s, turn_id, call_id=call_id)]
        s.snapshot("requires_action", actions)
        answer(s, actions)
        close_turn(s, turn_id)
    s.expect("TL108", call_id)


@fault("TL109")
def ambiguous(s: Server) -> None:
    turn_id = open_turn(s)
    call_id = s.new("call")
    actions = [call(s, turn_id, "count_stock", call_id)]
    s.expect("TL109", call_id, must=False)
    call(s, turn_id, "book_truck", call_id)
    s.expect("TL109", call_id)
    s.snapshot("requires_action", actions)
    answer(s, actions)
    close_turn(s, turn_id)


@fault("TL110")
def late(s: Server) -> None:
    """The app cancels, and its worker answers all the same."""
    turn_id = open_turn(s)
    actions = calls(s, turn_id)
    cancel(s, turn_id, actions)
    s.post(result(actions[0]))
    s.expect("TL110", actions[0]["call_id"], views="log")
    s.refuse("The turn was cancelled.", 409, "conflict_error")
    s.expect("TL307", views="log")


@fault("TL111")
def missing_id(s: Server) -> None:
    turn_id = open_turn(s)
    actions = calls(s, turn_id, 1)
    member = s.rng.choice(["turn_id", "call_id"])
    posted = {key: value for key, value in result(actions[0]).items() if key != member}
    shown = posted.get("call_id") or posted["turn_id"]
    wrong(s, actions[0], "TL111", posted, f"Missing required parameter: 'events[0].{member}'.", shown)
    go_on(s, turn_id, actions)


@fault("TL114")
def cancelled(s: Server) -> None:
    turn_id = open_turn(s)
    cancel(s, turn_id, answer(s, calls(s, turn_id, 3), some=s.rng.randrange(3)))


def cancel(s: Server, turn_id: str, left: list[Json]) -> None:
    s.post({"type": "agent.session.input.cancel"})
    s.end(turn_id, "cancelled")
    for action in left:
        s.expect("TL114", action["call_id"])
    s.snapshot("idle")


@fault("TL115")
def item_id_changed(s: Server) -> None:
    """A gateway gives the call a new item id."""
    turn_id = open_turn(s)
    action = call(s, turn_id)
    again = s.item(turn_id, "function_call", **{key: action[key] for key in ("call_id", "name", "arguments")})
    s.whole(again, {"status": "in_progress"}, {"status": "completed"})
    s.expect("TL115", action["call_id"])
    s.snapshot("requires_action", [action])
    answer(s, [action])
    close_turn(s, turn_id)


def mcp_request(s: Server, turn_id: str) -> Json:
    request = {"type": "mcp_tool_call", "server_label": "crm", "name": "send", "arguments": {"to": "a"}, "message": "May I?"}
    return {"type": "mcp_approval_request", "turn_id": turn_id, "request_id": s.new("appr"), "request": request}


@fault("TL116")
def approval_as_result(s: Server) -> None:
    turn_id = open_turn(s)
    action = mcp_request(s, turn_id)
    s.snapshot("requires_action", [action])
    posted = result({"turn_id": turn_id, "call_id": action["request_id"]}, "approved")
    wrong(s, action, "TL116", posted, unknown(action["request_id"]), action["request_id"])
    go_on(s, turn_id, [action])


@fault("TL116")
def unknown_request(s: Server) -> None:
    turn_id = open_turn(s)
    action = mcp_request(s, turn_id)
    s.snapshot("requires_action", [action])
    stray = s.new("appr")
    kind = "agent.session.input.mcp_approval_request_result"
    s.post({"type": kind, "request_id": stray, "response": {"type": "mcp_tool_call", "decision": "approve"}})
    s.expect("TL116", stray, views="log")
    s.refuse(f"Unknown pending approval request: {stray}")
    s.expect("TL307", views="log")
    go_on(s, turn_id, [action])


# TL0 and TL2: inputs and payloads


@fault("TL010")
def unofficial(s: Server) -> None:
    turn_id = open_turn(s)
    actions = calls(s, turn_id)
    s.answered[turn_id, actions[0]["call_id"]] = "misaddressed"
    s.post({**result(actions[0]), "type": "agent.session.input.function_call_output"})
    s.expect("TL010", actions[0]["call_id"], views="log")
    s.refuse("Unknown input event type.")
    s.expect("TL307", views="log")
    s.answered[turn_id, actions[0]["call_id"]] = "refused"
    s.log[-1].state = state_of(s)
    go_on(s, turn_id, actions)


def spoiled(s: Server, code: str, status: str | None, **members: Any) -> None:
    """A result with the right pair and a wrong body: taken, or refused with 400 where the type is wrong."""
    turn_id = open_turn(s)
    actions = calls(s, turn_id, 1)
    s.post({**result(actions[0]), **members})
    merged = code == "TL202" and status is None and is_open("refused-body-then-right")
    s.expect(code, actions[0]["call_id"], views="log", must=not merged)
    if status is not None:
        if members.get("error"):
            s.expect("TL207", actions[0]["call_id"], must=False)  # to be seen where only the failed item is
        s.output(turn_id, actions[0]["call_id"], members.get("output"), members.get("error"))
        s.snapshot("in_progress")
        close_turn(s, turn_id)
        return
    s.answered[turn_id, actions[0]["call_id"]] = "refused"
    s.refuse("Invalid type for 'events[0]'.")
    s.expect("TL307", views="log")
    go_on(s, turn_id, actions)


@fault("TL201")
def output_object(s: Server) -> None:
    spoiled(s, "TL201", None, output=s.rng.choice([{"units": 12}, 12, ["a"]]))


@fault("TL202")
def success_with_error(s: Server) -> None:
    spoiled(s, "TL202", "ok", output="12", error="no such aisle")


@fault("TL202")
def success_text(s: Server) -> None:
    spoiled(s, "TL202", None, success="true")


@fault("TL203")
def arguments_cut(s: Server) -> None:
    one_call(s, "TL203", "count_stock", '{"sku": "BX-')


@fault("TL204")
def arguments_against_schema(s: Server) -> None:
    one_call(
        s,
        "TL204",
        "book_truck",
        s.rng.choice([{"day": "Monday"}, {"day": 3, "seats": 3}, {"day": "Monday", "seats": 3, "x": 1}]),
    )


@fault("TL205")
def undeclared(s: Server) -> None:
    one_call(s, "TL205", "fly_to_moon", {"now": True})


def one_call(s: Server, code: str, name: str, arguments: Any) -> None:
    turn_id = open_turn(s)
    call_id = s.new("call")
    s.expect(code, call_id, must=False)
    action = call(s, turn_id, name, call_id, arguments)
    s.expect(code, call_id)
    s.snapshot("requires_action", [action])
    answer(s, [action])
    close_turn(s, turn_id)


@fault("TL206")
def open_schema(s: Server) -> None:
    s.session["agent"]["tools"] = [*s.session["agent"]["tools"], {**tool("do_it"), "parameters": {"type": "object"}}]
    one_call(s, "TL206", "do_it", {"x": 1})


@fault("TL207")
def failed_tool(s: Server) -> None:
    turn_id = open_turn(s)
    actions = calls(s, turn_id, 1)
    posted = result(actions[0], None, success=False, error="Tool handler failed.")
    s.post(posted)
    taken(s, actions[0], posted)
    s.snapshot("in_progress")
    close_turn(s, turn_id)


@fault("TL701")
def secret(s: Server) -> None:
    turn_id = open_turn(s)
    actions = calls(s, turn_id, 1)
    posted = result(actions[0], "key is sk-proj-" + "".join(s.rng.choices("abcdefghkmnpqrstuvwxyzABCDEFGH23456789", k=48)))
    s.expect("TL701", must=False)
    s.post(posted)
    taken(s, actions[0], posted)
    s.expect("TL701")
    s.snapshot("in_progress")
    close_turn(s, turn_id)


# TL3: states


@fault("TL301")
def turn_failed(s: Server) -> None:
    turn_id = open_turn(s)
    left = calls(s, turn_id, 1) if s.rng.random() < 0.5 else []
    if s.rng.random() < 0.5:
        s.put("event", {"type": "error", "event_id": s.new("evt"), "session_id": s.id, "error": ERROR})
    s.end(turn_id, "failed", {"code": ERROR["code"], "message": ERROR["message"]})
    s.expect("TL301", turn_id)
    for action in left:
        s.expect("TL114", action["call_id"])
    s.snapshot("idle")


@fault("TL302 ends")
def session_failed(s: Server) -> None:
    turn_id = open_turn(s)
    s.end(turn_id, "failed", {"code": "sandbox_error", "message": "The sandbox is gone."})
    s.expect("TL301", turn_id)
    s.fail_session("The sandbox is gone.")


@fault("TL303 ends")
def nothing_required(s: Server) -> None:
    turn_id = open_turn(s)
    s.announced.add((turn_id, ""))  # nobody can tell
    s.session["required_actions"] = []
    s.session.update(status="requires_action", last_active_at=int(s.now))
    s.emit("requires_action", session=s.session)
    s.expect("TL303", s.id)


@fault("TL303")
def completed_over_call(s: Server) -> None:
    turn_id = open_turn(s)
    actions = calls(s, turn_id, 1)
    s.end(turn_id)
    s.expect("TL303", actions[0]["call_id"], views="log stream")
    s.expect("TL303", actions[0]["call_id"], views="pages", must=False)
    s.expect("TL101", actions[0]["call_id"], views="pages")  # pages do not tell that it was required
    s.snapshot("idle")


@fault("TL304")
def never_ended(s: Server) -> None:
    """The turn's end never came, the session went on."""
    turn_id = open_turn(s)
    s.snapshot("idle")
    s.expect("TL304", turn_id, must=False)
    close_turn(s, open_turn(s))
    s.expect("TL304", turn_id, views="log stream")


@fault("TL305")
def item_never_done(s: Server) -> None:
    turn_id = open_turn(s)
    item = s.item(turn_id, "command_execution", command="make", cwd=None, duration_ms=None, exit_code=None, output=None)
    item["status"] = "in_progress"
    s.added(item)
    s.expect("TL305", item["id"], views="log stream", must=False)  # told from the turn's end on, and a snapshot follows that
    close_turn(s, turn_id)
    s.expect("TL305", item["id"], views="log stream")
    s.expect("TL305", item["id"], views="pages", must=False)


@fault("TL306")
def environment_lost(s: Server) -> None:
    turn_id = open_turn(s)
    env = s.session["environment"].get("id") or s.new("env")
    state = {"id": env, "error": None, "status": "disconnected", "type": "self_hosted"}
    place = {"session_id": s.id, "turn_id": turn_id}
    if s.rng.random() < 0.5:
        s.emit("environment.reset", environment_id=env, reset_count=1, **place)
    else:
        s.emit("environment.disconnected", environment=state, **place)
    s.expect("TL306", env, views="log stream")
    s.emit("environment.connected", environment={**state, "status": "connected"}, **place)
    close_turn(s, turn_id)


@fault("TL307")
def refused_while_registering(s: Server) -> None:
    """The right result, posted before the server registered the call (A.3); the app tries again."""
    turn_id = open_turn(s)
    action = call(s, turn_id)
    s.post(result(action))
    s.refuse(unknown(action["call_id"]))
    s.expect("TL307", action["call_id"], views="log")
    s.answered[turn_id, action["call_id"]] = "refused"
    s.snapshot("requires_action", [action])
    answer(s, [action])
    close_turn(s, turn_id)


# TL4: subagents


@fault("TL401")
def create_without_subagent(s: Server) -> None:
    """Where the agent made other create calls, which of them has no child may be beyond anybody (B.4)."""
    turn_id = open_turn(s)
    alone = not any(one["type"] == "create_subagent_call" and one["agent_id"] == s.agent_id for one in s.items.values())
    s.expect("TL401", must=False)
    team.create(s, turn_id, spawns=False)
    item = list(s.items)[-1]
    close_turn(s, turn_id)
    s.expect("TL401", item, views="log stream", must=alone)
    s.expect("TL401", item, views="pages", must=alone and (bool(s.subs) or not is_open("empty-subagents-list")))


@fault("TL402")
def unknown_agent(s: Server) -> None:
    turn_id = open_turn(s)
    stranger = s.new("sub")
    s.expect("TL402", stranger, must=False)  # from the announcement on
    team.act(s, turn_id, "send", stranger, "failed" if s.rng.random() < 0.5 else "completed")
    close_turn(s, turn_id)
    s.expect("TL402", stranger, views="log stream")
    s.expect("TL402", stranger, views="pages", must=bool(s.subs) or not is_open("empty-subagents-list"))


def child(s: Server, turn_id: str, *, always: bool = False) -> Json:
    """One more subagent; where there are five already, one of the root's is closed before."""
    if not always and not team.room(s):
        old = next(sub for sub in s.subs.values() if sub["status"] == "active" and sub["parent_agent_id"] == s.agent_id)
        team.close(s, turn_id, old)
        # What is fetched afterwards shows one less of those that were too many.
        s.expected = [
            replace(want, must=want.must and (want.code != "TL408" or "pages" not in want.views)) for want in s.expected
        ]
    sub = team.create(s, turn_id)
    assert sub is not None
    return sub


@fault("TL403")
def closed_agent(s: Server) -> None:
    turn_id = open_turn(s)
    sub = child(s, turn_id)
    team.report(s, team.run(s, sub), turn_id)
    team.close(s, turn_id, sub)
    s.expect("TL403", sub["id"], must=False)
    team.act(s, turn_id, "send", sub["id"], "failed")
    s.expect("TL403", sub["id"], views="log stream")
    s.expect("TL403", sub["id"], views="pages", must=False)
    close_turn(s, turn_id)


@fault("TL404")
def child_unfinished(s: Server) -> None:
    turn_id = open_turn(s)
    sub = child(s, turn_id)
    team.run(s, sub)
    s.expect("TL404", sub["id"], views="log stream", must=False)  # from the turn's end on, and a snapshot follows that
    close_turn(s, turn_id)
    s.expect("TL404", sub["id"], views="pages")
    if s.child_in_stream:
        s.expect("TL404", sub["id"], views="log stream")


@fault("TL405")
def wait_cycle(s: Server) -> None:
    turn_id = open_turn(s)
    one, two = child(s, turn_id), child(s, turn_id)
    turn_one, turn_two = team.run(s, one), team.run(s, two)
    team.wait(s, turn_one, [two["id"]])
    team.wait(s, turn_two, [one["id"]])
    s.expect("TL405", one["id"], two["id"], views="pages log stream" if s.child_in_stream else "pages")


@fault("TL406")
def function_call_of_a_child(s: Server) -> None:
    turn_id = open_turn(s)
    sub = child(s, turn_id)
    child_turn = team.run(s, sub)
    call_id = s.new("call")
    item = s.item(
        child_turn, "function_call", call_id=call_id, name="count_stock", arguments={"sku": "B"}, status="in_progress"
    )
    views = "pages log stream" if s.child_in_stream else "pages"
    if s.child_in_stream:
        s.announced.add((child_turn, call_id))
    s.expect("TL406", call_id, views=views, must=False)
    s.whole(item, {}, {"status": "completed"})
    s.expect("TL406", call_id, views=views)
    s.output(child_turn, call_id, "12")
    team.report(s, child_turn, turn_id)
    close_turn(s, turn_id)


@fault("TL407")
def orphan_subagent(s: Server) -> None:
    turn_id = open_turn(s)
    sub = team.subagent(s, s.agent_id, "Nobody asked.")
    team.report(s, team.run(s, sub), turn_id)
    close_turn(s, turn_id)
    if not any(other is not sub for other in s.subs.values()) and not any(
        one["type"] == "create_subagent_call" for one in s.items.values()
    ):
        s.expect("TL407", sub["id"], views="log stream")


@fault("TL408")
def too_many(s: Server) -> None:
    limit = s.session["agent"]["multi_agent"]["max_concurrent_subagents"] or 6
    turn_id = open_turn(s)
    active = sum(sub["status"] == "active" for sub in s.subs.values())
    s.expect("TL408", must=False)  # from one of the following on
    running = [(sub, team.run(s, sub)) for sub in (child(s, turn_id, always=True) for _ in range(limit + 1 - min(active, 1)))]
    for _, child_turn in running:
        team.report(s, child_turn, turn_id)
    close_turn(s, turn_id)
    if active == 0:
        s.expect("TL408", views="log stream")
        s.expect("TL408", views="pages", must=not is_open("too-many-over-two-pages"))


# TL5: waiting


@fault("TL503 ends")
def unapplied(s: Server) -> None:
    turn_id = open_turn(s)
    actions = calls(s, turn_id)
    s.post(*(result(action) for action in actions))


@fault("TL502 ends")
def partly(s: Server) -> None:
    turn_id = open_turn(s)
    left = answer(s, calls(s, turn_id, 3), some=2)
    s.expect("TL502", left[0]["call_id"], views="log stream")


@fault("TL505")
def silence(s: Server) -> None:
    turn_id = open_turn(s)
    s.tick(s.rng.choice([400, 4000]))
    s.put("event", {"type": "error", "event_id": s.new("evt"), "session_id": s.id, "error": ERROR})
    s.expect("TL505", turn_id, views="log")
    close_turn(s, turn_id)
