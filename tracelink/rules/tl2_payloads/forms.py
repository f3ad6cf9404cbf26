"""The form of a JSON value: its member names and types, without the texts and numbers themselves.

Most schemas look at nothing else, and a tool is called a thousand times with values of one form. What was found good for such a
schema once is good again, and needs no validator.
"""

from typing import Any

Form = Any
"""A hashable value; None where the JSON value is too large for this to pay."""

MEMBERS, DEPTH = 24, 6

_BY_FORM = frozenset(
    (
        "type",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "prefixItems",
        "allOf",
        "anyOf",
        "oneOf",
        "not",
        "$defs",
        "definitions",
        # said of the schema, asserted of no value
        "title",
        "description",
        "default",
        "examples",
        "deprecated",
        "$comment",
        "$schema",
        "strict",
    )
)
_NAMED = frozenset(("properties", "$defs", "definitions"))
_LISTED = frozenset(("prefixItems", "allOf", "anyOf", "oneOf"))
_SILENT = frozenset(
    ("type", "required", "title", "description", "default", "examples", "deprecated", "$comment", "$schema", "strict")
)


def only_form(schema: Any) -> bool:
    """Whether a schema's answer depends on a value's form alone. Not recursive in depth beyond the schema's own bound."""
    open_ = [schema]
    while open_:
        one = open_.pop()
        if isinstance(one, bool):
            continue
        if not isinstance(one, dict) or not _BY_FORM.issuperset(one):
            return False
        for keyword, value in one.items():
            if keyword in _SILENT:
                continue
            if keyword in _NAMED:
                if not isinstance(value, dict):
                    return False
                open_ += value.values()
            elif keyword in _LISTED:
                if not isinstance(value, list):
                    return False
                open_ += value
            else:
                open_.append(value)
    return True


FLAT = frozenset((str, int, bool, type(None)))
"""Types of which the form is the type. (A float without a fraction counts as an integer.)"""


def form_of(value: Any, depth: int = DEPTH) -> Form:
    """The form of a value, None if it is large or deep. A float without a fraction counts as an integer (2020-12)."""
    if value.__class__ is dict and len(value) <= MEMBERS and depth:
        kinds = tuple(map(type, value.values()))
        if FLAT.issuperset(kinds):
            return (dict, tuple(value), kinds)
    if isinstance(value, float):
        return int if value.is_integer() else float
    if isinstance(value, dict):
        if len(value) > MEMBERS or depth == 0:
            return None
        form: list[Any] = [dict]
        for name, one in value.items():
            inner = form_of(one, depth - 1)
            if inner is None:
                return None
            form.append((name, inner))
        return tuple(form)
    if isinstance(value, list):
        if len(value) > MEMBERS or depth == 0:
            return None
        inners = [form_of(one, depth - 1) for one in value]
        return None if None in inners else (list, *inners)
    return type(value)
