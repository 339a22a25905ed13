"""Waits between attempts."""

from __future__ import annotations

import random

LONGEST = 30.0


def backoff(attempt: int, first: float) -> float:
    """Seconds before the next attempt.

    Doubles, with jitter: programs that lost their server together do not come back together.
    """
    doubled: float = min(first * 2 ** min(attempt - 1, 30), LONGEST)
    return doubled * (0.5 + random.random() / 2)
