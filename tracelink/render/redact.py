"""What `redact` did: files, counts and what is left to be seen, as text or as JSON (`tracelink.redact/1`, see redact.schema.json)."""

import os
from typing import Any

from tracelink import __version__
from tracelink.redact import Done, Outcome
from tracelink.render.escape import escape
from tracelink.render.json import dump

SCHEMA = "tracelink.redact/1"
WAYS = ("kept", "replaced", "dropped")


def text(outcome: Outcome, folder: str) -> str:
    """A line a file, a line of counts for each way, and one sentence of what is left."""
    lines = [_file(one, folder) for one in outcome.files]
    for way in WAYS:
        counts = outcome.counts[way]
        told = ", ".join(f"{count:,} {what}" for what, count in sorted(counts.items())) or "nothing"
        lines.append(f"{way}: {told}")
    return "\n".join([*lines, left(outcome), *lost(outcome)]) + "\n"


def _file(one: Done, folder: str) -> str:
    source = escape(one.source)
    if one.target is None:
        return f"{source}: not copied"
    return f"{source} → {escape(os.path.join(folder, one.target))}"


def left(outcome: Outcome) -> str:
    """What anybody can still see in the files, in one sentence or two."""
    ids = "ids by other names (by a substitution, which who knows some of them can undo)" if outcome.ids_renamed else "ids"
    sentence = (
        f"Left to be seen: {ids}; names of files, tools, agents and models; types, statuses and error codes; times, counts and usage; the shape"
        " of everything, rounded lengths of long texts, which texts are equal, and booleans."
    )
    if outcome.counts["kept"].get("texts"):
        sentence += " So is what --keep named."
    if not outcome.scanned:
        sentence += (
            " In names and ids only well-known forms of credentials were looked for: tracelink[secrets] is not installed."
        )
    return sentence


def lost(outcome: Outcome) -> list[str]:
    """What commands say of the originals and cannot say of the copies, a sentence each; credentials aside."""
    if not outcome.counts["dropped"].get("schema constraints"):
        return []
    return [
        "Not to be found in the copy: arguments that break nothing of their tool's schema but a pattern, a length, a bound or multipleOf "
        "(TL204), since tokens would break these where the original does not."
    ]


def json(outcome: Outcome, folder: str) -> bytes:
    return dump(as_dict(outcome, folder))


def as_dict(outcome: Outcome, folder: str) -> dict[str, Any]:
    files = [
        {
            "source": one.source,
            "target": os.path.join(folder, one.target) if one.target is not None else None,
            "problem": one.problem,
        }
        for one in outcome.files
    ]
    return {
        "schema": SCHEMA,
        "tracelink": __version__,
        "files": files,
        **{way: outcome.counts[way] for way in WAYS},
        "ids_renamed": outcome.ids_renamed,
        "credentials_scanned": outcome.scanned,
        "left_visible": left(outcome),
        "not_found_in_copy": lost(outcome),
    }
