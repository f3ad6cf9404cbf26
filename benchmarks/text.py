"""The text that models stream, in pieces: words of several lengths, and now and then what a careless reader trips over."""

import random
from collections.abc import Iterator

RUNNING = """
the of and to in is that for it as with on be at by this from or an are was not have but they which one all were when
there can an your each how will up out many then them these so some her would make like into him has two more very
after words stock aisle route parcel count gate north pallet shelf inventory warehouse shipment carrier manifest
quantity threshold
"""
WORDS = RUNNING.split()

AWKWARD = (
    "“quoted”",
    '"call_id": "none"',
    "C:\\stock\\7",
    "\n\n",
    "größer",
    "在庫",
    "📦",
    "`agent.session.requires_action`",
    "{",
    "]}",
    "\t- ",
)
"""Quotes, escapes, other scripts, and text that looks like the wire around it: about one piece in forty."""

LINES = ("ok", "PASS", "Compiling", "warning: unused", "copied", "fetched", "0 errors")


def pieces(random_: random.Random, count: int) -> Iterator[str]:
    """`count` pieces of running text, each a word with the space before it."""
    for _ in range(count):
        word = random_.choice(AWKWARD) if random_.random() < 0.025 else random_.choice(WORDS)
        yield f" {word}"


def command_lines(random_: random.Random, count: int) -> Iterator[str]:
    """`count` lines of a command's output, with the colours that such output has."""
    for n in range(count):
        yield f"\x1b[32m{random_.choice(LINES)}\x1b[0m module_{random_.randrange(10_000)} ({n + 1}/{count})\n"
