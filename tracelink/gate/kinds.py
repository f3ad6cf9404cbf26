"""The item types of the Responses API and of Open Responses, and who answers whom (fact sheet A, C.2)."""

import re

from tracelink.read.shapes import AGENTS_ITEMS

MESSAGE, CALL, OUTPUT, REASONING, COMPACTION, REFERENCE = (
    "message",
    "function_call",
    "function_call_output",
    "reasoning",
    "compaction",
    "item_reference",
)
PORTABLE = frozenset((MESSAGE, CALL, OUTPUT))
CORE = PORTABLE | {REASONING, COMPACTION, REFERENCE}
"""The six types of the specification; only the first three go to anybody."""

PAIRS = {
    CALL: OUTPUT,
    "custom_tool_call": "custom_tool_call_output",
    "computer_call": "computer_call_output",
    "shell_call": "shell_call_output",
    "local_shell_call": "local_shell_call_output",
    "apply_patch_call": "apply_patch_call_output",
    "tool_search_call": "tool_search_output",
    "program": "program_output",
    "multi_agent_call": "multi_agent_call_output",
}
"""Call type → the one type that answers it (A.2: pairing is per type)."""
OUTPUTS = {output: call for call, output in PAIRS.items()}
SERVER_SIDE = frozenset(("tool_search_call", "program", "multi_agent_call"))
"""Calls that the server may answer itself: a missing output of theirs is nobody's fault."""

APPROVAL_REQUEST, APPROVAL_RESPONSE, TRIGGER = "mcp_approval_request", "mcp_approval_response", "compaction_trigger"
BOUND = (
    frozenset(PAIRS)
    | frozenset(OUTPUTS)
    | frozenset(
        (
            APPROVAL_REQUEST,
            APPROVAL_RESPONSE,
            "mcp_list_tools",
            "mcp_call",
            "web_search_call",
            "file_search_call",
            "code_interpreter_call",
            "image_generation_call",
            TRIGGER,
            "additional_tools",
            "configuration_update",
            "agent_message",
        )
    )
) - CORE
"""Types without a colon that belong to a provider all the same (A.2)."""

AGENTS_ONLY = AGENTS_ITEMS | {"command_execution"}
"""Types that only the Agents API has (fact sheet H): no portable form."""

PREFIXES = {
    MESSAGE: "msg",
    REASONING: "rs",
    CALL: "fc",
    "custom_tool_call": "ctc",
    "custom_tool_call_output": "ctco",
    "web_search_call": "ws",
    "code_interpreter_call": "ci",
    COMPACTION: "cmp",
}
"""What an item's own id begins with at OpenAI, where the server checks it (A.4, C.2)."""

FIELDS = {
    MESSAGE: frozenset(("type", "id", "role", "content", "status", "phase")),
    CALL: frozenset(("type", "id", "call_id", "name", "arguments", "status")),
    OUTPUT: frozenset(("type", "id", "call_id", "output", "status")),
    REASONING: frozenset(("type", "id", "summary", "content", "encrypted_content")),
    COMPACTION: frozenset(("type", "id", "encrypted_content")),
    REFERENCE: frozenset(("type", "id")),
}
"""The members that Open Responses knows (A.1)."""
OPENAI_EXTRAS = frozenset(("caller", "namespace", "async"))
"""Members that OpenAI adds to calls and outputs."""

ROLES = frozenset(("user", "assistant", "system", "developer"))
"""Who may speak on input (A.1)."""
WELL_FORMED = re.compile(r"[a-z0-9][a-z0-9_.-]*:[A-Za-z0-9_.-]+\Z")
"""A namespaced type: slug, colon, name. The specification gives no grammar (A.3); this is what occurs."""
PLAIN = re.compile(r"[A-Za-z0-9_-]+\Z")
"""The character set of names, and of ids where one is asked for (C.2)."""


def type_of(value: object) -> str | None:
    """The item's `type`, None where there is no string."""
    found = value.get("type") if isinstance(value, dict) else None
    return found if isinstance(found, str) else None


def text(value: object, key: str) -> str | None:
    """A member that is a non-empty string, else None."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, str) and found else None


def guessed(value: object) -> str:
    """What an item without a type is: `message`, `reference` or `other` (trap in A.1)."""
    if isinstance(value, dict) and "type" not in value:
        if text(value, "role") in ROLES and isinstance(value.get("content"), str | list):
            return "message"
        if text(value, "id") and len(value) == 1:
            return "reference"
    return "other"
