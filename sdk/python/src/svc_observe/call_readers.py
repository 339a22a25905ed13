"""Reads model, id, tokens and text from the responses and stream events of providers.

Source: the providers' API references (chat completions, responses, embeddings, messages).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Callable

from .limits import to_json
from .storable import storable


def field(value: Any, *path: Any) -> Any:
    """Reads a nested key, attribute or index. Returns None if the path does not exist."""
    for step in path:
        if isinstance(step, int):
            value = value[step] if isinstance(value, (list, tuple)) and len(value) > step else None
        elif isinstance(value, Mapping):
            value = value.get(step)
        else:
            value = getattr(value, step, None)
        if value is None:
            return None
    return value


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _number(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _reasoning(usage: Any, details: str) -> dict[str, int]:
    tokens = field(usage, details, "reasoning_tokens")
    return {"reasoning_tokens": tokens} if isinstance(tokens, int) else {}


def preview_of(prompt: Any) -> str | None:
    if prompt is None or isinstance(prompt, str):
        return prompt
    return to_json(storable(prompt))


class CallReader:
    """Builds an LLM call from one response. `read` receives the whole response, or each event of a
    stream.
    """

    prompt_member = "messages"

    def __init__(self, body: Mapping[str, Any]) -> None:
        self._prompt = body.get(self.prompt_member)
        self._model = _text(body.get("model"))
        self._id = ""
        self._response = ""
        self._usage: Any = None
        self._finish_reason = ""

    def read(self, value: Any, is_event: bool) -> None:
        raise NotImplementedError

    def tokens(self) -> dict[str, int]:
        raise NotImplementedError

    def call(self, duration_ms: float) -> dict[str, Any]:
        """Returns the arguments of `record_call`."""
        return {
            "model": self._model,
            "duration_ms": round(duration_ms),
            "response_id": self._id or None,
            **self.tokens(),
            "finish_reason": self._finish_reason or None,
            "prompt_preview": preview_of(self._prompt),
            "response_preview": self._response,
        }

    def _update(self, response: Any, usage: Any) -> None:
        self._model = _text(field(response, "model")) or self._model
        self._id = _text(field(response, "id")) or self._id
        if usage is not None:
            self._usage = usage


class ChatCompletion(CallReader):
    """Reads chat completions of OpenAI and compatible providers. Input tokens include cached
    tokens.
    """

    def read(self, value: Any, is_event: bool) -> None:
        self._update(value, field(value, "usage"))
        key = "delta" if is_event else "message"
        self._finish_reason = self._finish_reason or _text(
            field(value, "choices", 0, "finish_reason")
        )
        self._response += _text(field(value, "choices", 0, key, "content"))

    def tokens(self) -> dict[str, int]:
        usage = self._usage
        return {
            "tokens_in": _number(field(usage, "prompt_tokens")),
            "tokens_out": _number(field(usage, "completion_tokens")),
            "cache_read_tokens": _number(field(usage, "prompt_tokens_details", "cached_tokens")),
            **_reasoning(usage, "completion_tokens_details"),
        }


class Response(CallReader):
    """Reads OpenAI responses. The last event of a stream contains the whole response."""

    prompt_member = "input"

    def read(self, value: Any, is_event: bool) -> None:
        whole = field(value, "response") if is_event else value
        self._update(whole, field(whole, "usage"))
        status = _text(field(whole, "status"))
        if status and status != "in_progress":
            reason = _text(field(whole, "incomplete_details", "reason"))
            self._finish_reason = reason or status
        if not is_event:
            self._response = _text(field(value, "output_text"))
        elif field(value, "type") == "response.output_text.delta":
            self._response += _text(field(value, "delta"))

    def tokens(self) -> dict[str, int]:
        usage = self._usage
        return {
            "tokens_in": _number(field(usage, "input_tokens")),
            "tokens_out": _number(field(usage, "output_tokens")),
            "cache_read_tokens": _number(field(usage, "input_tokens_details", "cached_tokens")),
            **_reasoning(usage, "output_tokens_details"),
        }


class Embedding(CallReader):
    prompt_member = "input"

    def read(self, value: Any, is_event: bool) -> None:
        self._update(value, field(value, "usage"))

    def tokens(self) -> dict[str, int]:
        return {"tokens_in": _number(field(self._usage, "prompt_tokens")), "tokens_out": 0}


class Message(CallReader):
    """Reads Anthropic messages. Their input tokens exclude cached tokens, which are added here."""

    def __init__(self, body: Mapping[str, Any]) -> None:
        super().__init__(body)
        self._counts: dict[str, int] = {}

    def read(self, value: Any, is_event: bool) -> None:
        whole = field(value, "message") if is_event else value
        self._update(whole, None)
        # The first event of a stream has the input tokens, later events the output tokens so far.
        usage = field(whole, "usage") or field(value, "usage")
        for name in _ANTHROPIC_COUNTS:
            count = field(usage, name)
            if isinstance(count, int):
                self._counts[name] = count
        reason = field(whole, "stop_reason") or field(value, "delta", "stop_reason")
        self._finish_reason = _text(reason) or self._finish_reason
        if is_event:
            self._response += _text(field(value, "delta", "text"))
        else:
            blocks = field(value, "content")
            parts = blocks if isinstance(blocks, list) else []
            self._response += "".join(_text(field(block, "text")) for block in parts)

    def tokens(self) -> dict[str, int]:
        fresh, out, read, written = (self._counts.get(name, 0) for name in _ANTHROPIC_COUNTS)
        return {
            "tokens_in": fresh + read + written,
            "tokens_out": out,
            "cache_read_tokens": read,
            "cache_write_tokens": written,
        }


_ANTHROPIC_COUNTS = (
    "input_tokens",
    "output_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
)

CallReaderFactory = Callable[[Mapping[str, Any]], CallReader]
