"""A call of a function that the session's agent does not declare."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl2_payloads.declared import Declarations, root_calls

KNOWN = frozenset(("function", "programmatic_tool_calling", "mcp", "web_search", "computer_use", "automations"))
"""Kinds of tool of which it is known that only `function` declares functions (fact sheet C.1)."""


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    declarations = context.once(Declarations)
    for call, declared in root_calls(context.trace, declarations, without=declarations.always):
        name = call.name or ""
        if not declared.tools or name in declared.functions or not declared.others <= KNOWN:
            continue
        after = declarations.after(call.first)
        if after is not None and name in after.functions:
            continue  # declared between the two snapshots
        known = sorted(declared.functions)
        listed = ", ".join(known[:3]) + (" and others" if len(known) > 3 else "") if known else "no function"
        yield rule.finding(
            f"{call.call_id or 'A call'} at {place(call.first)} calls {name}, but the session declares {listed} at "
            f"{place(declared.at)}: an app has a handler only for what it declares.",
            at=(call.first, declared.at),
            ids={"call_id": call.call_id or None, "turn_id": call.turn_id or None},
        )


RULE = Rule(
    code="TL205",
    name="undeclared-tool",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    summary="A call names a function that the session's agent does not declare.",
    proves=(
        "The list of tools in the last snapshot before the call in its source (or the first after it) has no function "
        "of this name, nor has the next list."
    ),
    cannot="Whether the tools were changed between two snapshots of which neither shows it.",
    quiet=(
        "Sessions that show no tools, null, or an empty list; lists of another agent; lists with kinds of tool that "
        "nobody documents; calls of subagents (TL406); MCP calls."
    ),
    example='tools: [{"type": "function", "name": "get_stock"}] and function_call{name: "get_stok"}.',
    remedy="Declare the function, or answer the call with success false and say that there is no such function.",
    check=check,
)
