"""The methods that record. They never raise and never block."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable

from .report import Reporter
from .settings import Mask
from .wire import (
    omit_none,
    wire_call,
    wire_event,
    wire_failed_call,
    wire_score,
    wire_span,
    wire_step,
)

if TYPE_CHECKING:
    from .outbox import Outbox
    from .prompts import Prompt

Record = dict[str, Any]


class Recorder:
    """The base class of runs and observers. Subclasses implement `_put`, which queues a record."""

    _outbox: Outbox
    _report: Reporter
    _capture_content: bool
    _mask: Mask | None

    def _put(self, kind: str, record: Record) -> None:
        raise NotImplementedError

    def _attempt(self, kind: str, form: Callable[[], Record]) -> None:
        """Queues a record. Errors that the program's values raise when read are reported."""
        self._outbox.late.record()
        try:
            self._put(kind, self._masked(form()))
        except Exception as error:
            self._report.problem("invalid", f"one of {kind} could not be recorded: {error!r}")

    def _masked(self, record: Record) -> Record:
        return mask_content(self._mask, record)

    def record_call(
        self,
        *,
        model: str,
        tokens_in: int = 0,
        tokens_out: int = 0,
        cache_read_tokens: int | None = None,
        cache_write_tokens: int | None = None,
        provider: str | None = None,
        response_id: str | None = None,
        cost: float | None = None,
        task: str | None = None,
        duration_ms: float | None = None,
        span_id: str | None = None,
        parent_span_id: str | None = None,
        started_at: Any = None,
        reasoning_tokens: int | None = None,
        time_to_first_token_ms: float | None = None,
        finish_reason: str | None = None,
        tool_calls: Sequence[Mapping[str, Any]] | None = None,
        prompt_preview: Any | None = None,
        response_preview: Any | None = None,
        prompt: Prompt | None = None,
    ) -> None:
        """Records an LLM call.

        `tokens_in` are all input tokens, cached ones included. `cost` is USD; without it the server
        computes it from its prices. Previews are sent only while content capture is on.
        `response_id` is the provider's id of the response. It identifies the call if a device
        captures it, too, so that it is counted once. `prompt` is the managed prompt that was used.
        `reasoning_tokens` are part of `tokens_out`. `tool_calls`, sent only while content capture is
        on, are the tools that the response requests: mappings of `id`, `name` and `arguments`.
        `started_at`: a datetime, seconds since 1970 or ISO 8601.
        """
        fields = dict(
            model=model,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            cache_read_tokens=cache_read_tokens,
            cache_write_tokens=cache_write_tokens,
            provider=provider,
            response_id=response_id,
            cost=cost,
            task=task,
            duration_ms=duration_ms,
            span_id=span_id,
            parent_span_id=parent_span_id,
            started_at=started_at,
            reasoning_tokens=reasoning_tokens,
            time_to_first_token_ms=time_to_first_token_ms,
            finish_reason=finish_reason,
            tool_calls=tool_calls,
            prompt_preview=prompt_preview,
            response_preview=response_preview,
            prompt=prompt,
        )
        self._attempt("calls", lambda: wire_call(time.time(), self._capture_content, **fields))

    def record_calls(self, calls: Iterable[Mapping[str, Any]]) -> None:
        """Records several calls, each a mapping of the arguments of `record_call`."""
        for call in calls:
            try:
                self.record_call(**call)
            except TypeError as error:
                self._report.problem("invalid", f"one of calls could not be recorded: {error}")

    def record_failed_call(
        self,
        error: Any,
        *,
        model: str,
        provider: str | None = None,
        task: str | None = None,
        duration_ms: float | None = None,
        span_id: str | None = None,
        parent_span_id: str | None = None,
        started_at: Any = None,
        prompt_preview: Any | None = None,
    ) -> None:
        """Records a call that the provider rejected, or that had no response, as a span with the
        status `error`. The preview is sent only while content capture is on.
        """
        fields = dict(
            model=model,
            provider=provider,
            task=task,
            duration_ms=duration_ms,
            span_id=span_id,
            parent_span_id=parent_span_id,
            started_at=started_at,
            prompt_preview=prompt_preview,
        )
        self._attempt("spans", lambda: wire_failed_call(error, self._capture_content, **fields))

    def record_step(self, name: str, output: Any = None) -> None:
        """Records a step of the run."""
        self._attempt("steps", lambda: wire_step(name, output))

    def record_span(
        self,
        *,
        name: str,
        kind: str,
        status: str = "ok",
        duration_ms: float | None = None,
        span_id: str | None = None,
        parent_span_id: str | None = None,
        started_at: Any = None,
        position: int | None = None,
        attributes: Mapping[str, Any] | None = None,
        input: Any = None,
        output: Any = None,
    ) -> None:
        """Records a span of kind tool, retriever, decision, reasoning or retry.

        `parent_span_id` defaults to the current span; `span_id` is needed only to record children.
        `started_at` defaults to now minus the duration.
        """
        fields = dict(
            name=name,
            kind=kind,
            status=status,
            duration_ms=duration_ms,
            span_id=span_id,
            parent_span_id=parent_span_id,
            started_at=started_at,
            position=position,
            attributes=attributes,
            input=input,
            output=output,
        )
        self._attempt("spans", lambda: wire_span(**fields))

    def record_tool(
        self,
        name: str,
        *,
        input: Any = None,
        output: Any = None,
        tool_type: str | None = None,
        **details: Any,
    ) -> None:
        """Records a tool call. `tool_type`: function, api, database, mcp or another name."""
        self._span("tool", name, {"tool_type": tool_type}, details, input=input, output=output)

    def record_retrieval(
        self,
        query: str,
        *,
        name: str = "retrieval",
        documents: Sequence[Any] | None = None,
        source: str | None = None,
        top_k: int | None = None,
        **details: Any,
    ) -> None:
        own = {"query": query, "documents": documents, "source": source, "top_k": top_k}
        self._span("retriever", name, own, details)

    def record_decision(
        self,
        options: Sequence[Any],
        chosen: Any,
        *,
        name: str = "decision",
        reasoning: str | None = None,
        confidence: float | None = None,
        **details: Any,
    ) -> None:
        """Records a decision. `confidence` is from 0 to 1."""
        own = {
            "options": options,
            "chosen": chosen,
            "reasoning": reasoning,
            "confidence": confidence,
        }
        self._span("decision", name, own, details)

    def record_reasoning(
        self,
        thought: str,
        *,
        name: str = "reasoning",
        step: int | str | None = None,
        evidence: Any = None,
        conclusion: str | None = None,
        **details: Any,
    ) -> None:
        own = {"step": step, "thought": thought, "evidence": evidence, "conclusion": conclusion}
        self._span("reasoning", name, own, details)

    def record_retry(
        self,
        attempt: int,
        *,
        name: str = "retry",
        reason: str | None = None,
        strategy: str | None = None,
        original_error: Any = None,
        fallback_to: str | None = None,
        max_attempts: int | None = None,
        **details: Any,
    ) -> None:
        own = {
            "attempt": attempt,
            "reason": reason,
            "strategy": strategy,
            "original_error": original_error,
            "fallback_to": fallback_to,
            "max_attempts": max_attempts,
        }
        self._span("retry", name, own, details)

    def record_score(
        self, name: str, value: float | str | bool, comment: str | None = None
    ) -> None:
        """Records a score: a number, a category or a boolean."""
        self._attempt("scores", lambda: wire_score(name, value, comment))

    def record_event(self, event: Mapping[str, Any]) -> None:
        """Records a free-form event for governance and audit. `event_type` is its type."""
        self._attempt("events", lambda: wire_event(event, time.time()))

    def _span(
        self, kind: str, name: str, own: Record, details: Mapping[str, Any], **content: Any
    ) -> None:
        def form() -> Record:
            more = dict(details)
            attributes = {**omit_none(own), **(more.pop("attributes", None) or {})}
            return wire_span(name=name, kind=kind, attributes=attributes, **content, **more)

        self._attempt("spans", form)


#: Members with texts that were written by people and models.
CONTENT = frozenset(
    "prompt_preview response_preview tool_calls output attributes input_data output_data inputs result error "
    "comment metadata".split()
)


def mask_content(mask: Mask | None, record: Record) -> Record:
    """Applies the program's masking function to every text of the content fields."""
    if mask is None:
        return record
    return {
        key: _masked_value(mask, value) if key in CONTENT else value
        for key, value in record.items()
    }


def _masked_value(mask: Mask, value: Any) -> Any:
    if isinstance(value, str):
        return str(mask(value))
    if isinstance(value, list):
        return [_masked_value(mask, item) for item in value]
    if isinstance(value, dict):
        return {key: _masked_value(mask, inner) for key, inner in value.items()}
    return value
