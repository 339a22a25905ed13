"""A LangChain callback handler. Chains, agents and graphs become runs, models become LLM calls, and
tools and retrievers become spans.

    from svc_observe.langchain import ObserveHandler
    chain.invoke(question, config={"callbacks": [ObserveHandler(agent_name="support")]})
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler

from .call_readers import field, preview_of
from .run import Run, current_run
from .wire import error_text

if TYPE_CHECKING:
    from .observer import Observer


class ObserveHandler(BaseCallbackHandler):
    """Records everything in the current run of the program, if there is one. Otherwise the
    outermost chain becomes a run with the given options, which are those of `start_run`.
    """

    run_inline = True

    def __init__(self, *, observer: Observer | None = None, **options: Any) -> None:
        self._own_observer = observer
        self._options = options
        #: By LangChain's run id: the run that it belongs to, and whether that run ends with it.
        self._runs: dict[UUID, tuple[Run, bool]] = {}
        #: By LangChain's run id: the id of its parent.
        self._above: dict[UUID, UUID | None] = {}
        #: By LangChain's run id: the start, name and input of models, tools and retrievers.
        self._begun: dict[UUID, tuple[float, str, Any]] = {}

    # Chains

    def on_chain_start(
        self,
        serialized: dict[str, Any] | None,
        inputs: Any,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **kwargs: Any,
    ) -> None:
        self._enter(run_id, parent_run_id, kwargs.get("name") or _name_of(serialized), inputs)

    def on_chain_end(self, outputs: Any, *, run_id: UUID, **_: Any) -> None:
        self._leave(run_id, result=outputs)

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:
        self._leave(run_id, error=error)

    # Models

    def on_chat_model_start(
        self,
        serialized: dict[str, Any] | None,
        messages: list[list[Any]],
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **kwargs: Any,
    ) -> None:
        prompt = [
            {"role": field(message, "type"), "content": field(message, "content")}
            for batch in messages
            for message in batch
        ]
        self._begin(run_id, parent_run_id, _model_of(serialized, kwargs), prompt)

    def on_llm_start(
        self,
        serialized: dict[str, Any] | None,
        prompts: list[str],
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **kwargs: Any,
    ) -> None:
        self._begin(run_id, parent_run_id, _model_of(serialized, kwargs), "\n".join(prompts))

    def on_llm_end(self, response: Any, *, run_id: UUID, **_: Any) -> None:
        run, began, model, prompt = self._finish(run_id)
        if run is None:
            return
        message = field(response, "generations", 0, 0, "message")
        meta = field(message, "response_metadata") or {}
        usage = field(message, "usage_metadata") or _old_usage(response)
        details = field(usage, "input_token_details")
        run.record_call(
            model=field(meta, "model_name") or field(meta, "model") or model,
            provider=field(meta, "model_provider"),
            response_id=field(meta, "id") or _provider_id(field(message, "id")),
            tokens_in=field(usage, "input_tokens") or 0,
            tokens_out=field(usage, "output_tokens") or 0,
            cache_read_tokens=field(details, "cache_read"),
            cache_write_tokens=field(details, "cache_creation"),
            reasoning_tokens=field(usage, "output_token_details", "reasoning"),
            finish_reason=field(meta, "finish_reason") or field(meta, "stop_reason"),
            tool_calls=_tools_of(message),
            duration_ms=round((time.monotonic() - began) * 1000),
            **self._trace_position(run_id),
            prompt_preview=preview_of(prompt),
            response_preview=_response_text(response, message),
        )
        self._leave(run_id)

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:
        run, began, model, prompt = self._finish(run_id)
        if run is not None:
            run.record_failed_call(
                error,
                model=model,
                duration_ms=_since(began),
                prompt_preview=preview_of(prompt),
                **self._trace_position(run_id),
            )
        self._leave(run_id, error=error)

    # Tools and retrievers

    def on_tool_start(
        self,
        serialized: dict[str, Any] | None,
        input_str: str,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        inputs: Any = None,
        **kwargs: Any,
    ) -> None:
        name = kwargs.get("name") or _name_of(serialized)
        self._begin(run_id, parent_run_id, name, inputs if inputs is not None else input_str)

    def on_tool_end(self, output: Any, *, run_id: UUID, **_: Any) -> None:
        self._tool(run_id, output=field(output, "content") or output)
        self._leave(run_id, result=output)

    def on_tool_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:
        self._tool(run_id, status="error", attributes={"error": error_text(error)})
        self._leave(run_id, error=error)

    def on_retriever_start(
        self,
        serialized: dict[str, Any] | None,
        query: str,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **kwargs: Any,
    ) -> None:
        self._begin(run_id, parent_run_id, kwargs.get("name") or _name_of(serialized), query)

    def on_retriever_end(self, documents: Any, *, run_id: UUID, **_: Any) -> None:
        found = [field(document, "page_content") for document in documents or []]
        self._retrieval(run_id, documents=found)
        self._leave(run_id)

    def on_retriever_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:
        self._retrieval(run_id, status="error")
        self._leave(run_id, error=error)

    # Parts

    def _observer(self) -> Observer:
        from . import default_observer

        return self._own_observer or default_observer()

    def _trace_position(self, run_id: UUID) -> dict[str, Any]:
        """Returns the trace position, below the enclosing tool or retriever if there is one."""
        above = self._above.get(run_id)
        while above is not None and above not in self._begun:
            above = self._above.get(above)
        parent = {} if above is None else {"parent_span_id": _span_id(above)}
        return {"span_id": _span_id(run_id), **parent}

    def _enter(self, run_id: UUID, parent_id: UUID | None, name: str, inputs: Any) -> Run:
        self._above[run_id] = parent_id
        above = self._runs.get(parent_id)[0] if parent_id in self._runs else None  # type: ignore[index]
        above = above or current_run.get()
        if above is not None:
            self._runs[run_id] = (above, False)
            return above
        observer = self._observer()
        options = {"agent_name": name, **self._options}
        if observer.settings.capture_content and "inputs" not in options:
            options["inputs"] = inputs
        run = observer.start_run(parent=None, **options)
        self._runs[run_id] = (run, True)
        return run

    def _leave(self, run_id: UUID, **end: Any) -> None:
        run, ends = self._runs.pop(run_id, (None, False))
        self._above.pop(run_id, None)
        if run is None or not ends:
            return
        if "error" in end:
            run.fail(end["error"])
        else:
            run.complete(end.get("result") if run._settings.capture_content else None)

    def _begin(self, run_id: UUID, parent_id: UUID | None, name: str, content: Any) -> None:
        self._enter(run_id, parent_id, name, content)
        self._begun[run_id] = (time.monotonic(), name, content)

    def _finish(self, run_id: UUID) -> tuple[Run | None, float, str, Any]:
        began, name, content = self._begun.pop(run_id, (time.monotonic(), "", None))
        run, _ = self._runs.get(run_id, (None, False))
        return run, began, name, content

    def _tool(self, run_id: UUID, *, output: Any = None, **outcome: Any) -> None:
        run, began, name, content = self._finish(run_id)
        if run is not None:
            shows = run._settings.capture_content
            run.record_tool(
                name,
                input=content if shows else None,
                output=output if shows else None,
                duration_ms=_since(began),
                **self._trace_position(run_id),
                **outcome,
            )

    def _retrieval(self, run_id: UUID, *, documents: Any = None, **outcome: Any) -> None:
        run, began, name, query = self._finish(run_id)
        if run is not None:
            shows = run._settings.capture_content
            run.record_retrieval(
                str(query) if shows else "",
                name=name,
                documents=documents if shows else None,
                duration_ms=_since(began),
                **self._trace_position(run_id),
                **outcome,
            )


def _span_id(run_id: UUID) -> str:
    # The first half of a UUID may encode the time.
    return run_id.hex[16:]


def _tools_of(message: Any) -> list[dict[str, Any]]:
    calls = field(message, "tool_calls")
    return [
        {"id": field(call, "id"), "name": field(call, "name"), "arguments": field(call, "args")}
        for call in (calls if isinstance(calls, list) else [])
    ]


def _since(began: float) -> int:
    return round((time.monotonic() - began) * 1000)


def _name_of(serialized: dict[str, Any] | None) -> str:
    parts = field(serialized, "id")
    name = field(serialized, "name") or (parts[-1] if isinstance(parts, list) and parts else None)
    return str(name or "chain")


def _model_of(serialized: dict[str, Any] | None, kwargs: dict[str, Any]) -> str:
    params = kwargs.get("invocation_params") or {}
    model = params.get("model") or params.get("model_name")
    return str(model or field(kwargs, "metadata", "ls_model_name") or _name_of(serialized))


def _old_usage(response: Any) -> dict[str, Any]:
    usage = field(response, "llm_output", "token_usage")
    return {
        "input_tokens": field(usage, "prompt_tokens"),
        "output_tokens": field(usage, "completion_tokens"),
    }


def _provider_id(message_id: Any) -> str | None:
    """Returns the provider's id, or None if LangChain has generated the id (`run-…`, `lc_…`)."""
    is_own = not isinstance(message_id, str) or message_id.startswith(("run-", "run--", "lc_"))
    return None if is_own else message_id


def _response_text(response: Any, message: Any) -> str:
    content = field(message, "content")
    if content is None:
        content = field(response, "generations", 0, 0, "text")
    if isinstance(content, list):
        return "".join(str(field(block, "text") or "") for block in content)
    return content if isinstance(content, str) else ""
