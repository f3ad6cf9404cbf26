"""Values that fit their schema at a look: nearly all schemas of tools ask for members and their types, and nearly all arguments have them.

Only ever says that a value fits, and only for schemas all of whose keywords are known here; anything else is the library's to decide
(`bounded`), which takes longer to import than a short recording takes to read. A test holds both to the same answer.
"""

from typing import Any

_SAID = frozenset(("title", "description", "default", "examples", "deprecated", "$comment", "strict"))
"""Keywords that ask nothing of a value."""

_DEEPEST = 12


def fits(schema: Any, value: Any, depth: int = _DEEPEST) -> bool:
    """True: the value is valid under the schema (Draft 2020-12), and the schema is sound. False: not known here."""
    if schema.__class__ is not dict or depth == 0:
        return False
    for keyword, asked in schema.items():
        if keyword in _SAID:
            continue
        if keyword == "type":
            if asked.__class__ is not str or not _is(asked, value):
                return False
        elif keyword == "properties":
            if asked.__class__ is not dict or value.__class__ is not dict or not _members(asked, value, depth):
                return False
        elif keyword == "required":
            if asked.__class__ is not list or value.__class__ is not dict:
                return False
            if not all(name.__class__ is str and name in value for name in asked):
                return False
        elif keyword == "additionalProperties":
            if asked is not True and not (asked is False and value.__class__ is dict and _names(schema) >= value.keys()):
                return False
        elif keyword == "enum":
            if value.__class__ is not str or asked.__class__ is not list or value not in asked:
                return False
        elif keyword == "items":
            if value.__class__ is not list or not value or not all(fits(asked, one, depth - 1) for one in value):
                return False
        else:
            return False
    return True


def _members(asked: dict[str, Any], value: dict[str, Any], depth: int) -> bool:
    # A schema that is not looked at must be sound too, or the library would say that it cannot check with it.
    return all(
        fits(schema, value[name], depth - 1) if name in value else _sound(schema, depth - 1) for name, schema in asked.items()
    )


def _sound(schema: Any, depth: int) -> bool:
    """Whether a schema without a value to hold against it is one of those that are known here."""
    if schema.__class__ is not dict or depth == 0:
        return False
    for keyword, asked in schema.items():
        if keyword in _SAID:
            continue
        if keyword == "type":
            if asked.__class__ is not str or asked not in _TYPES:
                return False
        elif keyword == "enum":
            if asked.__class__ is not list or not asked:
                return False
        elif keyword == "items":
            if not _sound(asked, depth - 1):
                return False
        else:
            return False
    return True


def _names(schema: dict[str, Any]) -> Any:
    named = schema.get("properties")
    return named.keys() if named.__class__ is dict else set()


_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "object": (dict,),
    "array": (list,),
    "null": (type(None),),
}


def _is(name: str, value: Any) -> bool:
    return value.__class__ in _TYPES.get(name, ())
