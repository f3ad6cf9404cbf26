"""TL2xx: what calls and results carry: arguments, outputs, and the tools that the session declares."""
