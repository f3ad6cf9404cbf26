"""The program in a folder with recordings."""

from tests.story.conftest import plain_program, program

__all__ = ["plain_program", "program"]
