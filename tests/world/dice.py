"""The one place where chance comes from: a seed, so that everything can be had again."""

import random


def dice(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 - not for secrets
