"""Writes the examples as files: `fixtures/gate/<row>/fires.*` and `quiet.*` (`python -m tests.gate.make_fixtures`)."""

import json
from pathlib import Path

from tests.gate.examples import EXAMPLES, Items

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "gate"
MOST = 100_000
"""Bytes; larger examples are made by the tests only."""


def files() -> dict[str, bytes]:
    """Path below FOLDER → content."""
    found = {}
    for row, pair in EXAMPLES.items():
        for name, given in zip(("fires", "quiet"), pair, strict=True):
            data = content(given)
            if len(data) <= MOST:
                ending = "json" if data.count(b"\n") < 2 or data.startswith(b"[") else "jsonl"
                found[f"{row.replace('/', '-')}/{name}.{ending}"] = data
    return found


def content(given: Items | bytes) -> bytes:
    return given if isinstance(given, bytes) else json.dumps(given, indent=1, ensure_ascii=False).encode() + b"\n"


if __name__ == "__main__":
    for path, data in files().items():
        (FOLDER / path).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / path).write_bytes(data)
