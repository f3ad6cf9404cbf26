"""Which of the bugs in `found/` are still open. The world steps around those, so that it shows what is new; a bug that is mended
(`"open": false` in its expectation) is thereby tested again with every seed."""

import json
from functools import cache
from pathlib import Path

FOUND = Path(__file__).parent / "found"


@cache
def is_open(name: str) -> bool:
    return bool(json.loads((FOUND / f"{name}.expect.json").read_text("utf-8"))["open"])
