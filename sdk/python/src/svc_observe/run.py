"""A run of an agent, and the current run."""

from __future__ import annotations

import contextvars
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from .open_span import OpenSpan, current_span
from .outbox import Outbox
from .recorder import Recorder, mask_content
from .report import Reporter
from .run_queue import RunQueue
from .settings import Settings
from .trace_context import new_span_id, traceparent_of
from .wire import iso, wire_end

#: The run of the current context. It applies across `await`, and in threads with `in_context`.
current_run: contextvars.ContextVar[Run | None] = contextvars.ContextVar(
    "svc_observe_run", default=None
)


@dataclass(frozen=True)
class Outcome:
    """The server's response to the completion of a run."""

    governance_action: str
    should_retry: bool
    retry_feedback: str | None
    max_retries: int


class Run(Recorder):
    """A run. Without a queue, the run is not recorded, but its interface stays the same.

    As a context manager it becomes the current run, completes at the end of the block, and fails if
    the block raises.
    """

    def __init__(
        self,
        queue: RunQueue | None,
        agent_name: str,
        trace_id: str,
        outbox: Outbox,
        settings: Settings,
        report: Reporter,
    ) -> None:
        self._queue = queue
        self._agent_name = agent_name
        self._outbox = outbox
        self._settings = settings
        self._report = report
        self._capture_content = settings.capture_content
        self._mask = settings.mask
        self._ended = False
        self._spans = 0
        self._root_span_id = new_span_id()
        # Re-entrant, because the garbage collector can end a run inside any statement.
        self._lock = threading.RLock()
        #: Identifies the run in other systems.
        self.trace_id = trace_id

    @property
    def id(self) -> str:
        """The id on the server. Empty until the server has acknowledged the start."""
        return self._queue.run_id if self._queue else ""

    def ready(self, timeout: float | None = None) -> str:
        """Waits for the id on the server. Returns an empty string on timeout."""
        if self._queue:
            self._queue.started.wait(self._settings.timeout if timeout is None else timeout)
        return self.id

    @contextmanager
    def within(self) -> Iterator[Run]:
        """Makes this the current run inside the block, including asynchronous code."""
        token = current_run.set(self)
        try:
            yield self
        finally:
            current_run.reset(token)

    def __enter__(self) -> Run:
        self._token = current_run.set(self)
        return self

    def __exit__(self, _type: object, error: BaseException | None, _trace: object) -> None:
        current_run.reset(self._token)
        if error is None:
            self.complete()
        else:
            self.fail(error)

    def complete(self, result: Any = None) -> None:
        self._outbox.late.record()
        self._end(result=result)

    def fail(self, error: Any) -> None:
        self._outbox.late.record()
        self._end(error="error" if error is None else error)

    def outcome(self, timeout: float | None = None) -> Outcome | None:
        """Waits for the server's response to the completion. Returns None on timeout."""
        if not self._queue:
            return None
        self._queue.completed.wait(self._settings.timeout if timeout is None else timeout)
        return _outcome_of(self._queue.outcome)

    @property
    def traceparent(self) -> str:
        """The W3C Trace Context for requests to other services, from the current span of the run.
        Empty if its trace id does not conform to W3C.
        """
        return traceparent_of(self.trace_id, self.current_span_id or self._root_span_id)

    @property
    def current_span_id(self) -> str | None:
        """The id of the current span of this run, or None outside any span."""
        run, span_id = current_span.get() or (None, None)
        return span_id if run is self else None

    def span(
        self,
        name: str,
        *,
        kind: str = "reasoning",
        parent_span_id: str | None = None,
        attributes: Mapping[str, Any] | None = None,
        input: Any = None,
    ) -> OpenSpan:
        """Records a block as a span: `with run.span("plan") as span: …`.

        All records within the block become its children. The span fails if the block raises.
        `parent_span_id` defaults to the current span.
        """
        options = dict(kind=kind, attributes=attributes, input=input)
        return OpenSpan(self, name, {**options, "parent_span_id": parent_span_id})

    def _next_position(self) -> int:
        with self._lock:
            self._spans += 1
            return self._spans - 1

    def _end(self, **how: Any) -> None:
        with self._lock:
            if self._ended or not self._queue:
                return
            self._ended = True
        try:
            completion = mask_content(self._mask, wire_end(time.time(), **how))
        except Exception as error:
            self._report.problem("invalid", f"a result could not be recorded: {error!r}")
            completion = {"status": "error" if "error" in how else "success"}
        self._outbox.complete(self._queue, completion)

    def _put(self, kind: str, record: dict[str, Any]) -> None:
        if not self._queue:
            return
        if kind == "spans" and "position" not in record:
            # The position is explicit, because retried and split batches may arrive in another
            # order.
            record = {**record, "position": self._next_position()}
        if kind in ("calls", "spans", "steps"):
            record = self._with_trace_position(record)
        if kind == "events":
            record = {"agent_name": self._agent_name, **record}
        self._outbox.add(self._queue, kind, record)

    def _with_trace_position(self, record: dict[str, Any]) -> dict[str, Any]:
        """Adds defaults: the current span as parent, and now minus the duration as start."""
        span_id = self.current_span_id
        if span_id and "parent_span_id" not in record:
            record = {**record, "parent_span_id": span_id}
        if "started_at" in record:
            return record
        return {**record, "started_at": iso(time.time() - record.get("duration_ms", 0) / 1000)}


def _outcome_of(response: Any) -> Outcome | None:
    if not isinstance(response, dict):
        return None
    action, feedback = response.get("governance_action"), response.get("retry_feedback")
    retries = response.get("max_retries")
    return Outcome(
        governance_action=action if isinstance(action, str) else "allow",
        should_retry=response.get("should_retry") is True,
        retry_feedback=feedback if isinstance(feedback, str) else None,
        max_retries=retries if isinstance(retries, int) else 0,
    )
