"""What failed of a schema, in our words and of bounded length: names of members and keywords, never values."""

from typing import Any, NamedTuple

NAME, PATH = 40, 120


class Failure(NamedTuple):
    """`keyword` is None where the schema `false` failed. `inside` is (the value there, the schema around the keyword)."""

    path: tuple[str | int, ...]
    keyword: str | None
    wanted: Any
    inside: tuple[Any, Any]


_KINDS: dict[type, str] = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", int: "an integer"}


def words(failure: Failure) -> str:
    """One clause: the place, and which keyword it breaks."""
    place, value = _path(failure.path), failure.inside[0]
    match failure.keyword:
        case "required":
            missing = [name for name in failure.wanted if isinstance(value, dict) and name not in value]
            return f"{place} lacks {_names(missing)} (required)"
        case "type":
            wanted = failure.wanted if isinstance(failure.wanted, list) else [failure.wanted]
            return f"{place} is {_kind(value)}, not {' or '.join(str(one)[:NAME] for one in wanted[:4])} (type)"
        case "enum":
            return f"{place} is none of the {len(failure.wanted)} values allowed (enum)"
        case "additionalProperties" | "unevaluatedProperties":
            schema = failure.inside[1] if isinstance(failure.inside[1], dict) else {}
            plain = failure.keyword == "additionalProperties" and "patternProperties" not in schema and isinstance(value, dict)
            extra = [name for name in value if name not in schema.get("properties", {})] if plain else []
            return f"{place} has {_names(extra)}, which is not declared ({failure.keyword})"
        case None:
            return f"{place} is not allowed at all"
        case "not" if failure.wanted == {}:
            return f"{place} is not allowed at all"
        case other:
            return f"{place} does not keep to {other[:NAME]}"


def _kind(value: Any) -> str:
    return "null" if value is None else _KINDS.get(type(value), "a number")


def _names(names: list[str]) -> str:
    shown = ", ".join(name if len(name) <= NAME else name[:NAME] + "…" for name in names[:3])
    return shown + (f" and {len(names) - 3} more" if len(names) > 3 else "") if names else "a member"


def _path(path: tuple[str | int, ...]) -> str:
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step[:NAME]}"
        if len(text) > PATH:
            return text[:PATH].lstrip(".") + "…"
    return text.lstrip(".") or "the top level"
