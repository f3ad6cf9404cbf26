"""The command line: `program` is what the `tracelink` script calls.

Every way out is here. 0 read; 2 a usage or configuration error, or an output that cannot be written; 3 an input that
cannot be used; 70 a fault of ours; 130 interrupted. A reader that closes the pipe ends us quietly with 0.
"""

import contextlib
import gc
import os
import sys
from typing import NoReturn

DEBUG = "TRACELINK_DEBUG"
VERSION = "tracelink {} (Agents API facts of {})"


def program() -> NoReturn:
    """What the `tracelink` script calls: `main`, and then out at once. Freeing millions of values one by one takes its time, and what is
    written is flushed by then."""
    code = main()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)


def main() -> int:
    """Runs the command line of this process and returns its exit code. Never raises."""
    gc.set_threshold(100_000, 20, 100)  # nearly nothing made here is a cycle
    try:
        if sys.argv[1:] == ["--version"]:  # a script may ask often: no need to import what parses options
            from tracelink import API_FACTS, __version__

            print(VERSION.format(__version__, API_FACTS))
            code = 0
        else:
            code = _run()
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except BrokenPipeError:
        _drop_stdout()
        return 0
    except SystemExit as error:  # typer's own answer to a closed pipe
        if not isinstance(error.__context__, BrokenPipeError):
            raise
        _drop_stdout()
        return 0
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # the last resort: one sentence instead of a traceback
        return _internal(error)


def _run() -> int:
    from tracelink.cli import errors
    from tracelink.cli.app import COMMANDS, application
    from tracelink.cli.out import OutputError

    called = sys.argv[1] if len(sys.argv) > 1 else ""
    try:
        code = application((called,) if called in COMMANDS else COMMANDS)(prog_name="tracelink", standalone_mode=False)
    except errors.USAGE as error:
        return errors.show(error)
    except OutputError as error:
        return errors.say(str(error), 2)
    return code if isinstance(code, int) else 0


def _drop_stdout() -> None:
    """Points standard output at nothing, or the interpreter would complain of the pipe once more when it flushes at its end."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)


def _internal(error: Exception) -> int:
    if os.environ.get(DEBUG):
        import traceback

        traceback.print_exception(error)
    told = ascii(" ".join(str(error).split())[:200])[1:-1]
    message = f"tracelink: internal error ({type(error).__name__}: {told}); please report it, with the output of {DEBUG}=1.\n"
    with contextlib.suppress(OSError, AttributeError):  # standard error may be closed too: nobody to tell
        sys.stderr.write(message)
    return 70
