"""TL7xx: what should not be in a recording that is passed on."""
