"""The `openai` package building its event objects, as its stream does it for each event: `json.loads`, then `construct_type`.

Nothing is kept, and no bytes are cut into events by the package (its own cutting would come on top).
"""

import json
import sys
from typing import Any, cast

from openai._models import construct_type
from openai.types.beta.agent_session_event import AgentSessionEvent

kind = cast(Any, AgentSessionEvent)
framing, files = sys.argv[1], sys.argv[2:]
for file in files:
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            if framing != "sse" or line.startswith("data:"):
                construct_type(type_=kind, value=json.loads(line[5:] if framing == "sse" else line))
