"""The plain loop: every line decoded with `orjson.loads`, nothing kept. Over SSE the data lines, over gzip what is inside."""

import gzip
import sys

import orjson

framing, files = sys.argv[1], sys.argv[2:]
opener = gzip.open if framing == "gzip" else open
for file in files:
    with opener(file, "rb") as lines:
        if framing == "sse":
            for line in lines:
                if line.startswith(b"data:"):
                    orjson.loads(line[5:])
        else:
            for line in lines:
                orjson.loads(line)
