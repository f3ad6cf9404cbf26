"""TL4xx: subagents, and how agents speak to, wait for and close each other."""
