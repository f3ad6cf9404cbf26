"""Progress over all sources, from the progress of one at a time."""

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""(bytes taken, records seen), of all sources together"""


def counted(progress: Progress) -> Callable[[int, int, int], None]:
    """For `Reading`, which tells of one source at a time."""
    current = bytes_before = records_before = taken_last = seen_last = 0

    def tell(index: int, taken: int, seen: int) -> None:
        nonlocal current, bytes_before, records_before, taken_last, seen_last
        if index != current:
            current, bytes_before, records_before = index, bytes_before + taken_last, records_before + seen_last
        taken_last, seen_last = taken, seen
        progress(bytes_before + taken, records_before + seen)

    return tell
