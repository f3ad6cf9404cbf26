"""TL5xx: what the session waits for."""
