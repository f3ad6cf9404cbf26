"""A JSON Schema out of a recording, made ready for the library: only keywords of Draft 2020-12, each of the kind it must be.

What the library does not know is dropped, above all `$schema`, at which it would go on by another draft. Linear in the schema (but for sorting).
A member or element whose schema is `false` gets an equal one, for of `false` the library does not say where it failed. What asks which members
the other keywords have seen stands last: it follows references by itself, and the others find out first whether they end.
"""

from typing import Any

from tracelink.rules.tl2_payloads.patterns import bounded

MEMBER_NAME = 64
"""Characters of a member name up to which a pattern for names must be harmless."""

_ONE = frozenset(
    (
        "items",
        "contains",
        "additionalProperties",
        "unevaluatedItems",
        "unevaluatedProperties",
        "propertyNames",
        "not",
        "if",
        "then",
        "else",
    )
)
_SOME = frozenset(("allOf", "anyOf", "oneOf", "prefixItems"))
_NAMED = frozenset(("properties", "patternProperties", "dependentSchemas", "$defs", "definitions"))
_MEMBERS = frozenset(("properties", "patternProperties"))
_COUNTS = frozenset(low + what for low in ("min", "max") for what in ("Length", "Items", "Properties", "Contains"))
_NUMBERS = frozenset(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"))
_TEXTS = frozenset(("$ref", "$dynamicRef", "$anchor", "$dynamicAnchor", "$id", "pattern"))
_TYPES = frozenset(("null", "boolean", "object", "array", "number", "string", "integer"))


class Unusable(Exception):
    """The schema cannot be checked with; the message says why, after "its schema"."""


def prepared(schema: Any) -> Any:
    """A copy with what the library understands.

    Raises:
        Unusable: it is no schema of this draft, or has a pattern for names that may not be run.
    """
    if isinstance(schema, bool):
        return schema
    if not isinstance(schema, dict):
        raise Unusable("is no valid JSON Schema")
    ordered = sorted(schema.items(), key=lambda one: one[0].startswith("unevaluated"))
    return {keyword: copy for keyword, value in ordered if (copy := _keyword(keyword, value)) is not None}


def _keyword(keyword: str, value: Any) -> Any:
    """The value, made ready, None for a keyword to drop."""
    if keyword in _ONE:
        return prepared(value)
    if keyword in _SOME and isinstance(value, list) and value:
        return [_placed(one) if keyword == "prefixItems" else prepared(one) for one in value]
    if keyword in _NAMED and isinstance(value, dict):
        if keyword == "patternProperties" and any(bounded(name, MEMBER_NAME) is None for name in value):
            raise Unusable("has a pattern for names that may not be run")
        return {name: _placed(one) if keyword in _MEMBERS else prepared(one) for name, one in value.items()}
    return value if _fits(keyword, value) else None


def _placed(schema: Any) -> Any:
    """The schema of a member or an element, made ready."""
    return {"not": {}} if schema is False else prepared(schema)


def _fits(keyword: str, value: Any) -> bool:
    """Whether to keep a keyword that holds no schema.

    Raises:
        Unusable: it is known, and its value is of another kind.
    """
    if keyword in _COUNTS:
        fits = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    elif keyword in _NUMBERS:
        fits = isinstance(value, int | float) and not isinstance(value, bool) and (keyword != "multipleOf" or value > 0)
    elif keyword in _TEXTS:
        fits = isinstance(value, str)
    elif keyword == "type":
        kinds = value if isinstance(value, list) and value else [value]
        fits = all(isinstance(one, str) and one in _TYPES for one in kinds)
    elif keyword == "required":
        fits = _names(value)
    elif keyword == "dependentRequired":
        fits = isinstance(value, dict) and all(map(_names, value.values()))
    elif keyword == "enum":
        fits = isinstance(value, list)
    elif keyword == "uniqueItems":
        fits = isinstance(value, bool)
    elif keyword == "const":
        return value is not None  # a const of null is dropped: it then allows too much, never too little
    else:
        fits = keyword not in _SOME and keyword not in _NAMED
        if fits:
            return False
    if not fits:
        raise Unusable("is no valid JSON Schema")
    return True


def _names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)
