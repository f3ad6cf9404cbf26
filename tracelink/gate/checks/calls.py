"""The verdicts on single items, where they are a reason not to send; and what the tool list says."""

from collections.abc import Iterator
from typing import Any

from tracelink.gate.agents import compact, portable, raw
from tracelink.gate.call import ARGUMENTS_PARSE, ARGUMENTS_SCHEMA, ARGUMENTS_TYPE, NAMESPACED, OK, STATUS, of_program, parsed
from tracelink.gate.checks.context import Context
from tracelink.gate.checks.leave import departures
from tracelink.gate.containers import foreign
from tracelink.gate.item import Fix, Problem
from tracelink.gate.kinds import CALL, guessed, text, type_of

MOST_ARGUMENTS = 1_048_576
"""Characters of `arguments` that OpenAI takes on input (C.1)."""
WRAPPERS = frozenset(("parallel", "multi_tool_use.parallel", "multi_tool_use_parallel"))
_NO_ITEM = "Leave the item out, or give it the type that it had in the run; --repair leaves it as it is."


def verdicts(context: Context) -> Iterator[Problem]:
    """`namespaced`, `status`, `arguments_type`, `arguments_parse`, `arguments_schema`: the verdicts that speak against sending."""
    problem, may_go = context.history.problem, departures(context)
    for position, verdict in enumerate(context.verdicts):
        value, leaving = context.value(position), may_go.get(position, ())
        name = f"the call {text(value, 'name') or 'without a name'} ({text(value, 'call_id') or 'no call_id'})"
        if verdict.verdict == NAMESPACED and verdict.detail not in ("type_missing", "type_no_string"):
            row = "namespaced/openrouter" if verdict.detail == "openrouter" else None
            told = (
                "in a form that the specification does not name"
                if verdict.detail == "malformed_slug"
                else "and means nothing elsewhere"
            )
            message = f"{verdict.told}, {told}"
            yield problem("namespaced", message, position, detail=verdict.detail, row=row, fixes=leaving)
        elif verdict.verdict == STATUS:
            yield from _status(context, position, name)
        elif verdict.verdict == ARGUMENTS_TYPE and not raw(value):  # a raw one is told as foreign_envelope
            arguments = value.get("arguments")
            fixes = (
                (Fix("replace", position, value | {"arguments": compact(arguments)}),) if isinstance(arguments, dict) else ()
            )
            yield problem(
                "arguments_type", f"{name} cannot be sent: {verdict.told}", position, detail=verdict.detail, fixes=fixes
            )
        elif verdict.verdict == ARGUMENTS_PARSE:
            yield problem(
                "arguments_parse", f"{name} has arguments that cannot be read: {verdict.told}", position, detail=verdict.detail
            )
        elif verdict.verdict == ARGUMENTS_SCHEMA:
            yield problem("arguments_schema", f"{name}: {verdict.told}", position)
        if type_of(value) == CALL and of_program(value):
            message = f"{name} was made by a program of the provider, which alone can take its output"
            if verdict.verdict == STATUS:
                message += f"; that it is not finished is as usual there ({verdict.told})"
            yield problem("program_owned", message, position, fixes=leaving)


def _status(context: Context, position: int, name: str) -> Iterator[Problem]:
    verdict, value, problem = context.verdicts[position], context.value(position), context.history.problem
    if verdict.detail == "program_owned":
        return  # told as that
    absent = verdict.detail == "status_absent" and readable(value)
    tail = "" if absent else "; its arguments may be cut off"
    row = "status/absent" if absent else None
    yield problem("status", f"{name} may not be executed: {verdict.told}{tail}", position, detail=verdict.detail, row=row)


def readable(value: Any) -> bool:
    """Whether the arguments are a text that is JSON."""
    arguments = value.get("arguments") if isinstance(value, dict) else None
    if not isinstance(arguments, str):
        return False
    try:
        parsed(arguments)
    except ValueError:
        return False
    return True


def untyped(context: Context) -> Iterator[Problem]:
    """`type_missing`: legal for an easy message, and a bare id is a reference (trap in A.1)."""
    for position, item in enumerate(context.history.items):
        value = item.value
        if type_of(value) is not None or item.loss is not None or foreign(value) is not None:
            continue
        guess = guessed(value)
        if guess == "message":
            fix = Fix("replace", position, {"type": "message", **value})
            message = "a message without a type: OpenAI takes it, the specification wants the type"
            yield context.history.problem("type_missing", message, position, detail="message", fixes=(fix,))
        elif guess == "other":
            told = (
                "it is no object"
                if not isinstance(value, dict)
                else "its type is no string"
                if "type" in value
                else "it has no type"
            )
            yield context.history.problem(
                "type_missing", f"an item that nobody can take: {told}", position, row="type_missing/other", remedy=_NO_ITEM
            )


def portable_form(context: Context) -> Iterator[Problem]:
    """Items of the Agents API: those without a form in Open Responses, and raw ones among Responses items."""
    may_go = departures(context)
    for position, item in enumerate(context.history.items):
        if item.loss is not None and type_of(item.value) != CALL:  # such a call is told by its verdict
            fixes = may_go.get(position, ())
            yield context.history.problem(
                "provider_bound", item.loss, position, detail="agents", row="provider_bound/agents", fixes=fixes
            )
        elif raw(item.value):
            mapped = portable(item.value, item.location)
            fixes = (Fix("replace", position, mapped.value),) if mapped.loss is None else ()
            message = "an item of the Agents API stands among Responses items"
            yield context.history.problem("foreign_envelope", message, position, detail="agents", fixes=fixes)


def sizes_and_kinds(context: Context) -> Iterator[Problem]:
    """`arguments_size`, `arguments_not_object`, and the wrapper that OpenAI's models make of parallel calls."""
    problem = context.history.problem
    for position, verdict in enumerate(context.verdicts):
        value = context.value(position)
        if type_of(value) != CALL:
            continue
        arguments = value.get("arguments")
        if isinstance(arguments, str) and len(arguments) > MOST_ARGUMENTS:
            message = f"arguments of {len(arguments):,} characters; OpenAI takes {MOST_ARGUMENTS:,} on input"
            yield problem("arguments_size", message, position)
        if verdict.verdict == OK and not isinstance(verdict.arguments, dict):
            yield problem(
                "arguments_not_object", "arguments that are JSON but no object break where they are parsed into one", position
            )
        if text(value, "name") in WRAPPERS and isinstance(verdict.arguments, dict) and "tool_uses" in verdict.arguments:
            yield problem("parallel_wrapper", "one call that wraps several; the provider expects one output for it", position)


def tools(context: Context) -> Iterator[Problem]:
    """`schema_missing`, `tool_not_declared`, `tool_not_allowed`: what the tool list says of calls that are history already."""
    history = context.history
    for position, verdict in enumerate(context.verdicts):
        name = text(context.value(position), "name")
        if type_of(context.value(position)) != CALL or name is None:
            continue
        if history.tools is not None and name not in history.tools:
            yield history.problem("tool_not_declared", f"the tool list has no function {name}", position)
        elif verdict.unchecked is not None:
            yield history.problem(
                "schema_missing",
                f"whether the arguments of {name} fit its schema cannot be told: {verdict.unchecked}",
                position,
            )
        if history.allowed is not None and name not in history.allowed:
            yield history.problem(
                "tool_not_allowed", f"the function {name} is not among the tools that the request allows", position
            )
