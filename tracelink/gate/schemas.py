"""Where the functions' schemas come from, and the seam to whoever checks a value against one.

The gate holds no validator: the caller brings one (the command line gives the bounded checker of the payload rules), so that there is one of
it in the program. Without one, schemas are left unchecked and that is said.
"""

from typing import Any, Protocol


class Outcome(Protocol):
    """problems: what failed, a clause each. unchecked: why nothing can be said, or None."""

    @property
    def problems(self) -> tuple[str, ...]: ...
    @property
    def unchecked(self) -> str | None: ...


class Checker(Protocol):
    """Holds a decoded value against a JSON Schema of Draft 2020-12; never raises, never runs for long."""

    def check(self, schema: Any, value: Any) -> Outcome: ...


def declared(value: Any) -> dict[str, Any] | None:
    """The functions of a tool list, a request body or response (`tools`), or one schema a name; None if it is none of these.

    Takes Responses tools (`{"type":"function","name","parameters"}`), Chat Completions tools (`{"function":{…}}`), namespaces that
    group functions, and `{"name": schema}`.
    """
    if isinstance(value, dict):
        inner = value.get("tools")
        if isinstance(inner, list):
            return declared(inner)
        if value.get("type") == "function" or isinstance(value.get("function"), dict):
            return declared([value])
        if value and all(isinstance(member, dict | bool) for member in value.values()):
            return {str(name): _schema(member) for name, member in value.items()}
        return None
    if not isinstance(value, list):
        return None
    found: dict[str, Any] = {}
    for tool in value:
        if not isinstance(tool, dict):
            continue
        function = tool.get("function")
        inner = function if isinstance(function, dict) else tool
        name = inner.get("name")
        grouped = tool.get("tools")
        if isinstance(grouped, list):
            found |= declared(grouped) or {}
        elif isinstance(name, str) and tool.get("type", "function") == "function":
            found[name] = inner.get("parameters", inner.get("input_schema"))
    return found


def _schema(member: Any) -> Any:
    """One entry of `{"name": …}`: the schema itself, or a tool with its schema inside."""
    if isinstance(member, dict) and isinstance(member.get("parameters"), dict):
        return member["parameters"]
    return member


def allowed(choice: Any) -> frozenset[str] | None:
    """The functions that a `tool_choice` (or an `allowed_tools` list) admits; None for all."""
    if isinstance(choice, list):
        names = [tool if isinstance(tool, str) else tool.get("name") for tool in choice if isinstance(tool, str | dict)]
        return frozenset(name for name in names if isinstance(name, str))
    if isinstance(choice, dict):
        if isinstance(choice.get("tools"), list):
            return allowed(choice["tools"])
        inner = choice.get("allowed_tools")
        if isinstance(inner, list | dict):
            return allowed(inner)
        if choice.get("type") == "function" and isinstance(choice.get("name"), str):
            return frozenset((choice["name"],))
    return None
