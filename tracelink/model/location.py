"""Where a record stands, and when and how it came in.

Everything the program says carries one of these, so they are named tuples: frozen, and cheap enough
to make one for every record of a long stream.
"""

from functools import lru_cache
from pathlib import PurePath
from typing import NamedTuple


@lru_cache(1000)
def file_name(source: str) -> str:
    """The file's own name, without its folder, for use inside a sentence."""
    return PurePath(source).name or source


class Location(NamedTuple):
    """A place a person can go to.

    Attributes:
        source: name of the source as the user gave it (`-` is standard input).
        line: line of the record's first character, from 1; 0 where there is no line.
        byte: offset of the record's first byte in the decompressed source, from 0.
        event_id: the event's own id, where the record is an event that has one.
    """

    source: str
    line: int
    byte: int
    event_id: str | None = None

    @property
    def short(self) -> str:
        """`name:line` for use inside a sentence: the file's own name, without its folder."""
        return f"{file_name(self.source)}:{self.line}"


class Origin(NamedTuple):
    """A location, and what is known of the record's place in time.

    Attributes:
        source, line, byte, event_id: as in `Location`.
        index: position of the source in the run, from 0 (two sources may share a name).
        seq: position of the record within its source, from 0; rises with arrival.
        doc: number, within the source, of the JSON value that the record came out of.
        stream: True where order of arrival is order in time (events, posts, errors of a log or stream);
            False for something retrieved (a session object, an item on a list page): its neighbours in
            the same `doc` are in no order with it.
        received: receive time written by whoever recorded it, Unix seconds, or None.
        direction: "in" (from the server), "out" (sent by the app) or None.
    """

    source: str
    line: int
    byte: int
    event_id: str | None = None
    index: int = 0  # type: ignore[assignment]  # not tuple.index, which nobody needs here
    seq: int = 0
    doc: int = 0
    stream: bool = True
    received: float | None = None
    direction: str | None = None

    @property
    def location(self) -> Location:
        return Location(self.source, self.line, self.byte, self.event_id)


def order(a: Origin, b: Origin) -> int | None:
    """-1 if `a` came before `b`, 1 if after, 0 if they are the same record, None if the recording does not tell.

    Rule: DESIGN 5.4. Within a source, arrival; between sources, receive times where both have one.
    Inside one document only events are in order.
    """
    if a.index == b.index:
        if a.seq == b.seq:
            return 0
        if a.doc == b.doc and not (a.stream and b.stream):
            return None
        return -1 if a.seq < b.seq else 1
    if a.received is not None and b.received is not None and a.received != b.received:
        return -1 if a.received < b.received else 1
    return None
