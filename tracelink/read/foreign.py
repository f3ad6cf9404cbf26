"""Envelopes of other APIs, known by members that the Agents API has nowhere."""

from typing import Any

CHAT, RESPONSES, ANTHROPIC, GEMINI, HANDOFF, ALPHA, DIGEST = (
    "chat_completions",
    "responses",
    "anthropic",
    "gemini",
    "handoff",
    "alpha",
    "digest",
)


def envelope(value: dict[str, Any]) -> str | None:
    """Envelopes of other APIs, by members that the Agents API has nowhere."""
    if isinstance(value.get("tool_calls"), list) or (value.get("role") == "tool" and "content" in value):
        return CHAT
    choices = value.get("choices")
    if isinstance(choices, list) and (
        not choices or (isinstance(choices[0], dict) and _any(choices[0], "delta", "message", "text"))
    ):
        return CHAT
    if _any(value, "functionCall", "functionResponse", "function_response") or isinstance(value.get("candidates"), list):
        return GEMINI
    content = value.get("content")
    if isinstance(content, list) and "role" in value:
        for part in content:
            if isinstance(part, dict) and part.get("type") in ("tool_use", "tool_result", "thinking"):
                return ANTHROPIC
    parts = value.get("parts")
    if (
        isinstance(parts, list)
        and value.get("role") in ("user", "model", "function", None)
        and any(isinstance(part, dict) and _any(part, "functionCall", "functionResponse", "function_call") for part in parts)
    ):
        return GEMINI
    model = isinstance(value.get("model"), str)
    messages = value.get("messages")
    if isinstance(messages, list) and (model or any(isinstance(one, dict) and "role" in one for one in messages)):
        found = {envelope(one) for one in messages if isinstance(one, dict)}
        return ANTHROPIC if ANTHROPIC in found else CHAT
    if model and isinstance(value.get("input"), (str, list)):
        return RESPONSES
    contents = value.get("contents")
    if isinstance(contents, list) and any(isinstance(one, dict) and "parts" in one for one in contents):
        return GEMINI
    return None


def _any(value: dict[str, Any], *keys: str) -> bool:
    return any(key in value for key in keys)
