"""May this function call be executed, and answered with a `function_call_output`? Seven answers, the first that holds.

The names and their order are those of the article that the gate comes from (fact sheet I.1); they are never renumbered. What is added here is
told as a detail and never changes the order.
"""

import json
from dataclasses import dataclass
from typing import Any

from tracelink.gate.kinds import CALL, WELL_FORMED, guessed, text
from tracelink.gate.schemas import Checker

NAMESPACED, NOT_CALL, STATUS, ARGUMENTS_TYPE, ARGUMENTS_PARSE, ARGUMENTS_SCHEMA, OK = VERDICTS = (
    "namespaced",
    "not_function_call",
    "status",
    "arguments_type",
    "arguments_parse",
    "arguments_schema",
    "ok",
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """verdict: one of VERDICTS. detail: a word for machines. told: a clause for people. unchecked: why no schema was held against it."""

    verdict: str
    detail: str | None = None
    told: str = ""
    unchecked: str | None = None
    arguments: Any = None


def judge_call(item: Any, tools: dict[str, Any] | None = None, checker: Checker | None = None) -> Verdict:
    """The verdict on one item, whatever JSON value it is. Never raises.

    tools: functions by name with their parameter schemas. checker: whoever can check one.
    """
    kind = item.get("type") if isinstance(item, dict) else None
    if not isinstance(kind, str):
        detail = "type_missing" if isinstance(item, dict) and "type" not in item else "type_no_string"
        told = f"it has no type (it looks like a {guessed(item)})" if guessed(item) != "other" else "its type is no string"
        return Verdict(NAMESPACED, detail, told)
    if ":" in kind:
        well = WELL_FORMED.match(kind) is not None
        detail = kind.partition(":")[0] if well else "malformed_slug"
        return Verdict(NAMESPACED, detail, f"the type {kind} is an extension of one provider")
    if kind != CALL:
        return Verdict(NOT_CALL, None, f"it is a {kind}")
    if item.get("status") != "completed":
        return _status(item)
    arguments = item.get("arguments")
    if not isinstance(arguments, str):
        found = "missing" if "arguments" not in item else "null" if arguments is None else _kind(arguments)
        return Verdict(ARGUMENTS_TYPE, found, f"its arguments are {found}, not a string")
    try:
        value = parsed(arguments)
    except ValueError as error:
        empty = not arguments.strip()
        return Verdict(
            ARGUMENTS_PARSE,
            "empty" if empty else None,
            "its arguments are empty" if empty else f"its arguments are no JSON: {error}",
        )
    return _against_schema(item, value, tools, checker)


def of_program(item: dict[str, Any]) -> bool:
    """Whether a program of the provider made the call."""
    caller = item.get("caller")
    return isinstance(caller, dict) and caller.get("type") == "program"


def _status(item: dict[str, Any]) -> Verdict:
    status = item.get("status")
    if of_program(item):
        told = f"its status is {status}" if isinstance(status, str) else "it has no status"
        return Verdict(STATUS, "program_owned", told)
    if status is None:
        return Verdict(STATUS, "status_absent", "it does not say that it is completed")
    return Verdict(
        STATUS,
        status if isinstance(status, str) else None,
        f"its status is {status if isinstance(status, str) else _kind(status)}, not completed",
    )


def _against_schema(item: dict[str, Any], value: Any, tools: dict[str, Any] | None, checker: Checker | None) -> Verdict:
    name = text(item, "name")
    schema = tools.get(name) if tools is not None and name is not None else None
    if schema is None or checker is None:
        why = None if tools is None else "no schema is declared for it" if schema is None else "nobody checks schemas here"
        return Verdict(OK, None, "", why, value)
    outcome = checker.check(schema, value)
    if outcome.problems:
        return Verdict(ARGUMENTS_SCHEMA, None, f"its arguments do not fit the schema: {outcome.problems[0]}", None, value)
    return Verdict(OK, None, "", outcome.unchecked, value)


def parsed(arguments: str) -> Any:
    """The JSON value of an arguments text. NaN, Infinity, deep nesting and numbers of thousands of digits are no JSON here.

    Raises:
        ValueError: with the reason, a clause.
    """
    try:
        return json.loads(arguments, parse_constant=_no_constant, parse_int=_whole)
    except json.JSONDecodeError as error:
        at_end = error.pos >= len(arguments.rstrip()) or error.msg.startswith("Unterminated string")
        raise ValueError(
            "they end in the middle of a value"
            if at_end
            else f"{error.msg[:1].lower()}{error.msg[1:]} at character {error.pos + 1}"
        ) from None
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _whole(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:
        raise ValueError(f"a number of {len(digits.lstrip('-')):,} digits is more than is read here") from None


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON value")


def _kind(value: Any) -> str:
    kinds = {dict: "an object", list: "an array", bool: "a boolean", int: "a number", float: "a number", str: "a string"}
    return next((told for kind, told in kinds.items() if isinstance(value, kind)), "null")
