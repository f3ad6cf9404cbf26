"""`tracelink gate`: may these items be sent to another provider, and if not, why; and what can be repaired."""

from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tracelink.cli import errors, options, out, save, values

if TYPE_CHECKING:
    from tracelink.gate.item import History
    from tracelink.gate.judge import Judged
    from tracelink.gate.repair import Repaired
    from tracelink.model.record import SourceInfo
    from tracelink.redact import Redactor
    from tracelink.rules import Rule

FORMATS = ("text", "json", "jsonl", "sarif", "github")
PROFILES = (
    "openresponses",
    "openai",
    "azure",
    "bedrock",
    "openrouter",
    "vllm",
    "lmstudio",
    "ollama",
    "hf",
    "adjacent",
    "xai",
    "own",
)
EXITS = (
    "Exit codes: 0 the items (with --repair: the repaired ones) may be sent; 1 they may not, or --against found a difference; 2 usage "
    "error, or an output that cannot be written; 3 an input that cannot be used; 70 a fault of ours."
)
NOT_SENDABLE, UNUSABLE = 1, 3
REDACTED = "--redact: texts of the recording are shown as tokens (x_…); ids, names, types and times stay."

Tools = Annotated[
    str | None,
    typer.Option(
        "--tools",
        metavar="FILE",
        help="The functions' schemas: a tool list, a request body, or one schema a name.",
        show_default=False,
    ),
]


def gate(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE",
            help="Items, request bodies, responses, event streams, Codex rollouts, run states, Agents API recordings; several are one "
            "history, in this order; - standard input.",
            show_default=False,
        ),
    ] = None,
    profile: Annotated[
        str,
        typer.Option(
            "--profile", help=f"Whose rules: {', '.join(PROFILES)}.", **(values.choice(*PROFILES) | {"metavar": "NAME"})
        ),
    ] = PROFILES[0],
    tools: Tools = None,
    session: Annotated[
        str | None,
        typer.Option(
            "--session",
            metavar="ID",
            help="Of a recording of several Agents API sessions, this one's items.",
            show_default=False,
        ),
    ] = None,
    form: Annotated[str, typer.Option("--format", help="How it is printed.", **values.choice(*FORMATS))] = "text",
    repair: Annotated[
        str | None,
        typer.Option(
            "--repair",
            metavar="FILE",
            help="Write what can be repaired safely as a new history; what is left lists blocks only.",
            show_default=False,
        ),
    ] = None,
    synthesize: Annotated[
        bool, typer.Option("--synthesize", help="With --repair: close open calls with an output that says none was recorded.")
    ] = False,
    drop_bound: Annotated[
        bool,
        typer.Option(
            "--drop-bound",
            help="With --repair: leave out what is bound to its provider, each with its partner and its reasoning.",
        ),
    ] = False,
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="FILE", help="Compare with this history instead of judging.", show_default=False),
    ] = None,
    profiles: Annotated[
        bool, typer.Option("--profiles", help="Print the rules of every profile, and which are unknown.")
    ] = False,
    redact: options.Redact = False,
    max_record: options.MaxRecord = None,
    color: options.Color = "auto",
    full: options.Full = False,
) -> None:
    """Say whether recorded items may be sent to another provider, and what would be refused."""
    from tracelink.render import gate_text

    page = _page(color, full)
    if profiles:
        out.write(gate_text.profiles(page))
        raise typer.Exit(0)
    if not files:
        raise typer.BadParameter("name at least one FILE.", param_hint="'FILE'")
    for name, given in (("--synthesize", synthesize), ("--drop-bound", drop_bound)):
        if given and repair is None:
            raise typer.BadParameter("it goes with --repair FILE.", param_hint=f"'{name}'")
    if against is not None:
        from tracelink.cli.diff_items import compare

        if repair is not None:
            raise typer.BadParameter("it only compares, so nothing is repaired.", param_hint="'--against'")
        compare(files, [against], form if form in ("text", "json") else _refuse(form), max_record, color, redact=redact)
        return
    if redact and repair is not None:
        raise typer.BadParameter(
            "a history of tokens is good for no provider, so it does not go with --repair.", param_hint="'--redact'"
        )
    if repair is not None:
        save.guard(repair, [*files, *([tools] if tools else [])])

    from tracelink.gate.judge import judge
    from tracelink.rules.tl2_payloads.bounded import Checker

    history, sources = read(files, max_record, tools, session, redactor() if redact else None)
    if repair is not None:
        save.guard(repair, (source.name for source in sources))
    checker = Checker(len(history.items))
    judged = judge(history, profile, checker)
    repaired = _repaired(judged, checker, repair, synthesize, drop_bound) if repair is not None else None
    if repair != save.STDOUT:
        out.write(_render(judged, sources, repaired, repair, form, page))
    passed = judged.sendable if repaired is None else repaired.judged.sendable
    bad = any(source.problem and source.name in files for source in sources)
    raise typer.Exit(UNUSABLE if bad else 0 if passed else NOT_SENDABLE)


def reasons(which: str, error: ValueError) -> "list[Rule]":
    """The gate's reasons as rules, by a code, the beginning of one (TL6), or a name. Raises `error` as one of use where there is none."""
    from tracelink.render import gate_rules

    every = gate_rules.reasons()
    wanted = which.strip().lower().replace("-", "_")
    prefix = wanted.rstrip("x").upper()
    family = wanted.startswith("tl6") and len(wanted) <= len("tl600")
    found = [one for one in every if one.name == wanted or (family and one.code.startswith(prefix))]
    if not found:
        near = (
            errors.did_you_mean(wanted, [one.name for one in every]) if "_" in which or "Did you mean" not in str(error) else ""
        )
        told, _, suggested = str(error).partition(" Did you mean")
        raise typer.BadParameter(
            told + (near or (suggested and f" Did you mean{suggested}")), param_hint="'[CODE|NAME]'"
        ) from None
    return found


def _refuse(form: str) -> str:
    raise typer.BadParameter(f"a comparison is printed as text or json, not {form}.", param_hint="'--format'")


def _page(color: str, full: bool) -> Any:
    from tracelink.render.page import Page

    return Page(max(out.width(), 40), out.colors(color), full, out.is_terminal())


def read(
    files: list[str],
    max_record: str | None,
    tools: str | None = None,
    session: str | None = None,
    hidden: "Redactor | None" = None,
) -> "tuple[History, list[SourceInfo]]":
    """The history in these files, with tokens for texts where `hidden` makes them.

    Names what cannot be used and exits with 3 where that is all; an error of use for bad --tools.
    """
    from dataclasses import replace

    from tracelink.gate.history import read_history
    from tracelink.model.limits import Limits
    from tracelink.read import Values
    from tracelink.render.gate_text import nothing

    size = values.size(max_record)
    limits = Limits() if size is None else Limits(record_bytes=size)
    if hidden is None:
        reading = Values(files, limits=limits)
    else:
        from tracelink.redact import RedactedValues

        reading = RedactedValues(files, hidden, limits=limits)
    history = read_history(reading, session)
    if session is not None and not all(source.problem for source in reading.sources):
        values.pick("--session", session, history.sessions)
    problems = [source for source in reading.sources if source.problem]
    for source in problems:
        errors.say(f"{source.name}: {(source.problem or '').removeprefix(f'{source.name} ')}", UNUSABLE)
    shapes = set(history.shapes) - {"unrecognised"}
    judgeable = history.items or shapes - {"error"}
    if not judgeable:
        if not problems:
            torn = sum(one.reason == "torn_line" and one.detail is None for one in history.remarks)
            errors.say(f"{', '.join(files)}: {nothing(history.shapes, history.errors, torn)}", UNUSABLE)
        raise typer.Exit(UNUSABLE)
    if tools is not None:
        history = replace(history, tools=_tools(tools, hidden))
    return history, reading.sources


def _tools(name: str, hidden: "Redactor | None") -> dict[str, Any]:
    """The schemas in a file. Raises a usage error where there are none."""
    from tracelink.gate.schemas import declared
    from tracelink.read import Values

    reading = Values([name])
    found = next((value.value for value in reading if value.fault is None and value.whole), None)
    why = next((source.problem for source in reading.sources if source.problem), None)
    schemas = declared(found)
    if schemas is None:
        raise typer.BadParameter(why or f"{name} holds no tool list, request body or schema a name.", param_hint="'--tools'")
    if hidden is not None:
        from tracelink.redact import schemas as shown

        return shown(hidden, schemas)
    return schemas


def redactor() -> "Redactor":
    """What hides the recorded texts of this run, with a word about it on standard error."""
    from tracelink.redact import Redactor

    errors.say(REDACTED, 0)
    return Redactor()


def _repaired(judged: "Judged", checker: Any, target: str, synthesize: bool, drop_bound: bool) -> "Repaired":
    from tracelink.gate.repair import repair
    from tracelink.gate.written import as_text, written
    from tracelink.render.escape import shielded

    result = repair(judged, checker, synthesize=synthesize, drop_bound=drop_bound)
    save.save(target, shielded(as_text(written(result.judged))))
    return result


def _render(
    judged: "Judged", sources: "list[SourceInfo]", repaired: "Repaired | None", target: str | None, form: str, page: Any
) -> str | bytes:
    from tracelink.cli import policies

    here = PurePath(policies.here())
    match form:
        case "json":
            from tracelink.render import gate_json

            return gate_json.render(judged, sources, repaired, target)
        case "jsonl":
            from tracelink.render import gate_json

            return gate_json.lines(judged)
        case "sarif":
            from tracelink.render import gate_sarif

            return gate_sarif.render(judged, list(dict.fromkeys(source.name for source in sources)), here)
        case "github":
            from tracelink.render import gate_sarif

            return gate_sarif.github(judged, here)
    from tracelink.render import gate_text

    return gate_text.render(judged, page, repaired, target)
