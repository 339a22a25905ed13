"""A span that lasts as long as a block."""

from __future__ import annotations

import contextvars
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol

from .trace_context import new_span_id, traceparent_of
from .wire import error_text


class SpanParent(Protocol):
    """What a span needs of its run."""

    trace_id: str

    @property
    def current_span_id(self) -> str | None: ...

    @property
    def record_span(self) -> Callable[..., None]: ...

    def within(self) -> AbstractContextManager[Any]: ...

    def _next_position(self) -> int: ...


#: The innermost span of the current code, with its run.
current_span: contextvars.ContextVar[tuple[SpanParent, str] | None] = contextvars.ContextVar(
    "svc_observe_span", default=None
)


class OpenSpan:
    """A span around a block. All records within the block become its children, also after an
    `await`.
    """

    def __init__(self, run: SpanParent, name: str, options: Mapping[str, Any]) -> None:
        self._run = run
        self._name = name
        self._options = dict(options)
        self._attributes = dict(self._options.pop("attributes", None) or {})
        self._set: dict[str, Any] = {}
        self.id = new_span_id()

    @property
    def traceparent(self) -> str:
        """The W3C Trace Context for requests to other services. Empty if the run's trace id does
        not conform to W3C.
        """
        return traceparent_of(self._run.trace_id, self.id)

    def set(self, *, attributes: Mapping[str, Any] | None = None, **details: Any) -> None:
        """Sets the `output` or `status` to send when the block ends, and adds attributes."""
        self._attributes.update(attributes or {})
        self._set.update(details)

    def __enter__(self) -> OpenSpan:
        run = self._run
        self._above = self._options.pop("parent_span_id", None) or run.current_span_id
        # Assigned at the start: spans are recorded at their ends, inner ones first.
        self._position = run._next_position()
        self._started_at, self._began = time.time(), time.monotonic()
        self._within = run.within()
        self._within.__enter__()
        self._token = current_span.set((run, self.id))
        return self

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        current_span.reset(self._token)
        self._within.__exit__(kind, error, trace)
        # A generator that is closed early is not a failure.
        failed = error is not None and not isinstance(error, GeneratorExit)
        if failed:
            self._attributes.setdefault("error", error_text(error))
        details: dict[str, Any] = {
            "kind": "reasoning",
            "status": "error" if failed else "ok",
            **self._options,
            **self._set,
        }
        self._run.record_span(
            name=self._name,
            span_id=self.id,
            parent_span_id=self._above,
            started_at=self._started_at,
            duration_ms=(time.monotonic() - self._began) * 1000,
            position=self._position,
            attributes=self._attributes,
            **details,
        )
