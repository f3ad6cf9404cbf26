"""A call of a function that the session's agent does not declare."""

from collections.abc import Iterable

from tracelink.judge.declared import Declarations, Declared
from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.trace import Call
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl2_payloads.declared import root_calls

KNOWN = frozenset(("function", "programmatic_tool_calling", "mcp", "web_search", "computer_use", "automations"))
"""Kinds of tool of which it is known that only `function` declares functions (fact sheet C.1)."""


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    declarations = context.once(Declarations)
    for call, declared in root_calls(context.trace, declarations, without=declarations.always):
        if not undeclared(call, declared, declarations):
            continue
        name = call.name or ""
        known = sorted(declared.functions)
        listed = ", ".join(known[:3]) + (" and others" if len(known) > 3 else "") if known else "no function"
        yield rule.finding(
            f"{call.call_id or 'A call'} at {place(call.first)} calls {name}, but the session declares {listed} at "
            f"{place(declared.at)}: whether the app has a handler for it is not recorded.",
            at=(call.first, declared.at),
            ids={"call_id": call.call_id or None, "turn_id": call.turn_id or None},
        )


def undeclared(call: Call, declared: Declared, declarations: Declarations) -> bool:
    """Whether neither the list that held at the call nor the next one has the function."""
    name = call.name or ""
    if not declared.tools or name in declared.functions or not declared.others <= KNOWN:
        return False
    after = declarations.after(call.first)  # it may have been declared between the two snapshots
    return after is None or name not in after.functions


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
