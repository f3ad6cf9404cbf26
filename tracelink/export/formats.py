"""Which format: by its name or by a file's ending."""

from collections.abc import Iterable
from importlib import import_module
from pathlib import PurePath

from tracelink.export.sessions import Sessions

FORMATS = {
    "dot": ("dot", "gv"),
    "mermaid": ("mmd", "mermaid"),
    "graphml": ("graphml",),
    "json": ("json",),
    "svg": ("svg",),
    "links": ("links",),
}
"""Format (and the file of this folder that writes it) → its names and file endings."""

_BY_NAME = {name: format_ for format_, names in FORMATS.items() for name in (format_, *names)}


def format_of(name: str) -> str:
    """The format of a name (`mmd`) or of a path by its ending (`out/graph.mmd`, `chain.links.json`).

    Raises ValueError with the list where there is none.
    """
    lowered = name.lower()
    if lowered in _BY_NAME:
        return _BY_NAME[lowered]
    endings = [ending[1:] for ending in PurePath(lowered).suffixes]
    if endings[-2:] == ["links", "json"]:
        return "links"
    if endings and endings[-1] in _BY_NAME:
        return _BY_NAME[endings[-1]]
    known = ", ".join(sorted({name for names in FORMATS.values() for name in names}))
    raise ValueError(f"{name!r} names no format: it is one of {known}")


def render(name: str, sessions: Sessions) -> str | bytes:
    """The sessions in the format that the name or file ending stands for. Text ends with a line feed.

    Raises ValueError, one sentence, where the format is unknown or cannot hold so much.
    """
    module = import_module(f"tracelink.export.{format_of(name)}")
    result: str | bytes = module.render(sessions)
    return result


def pieces(name: str, sessions: Sessions) -> Iterable[str | bytes]:
    """The same in pieces: many and short where the format has a `pieces` of its own, so that a long text is never held as a whole.

    Raises as `render` does, before the first piece.
    """
    module = import_module(f"tracelink.export.{format_of(name)}")
    given: Iterable[str | bytes] = module.pieces(sessions) if hasattr(module, "pieces") else (module.render(sessions),)
    return given
