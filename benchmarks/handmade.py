"""The script that people write today: which function calls have no output? Turns, sessions and required actions it ignores."""

import gzip
import json
import sys


def open_text(name):
    if name.endswith(".gz"):
        return gzip.open(name, "rt", encoding="utf-8")
    return open(name, encoding="utf-8")


calls = {}
outputs = {}
for name in sys.argv[1:]:
    with open_text(name) as lines:
        for line in lines:
            line = line.strip()
            if line.startswith("data:"):
                line = line[5:]
            if not line.startswith("{"):
                continue
            try:
                event = json.loads(line)
            except ValueError:
                continue
            item = event.get("item") or {}
            if item.get("type") == "function_call":
                calls[item["call_id"]] = item
            elif item.get("type") == "function_call_output":
                outputs[item["call_id"]] = item
            elif event.get("type") == "agent.session.input.tool_result":
                outputs[event["call_id"]] = event

for call_id, call in calls.items():
    if call_id not in outputs:
        print(call_id, call["name"], json.dumps(call["arguments"]))
print(f"{len(calls)} calls, {len(outputs)} outputs", file=sys.stderr)
