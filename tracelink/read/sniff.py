"""What the first bytes of a source say: empty, binary, which Unicode encoding.

The idea: a byte-order mark decides the encoding, and only bytes that no text contains make a file binary; whatever
else it may be is found out line by line while it is read.
"""

import codecs
import re
from collections.abc import Iterable, Iterator

_HEAD = 4096
_LINE = re.compile(rb"^\s*(?:\{\s*\"|\[\s*[\[{\"]|data:\s|event:\s)", re.MULTILINE)
_STARTS = (b"{", b"[", b'"', b"data:", b"event:", b"id:", b":", b"retry:")


def decoded(head: bytes, blocks: Iterable[bytes]) -> tuple[int, Iterator[bytes]]:
    """(offset of the first byte, blocks as UTF-8). A UTF-8 mark is skipped but counted; UTF-16 and UTF-32 are transcoded, and
    offsets are then those of the UTF-8 text."""
    if head.startswith(codecs.BOM_UTF8):
        return 3, _chain(head[3:], blocks)
    for mark, name in (
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        if head.startswith(mark):
            return 0, _transcoded(_chain(head[len(mark) :], blocks), name)
    return 0, _chain(head, blocks)


def is_binary(head: bytes) -> bool:
    """True for bytes that are no text: NUL bytes early on, and nothing that starts like JSON or SSE."""
    if head.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)):
        return False
    start = head[:_HEAD]
    if start.lstrip().startswith(_STARTS):
        return False
    if b"\0" in start:
        return _LINE.search(start) is None
    strange = len(start.translate(None, bytes(range(32, 256)) + b"\t\n\r\f\x1b"))
    return strange * 10 > len(start) > 16


def _chain(head: bytes, blocks: Iterable[bytes]) -> Iterator[bytes]:
    if head:
        yield head
    yield from blocks


def _transcoded(blocks: Iterable[bytes], name: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(name)("replace")
    for block in blocks:
        yield decoder.decode(block).encode("utf-8", "replace")
    yield decoder.decode(b"", True).encode("utf-8", "replace")
