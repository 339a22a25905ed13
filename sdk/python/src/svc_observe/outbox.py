"""The bounded queue between the program and the server, and the threads that deliver it.

If the queue is full, new records are dropped. Accepted runs stay complete, with their start and
completion. While the server is unavailable, records stay queued. The program never waits.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Any

from .backoff import backoff
from .batch import MAX_BYTES, MAX_ITEMS, Item, item_of
from .late_records import LateRecords
from .process_hooks import on_fork
from .report import Reporter
from .run_queue import NEVER, RunQueue
from .settings import Settings
from .transport import Result, Ok, Retry, Transport, Unavailable

MAX_QUEUED_BYTES = 64_000_000
# The server commits concurrent requests together. With fewer threads, each request would wait for
# its own commit.
THREADS = 4


@dataclass(frozen=True)
class Stats:
    #: Records that are queued or in flight, including the starts and completions of runs.
    queued: int
    delivered: int
    #: Dropped records: the queue was full, the server rejected them, or it stayed unavailable.
    dropped: int


class Outbox:
    def __init__(self, settings: Settings, transport: Transport, report: Reporter) -> None:
        self._settings = settings
        self._transport = transport
        self._report = report
        self._reset()
        on_fork(self, Outbox._reset_in_child)

    def _reset(self) -> None:
        self._changed = threading.Condition(threading.RLock())
        #: Queues that are not empty, in the order in which they are sent.
        self._queues: dict[RunQueue, None] = {}
        self._threads = 0
        self._in_flight = 0
        self._failures = 0
        self._unavailable_until = 0.0
        self._queued = self._delivered = self._dropped = 0
        self._bytes = 0
        self._closed = False
        self._reported_full = False
        #: The queue of records without a run.
        self.tenant_queue = RunQueue()
        self.late = LateRecords()

    def _reset_in_child(self) -> None:
        """Empties the queue: the parent process sends its records."""
        for queue in self._queues:
            queue.drain()
            if queue.state == "starting":
                queue.refuse()
        self._transport.__init__(self._settings)  # type: ignore[misc]
        self._reset()

    def start_run(self, start: dict[str, Any], parent: RunQueue | None) -> RunQueue | None:
        """Queues the start of a run. Returns None if the queue is full, so it is not recorded."""
        item = self._fitting_item(start, ("inputs", "metadata"))
        with self._changed:
            if not self._admit(item):
                return None
            queue = RunQueue(self._count(item), parent)
            self._enqueue(queue, 0)
            return queue

    def add(self, queue: RunQueue, kind: str, value: dict[str, Any]) -> None:
        item = item_of(value)
        with self._changed:
            if queue.state == "refused":
                self._dropped += 1
            elif self._admit(item):
                queue.items[kind].append(self._count(item))
                is_full = len(queue.items[kind]) >= MAX_ITEMS
                self._enqueue(queue, 0 if is_full else self._settings.flush_interval)

    def complete(self, queue: RunQueue, completion: dict[str, Any]) -> None:
        item = self._fitting_item(completion, ("result",))
        with self._changed:
            if self._closed or queue.state == "refused":
                return
            queue.completion = self._count(item)
            self._enqueue(queue, 0)

    def flush(self, timeout: float) -> bool:
        """Sends all queued records. Returns False if that takes longer than `timeout` seconds."""
        deadline = time.monotonic() + timeout
        with self._changed:
            self._unavailable_until = 0.0
            for queue in self._queues:
                queue.due_at = 0.0
            self._start_threads()
            self._changed.notify_all()
        while True:
            with self._changed:
                left = deadline - time.monotonic()
                if not self._queues:
                    return True
                if left <= 0:
                    return False
                if self._threads > 0:
                    self._changed.wait(left)
                    continue
                due = self._pick()
                wait = self._until_next()
            # No thread can be started at the end of a process, so the current thread sends.
            if due:
                self._deliver(due)
            else:
                time.sleep(min(max(wait, 0.001), left))

    def close(self) -> None:
        """Drops all queued records, and all further ones."""
        with self._changed:
            self._closed = True
            for queue in list(self._queues):
                self._drop(queue.drain())
                queue.refuse()
            self._queues.clear()
            self._changed.notify_all()

    def stats(self) -> Stats:
        with self._changed:
            return Stats(self._queued, self._delivered, self._dropped)

    # Accepting

    def _count(self, item: Item) -> Item:
        self._queued += 1
        self._bytes += item.bytes
        return item

    def _release(self, items: list[Item]) -> None:
        self._queued -= len(items)
        self._bytes -= sum(item.bytes for item in items)
        # The full queue is reported again only after it was half empty, not for every dropped
        # record.
        if self._queued <= self._settings.max_queue / 2:
            self._reported_full = False

    def _drop(self, items: list[Item]) -> None:
        self._release(items)
        self._dropped += len(items)

    def _admit(self, item: Item) -> bool:
        if self._closed:
            self._dropped += 1
            return False
        if item.bytes > MAX_BYTES:
            why = f"a record of {item.bytes} bytes exceeds the size limit"
        elif (
            self._queued < self._settings.max_queue
            and self._bytes + item.bytes <= MAX_QUEUED_BYTES
        ):
            return True
        else:
            why = "" if self._reported_full else f"the queue is full: {self._queued} records"
            self._reported_full = True
        self._dropped += 1
        if why:
            self._report.problem("dropped", f"{why}; this and further records are dropped")
        return False

    def _fitting_item(self, value: dict[str, Any], fields: tuple[str, ...]) -> Item:
        """Omits fields that exceed the size limit, so that the run itself is still recorded."""
        item = item_of(value)
        for name in fields:
            if item.bytes <= MAX_BYTES:
                return item
            self._report.problem("dropped", f"{name} of {item.bytes} bytes exceeds the size limit")
            value = {key: inner for key, inner in value.items() if key != name}
            item = item_of(value)
        return item

    # Delivering

    def _enqueue(self, queue: RunQueue, delay: float) -> None:
        queue.due_at = min(queue.due_at, time.monotonic() + delay)
        self._queues.setdefault(queue)
        self._start_threads()
        self._changed.notify()

    def _start_threads(self) -> None:
        wanted = min(THREADS, len(self._queues))
        while self._threads < wanted and not self._closed:
            thread = threading.Thread(target=self._work, name="svc-observe", daemon=True)
            try:
                thread.start()
            except RuntimeError:
                return
            self._threads += 1

    def _work(self) -> None:
        while True:
            with self._changed:
                queue = self._pick()
                while queue is None:
                    if self._closed:
                        self._threads -= 1
                        self._transport.close()
                        return
                    wait = self._until_next()
                    self._changed.wait(None if wait == NEVER else max(wait, 0.001))
                    queue = self._pick()
            self._deliver(queue)

    def _pick(self) -> RunQueue | None:
        """Returns the next queue that is due, and marks it as busy."""
        now = time.monotonic()
        # After a failure, a single request probes whether the server is available again.
        if now < self._unavailable_until or (self._failures > 0 and self._in_flight > 0):
            return None
        for queue in self._queues:
            is_due = max(queue.due_at, queue.not_before) <= now
            if is_due and not queue.busy and not queue.waits_for_parent():
                queue.busy = True
                self._in_flight += 1
                return queue
        return None

    def _until_next(self) -> float:
        if self._failures > 0 and self._in_flight > 0:
            return NEVER
        waiting = [
            max(queue.due_at, queue.not_before)
            for queue in self._queues
            if not queue.busy and not queue.waits_for_parent()
        ]
        if not waiting:
            return NEVER
        return max(min(waiting), self._unavailable_until) - time.monotonic()

    def _deliver(self, queue: RunQueue) -> None:
        try:
            while self._deliver_next(queue):
                pass
        except Exception as error:  # Not expected; it must not affect the program.
            with self._changed:
                self._drop(queue.drain())
            self._report.problem("dropped", f"records could not be sent: {error!r}")
        with self._changed:
            queue.busy = False
            self._in_flight -= 1
            if queue.is_empty():
                self._queues.pop(queue, None)
            self._changed.notify_all()

    def _deliver_next(self, queue: RunQueue) -> bool:
        """Sends the next batch. Returns True if another batch is due."""
        with self._changed:
            batch = queue.next_batch()
        if not batch:
            return False
        result = self._transport.send("POST", batch.path, batch.body())
        with self._changed:
            if self._closed:
                return False
            delivered, dropped, problem = queue.apply_result(batch, result)
            self._release(delivered)
            self._delivered += len(delivered)
            self._drop(dropped)
            unreachable = self._update_availability(result)
            if isinstance(result, (Unavailable, Retry)):
                self._put_back(queue, batch.failures, result)
            more = bool(queue.batches) or queue.due_at <= time.monotonic()
            self._changed.notify_all()
        outcome = "ok" if isinstance(result, Ok) else result.message
        reason = None if isinstance(result, Ok) else result.reason
        self._report.debug(f"{batch.path} ({len(batch.items)}) {outcome}")
        if problem:
            self._report.problem("refused", problem, reason)
        if unreachable:
            self._report.problem("unreachable", unreachable, reason)
        return more and not isinstance(result, (Unavailable, Retry))

    def _put_back(self, queue: RunQueue, failures: int, result: Unavailable | Retry) -> None:
        queue.due_at = time.monotonic()
        if isinstance(result, Retry):
            wait = backoff(max(failures, 1), self._settings.retry_delay)
            queue.not_before = time.monotonic() + max(wait, result.retry_after)
        # Moved behind the others, because this queue may be the cause of the failure.
        if queue in self._queues:
            del self._queues[queue]
            self._queues[queue] = None

    def _update_availability(self, result: Result) -> str | None:
        if not isinstance(result, Unavailable):
            self._failures = 0
            self._unavailable_until = 0.0
            return None
        # Concurrent requests that fail together count as one failure.
        if time.monotonic() < self._unavailable_until:
            return None
        self._failures += 1
        wait = backoff(self._failures, self._settings.retry_delay)
        self._unavailable_until = time.monotonic() + max(wait, result.retry_after)
        if self._failures > 1:
            return None
        return f"{self._settings.base_url} is unreachable: {result.message}"
