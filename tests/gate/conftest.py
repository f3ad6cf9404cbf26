"""The real program in a folder of its own."""

from tests.cli.conftest import program

__all__ = ["program"]
