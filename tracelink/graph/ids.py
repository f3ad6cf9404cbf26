"""Node ids: readable for every ordinary id, unambiguous for every other.

The idea: percent-encoding, as in a URL. An id of the wire may hold anything, so what separates the parts of a node id
(`/`, `#`), what encodes (`%`), and what no format should have to quote (quotes, `<`, `>`, `&`, `\\`, whatever cannot be
printed) is written `%XX`. Different ids stay different. A missing id is `?`; a real `?` is encoded.
"""

from collections.abc import Set

_ENCODED: Set[str] = frozenset("%/#?&<>\"'`\\|")


def quote(value: str | None) -> str:
    """The id as a part of a node id. UTF-8 bytes, lone surrogates included (`surrogatepass`)."""
    if value is None:
        return "?"
    # What Python would take for a name is of letters, digits, marks and `_` alone, and nearly every id is that.
    if value.isidentifier() or (value.isprintable() and _ENCODED.isdisjoint(value)):
        return value
    return "".join(_quote(char) if char in _ENCODED or not char.isprintable() else char for char in value)


def _quote(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "surrogatepass"))


def agent(agent_id: str, *, root: bool) -> str:
    return f"{'agent' if root else 'subagent'}:{quote(agent_id)}"


def turn(turn_id: str | None) -> str:
    return f"turn:{quote(turn_id)}"


def call(turn_id: str | None, call_id: str | None) -> str:
    return f"function_call:{quote(turn_id)}/{quote(call_id)}"


def result(turn_id: str | None, call_id: str | None) -> str:
    """The first result under the pair; `numbered` makes those after it different."""
    return f"tool_result:{quote(turn_id)}/{quote(call_id)}"


def action(type_: str, turn_id: str | None, call_id: str | None, other_id: str | None) -> str:
    """`other_id` is the request's or the environment's, for an action that has no call."""
    if type_ == "function_call" or call_id is not None:
        return f"action:{quote(type_)}/{quote(turn_id)}/{quote(call_id)}"
    return f"action:{quote(type_)}/{quote(other_id)}"


def item(item_id: str) -> str:
    return f"item:{quote(item_id)}"


def numbered(node: str, position: int) -> str:
    """The same id for the first, `#2` … for those after it. `position` counts from 1."""
    return node if position == 1 else f"{node}#{position}"
