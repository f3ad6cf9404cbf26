"""The whole job: sources → redacted files, one after the other, with a count of what was kept, replaced and dropped."""

import codecs
import re
from collections.abc import Sequence
from typing import BinaryIO, NamedTuple

from tracelink.model.limits import Limits
from tracelink.read.compression import Blocks
from tracelink.read.fields import FieldTable
from tracelink.read.sniff import decoded, is_binary
from tracelink.read.source import cannot_open
from tracelink.redact.choose import Choice
from tracelink.redact.files import Job, Packed, TargetError, check, plan, writing
from tracelink.redact.redactor import Redactor
from tracelink.redact.sources import Rewriter
from tracelink.rules.tl7_secrets.scanner import scanner

_MARKS = (
    (codecs.BOM_UTF8, None),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_ID_IN_A_NAME = re.compile(r"(?<![A-Za-z0-9])(?:sess|turn|call|item|agent|subagent|env|evt|req|resp)_[A-Za-z0-9]+")


class Done(NamedTuple):
    """A source: its file below the folder (None: not copied), and what was left out or could not be had the same way."""

    source: str
    target: str | None
    problem: str | None = None


class Outcome(NamedTuple):
    """counts: kept, replaced, dropped → of what → how often. scanned: credentials of others than OpenAI were looked for too."""

    files: tuple[Done, ...]
    counts: dict[str, dict[str, int]]
    ids_renamed: bool
    scanned: bool


def redact(
    given: Sequence[str],
    folder: str,
    redactor: Redactor,
    *,
    choice: Choice | None = None,
    fields: FieldTable | None = None,
    limits: Limits | None = None,
    force: bool = False,
) -> Outcome:
    """Writes the redacted files below `folder`. Raises `TargetError`; what was finished before it stays."""
    limits = limits if limits is not None else Limits()
    jobs = plan(given, folder, limits, lambda part: _file_name(redactor, part))
    if given and not jobs:
        raise TargetError(
            f"all that was named lies in {folder}, where the redacted files would go; name another folder with -o"
        )
    check([job for job in jobs if job.source.problem is None], folder, force)
    rewriter = Rewriter(redactor, limits, fields, choice)
    done = tuple(_one(job, folder, rewriter, limits, force) for job in jobs)
    counts: dict[str, dict[str, int]] = {"kept": {}, "replaced": {}, "dropped": {}}
    for (way, what), count in sorted(redactor.counts.items()):
        counts[way][what] = count
    return Outcome(done, counts, redactor.rename, scanner() is not None)


def _file_name(redactor: Redactor, part: str) -> str:
    return _ID_IN_A_NAME.sub(lambda found: redactor.tokens.id(found.group()), part) if redactor.rename else part


def _one(job: Job, folder: str, rewriter: Rewriter, limits: Limits, force: bool) -> Done:
    source = job.source
    if source.problem is not None:
        return Done(source.name, None, source.problem)
    try:
        stream = source.open()
    except OSError as error:
        return Done(source.name, None, cannot_open(source.name, error))
    try:
        return _copy(job, stream, folder, rewriter, limits, force)
    finally:
        if source.path is not None:
            stream.close()


def _copy(job: Job, stream: BinaryIO, folder: str, rewriter: Rewriter, limits: Limits, force: bool) -> Done:
    name = job.source.name
    blocks = Blocks(stream, name, limits)
    whole = iter(blocks)
    head = next(whole, b"")
    while 0 < len(head) < 64 and (more := next(whole, b"")):
        head += more
    if blocks.problem is not None:
        return Done(name, None, blocks.problem)
    if head and is_binary(head):
        return Done(name, None, f"{name} is a binary file, which is not understood, so it was not copied")
    mark, encoding = next(((mark, code) for mark, code in _MARKS if head.startswith(mark)), (b"", None))
    offset, text = decoded(head, whole)
    with writing(folder, job.target, force) as file:
        out = Packed(file, blocks.compression, encoding)
        out.mark(mark)
        rewriter.run(text, out.write, offset)
        trouble = blocks.trouble
        out.end(trouble.code if trouble is not None else None)
    return Done(name, job.target, trouble.message if trouble is not None else None)
