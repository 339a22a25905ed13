"""The observer: its settings, its queue and the API. A process usually has one."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from .memory_store import Memory
from .open_span import OpenSpan
from .outbox import Outbox, Stats
from .policy import PolicyChecker, PolicyResult
from .process_hooks import ExitHook, on_fork
from .prompts import Content, Prompt, PromptStore
from .recorder import Recorder, mask_content
from .report import Reporter
from .run import Run, current_run
from .run_queue import RunQueue
from .settings import read_settings
from .trace_context import new_trace_id, read_traceparent
from .transport import Transport
from .wire import wire_start

# The maximum time in seconds by which the exit of a process is delayed to send records.
EXIT = 3.0

_UNSET: Any = object()


class Observer(Recorder):
    """Records runs with the options of `init`. Records outside any run go to an automatic run."""

    def __init__(self, env: Mapping[str, str] | None = None, **options: Any) -> None:
        self.settings = read_settings(env, **options)
        settings = self.settings
        self._report = Reporter(settings.on_error, settings.debug)
        self._capture_content = settings.capture_content
        self._mask = settings.mask
        if settings.problem:
            self._report.problem("unconfigured", f"nothing is recorded: {settings.problem}")
        transport = Transport(settings) if settings.enabled else None
        self._transport = transport
        self._outbox = Outbox(settings, transport or Transport(settings), self._report)
        self._policy = (
            PolicyChecker(transport, self._report, settings.timeout) if transport else None
        )
        self._prompts = PromptStore(transport, settings)
        self._automatic: Run | None = None
        self._automatic_until = 0.0
        # Re-entrant, because the garbage collector can end a run inside any statement.
        self._lock = threading.RLock()
        self._ended = False
        self._exit_hook = ExitHook(self._at_exit) if settings.enabled else None
        self._exit_deadline: float | None = None
        on_fork(self, Observer._reset_in_child)

    @property
    def enabled(self) -> bool:
        """Whether observation is enabled and configured. If not, nothing is sent, and every check
        passes.
        """
        return self.settings.enabled

    # Runs

    def start_run(
        self,
        agent_name: str | None = None,
        *,
        workflow_name: str | None = None,
        session_id: str | None = None,
        user_id: str | None = None,
        user_group: str | None = None,
        end_user_id: str | None = None,
        tags: Any = None,
        metadata: Mapping[str, Any] | None = None,
        inputs: Any = None,
        trace_id: str | None = None,
        traceparent: str | None = None,
        parent: Any = _UNSET,
    ) -> Run:
        """Starts a run. `parent` defaults to the current run; None starts a run without a parent.

        `traceparent` is the header of a request that the run serves. Child runs, and runs started
        within the same trace, share its trace id.
        """
        above = current_run.get() if parent is _UNSET else parent
        inherited = above.trace_id if above else None
        remote = read_traceparent(traceparent)
        trace = trace_id or (remote and remote.trace_id) or inherited or new_trace_id()
        from_afar = remote.span_id if remote else None
        name = agent_name or self.settings.agent_name
        queue: RunQueue | None = None
        is_sampled = self._is_sampled(above)
        if self.settings.enabled and is_sampled:
            fields: dict[str, Any] = dict(
                agent_name=name,
                workflow_name=workflow_name,
                session_id=session_id,
                user_id=user_id,
                user_group=user_group,
                end_user_id=end_user_id,
                trace_id=trace,
                parent_span_id=above.current_span_id if above else from_afar,
                tags=tags,
                metadata=metadata,
                inputs=inputs,
            )
            queue = self._outbox.start_run(self._describe(fields), above._queue if above else None)
        return Run(queue, str(name), trace, self._outbox, self.settings, self._report)

    def _is_sampled(self, above: Run | None) -> bool:
        """Whether a run is recorded. A child run is recorded if its parent is."""
        if above is not None:
            return above._queue is not None
        rate = self.settings.sample_rate
        return rate >= 1 or random.random() < rate

    def _describe(self, fields: dict[str, Any]) -> dict[str, Any]:
        try:
            return mask_content(self._mask, wire_start(time.time(), **fields))
        except Exception as error:
            self._report.problem("invalid", f"a run could not be described: {error!r}")
            return wire_start(time.time(), agent_name=self.settings.agent_name)

    def current_run(self) -> Run | None:
        return current_run.get()

    @contextmanager
    def span(self, name: str, **options: Any) -> Iterator[OpenSpan]:
        """Records a block as a span of the current run, or of a new run; see `Run.span`."""
        run = current_run.get()
        if run is not None:
            with run.span(name, **options) as span:
                yield span
            return
        with self.start_run(parent=None, metadata={"automatic": True}) as own:
            with own.span(name, **options) as span:
                yield span

    def _put(self, kind: str, record: dict[str, Any]) -> None:
        if not self.settings.enabled:
            return
        run = current_run.get()
        if run is not None:
            run._put(kind, record)
        elif kind == "events":
            self._outbox.add(self._outbox.tenant_queue, kind, record)
        else:
            self._automatic_run()._put(kind, record)

    def _automatic_run(self) -> Run:
        """Returns the run for records outside any run. It lasts for one flush interval."""
        with self._lock:
            now = time.monotonic()
            if self._automatic is None or now >= self._automatic_until:
                run = self.start_run(parent=None, metadata={"automatic": True})
                self._end_automatic()
                self._automatic = run
                self._automatic_until = now + self.settings.flush_interval
            return self._automatic

    def _end_automatic(self) -> None:
        run, self._automatic = self._automatic, None
        if run is not None:
            # Unlike `complete`, this does not queue late records: the caller holds the lock.
            run._end(result=None)

    # Policies, prompts, memory

    def check_policy(self, agent_name: str, **subject: Any) -> PolicyResult:
        """Evaluates the policies. `subject`: workflow_name, agent_id, session_id, user_id,
        user_group, end_user_id, inputs, models, tools, tool_calls, mcp_servers, action_type,
        risk_level, estimated_cost (USD). Approvers see `tool_calls`, which are dicts with `name`
        and `arguments`.
        """
        if not self._policy:
            return PolicyResult("allow", "observation is disabled")
        return self._policy.check({**subject, "agent_name": agent_name})

    def get_prompt(
        self,
        name: str,
        *,
        label: str | None = None,
        version: int | None = None,
        fallback: Content | None = None,
    ) -> Prompt:
        """Returns the prompt with a version or label, or the newest one without either.

        Raises PromptError unless a fallback is given.
        """
        return self._prompts.get(name, label=label, version=version, fallback=fallback)

    def memory(self, scope_key: str) -> Memory:
        return Memory(self._transport, scope_key)

    # Ending

    def flush(self, timeout: float | None = None) -> bool:
        """Sends all queued records. Returns False if that takes longer than `timeout` seconds."""
        self._outbox.late.record()
        with self._lock:
            self._end_automatic()
        if self._outbox.stats().queued == 0:
            return True
        return self._outbox.flush(self.settings.timeout if timeout is None else timeout)

    def shutdown(self, timeout: float | None = None) -> bool:
        """Flushes and stops recording. Returns False if records were dropped."""
        if self._ended:
            return True
        self._ended = True
        if self._exit_hook:
            self._exit_hook.remove()
        return self._flush_or_report(timeout, "before the shutdown", then_close=True)

    def stats(self) -> Stats:
        return self._outbox.stats()

    def _reset_in_child(self) -> None:
        self._lock = threading.RLock()
        self._automatic = None
        self._exit_deadline = None
        self._prompts.reset_locks()
        run = current_run.get()
        if run is not None:
            run._lock = threading.RLock()
        if self._exit_hook:
            self._exit_hook.renew()

    def _at_exit(self) -> None:
        now = time.monotonic()
        # A process that has used `multiprocessing` calls this twice.
        self._exit_deadline = self._exit_deadline or now + EXIT
        left = max(0.0, self._exit_deadline - now)
        self._flush_or_report(left, "before the process ended", then_close=False)

    def _flush_or_report(self, timeout: float | None, when: str, then_close: bool) -> bool:
        done = self.flush(timeout)
        if not done:
            queued = self._outbox.stats().queued
            self._report.problem("dropped", f"{queued} records could not be sent {when}")
        if then_close:
            self._outbox.close()
            if self._transport:
                self._transport.close_all()
        return done
