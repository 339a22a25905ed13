"""Records that wait until they can be queued.

The garbage collector can end a call inside any statement of any thread, also while the thread holds
a lock of this package or of the program. Such a call waits here for the next record, the end of a
run, or a flush.
"""

from __future__ import annotations

from collections import deque
from typing import Callable


class LateRecords:
    def __init__(self) -> None:
        # Its operations are atomic, so there is no lock that the interrupted code could hold.
        self._waiting: deque[Callable[[], None]] = deque()

    def add(self, record: Callable[[], None]) -> None:
        self._waiting.append(record)

    def record(self) -> None:
        """Calls everything that waits. The caller must not hold a lock."""
        taken: list[Callable[[], None]] = []
        try:
            while True:
                taken.append(self._waiting.popleft())
        except IndexError:
            pass
        for record in taken:
            record()
