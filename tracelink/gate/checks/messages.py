"""The form of messages: who speaks, and in which parts (fact sheet A.1).

The idea: a role has its own parts. A message that another API wrote, or that a stream never finished, is told as that and not here.
"""

from collections.abc import Iterator
from typing import Any

from tracelink.gate.checks.bound import parts_of
from tracelink.gate.checks.context import Context
from tracelink.gate.containers import foreign
from tracelink.gate.item import Problem
from tracelink.gate.kinds import MESSAGE, ROLES, text, type_of

_INPUT = ("input_text", "input_image", "input_file")
_PARTS = {
    "user": _INPUT,
    "system": ("input_text",),
    "developer": ("input_text",),
    "assistant": ("output_text", "refusal"),
}
_KNOWN = frozenset(part for parts in _PARTS.values() for part in parts)


def shapes(context: Context) -> Iterator[Problem]:
    """`message_shape`: a role and a content are required."""
    for position, item in enumerate(context.history.items):
        if type_of(item.value) != MESSAGE or not item.done or foreign(item.value) is not None:
            continue
        told = [
            f"{'no' if name not in item.value else 'a'} {name}{'' if name not in item.value else f' that is no {wanted}'}"
            for name, good, wanted in (
                ("role", _speaks(item.value.get("role")), "user, assistant, system or developer"),
                ("content", _says(item.value.get("content")), "text or list of parts"),
            )
            if not good
        ]
        if told:
            yield context.history.problem("message_shape", f"a message with {' and '.join(told)}", position)


def _speaks(role: Any) -> bool:
    return isinstance(role, str) and role in ROLES


def _says(content: Any) -> bool:
    return isinstance(content, str) or (isinstance(content, list) and all(isinstance(part, dict) for part in content))


def parts(context: Context) -> Iterator[Problem]:
    """`content_part_bound` of parts that the specification has, but not for this role."""
    for position, item in enumerate(context.history.items):
        role = text(item.value, "role") or ""
        if type_of(item.value) != MESSAGE or role not in _PARTS or foreign(item.value) is not None:
            continue
        kinds = dict.fromkeys(text(part, "type") or "" for part in parts_of(item.value))
        for kind in kinds:
            if kind in _KNOWN and kind not in _PARTS[role]:
                row = "content_part_bound/system" if role in ("system", "developer") and kind in _INPUT else None
                message = f"a content part ({kind}) that the specification does not have in a message of role {role}"
                yield context.history.problem("content_part_bound", message, position, detail=kind, row=row)
