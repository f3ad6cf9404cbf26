"""A finding's fingerprint: the same for the same thing, in whatever recording of the session it is seen.

It is made of the rule's code, the session's id and the ids that the finding speaks of. Lines, offsets, the names of files
and the wording of messages do not enter it: a longer recording, a moved file or a new release changes none. Findings
without ids of their own (a line that is no JSON) therefore share one, and are counted.
"""

import hashlib
import json

from tracelink.model.finding import Finding

VERSION = "tracelink/v1"
"""The name of this recipe; another recipe gets another name."""
LENGTH = 32


def fingerprint(finding: Finding) -> str:
    """32 hexadecimal digits."""
    parts = [VERSION, finding.code, finding.session_id, sorted(finding.ids.items())]
    text = json.dumps(parts, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:LENGTH]
