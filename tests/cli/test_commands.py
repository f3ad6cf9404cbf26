"""What the last line of a report names exists, and every command is known there."""

from tracelink.cli.app import application
from tracelink.export.formats import FORMATS
from tracelink.render.commands import COMMANDS


def test_the_registry_is_the_command_line() -> None:
    assert set(COMMANDS) == {command.name for command in application().registered_commands}


def test_every_form_is_offered() -> None:
    from tracelink.cli import graphs

    assert set(graphs.NAMES) == set(FORMATS)
    assert all(graphs.form_of(f"x.{ending}", None) == name for name, endings in FORMATS.items() for ending in endings)
