"""What waits to be sent for one run, in the order that the server needs.

That is: its start, its records, its completion. No two requests of a queue are under way at once.
"""

from __future__ import annotations

import math
import threading
from typing import Any

from .batch import KINDS, START_PATH, Batch, Item, fitting, path_of, with_field
from .transport import Answer, Ok, Refused, Retry, Unavailable

NEVER = math.inf
# Times that the server may be there and fail before a batch is given up.
MAX_FAILURES = 10


class RunQueue:
    def __init__(self, start: Item | None = None, parent: RunQueue | None = None) -> None:
        self.start = start
        self.parent = parent
        #: The server's id of the run; empty until its start was acknowledged.
        self.run_id = ""
        self.items: dict[str, list[Item]] = {kind: [] for kind in KINDS}
        self.completion: Item | None = None
        #: Formed and not yet done with; they are sent again as they are, in this order.
        self.batches: list[Batch] = []
        #: starting, open or refused
        self.state = "starting" if start else "open"
        self.busy = False
        self.due_at = NEVER
        #: Not before this, whatever is due: the server asked for it, or failed.
        self.not_before = 0.0
        self.started = threading.Event()
        self.completed = threading.Event()
        #: The server's answer to the completion.
        self.outcome: Any = None

    def is_formed(self) -> bool:
        """Everything that it holds is in batches."""
        return not self.start and not self.completion and not any(self.items.values())

    def is_empty(self) -> bool:
        return self.is_formed() and not self.batches

    def waits_for_parent(self) -> bool:
        """A child's start names its parent, whose id must be known by then."""
        return bool(self.start and self.parent and self.parent.state == "starting")

    def next_batch(self) -> Batch | None:
        """The batch to send now. It stays the first one until it is done with."""
        if self.batches:
            return self.batches[0]
        batch = self._form()
        if batch:
            self.batches.append(batch)
        if self.is_formed():
            # Later records wait for others to travel with.
            self.due_at = NEVER
        return batch

    def _form(self) -> Batch | None:
        if self.start:
            start, parent = self.start, self.parent
            self.start = self.parent = None
            if parent and parent.run_id:
                start = with_field(start, "parent_run_id", parent.run_id)
            return Batch("start", START_PATH, [start])
        for kind in KINDS:
            if self.items[kind]:
                amount = fitting(self.items[kind])
                taken, self.items[kind] = self.items[kind][:amount], self.items[kind][amount:]
                if kind == "events" and self.run_id:
                    # Events go to one place for all runs: each names its own.
                    taken = [with_field(item, "run_id", self.run_id) for item in taken]
                return Batch(kind, path_of(kind, self.run_id), taken)
        if not self.completion:
            return None
        completion, self.completion = self.completion, None
        return Batch("complete", path_of("complete", self.run_id), [completion])

    def apply_result(
        self, batch: Batch, answer: Answer
    ) -> tuple[list[Item], list[Item], str | None]:
        """Takes the answer to the first batch: items delivered, items dropped, and why."""
        if isinstance(answer, Ok):
            return self._accept(batch, answer.body)
        if isinstance(answer, Unavailable):
            return [], [], None
        if isinstance(answer, Retry):
            batch.failures += 1
            if batch.failures < MAX_FAILURES:
                return [], [], None
        return self._refuse(batch, answer)

    def _accept(self, batch: Batch, body: Any) -> tuple[list[Item], list[Item], str | None]:
        if batch.kind == "start":
            run_id = body.get("run_id") if isinstance(body, dict) else None
            if not run_id:
                return self._refuse_run("the answer to a run's start has no run_id")
            self.run_id = str(run_id)
            self.state = "open"
            self.started.set()
        self.batches.pop(0)
        if batch.kind == "complete":
            self._end(body)
        return list(batch.items), [], None

    def _refuse(
        self, batch: Batch, answer: Refused | Retry
    ) -> tuple[list[Item], list[Item], str | None]:
        if batch.kind == "start":
            return self._refuse_run(f"a run was rejected: {answer.message}")
        if answer.status == 404 and self.run_id:
            # The server does not know the run: it refuses everything else of it, too.
            return self._refuse_run(answer.message)
        if answer.status == 409 and batch.kind == "complete":
            # An earlier attempt had arrived, and only its answer was lost.
            self.batches.pop(0)
            self._end(None)
            return list(batch.items), [], None
        if answer.status in (400, 413) and self._halve_first():
            return [], [], None
        self.batches.pop(0)
        if batch.kind == "complete":
            self._end(None)
        return [], list(batch.items), f"{batch.kind} rejected: {answer.message}"

    def _halve_first(self) -> bool:
        """Splits the first batch in two, so that good items do not share the fate of a bad one."""
        batch = self.batches[0]
        if batch.kind == "complete" or batch.budget.refusals <= 0 or len(batch.items) < 2:
            return False
        batch.budget.refusals -= 1
        middle = (len(batch.items) + 1) // 2
        halves = [batch.items[:middle], batch.items[middle:]]
        self.batches[:1] = [Batch(batch.kind, batch.path, half, batch.budget) for half in halves]
        return True

    def _refuse_run(self, problem: str) -> tuple[list[Item], list[Item], str | None]:
        dropped = self.empty()
        self.refuse()
        return [], dropped, problem

    def refuse(self) -> None:
        self.state = "refused"
        self.started.set()
        self._end(None)

    def _end(self, outcome: Any) -> None:
        self.outcome = outcome
        self.completed.set()

    def empty(self) -> list[Item]:
        """Takes out everything that it holds."""
        held = [self.start] if self.start else []
        for batch in self.batches:
            held.extend(batch.items)
        for kind in KINDS:
            held.extend(self.items[kind])
            self.items[kind] = []
        if self.completion:
            held.append(self.completion)
        self.start = self.completion = None
        self.batches = []
        return held
