"""TL3xx: turns, the session, its items, its environment, and what the server refused."""
