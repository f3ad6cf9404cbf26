"""Ids and names: present, unique, short and plain enough; and the new name of one that is not (fact sheet C.2)."""

import hashlib
from collections.abc import Iterator
from typing import Any

from tracelink.gate.checks.context import Context, call_key
from tracelink.gate.checks.meant import named
from tracelink.gate.item import Fix, Problem
from tracelink.gate.kinds import CALL, OUTPUT, OUTPUTS, PAIRS, PLAIN, PREFIXES, REASONING, REFERENCE, text, type_of

LONGEST = 64
_ID_IS_KEY = frozenset(("mcp_approval_request", "local_shell_call", "item_reference", "program"))
"""Types whose own id others refer to: it is never dropped."""


def renamed(old: str, used: set[str], seed: str = "") -> str:
    """An id made of the old one by hash: the same each time, never one in use, never a cut prefix."""
    number = 0
    while True:
        digest = hashlib.sha256(f"{old}\0{seed}\0{number}".encode("utf-8", "surrogatepass")).hexdigest()
        new = f"call_{digest[:43]}"
        if new not in used:
            return new
        number += 1


def missing(context: Context) -> Iterator[Problem]:
    """`missing_call_id`: absent, null, empty or no string, where one is the only tie; `missing_item_id` of a reasoning item."""
    problem = context.history.problem
    for position, item in enumerate(context.history.items):
        type_ = type_of(item.value)
        if (
            (type_ in PAIRS or type_ in OUTPUTS)
            and call_key(item.value) is None
            and type_ not in ("tool_search_call", "tool_search_output")
        ):
            named = type_ == OUTPUT and text(item.value, "name") is not None
            row = "missing_call_id/named" if named else None
            what = "a call" if type_ in PAIRS else "an output"
            given = "empty" if item.value.get("call_id") == "" else "missing"
            yield problem(
                "missing_call_id",
                f"{what} ({type_}) whose call_id is {given}: nothing ties it to its partner",
                position,
                row=row,
            )
        elif type_ == REASONING and text(item.value, "id") is None:
            yield problem("missing_item_id", "a reasoning item without an id, which some providers require", position)


def call_ids(context: Context) -> Iterator[Problem]:
    """`call_id_length` and `call_id_charset`, once an id; the repair renames all that bear it."""
    first: dict[str, int] = {}
    for position, item in enumerate(context.history.items):
        key = text(item.value, "call_id")
        if key is not None and (type_of(item.value) in PAIRS or type_of(item.value) in OUTPUTS):
            first.setdefault(key, position)
    kept = named(context)
    for key, position in first.items():
        fixes = (Fix("rename", position, key),) if key not in kept else ()
        if len(key) > LONGEST:
            message = f"a call_id of {len(key)} characters; {LONGEST} are allowed"
            yield context.history.problem("call_id_length", message, position, fixes=fixes)
        elif not PLAIN.match(key):
            message = "a call_id with characters outside A-Z, a-z, 0-9, _ and -"
            yield context.history.problem("call_id_charset", message, position, fixes=fixes)


def item_ids(context: Context, required: bool) -> Iterator[Problem]:
    """`duplicate_item_id` and `item_id_form`. required: the profile refuses reasoning without an id, so that one is not dropped."""
    problem = context.history.problem
    kept = named(context) | (_of_reasoning(context) if required else frozenset())
    first: dict[str, int] = {}
    for position, item in enumerate(context.history.items):
        value, type_ = item.value, type_of(item.value)
        id_ = text(value, "id")
        if id_ is None or type_ == REFERENCE:
            continue
        if id_ in first:
            same = value == context.value(first[id_])
            told = "the same item" if same else "a different item"
            fixes = (Fix("drop", position),) if same else _without_id(value, position, kept)
            yield problem(
                "duplicate_item_id",
                f"the id {id_} stands on {told} a second time",
                position,
                first[id_],
                detail="identical" if same else "differs",
                fixes=fixes,
            )
        first.setdefault(id_, position)
        prefix = PREFIXES.get(type_ or "")
        if len(id_) > LONGEST or not PLAIN.match(id_):
            told = (
                f"an item id of {len(id_)} characters"
                if len(id_) > LONGEST
                else "an item id with characters other than letters, digits, _ and -"
            )
            yield problem("item_id_form", f"{told}, which OpenAI refuses", position, fixes=_without_id(value, position, kept))
        elif prefix is not None and not id_.startswith(prefix):
            message = f"an item id of a {type_} item that does not begin with {prefix}, which OpenAI may refuse"
            yield problem(
                "item_id_form",
                message,
                position,
                detail="prefix",
                row="item_id_form/prefix",
                fixes=_without_id(value, position, kept),
            )


def _of_reasoning(context: Context) -> frozenset[str]:
    items = (item.value for item in context.history.items)
    return frozenset(text(value, "id") or "" for value in items if type_of(value) == REASONING)


def _without_id(value: Any, position: int, kept: frozenset[str]) -> tuple[Fix, ...]:
    """Dropping an item's own id is safe where nothing refers to it and nothing was encrypted with it."""
    bound = (
        value["id"] in kept
        or type_of(value) in _ID_IS_KEY
        or (type_of(value) == REASONING and value.get("encrypted_content") is not None)
    )
    return () if bound else (Fix("drop-field", position, "id"),)


def names(context: Context, longest: int) -> Iterator[Problem]:
    """`name_pattern` of function calls."""
    for position, item in enumerate(context.history.items):
        if type_of(item.value) != CALL:
            continue
        name = item.value.get("name")
        if not isinstance(name, str) or not name:
            told = "has no name"
        elif len(name) > longest:
            told = f"has a name of {len(name)} characters; {longest} are allowed"
        elif not PLAIN.match(name):
            told = f"has the name {name}, with characters outside A-Z, a-z, 0-9, _ and -"
        else:
            continue
        yield context.history.problem("name_pattern", f"a function call {told}", position)
