"""A record: one JSON value of the wire, unwrapped, with its ids and its origin."""

from enum import StrEnum
from typing import Any, NamedTuple

from tracelink.model.location import Origin


class Kind(StrEnum):
    """What a record is. The first group is folded into the trace, the rest is counted and named."""

    SESSION_EVENT = "session_event"  # agent.session.{created,in_progress,…} with a whole session inside
    TURN_EVENT = "turn_event"
    ITEM_EVENT = "item_event"  # turn.item.added, turn.item.done
    DELTA = "delta"  # text, reasoning summary, content part, command output: proof of life only
    ENVIRONMENT_EVENT = "environment_event"  # including environment.reset
    SUBAGENT_EVENT = "subagent_event"
    ERROR_EVENT = "error_event"  # the stream's `error`
    INPUT = "input"  # agent.session.input.*: what the app posted
    SESSION = "session"  # a retrieved session object
    TURN = "turn"
    SUBAGENT = "subagent"
    ITEM = "item"  # an item on its own or on a list page
    ENVIRONMENT = "environment"  # a retrieved environment object
    PAGE = "page"  # the envelope of a list page; its members are records of their own
    WEBHOOK = "webhook"
    HTTP_ERROR = "http_error"  # the server's refusal of a request
    OBJECT = "object"  # a documented object that carries nothing for the trace (agent, artifact, OTLP trace, …)
    FOREIGN = "foreign"  # another API's envelope, alpha names, a digest without payload
    UNKNOWN = "unknown"  # JSON, but nothing anybody documents
    UNREADABLE = "unreadable"  # not JSON, torn, too large, too deep

    __hash__ = str.__hash__  # an enumeration's own is written in Python, and a kind is looked up for every record


class Ids(NamedTuple):
    """The ids of a record, as the table of JSONPath expressions found them (`read/fields.py`)."""

    event_id: str | None = None
    session_id: str | None = None
    turn_id: str | None = None
    item_id: str | None = None
    call_id: str | None = None
    request_id: str | None = None
    subagent_id: str | None = None
    environment_id: str | None = None


class Record(NamedTuple):
    """One JSON value, counted exactly once.

    Attributes:
        kind: see `Kind`.
        type: the wire's `type` (or `object`) string, None where there is none.
        value: the unwrapped JSON value; raw bytes' excerpt as str for UNREADABLE.
        ids: extracted ids.
        origin: where it stands.
        detail: UNREADABLE: a one-sentence reason. FOREIGN: which envelope (`chat_completions`, `responses`,
            `anthropic`, `handoff`, `alpha`, `digest`). HTTP_ERROR: nothing. Else None.
        code: UNREADABLE: the finding it becomes (TL001, TL002, TL011). Else None.
        page: number (within the source) of the list page the record was listed on, or None.
        http_status: HTTP status beside an HTTP_ERROR, where the wrapper had it.
        doubts: what had to be bent to read it (NaN, invalid UTF-8, a member twice …), one sentence each.
    """

    kind: Kind
    type: str | None
    value: Any
    ids: Ids
    origin: Origin
    detail: str | None = None
    code: str | None = None
    page: int | None = None
    http_status: int | None = None
    doubts: tuple[str, ...] = ()


class DeltaRun(NamedTuple):
    """Stands for `count` records of the kind DELTA, of one session and turn, one after the other.

    ids: what they have in common. first, last: the origins of the first and the last.
    """

    ids: Ids
    first: Origin
    last: Origin
    count: int  # type: ignore[assignment]  # not tuple.count, which nobody needs here


class Example(NamedTuple):
    """A record with stand-ins for what differs between it and the records that are like it.

    stand_ins: what stands in `record` for each value, in order; the first is the event id. numbers: which values are digits to be read as
    an integer. shared: which are ids that many records name. An example is the same object for all that are like it.
    """

    record: Record
    stand_ins: tuple[Any, ...]
    numbers: frozenset[int] = frozenset()
    shared: frozenset[int] = frozenset()


class Alikes(NamedTuple):
    """Stands for records of one source in lines that follow each other, each like an example but for its origin and its values.

    seq, doc, line: of the first. examples, values, bytes: what each is like, what differs, and where it begins.
    """

    source: str
    index: int  # type: ignore[assignment]  # not tuple.index, which nobody needs here
    seq: int
    doc: int
    line: int
    examples: list[Example]
    values: list[tuple[Any, ...]]
    bytes: list[int]


class SourceInfo(NamedTuple):
    """What was read of one source.

    Attributes:
        name: as given.
        format: `jsonl`, `sse`, `json`, `json-sequence` (several documents), `mixed`, `empty`, `binary`, `text`, `unreadable`.
        bytes: decompressed bytes read.
        records: number of records (equals the sum of `counts`).
        compression: `gzip`, `zstd` or None.
        problem: why nothing of it could be used, one sentence, or None.
    """

    name: str
    format: str
    bytes: int
    records: int
    compression: str | None = None
    problem: str | None = None
