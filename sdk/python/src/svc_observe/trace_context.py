"""W3C Trace Context: the header `traceparent`, and ids of traces and spans."""

from __future__ import annotations

import re
import secrets
from typing import Any, NamedTuple

_HEADER = re.compile(
    r"[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?"
)


class RemoteSpan(NamedTuple):
    trace_id: str
    span_id: str


def read_traceparent(header: Any) -> RemoteSpan | None:
    """Parses a `traceparent` header. Returns the trace id and span id, or None if it is invalid."""
    text = header.strip().lower() if isinstance(header, str) else ""
    match = _HEADER.fullmatch(text)
    return RemoteSpan(match.group(1), match.group(2)) if match else None


def traceparent_of(trace_id: str, span_id: str) -> str:
    """Formats the header. Returns an empty string if the trace id does not conform to W3C."""
    return f"00-{trace_id}-{span_id}-01" if re.fullmatch(r"[0-9a-f]{32}", trace_id) else ""


def new_trace_id() -> str:
    return secrets.token_hex(16)


def new_span_id() -> str:
    return secrets.token_hex(8)
