"""TL0xx: what was read, and what could not be."""
