"""What reading noticed."""

from tracelink.gate.reasons.declaration import Declaration

DECLARED = (
    Declaration(
        "TL680",
        "stream_unfinished",
        "A stream ends without its end, or an item was announced and never done.",
        "That the recording lacks it.",
        "That the server never sent it.",
        "Streams with a terminal event.",
        "response.output_item.added, deltas, and no done",
        "Get the response again; a call from such an item may not be executed.",
    ),
    Declaration(
        "TL681",
        "torn_line",
        "A record could not be read, only in part, or a page says that there is more.",
        "That something is not in the history.",
        "What it held: it may be the other half of any pair, so half pairs are told as not provable, at the severity that they have anyway, and --repair leaves them. "
        "sendable is about what was read; unclear is true beside it, for whether the whole may be sent cannot be told.",
        "Files that are read whole.",
        '{"type":"function_call_outp',
        "Get the line, or the next page, from where the recording came from.",
    ),
    Declaration(
        "TL682",
        "set_aside",
        "Items were recorded that do not belong to this history.",
        "That a later request, a compaction, a subagent or another session has a history of its own.",
        "Anything about those items: they were not judged.",
        "One history a recording.",
        "a log with two requests",
        "Give a file that holds only that history to have it judged, or name the session with --session.",
    ),
)
