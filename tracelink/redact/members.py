"""What is done with a member: a table of names for each zone of a recording. What no table names becomes a token.

A zone is where one stands: in a recorder's wrapper, in an object of the wire, in something unknown, in payload (arguments, outputs,
metadata), in a JSON Schema, in text that is torn. A member's treatment follows from its zone and name alone, and the zone inside it
from its treatment; a list hands its own on to its members. Names are those of the official types (fact sheets A to F).
"""

import re
from enum import Enum, auto
from functools import lru_cache
from typing import Any

from tracelink.model.record import Ids
from tracelink.redact.words import plain


class How(Enum):
    """The treatment of a member. For a string, unless said otherwise: a token."""

    TEXT = auto()
    WORD = auto()  # a type, status, role: kept if it is made of the words of the wire, else a token for each part that is not
    ID = auto()
    NAME = auto()
    MODEL = auto()
    CODE = auto()
    COUNT = auto()  # numbers are kept
    SIZE = auto()  # numbers are rounded up to a power of two
    TIME = auto()  # numbers are kept, and strings that are times
    MESSAGE = auto()  # an error's words: known phrases and ids stay
    ARGUMENTS = auto()  # JSON, also in a string
    URL = auto()
    MEMBERS = auto()  # a list of member names
    REFERENCE = auto()  # a JSON pointer into a schema
    KEYWORD = auto()  # a number or word of a schema: kept
    # of containers
    WIRE = auto()
    ERROR = auto()
    UNKNOWN = auto()
    WRAPPER = auto()
    PAYLOAD = auto()
    SCHEMA = auto()
    SCHEMAS = auto()  # an object whose members are schemas
    TORN = auto()
    # of what the user names
    KEEP = auto()
    DROP = auto()


ZONES = frozenset((How.WIRE, How.ERROR, How.UNKNOWN, How.WRAPPER, How.PAYLOAD, How.SCHEMA, How.SCHEMAS, How.TORN, How.KEEP))


def _all(how: How, names: str) -> dict[str, How]:
    return dict.fromkeys(names.split(), how)


_WIRE: dict[str, How] = {
    **_all(
        How.WORD,
        "type object status role phase effort service_tier mode access decision detail verbosity review ttl container_size context_size"
        " connection_origin environment_type order of finish_reason stop_reason encoding truncation tool_choice reasoning_effort summary"
        " action schema via",
    ),
    **_all(How.ID, "id from to before after next next_page first_id last_id"),
    **_all(How.NAME, "name server_label allowed_tools version tool_name function_name"),
    "model": How.MODEL,
    **_all(How.CODE, "code param error_code"),
    **_all(
        How.COUNT,
        "count limit created sequence_number exit_code max_concurrent_subagents temperature top_p total reset_count index",
    ),
    "error": How.ERROR,
    "output": How.PAYLOAD,
    "size_bytes": How.SIZE,
    "message": How.WIRE,
    "arguments": How.ARGUMENTS,
    **_all(How.SCHEMA, "parameters input_schema"),
    **_all(
        How.WIRE,
        "session turn item agent environment subagent tools required_actions required_action request response usage reasoning multi_agent"
        " text format transport network packages skills plugins files compaction experimental data content part input instructions"
        " events prompt_cache_options location desktop connect fields options input_tokens_details output_tokens_details links"
        " function functions function_call tool_calls choices delta messages candidates contents parts functionCall functionResponse"
        " function_response span_data annotations queries task block content_block incomplete_details items turns subagents outputs caller",
    ),
}
"""`summary`, `action`, `schema`, `required`, `data` … may be a word here and an object there: a container is looked into as WIRE."""

_ERROR: dict[str, How] = {
    **_all(How.CODE, "type code param"),
    "message": How.MESSAGE,
    "error": How.ERROR,
    "status": How.COUNT,
}
_TOKENS_FOR_STRINGS = frozenset(("field_id", "field_ids"))
_COUNTS = re.compile(r"(?:_at|_ms|_index|_tokens|_count|_seconds|_minutes)\Z|\A(?:max|min|total)_")

_UNKNOWN: dict[str, How] = {
    **_all(How.WORD, "type object status schema role phase"),
    **dict.fromkeys((*Ids._fields, "id"), How.ID),
    **_all(How.UNKNOWN, "session turn item subagent environment"),
}
"""Of a record that nobody documents: its type, who speaks, and the ids that the table of ids looks for."""

_SCHEMA: dict[str, How] = {
    **_all(
        How.SCHEMA,
        "items contains additionalProperties unevaluatedItems unevaluatedProperties not if then else allOf anyOf oneOf prefixItems",
    ),
    **_all(How.SCHEMAS, "properties dependentSchemas $defs definitions"),
    **_all(
        How.KEYWORD, "type minItems maxItems minContains maxContains minProperties maxProperties uniqueItems strict deprecated"
    ),
    **dict.fromkeys(("required", "dependentRequired"), How.MEMBERS),
    **_all(How.PAYLOAD, "enum const default examples"),
    **dict.fromkeys(("$ref", "$dynamicRef"), How.REFERENCE),
    **_all(How.TEXT, "title description $comment $schema $id $anchor $dynamicAnchor format"),
}

LOOSENED = frozenset(
    _all(
        How.TEXT,
        "pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf patternProperties propertyNames",
    )
)
"""Keywords that look at the very texts, numbers and names that are replaced. They are renamed, so that nothing fails that did not."""


def is_keyword(name: str) -> bool:
    """Whether a step of a JSON pointer into a schema is a keyword or an index, and no name of somebody's."""
    return name in _SCHEMA or name.isdigit()


_PARTS = frozenset(
    _all(How.TEXT, "input_text input_image input_file output_text text refusal summary_text encrypted_content reasoning_text")
)


def member(zone: How, key: str, parent: Any) -> How:
    """The treatment of the member `key` of an object in `zone`; `parent` is the object, where it is known."""
    if zone is How.WIRE:
        if isinstance(parent, dict):
            if key == "name" and "role" in parent:
                return How.TEXT  # who takes part in a chat
            if (
                key == "error"
                and isinstance(parent.get(key), str)
                and "required_actions" not in parent
                and "agent" not in parent
            ):
                return How.TEXT  # what a function said; a session's error is the server's
            if key == "output" and parent.get("object") == "response":
                return How.WIRE  # items
        return _wire(key)
    if zone is How.ERROR:
        return _ERROR.get(key, How.PAYLOAD)
    if zone is How.PAYLOAD:
        kind = parent.get("type") if key == "type" and isinstance(parent, dict) else None
        return How.WORD if isinstance(kind, str) and kind in _PARTS else How.PAYLOAD
    if zone is How.WRAPPER:
        return How.ID if key in Ids._fields else How.WRAPPER
    if zone is How.SCHEMA:
        return _SCHEMA.get(key, How.PAYLOAD)
    if zone is How.SCHEMAS:
        return How.SCHEMA
    if zone is How.UNKNOWN:
        if key == "input" and isinstance(parent, dict) and isinstance(parent.get(key), list):
            return How.UNKNOWN  # messages of a request that names no type
        return _UNKNOWN.get(key, How.PAYLOAD)
    if zone is How.TORN:
        return How.WORD if key in ("type", "object") else How.TORN
    return zone


@lru_cache(maxsize=5_000)
def _wire(key: str) -> How:
    found = _WIRE.get(key)
    if found is not None:
        return found
    if key.endswith(("_id", "_ids")):
        return How.TEXT if key in _TOKENS_FOR_STRINGS else How.ID
    return How.TIME if _COUNTS.search(key) else How.PAYLOAD


def inside(how: How, key: str, value: Any, listed: bool) -> How:
    """The zone of an object that is treated so; `value` is the object, where it is known. listed: it stands in a list."""
    if how is How.WORD:
        how = How.SCHEMA if key == "schema" else How.WIRE if key in ("summary", "action") else How.PAYLOAD
    elif how is How.MEMBERS:
        how = How.SCHEMAS
    if how is How.WIRE:
        if key == "input" and not listed:
            return How.PAYLOAD  # the arguments of another API's call
        kind = value.get("type") if isinstance(value, dict) else None
        if isinstance(kind, str) and kind and not plain(kind):
            return How.UNKNOWN
    return how if how in ZONES else How.PAYLOAD
