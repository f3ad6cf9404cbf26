"""Bounds on what is read. Each is reported when it bites (TL011); none is silent."""

from dataclasses import dataclass

MiB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Attributes (bytes, levels, or counts):

    record_bytes: longest line, frame or document; longer ones are skipped and counted.
    depth: deepest nesting of a JSON value.
    total_bytes: most decompressed bytes read from one source.
    ratio: most decompressed bytes per compressed byte, beyond the first 64 MiB (a compression bomb).
    files: most files taken from one directory.
    sessions: most sessions that are linked; records of further ones are counted and not used.
    """

    record_bytes: int = 256 * MiB
    depth: int = 200
    total_bytes: int = 64 * 1024 * MiB
    ratio: int = 2000
    files: int = 100_000
    sessions: int = 100_000
