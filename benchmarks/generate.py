"""Seeded recordings to measure with: each function yields the events of one recording, whole turns, the same for the same
arguments. Nothing is held but the session's own state, so a recording may be larger than memory.

`count` is what the name says (events, calls, subagents …); `seed` makes the ids and the words.
"""

from collections.abc import Iterator
from typing import Any

import orjson

from benchmarks.text import command_lines, pieces
from benchmarks.wire import NAMES, Event, Session, function_tool


def deltas(count: int, seed: int = 0) -> Iterator[Event]:
    """At least `count` events, nearly all of them text: answers, reasoning summaries and command output in pieces.

    Every turn has an answer, every second a summary, every third a function call with its result, every fourth a command.
    """
    session = Session(f"deltas {seed}", environment=True, padded=True)
    written, turn = 0, 0
    yield session.created()
    while written < count:
        for event in _delta_turn(session, turn, min(1500, max(3, count // 4))):
            written += 1
            yield event
        turn += 1


def _delta_turn(session: Session, number: int, longest: int) -> Iterator[Event]:
    random, turn_id, index = session.random, session.new("turn"), 0
    yield from _begin(session, turn_id)
    if number % 2 == 0:
        yield from _summary(session, turn_id, index, random.randrange(longest // 10 + 1, longest // 4 + 2))
        index += 1
    if number % 3 == 0:
        actions: list[Event] = []
        yield from _call(session, turn_id, index, {"key": f"aisle {number}", "limit": 7}, actions)
        yield session.snapshot("requires_action", actions)
        yield _output(session, turn_id, actions[0]["call_id"], '{"units": 12}')
        yield session.snapshot("in_progress")
        index += 1
    if number % 4 == 0:
        yield from _command(session, turn_id, index, random.randrange(longest // 10 + 1, longest // 3 + 2))
        index += 1
    yield from _answer(session, turn_id, index, random.randrange(longest // 3 + 1, longest + 1))
    yield from _end(session, turn_id)


def _begin(session: Session, turn_id: str, text: str = "How many are left, and where?") -> Iterator[Event]:
    session.now += 1
    yield session.turn(turn_id, "queued")
    content = [{"type": "input_text", "text": text}]
    message = {"role": "user", "phase": None, "status": "completed", "content": content}
    yield session.item("added", turn_id, None, "message", session.new("msg"), **message)
    yield session.snapshot("in_progress")
    yield session.turn(turn_id, "in_progress")


def _end(session: Session, turn_id: str) -> Iterator[Event]:
    session.now += 2
    yield session.turn(turn_id, "completed")
    yield session.snapshot("idle")


def _call(session: Session, turn_id: str, index: int, arguments: Event, actions: list[Event]) -> Iterator[Event]:
    """A function call, announced and done; its required action goes onto `actions`."""
    call = {"call_id": session.new("call"), "name": NAMES[index % len(NAMES)], "arguments": arguments}
    item_id = session.new("fc")
    yield session.item("added", turn_id, index, "function_call", item_id, **call, status="in_progress")
    yield session.item("done", turn_id, index, "function_call", item_id, **call, status="completed")
    actions.append({"type": "function_call", "turn_id": turn_id, **call})


def _output(session: Session, turn_id: str, call_id: str, output: str) -> Event:
    """The item of a result: an input, so it is added and never done."""
    answer = {"call_id": call_id, "output": output, "error": None, "status": "completed"}
    return session.item("added", turn_id, None, "function_call_output", session.new("fco"), **answer)


def _summary(session: Session, turn_id: str, index: int, count: int) -> Iterator[Event]:
    item_id, kind, text = session.new("rs"), "agent.session.turn.reasoning_summary", []
    yield session.item("added", turn_id, index, "reasoning", item_id, status="in_progress", summary=[])
    where = (turn_id, index, item_id, "summary_index")
    yield session.part(f"{kind}_part.added", *where, part={"type": "summary_text", "text": ""})
    for piece in pieces(session.random, count):
        text.append(piece)
        yield session.part(f"{kind}_text.delta", *where, delta=piece)
    whole = {"type": "summary_text", "text": "".join(text)}
    yield session.part(f"{kind}_text.done", *where, text=whole["text"])
    yield session.part(f"{kind}_part.done", *where, part=whole, status=None)
    yield session.item("done", turn_id, index, "reasoning", item_id, status="completed", summary=[whole])


def _command(session: Session, turn_id: str, index: int, count: int) -> Iterator[Event]:
    item_id, text = session.new("cmd"), []
    command: Event = {"command": "make check", "cwd": "/workspace", "duration_ms": None, "exit_code": None, "output": None}
    yield session.item("added", turn_id, index, "command_execution", item_id, **command, status="in_progress")
    for line in command_lines(session.random, count):
        text.append(line)
        yield session.part("agent.output.command_execution_output.delta", turn_id, index, item_id, "", delta=line)
    command |= {"duration_ms": 40 * count, "exit_code": 0, "output": "".join(text)}
    yield session.item("done", turn_id, index, "command_execution", item_id, **command, status="completed")


def _answer(session: Session, turn_id: str, index: int, count: int) -> Iterator[Event]:
    item_id, kind, text = session.new("msg"), "agent.session.turn", []
    message = {"role": "assistant", "phase": "final_answer"}
    yield session.item("added", turn_id, index, "message", item_id, **message, status="in_progress", content=[])
    where = (turn_id, index, item_id, "content_index")
    yield session.part(f"{kind}.content_part.added", *where, part={"type": "output_text", "text": ""})
    for piece in pieces(session.random, count):
        text.append(piece)
        yield session.part(f"{kind}.output_text.delta", *where, delta=piece)
    whole = {"type": "output_text", "text": "".join(text)}
    yield session.part(f"{kind}.output_text.done", *where, text=whole["text"])
    yield session.part(f"{kind}.content_part.done", *where, part=whole)
    yield session.item("done", turn_id, index, "message", item_id, **message, status="completed", content=[whole])


def snapshots(size: int, seed: int = 0) -> Iterator[Event]:
    """About `size` bytes as JSON lines, nearly all of them whole session objects of some 20 KB, one after every other event.

    They are mostly unchanged: the time moves with each turn, a metadata value every other turn, usage after a turn, the
    required actions around a call, and the tools every hundredth turn.
    """
    tools = [function_tool(name if n == 0 else f"{name}_{n}", 8, 16) for n in range(5) for name in NAMES]
    session = Session(f"snapshots {seed}", tools=tools, instructions="You look after a warehouse, aisle by aisle. " * 80)
    written, turn = 0, 0
    while written < size:
        if turn % 100 == 99:
            session.tools = [*tools, function_tool(f"extra_{turn}", 8, 16)]
        if turn % 2:
            session.metadata = {"aisle": str(turn % 40), "shift": "late"}
        for event in [session.created()] * (turn == 0) + list(_snapshot_turn(session, turn)):
            written += len(orjson.dumps(event)) + 1
            yield event
        usage = {"input_tokens": 900 * turn, "output_tokens": 70 * turn, "total_tokens": 970 * turn}
        details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
        session.usage, turn = {**usage, **details}, turn + 1


def _snapshot_turn(session: Session, number: int) -> Iterator[Event]:
    """One turn with two calls; after each event that is no snapshot, the session once more."""
    turn_id = session.new("turn")
    actions: list[Event] = []
    working = list(_begin(session, turn_id))
    for index in range(2):
        working += _call(session, turn_id, index, {"key": f"k{number}", "limit": index}, actions)
    for event in working:
        yield event
        if "session" not in event:
            yield session.snapshot("in_progress")
    for answered in range(2):
        yield session.snapshot("requires_action", actions[answered:])
        yield _output(session, turn_id, actions[answered]["call_id"], f"{number} units")
    for event in _answer(session, turn_id, 2, 4):
        yield session.snapshot("in_progress")
        yield event
    yield from _end(session, turn_id)


def calls(count: int, per_turn: int = 5, seed: int = 0, salt: Any = "") -> Iterator[Event]:
    """`count` function calls in turns of `per_turn` in parallel, all answered. `salt` makes another session of the same seed."""
    session = Session(f"calls {seed} {salt}")
    yield session.created()
    for turn in range(-(-count // per_turn)):
        turn_id = session.new("turn")
        actions: list[Event] = []
        yield from _begin(session, turn_id)
        for n in range(min(per_turn, count - turn * per_turn)):
            yield from _call(session, turn_id, n, {"key": f"k{turn}-{n}", "limit": n}, actions)
        yield session.snapshot("requires_action", actions)
        for n, action in enumerate(actions):
            yield _output(session, turn_id, action["call_id"], f"{n} units")
        yield session.snapshot("in_progress")
        yield from _end(session, turn_id)


def short_session(seed: int = 0) -> Iterator[Event]:
    """Twelve events: a session that awaits the result of one of its two calls. What most people open at first."""
    session = Session(f"short {seed}")
    turn_id = session.new("turn")
    actions: list[Event] = []
    yield session.created()
    yield from _begin(session, turn_id)
    for n in range(2):
        yield from _call(session, turn_id, n, {"key": f"k{n}", "limit": n}, actions)
    yield session.snapshot("requires_action", actions)
    yield _output(session, turn_id, actions[0]["call_id"], "7 units")
    yield session.snapshot("requires_action", actions[1:])


def subagents(count: int, seed: int = 0) -> Iterator[Event]:
    """`count` subagents, each made by the one before; then, from the innermost out, each is waited for and closed."""
    session = Session(f"subagents {seed}", agents_at_once=count)
    root = session.new("turn")
    yield session.created()
    yield from _begin(session, root)
    chain: list[tuple[str, str, str, str, int]] = []
    parent, turn_id = session.agent_id, root
    for n in range(count):
        child, child_turn = session.new("sub"), session.new("turn")
        session.now += 1
        yield from _spawn(session, turn_id, parent, child, n)
        yield session.turn(child_turn, "queued", child)
        yield session.turn(child_turn, "in_progress", child)
        chain.append((parent, turn_id, child, child_turn, session.now))
        parent, turn_id = child, child_turn
    for parent, turn_id, child, child_turn, opened in reversed(chain):
        session.now += 1
        wait = {"sender_agent_id": parent, "recipient_agent_ids": [child]}
        yield from _coordinate(
            session, turn_id, 1, "wait_for_subagents_call", wait, [session.turn(child_turn, "completed", child)]
        )
        close = {"sender_agent_id": parent, "recipient_agent_id": child}
        closed = session.subagent("closed", child, parent, opened, None)
        yield from _coordinate(session, turn_id, 2, "close_subagent_call", close, [closed])
    yield from _end(session, root)


def _spawn(session: Session, turn_id: str, parent: str, child: str, number: int, index: int = 0) -> Iterator[Event]:
    text = [{"type": "output_text", "text": f"Count part {number}."}]
    create = {"agent_id": parent, "content": text, "model": None, "reasoning_effort": None}
    created = session.subagent("created", child, parent, session.now, text)
    yield from _coordinate(session, turn_id, index, "create_subagent_call", create, [created])


def _coordinate(
    session: Session, turn_id: str, index: int, kind: str, members: Event, meanwhile: list[Event]
) -> Iterator[Event]:
    item_id = session.new("item")
    yield session.item("added", turn_id, index, kind, item_id, **members, status="in_progress")
    yield from meanwhile
    yield session.item("done", turn_id, index, kind, item_id, **members, status="completed")


def wait_cycle(count: int, seed: int = 0) -> Iterator[Event]:
    """`count` subagents of the root that each wait for the next, the last for the first; the recording ends so."""
    session = Session(f"cycle {seed}", agents_at_once=count)
    root, ids, turns = (
        session.new("turn"),
        [session.new("sub") for _ in range(count)],
        [session.new("turn") for _ in range(count)],
    )
    yield session.created()
    yield from _begin(session, root)
    for n, (child, turn_id) in enumerate(zip(ids, turns, strict=True)):
        session.now += 1
        yield from _spawn(session, root, session.agent_id, child, n, n)
        yield session.turn(turn_id, "queued", child)
        yield session.turn(turn_id, "in_progress", child)
    for n, (child, turn_id) in enumerate(zip(ids, turns, strict=True)):
        wait = {"sender_agent_id": child, "recipient_agent_ids": [ids[(n + 1) % count]], "status": "in_progress"}
        yield session.item("added", turn_id, 0, "wait_for_subagents_call", session.new("item"), **wait)


def near_misses(count: int, seed: int = 0) -> Iterator[Event]:
    """`count` open calls under random ids, and as many posted results whose ids each differ by one character."""
    session = Session(f"near {seed}")

    def drift(call_id: str) -> str:
        place = session.random.randrange(6, len(call_id))
        return call_id[:place] + "z" + call_id[place + 1 :]

    return _drifted(session, [session.new("call") for _ in range(count)], drift)


def near_alike(count: int, seed: int = 0) -> Iterator[Event]:
    """The same with numbered ids: each result's id differs by one character from one call's, by two from many others'."""
    session = Session(f"alike {seed}")
    return _drifted(session, [f"call_{n:08d}" for n in range(count)], lambda call_id: f"call_x{call_id[6:]}")


def _drifted(session: Session, ids: list[str], drift: Any) -> Iterator[Event]:
    turn_id = session.new("turn")
    actions: list[Event] = []
    yield session.created()
    yield from _begin(session, turn_id)
    for n, call_id in enumerate(ids):
        call = {"call_id": call_id, "name": "count_stock", "arguments": {"key": str(n), "limit": 1}}
        yield session.item("done", turn_id, n, "function_call", session.new("fc"), **call, status="completed")
        actions.append({"type": "function_call", "turn_id": turn_id, **call})
    yield session.snapshot("requires_action", actions)
    for call_id in ids:
        answer = {"turn_id": turn_id, "call_id": drift(call_id), "success": True, "output": "seven"}
        yield {"type": "agent.session.input.tool_result", **answer}
