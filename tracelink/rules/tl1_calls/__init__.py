"""TL1xx: calls, results and the pairs of ids that tie them."""
