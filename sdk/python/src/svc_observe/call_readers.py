"""Reads model, id, tokens and text from the responses and stream events of providers.

Source: the providers' API references (chat completions, responses, embeddings, messages).
"""

from __future__ import annotations

import json
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


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_number(value: Any) -> bool:
    # Some services write counts as 3.0.
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _number(value: Any) -> float:
    return value if _is_number(value) else 0


def _index(value: Any, default: int) -> int:
    return value if isinstance(value, int) else default


def _reasoning(usage: Any, details: str) -> dict[str, float]:
    tokens = field(usage, details, "reasoning_tokens")
    return {"reasoning_tokens": tokens} if _is_number(tokens) else {}


def _first(value: Any, other: Any) -> Any:
    return other if value is None else value


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
        #: The requested tools by index, because streams send their arguments in parts.
        self._tools: dict[int, dict[str, Any]] = {}

    def read(self, value: Any, is_event: bool) -> None:
        raise NotImplementedError

    def tokens(self) -> dict[str, float]:
        raise NotImplementedError

    def call(self, duration_ms: float) -> dict[str, Any]:
        """Returns the arguments of `record_call`."""
        return {
            "model": self._model,
            "duration_ms": round(duration_ms),
            "response_id": self._id or None,
            **self.tokens(),
            "finish_reason": self._finish_reason or None,
            "tool_calls": [_requested(tool) for tool in self._tools.values()] or None,
            "prompt_preview": preview_of(self._prompt),
            "response_preview": self._response,
        }

    def _update(self, response: Any, usage: Any) -> None:
        self._model = _text(field(response, "model")) or self._model
        self._id = _text(field(response, "id")) or self._id
        if usage is not None:
            self._usage = usage

    def _add_tool(self, index: int, id: Any = None, name: Any = None, arguments: Any = None) -> None:
        """Adds a requested tool, or further parts of its name and arguments."""
        tool = self._tools.setdefault(index, {"id": "", "name": "", "arguments": ""})
        tool["id"] = tool["id"] or _text(id)
        tool["name"] += _text(name)
        if isinstance(arguments, str):
            tool["arguments"] = _text(tool["arguments"]) + arguments
        elif arguments is not None:
            tool["arguments"] = arguments


def _requested(tool: dict[str, Any]) -> dict[str, Any]:
    """Parses arguments. Models sometimes write arguments that are not JSON, which stay text."""
    arguments = tool["arguments"]
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments, parse_constant=_reject) if arguments else None
        except (ValueError, RecursionError):
            pass
    parts = {"id": tool["id"] or None, "name": tool["name"], "arguments": arguments}
    return {name: value for name, value in parts.items() if value is not None}


def _reject(constant: str) -> None:
    """Rejects NaN and Infinity, which are no JSON."""
    raise ValueError(constant)


class ChatCompletion(CallReader):
    """Reads chat completions of OpenAI and compatible providers. Input tokens include cached
    tokens.
    """

    def read(self, value: Any, is_event: bool) -> None:
        self._update(value, field(value, "usage"))
        choice = _first_choice(value)
        message = field(choice, "delta" if is_event else "message")
        self._finish_reason = self._finish_reason or _text(field(choice, "finish_reason"))
        self._response += _text(field(message, "content"))
        for position, tool in enumerate(_list(field(message, "tool_calls"))):
            index = field(tool, "index")
            self._add_tool(
                _index(index, position),
                field(tool, "id"),
                _first(field(tool, "function", "name"), field(tool, "custom", "name")),
                _first(field(tool, "function", "arguments"), field(tool, "custom", "input")),
            )

    def tokens(self) -> dict[str, float]:
        usage = self._usage
        return {
            "tokens_in": _number(field(usage, "prompt_tokens")),
            "tokens_out": _number(field(usage, "completion_tokens")),
            "cache_read_tokens": _number(field(usage, "prompt_tokens_details", "cached_tokens")),
            **_reasoning(usage, "completion_tokens_details"),
        }


def _first_choice(value: Any) -> Any:
    """Returns the only choice that is recorded if a request asks for several (`n`)."""
    choices = _list(field(value, "choices"))
    return next((choice for choice in choices if not field(choice, "index")), None)


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
            self._response = _text(field(value, "output_text")) or _output_text(value)
        elif field(value, "type") == "response.output_text.delta":
            self._response += _text(field(value, "delta"))
        self._read_output(_list(field(whole, "output")))

    def _read_output(self, output: list[Any]) -> None:
        if output:
            self._tools.clear()
        for index, item in enumerate(output):
            if field(item, "type") in ("function_call", "custom_tool_call"):
                arguments = _first(field(item, "arguments"), field(item, "input"))
                self._add_tool(index, field(item, "call_id"), field(item, "name"), arguments)

    def tokens(self) -> dict[str, float]:
        usage = self._usage
        return {
            "tokens_in": _number(field(usage, "input_tokens")),
            "tokens_out": _number(field(usage, "output_tokens")),
            "cache_read_tokens": _number(field(usage, "input_tokens_details", "cached_tokens")),
            **_reasoning(usage, "output_tokens_details"),
        }


def _output_text(response: Any) -> str:
    """Reads the text of a response as it is sent; the client adds `output_text` on parsing."""
    items = _list(field(response, "output"))
    parts = [part for item in items for part in _list(field(item, "content"))]
    texts = [part for part in parts if field(part, "type") == "output_text"]
    return "".join(_text(field(part, "text")) for part in texts)


class Embedding(CallReader):
    prompt_member = "input"

    def read(self, value: Any, is_event: bool) -> None:
        self._update(value, field(value, "usage"))

    def tokens(self) -> dict[str, float]:
        return {"tokens_in": _number(field(self._usage, "prompt_tokens")), "tokens_out": 0}


class Message(CallReader):
    """Reads Anthropic messages. Their input tokens exclude cached tokens, which are added here."""

    def __init__(self, body: Mapping[str, Any]) -> None:
        super().__init__(body)
        self._counts: dict[str, float] = {}

    def read(self, value: Any, is_event: bool) -> None:
        whole = field(value, "message") if is_event else value
        self._update(whole, None)
        # The first event of a stream has the input tokens, later events the output tokens so far.
        usage = field(whole, "usage") or field(value, "usage")
        for name in _ANTHROPIC_COUNTS:
            count = field(usage, name)
            if _is_number(count):
                self._counts[name] = count
        reason = field(whole, "stop_reason") or field(value, "delta", "stop_reason")
        self._finish_reason = _text(reason) or self._finish_reason
        if is_event:
            self._read_event(value)
        else:
            for index, block in enumerate(_list(field(value, "content"))):
                self._read_block(index, block)

    def _read_block(self, index: int, block: Any) -> None:
        self._response += _text(field(block, "text"))
        if field(block, "type") == "tool_use":
            self._add_tool(index, field(block, "id"), field(block, "name"), field(block, "input"))

    def _read_event(self, event: Any) -> None:
        index = _index(field(event, "index"), 0)
        begun = field(event, "content_block")
        # The input of a block is empty at its start. Its JSON follows in pieces.
        if field(begun, "type") == "tool_use":
            self._add_tool(index, field(begun, "id"), field(begun, "name"))
        self._response += _text(field(event, "delta", "text"))
        json_part = field(event, "delta", "partial_json")
        if isinstance(json_part, str) and index in self._tools:
            self._add_tool(index, arguments=json_part)

    def tokens(self) -> dict[str, float]:
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
