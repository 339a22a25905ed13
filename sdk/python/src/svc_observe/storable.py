"""Copies any value to JSON that the server can store.

Values that cannot be stored are replaced by a placeholder, so that the rest of the record is not
lost.
"""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import math
import pathlib
import uuid
from typing import Any

# The server rejects more than 100 levels. A value is nested a few levels deep in its request.
MAX_DEPTH = 80
# Limits the time for densely connected graphs, which have an exponential number of paths.
MAX_VALUES = 100_000
# Larger integers lose digits in languages that parse JSON numbers as doubles.
_SAFE_INTEGER = 2**53 - 1


class _Walk:
    def __init__(self) -> None:
        self.left = MAX_VALUES
        self.shortened = False
        self.above: list[int] = []

    def shorten(self, word: str) -> str:
        self.shortened = True
        return word


def storable(value: Any) -> Any:
    return storable_copy(value)[0]


def storable_copy(value: Any) -> tuple[Any, bool]:
    """Returns a copy, and whether it is complete."""
    walk = _Walk()
    return _copy(value, walk), not walk.shortened


def storable_text(text: str) -> str:
    """Removes NUL and replaces lone surrogates, which not every database can store."""
    clean = text.replace("\0", "")
    try:
        clean.encode("utf-8")
        return clean
    except UnicodeEncodeError:
        return clean.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def storable_record(value: Any) -> dict[str, Any] | None:
    """Wraps values that are not mappings, because the wire format requires objects. None stays
    None.
    """
    copy = storable(value)
    if copy is None:
        return None
    return copy if isinstance(copy, dict) else {"value": copy}


def _copy(value: Any, walk: _Walk) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return storable_text(str(value))
    if isinstance(value, enum.Enum):
        return _copy(value.value, walk)
    if isinstance(value, int):
        return int(value) if abs(value) <= _SAFE_INTEGER else str(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    return _copy_object(value, walk)


def _copy_object(value: Any, walk: _Walk) -> Any:
    if id(value) in walk.above:
        return "[circular]"
    if len(walk.above) == MAX_DEPTH:
        return walk.shorten("[too deep]")
    if walk.left <= 0:
        return walk.shorten("[too large]")
    walk.left -= 1
    walk.above.append(id(value))
    try:
        return _copy_inside(value, walk)
    except Exception:  # A property or method of the program raised.
        return "[unreadable]"
    finally:
        walk.above.pop()


def _copy_inside(value: Any, walk: _Walk) -> Any:
    if isinstance(value, BaseException):
        return {"name": type(value).__name__, "message": storable_text(str(value))}
    if isinstance(value, dict):
        return _copy_fields(list(value.items()), walk)
    if isinstance(value, (list, tuple)):
        return _copy_items(list(value), walk)
    if isinstance(value, (set, frozenset)):
        return _copy_items(sorted(value, key=repr), walk)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return f"[{len(value)} bytes]"
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (decimal.Decimal, uuid.UUID, pathlib.PurePath)):
        return storable_text(str(value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [(field.name, getattr(value, field.name)) for field in dataclasses.fields(value)]
        return _copy_fields(fields, walk)
    dump = getattr(value, "model_dump", None)  # pydantic
    if callable(dump) and not isinstance(value, type):
        return _copy(dump(), walk)
    if hasattr(value, "_asdict"):
        return _copy(value._asdict(), walk)
    members = getattr(value, "__dict__", None)
    if (
        isinstance(members, dict)
        and members
        and not isinstance(value, type)
        and not callable(value)
    ):
        public = [(key, inner) for key, inner in members.items() if not str(key).startswith("_")]
        return _copy_fields(public, walk)
    return storable_text(repr(value)[:1000])


def _copy_items(items: list[Any], walk: _Walk) -> list[Any]:
    walk.left -= len(items)
    if walk.left < 0:
        return [walk.shorten("[too large]")]
    return [_copy(item, walk) for item in items]


def _copy_fields(fields: list[tuple[Any, Any]], walk: _Walk) -> Any:
    walk.left -= len(fields)
    if walk.left < 0:
        return walk.shorten("[too large]")
    return {
        storable_text(key if isinstance(key, str) else str(key)): _copy(inner, walk)
        for key, inner in fields
    }
