"""Converts records to the format of the recording API. Source: contract/recording.ts."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from .limits import (
    MAX_NAME_LENGTH,
    count,
    identifier,
    name,
    optional_count,
    optional_text,
    text,
    texts,
    to_json,
    usd,
)
from .limits import iso as iso_of
from .limits import span_id as span_id_of
from .limits import time as time_of
from .storable import storable, storable_copy, storable_record, storable_text

MAX_TAGS = 100
MAX_TOKENS = 1_000_000_000
LARGEST_SCORE = 1e15
SPAN_KINDS = ("tool", "retriever", "decision", "reasoning", "retry")

Record = dict[str, Any]


def iso(seconds: float) -> str:
    """Formats a time as `2026-11-22T21:40:00.123Z`."""
    return iso_of(datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc))


def omit_none(fields: Mapping[str, Any]) -> Record:
    """Omits fields that are None, which would be stored as null."""
    return {key: value for key, value in fields.items() if value is not None}


def wire_start(
    now: float,
    *,
    agent_name: Any = None,
    workflow_name: Any = None,
    session_id: Any = None,
    user_id: Any = None,
    user_group: Any = None,
    end_user_id: Any = None,
    trace_id: Any = None,
    parent_span_id: Any = None,
    tags: Any = None,
    metadata: Any = None,
    inputs: Any = None,
) -> Record:
    return omit_none(
        {
            "started_at": iso(now),
            "agent_name": name(agent_name, "default"),
            "workflow_name": name(workflow_name, "default"),
            "session_id": identifier(session_id),
            "user_id": identifier(user_id),
            "user_group": identifier(user_group),
            "end_user_id": identifier(end_user_id),
            "trace_id": identifier(trace_id),
            "parent_span_id": span_id_of(parent_span_id),
            "tags": texts(tags, MAX_TAGS),
            "metadata": storable_record(metadata),
            "inputs": storable_record(inputs),
        }
    )


def _trace_position(span_id: Any, parent_span_id: Any, started_at: Any) -> Record:
    """Returns the position of a record in the tree of its run."""
    return {
        "span_id": span_id_of(span_id),
        "parent_span_id": span_id_of(parent_span_id),
        "started_at": time_of(started_at),
    }


MAX_TOOLS = 1000


def _wire_tools(tools: Any) -> list[Record] | None:
    if not isinstance(tools, (list, tuple)):
        return None
    return [
        omit_none(
            {
                "id": identifier(tool.get("id")),
                "name": name(tool.get("name"), "tool"),
                "arguments": storable(tool.get("arguments")),
            }
        )
        for tool in tools[:MAX_TOOLS]
    ]


def wire_call(
    now: float,
    capture_content: bool,
    *,
    model: Any = None,
    tokens_in: Any = 0,
    tokens_out: Any = 0,
    cache_read_tokens: Any = None,
    cache_write_tokens: Any = None,
    provider: Any = None,
    response_id: Any = None,
    cost: Any = None,
    task: Any = None,
    duration_ms: Any = None,
    span_id: Any = None,
    parent_span_id: Any = None,
    started_at: Any = None,
    reasoning_tokens: Any = None,
    time_to_first_token_ms: Any = None,
    finish_reason: Any = None,
    tool_calls: Any = None,
    prompt_preview: Any = None,
    response_preview: Any = None,
    prompt: Any = None,
) -> Record:
    prompt_hash = getattr(prompt, "content_hash", None)
    is_hash = isinstance(prompt_hash, str) and re.fullmatch(r"[0-9a-f]{64}", prompt_hash)
    return omit_none(
        {
            "model": name(model, "unknown"),
            "created_at": iso(now),
            "tokens_in": count(tokens_in, MAX_TOKENS),
            "tokens_out": count(tokens_out, MAX_TOKENS),
            "cache_read_tokens": optional_count(cache_read_tokens, MAX_TOKENS),
            "cache_write_tokens": optional_count(cache_write_tokens, MAX_TOKENS),
            "provider": identifier(provider),
            "cost": usd(cost),
            "task": identifier(task),
            "response_id": optional_text(response_id),
            **_trace_position(span_id, parent_span_id, started_at),
            "duration_ms": optional_count(duration_ms),
            "reasoning_tokens": optional_count(reasoning_tokens, MAX_TOKENS),
            "time_to_first_token_ms": optional_count(time_to_first_token_ms),
            "finish_reason": identifier(finish_reason),
            "tool_calls": _wire_tools(tool_calls) if capture_content else None,
            "prompt_hash": prompt_hash if is_hash else None,
            "prompt_preview": optional_text(prompt_preview) if capture_content else None,
            "response_preview": optional_text(response_preview) if capture_content else None,
        }
    )


def wire_step(step_name: Any, output: Any) -> Record:
    return omit_none({"step_name": name(step_name, "step"), "output": storable_record(output)})


def _span_kind(kind: Any) -> str:
    if kind == "retrieval":
        return "retriever"
    # Unknown kinds become `reasoning`, like OpenTelemetry spans without a kind.
    return kind if kind in SPAN_KINDS else "reasoning"


def wire_span(
    *,
    name: Any = None,
    kind: Any = None,
    status: Any = "ok",
    duration_ms: Any = None,
    span_id: Any = None,
    parent_span_id: Any = None,
    started_at: Any = None,
    position: Any = None,
    attributes: Any = None,
    input: Any = None,
    output: Any = None,
) -> Record:
    known = _span_kind(kind)
    is_position = isinstance(position, int) and not isinstance(position, bool)
    return omit_none(
        {
            "name": _name(name, known),
            "kind": known,
            "status": "error" if status == "error" else "ok",
            **_trace_position(span_id, parent_span_id, started_at),
            "duration_ms": optional_count(duration_ms),
            "position": position if is_position else None,
            "attributes": storable_record(attributes),
            "input_data": storable_record(input),
            "output_data": storable_record(output),
        }
    )


_name = name


def wire_failed_call(
    error: Any,
    capture_content: bool,
    *,
    model: Any = None,
    provider: Any = None,
    task: Any = None,
    prompt_preview: Any = None,
    **details: Any,
) -> Record:
    """Returns the span of a failed call. A call without a response has no tokens and no cost, so it
    is not an LLM call.
    """
    attributes = {"model": model, "provider": provider, "error": error_text(error)}
    shows_prompt = capture_content and prompt_preview
    return wire_span(
        name=f"{'call' if task is None else task} {model}",
        kind="reasoning",
        status="error",
        attributes=omit_none(attributes),
        input={"prompt_preview": prompt_preview} if shows_prompt else None,
        **details,
    )


def error_text(error: Any) -> Any:
    """Returns the type and message of an exception. Other values are returned unchanged."""
    return f"{type(error).__name__}: {error}" if isinstance(error, BaseException) else error


def wire_score(score_name: Any, value: Any, comment: Any = None) -> Record:
    common = omit_none({"name": name(score_name, "score"), "comment": optional_text(comment)})
    if isinstance(value, bool):
        return {**common, "data_type": "boolean", "string_value": value}
    if isinstance(value, (int, float)) and math.isfinite(value):
        within = min(max(value, -LARGEST_SCORE), LARGEST_SCORE)
        return {**common, "data_type": "numeric", "numeric_value": within}
    return {**common, "data_type": "categorical", "string_value": text(value, MAX_NAME_LENGTH)}


def wire_event(event: Mapping[str, Any], now: float) -> Record:
    """Adds the time of recording to an event, which may be sent much later."""
    return {"timestamp": iso(now), **(storable_record(dict(event)) or {})}


def wire_end(now: float, *, result: Any = None, error: Any = None) -> Record:
    """Returns the body of a run's completion: its result, or the error that ended it."""
    if error is None:
        fields = {"status": "success", "completed_at": iso(now), "result": storable_record(result)}
        return omit_none(fields)
    return {"status": "error", "completed_at": iso(now), "error": text(error_text(error))}


def policy_request(subject: Mapping[str, Any], most_bytes: int) -> Record:
    """Returns the request body of a policy check, always within the limits of the contract.

    A rejected request would skip the check, and user input must not disable a policy.
    """
    risk = subject.get("risk_level")
    return omit_none(
        {
            "agent_name": name(subject.get("agent_name"), "default"),
            "workflow_name": identifier(subject.get("workflow_name")) or None,
            "agent_id": identifier(subject.get("agent_id")),
            "session_id": identifier(subject.get("session_id")),
            "user_id": identifier(subject.get("user_id")),
            "user_group": identifier(subject.get("user_group")),
            "end_user_id": identifier(subject.get("end_user_id")),
            "inputs": _policy_inputs(subject.get("inputs"), most_bytes),
            "models": _names(subject.get("models")),
            "tools": _names(subject.get("tools")),
            "tool_calls": _tool_calls(subject.get("tool_calls"), most_bytes),
            "mcp_servers": _names(subject.get("mcp_servers")),
            "action_type": identifier(subject.get("action_type")),
            "risk_level": risk if risk in RISK_LEVELS else None,
            "estimated_cost": usd(subject.get("estimated_cost")),
        }
    )


RISK_LEVELS = ("none", "low", "medium", "high", "critical")
MAX_NAMES = 100


def _names(value: Any) -> Sequence[str] | None:
    listed = texts(value, MAX_NAMES)
    return None if listed is None else [one for one in listed if one]


def _tool_calls(value: Any, most_bytes: int) -> Sequence[Record] | None:
    """Returns the calls that have a name. Their arguments together take at most a tenth of a
    request.
    """
    if not isinstance(value, (list, tuple)):
        return None
    most = most_bytes // 10 // MAX_NAMES
    calls: list[Record] = []
    for one in value[:MAX_NAMES]:
        called = name(one.get("name"), "") if isinstance(one, Mapping) else ""
        if not called:
            continue
        call: dict[str, Any] = {"name": called}
        if one.get("arguments") is not None:
            call["arguments"] = _policy_inputs(one["arguments"], most)
        calls.append(call)
    return calls


def _policy_inputs(value: Any, most_bytes: int) -> Any:
    """Converts inputs. If they are too large or too deep, they are sent as JSON text, truncated to
    the size limit.
    """
    copy, is_whole = storable_copy(value)
    whole = to_json(copy)
    if is_whole and len(whole.encode("utf-8")) <= most_bytes:
        return copy
    # Inside a string, JSON takes at most twice its bytes: each quote and backslash is escaped.
    cut = whole.encode("utf-8")[: most_bytes // 2].decode("utf-8", "ignore")
    return storable_text(cut)
