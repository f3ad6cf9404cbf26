"""`tracelink diff A B`: two recordings side by side; `tracelink diff --call ID FILE…`: a call beside what was posted for it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tracelink.cli import errors, options, out, values
from tracelink.model.run import Run, SessionReport
from tracelink.model.trace import Trace

if TYPE_CHECKING:
    from tracelink.cli.reading import Choice
    from tracelink.compare.sessions import PairedUp
    from tracelink.redact.tokens import Tokens
    from tracelink.render.diff_json import Outcome

EXITS = (
    "Exit codes: 0 no difference; 1 they differ (--call: an id differs); 2 usage or configuration error, or the id is unknown or the "
    "beginning of several; 3 an input that cannot be used; 70 a fault of ours."
)

Recordings = Annotated[
    list[str],
    typer.Argument(
        metavar="A B",
        help="Two recordings: each a file, a folder (its files make one run), or - for standard input. With --call any number.",
        show_default=False,
    ),
]
Sessions = Annotated[
    list[str],
    typer.Option(
        "--session",
        metavar="ID",
        help="The session to compare, where a recording has several; given twice: A's, then B's. The beginning of its id will do.",
        show_default=False,
    ),
]


def diff(
    files: Recordings,
    call: Annotated[
        str | None,
        typer.Option(
            "--call",
            metavar="ID",
            help="Instead: this call (or approval) beside what was posted and recorded for it, id by id. The beginning of its id will do.",
            show_default=False,
        ),
    ] = None,
    only: Annotated[
        str | None,
        typer.Option("--only", help="Tell only of these.", show_default=False, **values.choice("calls", "results", "ids")),
    ] = None,
    session: Sessions = [],  # noqa: B006 - typer reads the default and never changes it
    form: Annotated[str, typer.Option("--format", help="How it is told.", **values.choice("text", "json"))] = "text",
    as_of: options.AsOf = None,
    field: options.Field = [],  # noqa: B006
    max_record: options.MaxRecord = None,
    limit: options.Limit = [],  # noqa: B006
    jobs: options.Jobs = None,
    redact: options.Redact = False,
    silence: options.Silence = None,
    config: options.Config = None,
    isolated: options.Isolated = False,
    color: options.Color = "auto",
    full: options.Full = False,
) -> None:
    """Compare two recordings: two sessions, or one at two times; where they part first, then what differs."""
    from tracelink.cli import reading
    from tracelink.cli.config import settings
    from tracelink.render.page import Page

    given = {"fields": field, "max-record": max_record, "limits": limit, "jobs": jobs, "silence": silence}
    chosen = settings(given, config, isolated)
    page = Page(max(out.width(), 40), out.colors(color), full, out.is_terminal())
    choice = reading.Choice(files, chosen, None, as_of, redact=redact, tokens=_tokens() if redact else None)
    if call is not None:
        if only is not None:
            raise typer.BadParameter("it tells of two recordings; --call tells of the ids of one call.", param_hint="'--only'")
        raise typer.Exit(_call(choice, call, session, form, page))
    if len(files) != 2:
        raise typer.BadParameter(
            f"two recordings are compared, A and B; {_given(len(files))} (--call takes any number).", param_hint="'A B'"
        )
    if files == ["-", "-"]:
        raise typer.BadParameter("standard input is one recording, so only one side can be '-'.", param_hint="'A B'")
    raise typer.Exit(_compare(choice, session, only, form, page))


def _given(count: int) -> str:
    return f"{count} {'was' if count == 1 else 'were'} given"


def _tokens() -> "Tokens":
    """One key for both sides: what is the same text in both is the same token."""
    from tracelink.redact.tokens import Tokens

    errors.say("--redact: texts of the recordings are shown as tokens (x_…), which are the same for the same text in both.", 0)
    return Tokens()


def _read(choice: "Choice") -> tuple[Run, int]:
    from tracelink.cli import reading

    run = reading.read(choice)
    return run, reading.complain(run)


def _compare(choice: "Choice", session: Sequence[str], only: str | None, form: str, page: Any) -> int:
    from tracelink.compare import diff as compared
    from tracelink.render import diff_json

    files, silence = choice.files, choice.settings["silence"]
    (a, bad_a), (b, bad_b) = (_read(replace(choice, files=[name])) for name in files)
    if bad_a or bad_b:
        return max(bad_a, bad_b)
    for name, run in zip(files, (a, b), strict=True):
        if not run.traces:
            return errors.say(f"{name}: there is no session in it, so there is nothing to compare.", 3)
    left, right = _chosen(a.traces, b.traces, session)
    pairs = _paired(left, right)
    reports_a, reports_b = ([_judged(run, one, silence) for one in side] for run, side in ((a, left), (b, right)))
    outcome = diff_json.Outcome(
        a,
        b,
        only,
        tuple(compared(reports_a[one], reports_b[other], only) for one, other in pairs.pairs),
        tuple(reports_a[one] for one in pairs.only_a),
        tuple(reports_b[one] for one in pairs.only_b),
    )
    _print(outcome, form, page)
    return 0 if outcome.same else 1


def _print(outcome: "Outcome", form: str, page: Any) -> None:
    if form == "json":
        from tracelink.render import diff_json

        out.write(diff_json.render(outcome))
    else:
        from tracelink.render import diff_text

        out.write(diff_text.render(outcome, page))


def _judged(run: Run, trace: Trace, silence: float) -> SessionReport:
    """Verdict and stall; findings are not compared."""
    from tracelink.judge import stall, verdict

    answer = verdict(trace, run.as_of)
    return SessionReport(trace, answer, stall(trace, answer, run.until(trace), silence))


def _chosen(a: Sequence[Trace], b: Sequence[Trace], session: Sequence[str]) -> tuple[list[Trace], list[Trace]]:
    """The sessions to compare on each side."""
    if not session:
        return list(a), list(b)
    if len(session) > 2:
        raise typer.BadParameter("at most two can be given: A's session, then B's.", param_hint="'--session'")
    if len(session) == 2:
        return _picked(a, session[0]), _picked(b, session[1])
    wanted = session[0]
    here = [any((one.session_id or "").startswith(wanted) for one in side) for side in (a, b)]
    if not any(here):
        _picked([*a, *b], wanted)  # says what there is
    # A recording of one session leaves no choice, whatever its id.
    return tuple(  # type: ignore[return-value]
        list(side) if len(side) == 1 and not known else _picked(side, wanted) for side, known in zip((a, b), here, strict=True)
    )


def _picked(side: Sequence[Trace], wanted: str) -> list[Trace]:
    name = values.pick("--session", wanted, [one.session_id for one in side if one.session_id is not None])
    return [one for one in side if one.session_id == name]


def _paired(left: Sequence[Trace], right: Sequence[Trace]) -> "PairedUp":
    from tracelink.compare import pair_up

    pairs = pair_up(left, right)
    if not pairs.pairs:
        named = "; ".join(
            f"{side} has {', '.join(str(one.session_id) if one.session_id else '(one without an id)' for one in each[: values.LISTED])}"
            + (f" and {len(each) - values.LISTED:,} more" if len(each) > values.LISTED else "")
            for side, each in (("A", left), ("B", right))
        )
        raise typer.BadParameter(
            f"no session is in both, so choose: --session ID of A, then --session ID of B ({named}).", param_hint="'--session'"
        )
    return pairs


def _call(choice: "Choice", wanted: str, session: Sequence[str], form: str, page: Any) -> int:
    from tracelink.cli.why import several, unknown
    from tracelink.compare import beside
    from tracelink.compare.beside import candidates
    from tracelink.story import find

    run, bad = _read(choice)
    if bad:
        return bad
    if len(session) > 1:
        raise typer.BadParameter("with --call one is enough.", param_hint="'--session'")
    home = _picked(run.traces, session[0])[0] if session else None
    found = [one for one in find(run.traces, wanted) if home is None or run.traces[one.session] is home]
    if not found:
        return unknown(run.traces, wanted)
    targets = candidates(run.traces, [(one.session, one.kind, one.key) for one in found])
    if not targets:
        first = found[0]
        calls = [
            one.call_id for one in run.traces[first.session].calls.values() if first.kind == "turn" and one.turn_id == first.id
        ]
        some = ", ".join(calls[: values.LISTED]) + (
            f" and {len(calls) - values.LISTED:,} more" if len(calls) > values.LISTED else ""
        )
        told_of = f" Its calls: {some}." if calls else ""
        return errors.say(
            f"{first.id!r} is a {first.kind} here, and --call takes a call, its result or an approval.{told_of}", 2
        )
    if len(targets) > 1:
        return several(run.traces, wanted, [found[at] for at in targets.values()])
    ((at, key),) = targets
    told = beside(run.traces, at, key)
    if form == "json":
        from tracelink.render import diff_call_json

        out.write(diff_call_json.render(run, told))
    else:
        from tracelink.render import diff_call_text

        out.write(diff_call_text.render(run, told, page))
    return 0 if told.same else 1
