"""The bounded queue between the program and the server, and the threads that deliver it.

When it is full, new records are dropped: what was accepted stays whole, a run with its start and
its completion. While the server is away, records wait; nothing blocks the program.
"""

from __future__ import annotations

import os
import threading
import time
import weakref
from dataclasses import dataclass
from typing import Any

from .backoff import backoff
from .batch import MOST_BYTES, MOST_ITEMS, Item, item_of
from .lane import NEVER, Lane
from .report import Reporter
from .settings import Settings
from .transport import Again, Answer, Away, Ok, Transport

MOST_QUEUED_BYTES = 64_000_000
# Enough for the server to commit together what arrives together.
THREADS = 4


@dataclass(frozen=True)
class Stats:
    #: Records that wait or are under way, starts and completions of runs among them.
    queued: int
    delivered: int
    #: Records given up: the queue was full, the server refused them, or it stayed away.
    dropped: int


class Outbox:
    def __init__(self, settings: Settings, transport: Transport, report: Reporter) -> None:
        self._settings = settings
        self._transport = transport
        self._report = report
        self._reset()
        # A child process has none of the threads, and the parent delivers what waits.
        reference = weakref.ref(self)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=lambda: _reset_in_child(reference))

    def _reset(self) -> None:
        self._changed = threading.Condition(threading.RLock())
        #: In the order in which they take turns.
        self._lanes: dict[Lane, None] = {}
        self._threads = 0
        self._under_way = 0
        self._failures = 0
        self._away_until = 0.0
        self._queued = self._delivered = self._dropped = 0
        self._bytes = 0
        self._closed = False
        self._reported_full = False
        #: The lane of records that belong to no run.
        self.tenant_lane = Lane()

    def start_run(self, start: dict[str, Any], parent: Lane | None) -> Lane | None:
        """None if there is no room: the whole run then goes unrecorded."""
        item = self._fitting_item(start, ("inputs", "metadata"))
        with self._changed:
            if not self._admit(item):
                return None
            lane = Lane(self._take(item), parent)
            self._offer(lane, 0)
            return lane

    def add(self, lane: Lane, kind: str, value: dict[str, Any]) -> None:
        item = item_of(value)
        with self._changed:
            if lane.state == "refused":
                self._dropped += 1
            elif self._admit(item):
                lane.items[kind].append(self._take(item))
                is_full = len(lane.items[kind]) >= MOST_ITEMS
                self._offer(lane, 0 if is_full else self._settings.flush_interval)

    def complete(self, lane: Lane, completion: dict[str, Any]) -> None:
        item = self._fitting_item(completion, ("result",))
        with self._changed:
            if self._closed or lane.state == "refused":
                return
            lane.completion = self._take(item)
            self._offer(lane, 0)

    def flush(self, timeout: float) -> bool:
        """Sends everything that waits; False if that takes longer than `timeout` seconds."""
        deadline = time.monotonic() + timeout
        with self._changed:
            self._away_until = 0.0
            for lane in self._lanes:
                lane.due_at = 0.0
            self._start_threads()
            self._changed.notify_all()
        while True:
            with self._changed:
                left = deadline - time.monotonic()
                if not self._lanes:
                    return True
                if left <= 0:
                    return False
                if self._threads > 0:
                    self._changed.wait(left)
                    continue
                due = self._pick()
                wait = self._until_next()
            # At the end of a process no thread can be started: the caller delivers.
            if due:
                self._deliver(due)
            else:
                time.sleep(min(max(wait, 0.001), left))

    def close(self) -> None:
        """Accepts nothing more, and gives up what still waits."""
        with self._changed:
            self._closed = True
            for lane in list(self._lanes):
                self._give_up(lane.empty())
                lane.refuse()
            self._lanes.clear()
            self._changed.notify_all()

    def stats(self) -> Stats:
        with self._changed:
            return Stats(self._queued, self._delivered, self._dropped)

    # Accepting

    def _take(self, item: Item) -> Item:
        self._queued += 1
        self._bytes += item.bytes
        return item

    def _release(self, items: list[Item]) -> None:
        self._queued -= len(items)
        self._bytes -= sum(item.bytes for item in items)
        # Reported again only after it was half empty, not for every record that finds it full.
        if self._queued <= self._settings.max_queue / 2:
            self._reported_full = False

    def _give_up(self, items: list[Item]) -> None:
        self._release(items)
        self._dropped += len(items)

    def _admit(self, item: Item) -> bool:
        if self._closed:
            self._dropped += 1
            return False
        if item.bytes > MOST_BYTES:
            why = f"a record of {item.bytes} bytes is too large to be sent"
        elif (
            self._queued < self._settings.max_queue
            and self._bytes + item.bytes <= MOST_QUEUED_BYTES
        ):
            return True
        else:
            why = "" if self._reported_full else f"the queue is full: {self._queued} records wait"
            self._reported_full = True
        self._dropped += 1
        if why:
            self._report.problem("dropped", f"{why}; this and later ones are counted as dropped")
        return False

    def _fitting_item(self, value: dict[str, Any], fields: tuple[str, ...]) -> Item:
        """A run is recorded even if one of its fields is too large to be sent."""
        item = item_of(value)
        for name in fields:
            if item.bytes <= MOST_BYTES:
                return item
            self._report.problem("dropped", f"{name} of {item.bytes} bytes is too large to be sent")
            value = {key: inner for key, inner in value.items() if key != name}
            item = item_of(value)
        return item

    # Delivering

    def _offer(self, lane: Lane, delay: float) -> None:
        lane.due_at = min(lane.due_at, time.monotonic() + delay)
        self._lanes.setdefault(lane)
        self._start_threads()
        self._changed.notify()

    def _start_threads(self) -> None:
        wanted = min(THREADS, len(self._lanes))
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
                lane = self._pick()
                while lane is None:
                    if self._closed:
                        self._threads -= 1
                        self._transport.close()
                        return
                    wait = self._until_next()
                    self._changed.wait(None if wait == NEVER else max(wait, 0.001))
                    lane = self._pick()
            self._deliver(lane)

    def _pick(self) -> Lane | None:
        """The next lane that is due; it belongs to the caller until it is put back."""
        now = time.monotonic()
        # After a failure, one request finds out whether the server is back.
        if now < self._away_until or (self._failures > 0 and self._under_way > 0):
            return None
        for lane in self._lanes:
            is_due = max(lane.due_at, lane.not_before) <= now
            if is_due and not lane.busy and not lane.waits_for_parent():
                lane.busy = True
                self._under_way += 1
                return lane
        return None

    def _until_next(self) -> float:
        if self._failures > 0 and self._under_way > 0:
            return NEVER
        waiting = [
            max(lane.due_at, lane.not_before)
            for lane in self._lanes
            if not lane.busy and not lane.waits_for_parent()
        ]
        if not waiting:
            return NEVER
        return max(min(waiting), self._away_until) - time.monotonic()

    def _deliver(self, lane: Lane) -> None:
        try:
            while self._deliver_next(lane):
                pass
        except Exception as error:  # Nothing here may fail; if it does, the program goes on.
            with self._changed:
                self._give_up(lane.empty())
            self._report.problem("dropped", f"records could not be sent: {error!r}")
        with self._changed:
            lane.busy = False
            self._under_way -= 1
            if lane.is_empty():
                self._lanes.pop(lane, None)
            self._changed.notify_all()

    def _deliver_next(self, lane: Lane) -> bool:
        """True if there is more of it to be sent now."""
        with self._changed:
            batch = lane.next_batch()
        if not batch:
            return False
        answer = self._transport.send("POST", batch.path, batch.body())
        with self._changed:
            if self._closed:
                return False
            delivered, dropped, problem = lane.settle(batch, answer)
            self._release(delivered)
            self._delivered += len(delivered)
            self._give_up(dropped)
            unreachable = self._note_reach(answer)
            if isinstance(answer, (Away, Again)):
                self._put_back(lane, batch.failures, answer)
            more = bool(lane.batches) or lane.due_at <= time.monotonic()
            self._changed.notify_all()
        outcome = "ok" if isinstance(answer, Ok) else answer.message
        self._report.debug(f"{batch.path} ({len(batch.items)}) {outcome}")
        if problem:
            self._report.problem("refused", problem)
        if unreachable:
            self._report.problem("unreachable", unreachable)
        return more and not isinstance(answer, (Away, Again))

    def _put_back(self, lane: Lane, failures: int, answer: Away | Again) -> None:
        lane.due_at = time.monotonic()
        if isinstance(answer, Again):
            wait = backoff(max(failures, 1), self._settings.retry_delay)
            lane.not_before = time.monotonic() + max(wait, answer.retry_after)
        # Others first: this one may be the cause.
        if lane in self._lanes:
            del self._lanes[lane]
            self._lanes[lane] = None

    def _note_reach(self, answer: Answer) -> str | None:
        if not isinstance(answer, Away):
            self._failures = 0
            self._away_until = 0.0
            return None
        # Requests that were under way together fail for the same reason.
        if time.monotonic() < self._away_until:
            return None
        self._failures += 1
        wait = backoff(self._failures, self._settings.retry_delay)
        self._away_until = time.monotonic() + max(wait, answer.retry_after)
        if self._failures > 1:
            return None
        return f"{self._settings.base_url} does not answer: {answer.message}"


def _reset_in_child(reference: weakref.ref[Outbox]) -> None:
    outbox = reference()
    if outbox is not None:
        for lane in outbox._lanes:
            lane.empty()
            if lane.state == "starting":
                lane.refuse()
        outbox._transport.__init__(outbox._settings)  # type: ignore[misc]
        outbox._reset()
