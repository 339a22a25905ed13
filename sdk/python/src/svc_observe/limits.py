"""Brings every field within the limits of the contract: the server rejects a batch with an invalid
field."""

from __future__ import annotations

import datetime
import json
import math
import re
from typing import Any

from .storable import storable, storable_text

MAX_NAME_LENGTH = 200
MAX_TEXT_LENGTH = 1_000_000
MAX_USD = 1_000_000
MAX_INTEGER = 2**53 - 1


def text(value: Any, longest: int = MAX_TEXT_LENGTH) -> str:
    copy = storable(value[:longest] if isinstance(value, str) else value)
    whole = copy if isinstance(copy, str) else to_json(copy)
    return storable_text(whole[:longest])


def optional_text(value: Any, longest: int = MAX_TEXT_LENGTH) -> str | None:
    return None if value is None else text(value, longest)


def name(value: Any, default: str) -> str:
    return optional_text(value, MAX_NAME_LENGTH) or default


def identifier(value: Any) -> str | None:
    return optional_text(value, MAX_NAME_LENGTH)


MAX_SPAN_ID_LENGTH = 64
_EARLIEST = datetime.datetime(2000, 1, 1, tzinfo=datetime.timezone.utc)


def span_id(value: Any) -> str | None:
    return optional_text(value, MAX_SPAN_ID_LENGTH) or None


def time(value: Any) -> str | None:
    """Converts a datetime, seconds since 1970 or ISO 8601 to ISO 8601.

    Returns None if the value is invalid, or earlier than the server accepts.
    """
    try:
        at = _datetime(value)
    except (OverflowError, OSError, ValueError):
        return None
    return iso(at) if at is not None and at >= _EARLIEST else None


def _datetime(value: Any) -> datetime.datetime | None:
    if isinstance(value, str):
        # Python 3.9 and 3.10 do not parse `Z`.
        value = datetime.datetime.fromisoformat(re.sub("[zZ]$", "+00:00", value))
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return datetime.datetime.fromtimestamp(value, datetime.timezone.utc)


def iso(at: datetime.datetime) -> str:
    """Formats a time as `2026-11-22T21:40:00.123Z`."""
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}Z"


def texts(value: Any, most: int) -> list[str] | None:
    """Converts a value to a list of short texts. A single value becomes a list with one item."""
    if value is None:
        return None
    items = list(value) if isinstance(value, (list, tuple, set, frozenset)) else [value]
    return [text(item, MAX_NAME_LENGTH) for item in items[:most]]


def count(value: Any, most: int = MAX_INTEGER) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value:
        return 0
    return int(min(max(value, 0), most))


def optional_count(value: Any, most: int = MAX_INTEGER) -> int | None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return count(value, most) if is_number else None


def usd(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return min(value, MAX_USD) if math.isfinite(value) and value >= 0 else None


def to_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
