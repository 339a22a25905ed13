"""Brings every field within the limits of the contract: one field beyond them would have the server
refuse all that travels with it."""

from __future__ import annotations

import json
import math
from typing import Any

from .storable import storable, storable_text

LONGEST_NAME = 200
LONGEST_TEXT = 1_000_000
MOST_USD = 1_000_000
MOST_INTEGER = 2**53 - 1


def text(value: Any, longest: int = LONGEST_TEXT) -> str:
    copy = storable(value[:longest] if isinstance(value, str) else value)
    whole = copy if isinstance(copy, str) else to_json(copy)
    return storable_text(whole[:longest])


def optional_text(value: Any, longest: int = LONGEST_TEXT) -> str | None:
    return None if value is None else text(value, longest)


def name(value: Any, default: str) -> str:
    return optional_text(value, LONGEST_NAME) or default


def identifier(value: Any) -> str | None:
    return optional_text(value, LONGEST_NAME)


def texts(value: Any, most: int) -> list[str] | None:
    """A list of short texts; a single one counts as a list of it."""
    if value is None:
        return None
    items = list(value) if isinstance(value, (list, tuple, set, frozenset)) else [value]
    return [text(item, LONGEST_NAME) for item in items[:most]]


def count(value: Any, most: int = MOST_INTEGER) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value:
        return 0
    return int(min(max(value, 0), most))


def optional_count(value: Any, most: int = MOST_INTEGER) -> int | None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return count(value, most) if is_number else None


def usd(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return min(value, MOST_USD) if math.isfinite(value) and value >= 0 else None


def to_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
