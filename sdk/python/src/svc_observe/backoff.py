"""The delay between attempts."""

from __future__ import annotations

import random

MAX_DELAY = 30.0


def backoff(attempt: int, first: float) -> float:
    """Returns the seconds before the next attempt.

    The delay doubles, with jitter, so that programs that lost the server at the same time do not
    reconnect at the same time.
    """
    doubled: float = min(first * 2 ** min(attempt - 1, 30), MAX_DELAY)
    return doubled * (0.5 + random.random() / 2)
