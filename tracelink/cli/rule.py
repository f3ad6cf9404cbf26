"""`tracelink rule`: what the codes mean."""

from typing import Annotated

import typer

from tracelink.cli import options, out, values


def rule(
    which: Annotated[
        str | None,
        typer.Argument(
            metavar="[CODE|NAME]",
            help="A code or a name: its page. The beginning of codes (TL1): those rules. Nothing: the list of all.",
            show_default=False,
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="The pages of all rules.")] = False,
    form: Annotated[
        str, typer.Option("--format", help="How they are printed.", **values.choice("text", "json", "markdown"))
    ] = "text",
    color: options.Color = "auto",
) -> None:
    """Say what a finding proves, what it cannot prove, what keeps it quiet, and what to do."""
    from tracelink.policy.select import codes_of
    from tracelink.render import rule_page
    from tracelink.render.gate_rules import every as all_rules
    from tracelink.render.page import Page

    if which is not None and every:
        raise typer.BadParameter("it names all rules, so none beside it.", param_hint="'--all'")
    listed = all_rules()
    if which is not None:
        try:
            codes, _ = codes_of(which)
        except ValueError as error:
            from tracelink.cli.gate import reasons

            listed = reasons(which, error)
        else:
            listed = [one for one in listed if one.code in codes]
    page = Page(max(out.width(), 40), out.colors(color), cut=out.is_terminal())
    as_pages = every or len(listed) == 1
    if form == "json":
        out.write(rule_page.as_json(listed))
    elif form == "markdown":
        out.write(rule_page.markdown_pages(listed) if as_pages else rule_page.table_markdown(listed))
    else:
        out.write(rule_page.pages(listed, page) if as_pages else rule_page.catalogue(listed, page))
