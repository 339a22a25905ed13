"""The queue of one run, in the order that the server requires: start, records, completion.

At most one request of a queue is in flight.
"""

from __future__ import annotations

import math
import threading
from typing import Any

from .batch import KINDS, START_PATH, Batch, Item, count_within_limits, path_of, with_field
from .transport import Result, Ok, Refused, Retry, Unavailable

NEVER = math.inf
# Number of error responses after which a batch is dropped.
MAX_FAILURES = 10


class RunQueue:
    def __init__(self, start: Item | None = None, parent: RunQueue | None = None) -> None:
        self.start = start
        self.parent = parent
        #: The id of the run on the server; empty until the start is acknowledged.
        self.run_id = ""
        self.items: dict[str, list[Item]] = {kind: [] for kind in KINDS}
        self.completion: Item | None = None
        #: Batches in flight or to be sent, in order. Retries send them unchanged.
        self.batches: list[Batch] = []
        #: starting, open or refused
        self.state = "starting" if start else "open"
        self.busy = False
        self.due_at = NEVER
        #: The monotonic time before which nothing is sent, after an error response.
        self.not_before = 0.0
        self.started = threading.Event()
        self.completed = threading.Event()
        #: The server's response to the completion.
        self.outcome: Any = None

    def is_batched(self) -> bool:
        """Whether everything in the queue is in batches."""
        return not self.start and not self.completion and not any(self.items.values())

    def is_empty(self) -> bool:
        return self.is_batched() and not self.batches

    def waits_for_parent(self) -> bool:
        """Whether the parent run must start first. The start of a child run contains the parent's
        id.
        """
        return bool(self.start and self.parent and self.parent.state == "starting")

    def next_batch(self) -> Batch | None:
        """Returns the batch to send next. It stays first until it is delivered or dropped."""
        if self.batches:
            return self.batches[0]
        batch = self._create_batch()
        if batch:
            self.batches.append(batch)
        if self.is_batched():
            # New records start a new flush interval.
            self.due_at = NEVER
        return batch

    def _create_batch(self) -> Batch | None:
        if self.start:
            start, parent = self.start, self.parent
            self.start = self.parent = None
            if parent and parent.run_id:
                start = with_field(start, "parent_run_id", parent.run_id)
            return Batch("start", START_PATH, [start])
        for kind in KINDS:
            if self.items[kind]:
                amount = count_within_limits(self.items[kind])
                taken, self.items[kind] = self.items[kind][:amount], self.items[kind][amount:]
                if kind == "events" and self.run_id:
                    # Events of all runs have the same endpoint, so each event contains the id of
                    # its run.
                    taken = [with_field(item, "run_id", self.run_id) for item in taken]
                return Batch(kind, path_of(kind, self.run_id), taken)
        if not self.completion:
            return None
        completion, self.completion = self.completion, None
        return Batch("complete", path_of("complete", self.run_id), [completion])

    def apply_result(
        self, batch: Batch, result: Result
    ) -> tuple[list[Item], list[Item], str | None]:
        """Applies the result of the first batch.

        Returns the delivered items, the dropped items, and the reason why they were dropped.
        """
        if isinstance(result, Ok):
            return self._accept(batch, result.body)
        if isinstance(result, Unavailable):
            return [], [], None
        if isinstance(result, Retry):
            batch.failures += 1
            if batch.failures < MAX_FAILURES:
                return [], [], None
        return self._refuse(batch, result)

    def _accept(self, batch: Batch, body: Any) -> tuple[list[Item], list[Item], str | None]:
        if batch.kind == "start":
            run_id = body.get("run_id") if isinstance(body, dict) else None
            if not run_id:
                return self._refuse_run("the response to a run's start has no run_id")
            self.run_id = str(run_id)
            self.state = "open"
            self.started.set()
        self.batches.pop(0)
        if batch.kind == "complete":
            self._end(body)
        return list(batch.items), [], None

    def _refuse(
        self, batch: Batch, result: Refused | Retry
    ) -> tuple[list[Item], list[Item], str | None]:
        if batch.kind == "start":
            return self._refuse_run(f"a run was rejected: {result.message}")
        if result.status == 404 and self.run_id:
            # The server does not know the run and would reject all other batches too.
            return self._refuse_run(result.message)
        if result.status == 409 and batch.kind == "complete":
            # An earlier attempt succeeded, but its response was lost.
            self.batches.pop(0)
            self._end(None)
            return list(batch.items), [], None
        if result.status in (400, 413) and self._halve_first():
            return [], [], None
        self.batches.pop(0)
        if batch.kind == "complete":
            self._end(None)
        return [], list(batch.items), f"{batch.kind} rejected: {result.message}"

    def _halve_first(self) -> bool:
        """Splits the first batch in two to isolate an invalid item. Returns False if that is
        impossible.
        """
        batch = self.batches[0]
        if batch.kind == "complete" or batch.budget.splits <= 0 or len(batch.items) < 2:
            return False
        batch.budget.splits -= 1
        middle = (len(batch.items) + 1) // 2
        halves = [batch.items[:middle], batch.items[middle:]]
        self.batches[:1] = [Batch(batch.kind, batch.path, half, batch.budget) for half in halves]
        return True

    def _refuse_run(self, problem: str) -> tuple[list[Item], list[Item], str | None]:
        dropped = self.drain()
        self.refuse()
        return [], dropped, problem

    def refuse(self) -> None:
        self.state = "refused"
        self.started.set()
        self._end(None)

    def _end(self, outcome: Any) -> None:
        self.outcome = outcome
        self.completed.set()

    def drain(self) -> list[Item]:
        """Removes and returns all items."""
        drained = [self.start] if self.start else []
        for batch in self.batches:
            drained.extend(batch.items)
        for kind in KINDS:
            drained.extend(self.items[kind])
            self.items[kind] = []
        if self.completion:
            drained.append(self.completion)
        self.start = self.completion = None
        self.batches = []
        return drained
