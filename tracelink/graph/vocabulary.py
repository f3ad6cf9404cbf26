"""The words of the graph: kinds of nodes and edges, each with its meaning in one line (the README's table is made of them).

Node and edge attributes and ids as `build` makes them are public API: DESIGN 8.
"""

NODES = {
    "agent": "the root agent: `agent:ID`",
    "subagent": "an agent that another one created: `subagent:ID`; it runs turns of its own",
    "turn": "one turn of the agent that runs it: `turn:ID`",
    "function_call": "a call of one of the app's functions: `function_call:TURN/CALL`",
    "tool_result": "what was posted or recorded as a result: `tool_result:TURN/CALL` with its own ids, `#2` for a second one",
    "action": "a required action: `action:TYPE/ID`, for a function call `action:function_call/TURN/CALL`",
    "item": "any other item, coordination of subagents first of all: `item:ID`",
}

EDGES = {
    "runs": "agent or subagent → its turn",
    "calls": "turn → function call",
    "answered_by": "function call → the result that has its turn_id and call_id",
    "requires": "turn → required action (agent → action where the action has no turn)",
    "for_call": "required action → the function call it stands for",
    "meant_for": "misaddressed result → the call or action it was probably meant for, with the reason; never applied",
    "coordinates": "turn → the coordination item that stands in it",
    "spawns": "create item → the subagent it made; inferred, with rule and confidence",
    "parent_of": "agent → the subagent that names it as parent",
    "sends_to": "send item → recipient",
    "waits_for": "wait item → each agent it waits for",
    "interrupts": "interrupt item → recipient",
    "resumes": "resume item → recipient",
    "closes": "close item → recipient",
    "message_to": "sender → agent_message → recipient",
    "contains": "turn → any other item of it (detail `all` only)",
}

ITEM_TYPES = {
    "create": "create_subagent_call",
    "send": "send_subagent_input_call",
    "wait": "wait_for_subagents_call",
    "interrupt": "interrupt_subagent_call",
    "resume": "resume_subagent_call",
    "close": "close_subagent_call",
    "message": "agent_message",
}
"""`Coordination.kind` → the wire's item type."""

TARGETS = {
    "send": "sends_to",
    "wait": "waits_for",
    "interrupt": "interrupts",
    "resume": "resumes",
    "close": "closes",
    "message": "message_to",
}
"""`Coordination.kind` → the edge from the item to each recipient."""

DETAILS = ("calls", "items", "all")
"""calls: agents, turns, calls, results, actions, create items; items: every coordination item too; all: every item."""
