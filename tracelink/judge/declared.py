"""What the session's agent declares of a function."""

from tracelink.model.facts import SnapshotSeen


def is_async(snapshot: SnapshotSeen, name: str | None) -> bool:
    """Whether the function may be answered while its turn goes on, or after it (fact sheet D.4)."""
    tools = snapshot.body.tools
    return isinstance(tools, list) and any(
        isinstance(tool, dict) and tool.get("name") == name and True in (tool.get("async"), tool.get("async_"))
        for tool in tools
    )
