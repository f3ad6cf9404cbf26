"""The documented types of the date that `--version` names (fact sheet B.2, D.1)."""

ITEMS = frozenset(
    (
        "message",
        "reasoning",
        "function_call",
        "function_call_output",
        "agent_message",
        "mcp_call",
        "computer_use_call",
        "computer_use_approval_request",
        "computer_use_approval_request_result",
        "web_search_call",
        "command_execution",
        "create_subagent_call",
        "send_subagent_input_call",
        "wait_for_subagents_call",
        "interrupt_subagent_call",
        "resume_subagent_call",
        "close_subagent_call",
    )
)
"""The 17 item types."""

ACTIONS = frozenset(("function_call", "mcp_approval_request", "computer_use_approval_request", "environment_connection"))
"""The four kinds of required action."""
