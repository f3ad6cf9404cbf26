"""Subagents: create, send, wait, interrupt, resume, close, messages between agents, nested (fact sheet B.2, B.4, C.3)."""

from dataclasses import replace

from tests.world.known import is_open
from tests.world.model import Json, Server

VIEWS = frozenset(("log", "stream", "pages"))


def text(value: str) -> list[Json]:
    return [{"type": "output_text", "text": value}]


def content(s: Server, value: str) -> list[Json]:
    """What agents say may be readable, encrypted or empty (B.2)."""
    return s.rng.choice([text(value), text(value), [{"type": "encrypted_content", "encrypted_content": "AAAA"}], []])


def agent_of(s: Server, turn_id: str) -> str:
    return s.turns[turn_id]["subagent_id"] or s.agent_id


def create(s: Server, turn_id: str, *, spawns: bool = True, status: str = "completed") -> Json | None:
    """The create call, and the subagent, which does not name it. Returns the subagent."""
    parent = agent_of(s, turn_id)
    for name, views in (("create-in-an-earlier-turn", VIEWS), ("create-of-a-turn-over-by-the-clock", {"pages"})):
        if is_open(name):
            s.expected = [replace(one, must=one.must and (one.code != "TL401" or not one.views & views)) for one in s.expected]
    task = f"Check aisle {len(s.items)}."
    item = s.item(turn_id, "create_subagent_call", agent_id=parent, content=content(s, task), model=None, reasoning_effort=None)
    item["status"] = "in_progress"
    s.added(item)
    early = s.rng.random() < 0.5
    if not early:
        s.done(item, status=status)
    sub = subagent(s, parent, task, item["id"]) if spawns else None
    if early:
        s.done(item, status=status)
    return sub


def subagent(s: Server, parent: str, task: str, item_id: str | None = None) -> Json:
    sub: Json = {
        "object": "agent.session.subagent",
        "id": s.new("sub"),
        "session_id": s.id,
        "parent_agent_id": parent,
        "status": "active",
        "opened_at": int(s.now),
        "closed_at": None,
        "name": s.rng.choice([None, "Heron", "Stork"]),
        "instructions": text(task),
    }
    s.subs[sub["id"]] = sub
    if item_id is not None:
        s.spawned_by[sub["id"]] = item_id
    s.emit("subagent.created", subagent=sub)
    return sub


def run(s: Server, sub: Json) -> str:
    """A turn of the subagent's begins."""
    turn_id = s.begin(sub["id"])
    s.start(turn_id)
    s.whole(s.item(turn_id, "reasoning", summary=[], status="in_progress"), {}, {"status": "completed"})
    return turn_id


def report(s: Server, turn_id: str, to_turn: str) -> None:
    """The child ends its turn and tells its parent."""
    sub_id = agent_of(s, turn_id)
    said = {"role": "assistant", "phase": "final_answer", "content": []}
    s.whole(s.item(turn_id, "message", status="in_progress", **said), {}, {"status": "completed", "content": text("12")})
    s.end(turn_id)
    parties = {"sender_agent_id": sub_id, "recipient_agent_id": agent_of(s, to_turn)}
    s.added(s.item(to_turn, "agent_message", content=content(s, "Aisle has 12."), **parties), output=False)


def act(s: Server, turn_id: str, kind: str, sub_id: str, status: str = "completed", **more: object) -> Json:
    """send / interrupt / resume / close, as an item of the one who asks."""
    type_ = "send_subagent_input_call" if kind == "send" else f"{kind}_subagent_call"
    more = {"content": content(s, "Go on."), **more} if kind == "send" else more
    item = s.item(turn_id, type_, sender_agent_id=agent_of(s, turn_id), recipient_agent_id=sub_id, **more)
    return s.whole(item, {"status": "in_progress"}, {"status": status})


def wait(s: Server, turn_id: str, sub_ids: list[str]) -> Json:
    """The wait begins; `s.done(item, status="completed")` ends it."""
    parties = {"sender_agent_id": agent_of(s, turn_id), "recipient_agent_ids": sub_ids}
    item = s.item(turn_id, "wait_for_subagents_call", status="in_progress", **parties)
    s.added(item)
    return item


def close(s: Server, turn_id: str, sub: Json) -> None:
    act(s, turn_id, "close", sub["id"])
    sub.update(status="closed", closed_at=s.tick())
    s.emit("subagent.closed", subagent=sub)


def resume(s: Server, turn_id: str, sub: Json) -> None:
    act(s, turn_id, "resume", sub["id"])
    sub.update(status="active", closed_at=None)
    s.emit("subagent.active", subagent=sub)


def room(s: Server) -> bool:
    return sum(sub["status"] == "active" for sub in s.subs.values()) < 5


def spawn_some(s: Server, turn_id: str, depth: int = 0) -> list[tuple[Json, str]]:
    """One to three children, each with a turn of its own that has begun."""
    children: list[tuple[Json, str]] = []
    for _ in range(s.rng.choice([1, 1, 2, 3])):
        if not room(s):
            break
        if s.rng.random() < 0.05:
            create(s, turn_id, spawns=False, status="failed")  # a failed create has no subagent (B.4)
        sub = create(s, turn_id)
        assert sub is not None
        children.append((sub, run(s, sub)))
    return children


def finish(s: Server, turn_id: str, children: list[tuple[Json, str]], depth: int = 0) -> None:
    """The children do their work, in any order; the parent waits or does not; some are interrupted, sent to, closed, resumed."""
    order = s.rng.sample(children, len(children))
    waiting = wait(s, turn_id, [sub["id"] for sub, _ in order]) if order and s.rng.random() < 0.6 else None
    for sub, child_turn in order:
        if depth < 2 and s.rng.random() < 0.3:
            finish(s, child_turn, spawn_some(s, child_turn, depth + 1), depth + 1)
        if waiting is None and s.rng.random() < 0.15:
            act(s, turn_id, "interrupt", sub["id"])
            s.end(child_turn, "cancelled")
        else:
            report(s, child_turn, turn_id)
    if waiting is not None:
        s.done(waiting, status="completed")
    for sub, _ in order:
        if s.rng.random() < 0.3:
            act(s, turn_id, "send", sub["id"])
            report(s, run(s, sub), turn_id)
        if s.rng.random() < 0.5:
            close(s, turn_id, sub)
            if s.rng.random() < 0.3:
                resume(s, turn_id, sub)
